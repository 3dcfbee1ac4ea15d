//! `drawloom drive`: lets a live agent use the workbench of a file until the conversation is completed.
//!
//! This file sets up the conversation and runs it. How it is shown is in `terminal`, the answers to questions are in
//! [`answers`], and the built-in agent is in [`stand_in`].

mod answers;
mod ctrl_c;
mod recorder;
mod stand_in;

use std::convert::Infallible;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use drawloom::client::{ClientBuilder, HttpTransport, Transport, TransportError, TurnEnd, Update};

use crate::error::CliError;
use crate::terminal::{ConversationOutput, LinesOutput, ScreenOutput, TerminalSettings, sanitize};
use answers::{AnswerSource, Answers};
use ctrl_c::CtrlC;
use recorder::EventRecorder;

/// The options of `drive`.
#[derive(Debug, Args)]
pub(crate) struct DriveOptions {
    /// The workbench file.
    workbench: PathBuf,
    /// The URL of the agent, which starts with http:// or https://, or "stand-in" for the built-in script.
    #[arg(long, value_name = "URL")]
    agent: String,
    /// The message of the person that starts the conversation.
    #[arg(long, value_name = "TEXT")]
    prompt: String,
    /// Answers every request for consent with yes.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Answers every question with no.
    #[arg(long)]
    no: bool,
    /// Prints the transcript, one JSON line for each step, instead of the conversation.
    #[arg(long)]
    transcript: bool,
    /// Writes every event of the agent to this file, as JSON lines that "replay" can play, and a mark where an event was lost.
    /// An existing file is overwritten.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Sends this header with each request. Can be given several times.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// The maximum number of runs in which the agent must complete the conversation.
    #[arg(long, value_name = "N", default_value = "9", value_parser = runs)]
    max_runs: NonZeroU32,
    /// The maximum number of seconds in which the agent may send nothing. After that, the connection is closed.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    timeout: Duration,
}

/// The value of --agent that means the built-in script.
const STAND_IN: &str = "stand-in";
/// How long establishing a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The name and the value of a header. Headers are not parsed by clap, because its error messages repeat the text, which
/// may be secret.
fn header(text: &str) -> Result<(&str, &str), CliError> {
    let (name, value) = text.split_once(':').ok_or(CliError::HeaderForm)?;
    Ok((name.trim(), value.trim()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

fn runs(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("expected a whole number from 1 to {}", u32::MAX))
}

pub(crate) fn run(options: &DriveOptions) -> Result<(), CliError> {
    let headers: Vec<_> = options.headers.iter().map(|text| header(text)).collect::<Result<_, _>>()?;
    let settings = TerminalSettings::current();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Start)?;
    let result = if options.transcript {
        runtime.block_on(converse(options, &headers, LinesOutput::new(), &settings))
    } else {
        runtime.block_on(converse(options, &headers, ScreenOutput::new(), &settings))
    };
    // The thread of a withdrawn question may still wait for a key.
    runtime.shutdown_background();
    settings.restore();
    result
}

async fn converse<O: ConversationOutput + 'static>(
    options: &DriveOptions,
    headers: &[(&str, &str)],
    output: O,
    settings: &TerminalSettings,
) -> Result<(), CliError> {
    let output = Arc::new(output);
    let file = crate::load(&options.workbench, output.clone())?;
    let ctrl_c = CtrlC::default();
    let source = AnswerSource::new(options.yes, options.no, file.scripted_consent());
    let answers = Answers::new(source, ctrl_c.clone(), output.clone());
    let wording = file.consent_wording();
    let tools = file.live_tools();
    let mut client = if options.agent == STAND_IN {
        ClientBuilder::over(stand_in::agent(), tools)
    } else {
        ClientBuilder::over(transport(options, headers)?, tools)
    };
    client = client
        .confirm_with(answers.clone(), |policy| policy.wording(wording))
        .input(answers.clone())
        .follow_ups(options.max_runs.get() - 1);
    let mut recorder = None;
    if let Some(path) = &options.record {
        let records = Arc::new(EventRecorder::create(path, &options.workbench)?);
        recorder = Some(records.clone());
        client = client.tap(move |frame| records.write(frame));
    }
    let mut client = client.build();

    let canceller = client.canceller();
    let mut ending = TurnEnd::Completed;
    client.send_text(&*options.prompt);
    ctrl_c::watch(ctrl_c.clone(), canceller.clone(), settings.clone()).map_err(CliError::Start)?;
    loop {
        let update = tokio::select! {
            biased;
            update = client.next() => update,
            // Polled only if the client has no update ready.
            never = show_waiting(&*output) => match never {},
        };
        let Some(update) = update else { break };
        if let Update::TurnEnded { end: ended } = &update {
            ending = ended.clone();
        }
        output.update(&update, &client);
        if output.is_broken() {
            canceller.cancel();
        }
    }
    output.finish()?;
    recorder.map_or(Ok(()), |recorder| recorder.finish())?;
    match ending {
        TurnEnd::Completed => Ok(()),
        // Cancelled because nobody reads the output any more.
        TurnEnd::Cancelled if !ctrl_c.was_pressed() => Ok(()),
        TurnEnd::TooManyRuns { .. } => Err(CliError::TooManyRuns(options.max_runs)),
        other => Err(CliError::Conversation(sanitize::line(&other.to_string()))),
    }
}

fn transport(options: &DriveOptions, headers: &[(&str, &str)]) -> Result<impl Transport + use<>, CliError> {
    let agent = || {
        HttpTransport::builder(&options.agent)
            .connect_timeout(options.timeout.min(CONNECT_TIMEOUT))
            .idle_timeout(options.timeout)
    };
    let built = headers.iter().fold(agent(), |agent, (name, value)| agent.header(*name, *value)).build();
    built.map_err(|error| match error {
        // If the URL alone is valid, the error is about a header.
        TransportError::Unusable { .. } if agent().build().is_ok() => CliError::Header(error),
        TransportError::Unusable { .. } => CliError::Agent(error),
        other => CliError::Conversation(other.to_string()),
    })
}

/// Shows that the conversation is waiting, and never ends.
async fn show_waiting(output: &impl ConversationOutput) -> Infallible {
    output.show_waiting();
    std::future::pending().await
}
