//! The client: a conversation with one agent.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom_command::CommandAccess;
use futures_util::{Stream, StreamExt};

use crate::builder::ClientBuilder;
use crate::connection::Canceller;
use crate::conversation::{Conversation, Message};
use crate::transport::Transport;
use crate::turn::TurnDriver;
use crate::update::Update;

/// A conversation with an agent that may use commands.
///
/// [`send_text`](Client::send_text) adds a message of the user. Then [`next`](Client::next) is awaited until it returns
/// `None`: the agent runs, its calls run while it still sends, and their answers are sent with a follow-up run, until a
/// run leaves nothing to answer. The last update of a turn is [`Update::TurnEnded`].
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
/// A call to an offered tool runs as soon as it is closed, beside all others: a call that waits for the user delays
/// neither other calls nor the reading of events. The tools are listed again for each run. Each call is answered
/// exactly once. Which side answers it is decided when it closes: if its tool is offered, the client does; a result
/// that the agent's backend reports later is ignored, and shown as [`Update::Problem`]. A call to a tool that is not
/// offered is left to the backend until the run ends.
///
/// A call that the end of a run binds to an interrupt belongs to the agent for the rest of the turn. It does not run,
/// and an open question about it is withdrawn. If it ran before the run ended, it keeps its answer, and the interrupt
/// is resolved with the outcome instead of a question.
///
/// # How a turn ends
///
/// [`TurnEnd`](crate::TurnEnd) says why. After a cancelled or failed turn the conversation is complete: each call has an
/// answer, and [`send_text`](Client::send_text) or [`resume`](Client::resume) continues it.
pub struct Client {
    pub(crate) driver: TurnDriver,
}

impl Client {
    /// Builder for a client that offers the agent the commands that `access` can reach.
    pub fn builder(
        transport: impl Transport + 'static,
        access: impl CommandAccess + 'static,
    ) -> ClientBuilder {
        ClientBuilder::new(transport, access)
    }

    /// Adds a message of the user. A turn begins when [`next`](Client::next) is called. If a turn has already begun,
    /// its next run sends the text. If that turn is cancelled or fails, another turn follows.
    pub fn send_text(&mut self, text: impl Into<String>) {
        self.driver.state.conversation.send_text(text);
        self.resume();
    }

    /// Adds a message of any kind, and begins a turn as [`send_text`](Client::send_text) does.
    pub fn push(&mut self, message: Message) {
        self.driver.state.conversation.push(message);
        self.resume();
    }

    /// Begins a turn without a new message, to continue a stored conversation or to repeat after a failed turn. A
    /// complete conversation gets a run too.
    pub fn resume(&mut self) {
        self.driver.set_due();
    }

    /// The next update of the turn, or `None` after its end. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Update> {
        StreamExt::next(self).await
    }

    /// The conversation so far.
    pub fn conversation(&self) -> &Conversation {
        &self.driver.state.conversation
    }

    /// The conversation, to change what is sent besides its messages. A change does not begin a turn.
    pub fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.driver.state.conversation
    }

    /// Returns the conversation for storage. A turn that has not ended is cancelled, so that each call has an answer.
    pub fn into_conversation(mut self) -> Conversation {
        if self.driver.phase.is_some() {
            self.driver.cancel();
        }
        self.driver.state.conversation
    }

    /// The id of the current turn, or of the last one: the id of its first run. Records of the turn's calls have it as
    /// [`CallOrigin::turn_id`](drawloom_command::CallOrigin::turn_id). `None` before the first run.
    pub fn turn_id(&self) -> Option<&str> {
        self.driver.state.tools.turn_id()
    }

    /// The access through which commands are invoked.
    pub fn access(&self) -> &Arc<dyn CommandAccess> {
        self.driver.state.tools.access()
    }

    /// A handle that cancels the turn from anywhere: from a button, a signal or another thread.
    pub fn canceller(&self) -> Canceller {
        self.driver.connection.clone()
    }
}

impl Stream for Client {
    type Item = Update;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Update>> {
        self.get_mut().driver.poll_update(cx)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("thread_id", &self.conversation().thread_id())
            .field("tools", &self.driver.state.tools)
            .field("phase", &self.driver.phase)
            .finish_non_exhaustive()
    }
}
