//! The only place that writes to standard output and standard error. It writes only [`Sanitized`] text, to a terminal as
//! well as to a file or a pipe, whose content may be shown on a terminal later.
//!
//! The lints of this crate (`clippy.toml`) refuse every other way to write there.

use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};

use console::{Key, Term};
use serde::Serialize;

use super::sanitize::{self, Sanitized};
use crate::error::CliError;

/// Whether standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    stdout().is_terminal()
}

/// Whether standard error is a terminal.
pub(crate) fn is_error_terminal() -> bool {
    stderr().is_terminal()
}

/// Writes text to standard output.
pub(crate) fn write(text: &Sanitized) -> io::Result<()> {
    let mut output = stdout().lock();
    output.write_all(text.as_str().as_bytes())?;
    output.flush()
}

/// Prints text on standard output. Whoever reads it may have seen enough, which is not an error.
pub(crate) fn print(text: &Sanitized) -> Result<(), CliError> {
    write(text).or_else(CliError::from_output)
}

/// Prints a result as one line of JSON on standard output.
pub(crate) fn print_json(result: &impl Serialize) -> Result<(), CliError> {
    let json = serde_json::to_string(result).map_err(|error| CliError::Output(error.into()))?;
    print(&Sanitized::json(&format!("{json}\n")))
}

/// Prints one line on standard error. If nobody can read it, that is not an error.
pub(crate) fn print_error(line: fmt::Arguments<'_>) {
    print_error_text(&Sanitized::long_line(&line.to_string()));
}

/// Prints several lines on standard error.
pub(crate) fn print_error_text(text: &Sanitized) {
    let end = if text.as_str().ends_with('\n') { "" } else { "\n" };
    let _ = stderr().write_all(format!("{}{end}", text.as_str()).as_bytes());
}

/// Prints one line on standard error, which is cut only on a terminal.
pub(crate) fn print_error_whole(line: &str) {
    if is_error_terminal() {
        print_error_text(&Sanitized::line(line));
    } else {
        print_error_text(&Sanitized::json(&line.replace(['\n', '\r'], " ")));
    }
}

/// Shows a line on the terminal that the next one replaces. `None` removes it.
pub(crate) fn show_status(line: Option<&str>) {
    let line = line.map(sanitize::line);
    let _ = stderr().write_all(format!("\r{}", line.as_deref().unwrap_or("\u{1b}[K")).as_bytes());
}

/// Standard output for lines of JSON. They are written as complete lines.
#[derive(Debug, Default)]
pub(crate) struct JsonLines(());

impl Write for JsonLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let lines = str::from_utf8(bytes).map_err(io::Error::other)?;
        stdout().write_all(Sanitized::json(lines).as_str().as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        stdout().flush()
    }
}

/// The terminal on which questions are asked: it is written to through standard error.
#[derive(Debug)]
pub(crate) struct QuestionTerminal(Term);

impl QuestionTerminal {
    #[expect(clippy::disallowed_methods, reason = "this is the place that the lint refers to")]
    pub(crate) fn new() -> Self {
        Self(Term::stderr())
    }

    /// Writes a line. What is from outside in it was made a line before.
    pub(crate) fn write_line(&self, line: impl Display) -> io::Result<()> {
        self.0.write_line(Sanitized::text(&line.to_string()).as_str())
    }

    /// Writes text without a line end.
    pub(crate) fn write(&self, text: impl Display) -> io::Result<()> {
        (&self.0).write_all(Sanitized::text(&text.to_string()).as_str().as_bytes())
    }

    pub(crate) fn read_key(&self) -> io::Result<Key> {
        self.0.read_key()
    }

    /// Reads a line without showing what the person types.
    pub(crate) fn read_secret(&self) -> io::Result<String> {
        let mut typed = String::new();
        loop {
            match self.0.read_key()? {
                Key::Enter => break,
                Key::Backspace => drop(typed.pop()),
                Key::Char(character) if !character.is_control() => typed.push(character),
                _ => {}
            }
        }
        self.write_line("")?;
        Ok(typed)
    }

    /// Reads a line that the person edits, starting with `initial`.
    pub(crate) fn read_line(&self, label: &str, initial: &str) -> io::Result<String> {
        let prompt = Sanitized::line(&format!("  {label}"));
        let input = dialoguer::Input::<String>::new().with_prompt(prompt.as_str()).allow_empty(true);
        let input = if initial.is_empty() {
            input
        } else {
            input.with_initial_text(Sanitized::json(initial).as_str())
        };
        input.interact_text_on(&self.0).map_err(|dialoguer::Error::IO(error)| error)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the place that the lint refers to")]
fn stdout() -> io::Stdout {
    io::stdout()
}

#[expect(clippy::disallowed_methods, reason = "this is the place that the lint refers to")]
fn stderr() -> io::Stderr {
    io::stderr()
}
