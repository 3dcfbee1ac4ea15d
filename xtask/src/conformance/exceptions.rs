//! Reads `openspec/conformance-exceptions.toml`, which says why a test is ignored.
//!
//! ```toml
//! [[ignored]]
//! test = "<capability>::<requirement>::<scenario>"
//! reason = "what prevents the test from running, and what would remove that"
//! ```
//!
//! The three parts of a test are the names as the specification has them, or as the path of the test does.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::slug::{segment, without_raw};
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
        test: path(test.get_ref()),
        reason,
    };
    Ok(parsed.ignored.into_iter().map(exception).collect())
}

/// The path of a test that is named as in the specification or in the sources.
fn path(test: &str) -> String {
    without_raw(test).split("::").map(segment).collect::<Vec<_>>().join("::")
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
    fn a_test_is_named_as_its_scenario_or_by_its_path() {
        let text = |test| format!("[[ignored]]\ntest = \"{test}\"\nreason = \"slow\"\n");
        for test in ["ag-ui-tools::One answer::It ran", "ag_ui_tools::one_answer::it_ran"] {
            assert_eq!(
                parse(Path::new(FILE), &text(test)).unwrap()[0].test,
                "ag_ui_tools::one_answer::it_ran"
            );
        }
    }

    /// The example in the comment of the real file, and of the page on specifications, is an entry.
    #[test]
    fn the_comment_of_the_file_is_an_entry_that_can_be_read() {
        let file = include_str!("../../../openspec/conformance-exceptions.toml");
        let example =
            file.lines().filter_map(|line| line.strip_prefix("#   ")).collect::<Vec<_>>().join("\n");
        let entry = example
            .replace("<capability>", "ag-ui-tools")
            .replace("<requirement>", "One answer")
            .replace("<scenario>", "It ran");
        let read = parse(Path::new(FILE), &entry).unwrap();
        assert_eq!(read.len(), 1, "{example}");
        assert_eq!(read[0].test, "ag_ui_tools::one_answer::it_ran");
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
