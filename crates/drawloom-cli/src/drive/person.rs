//! Who answers for the person: the command line, the file, the terminal, or nobody.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use console::Term;
use drawloom::client::{AskForInput, BoxFuture, Interrupt};
use drawloom::command::PendingCall;
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};
use drawloom_replay::{ScriptedPerson, Step};
use futures_util::lock::Mutex as AsyncMutex;
use serde_json::Value;

use super::Output;
use super::interrupt::Pressed;
use super::keyboard::SingleKeys;
use super::question::{self, CalledOff};

/// Where the answers come from.
#[derive(Clone)]
pub(crate) enum Answers {
    Yes,
    No,
    /// The file's, which write down themselves what is asked. What it has no answer for goes to the terminal.
    File(ScriptedPerson),
    Terminal,
    Nobody,
}

impl Answers {
    /// What was said on the command line goes before what the file says, and that before the terminal.
    pub(crate) fn of(yes: bool, no: bool, file: Option<ScriptedPerson>) -> Self {
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

/// The one terminal.
pub(crate) struct Desk {
    /// There is one question at a time. Whoever reads the keyboard has it, also where the question was called off
    /// meanwhile: no key may be taken for an answer to the next.
    turn: Arc<AsyncMutex<()>>,
    pressed: Pressed,
}

impl Desk {
    /// No more is said of a question that is called off because Ctrl-C was pressed.
    pub(crate) fn new(pressed: Pressed) -> Self {
        Self { turn: Arc::default(), pressed }
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
    pub(crate) fn new(answers: Answers, desk: Desk, output: Arc<O>) -> Self {
        Self { answers, desk: Arc::new(desk), output }
    }

    async fn decide(self, call: PendingCall) -> Confirmation {
        let is_approval = call.approval.is_some();
        if let Answers::File(file) = &self.answers
            && (file.has_answer(&call.command_id) || !has_terminal())
        {
            return file.confirm(call).await.confirmation;
        }
        self.output.record(&Step::Asked(call.clone()));
        match self.answers {
            Answers::Yes => Confirmation::Yes,
            Answers::File(_) | Answers::Terminal => {
                let ask = move |term: &Term, off: &CalledOff| question::confirm(term, off, &call);
                let asked = self.at_the_terminal(ask).await;
                asked.unwrap_or_else(|error| Confirmation::Errored(error.to_string()))
            }
            // The agent asked, and nobody answers; a command was to run, and does not.
            Answers::Nobody if is_approval => Confirmation::Cancelled,
            Answers::Nobody => Confirmation::Errored("there is nobody to ask".to_owned()),
            Answers::No => Confirmation::No,
        }
    }

    /// Puts a question, while nothing else is shown. The keyboard is read on a thread of its own.
    async fn at_the_terminal<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Term, &CalledOff) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let turn = self.desk.turn.clone().lock_owned().await;
        let mut held = Held::new(&*self.output, &self.desk.pressed);
        let off = held.off.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let _keys = SingleKeys::new();
            ask(&Term::stderr(), &off)
        });
        match reading.await.unwrap_or_else(|panicked| Err(io::Error::other(panicked))) {
            // Ctrl-C was pressed at the question. The signal is on its way, and calls it off with all the rest.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => std::future::pending().await,
            asked => {
                held.is_answered = true;
                asked
            }
        }
    }
}

/// The output is held until this is dropped, also where the question is called off.
struct Held<'a, O: Output> {
    output: &'a O,
    pressed: &'a Pressed,
    off: Arc<CalledOff>,
    is_answered: bool,
}

impl<'a, O: Output> Held<'a, O> {
    fn new(output: &'a O, pressed: &'a Pressed) -> Self {
        output.hold();
        Self { output, pressed, off: Arc::default(), is_answered: false }
    }
}

impl<O: Output> Drop for Held<'_, O> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.off.set();
            // The keyboard is still read for it, and the next question waits for that.
            let advice = if self.pressed.is_set() {
                ""
            } else {
                "  the question was taken back; press Enter to go on"
            };
            crate::tell(format_args!("\n{advice}"));
        }
        self.output.release();
    }
}

impl<O: Output + 'static> Confirm for Person<O> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let person = self.clone();
        Box::pin(async move { person.decide(call).await.into() })
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
            let asked = interrupt.message.unwrap_or(interrupt.reason);
            let ask = move |term: &Term, off: &CalledOff| question::words(term, off, &asked);
            let answer = this.at_the_terminal(ask).await.ok()?;
            if answer.is_empty() {
                return None;
            }
            let text = || Value::String(answer.clone());
            Some(if is_text { text() } else { serde_json::from_str(&answer).unwrap_or_else(|_| text()) })
        })
    }
}
