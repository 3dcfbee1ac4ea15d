//! A chat: messages that a person types on the terminal, and commands of the chat itself, which begin with a slash.

use std::borrow::Cow;
use std::path::PathBuf;

use drawloom::command::CommandAccess;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, Config, Editor, Event, Helper, KeyCode, KeyEvent, Modifiers, Movement};

use super::script::Turn;
use super::thread;
use super::turns::Turns;
use crate::error::CliError;
use crate::terminal::{ConversationOutput, sanitize};

const HELP: &str = "\
Type a message and press Enter. A message with an open { or [ goes on in the next line; an empty line ends it. Esc clears the
line, Ctrl-C cancels a turn, Ctrl-D ends the chat.
  /tools       the commands that the agent is offered
  /events      shows each event of the agent, or no longer
  /state       the shared state as the agent sent it
  /save FILE   writes the conversation to a file, which --thread continues
  /retry       begins a turn without a new message
  /quit        ends the chat";
/// How long the rest of a key sequence may take to arrive after Esc, in milliseconds.
const KEY_SEQUENCE_MS: u16 = 50;
/// The longest message that is typed, in bytes. A longer one is sent as it is.
const MAX_BYTES: usize = 1 << 20;

type ChatEditor = Editor<Lines, MemHistory>;

/// What the person typed.
enum Typed {
    Message(String),
    Command { name: String, argument: String },
    Nothing,
    End,
}

impl<O: ConversationOutput + 'static> Turns<O> {
    /// Reads messages from the terminal until the person ends the chat.
    pub(super) async fn chat(&mut self) -> Result<(), CliError> {
        let mut editor = editor()?;
        self.output.say("A chat with the agent. /help lists the commands of the chat, Ctrl-D ends it.");
        while !self.output.is_broken() {
            let (typed, used) = read(editor).await?;
            editor = used;
            match typed {
                Typed::End => break,
                Typed::Nothing => continue,
                Typed::Message(prompt) => self.turn(Turn { prompt, ..Turn::default() }).await,
                Typed::Command { name, argument } => match (&*name, &*argument) {
                    ("quit" | "exit", _) => break,
                    ("retry", _) => {
                        self.client.resume();
                        self.run().await;
                    }
                    (name, argument) => {
                        self.chat_command(name, argument);
                        continue;
                    }
                },
            }
            if let Some(problem) = self.problem() {
                self.output.say(&format!("! {problem}"));
            }
        }
        // What went wrong in a turn was shown then.
        self.forget_ending();
        Ok(())
    }

    fn chat_command(&self, name: &str, argument: &str) {
        match name {
            "help" => self.output.say(HELP),
            "events" if self.output.toggle_events() => self.output.say("Events are shown."),
            "events" => self.output.say("Events are not shown any more."),
            "state" => self.output.say(&format!("  {}", sanitize::json(&self.output.shared_state()))),
            "tools" => {
                let commands = self.client.access().invocable_commands();
                let lines = commands.iter().map(|command| {
                    let about = command.description.as_deref().unwrap_or(&command.title);
                    format!("  {}: {}", sanitize::name(command.id.as_str()), sanitize::line(about))
                });
                let lines: Vec<_> = lines.collect();
                let none = "  The agent is offered no commands.".to_owned();
                self.output.say(&if lines.is_empty() { none } else { lines.join("\n") });
            }
            "save" if argument.is_empty() => self.output.say("! write the name of the file: /save FILE"),
            "save" => match thread::save(&PathBuf::from(argument), self.client.conversation()) {
                Ok(()) => self.output.say(&format!("Saved to {}.", sanitize::line(argument))),
                Err(error) => self.output.say(&format!("! {}", sanitize::line(&error.to_string()))),
            },
            other => self
                .output
                .say(&format!("! there is no command /{}; /help lists them", sanitize::line(other))),
        }
    }
}

fn editor() -> Result<ChatEditor, CliError> {
    let failed = |error: ReadlineError| CliError::Editor(error.to_string());
    let config = Config::builder().auto_add_history(true).keyseq_timeout(Some(KEY_SEQUENCE_MS)).build();
    let mut editor =
        ChatEditor::with_history(config.clone(), MemHistory::with_config(&config)).map_err(failed)?;
    editor.set_helper(Some(Lines));
    let escape = Event::from(KeyEvent(KeyCode::Esc, Modifiers::NONE));
    editor.bind_sequence(escape, Cmd::Kill(Movement::WholeBuffer));
    Ok(editor)
}

/// Reads one message on a thread of its own, so that signals are handled meanwhile.
async fn read(mut editor: ChatEditor) -> Result<(Typed, ChatEditor), CliError> {
    let reading = tokio::task::spawn_blocking(move || {
        let line = editor.readline("you> ");
        (line, editor)
    });
    let (line, editor) = reading.await.map_err(|panicked| CliError::Editor(panicked.to_string()))?;
    let typed = match line {
        Ok(line) => typed(line.trim()),
        Err(ReadlineError::Interrupted) => Typed::Nothing,
        Err(ReadlineError::Eof) => Typed::End,
        Err(error) => return Err(CliError::Editor(error.to_string())),
    };
    Ok((typed, editor))
}

fn typed(line: &str) -> Typed {
    match line.strip_prefix('/') {
        _ if line.is_empty() => Typed::Nothing,
        Some(command) => {
            let (name, argument) = command.split_once(' ').unwrap_or((command, ""));
            Typed::Command { name: name.to_owned(), argument: argument.trim().to_owned() }
        }
        None => Typed::Message(line.to_owned()),
    }
}

/// Lets a message with open brackets go on in the next line.
struct Lines;

impl Validator for Lines {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let goes_on = goes_on(context.input());
        Ok(if goes_on { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Lines {
    type Candidate = String;
}

impl Hinter for Lines {
    type Hint = String;
}

impl Highlighter for Lines {
    fn highlight<'l>(&self, line: &'l str, _position: usize) -> Cow<'l, str> {
        Cow::Borrowed(line)
    }
}

impl Helper for Lines {}

/// Whether a message has a bracket that is not closed, outside of texts in quotes.
fn goes_on(message: &str) -> bool {
    if message.ends_with('\n') || message.len() > MAX_BYTES || message.starts_with('/') {
        return false;
    }
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for character in message.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' if depth > 0 => is_text = !is_text,
            '{' | '[' if !is_text => depth += 1,
            '}' | ']' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_on_while_a_bracket_is_open() {
        for (message, expected) in [
            ("open it", false),
            ("say \"hello", false),
            ("notes.open {", true),
            ("notes.open {\"path\": \"}\"", true),
            ("notes.open {\"path\": \"}\"}", false),
            ("{\"a\": [1,\n2", true),
            ("{\n", false),
            ("/save {", false),
        ] {
            assert_eq!(goes_on(message), expected, "{message:?}");
        }
    }
}
