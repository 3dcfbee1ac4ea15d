//! Reads `openspec/conformance-exceptions.toml`, which says why a test is ignored.
//!
//! ```toml
//! [[ignored]]
//! test = "commands::one_answer::it_ran"
//! reason = "waits for …"
//! ```

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::slug::without_raw;
use crate::report::{CouldNotRun, Place, read};

/// One ignored test and the reason for it.
#[derive(Debug, PartialEq)]
pub(crate) struct Exception {
    /// The test's path as slugs spell it.
    pub(crate) test: String,
    pub(crate) reason: String,
    pub(crate) place: Place,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    ignored: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    test: Spanned<String>,
    reason: String,
}

/// The exceptions of a file; none where there is no file.
pub(crate) fn load(root: &Path, file: &Path) -> Result<Vec<Exception>, CouldNotRun> {
    if !root.join(file).exists() {
        return Ok(Vec::new());
    }
    parse(file, &read(root, file)?)
}

fn parse(file: &Path, text: &str) -> Result<Vec<Exception>, CouldNotRun> {
    let line = |offset: usize| text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
    let parsed: File = toml::from_str(text).map_err(|error| CouldNotRun::Unparsable {
        place: Place::new(file, error.span().map_or(1, |span| line(span.start))),
        detail: error.message().to_owned(),
    })?;
    let exception = |Entry { test, reason }: Entry| Exception {
        place: Place::new(file, line(test.span().start)),
        test: without_raw(test.get_ref()),
        reason,
    };
    Ok(parsed.ignored.into_iter().map(exception).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "exceptions.toml";

    #[test]
    fn an_entry_names_a_test_and_a_reason() {
        let text = "# why\n\n[[ignored]]\nreason = \"slow\"\ntest = \"r#move::a\"\n";
        let place = Place::new(Path::new(FILE), 5);
        let expected = Exception { test: "move::a".to_owned(), reason: "slow".to_owned(), place };
        assert_eq!(parse(Path::new(FILE), text).unwrap(), [expected]);
    }

    #[test]
    fn an_entry_without_a_reason_or_with_something_else_cannot_be_read() {
        let error = parse(Path::new(FILE), "\n[[ignored]]\ntest = \"a\"\n").unwrap_err();
        assert_eq!(error.to_string(), "cannot parse exceptions.toml:2: missing field `reason`");

        let error =
            parse(Path::new(FILE), "[[ignored]]\ntest = \"a\"\nreason = \"b\"\nuntil = 1").unwrap_err();
        assert!(
            error.to_string().starts_with("cannot parse exceptions.toml:4: unknown field `until`"),
            "{error}"
        );
    }

    #[test]
    fn without_a_file_there_is_no_exception() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(load(root.path(), Path::new(FILE)).unwrap(), []);
    }
}
