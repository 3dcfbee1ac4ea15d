//! Findings SHALL report what registration would refuse, and a name that cannot be spelled plainly.

use drawloom_validate::{FindingStatus, Rule};

use super::support::{only, report, report_of, rules};

/// - **GIVEN** callable commands with an argument declared twice, a required choice without choices, an empty choice, a
///   choice listed twice, and an empty title.
/// - **WHEN** the directory is judged.
/// - **THEN** each is reported as not offered, with the rule `duplicate-argument`, `no-choices`, `empty-choice`,
///   `duplicate-choice` and `empty-title`.
#[test]
fn faulty_declarations() {
    let report = report_of(
        r#"fn commands() -> Vec<Command> {
    let about = "About";
    vec![
        Command::new("a", "T").description(about).callable()
            .arguments([Argument::text("x").description(about), Argument::number("x").description(about)]),
        Command::new("b", "T").description(about).callable()
            .argument(Argument::choice("x", Vec::<String>::new()).description(about)),
        Command::new("b2", "T").description(about).callable()
            .argument(Argument::choice("x", [""; 0]).description(about).required()),
        Command::new("c", "T").description(about).callable()
            .argument(Argument::choice("x", ["p", ""]).description(about)),
        Command::new("d", "T").description(about).callable()
            .argument(Argument::choice("x", ["p", "q", "p"]).description(about)),
        Command::new("e", "").description(about).callable(),
    ]
}"#,
    );
    let [a, unknown, b, c, d, e] = &report.findings[..] else { panic!("{report:#?}") };
    assert!(matches!(unknown.status, FindingStatus::Offered(_)), "its choices are not shown: {unknown:#?}");
    let expected = ["duplicate-argument", "no-choices", "empty-choice", "duplicate-choice", "empty-title"];
    for (finding, rule) in [a, b, c, d, e].into_iter().zip(expected) {
        assert_eq!(rules(finding), [rule]);
        let FindingStatus::NotOffered { reason } = &finding.status else { panic!("{finding:#?}") };
        assert!(reason.starts_with("registration refuses it: "), "{reason}");
    }
}

/// - **GIVEN** commands by the builder and by a derive with a default outside the bounds, a label of no choice, a length of
///   a number, an empty length, and choices that depend on an undeclared argument and on themselves.
/// - **WHEN** the directory is judged.
/// - **THEN** each is reported as not offered, with the rules `invalid-default`, `invalid-label`, `misplaced-setting`,
///   `empty-length`, `unknown-dependency` and `dependency-cycle`.
#[test]
fn faulty_settings_of_arguments() {
    let report = report_of(
        r#"
#[derive(CommandArguments)]
struct Limited {
    /// How many.
    #[argument(range = 1..=9, default = 20)]
    limit: u8,
}

#[derive(CommandArguments)]
struct Titled {
    /// The title.
    #[argument(length = 9..=1)]
    title: String,
}

fn register(notes: &PluginContext) {
    let about = "About";
    notes.register_typed(Command::new("a", "T").description(about).callable(), |limited: Limited, _| async { Ok(()) });
    notes.register_typed(Command::new("b", "T").description(about).callable(), |titled: Titled, _| async { Ok(()) });
}

fn commands() -> Vec<Command> {
    let about = "About";
    vec![
        Command::new("c", "T").description(about).callable()
            .argument(Argument::text("x").description(about).default(7)),
        Command::new("d", "T").description(about).callable()
            .argument(Argument::choice("x", ["p"]).description(about).label("q", "Q")),
        Command::new("e", "T").description(about).callable()
            .argument(Argument::number("x").description(about).length(1..)),
        Command::new("f", "T").description(about).callable()
            .argument(Argument::choice_given("x", ["y"], given).description(about)),
        Command::new("g", "T").description(about).callable()
            .argument(Argument::choice_given("x", ["x"], given).description(about)),
    ]
}"#,
    );
    let found: Vec<_> =
        report.findings.iter().map(|finding| (finding.command.as_deref(), rules(finding))).collect();
    let expected = [
        ("a", "invalid-default"),
        ("b", "empty-length"),
        ("c", "invalid-default"),
        ("d", "invalid-label"),
        ("e", "misplaced-setting"),
        ("f", "unknown-dependency"),
        ("g", "dependency-cycle"),
    ];
    assert_eq!(found, expected.map(|(command, rule)| (Some(command), vec![rule])));
    let is_not_offered = |status: &FindingStatus| matches!(status, FindingStatus::NotOffered { .. });
    assert!(report.findings.iter().all(|finding| is_not_offered(&finding.status)), "{report:#?}");
}

/// - **GIVEN** a command whose default is what a function returns, and whose other settings are valid.
/// - **WHEN** the directory is judged.
/// - **THEN** it is offered, and a note says that the default was not judged.
#[test]
fn settings_that_only_the_running_program_knows() {
    let report = report_of(
        r#"fn command() -> Command {
    Command::new("notes.list", "T").description("About").callable()
        .argument(Argument::integer("limit", 1..=9).range(2..).description("About").default(usual()))
        .argument(Argument::choice("mode", ["p"]).label("p", "P").default("p").description("About"))
        .argument(Argument::text("key").length(..=9).secret().description("About"))
}"#,
    );
    let finding = only(&report);
    assert!(matches!(finding.status, FindingStatus::Offered(_)), "{finding:#?}");
    assert_eq!(rules(finding), [""; 0]);
    let notes = finding.notes.join("\n");
    assert!(notes.contains("default") && notes.contains("\"limit\""), "{notes}");
    assert!(!notes.contains("\"mode\"") && !notes.contains("\"key\""), "{notes}");
}

/// - **GIVEN** `notes.open` in `a.rs` and again in `b.rs`.
/// - **WHEN** the directory is judged.
/// - **THEN** the second finding has the rule `duplicate-id` and names the file and line of the first.
#[test]
fn one_id_twice_in_the_directory() {
    let source = "\nfn command() -> Command { Command::new(\"notes.open\", \"Title\") }";
    let report = report(&[("a.rs", source), ("b.rs", source)]);
    let [first, second] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!((rules(first), rules(second)), (vec![], vec!["duplicate-id"]));
    assert!(second.problems[0].message.contains("a.rs:2"), "{second:#?}");
}

/// - **GIVEN** a callable command with the id `notes__open`.
/// - **WHEN** the directory is judged.
/// - **THEN** the finding has the rule `digest-name` and gives the name that an agent is shown.
#[test]
fn a_name_with_a_digest() {
    let report = report_of(
        r#"fn command() -> Command { Command::new("notes__open", "Title").description("Opens.").callable() }"#,
    );
    let problem = only(&report).breaking(Rule::DigestName).next().unwrap();
    assert!(problem.message.contains("notes_open___7b9d6f22025c099f"), "{}", problem.message);
}
