//! With a directory of translations, the check SHALL report every key that does not resolve in a language given.

use super::support::{Sources, only, rules};

/// - **GIVEN** a command with the title `notes.open.title` and the description `notes.open.about`, and the translations
///   `de.json` with both keys and `fr.json` with the first.
/// - **WHEN** the directory is judged with the translations.
/// - **THEN** the finding has the rule `missing-translation` once, and names `notes.open.about` and `fr`.
#[test]
fn a_key_without_a_translation() {
    let sources = Sources::new(&[
        (
            "src/notes.rs",
            r#"fn c() -> Command { Command::new("notes.open", "notes.open.title").description("notes.open.about").callable() }"#,
        ),
        (
            "messages/de.json",
            r#"{ "notes.open.title": "Öffnen", "notes": { "open": { "about": "Öffnet." } } }"#,
        ),
        ("messages/fr.json", r#"{ "notes.open.title": "Ouvrir" }"#),
    ]);
    let validation = drawloom_validate::Validation::of_directory(sources.path("src"));
    let report = validation.clone().translations(sources.path("messages")).run().unwrap();
    let finding = only(&report);
    assert_eq!(rules(finding), ["missing-translation"]);
    let message = &finding.problems[0].message;
    assert!(message.contains("\"notes.open.about\"") && message.contains(" in fr,"), "{message}");
    assert_eq!(rules(only(&validation.run().unwrap())), [""; 0]);
}
