//! Directories of sources, and their reports.

use std::fs;
use std::path::PathBuf;

use drawloom_validate::{Finding, FindingStatus, Offer, Report, Validation};
use tempfile::TempDir;

/// A directory of sources.
pub(crate) struct Sources(TempDir);

impl Sources {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let sources = Self(TempDir::new().unwrap());
        for (name, text) in files {
            sources.write(name, text.as_bytes());
        }
        sources
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn validation(&self) -> Validation {
        Validation::of_directory(self.0.path())
    }

    pub(crate) fn report(&self) -> Report {
        self.validation().run().unwrap()
    }
}

/// The report on these files.
pub(crate) fn report(files: &[(&str, &str)]) -> Report {
    Sources::new(files).report()
}

/// The report on `notes.rs`.
pub(crate) fn report_of(source: &str) -> Report {
    report(&[("notes.rs", &format!("use drawloom::prelude::*;\n{source}"))])
}

/// The one finding of a report.
pub(crate) fn only(report: &Report) -> &Finding {
    let [finding] = &report.findings[..] else { panic!("{report:#?}") };
    finding
}

/// The place of a finding.
pub(crate) fn place(finding: &Finding) -> (&str, usize) {
    let location = finding.location.as_ref().unwrap();
    (&location.path, location.line)
}

/// The ids of the rules that a finding breaks.
pub(crate) fn rules(finding: &Finding) -> Vec<&'static str> {
    finding.problems.iter().map(|problem| problem.rule.id()).collect()
}

/// What an agent is offered, by a finding.
pub(crate) fn offer(finding: &Finding) -> &Offer {
    match &finding.status {
        FindingStatus::Offered(offer) | FindingStatus::AgentGuesses(offer) => offer,
        _ => panic!("{finding:#?}"),
    }
}
