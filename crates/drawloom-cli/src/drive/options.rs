//! The options of `drive`, and how their texts are read.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use drawloom::client::Context;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::given::Given;
use super::script;
use crate::error::CliError;
use crate::input;

/// The options of `drive`.
#[derive(Debug, Args)]
pub(crate) struct DriveOptions {
    /// The workbench file.
    pub(super) workbench: PathBuf,
    /// The URL of the agent, or "stand-in" for the built-in script. Without a scheme, it is http for this machine and for
    /// an address with a port, and otherwise https.
    #[arg(long, value_name = "URL")]
    pub(super) agent: String,
    /// A message of the person. Given several times, each is sent when the turn before has ended. Without it, and without
    /// --script, the messages are typed on the terminal.
    #[arg(long = "prompt", value_name = "TEXT")]
    pub(super) prompts: Vec<String>,
    /// Reads messages and answers from this JSON file: {"turns":["text",{"prompt":"text","answers":{"NAME":JSON}}],
    /// "answers":{"NAME":JSON}}. The messages follow those of --prompt.
    #[arg(long, value_name = "FILE")]
    pub(super) script: Option<PathBuf>,
    /// Answers every question that has a plain yes with yes.
    #[arg(long, conflicts_with = "no")]
    pub(super) yes: bool,
    /// Answers every question that has a plain no with no, and cancels the others.
    #[arg(long)]
    pub(super) no: bool,
    /// Answers questions with this name: the id of a question or a call, a command, a tool, the reason of a question, or *.
    /// true, false, {"no":"why"} and {"edit":{…}} decide about a call; anything else is sent as it is. A tool of the agent
    /// that waits for a tool message is answered too, if it is named. Can be given several times.
    #[arg(long = "answer", value_name = "NAME=JSON")]
    pub(super) answers: Vec<String>,
    /// Prints the transcript, one JSON line for each step, instead of the conversation.
    #[arg(long)]
    pub(super) transcript: bool,
    /// Shows each event of the agent as it comes.
    #[arg(long)]
    pub(super) events: bool,
    /// Shows each request and each frame on standard error. Headers, passwords and tokens are left out.
    #[arg(long)]
    pub(super) wire: bool,
    /// Reports each event that breaks the protocol.
    #[arg(long)]
    pub(super) check: bool,
    /// Exits with 1 also if a call failed or was refused, a question had nobody to answer it, the agent sent no text, or
    /// --check found a breach.
    #[arg(long)]
    pub(super) strict: bool,
    /// Shows nothing that moves, for a screen reader or a log.
    #[arg(long)]
    pub(super) plain: bool,
    /// Continues the conversation in this file, if it exists, and writes it there after each turn.
    #[arg(long, value_name = "FILE")]
    pub(super) thread: Option<PathBuf>,
    /// Writes every event of the agent to this file, as JSON lines that "replay" can play, with the answers of the person
    /// and the requests in between. An existing file is overwritten.
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Sends this JSON as the shared state. @FILE reads it from a file.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(super) state: Option<String>,
    /// Sends this as context, as "description=value" or as @FILE with a JSON list of {"description":…,"value":…}. Can be
    /// given several times.
    #[arg(long = "context", value_name = "TEXT=TEXT|@FILE")]
    pub(super) contexts: Vec<String>,
    /// Sends this JSON object to the framework of the agent. @FILE reads it from a file.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(super) forwarded_props: Option<String>,
    /// Sends this header with each request. Can be given several times.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    pub(super) headers: Vec<String>,
    /// Sends the headers in this file, one in each line. Empty lines and lines that begin with # are ignored.
    #[arg(long = "header-file", value_name = "FILE")]
    pub(super) header_files: Vec<PathBuf>,
    /// Sends a header whose value is in a variable of the environment.
    #[arg(long = "header-env", value_name = "NAME=VARIABLE")]
    pub(super) header_variables: Vec<String>,
    /// The maximum number of runs in which the agent must complete a turn.
    #[arg(long, value_name = "N", default_value = "9", value_parser = runs)]
    pub(super) max_runs: NonZeroU32,
    /// The maximum number of seconds in which the agent may send nothing. After that, the connection is closed.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub(super) timeout: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

fn runs(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

/// The name and the value of a header. Headers are not parsed by clap, because its error messages repeat the text, which
/// may be secret.
fn header(text: &str) -> Result<(String, String), CliError> {
    let (name, value) = text.split_once(':').ok_or(CliError::HeaderForm)?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl DriveOptions {
    /// The headers of the command line, the files and the environment.
    pub(super) fn all_headers(&self) -> Result<Vec<(String, String)>, CliError> {
        let mut headers = self.headers.iter().map(|text| header(text)).collect::<Result<Vec<_>, _>>()?;
        for path in &self.header_files {
            let text = input::read_text(path, script::BYTES)?;
            for (index, line) in text.lines().enumerate() {
                if line.trim().is_empty() || line.starts_with('#') {
                    continue;
                }
                let wrong = |_| CliError::HeaderLine { path: path.clone(), line: index + 1 };
                headers.push(header(line).map_err(wrong)?);
            }
        }
        for text in &self.header_variables {
            let (name, variable) = text.split_once('=').ok_or_else(|| {
                CliError::option(
                    "--header-env",
                    "write the header as NAME=VARIABLE, with the name of a variable",
                )
            })?;
            let value = std::env::var(variable).map_err(|_| {
                CliError::option(
                    "--header-env",
                    format!("the variable {variable:?} is not set, or is not UTF-8"),
                )
            })?;
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        Ok(headers)
    }

    /// The answers of the command line.
    pub(super) fn given(&self) -> Result<Given, CliError> {
        let mut answers = BTreeMap::new();
        for text in &self.answers {
            let (name, json) = text.split_once('=').ok_or_else(|| {
                CliError::option("--answer", format!("write the answer {text:?} as NAME=JSON"))
            })?;
            let answer = serde_json::from_str(json).map_err(|error| {
                CliError::option("--answer", format!("the answer for {name:?} is not JSON: {error}"))
            })?;
            answers.insert(name.to_owned(), answer);
        }
        Ok(Given::new(answers))
    }

    pub(super) fn shared_state(&self) -> Result<Option<Value>, CliError> {
        self.state.as_deref().map(|text| read("--state", text)).transpose()
    }

    pub(super) fn props(&self) -> Result<Option<Value>, CliError> {
        let props: Option<Value> =
            self.forwarded_props.as_deref().map(|text| read("--forwarded-props", text)).transpose()?;
        match props {
            Some(props) if !props.is_object() => {
                Err(CliError::option("--forwarded-props", "expected a JSON object"))
            }
            props => Ok(props),
        }
    }

    pub(super) fn context(&self) -> Result<Vec<Context>, CliError> {
        let mut context = Vec::new();
        for text in &self.contexts {
            if text.starts_with('@') {
                context.extend(read::<Vec<Context>>("--context", text)?);
            } else {
                let (description, value) = text.split_once('=').ok_or_else(|| {
                    CliError::option("--context", "write the context as \"description=value\" or as @FILE")
                })?;
                context.push(Context::new(description, value));
            }
        }
        Ok(context)
    }

    /// The URL of the agent with a scheme.
    pub(super) fn url(&self) -> String {
        with_scheme(&self.agent)
    }
}

/// JSON of an option, or of the file that it names.
fn read<T: DeserializeOwned>(option: &'static str, text: &str) -> Result<T, CliError> {
    let json = match text.strip_prefix('@') {
        Some(path) => input::read_text(Path::new(path), script::BYTES)?,
        None => text.to_owned(),
    };
    serde_json::from_str(&json)
        .map_err(|error| CliError::option(option, format!("the JSON is wrong: {error}")))
}

/// Adds the scheme to what is clearly the address of a server without one.
fn with_scheme(url: &str) -> String {
    let host = url.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let is_host = |host: &str| {
        let is_part = |character: char| character.is_ascii_alphanumeric() || ".-[]:".contains(character);
        !host.is_empty() && host.chars().all(is_part)
    };
    let is_local = name == "localhost" || name.ends_with(".localhost");
    if url.contains("://") || !is_host(name) || !(has_port || is_local || name.contains('.')) {
        return url.to_owned();
    }
    let is_number = name.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok();
    let scheme = if has_port || is_local || is_number { "http" } else { "https" };
    format!("{scheme}://{url}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_the_scheme_that_it_needs() {
        for (url, expected) in [
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("127.0.0.1/agent", "http://127.0.0.1/agent"),
            ("localhost/agent?x=1", "http://localhost/agent?x=1"),
            ("[::1]:80/a", "http://[::1]:80/a"),
            ("agent.example/ag-ui", "https://agent.example/ag-ui"),
            ("agent:8000", "http://agent:8000"),
            ("https://agent.example", "https://agent.example"),
            ("ftp://a.example", "ftp://a.example"),
            ("standin", "standin"),
            ("stand-in", "stand-in"),
            ("stand.in?", "https://stand.in?"),
            ("me:secret@host", "me:secret@host"),
            ("", ""),
        ] {
            assert_eq!(with_scheme(url), expected, "{url}");
        }
    }
}
