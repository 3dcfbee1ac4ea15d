//! `drawloom drive`: a live agent drives the workbench of a file until the conversation comes to rest.
//!
//! Here the conversation is put together and led. What is shown of it is in [`screen`] and [`lines`], who answers for the
//! person in [`person`], and the agent that is always at hand in [`stand_in`].

mod interrupt;
mod keyboard;
mod lines;
mod person;
mod question;
mod screen;
mod stand_in;
mod visible;

use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{LineWriter, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use drawloom::client::{Client, Ending, HttpTransport, Transport, TransportError, Update};
use drawloom_replay::{Agent, Recorder};

use crate::failure::Failure;
use interrupt::Pressed;
use keyboard::Settings;
use lines::LinesOutput;
use person::{Answers, Desk, Person};
use screen::Screen;

/// What can be said on the command line.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The workbench file.
    workbench: PathBuf,
    /// Where the agent is: an address that starts with http:// or https://, or stand-in for the one that is built in.
    #[arg(long, value_name = "URL")]
    agent: String,
    /// What the person says to it.
    #[arg(long, value_name = "TEXT")]
    prompt: String,
    /// Answers every question with yes.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Answers every question with no.
    #[arg(long)]
    no: bool,
    /// Prints one JSON line for each step instead of the conversation.
    #[arg(long)]
    transcript: bool,
    /// Writes every event of the agent to this file, as JSON lines that "replay" takes. What is there is overwritten.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Sends this header with each request. May be given several times.
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
    /// How many runs the agent may take to come to rest.
    #[arg(long, value_name = "N", default_value = "9", value_parser = runs)]
    max_runs: NonZeroU32,
    /// How long the agent may be silent, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    timeout: Duration,
}

/// The name of the agent that is built in.
const STAND_IN: &str = "stand-in";
/// A connection comes about sooner than an answer, or never.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The name and the value of a header. It is read here and not with the rest of the command line: that would repeat it
/// where it is wrong, and it may be a secret.
fn header(text: &str) -> Result<(&str, &str), Failure> {
    let (name, value) = text.split_once(':').ok_or(Failure::HeaderForm)?;
    Ok((name.trim(), value.trim()))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "it is a number of seconds above 0".to_owned())
}

fn runs(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("it is a whole number above 0, and at most {}", u32::MAX))
}

pub(crate) fn drive(options: &Options) -> Result<(), Failure> {
    let headers: Vec<_> = options.headers.iter().map(|text| header(text)).collect::<Result<_, _>>()?;
    let settings = Settings::of_now();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::Start)?;
    let driven = if options.transcript {
        runtime.block_on(converse(options, &headers, LinesOutput::new(), &settings))
    } else {
        runtime.block_on(converse(options, &headers, Screen::new(), &settings))
    };
    // A question that was called off may still wait for a key.
    runtime.shutdown_background();
    settings.restore();
    driven
}

/// Where what happens is shown.
pub(crate) trait Output: Recorder {
    /// Shows what the client tells.
    fn update(&self, update: &Update, client: &Client);
    /// Nothing happens for a while.
    fn wait(&self) {}
    /// A question is put to the person on the terminal: nothing else is shown there until it is answered.
    fn hold(&self) {}
    /// It is answered.
    fn release(&self) {}
    /// Whether nobody reads along any more.
    fn is_broken(&self) -> bool;
    /// Takes out why that is so.
    fn end(&self) -> Result<(), Failure>;
}

async fn converse<O: Output + 'static>(
    options: &Options,
    headers: &[(&str, &str)],
    output: O,
    settings: &Settings,
) -> Result<(), Failure> {
    let output = Arc::new(output);
    let file = crate::load(&options.workbench, output.clone())?;
    let pressed = Pressed::default();
    let answers = Answers::of(options.yes, options.no, file.scripted_person());
    let person = Person::new(answers, Desk::new(pressed.clone()), output.clone());
    let wording = file.consent_wording();
    let tools = file.live_tools();
    let mut client = if options.agent == STAND_IN {
        Client::with_tools(stand_in::agent(), tools)
    } else {
        Client::with_tools(transport(options, headers)?, tools)
    };
    client = client
        .confirm_with(person.clone(), |policy| policy.wording(wording))
        .input(person)
        .follow_ups(options.max_runs.get() - 1);
    let mut recording = None;
    if let Some(path) = &options.record {
        let record = Arc::new(Recording::create(path, &options.workbench)?);
        recording = Some(record.clone());
        client = client.tap(move |event| record.write(event));
    }

    let canceller = client.canceller();
    let mut ending = Ending::Completed;
    client.send_text(&*options.prompt);
    interrupt::watch(pressed.clone(), canceller.clone(), settings.clone()).map_err(Failure::Start)?;
    loop {
        let update = tokio::select! {
            biased;
            update = client.next() => update,
            // Only a real wait is shown as one.
            never = waiting(&*output) => match never {},
        };
        let Some(update) = update else { break };
        if let Update::Ended { ending: ended } = &update {
            ending = ended.clone();
        }
        output.update(&update, &client);
        if output.is_broken() {
            canceller.cancel();
        }
    }
    output.end()?;
    recording.map_or(Ok(()), |recording| recording.end())?;
    match ending {
        Ending::Completed => Ok(()),
        Ending::Cancelled if !pressed.is_set() => Ok(()),
        Ending::TooManyRuns { .. } => Err(Failure::TooManyRuns(options.max_runs)),
        other => Err(Failure::Conversation(visible::line(&other.to_string()))),
    }
}

fn transport(options: &Options, headers: &[(&str, &str)]) -> Result<impl Transport + use<>, Failure> {
    let agent = || {
        HttpTransport::builder(&options.agent)
            .connect_timeout(options.timeout.min(CONNECT_TIMEOUT))
            .idle_timeout(options.timeout)
    };
    let built = headers.iter().fold(agent(), |agent, (name, value)| agent.header(*name, *value)).build();
    built.map_err(|error| match error {
        // What is unusable is named by where it was said: it is a header where the address alone will do.
        TransportError::Unusable { .. } if agent().build().is_ok() => Failure::Header(error),
        TransportError::Unusable { .. } => Failure::Agent(error),
        other => Failure::Conversation(other.to_string()),
    })
}

/// Shows that nothing happens, once nothing else is ready, and waits on.
async fn waiting(output: &impl Output) -> Infallible {
    output.wait();
    std::future::pending().await
}

/// The file that keeps every event.
struct Recording {
    path: PathBuf,
    state: Mutex<(LineWriter<File>, Option<std::io::Error>)>,
}

impl Recording {
    fn create(path: &Path, workbench: &Path) -> Result<Self, Failure> {
        let failed = |source| Failure::Record { path: path.to_owned(), source };
        let is_workbench =
            fs::canonicalize(path).ok().is_some_and(|it| Some(it) == fs::canonicalize(workbench).ok());
        if is_workbench {
            return Err(failed(std::io::Error::other("it is the workbench file")));
        }
        let file = File::create(path).map_err(failed)?;
        Ok(Self { path: path.to_owned(), state: Mutex::new((LineWriter::new(file), None)) })
    }

    /// Writes one event. What cannot be written is told at the end: the conversation matters more.
    fn write(&self, event: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, error) = &mut *state;
        if error.is_none() {
            *error = writeln!(file, "{event}").err();
        }
    }

    fn end(&self) -> Result<(), Failure> {
        let error = self.state.lock().unwrap_or_else(PoisonError::into_inner).1.take();
        error.map_or(Ok(()), |source| Err(Failure::Record { path: self.path.clone(), source }))
    }
}
