//! `drawloom check`: whether the events of a recording follow the protocol. What is checked is in `drawloom-ag-ui`; here
//! are the options, and how a finding is written.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use drawloom::ag_ui::protocol::{Json, RunAgentInput};
use drawloom::ag_ui::recording::{RecordedEnd, RecordedNote, RecordingItem, RecordingReader};
use drawloom::ag_ui::{ProtocolBreach, ProtocolChecker};
use serde::Serialize;
use serde_json::json;

use crate::error::CliError;
use crate::input;
use crate::terminal::output;
use crate::terminal::sanitize::{self, Sanitized};

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
    let (input, name) = input::recording(&options.recording)?;
    check(input, &name, options.format)
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
            Some(RecordingItem::Note { note: RecordedNote::Request { thread_id, run_id }, .. }) => {
                checker.request(&RunAgentInput::new(&**thread_id, &**run_id));
                (None, None)
            }
            Some(RecordingItem::Note { note: RecordedNote::Response(end), .. }) => {
                match end {
                    RecordedEnd::Complete => checker.end_of_response(),
                    _ => checker.abandon_response(),
                }
                (None, None)
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
            match format {
                Format::Text => {
                    output::print(&Sanitized::text(&(in_words(name, line, text, &breaches) + "\n")))?;
                }
                Format::Json => {
                    let event = text.and_then(|text| Json::new(text).ok());
                    output::print_json(&Finding { line, event, breaches: &breaches })?;
                }
            }
        }
        if item.is_none() {
            break;
        }
    }
    count += checker.dropped();
    let events = checker.events();
    match format {
        Format::Json => output::print_json(&json!({ "checked": { "events": events, "breaches": count } }))?,
        Format::Text => {
            let found = if count == 0 { "no".to_owned() } else { count.to_string() };
            let breaches = if count == 1 || count == 0 { "breach" } else { "breaches" };
            let summary = format!("{found} {breaches} of the protocol in {events} events\n");
            output::print(&Sanitized::text(&summary))?;
        }
    }
    if count == 0 { Ok(()) } else { Err(CliError::Breaches(count)) }
}

/// The breaches of one event for a person.
fn in_words(name: &Path, line: Option<u64>, text: Option<&str>, breaches: &[ProtocolBreach]) -> String {
    let name = sanitize::line(&name.to_string_lossy());
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
