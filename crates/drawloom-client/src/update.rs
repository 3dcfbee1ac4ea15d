//! The updates of a turn, from which an application displays the conversation while it arrives.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use drawloom_ag_ui::protocol::Resume;
use drawloom_ag_ui::{ToolCallId, ToolMessage};
use drawloom_command::{PendingCall, Progress};
use serde::Serialize;

use crate::conversation::{Interrupt, Message};
use crate::transport::TransportError;

/// Something happened in a turn.
///
/// Its serialised form has a `type`, so that it can be sent to a user interface unchanged:
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
        /// The id that the run was started with.
        run_id: String,
    },
    /// A text begins or continues. The text so far is in [`Conversation::message`](crate::Conversation::message).
    Text {
        /// The message that the text belongs to.
        message_id: String,
        /// The role of the sender.
        role: String,
        /// The subagent that sends the text, or `None` for the agent itself. Texts of several senders may alternate.
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_run_id: Option<String>,
        /// The next part of the text. Empty if the text only begins.
        delta: String,
    },
    /// A call begins.
    CallOpened {
        /// The call.
        call_id: ToolCallId,
        /// The tool that is called.
        tool: String,
        /// Whether the tool is offered by this client. Calls to other tools are only shown.
        offered: bool,
    },
    /// A part of a call's arguments. The arguments so far are in [`Conversation::call`](crate::Conversation::call).
    CallArguments {
        /// The call.
        call_id: ToolCallId,
        /// The next part of the arguments, as JSON text.
        delta: String,
    },
    /// The user is being asked about a call: a call to a command, or one of the agent's own calls that needs approval.
    Asked {
        /// The call.
        call: PendingCall,
    },
    /// A call was approved and is passed to the workbench.
    Running {
        /// The call, with the arguments that the command receives.
        call: PendingCall,
    },
    /// A command reports how far it has come. The latest report replaces those before it; none follows the answer.
    Progress {
        /// The call.
        call_id: ToolCallId,
        /// What the command reports.
        progress: Progress,
    },
    /// A call was answered here. The answer is sent to the agent with the next run.
    Answered {
        /// The answer.
        message: ToolMessage,
    },
    /// A call was answered by the agent's own backend.
    AnsweredByBackend {
        /// The answer.
        message: Box<Message>,
    },
    /// The agent sent the whole conversation again: display it from the beginning.
    Snapshot,
    /// The agent asks a question before it continues.
    Interrupted {
        /// The question.
        interrupt: Box<Interrupt>,
    },
    /// The user's answer to a question of the agent does not match the agent's schema, and is not sent. The question is
    /// asked again. After several such answers the agent is told that nobody answered.
    AnswerRejected {
        /// The question.
        interrupt_id: String,
        /// What does not match, as a text for the user.
        problem: String,
    },
    /// A question of the agent was answered. The answer is sent with the next run.
    Resumed {
        /// The question.
        interrupt_id: String,
        /// The answer. None if the question expired first.
        resume: Option<Resume>,
    },
    /// Something that the agent sent could not be read, or had no effect. If it was an event that may belong to a call,
    /// the call does not run.
    Problem {
        /// The number of the frame in the run, counted from 1.
        frame: u64,
        /// A stable name for the kind of problem, as [`Report::code`](drawloom_ag_ui::Report::code) has it.
        code: &'static str,
        /// A description of the problem.
        problem: String,
    },
    /// The agent bound an interrupt to a call that was waiting for a decision, or that was refused or declined. The
    /// question about the call, or its answer, is withdrawn.
    Withdrawn {
        /// The call.
        call_id: ToolCallId,
    },
    /// An event that the client does not act on: state, steps, reasoning, activity, custom events, and events of
    /// unknown types.
    Other {
        /// The event's type.
        kind: String,
        /// The event, as JSON text.
        event: String,
    },
    /// The run that began last has ended. This is shown once for each run. If a run fails after it has finished,
    /// [`Update::TurnEnded`] says so.
    RunFinished {
        /// The run, by the id it was started under.
        run_id: String,
        /// How it ended.
        outcome: RunEnd,
    },
    /// The turn has ended. No update follows until the next turn begins.
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
    /// The run finished successfully.
    Success,
    /// The agent waits for answers to its questions.
    Interrupt,
    /// The run was cancelled by the agent or by this client.
    Cancelled,
    /// The run ended with an outcome that this version does not know.
    Unknown,
    /// The agent reported that the run failed.
    Error {
        /// Why.
        message: String,
        /// A name for it.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
}

/// Why a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum TurnEnd {
    /// The last run left no call or question to answer.
    #[error("the conversation is complete")]
    Completed,
    /// The turn was cancelled by this client.
    #[error("the turn was cancelled")]
    Cancelled,
    /// The agent cancelled its run.
    #[error("the agent cancelled the run")]
    CancelledByAgent,
    /// The turn would have needed more runs than are allowed.
    #[error("the agent did not complete the turn within {follow_ups} follow-up runs")]
    TooManyRuns {
        /// The number of follow-up runs that are allowed.
        follow_ups: u32,
    },
    /// The agent reported that its run failed.
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
    /// A stable name for the kind of end. With the fields, a product can say it in its own words.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
            Self::CancelledByAgent => "cancelled-by-agent",
            Self::TooManyRuns { .. } => "too-many-runs",
            Self::AgentFailed { .. } => "agent-failed",
            Self::ConnectionFailed { .. } => "connection-failed",
        }
    }

    /// Whether the turn ended without an error: it was completed, or cancelled here.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled)
    }
}

impl From<TransportError> for TurnEnd {
    fn from(error: TransportError) -> Self {
        Self::ConnectionFailed { code: error.code(), message: error.to_string() }
    }
}

/// Queues the updates of the hooks and prompts, which run independently, until the client shows them.
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
