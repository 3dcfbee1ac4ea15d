//! Who answers for the person: the command line, the file, the terminal, or nobody.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use console::{Key, Term};
use dialoguer::Input;
use drawloom::client::{AskForInput, BoxFuture, Interrupt};
use drawloom::command::{CommandArguments, PendingCall};
use drawloom::consent::{Confirm, Confirmation};
use drawloom_replay::Step;
use futures_util::lock::Mutex as AsyncMutex;
use serde_json::Value;

use super::{Output, visible};

/// Where the answers come from.
#[derive(Clone)]
pub(crate) enum Answers {
    Yes,
    No,
    /// The file's, which write down themselves what is asked.
    File(Arc<dyn Confirm>),
    Terminal,
    Nobody,
}

impl Answers {
    /// What was said on the command line goes before what the file says, and that before the terminal.
    pub(crate) fn of(yes: bool, no: bool, file: Option<Arc<dyn Confirm>>) -> Self {
        match (yes, no, file) {
            (true, ..) => Self::Yes,
            (_, true, _) => Self::No,
            (_, _, Some(file)) => Self::File(file),
            _ if has_terminal() => Self::Terminal,
            _ => Self::Nobody,
        }
    }
}

fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// What the agent asks, by the id the question is put under, and whether its answer may carry other arguments.
#[derive(Default)]
pub(crate) struct Desk {
    interrupts: Mutex<HashMap<String, TakesEdits>>,
    /// There is one terminal, so there is one question at a time.
    turn: AsyncMutex<()>,
}

#[derive(Clone, Copy)]
enum TakesEdits {
    Yes,
    No,
}

impl Desk {
    pub(crate) fn note(&self, interrupt: &Interrupt) {
        let key = interrupt.tool_call_id.as_ref().map_or(&*interrupt.id, |call| call.as_str());
        let takes = if interrupt.takes("editedArgs") { TakesEdits::Yes } else { TakesEdits::No };
        self.interrupts.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), takes);
    }

    /// Whether this is a question of the agent's, and what it takes.
    fn interrupt(&self, call: &str) -> Option<TakesEdits> {
        self.interrupts.lock().unwrap_or_else(PoisonError::into_inner).get(call).copied()
    }
}

/// Answers confirmations and questions.
pub(crate) struct Person<O> {
    answers: Answers,
    desk: Arc<Desk>,
    output: Arc<O>,
}

impl<O> Clone for Person<O> {
    fn clone(&self) -> Self {
        Self { answers: self.answers.clone(), desk: self.desk.clone(), output: self.output.clone() }
    }
}

impl<O: Output + 'static> Person<O> {
    pub(crate) fn new(answers: Answers, desk: Arc<Desk>, output: Arc<O>) -> Self {
        Self { answers, desk, output }
    }

    async fn decide(self, call: PendingCall) -> Confirmation {
        let interrupt = self.desk.interrupt(&call.call_id);
        match &self.answers {
            Answers::File(file) => return file.confirm(call).await,
            _ => self.output.record(&Step::Asked(call.clone())),
        }
        match self.answers {
            Answers::Yes => Confirmation::Yes,
            Answers::Terminal => {
                let may_edit = !matches!(interrupt, Some(TakesEdits::No));
                let asked = self.at_the_terminal(move |term| confirm(term, &call, may_edit)).await;
                asked.unwrap_or_else(|error| match error.kind() {
                    io::ErrorKind::Interrupted => Confirmation::Cancelled,
                    _ => Confirmation::Errored(error.to_string()),
                })
            }
            // The agent asked, and nobody answers; a command was to run, and does not.
            Answers::Nobody if interrupt.is_some() => Confirmation::Cancelled,
            _ => Confirmation::No,
        }
    }

    /// Puts a question, while nothing else is shown. The keyboard is read on a thread of its own.
    async fn at_the_terminal<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Term) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let _turn = self.desk.turn.lock().await;
        let _held = Held::new(&*self.output);
        tokio::task::spawn_blocking(move || ask(&Term::stderr())).await.map_err(io::Error::other)?
    }
}

/// The output is held until this is dropped, also where the question is called off.
struct Held<'a, O: Output>(&'a O);

impl<'a, O: Output> Held<'a, O> {
    fn new(output: &'a O) -> Self {
        output.hold();
        Self(output)
    }
}

impl<O: Output> Drop for Held<'_, O> {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl<O: Output + 'static> Confirm for Person<O> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, Confirmation> {
        Box::pin(self.clone().decide(call))
    }
}

impl<O: Output + 'static> AskForInput for Person<O> {
    fn input(&self, interrupt: Interrupt) -> BoxFuture<'static, Option<Value>> {
        let this = self.clone();
        Box::pin(async move {
            // An answer in words is nothing that a yes could stand for, so only a no is taken from elsewhere.
            if matches!(this.answers, Answers::No) || !has_terminal() {
                return None;
            }
            let is_text = interrupt
                .response_schema
                .as_ref()
                .is_some_and(|schema| schema.get("type") == Some(&"string".into()));
            let answer = this.at_the_terminal(|term| prompt(term, "answer", "")).await.ok()?;
            if answer.is_empty() {
                return None;
            }
            let text = || Value::String(answer.clone());
            Some(if is_text { text() } else { serde_json::from_str(&answer).unwrap_or_else(|_| text()) })
        })
    }
}

/// Asks whether a call may run.
fn confirm(term: &Term, call: &PendingCall, may_edit: bool) -> io::Result<Confirmation> {
    let arguments = serde_json::to_string(&call.arguments)?;
    let command = visible::line(call.command_id.as_str());
    writeln!(&*term, "? the agent wants to run {command} with {}", visible::line(&arguments))?;
    loop {
        write!(&*term, "  {} ", if may_edit { "[y]es, [n]o or [e]dit?" } else { "[y]es or [n]o?" })?;
        let answer = match term.read_key()? {
            Key::Char('y' | 'Y') => Some(("yes", Confirmation::Yes)),
            Key::Char('n' | 'N') | Key::Escape => Some(("no", Confirmation::No)),
            Key::Char('e' | 'E') if may_edit => {
                term.write_line("edit")?;
                return edit(term, arguments);
            }
            _ => None,
        };
        term.write_line(answer.as_ref().map_or("", |(word, _)| word))?;
        if let Some((_, confirmation)) = answer {
            return Ok(confirmation);
        }
    }
}

/// Has the arguments changed until they can be read. An empty line is a no.
fn edit(term: &Term, mut arguments: String) -> io::Result<Confirmation> {
    loop {
        arguments = prompt(term, "arguments", &arguments)?;
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
