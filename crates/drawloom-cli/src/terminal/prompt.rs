//! A question as it stands on the terminal, and the keys that answer it.
//!
//! What an agent sends is shown within bounds and with nothing in it that acts, and the line that asks names what is
//! asked about: whatever text stands above it, and however much, a yes is a yes to that.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use console::{Key, Term};
use dialoguer::Input;
use drawloom::command::{AgentConsent, CommandArguments, PendingCall};
use drawloom::consent::Confirmation;

use super::visible;

/// How much of the arguments a question shows unasked, in characters: the question stays on a small screen.
const MOST: usize = 600;

/// Whether nobody waits for the answer any more.
#[derive(Debug, Default)]
pub(crate) struct CalledOff(AtomicBool);

impl CalledOff {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::Acquire) { Err(io::Error::other("it was called off")) } else { Ok(()) }
    }
}

/// Asks whether a call may run, or is approved.
pub(crate) fn confirm(term: &Term, off: &CalledOff, call: &PendingCall) -> io::Result<Confirmation> {
    off.check()?;
    let arguments = visible::json(&serde_json::to_string(&call.arguments)?);
    let name = visible::name(call.command_id.as_str());
    let approval = call.approval.as_deref();
    if let Some(message) = approval.and_then(|approval| approval.message.as_deref()) {
        writeln!(&*term, "? the agent asks: {}", excerpt(&visible::line(message)))?;
    }
    let wants = if approval.is_some() { "wants approved:" } else { "wants to run" };
    let shown = excerpt(&arguments);
    writeln!(&*term, "? the agent {wants} {name} with {shown}")?;
    if approval.is_none() && call.agent_consent == Some(AgentConsent::Ask) {
        writeln!(
            &*term,
            "  the answer counts for the calls of {name} that wait too, and a yes for all later ones"
        )?;
    }
    let may_edit = approval.is_none_or(|approval| approval.takes_edits);
    let is_cut = shown != arguments;
    loop {
        write!(&*term, "  {name}: {} ", choices(may_edit, is_cut))?;
        let key = term.read_key();
        off.check()?;
        let answer = match key? {
            Key::Char('y' | 'Y') => Some(("yes", Confirmation::Yes)),
            Key::Char('n' | 'N') | Key::Escape => Some(("no", Confirmation::No)),
            Key::Char('e' | 'E') if may_edit => {
                term.write_line("edit")?;
                return edit(term, off, arguments);
            }
            Key::Char('s' | 'S') if is_cut => {
                term.write_line("show all")?;
                term.write_line(&arguments)?;
                continue;
            }
            _ => None,
        };
        term.write_line(answer.as_ref().map_or("", |(word, _)| word))?;
        if let Some((_, confirmation)) = answer {
            return Ok(confirmation);
        }
    }
}

/// Asks for an answer in words.
pub(crate) fn words(term: &Term, off: &CalledOff, asked: &str) -> io::Result<String> {
    off.check()?;
    writeln!(&*term, "? to be answered: {}", excerpt(&visible::line(asked)))?;
    writeln!(&*term, "  in words or as JSON; an empty line is no answer")?;
    let answer = prompt(term, "answer", "");
    off.check()?;
    answer
}

fn choices(may_edit: bool, is_cut: bool) -> &'static str {
    match (may_edit, is_cut) {
        (true, false) => "[y]es, [n]o or [e]dit?",
        (false, false) => "[y]es or [n]o?",
        (true, true) => "[y]es, [n]o, [e]dit or [s]how all?",
        (false, true) => "[y]es, [n]o or [s]how all?",
    }
}

fn excerpt(text: &str) -> String {
    match visible::cut(text, MOST) {
        (shown, 0) => shown.to_owned(),
        (shown, left_out) => format!("{shown}… ({left_out} more characters)"),
    }
}

/// Has the arguments changed until they can be read. An empty line is a no.
fn edit(term: &Term, off: &CalledOff, mut arguments: String) -> io::Result<Confirmation> {
    loop {
        arguments = prompt(term, "arguments", &arguments)?;
        off.check()?;
        if arguments.trim().is_empty() {
            return Ok(Confirmation::No);
        }
        match CommandArguments::from_json(&arguments) {
            Ok(arguments) => return Ok(Confirmation::YesWith(arguments)),
            Err(error) => term.write_line(&format!("  {}", visible::line(&error.to_string())))?,
        }
    }
}

/// Reads a line, which begins as this.
fn prompt(term: &Term, what: &str, initial: &str) -> io::Result<String> {
    let input = Input::<String>::new().with_prompt(format!("  {what}")).allow_empty(true);
    let initial = if initial.is_empty() { input } else { input.with_initial_text(initial) };
    initial.interact_text_on(term).map_err(|dialoguer::Error::IO(error)| error)
}
