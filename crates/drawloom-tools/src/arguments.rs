//! Reading the text of a call's arguments.

use drawloom_command::{CommandArguments, NullArguments, ReadArgumentsError};

/// Reads the text of a call's arguments: blank text as no arguments, anything else as one JSON object of scalars and lists
/// of scalars.
///
/// ```
/// use drawloom_tools::read_arguments;
/// use drawloom_command::CommandArguments;
///
/// assert_eq!(read_arguments(" \n"), Ok(CommandArguments::new()));
/// assert_eq!(read_arguments(r#"{"path":"inbox"}"#), Ok(CommandArguments::new().with("path", "inbox")));
/// let error = read_arguments(r#"{"path":{"name":"inbox"}}"#).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"argument "path" is nested; send text, a number, true, false, or a list of those"#,
/// );
/// ```
///
/// # Errors
/// [`ReadArgumentsError`], which says what to send instead; a null among others.
pub fn read_arguments(json: &str) -> Result<CommandArguments, ReadArgumentsError> {
    read_arguments_with(json, NullArguments::Refuse)
}

/// Like [`read_arguments`], and says how a null is read. With [`NullArguments::TreatAsAbsent`], a `null` in place of the
/// whole object is no arguments.
///
/// # Errors
/// [`ReadArgumentsError`], which says what to send instead.
pub fn read_arguments_with(json: &str, nulls: NullArguments) -> Result<CommandArguments, ReadArgumentsError> {
    let trimmed = json.trim();
    if trimmed.is_empty() || (nulls == NullArguments::TreatAsAbsent && trimmed == "null") {
        return Ok(CommandArguments::new());
    }
    CommandArguments::from_json_with(json, nulls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_blank_is_no_argument_and_nothing_else_is() {
        for blank in ["", " ", "\r\n\t", "\u{a0}\u{3000}"] {
            assert_eq!(read_arguments(blank), Ok(CommandArguments::new()));
        }
        for other in ["null", "\u{feff}", "\"\"", "."] {
            assert!(read_arguments(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn a_null_is_read_as_it_is_said() {
        let null = r#"{"a":null,"b":1}"#;
        assert_eq!(read_arguments(null), Err(ReadArgumentsError::Null("a".into())));
        let absent = |text| read_arguments_with(text, NullArguments::TreatAsAbsent);
        assert_eq!(absent(null), Ok(CommandArguments::new().with("b", 1)));
        assert_eq!(absent(" null\n"), Ok(CommandArguments::new()));
        assert!(absent("nul").is_err());
    }
}
