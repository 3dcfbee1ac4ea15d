//! Findings SHALL report what the rules of the large model APIs refuse.

use super::support::{only, report_of, rules};

/// - **GIVEN** a callable command with the argument `the path`, and one with a description of 1,025 characters.
/// - **WHEN** the directory is judged.
/// - **THEN** the first finding has the rule `invalid-argument-name` and names `the path`, and the second has the rule
///   `long-description`.
#[test]
fn argument_names_and_descriptions() {
    let declared = |about: &str, argument: &str| {
        format!(
            "Command::new(\"{argument}\", \"T\").description(\"{about}\").callable()
                .argument(Argument::text(\"{argument}\").description(\"Where\"))"
        )
    };
    let report = report_of(&format!(
        "fn commands() -> Vec<Command> {{ vec![{},\n{},\n{}] }}",
        declared("About", "the path"),
        declared(&"ä".repeat(1_025), "a"),
        declared(&"ä".repeat(1_024), "b"),
    ));
    let [name, long, short] = &report.findings[..] else { panic!("{report:#?}") };
    let named = name.problems.iter().find(|problem| problem.rule.id() == "invalid-argument-name").unwrap();
    assert!(named.message.contains("\"the path\""), "{}", named.message);
    assert_eq!(rules(long), ["long-description"]);
    assert_eq!(rules(short), [""; 0]);
}

/// - **GIVEN** a callable command with a whole number up to 2^60 that its author wrote.
/// - **WHEN** the directory is judged.
/// - **THEN** the finding has the rule `large-bound` and names the argument.
#[test]
fn a_bound_too_large_for_a_double() {
    let report = report_of(
        r#"fn command() -> Command {
    Command::new("notes.open", "Title").description("Opens.").callable()
        .argument(Argument::integer("line", 0..=1_152_921_504_606_846_976).description("The line"))
        .argument(Argument::integer("row", 0..=1_000).description("The row"))
}"#,
    );
    let finding = only(&report);
    assert_eq!(rules(finding), ["large-bound"]);
    assert!(finding.problems[0].message.contains("\"line\""), "{finding:#?}");
}

/// - **GIVEN** 129 callable, described commands.
/// - **WHEN** the directory is judged.
/// - **THEN** the report has the rule `too-many-tools` and the number 129.
#[test]
fn too_many_tools() {
    let commands = |count: usize| {
        let commands: Vec<String> = (0..count)
            .map(|number| format!("Command::new(\"a.c{number}\", \"T\").description(\"D\").callable()"))
            .collect();
        report_of(&format!("fn commands() -> Vec<Command> {{ vec![{}] }}", commands.join(",")))
    };
    let report = commands(129);
    let [problem] = &report.problems[..] else { panic!("{:#?}", report.problems) };
    assert_eq!(problem.rule.id(), "too-many-tools");
    assert!(problem.message.contains("129"), "{}", problem.message);
    assert_eq!(commands(128).problems, []);
}
