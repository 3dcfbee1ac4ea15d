//! `--check`: checks the responses of a live agent against the protocol while they arrive.

use std::sync::{Arc, Mutex, PoisonError};

use drawloom::ag_ui::ProtocolChecker;
use drawloom::client::{Frame, RunAgentInput};

use super::observed::{Observer, ResponseEnd};
use crate::terminal::ConversationOutput;

/// Reports each breach as soon as it is found.
pub(super) struct LiveCheck<O> {
    checker: Mutex<(ProtocolChecker, u64)>,
    output: Arc<O>,
}

impl<O: ConversationOutput> LiveCheck<O> {
    pub(super) fn new(output: Arc<O>) -> Self {
        Self { checker: Mutex::default(), output }
    }

    /// How many breaches there were.
    pub(super) fn breaches(&self) -> u64 {
        self.checker.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    fn check(&self, check: impl FnOnce(&mut ProtocolChecker)) {
        let mut checker = self.checker.lock().unwrap_or_else(PoisonError::into_inner);
        let (state, count) = &mut *checker;
        check(state);
        let breaches: Vec<_> = std::iter::from_fn(|| state.next_breach()).collect();
        *count += breaches.len() as u64;
        drop(checker);
        breaches.iter().for_each(|breach| self.output.breach(breach));
    }
}

impl<O: ConversationOutput> Observer for LiveCheck<O> {
    fn request(&self, input: &RunAgentInput) {
        self.check(|checker| checker.request(input));
    }

    fn frame(&self, frame: &Frame) {
        self.check(|checker| checker.accept_frame(frame));
    }

    fn response_ended(&self, end: ResponseEnd<'_>) {
        self.check(|checker| match end {
            ResponseEnd::Complete => checker.end_of_response(),
            ResponseEnd::Broken(_) | ResponseEnd::Abandoned => checker.abandon_response(),
        });
    }
}
