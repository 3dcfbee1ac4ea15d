//! Asks the built test binaries which scenario tests they have. Only what is compiled in counts.

use std::collections::BTreeSet;
use std::path::Path;

use super::binaries::TARGET;
use super::slug::without_raw;
use crate::cargo::{Cargo, spelled};
use crate::report::CouldNotRun;

/// The tests of all binaries, by their paths as slugs spell them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Harness {
    pub(crate) tests: BTreeSet<String>,
    /// Those of them that are ignored.
    pub(crate) ignored: BTreeSet<String>,
    /// Those that more than one binary has.
    pub(crate) repeated: BTreeSet<String>,
}

// Of the workspace, as for all tests: what is built for a package alone may have other features, and be built anew.
const LIST: [&str; 10] =
    ["test", "--locked", "--workspace", "--test", TARGET, "--", "--list", "--format", "terse", "--ignored"];

pub(crate) fn list(root: &Path, cargo: &Cargo) -> Result<Harness, CouldNotRun> {
    let [all @ .., _] = &LIST;
    let mut harness = Harness::default();
    for test in listed(root, cargo, all)? {
        if let Some(test) = harness.tests.replace(test) {
            harness.repeated.insert(test);
        }
    }
    harness.ignored = listed(root, cargo, &LIST)?.into_iter().collect();
    Ok(harness)
}

fn listed(root: &Path, cargo: &Cargo, arguments: &[&str]) -> Result<Vec<String>, CouldNotRun> {
    names(&cargo.read(root, arguments)?)
        .map_err(|detail| CouldNotRun::Unintelligible { command: spelled(arguments), detail })
}

/// The tests of the terse lists, one after the other: a line `path: test` for each. A path is listed with `r#` where a part of
/// it is a keyword.
fn names(list: &str) -> Result<Vec<String>, String> {
    list.lines()
        .filter(|line| !line.ends_with(": benchmark"))
        .map(|line| {
            line.strip_suffix(": test").map(without_raw).ok_or_else(|| format!("unexpected line \"{line}\""))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terse_list_names_tests_and_benchmarks() {
        let names = names("commands::r#move::once: test\na::b: benchmark\n").unwrap();
        assert_eq!(names, ["commands::move::once"]);
    }

    #[test]
    fn a_line_of_another_kind_is_not_passed_over() {
        assert_eq!(names("a: test\n2 tests\n").unwrap_err(), "unexpected line \"2 tests\"");
    }
}
