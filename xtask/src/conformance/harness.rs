//! Asks the built test binaries which scenario tests they have. Only what is compiled in counts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::slug::without_raw;
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

const LIST: [&str; 3] = ["--list", "--format", "terse"];

pub(crate) fn list(executables: &[PathBuf]) -> Result<Harness, CouldNotRun> {
    let mut harness = Harness::default();
    for executable in executables {
        for test in listed(executable, &LIST)? {
            if let Some(test) = harness.tests.replace(test) {
                harness.repeated.insert(test);
            }
        }
        let [list, format, terse] = LIST;
        harness.ignored.extend(listed(executable, &[list, format, terse, "--ignored"])?);
    }
    Ok(harness)
}

fn listed(executable: &Path, arguments: &[&str]) -> Result<Vec<String>, CouldNotRun> {
    let command = format!("{} {}", executable.display(), arguments.join(" "));
    let output = Command::new(executable)
        .args(arguments)
        .output()
        .map_err(|source| CouldNotRun::NotStarted { command: command.clone(), source })?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return Err(CouldNotRun::CommandFailed { command, status: output.status });
    }
    names(&String::from_utf8_lossy(&output.stdout))
        .map_err(|detail| CouldNotRun::Unintelligible { command, detail })
}

/// The tests of a terse list: a line `path: test` for each. A path is listed with `r#` where a part of it is a keyword.
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
