//! There SHALL be one finding for each command, in the order of files and lines, that says what an agent is shown.

use drawloom_validate::FindingStatus;

use super::support::{only, place, report, report_of, rules};

/// - **GIVEN** a callable command without a description, with one described and one undescribed argument `mode`.
/// - **WHEN** the directory is judged.
/// - **THEN** the finding says that the command is offered and an agent has to guess, and names the missing description
///   and `mode`.
#[test]
fn an_agent_has_to_guess() {
    let report = report_of(
        r#"fn command() -> Command {
    Command::new("notes.open", "Title").callable()
        .argument(Argument::text("path").description("Where"))
        .argument(Argument::boolean("mode"))
}"#,
    );
    let finding = only(&report);
    let FindingStatus::AgentGuesses(offer) = &finding.status else { panic!("{finding:#?}") };
    assert_eq!((offer.described_arguments, offer.arguments), (1, 2));
    assert_eq!(rules(finding), ["missing-description", "undescribed-argument"]);
    let argument = &finding.problems[1];
    assert!(argument.message.contains("\"mode\""), "{}", argument.message);
    assert_eq!(argument.location.as_ref().unwrap().line, 5);
}

/// - **GIVEN** three described, callable commands without `answers`: the handler of the first returns a text, that of the
///   second returns `()`, and that of the third returns what another function returns.
/// - **WHEN** the directory is judged.
/// - **THEN** the first finding says that a returned value is dropped, the second has nothing to say about it, and the
///   third notes that the source does not show it.
#[test]
fn a_value_that_is_not_declared() {
    let report = report_of(
        r#"fn register(notes: &PluginContext) {
    let command = |id: &'static str| id;
    notes.register(Command::new("a", "Title").description("About").callable(), |call: Call| async move {
        if call.text("path").is_err() { return Err("no path".into()); }
        Ok(format!("opened {}", call.text("path")?))
    });
    notes.register(Command::new("b", "Title").description("About").callable(), |_| async { Ok(()) });
    notes.register(Command::new("c", "Title").description("About").callable(), |call| async move { open(call).await });
}"#,
    );
    let [text, nothing, unknown] = &report.findings[..] else { panic!("{report:#?}") };
    assert_eq!(rules(text), ["undeclared-answer"]);
    assert!(matches!(text.status, FindingStatus::AgentGuesses(_)), "{text:#?}");
    assert!(text.problems[0].message.contains("dropped"), "{text:#?}");
    assert_eq!((rules(nothing), &nothing.notes[..]), (vec![], &[][..]));
    assert!(matches!(unknown.status, FindingStatus::Offered(_)), "{unknown:#?}");
    assert!(matches!(&unknown.notes[..], [note] if note.contains("does not show")), "{unknown:#?}");
}

/// - **GIVEN** callable commands that state that they destroy something and `allow`, that they change something for good
///   and `allow`, and that they destroy something and `ask`; and one whose answer is a type.
/// - **WHEN** the directory is judged.
/// - **THEN** the first two findings say that an agent runs the command without asking, and the others have nothing to
///   say.
#[test]
fn harm_without_asking() {
    let report = report_of(
        r#"fn commands() {
    let purge = Command::new("a", "T").description("D").callable()
        .effects(Effects::destroys()).agent_consent(AgentConsent::Allow);
    let send = Command::new("b", "T").description("D").callable()
        .effects(Effects::changes().outside().irreversible()).agent_consent(AgentConsent::Allow);
    let wipe = Command::new("c", "T").description("D").callable()
        .effects(Effects::destroys()).agent_consent(AgentConsent::Ask);
    notes.register(Command::new("d", "T").description("D").callable().answers_as::<Note>(), |_| async { Ok(note()) });
}"#,
    );
    let found: Vec<_> = report.findings.iter().map(rules).collect();
    assert_eq!(found, [vec!["harm-without-asking"], vec!["harm-without-asking"], vec![], vec![]]);
    assert!(report.findings[0].problems[0].message.contains("destroys something"), "{report:#?}");
}

/// - **GIVEN** a command that is not callable.
/// - **WHEN** the directory is judged.
/// - **THEN** the finding says that it is not offered because it is not callable.
#[test]
fn not_offered() {
    let report = report_of(r#"fn command() -> Command { Command::new("notes.open", "Title") }"#);
    let finding = only(&report);
    let FindingStatus::NotOffered { reason } = &finding.status else { panic!("{finding:#?}") };
    assert!(reason.contains("not `callable`"), "{reason}");
    assert_eq!(rules(finding), [""; 0]);
}

/// - **GIVEN** `a.rs` and `b.rs` with two commands each.
/// - **WHEN** the directory is judged.
/// - **THEN** the four findings are in the order of the files and of the lines in them.
#[test]
fn in_order() {
    let source = |first: &str, second: &str| {
        format!(
            "fn a() {{ register(Command::new(\"{first}\", \"T\")) }}\nfn b() -> Command {{ Command::new(\"{second}\", \"T\") }}"
        )
    };
    let (b, a) = (source("z", "y"), source("x", "w"));
    let report = report(&[("b.rs", &b), ("a.rs", &a)]);
    let found: Vec<_> =
        report.findings.iter().map(|finding| (place(finding), finding.command.as_deref().unwrap())).collect();
    assert_eq!(found, [(("a.rs", 1), "x"), (("a.rs", 2), "w"), (("b.rs", 1), "z"), (("b.rs", 2), "y")]);
}
