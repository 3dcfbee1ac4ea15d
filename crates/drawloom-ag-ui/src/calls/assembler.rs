//! The ledger for those who need nothing but calls: events in, closed calls out.

#[cfg(test)]
mod tests;

use super::incomplete::IncompleteCall;
use super::ledger::{Ledger, Offered, Treatment, UnofferedCalls};
use super::limits::AssemblerLimits;
use super::report::Report;
use crate::protocol::{Event, ToolCallId};

/// Puts an agent's calls together from its events, and says of each that may not run why not.
///
/// Give it every event with [`accept`](Self::accept), and take the calls that came out of it with
/// [`next_call`](Self::next_call) until there is none: an event completes no call, one, or, where it ends a run, many. It
/// has no I/O, no clock and no executor.
///
/// ```
/// use drawloom_ag_ui::{AssemblerLimits, Event, ToolCallAssembler};
///
/// let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
/// for text in [
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
///     r#"{"type":"TOOL_CALL_START","toolCallId":"call_1","toolCallName":"notes__open"}"#,
///     r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"path\":"}"#,
///     r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"\"inbox\"}"}"#,
/// ] {
///     assembler.accept(&Event::parse(text)?);
///     assert_eq!(assembler.next_call(), None);
/// }
/// assembler.accept(&Event::parse(r#"{"type":"TOOL_CALL_END","toolCallId":"call_1"}"#)?);
///
/// let call = assembler.next_call().unwrap();
/// assert_eq!(call.id, "call_1");
/// assert_eq!(call.name, "notes__open");
/// assert_eq!(call.arguments.as_deref(), Ok(r#"{"path":"inbox"}"#));
/// assert_eq!(assembler.next_call(), None);
/// # Ok::<(), drawloom_ag_ui::EventError>(())
/// ```
///
/// # Which calls come out
///
/// Every call that the agent opened comes out exactly once, complete or with the reason why it may not run, except one
/// that the agent's backend answered before it closed, and one that an interrupt is bound to. A run that is sent again
/// does not bring its calls out again. The cost is linear in the bytes received, however they are split.
#[derive(Debug)]
pub struct ToolCallAssembler {
    ledger: Ledger,
}

/// A call that is closed, and needs one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssembledCall {
    /// The id to answer under.
    pub id: ToolCallId,
    /// The tool that it calls, as the agent spelled it; empty if the agent named none. A name of more than 1,024 bytes is
    /// cut there: no tool is named so.
    pub name: String,
    /// The text of the arguments, or why the call may not run. The text is whatever the agent sent, and may be empty.
    pub arguments: Result<String, IncompleteCall>,
}

impl ToolCallAssembler {
    /// An assembler that has seen nothing yet.
    pub fn new(limits: AssemblerLimits) -> Self {
        Self { ledger: Ledger::new(limits, UnofferedCalls::Refuse) }
    }

    /// Takes the next event.
    pub fn accept(&mut self, event: &Event<'_>) {
        self.ledger.accept(event);
        self.decide();
    }

    /// Takes note that a frame or a line could not be read, which may have been any event. The calls that are open do not
    /// run.
    pub fn frame_lost(&mut self, problem: impl Into<String>) {
        self.ledger.frame_lost(problem.into());
    }

    /// Takes the end of the events. A stream that ends within a run did not succeed, so every open call is refused.
    pub fn end_of_stream(&mut self) {
        self.ledger.end_of_stream();
        self.decide();
    }

    /// The next call that came out, in order. Calls wait here until they are taken.
    pub fn next_call(&mut self) -> Option<AssembledCall> {
        let call = self.ledger.first_due(0).and_then(|key| self.ledger.give_away(key))?;
        let arguments = match call.treatment {
            Treatment::Run { arguments } => Ok(arguments),
            Treatment::Unoffered { .. } if call.tool.is_empty() => Err(IncompleteCall::Nameless),
            Treatment::Unoffered { .. } | Treatment::NoResult { .. } => Err(IncompleteCall::NoResultReported),
            Treatment::Refuse(reason) => Err(reason),
        };
        Some(AssembledCall { id: call.id, name: call.tool, arguments })
    }

    /// The next loss that nobody was told of.
    pub fn next_report(&mut self) -> Option<Report> {
        self.ledger.next_report()
    }

    /// How many calls are open: begun, and neither out nor answered by the agent's backend.
    pub fn open_calls(&self) -> usize {
        self.ledger.open_calls()
    }

    /// Here every tool counts as offered.
    fn decide(&mut self) {
        while self.ledger.undecided().is_some() {
            self.ledger.decide(Offered::Yes);
        }
    }
}
