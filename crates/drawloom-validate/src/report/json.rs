//! A report as JSON for programs.

use serde::Serialize;
use serde_json::{Value, json};

use super::{NOT_JUDGED, Report};
use crate::finding::{Finding, FindingStatus, Location, Problem};

/// The version of the form. It grows when a member changes its meaning.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingForm<'a> {
    command: Option<&'a str>,
    location: Option<&'a Location>,
    #[serde(flatten)]
    status: &'a FindingStatus,
    summary: String,
    problems: &'a [Problem],
    notes: &'a [String],
}

impl<'a> From<&'a Finding> for FindingForm<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            command: finding.command.as_deref(),
            location: finding.location.as_ref(),
            status: &finding.status,
            summary: finding.status.to_string(),
            problems: &finding.problems,
            notes: &finding.notes,
        }
    }
}

impl Report {
    /// The report as one JSON object.
    pub fn to_json(&self) -> Value {
        json!({
            "formatVersion": FORMAT,
            "directory": self.directory,
            "totals": self.totals(),
            "findings": self.findings.iter().map(FindingForm::from).collect::<Vec<_>>(),
            "problems": self.problems,
            "files": self.files,
            "commandsInTests": self.commands_in_tests,
            "directoriesPassedOver": self.directories_passed_over,
            "notJudged": NOT_JUDGED,
        })
    }
}
