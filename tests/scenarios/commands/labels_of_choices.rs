//! What is shown in place of a choice.
//!
//! A choice MAY have a label, which SHALL be translated and shown in place of the choice and SHALL be listed in the
//! description that an agent reads; a call SHALL carry the choice and never the label.

use drawloom::command::{Argument, DeclarationError};
use drawloom::workbench::RegisterError;
use serde_json::json;

use super::support::{assert_invalid, bench, bench_with, callable, wire};

/// - **GIVEN** the choices `preview` and `permanent`, the label key `open.preview` of the first, and a translator that
///   knows it as `Nur ansehen`.
/// - **WHEN** the list and the schema of the command are read.
/// - **THEN** the label of `preview` is `Nur ansehen`, `permanent` has none, the `enum` holds the two choices, and the
///   description holds `"preview": Nur ansehen`.
#[test]
fn labels_are_shown_in_the_language() {
    let bench = bench_with(|builder| {
        builder.translator(|key: &str| (key == "open.preview").then(|| "Nur ansehen".into()))
    });
    let mode = Argument::choice("mode", ["preview", "permanent"])
        .description("How to open it")
        .label("preview", "open.preview");
    bench.register_idle(callable("notes.open").argument(mode));

    let entry = bench.entry("notes.open");

    let [mode] = &*entry.arguments else { panic!("one argument is declared") };
    assert_eq!((mode.labels.get("preview"), mode.labels.get("permanent")), (Some("Nur ansehen"), None));
    assert_eq!((mode.label_of("preview"), mode.label_of("permanent")), ("Nur ansehen", "permanent"));
    let schema = entry.parameters();
    let mode = schema.pointer("/properties/mode").unwrap();
    assert_eq!(mode.get("enum"), Some(&json!(["preview", "permanent"])));
    assert_eq!(mode.get("description"), Some(&json!("How to open it\n\"preview\": Nur ansehen")));
}

/// - **GIVEN** the choice `preview` with the label `Only look`.
/// - **WHEN** the command is invoked with `Only look`, and with `preview`.
/// - **THEN** the first is refused as `invalid-arguments`, and the second is answered.
#[test]
fn a_label_is_not_a_value() {
    let bench = bench();
    let mode = Argument::choice("mode", ["preview"]).label("preview", "Only look");
    bench.register_idle(callable("notes.open").argument(mode));

    assert_invalid(&bench.invoke("notes.open", r#"{"mode":"Only look"}"#), &["mode", "preview"]);
    assert_eq!(wire(&bench.invoke("notes.open", r#"{"mode":"preview"}"#)), r#"{"outcome":"answered"}"#);
}

/// - **WHEN** commands are registered with a label of a text that is no choice, with two labels of one choice, and with a
///   label on a text argument.
/// - **THEN** each registration is an error that names the command and the argument.
#[test]
fn labels_without_a_choice() {
    let bench = bench();
    let mode = || Argument::choice("mode", ["preview"]).label("preview", "Only look");
    for (wrong, code) in [
        (mode().label("permanent", "Keep"), "invalid-label"),
        (mode().label("preview", "Look"), "invalid-label"),
        (Argument::text("mode").label("preview", "Look"), "misplaced-setting"),
    ] {
        let refused = bench.try_register(callable("notes.open").argument(wrong)).unwrap_err();
        let RegisterError::Declaration(error) = refused else { panic!("{refused}") };
        assert_eq!(DeclarationError::code(&error), code);
        let text = error.to_string();
        assert!(text.contains("\"notes.open\"") && text.contains("\"mode\""), "{text}");
    }
}
