//! Arguments as a handler reads them, and as values of other types.
//!
//! A handler SHALL read an argument of each kind in one call, with a value of its own for what is omitted, and
//! arguments SHALL convert from and into JSON values and serializable Rust values without losing anything silently.

use std::collections::BTreeMap;
use std::future::ready;

use drawloom::command::{Argument, CommandArguments, CommandScalar, Number};
use drawloom::workbench::Call;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::{Shared, bench, callable, wire};

/// - **GIVEN** a command with a text, a whole number, a number, a boolean and a list.
/// - **WHEN** it is invoked with all of them, and with none.
/// - **THEN** its handler has read each value the first time, and its own values the second time.
#[test]
fn reading_in_one_call() {
    let bench = bench();
    let read = Shared::new(Vec::new());
    let reads = read.clone();
    let command = callable("notes.open")
        .argument(Argument::text("path"))
        .argument(Argument::integer("line", 0..=100))
        .argument(Argument::number("share"))
        .argument(Argument::boolean("pinned"))
        .argument(Argument::text("tags").list());
    bench.register(command, move |call: Call| {
        let tags: Vec<CommandScalar> = call.list("tags").map(<[_]>::to_vec).unwrap_or_default();
        let half = Number::try_from(0.5).unwrap();
        reads.lock().push((
            call.text_or("path", "inbox").to_owned(),
            call.integer("line").unwrap_or(-1),
            call.integer_or("line", 1),
            call.number_or("share", half),
            call.boolean_or("pinned", true),
            tags,
        ));
        ready(Ok(()))
    });

    let all = r#"{"path":"today","line":7.0,"share":0.25,"pinned":false,"tags":["new"]}"#;
    for arguments in [all, "{}"] {
        assert_eq!(wire(&bench.invoke("notes.open", arguments)), r#"{"outcome":"answered"}"#);
    }

    let number = |value: f64| Number::try_from(value).unwrap();
    let expected = [
        ("today".to_owned(), 7, 7, number(0.25), false, vec!["new".into()]),
        ("inbox".to_owned(), -1, 1, number(0.5), true, vec![]),
    ];
    assert_eq!(*read.lock(), expected);
}

/// - **WHEN** a struct with a text, the number 9007199254740993, a list and an omitted option becomes arguments, and the
///   arguments become that struct again.
/// - **THEN** the two structs are equal, and the arguments hold no entry for the omitted option.
#[test]
fn values_there_and_back() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct OpenNote {
        path: String,
        id: u64,
        tags: Vec<String>,
        line: Option<u32>,
    }
    let open = OpenNote {
        path: "inbox".to_owned(),
        id: 9_007_199_254_740_993,
        tags: vec!["new".to_owned()],
        line: None,
    };

    let arguments = CommandArguments::from_serialize(&open).unwrap();

    assert_eq!(arguments.len(), 3);
    assert_eq!(arguments.deserialize(), Ok(open));
    let value = Value::from(arguments.clone());
    assert_eq!(value, json!({ "path": "inbox", "id": 9_007_199_254_740_993_u64, "tags": ["new"] }));
    assert_eq!(CommandArguments::try_from(value), Ok(arguments));
}

/// - **WHEN** a struct with a map in its field `place`, and a JSON object with an object in `place`, become arguments.
/// - **THEN** both are errors that name `place`.
#[test]
fn values_that_are_no_arguments() {
    #[derive(Serialize)]
    struct OpenNote {
        place: BTreeMap<&'static str, u8>,
    }

    let of_struct = CommandArguments::from_serialize(&OpenNote { place: BTreeMap::from([("line", 1)]) });
    let of_json = CommandArguments::try_from(json!({ "place": { "line": 1 } }));

    for error in [of_struct.unwrap_err(), of_json.unwrap_err()] {
        assert_eq!(error.code(), "nested-argument");
        assert!(error.to_string().contains("\"place\""), "{error}");
    }
}
