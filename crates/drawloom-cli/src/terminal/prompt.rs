//! Questions on the terminal, and the keys that answer them.
//!
//! Text of an agent is shown shortened and sanitized, and the line that asks names the command or tool. So the meaning of a
//! yes does not depend on the text above the line.

use std::fmt::Display;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use console::Key;
use drawloom::client::{Interrupt, question_text};
use drawloom::command::{AgentConsent, CommandArguments, InvocableCommand, PendingCall};
use drawloom::consent::Confirmation;
use serde_json::Value;

use super::output::QuestionTerminal;
use super::{form, sanitize};

/// How many characters of a text of the agent a question shows, so that the question fits on a small screen.
const MAX_CHARS: usize = 600;

/// Whether a question was withdrawn, so that its answer is no longer needed.
#[derive(Debug, Default)]
pub(crate) struct Withdrawal(AtomicBool);

impl Withdrawal {
    pub(crate) fn withdraw(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::Acquire) {
            Err(io::Error::other("the question was withdrawn"))
        } else {
            Ok(())
        }
    }
}

/// Asks whether a call may run, or whether a call of the agent itself is approved. `command` is what is asked about, if it
/// is a command that is listed.
pub(crate) fn confirm(
    term: &QuestionTerminal,
    withdrawal: &Withdrawal,
    call: &PendingCall,
    command: Option<&InvocableCommand>,
) -> io::Result<Confirmation> {
    withdrawal.check()?;
    let arguments = sanitize::json(&serde_json::to_string(&call.arguments)?);
    let name = sanitize::name(call.command_id.as_str());
    let approval = call.approval.as_deref();
    if let Some(message) = approval.and_then(|approval| approval.message.as_deref()) {
        term.write_line(format_args!("? the agent asks: {}", shorten(&sanitize::line(message))))?;
    }
    let metadata = approval.and_then(|approval| approval.metadata.as_ref());
    let schema = approval.and_then(|approval| approval.response_schema.as_ref());
    for line in details(metadata, schema, None) {
        term.write_line(format_args!("{line}"))?;
    }
    let request = if approval.is_some() { "asks for approval of" } else { "wants to run" };
    let shown = shorten(&arguments);
    term.write_line(format_args!("? the agent {request} {name} with {shown}"))?;
    if let Some(effects) = call.effects {
        term.write_line(format_args!("  the command states: {effects}"))?;
    }
    for line in argument_lines(call, command) {
        term.write_line(line)?;
    }
    if approval.is_none() && call.agent_consent == Some(AgentConsent::Ask) {
        term.write_line(format_args!(
            "  the answer also applies to the other waiting calls of {name}; \"yes\" also applies to all later calls"
        ))?;
    }
    term.write_line("  press r for a no with a reason")?;
    let can_edit = approval.is_none_or(|approval| approval.takes_edits);
    let is_shortened = shown != arguments;
    loop {
        term.write(format_args!("  {name}: {} ", choices(can_edit, is_shortened)))?;
        let key = term.read_key();
        withdrawal.check()?;
        let answer = match key? {
            Key::Char('y' | 'Y') => Some(("yes", Confirmation::Yes)),
            Key::Char('n' | 'N') | Key::Escape => Some(("no", Confirmation::No)),
            Key::Char('r' | 'R') => {
                term.write_line("no, because")?;
                let reason = term.read_line("reason", "")?;
                withdrawal.check()?;
                let reason = reason.trim();
                let no = if reason.is_empty() {
                    Confirmation::No
                } else {
                    Confirmation::NoBecause(reason.to_owned())
                };
                return Ok(no);
            }
            Key::Char('e' | 'E') if can_edit => {
                term.write_line("edit")?;
                return edit(term, withdrawal, arguments, &call.arguments);
            }
            Key::Char('s' | 'S') if is_shortened => {
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

/// A question of the agent, with the call that it is about as it is shown.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) interrupt: Interrupt,
    pub(crate) call: Option<String>,
}

/// Asks for an answer to an interrupt that needs more than yes or no: field by field if its schema has fields, and
/// otherwise in words.
pub(crate) fn ask_for_input(
    term: &QuestionTerminal,
    withdrawal: &Withdrawal,
    question: &Question,
) -> io::Result<Option<Value>> {
    withdrawal.check()?;
    let interrupt = &question.interrupt;
    let text = question_text(interrupt);
    term.write_line(format_args!("? the agent asks: {}", shorten(&sanitize::line(&text))))?;
    if let Some(call) = &question.call {
        term.write_line(format_args!("  about the call {}", shorten(&sanitize::line(call))))?;
    }
    for line in interrupt_details(interrupt) {
        term.write_line(format_args!("{line}"))?;
    }
    let schema: Option<Value> = interrupt.response_schema.as_ref().and_then(|schema| schema.read().ok());
    if let Some(fields) = schema.as_ref().and_then(form::fields) {
        return fill_in(term, withdrawal, fields);
    }
    term.write_line("  answer with a text or with JSON; an empty line gives no answer")?;
    let answer = term.read_line("answer", "");
    withdrawal.check()?;
    let answer = answer?;
    if answer.is_empty() {
        return Ok(None);
    }
    let is_text = schema.is_some_and(|schema| schema.get("type") == Some(&"string".into()));
    let text = || Value::String(answer.clone());
    Ok(Some(if is_text { text() } else { serde_json::from_str(&answer).unwrap_or_else(|_| text()) }))
}

/// Asks for each field until it fits.
fn fill_in(
    term: &QuestionTerminal,
    withdrawal: &Withdrawal,
    fields: Vec<form::Field>,
) -> io::Result<Option<Value>> {
    term.write_line(
        "  answer each field; an empty line leaves an optional field out; \"-\" gives no answer at all",
    )?;
    let mut answers = Vec::new();
    for field in fields {
        term.write_line(format_args!("  {}", field.label()))?;
        loop {
            let typed = term.read_line(&sanitize::name(&field.name), "")?;
            withdrawal.check()?;
            if typed == "-" {
                return Ok(None);
            }
            match field.value(&typed) {
                Ok(value) => {
                    answers.push((field.name, value));
                    break;
                }
                Err(problem) => term.write_line(format_args!("  {}", sanitize::line(&problem)))?,
            }
        }
    }
    Ok(Some(form::answer(answers)))
}

/// The parts of a question of the agent that are not its message: one line each.
fn details(
    metadata: Option<&impl Display>,
    schema: Option<&impl Display>,
    expires_at: Option<&str>,
) -> Vec<String> {
    let json = |value: String| shorten(&sanitize::json(&value));
    let metadata = metadata.map(|metadata| format!("  metadata: {}", json(metadata.to_string())));
    let schema = schema.map(|schema| format!("  schema of the answer: {}", json(schema.to_string())));
    let expires_at = expires_at.map(|time| format!("  expires at: {}", shorten(&sanitize::line(time))));
    [metadata, schema, expires_at].into_iter().flatten().collect()
}

/// The parts of an interrupt that are not its message: one line each.
pub(super) fn interrupt_details(interrupt: &Interrupt) -> Vec<String> {
    let (metadata, schema) = (interrupt.metadata.as_ref(), interrupt.response_schema.as_ref());
    details(metadata, schema, interrupt.expires_at.as_deref())
}

/// What the arguments as JSON do not show: the labels of the choices that were given, and which secret ones there are.
fn argument_lines(call: &PendingCall, command: Option<&InvocableCommand>) -> Vec<String> {
    let mut lines = Vec::new();
    for argument in command.into_iter().flat_map(|command| &command.arguments) {
        if let Some(choice) = call.arguments.text(&argument.name)
            && let Some(label) = argument.labels.get(choice)
        {
            lines.push(format!("  {}: {}", sanitize::line(&argument.name), shorten(&sanitize::line(label))));
        }
    }
    let secret: Vec<String> = call.arguments.secret_names().map(sanitize::line).collect();
    if !secret.is_empty() {
        lines.push(format!("  not shown, because it is secret: {}", shorten(&secret.join(", "))));
    }
    lines
}

fn choices(can_edit: bool, is_shortened: bool) -> &'static str {
    match (can_edit, is_shortened) {
        (true, false) => "[y]es, [n]o or [e]dit?",
        (false, false) => "[y]es or [n]o?",
        (true, true) => "[y]es, [n]o, [e]dit or [s]how all?",
        (false, true) => "[y]es, [n]o or [s]how all?",
    }
}

fn shorten(text: &str) -> String {
    match sanitize::truncate(text, MAX_CHARS) {
        (shown, 0) => shown.to_owned(),
        (shown, left_out) => format!("{shown}… ({left_out} more characters)"),
    }
}

/// Lets the person edit the arguments until they can be read. An empty line is a no. The secret ones are asked for one by
/// one, without an echo.
fn edit(
    term: &QuestionTerminal,
    withdrawal: &Withdrawal,
    mut shown: String,
    given: &CommandArguments,
) -> io::Result<Confirmation> {
    let mut arguments = loop {
        shown = term.read_line("arguments", &shown)?;
        withdrawal.check()?;
        if shown.trim().is_empty() {
            return Ok(Confirmation::No);
        }
        match CommandArguments::from_json(&shown) {
            Ok(arguments) => break arguments,
            Err(error) => term.write_line(format_args!("  {}", sanitize::line(&error.to_string())))?,
        }
    };
    for name in given.secret_names() {
        term.write(format_args!("  {} (not echoed; Enter keeps it): ", sanitize::line(name)))?;
        let typed = term.read_secret()?;
        withdrawal.check()?;
        // Only text can be typed here; a secret of another kind stays as it was.
        let kept = given.get(name).cloned();
        let value = match (typed.is_empty(), given.text(name)) {
            (false, Some(_)) => Some(typed.into()),
            _ => kept,
        };
        if let Some(value) = value {
            arguments = arguments.with(name, value);
        }
    }
    Ok(Confirmation::YesWith(arguments.secret(given.secret_names())))
}
