//! What a check answers: it holds, it differs in named places, or it could not run. Nothing here knows what
//! is being checked.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What a check found, when it could look.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All is as it should be; the text says what was looked at.
    Holds(String),
    /// Something is not; each difference says what and where.
    Differs { check: &'static str, differences: Vec<Difference> },
}

impl Verdict {
    /// `summary` where there are no differences, else the differences, in the order of their places.
    pub(crate) fn of(check: &'static str, mut differences: Vec<Difference>, summary: String) -> Self {
        if differences.is_empty() {
            return Self::Holds(summary);
        }
        differences.sort();
        Self::Differs { check, differences }
    }

    /// Prints the verdict, and answers the exit code that goes with it.
    pub(crate) fn tell(&self) -> ExitCode {
        match self {
            Self::Holds(summary) => {
                println!("{summary}");
                ExitCode::SUCCESS
            }
            Self::Differs { check, differences } => {
                for difference in differences {
                    eprintln!("{difference}");
                }
                let count = differences.len();
                eprintln!("{check}: {count} {}", if count == 1 { "difference" } else { "differences" });
                ExitCode::FAILURE
            }
        }
    }
}

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Difference {
    place: Option<Place>,
    what: String,
}

impl Difference {
    pub(crate) fn at(place: &Place, what: impl Into<String>) -> Self {
        Self { place: Some(place.clone()), what: what.into() }
    }

    /// A difference that no file shows, such as a test only the harness knows.
    pub(crate) fn nowhere(what: impl Into<String>) -> Self {
        Self { place: None, what: what.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// A file, named from the workspace's root, and where it is known the line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    file: PathBuf,
    line: Option<usize>,
}

impl Place {
    pub(crate) fn new(file: &Path, line: usize) -> Self {
        Self { file: file.to_path_buf(), line: Some(line) }
    }

    pub(crate) fn file(file: &Path) -> Self {
        Self { file: file.to_path_buf(), line: None }
    }

    /// Another line of the same file.
    pub(crate) fn at_line(&self, line: usize) -> Self {
        Self { line: Some(line), ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file.display()),
            None => write!(f, "{}", self.file.display()),
        }
    }
}

/// Why a check could not look at all.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CouldNotRun {
    #[error("cannot read \"{}\": {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },

    #[error("cannot start `{command}`: {source}")]
    NotStarted { command: String, source: std::io::Error },

    #[error("`{command}` failed ({status}); see its output")]
    CommandFailed { command: String, status: std::process::ExitStatus },

    #[error("cannot parse the output of `{command}`: {detail}")]
    Unintelligible { command: String, detail: String },

    #[error("cannot parse {place}: {detail}")]
    Unparsable { place: Place, detail: String },

    #[error("no \"spec.md\" under \"{}\"; add one as openspec/specs/<capability>/spec.md", .0.display())]
    NoSpecs(PathBuf),

    #[error("no capability \"{asked}\" under openspec/specs; there are: {known}")]
    UnknownCapability { asked: String, known: String },

    #[error("no part \"{asked}\"; there are: {known}")]
    UnknownPart { asked: String, known: String },

    #[error(
        "\"{tool}\" is not installed and `{install}` failed; run that where there is a network, or put \
         \"{tool}\" on the PATH"
    )]
    NoTool { tool: &'static str, install: String },

    #[error("cannot start \"{program}\": {source}; {advice}")]
    NoProgram { program: &'static str, source: std::io::Error, advice: &'static str },

    #[error("`{command}` failed ({status}); {advice}")]
    InstallFailed { command: String, status: std::process::ExitStatus, advice: &'static str },

    #[error("cannot write \"{}\": {source}", path.display())]
    Unwritable { path: PathBuf, source: std::io::Error },
}

/// Reads a file of the workspace as text.
pub(crate) fn read(root: &Path, file: &Path) -> Result<String, CouldNotRun> {
    let path = root.join(file);
    std::fs::read_to_string(&path).map_err(|source| CouldNotRun::Unreadable { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_come_in_the_order_of_their_places() {
        let at = |line| Difference::at(&Place::new(Path::new("a.md"), line), "x");
        let verdict = Verdict::of("check", vec![at(10), at(9)], String::new());
        let Verdict::Differs { differences, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(differences, [at(9), at(10)]);
        assert_eq!(differences[0].to_string(), "a.md:9: x");
    }
}
