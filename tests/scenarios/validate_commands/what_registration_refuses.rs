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
