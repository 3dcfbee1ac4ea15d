//! What the adapter reads of an agent's events.
//!
//! Nothing here judges an event: what is not about a call or a run is [`Event::Other`], and so is an event that lacks
//! what it needs. What calls come out of the events is the assembler's business.

mod lenient;
#[cfg(test)]
mod properties;
mod read;
mod salvage;
#[cfg(test)]
pub(crate) mod short;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

/// One event of an AG-UI stream, as far as calls are concerned. It borrows from the text it was read from where the
/// text needs no unescaping.
///
/// Reading is lenient, because agents are: `type` may stand anywhere, a null or a value of another kind than expected
/// is as good as absent, and so is an empty id or name. Unknown fields and events are passed over, however large or
/// deep. Where a field stands twice the last one counts, as it does for a JavaScript client; where `type` stands twice
/// with different values the event is [`Event::Other`].
///
/// ```
/// use drawloom_ag_ui::Event;
///
/// let event = Event::parse(r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"path\":"}"#)?;
/// assert_eq!(event, Event::ToolCallArgs { id: "call_1".into(), delta: "{\"path\":".into() });
/// # Ok::<(), drawloom_ag_ui::EventError>(())
/// ```
///
/// An event can also be a part of something larger, borrowing from that:
///
/// ```
/// use drawloom_ag_ui::Event;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Recorded<'a> {
///     at: u64,
///     #[serde(borrow)]
///     event: Event<'a>,
/// }
///
/// let recorded: Recorded = serde_json::from_str(r#"{"at":7,"event":{"type":"RUN_ERROR","message":"…"}}"#)?;
/// assert_eq!(recorded.event, Event::RunError);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A run began. An id the agent left out is empty.
    RunStarted {
        /// The conversation the run belongs to.
        thread_id: Cow<'a, str>,
        /// The run.
        run_id: Cow<'a, str>,
    },
    /// The run ended, and not in an error.
    RunFinished {
        /// How it ended.
        outcome: RunOutcome<'a>,
    },
    /// The run ended in an error.
    RunError,
    /// A call begins; its arguments follow.
    ToolCallStart {
        /// The call.
        id: Cow<'a, str>,
        /// The tool it calls.
        name: Cow<'a, str>,
    },
    /// The next piece of a call's arguments.
    ToolCallArgs {
        /// The call.
        id: Cow<'a, str>,
        /// The piece. Empty where the agent sent none.
        delta: Cow<'a, str>,
    },
    /// A call's arguments are complete.
    ToolCallEnd {
        /// The call.
        id: Cow<'a, str>,
    },
    /// A call, or a part of one, in the form that needs no end.
    ToolCallChunk {
        /// The call. None in a chunk that goes on with the one before.
        id: Option<Cow<'a, str>>,
        /// The tool it calls.
        name: Option<Cow<'a, str>>,
        /// The next piece of its arguments.
        delta: Option<Cow<'a, str>>,
    },
    /// The agent's own backend answered a call.
    ToolCallResult {
        /// The call.
        id: Cow<'a, str>,
    },
    /// The conversation as the agent sees it.
    MessagesSnapshot {
        /// The calls that a tool message in it answers.
        answered: Vec<Cow<'a, str>>,
    },
    /// Anything else.
    Other,
}

/// How a run ended that did not end in an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunOutcome<'a> {
    /// It did what it set out to do. Also where the agent does not say.
    #[default]
    Success,
    /// It waits for a person. Holds the ids of the calls it waits over: those are answered by resuming the run.
    Interrupted(Vec<Cow<'a, str>>),
    /// It was cancelled.
    Cancelled,
    /// It ended in a way this version does not know, which is not taken for a success.
    Unknown,
}

/// The text is no event: it is not a JSON object.
///
/// ```
/// let error = drawloom_ag_ui::Event::parse("[1]").unwrap_err();
/// assert_eq!(error.to_string(), "an event must be a JSON object, and this is not one (line 1, column 0)");
/// ```
#[derive(Debug, thiserror::Error)]
#[error(
    "an event must be a JSON object, and this is not one (line {}, column {})",
    self.line(), self.column()
)]
#[non_exhaustive]
pub struct EventError {
    source: serde_json::Error,
}

impl EventError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        "not-an-object"
    }

    /// The line of the text the trouble is in, from 1.
    pub fn line(&self) -> usize {
        self.source.line()
    }

    /// The column the trouble is in, from 1; 0 where it is in no particular one.
    pub fn column(&self) -> usize {
        self.source.column()
    }
}

impl<'a> Event<'a> {
    /// Reads one event, in one pass over its text.
    ///
    /// A `\ud800` that is half of a character and stands alone, as JavaScript can write it, reads as U+FFFD: every
    /// JavaScript peer that encodes such a text does the same. (Through `Deserialize` it is serde_json's error.)
    ///
    /// # Errors
    /// [`EventError`] where the text is not one JSON object. No object is an error, however odd.
    pub fn parse(text: &'a str) -> Result<Self, EventError> {
        serde_json::from_str(text)
            .or_else(|source| salvage::event(text).map_err(|_also_no_object| EventError { source }))
    }

    /// The event on its own, owing nothing to the text it was read from.
    pub fn into_owned(self) -> Event<'static> {
        match self {
            Self::RunStarted { thread_id, run_id } => {
                Event::RunStarted { thread_id: owned(thread_id), run_id: owned(run_id) }
            }
            Self::RunFinished { outcome } => Event::RunFinished { outcome: outcome.into_owned() },
            Self::RunError => Event::RunError,
            Self::ToolCallStart { id, name } => Event::ToolCallStart { id: owned(id), name: owned(name) },
            Self::ToolCallArgs { id, delta } => Event::ToolCallArgs { id: owned(id), delta: owned(delta) },
            Self::ToolCallEnd { id } => Event::ToolCallEnd { id: owned(id) },
            Self::ToolCallChunk { id, name, delta } => {
                Event::ToolCallChunk { id: id.map(owned), name: name.map(owned), delta: delta.map(owned) }
            }
            Self::ToolCallResult { id } => Event::ToolCallResult { id: owned(id) },
            Self::MessagesSnapshot { answered } => {
                Event::MessagesSnapshot { answered: answered.into_iter().map(owned).collect() }
            }
            Self::Other => Event::Other,
        }
    }
}

impl RunOutcome<'_> {
    /// The outcome on its own, owing nothing to the text it was read from.
    pub fn into_owned(self) -> RunOutcome<'static> {
        match self {
            Self::Success => RunOutcome::Success,
            Self::Interrupted(calls) => RunOutcome::Interrupted(calls.into_iter().map(owned).collect()),
            Self::Cancelled => RunOutcome::Cancelled,
            Self::Unknown => RunOutcome::Unknown,
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

impl<'de: 'a, 'a> Deserialize<'de> for Event<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(read::EventVisitor)
    }
}
