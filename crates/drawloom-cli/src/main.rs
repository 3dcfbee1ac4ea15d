//! `drawloom`: a workbench described in a file, on the command line.
//!
//! This file holds the command line and its help. Each command has a module of its own.

mod check;
mod drive;
mod error;
mod input;
mod invoke;
mod mcp;
mod replay;
mod terminal;
mod tools;
mod validate_commands;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use drawloom_replay::{FileWorkbench, TranscriptContent, TranscriptSink};

use error::CliError;
use terminal::output::{print_error, print_error_text};
use terminal::sanitize::{self, Sanitized};

/// Works with a workbench that is described in a JSON file: lists the tools that an agent is offered, runs a command,
/// replays a recorded AG-UI run, or lets a live agent use the workbench.
///
/// Results go to standard output; warnings and errors go to standard error. Results are JSON, except the conversation
/// that drive prints.
#[derive(Debug, Parser)]
#[command(name = "drawloom", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the input was played, or the conversation was completed, whatever the outcomes of the commands were
  1  drive: the agent or the connection failed, or the conversation was stopped before it was completed, or
     --strict found something;
     check: an event breaks the protocol
  2  a file cannot be read or is invalid, or the command line is invalid";

const REPLAY_HELP: &str = "\
Lines of the transcript:
  {\"asked\":{\"callId\":…,\"commandId\":…,\"arguments\":…,\"agentConsent\":…}}
  {\"ran\":{\"commandId\":…,\"arguments\":…}}
  {\"notified\":{\"plugin\":…,\"capability\":…}}
  {\"answered\":<tool message>}

A line of the events that cannot be read is reported on standard error. It may have been any event, so the calls that are
open at that point are refused.

The refusal \"no such command is available\" does not say why. Compare the name in the call with the list that
\"drawloom tools\" prints. It also warns about probable mistakes in the workbench file.

Examples:
  drawloom replay notes.json run.sse --transcript
  curl -sN https://agent.example/run -d @input.json | drawloom replay notes.json -";

const DRIVE_HELP: &str = "\
If a command asks for consent, or the agent asks a question, the person is asked. The answer comes from --answer or the
script, otherwise from --yes or --no, otherwise from \"consent\" in the file, otherwise from the terminal. Without a
terminal, the answer is no.

The transcript has the lines of replay, and also:
  {\"prompt\":…}                      a message of the person, in a conversation of several turns
  {\"text\":…}                        a text message of the agent, when it is complete
  {\"decided\":{\"callId\":…,\"answer\":…}}  the answer to a question about a call
  {\"interrupted\":<interrupt>}       a question of the agent
  {\"resumed\":<answer>}              the answer to it, as it is sent
  {\"expired\":{\"interruptId\":…}}    the question expired first
  {\"withdrawn\":{\"callId\":…}}       the agent took a call over
  {\"answeredByAgent\":<message>}     the agent answered a call to its own tool
  {\"run\":{\"runId\":…,\"outcome\":…}}  when a run has ended: success, interrupt, cancelled, error or unknown
  {\"event\":{\"atMs\":…,\"event\":…}}  with --events
  {\"breach\":…}                      with --check

A recording has, besides the events, lines about what happened here: {\"recorded\":{…}} with options, conversation, prompt,
request, response, decision, input, reply, answered, resumed or cancelled. With them, replay plays the whole conversation.

The stand-in is a built-in script in place of an agent. It calls the commands that the prompt names. A JSON object
after a name is used as the arguments of the call.

Examples:
  drawloom drive notes.json --agent 127.0.0.1:8000
  drawloom drive notes.json --agent stand-in --prompt 'notes.open {\"path\":\"inbox\"}'
  drawloom drive notes.json --agent 127.0.0.1:8000 --prompt 'Open my inbox' --record run.jsonl
  drawloom drive notes.json --agent 127.0.0.1:8000 --script talk.json --strict --check --transcript
  drawloom replay notes.json run.jsonl --transcript";

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints the AG-UI tools that the agent of the file is offered now, as one JSON array.
    ///
    /// Warns on standard error about parts of the file that are valid, but probably not intended, such as a grant that no
    /// plugin declares or an answer that is dropped.
    Tools {
        /// The workbench file.
        workbench: PathBuf,
    },
    /// Runs one command and prints its outcome as one JSON line.
    ///
    /// Without --as, the command is triggered by the person: the session and the window decide whether it runs, and neither
    /// a grant nor "callable" is required.
    ///
    /// The refusal "no such command is available" does not say why: the file may have no command with this id, or the
    /// session, the window or a grant may not allow the call.
    Invoke {
        /// The workbench file.
        workbench: PathBuf,
        /// The id of the command, such as notes.open.
        id: String,
        /// Invokes the command as this plugin, under the plugin's grants.
        #[arg(long = "as", value_name = "PLUGIN")]
        plugin: Option<String>,
        /// The arguments: a JSON object whose values are texts, numbers, booleans, or lists of these.
        #[arg(long = "args", value_name = "JSON", default_value = "{}")]
        arguments: String,
    },
    /// Plays a recorded run and prints each tool message as one JSON line, in the order answered.
    #[command(after_help = REPLAY_HELP)]
    Replay {
        /// The workbench file.
        workbench: PathBuf,
        /// The recorded run, as JSON lines, server-sent events, or one JSON array of events. Use - for standard input.
        events: PathBuf,
        /// Prints the whole transcript: one line for each question, command, notice and answer, as soon as it occurs.
        #[arg(long)]
        transcript: bool,
    },
    /// Checks that the events of a recording follow the protocol, and reports each breach.
    #[command(after_help = check::HELP)]
    Check(check::CheckOptions),
    /// Lets a live AG-UI agent use the workbench, until the conversation is completed.
    #[command(after_help = DRIVE_HELP)]
    Drive(Box<drive::DriveOptions>),
    /// Reports what an agent will see of the commands in a directory, without building it.
    #[command(after_help = validate_commands::HELP)]
    ValidateCommands(validate_commands::ValidateCommandsOptions),
    /// Serves the Model Context Protocol: the tools validate_commands and replay_run, or the commands of a workbench file.
    #[command(after_help = mcp::HELP)]
    Mcp(mcp::McpOptions),
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(print_panic));
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return print_usage(error),
    };
    if let Command::ValidateCommands(options) = &command {
        return validate_commands::run(options);
    }
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(format_args!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(command: Command) -> Result<(), CliError> {
    match command {
        Command::Tools { workbench } => tools::run(&workbench),
        Command::Invoke { workbench, id, plugin, arguments } => {
            invoke::run(&workbench, &id, plugin.as_deref(), &arguments)
        }
        Command::Replay { workbench, events, transcript: true } => {
            replay::run(&workbench, &events, TranscriptContent::AllLines)
        }
        Command::Replay { workbench, events, transcript: false } => {
            replay::run(&workbench, &events, TranscriptContent::MessagesOnly)
        }
        Command::Check(options) => check::run(&options),
        Command::Drive(options) => drive::run(&options),
        Command::Mcp(options) => mcp::run(&options),
        Command::ValidateCommands(_) => Ok(()),
    }
}

/// Reads a workbench file.
fn load(path: &Path, sink: impl TranscriptSink + 'static) -> Result<FileWorkbench, CliError> {
    let text = input::read_text(path, input::WORKBENCH_BYTES)?;
    FileWorkbench::load(&text, sink)
        .map_err(|source| CliError::Workbench { path: path.to_owned(), source: Box::new(source) })
}

/// Prints what clap says about the command line: the help, the version, or what is wrong. It repeats parts of the command
/// line, so only a command line with nothing unsafe in it is shown with styles.
fn print_usage(error: clap::Error) -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().map(|word| sanitize::line(&word.to_string_lossy())).collect();
    let is_safe = std::env::args_os().zip(&words).all(|(word, safe)| word == **safe);
    // The same error about the safe words.
    let error = if is_safe { error } else { Cli::try_parse_from(&words).err().unwrap_or(error) };
    let (text, colours) = (
        error.render(),
        if error.use_stderr() { console::colors_enabled_stderr() } else { console::colors_enabled() },
    );
    let text = match is_safe && colours {
        true => Sanitized::styled(&text.ansi().to_string()),
        false => Sanitized::text(&text.to_string()),
    };
    if error.use_stderr() {
        print_error_text(&text);
    } else if let Err(error) = terminal::output::print(&text) {
        print_error(format_args!("error: {error}"));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints the message of a panic, in which there may be text from outside.
fn print_panic(panic: &PanicHookInfo<'_>) {
    print_error(format_args!("{}", panic_message(panic)));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        print_error_text(&Sanitized::text(&backtrace.to_string()));
    }
}

fn panic_message(panic: &PanicHookInfo<'_>) -> String {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let message = panic.payload_as_str().unwrap_or("no message");
    sanitize::line(&format!("thread \"{name}\" panicked{place}: {message}"))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn the_message_of_a_panic_is_one_safe_line() {
        let shown: Arc<Mutex<String>> = Arc::default();
        let shows = shown.clone();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| *shows.lock().unwrap() = panic_message(panic)));
        let panicked = std::panic::catch_unwind(|| panic!("gone\u{1b}[2J\nerror: {}", '\u{9b}'));
        std::panic::set_hook(before);
        assert!(panicked.is_err());
        let shown = shown.lock().unwrap();
        assert!(
            shown.contains("panicked at ") && shown.ends_with(": gone\\u{1b}[2J\\nerror: \\u{9b}"),
            "{shown}"
        );
    }
}
