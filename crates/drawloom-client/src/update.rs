//! What the product sees of a turn: enough to draw the conversation while it arrives.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use drawloom_ag_ui::protocol::Resume;
use drawloom_ag_ui::{ToolCallId, ToolMessage};
use drawloom_command::PendingCall;
use serde::Serialize;

use crate::conversation::{Interrupt, Message};
use crate::transport::TransportError;

/// Something happened in a turn.
///
/// Its serialised form has a `type`, so that it can go to a user interface as it is:
///
/// ```
/// use drawloom_client::Update;
///
/// let update = Update::Text {
///     message_id: "m1".into(),
///     role: "assistant".into(),
///     subagent_run_id: None,
///     delta: "Hello".into(),
/// };
/// assert_eq!(
///     serde_json::to_string(&update)?,
///     r#"{"type":"text","messageId":"m1","role":"assistant","delta":"Hello"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Update {
    /// A run was started, or the agent began another one in the same stream.
    RunStarted {
        /// The run, by the id it was started under.
        run_id: String,
    },
    /// A text begins or continues. What has come so far is [`Conversation::message`](crate::Conversation::message).
    Text {
        /// The message it is the text of.
        message_id: String,
        /// Who it is from.
        role: String,
        /// The subagent that it comes from. None is the agent itself. Texts of several of them may alternate.
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<String>,
        /// The next piece. Empty if the text only begins.
        delta: String,
    },
    /// A call begins.
    CallOpened {
        /// The call.
        call_id: ToolCallId,
        /// The tool it calls.
        tool: String,
        /// Whether that is one of the offered tools. Other calls are the agent's own, and only shown.
        offered: bool,
    },
    /// A piece of a call's arguments. What has come so far is [`Conversation::call`](crate::Conversation::call).
    CallArguments {
        /// The call.
        call_id: ToolCallId,
        /// The next piece of the text.
        delta: String,
    },
    /// The person is being asked about a call: a command's, or one of the agent's own that needs approval.
    Asked {
        /// The call.
        call: PendingCall,
    },
    /// A call was let through and is passed to the workbench.
    Running {
        /// The call, with the arguments it runs with.
        call: PendingCall,
    },
    /// A call was answered here. The agent gets it with the next run.
    Answered {
        /// The answer.
        message: ToolMessage,
    },
    /// A call was answered by the agent's own backend.
    AnsweredByBackend {
        /// The answer.
        message: Box<Message>,
    },
    /// The agent sent the whole conversation again: draw it again.
    Snapshot,
    /// The agent asks something before it continues.
    Interrupted {
        /// The question.
        interrupt: Box<Interrupt>,
    },
    /// The person's answer to a question of the agent does not match the schema that the agent gave. It is not sent: the
    /// question is asked again, and after several such answers the agent is told that nobody answered.
    AnswerRejected {
        /// The question.
        interrupt_id: String,
        /// What does not match, in words for the person.
        problem: String,
    },
    /// A question of the agent has its answer, which is sent with the next run.
    Resumed {
        /// The question.
        interrupt_id: String,
        /// The answer. None if the question expired first.
        resume: Option<Resume>,
    },
    /// Something that the agent sent could not be read or had no effect. If it was an event that may belong to a call, the
    /// call does not run.
    Problem {
        /// Which frame of the run, from 1.
        frame: u64,
        /// A stable name for the kind of problem, as [`Report::code`](drawloom_ag_ui::Report::code) has it.
        code: &'static str,
        /// What is wrong, in words.
        problem: String,
    },
    /// An interrupt is bound to a call that was being decided about, or that was refused or declined: the question about it
    /// or its answer is taken back.
    Withdrawn {
        /// The call.
        call_id: ToolCallId,
    },
    /// An event that the client does not act on: state, steps, reasoning, activity, custom events and later types.
    Other {
        /// The event's type.
        kind: String,
        /// The event, as JSON text.
        event: String,
    },
    /// The run that began last ended. Each run ends once: if it reports a failure after that, it is in [`Update::TurnEnded`].
    RunFinished {
        /// The run, by the id it was started under.
        run_id: String,
        /// How it ended.
        outcome: RunEnd,
    },
    /// The turn is over. Nothing comes after it until the next turn is begun.
    TurnEnded {
        /// Why.
        end: TurnEnd,
    },
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[non_exhaustive]
pub enum RunEnd {
    /// It completed.
    Success,
    /// The agent waits for answers to what it asks.
    Interrupt,
    /// It was cancelled, by the agent or here.
    Cancelled,
    /// It ended in a way that this version does not know.
    Unknown,
    /// The agent says that it failed.
    Error {
        /// Why.
        message: String,
        /// A name for it.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
}

/// Why a turn is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum TurnEnd {
    /// The last run left nothing to answer.
    #[error("the conversation is completed")]
    Completed,
    /// It was cancelled here.
    #[error("the turn was cancelled")]
    Cancelled,
    /// The agent cancelled its run.
    #[error("the agent cancelled the run")]
    CancelledByAgent,
    /// The agent needed more runs than it may have.
    #[error("the agent did not complete the conversation within {follow_ups} follow-up runs")]
    TooManyRuns {
        /// How many follow-up runs it had.
        follow_ups: u32,
    },
    /// The agent says that its run failed.
    #[error("the agent's run failed: {message}")]
    AgentFailed {
        /// Why.
        message: String,
        /// A name for it.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// The agent could not be reached, or its events stopped.
    #[error("{message}")]
    ConnectionFailed {
        /// A stable name for the kind of error, as [`TransportError::code`] has it.
        code: &'static str,
        /// What went wrong.
        message: String,
    },
}

impl TurnEnd {
    /// Whether nothing went wrong: the turn was completed, or was cancelled here.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}

impl From<TransportError> for TurnEnd {
    fn from(error: TransportError) -> Self {
        Self::ConnectionFailed { code: error.code(), message: error.to_string() }
    }
}

/// The updates of the hooks and prompts, which run on their own, until the client shows them.
#[derive(Debug, Default)]
pub(crate) struct UpdateQueue {
    // INVARIANT: set while the queue has updates, so that an empty one is not locked for each event.
    has_updates: AtomicBool,
    updates: Mutex<VecDeque<Update>>,
}

impl UpdateQueue {
    pub(crate) fn push(&self, update: Update) {
        let mut updates = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        updates.push_back(update);
        self.has_updates.store(true, Ordering::Release);
    }

    /// Takes all updates.
    pub(crate) fn take(&self) -> VecDeque<Update> {
        if !self.has_updates.load(Ordering::Acquire) {
            return VecDeque::new();
        }
        let mut updates = self.updates.lock().unwrap_or_else(PoisonError::into_inner);
        self.has_updates.store(false, Ordering::Release);
        std::mem::take(&mut updates)
    }
}
