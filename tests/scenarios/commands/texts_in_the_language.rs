//! A title, a description, an argument's description and the meaning of an answer SHALL each be one string, which the
//! translator resolves to the language that is active when a caller asks, and which resolves to itself if the
//! translator does not know it.

use drawloom::command::{Argument, Command};

use super::support::{Bench, Shared, bench_with};

type Language = Shared<&'static str>;

/// A workbench whose translator knows these texts: a language, a key, and what the key reads as in it.
fn bench_knowing(texts: &'static [(&str, &str, &str)], language: &Language) -> Bench {
    let language = language.clone();
    bench_with(|builder| {
        builder.translator(move |key: &str| {
            let active = *language.lock();
            let text = texts.iter().find(|(language, known, _)| *language == active && *known == key);
            text.map(|(_, _, text)| (*text).to_owned())
        })
    })
}

/// - **GIVEN** a translator that knows the four keys used by `notes.open` in German.
/// - **WHEN** `invocable_commands()` is read while German is active.
/// - **THEN** the title, the description, the argument's description and the answer's meaning are all in
///   German.
#[test]
fn all_four_texts_are_translated() {
    let german = Shared::new("de");
    let texts = &[
        ("de", "notes.open.title", "Notiz öffnen"),
        ("de", "notes.open.description", "Öffnet eine Notiz."),
        ("de", "notes.open.path", "Wo die Notiz liegt"),
        ("de", "notes.open.answers", "Die geöffnete Notiz"),
    ];
    let bench = bench_knowing(texts, &german);
    bench.register_idle(
        Command::new("notes.open", "notes.open.title")
            .description("notes.open.description")
            .argument(Argument::text("path").description("notes.open.path"))
            .answers("notes.open.answers")
            .callable(),
    );

    let entry = bench.entry("notes.open");

    assert_eq!(&*entry.title, "Notiz öffnen");
    assert_eq!(entry.description.as_deref(), Some("Öffnet eine Notiz."));
    assert_eq!(entry.arguments[0].description.as_deref(), Some("Wo die Notiz liegt"));
    assert_eq!(entry.answers.as_deref(), Some("Die geöffnete Notiz"));
}

/// - **GIVEN** the title key `notes.open.title`, known as `Open note` in English and `Notiz öffnen` in
///   German.
/// - **WHEN** the list is read in English, the language changes to German, and the list is read again.
/// - **THEN** the title reads `Open note` the first time and `Notiz öffnen` the second.
#[test]
fn the_language_changes() {
    let language = Shared::new("en");
    let texts = &[("en", "notes.open.title", "Open note"), ("de", "notes.open.title", "Notiz öffnen")];
    let bench = bench_knowing(texts, &language);
    bench.register_idle(Command::new("notes.open", "notes.open.title").callable());

    let in_english = bench.entry("notes.open").title;
    *language.lock() = "de";
    let in_german = bench.entry("notes.open").title;

    assert_eq!(&*in_english, "Open note");
    assert_eq!(&*in_german, "Notiz öffnen");
}

/// - **GIVEN** the title key `notes.open.title` and the description `Opens a note.`, neither known to
///   the translator.
/// - **WHEN** `invocable_commands()` is read.
/// - **THEN** the title reads `notes.open.title` and the description reads `Opens a note.`.
#[test]
fn unknown_strings_resolve_to_themselves() {
    let texts = &[("en", "notes.close.title", "Close note")];
    let bench = bench_knowing(texts, &Shared::new("en"));
    bench.register_idle(
        Command::new("notes.open", "notes.open.title").description("Opens a note.").callable(),
    );

    let entry = bench.entry("notes.open");

    assert_eq!(&*entry.title, "notes.open.title");
    assert_eq!(entry.description.as_deref(), Some("Opens a note."));
}
