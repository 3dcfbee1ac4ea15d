//! `drawloom`: a workbench described in a file, on the command line.
//!
//! Here is what can be said on the command line. What it comes to is in the other modules.

mod drive;
mod failure;
mod invoke;
mod progress;
mod replay;
mod tools;
mod validate_commands;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use drawloom_replay::{FileWorkbench, Lines, Recorder};

use failure::Failure;

/// Tries a workbench that is described in a JSON file: what an agent is offered, what a command comes to, how a
/// recorded AG-UI run plays out on it, and what a live agent does with it.
///
/// Results go to standard output, as JSON but for a conversation, and everything else to standard error.
#[derive(Debug, Parser)]
#[command(name = "drawloom", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the input was played, or the conversation came to rest, whatever the commands came to
  1  drive: the agent or the connection failed, or the conversation was broken off
  2  a file cannot be read or is wrong, or the command line is";

const REPLAY_HELP: &str = "\
Lines of the transcript:
  {\"asked\":{\"callId\":…,\"commandId\":…,\"arguments\":…,\"agentConsent\":…}}
  {\"ran\":{\"commandId\":…,\"arguments\":…}}
  {\"notified\":{\"plugin\":…,\"capability\":…}}
  {\"answered\":<tool message>}

A line of the events that is not a JSON object is named on standard error and skipped.

Examples:
  drawloom replay notes.json run.sse --transcript
  curl -sN https://agent.example/run -d @input.json | drawloom replay notes.json -";

const DRIVE_HELP: &str = "\
Where a command says so, or the agent asks for it, the person is asked: --yes and --no answer for them, then the
\"consent\" of the file, then the terminal. Without a terminal the answer is no.

Lines of the transcript are those of replay, and besides:
  {\"run\":{\"runId\":…,\"outcome\":…}}  when a run is over: success, interrupt, cancelled, error or unknown
  {\"text\":…}                        when a text of the agent is whole

The stand-in calls the commands that the prompt names, with the arguments behind the name.

Examples:
  drawloom drive notes.json --agent stand-in --prompt 'notes.open {\"path\":\"inbox\"}'
  drawloom drive notes.json --agent http://127.0.0.1:8000/ --prompt 'Open my inbox' --record run.jsonl
  drawloom replay notes.json run.jsonl --transcript";

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints the AG-UI tools that the agent of the file is offered now, as one JSON array.
    ///
    /// What the file gets silently wrong, such as a grant that no plugin declares or an answer that is dropped, is told on
    /// standard error.
    Tools {
        /// The workbench file.
        workbench: PathBuf,
    },
    /// Invokes one command and prints its outcome as one JSON line.
    ///
    /// Without --as it is the person who pulls it: session and window decide, and neither a grant nor "callable" is
    /// asked for.
    Invoke {
        /// The workbench file.
        workbench: PathBuf,
        /// The command's id, such as notes.open.
        id: String,
        /// Invokes it as this plugin, under its grants.
        #[arg(long = "as", value_name = "PLUGIN")]
        plugin: Option<String>,
        /// The arguments, as one JSON object of text, numbers, true, false, and lists of those.
        #[arg(long = "args", value_name = "JSON", default_value = "{}")]
        arguments: String,
    },
    /// Plays a recorded run and prints each tool message as one JSON line, in the order answered.
    #[command(after_help = REPLAY_HELP)]
    Replay {
        /// The workbench file.
        workbench: PathBuf,
        /// The run, as JSON lines or server-sent events; - for standard input.
        events: PathBuf,
        /// Prints a line for each step, as it happens, and not only for each message.
        #[arg(long)]
        transcript: bool,
    },
    /// Lets a live AG-UI agent drive the workbench, until the conversation comes to rest.
    #[command(after_help = DRIVE_HELP)]
    Drive(drive::Options),
    /// Reports what an agent will see of the commands in a directory, without building it.
    #[command(after_help = validate_commands::HELP)]
    ValidateCommands(validate_commands::ValidateCommandsOptions),
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    if let Command::ValidateCommands(options) = &command {
        return validate_commands::run(options);
    }
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(format_args!("error: {failure}"));
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Tools { workbench } => tools::print(&workbench),
        Command::Invoke { workbench, id, plugin, arguments } => {
            invoke::print(&workbench, &id, plugin.as_deref(), &arguments)
        }
        Command::Replay { workbench, events, transcript } => {
            replay::play(&workbench, &events, if transcript { Lines::Steps } else { Lines::Messages })
        }
        Command::Drive(options) => drive::drive(&options),
        Command::ValidateCommands(_) => Ok(()),
    }
}

/// Reads a workbench file.
fn load(path: &Path, recorder: impl Recorder + 'static) -> Result<FileWorkbench, Failure> {
    let text =
        std::fs::read_to_string(path).map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    FileWorkbench::load(&text, recorder)
        .map_err(|source| Failure::Workbench { path: path.to_owned(), source: Box::new(source) })
}

/// Prints one line of a result.
fn print(line: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}").and_then(|()| output.flush()).or_else(Failure::of_output)
}

/// Tells something on standard error. Nobody may be reading it, and that is all right.
fn tell(what: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{what}");
}
