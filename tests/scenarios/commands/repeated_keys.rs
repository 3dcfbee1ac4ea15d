//! An arguments object in which a key occurs more than once SHALL be refused, so that neither of the two values is
//! used silently.

use drawloom::command::{CommandArguments, ReadArgumentsError};

/// - **WHEN** `{"path":"a","path":"b"}` and `{"path":"a","p\u0061th":"b"}` are read as arguments.
/// - **THEN** both are refused, naming `path`.
#[test]
fn the_same_key_twice() {
    for text in [r#"{"path":"a","path":"b"}"#, r#"{"path":"a","p\u0061th":"b"}"#] {
        let error = CommandArguments::from_json(text).unwrap_err();
        assert_eq!(error, ReadArgumentsError::Duplicate("path".into()), "{text}");
        assert!(error.to_string().contains("\"path\""), "{error}");
    }
}
