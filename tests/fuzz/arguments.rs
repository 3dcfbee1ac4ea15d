//! The text of a call's arguments.

use drawloom::command::CommandArguments;
use serde_json::Value;

#[test]
fn argument_text() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let Ok(arguments) = CommandArguments::from_json(text) else { return };
        if text.trim().is_empty() {
            assert!(arguments.is_empty());
            return;
        }
        let Value::Object(object) = serde_json::from_str(text).unwrap() else {
            panic!("{text:?} is not an object")
        };
        assert_eq!(object.len(), arguments.len(), "a name occurs twice in {text:?}");
        // What is written reads back as the same arguments.
        let written = serde_json::to_string(&arguments).unwrap();
        assert_eq!(CommandArguments::from_json(&written).unwrap(), arguments, "{text:?} became {written:?}");
    });
}
