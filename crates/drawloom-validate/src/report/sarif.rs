//! A report as SARIF 2.1.0, which code hosts and editors read.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{NOT_JUDGED, Report};
use crate::finding::{Finding, FindingStatus, Location, Problem};
use crate::rule::{Rule, Severity};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The name under which a log's reader is told where the directory is.
const BASE: &str = "DIRECTORY";
/// What a finding is filed under if it breaks no rule.
const COMMAND: &str = "command";

impl Report {
    /// The report as a SARIF log with one run: a result for each finding, which says what an agent is shown, and one for
    /// each problem.
    pub fn to_sarif(&self) -> Value {
        let mut rules: Vec<Value> = vec![json!({
            "id": COMMAND,
            "shortDescription": { "text": "What an agent is shown of a command." },
        })];
        rules.extend(Rule::all().map(|rule| {
            json!({
                "id": rule.id(),
                "shortDescription": { "text": rule.summary() },
                "fullDescription": { "text": rule.explanation() },
                "help": { "text": format!("{}\n\n{}", rule.explanation(), rule.example()) },
                "defaultConfiguration": { "level": level(rule.severity()) },
            })
        }));
        let indexes: Vec<Rule> = Rule::all().collect();
        let index = |rule: Rule| indexes.iter().position(|other| *other == rule).map_or(0, |index| index + 1);
        let mut results = Vec::new();
        for finding in &self.findings {
            results.push(status(finding));
            for problem in &finding.problems {
                results.push(result(finding.command.as_deref(), problem, index(problem.rule)));
            }
        }
        results.extend(self.problems.iter().map(|problem| result(None, problem, index(problem.rule))));
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "drawloom validate-commands",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": true,
                    "toolExecutionNotifications": [{ "level": "note", "message": { "text": NOT_JUDGED } }],
                }],
                "results": results,
            }],
        })
    }
}

fn status(finding: &Finding) -> Value {
    let kind = match finding.status {
        FindingStatus::Offered(_) => "pass",
        FindingStatus::NotOffered { .. } => "notApplicable",
        FindingStatus::AgentGuesses(_) | FindingStatus::Unreadable { .. } => "informational",
    };
    let name = finding.command.as_deref().unwrap_or("a command");
    let mut result = json!({
        "ruleId": COMMAND,
        "ruleIndex": 0,
        "kind": kind,
        "level": "none",
        "message": { "text": format!("{name}: {}", finding.status) },
    });
    add_location(&mut result, finding.location.as_ref());
    result
}

fn result(command: Option<&str>, problem: &Problem, index: usize) -> Value {
    let text = match command {
        Some(command) => format!("{command}: {}", problem.message),
        None => problem.message.clone(),
    };
    let mut result = json!({
        "ruleId": problem.rule.id(),
        "ruleIndex": index,
        "kind": "fail",
        "level": level(problem.rule.severity()),
        "message": { "text": text },
    });
    add_location(&mut result, problem.location.as_ref());
    result
}

fn add_location(result: &mut Value, location: Option<&Location>) {
    let (Some(location), Some(result)) = (location, result.as_object_mut()) else { return };
    let artifact = json!({ "uri": uri(&location.path), "uriBaseId": BASE });
    let mut physical = json!({ "artifactLocation": artifact });
    if let (Some(physical), true) = (physical.as_object_mut(), location.line > 0) {
        let region = match location.column {
            0 => json!({ "startLine": location.line }),
            column => json!({ "startLine": location.line, "startColumn": column }),
        };
        physical.insert("region".to_owned(), region);
    }
    result.insert("locations".to_owned(), json!([{ "physicalLocation": physical }]));
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// A relative path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_as_a_uri() {
        assert_eq!(uri("src/a b/ö.rs"), "src/a%20b/%C3%B6.rs");
        assert_eq!(uri("a:b%"), "a%3Ab%25");
    }
}
