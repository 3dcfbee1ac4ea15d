//! `drawloom check`: whether the events of a recording follow the protocol. What is checked is in `drawloom-ag-ui`; here
//! are the options, and how a finding is written.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drawloom::ag_ui::protocol::Json;
use drawloom::ag_ui::recording::{RecordingItem, RecordingReader};
use drawloom::ag_ui::{ProtocolBreach, ProtocolChecker};
use serde::Serialize;
use serde_json::json;

use crate::error::CliError;
use crate::terminal::sanitize;

pub(crate) const HELP: &str = "\
Exit codes:
  0  no event breaks a rule of the protocol
  1  at least one does
  2  it could not run: the recording cannot be read, or the command line is wrong

With --format json there is one line for each event that breaks rules, and a last line for the whole recording:
  {\"line\":…,\"event\":…,\"breaches\":[{\"rule\":…,\"problem\":…,\"protocol\":…,\"number\":…,\"type\":…,\"since\":…}]}
  {\"checked\":{\"events\":…,\"breaches\":…}}

Examples:
  drawloom check run.jsonl
  curl -sN https://agent.example/run -d @input.json | drawloom check - --format json";

/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";

/// What is checked, and how it is written.
#[derive(Debug, Args)]
pub(crate) struct CheckOptions {
    /// The recording, as JSON lines, server-sent events, or one JSON array of events. Use - for standard input.
    recording: PathBuf,
    /// How the findings are written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for a person.
    Text,
    /// JSON lines.
    Json,
}

pub(crate) fn run(options: &CheckOptions) -> Result<(), CliError> {
    let path = &options.recording;
    if path.as_os_str() == STANDARD_INPUT {
        return check(io::stdin().lock(), Path::new("standard input"), options.format);
    }
    let input = File::open(path).map_err(|source| CliError::Read { path: path.clone(), source })?;
    check(BufReader::new(input), path, options.format)
}

fn check(input: impl BufRead, name: &Path, format: Format) -> Result<(), CliError> {
    let mut recording = RecordingReader::new(input);
    let mut checker = ProtocolChecker::new();
    let mut count = 0;
    loop {
        let item =
            recording.read().map_err(|source| CliError::Recording { path: name.to_owned(), source })?;
        let (line, text) = match &item {
            Some(RecordingItem::Event { event, text, line }) => {
                checker.accept(event, text);
                (Some(*line), Some(*text))
            }
            Some(RecordingItem::Lost { line, problem }) => {
                checker.frame_lost(problem);
                (Some(*line), None)
            }
            Some(_) => continue,
            None => {
                checker.end_of_response();
                (None, None)
            }
        };
        let breaches: Vec<_> = std::iter::from_fn(|| checker.next_breach()).collect();
        count += breaches.len() as u64;
        if !breaches.is_empty() {
            crate::print(&match format {
                Format::Text => in_words(name, line, text, &breaches),
                Format::Json => {
                    let event = text.and_then(|text| Json::new(text).ok());
                    sanitize::json(&Finding { line, event, breaches: &breaches }.to_line()?)
                }
            })?;
        }
        if item.is_none() {
            break;
        }
    }
    count += checker.dropped();
    let events = checker.events();
    crate::print(&match format {
        Format::Json => json!({ "checked": { "events": events, "breaches": count } }).to_string(),
        Format::Text if count == 0 => format!("no breach of the protocol in {events} events"),
        Format::Text => format!("{count} breaches of the protocol in {events} events"),
    })?;
    if count == 0 { Ok(()) } else { Err(CliError::Breaches(count)) }
}

/// The breaches of one event for a person.
fn in_words(name: &Path, line: Option<u64>, text: Option<&str>, breaches: &[ProtocolBreach]) -> String {
    let name = sanitize::line(&name.display().to_string());
    let place = line.map_or_else(|| format!("{name}, end"), |line| format!("{name}, line {line}"));
    let mut lines: Vec<_> =
        breaches.iter().map(|breach| format!("{place}: {}", breach_text(breach))).collect();
    lines.extend(text.map(|text| format!("  event: {}", sanitize::line(text))));
    lines.join("\n")
}

/// A breach in two lines: what is wrong, and what the protocol says.
pub(crate) fn breach_text(breach: &ProtocolBreach) -> String {
    let since = breach.since.map(|event| format!(" (it began in event {event})")).unwrap_or_default();
    let problem = sanitize::line(&breach.problem);
    format!("{}: {problem}{since}\n  the protocol: {}", breach.rule, breach.rule.statement())
}

/// An event that breaks rules, as one line of JSON. The event is written as it was sent.
#[derive(Serialize)]
struct Finding<'a> {
    line: Option<u64>,
    event: Option<Json<'a>>,
    breaches: &'a [ProtocolBreach],
}

impl Finding<'_> {
    fn to_line(&self) -> Result<String, CliError> {
        serde_json::to_string(self).map_err(|error| CliError::Output(error.into()))
    }
}
