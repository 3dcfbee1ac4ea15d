//! The client: one connection to one agent, and the conversation on it.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_ag_ui::CommandTools;
use drawloom_command::CommandAccess;
use futures_util::{Stream, StreamExt};

use crate::builder::ClientBuilder;
use crate::connection::Canceller;
use crate::conversation::Conversation;
use crate::limits::RunLimits;
use crate::prompts::Prompts;
use crate::transport::Transport;
use crate::turn::TurnState;
use crate::update::Update;
use crate::wire::Message;

/// A conversation with an agent that may use commands.
///
/// Something is said with [`send_text`](Client::send_text), and then [`next`](Client::next) is awaited until it answers nothing: the
/// agent runs, its calls are run while it still speaks, their answers go back in a follow-up run, and so on until a run
/// leaves nothing to answer. The last update of a turn is [`Update::TurnEnded`].
///
/// ```
/// use drawloom_client::{Client, TurnEnd, RunAgentInput, InProcessAgent, Update};
/// use futures::stream;
/// # use drawloom_command::{CommandAccess, PendingCall};
/// # fn check(copilot: impl CommandAccess + 'static) {
///
/// let agent = InProcessAgent::new(|input: RunAgentInput| {
///     let run = input.run_id;
///     stream::iter([
///         r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#.to_owned(),
///         format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{run}"}}"#),
///     ])
/// });
/// let mut client = Client::builder(agent, copilot).build();
/// client.send_text("Hi!");
/// # futures::executor::block_on(async {
/// let mut last = None;
/// while let Some(update) = client.next().await {
///     last = Some(update);
/// }
/// assert_eq!(last, Some(Update::TurnEnded { end: TurnEnd::Completed }));
/// assert_eq!(client.conversation().message("m1").and_then(|message| message.text()), Some("Hello."));
/// # });
/// # }
/// ```
///
/// # Which calls run
///
/// A call to an offered tool runs as soon as it is closed, beside all others: one that waits for a person holds up
/// neither the others nor the reading. What the tools are is asked anew for each run. Each call is answered exactly
/// once; one that the agent's own backend answers, in the stream or in a snapshot, is left to it, and so is a call to a
/// tool that was not offered, until the run ends without an answer to it. A call that only a snapshot shows, offered and
/// unanswered, runs when the run ends.
///
/// A call that the end of the run binds to an interrupt is the agent's: it is not run, and one that still waits for the
/// person is taken back. A call streams before the run's end tells, though: an offered one that nobody needed to be
/// asked about has run by then. Agents interrupt over tools of their own, which are not run here anyway. It stays the
/// agent's for the whole turn: that a snapshot shows it again does not run it.
///
/// # Where a turn ends
///
/// [`TurnEnd`](crate::TurnEnd) says why. After a cancelled or failed turn the conversation is whole: each call has an
/// answer, and [`send_text`](Client::send_text) or [`resume`](Client::resume) takes it up again.
pub struct Client {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) tools: CommandTools,
    pub(crate) prompts: Prompts,
    pub(crate) conversation: Conversation,
    pub(crate) follow_ups: u32,
    pub(crate) limits: RunLimits,
    pub(crate) tap: Option<Tap>,
    pub(crate) connection: Canceller,
    pub(crate) version: Version,
    /// Whether something was said that no run was sent yet.
    pub(crate) is_due: bool,
    pub(crate) turn: Option<TurnState>,
    pub(crate) updates: VecDeque<Update>,
}

/// What is shown every event.
pub(crate) type Tap = Box<dyn FnMut(&str) + Send>;

/// Whether the agent is told the version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// It is, and an agent that rejects the first run may do so for that reason.
    Untested,
    /// It is, and the agent accepts it.
    Accepted,
    /// The agent does not accept it.
    Omitted,
}

impl Client {
    /// Starts building a client that offers the agent what `access` may reach.
    pub fn builder(
        transport: impl Transport + 'static,
        access: impl CommandAccess + 'static,
    ) -> ClientBuilder {
        ClientBuilder::new(transport, access)
    }

    /// The person says something. A turn begins with the next update that is asked for; where one is going on, this
    /// goes out with its next run, and where that one was cancelled or fails, a turn of its own follows it.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.conversation.send_text(text);
        self.resume();
    }

    /// Adds a message of any kind, and begins a turn as [`send_text`](Client::send_text) does.
    pub fn push(&mut self, message: Message) {
        self.conversation.push(message);
        self.resume();
    }

    /// Begins a turn without a word: for a conversation that was taken up, or a turn that failed. Where the conversation
    /// is at rest, that is a run all the same.
    pub fn resume(&mut self) {
        // What was cancelled is what was going on before.
        if self.turn.is_some() && self.connection.is_cancelled() {
            self.cancelled();
        }
        if self.turn.is_none() {
            self.connection.reset();
            // A turn does not begin with the end of the turn before it.
            self.updates.retain(|update| !matches!(update, Update::TurnEnded { .. }));
        }
        self.is_due = true;
    }

    /// The next update of the turn, or nothing once it is over. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Update> {
        StreamExt::next(self).await
    }

    /// The conversation so far.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The conversation, to set what is sent besides its messages. What is said to it begins no turn.
    pub fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    /// The conversation, to be kept. A turn that is going on is cancelled, so that each call has an answer.
    pub fn into_conversation(mut self) -> Conversation {
        if self.turn.is_some() {
            self.cancelled();
        }
        self.conversation
    }

    /// What the commands are reached through.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        self.tools.access()
    }

    /// What cancels the turn, from wherever: a button, a signal, another thread.
    pub fn canceller(&self) -> Canceller {
        self.connection.clone()
    }
}

impl Stream for Client {
    type Item = Update;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Update>> {
        self.get_mut().poll_update(cx)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("thread_id", &self.conversation.thread_id())
            .field("tools", &self.tools)
            .field("turn", &self.turn)
            .finish_non_exhaustive()
    }
}
