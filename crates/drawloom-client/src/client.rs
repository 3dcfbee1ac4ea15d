//! The client: one connection to one agent, and the conversation on it.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::SystemTime;

use drawloom_ag_ui::{CommandTools, ErrorPlacement, UnofferedCalls};
use drawloom_command::{BeforeCall, CommandAccess, PendingCall};
use drawloom_consent::{Confirm, Confirmation, ConsentPolicy, ConsentPolicyBuilder};
use futures_util::task::AtomicWaker;
use futures_util::{Stream, StreamExt};

use crate::conversation::Conversation;
use crate::limits::RunLimits;
use crate::person::{Announced, AskForInput, Before, Person};
use crate::transport::Transport;
use crate::turn::Turn;
use crate::update::Update;
use crate::wire::Message;

/// How many runs may follow the first one of a turn.
const FOLLOW_UPS: u32 = 8;

/// A conversation with an agent that may use commands.
///
/// Something is said with [`send_text`](Client::send_text), and then [`next`](Client::next) is awaited until it answers nothing: the
/// agent runs, its calls are run while it still speaks, their answers go back in a follow-up run, and so on until a run
/// leaves nothing to answer. The last update of a turn is [`Update::Ended`].
///
/// ```
/// use drawloom_client::{Client, Ending, RunAgentInput, ScriptedAgent, Update};
/// use futures::stream;
/// # use drawloom_command::{CommandAccess, PendingCall};
/// # fn check(copilot: impl CommandAccess + 'static) {
///
/// let agent = ScriptedAgent::new(|input: RunAgentInput| {
///     let run = input.run_id;
///     stream::iter([
///         r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#.to_owned(),
///         format!(r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"{run}"}}"#),
///     ])
/// });
/// let mut client = Client::new(agent, copilot);
/// client.send_text("Hi!");
/// # futures::executor::block_on(async {
/// let mut last = None;
/// while let Some(update) = client.next().await {
///     last = Some(update);
/// }
/// assert_eq!(last, Some(Update::Ended { ending: Ending::Completed }));
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
/// [`Ending`](crate::Ending) says why. After a cancelled or failed turn the conversation is whole: each call has an
/// answer, and [`send_text`](Client::send_text) or [`resume`](Client::resume) takes it up again.
pub struct Client {
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) tools: CommandTools,
    before: Option<Before>,
    pub(crate) person: Person,
    pub(crate) conversation: Conversation,
    pub(crate) follow_ups: u32,
    pub(crate) limits: RunLimits,
    pub(crate) tap: Option<Tap>,
    pub(crate) cancelling: Canceller,
    pub(crate) version: Version,
    /// Whether something was said that no run has taken up.
    pub(crate) is_due: bool,
    pub(crate) turn: Option<Turn>,
    pub(crate) updates: VecDeque<Update>,
}

/// Who is shown every event.
pub(crate) type Tap = Box<dyn FnMut(&str) + Send>;

/// Whether the version of the protocol is said to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// It is, and an agent that rejects the first run may do so for that.
    Try,
    /// It is, and the agent takes it.
    Said,
    /// The agent does not take it.
    LeftOut,
}

impl Client {
    /// A client that offers the agent what `access` may reach.
    ///
    /// What a command states about an agent's word holds from the start: until [`Client::confirm`] says who is asked,
    /// there is nobody to ask, and a command that states `ask` or `ask-always` does not run.
    ///
    /// It does what live agents need: words of a refusal or a failure are in `content` as well as in `error`, because
    /// most backends drop the one, and calls to tools never offered are left to the agent's backend.
    pub fn new(transport: impl Transport + 'static, access: impl CommandAccess + 'static) -> Self {
        let tools = CommandTools::new(access)
            .unoffered_calls(UnofferedCalls::LeaveToBackend)
            .error_placement(ErrorPlacement::ErrorAndContent);
        let mut client = Self::with_tools(transport, tools);
        let nobody = |_: PendingCall| async { Confirmation::Errored("there is nobody to ask".to_owned()) };
        client.hooks().policy = Some(Arc::new(ConsentPolicy::new(nobody)));
        client.hooked()
    }

    /// A client over an adapter of the product's own making, for one with hooks or options of its own.
    ///
    /// The adapter is taken as it is, so nothing of [`Client::new`] holds but what it was made with: no command is asked
    /// about unless its hook does so, [`Update::Running`] is not told of, and what most agents need is for the adapter's
    /// options to say (see [`UnofferedCalls::LeaveToBackend`] and [`ErrorPlacement::ErrorAndContent`]). [`Client::before`] puts a hook
    /// before the adapter's own, and [`Client::confirm`] a policy behind it: nothing takes it away.
    pub fn with_tools(transport: impl Transport + 'static, tools: CommandTools) -> Self {
        Self {
            transport: Arc::new(transport),
            tools,
            before: None,
            person: Person::new(),
            conversation: Conversation::new(),
            follow_ups: FOLLOW_UPS,
            limits: RunLimits::default(),
            tap: None,
            cancelling: Canceller::default(),
            version: Version::Try,
            is_due: false,
            turn: None,
            updates: VecDeque::new(),
        }
    }

    /// Asks the person in this way: about commands that state so, through a [`ConsentPolicy`] of this client, and about
    /// what the agent wants approved.
    ///
    /// [`PendingCall::approval`] tells the two apart: it is there where the agent asks, with its words. A dialog that nobody
    /// looks at any more answers [`Confirmation::Cancelled`] instead of a no.
    ///
    /// ```
    /// use drawloom_client::{Client, Transport};
    /// use drawloom_command::{CommandAccess, PendingCall};
    /// use drawloom_consent::Confirmation;
    /// use futures::channel::{mpsc, oneshot};
    ///
    /// type Question = (PendingCall, oneshot::Sender<bool>);
    ///
    /// /// Questions go to whoever shows dialogs.
    /// fn ask(client: Client, dialogs: mpsc::UnboundedSender<Question>) -> Client {
    ///     client.confirm(move |call: PendingCall| {
    ///         let (answer, answered) = oneshot::channel();
    ///         let _ = dialogs.unbounded_send((call, answer));
    ///         async move { answered.await.map_or(Confirmation::Cancelled, Confirmation::from) }
    ///     })
    /// }
    /// ```
    #[must_use]
    pub fn confirm(self, confirm: impl Confirm + 'static) -> Self {
        self.confirm_with(confirm, |policy| policy)
    }

    /// Like [`Client::confirm`], with a policy that is set further: its words
    /// ([`ConsentPolicyBuilder::wording`]) or how long the person may take ([`ConsentPolicyBuilder::deadline`]).
    #[must_use]
    pub fn confirm_with(
        mut self,
        confirm: impl Confirm + 'static,
        set: impl FnOnce(ConsentPolicyBuilder) -> ConsentPolicyBuilder,
    ) -> Self {
        let announced = self.announced(confirm);
        self.hooks().policy = Some(Arc::new(set(ConsentPolicy::builder(announced.clone())).build()));
        self.person.confirm = Some(announced);
        self.hooked()
    }

    /// Asks the person in this way about what the agent wants approved, and leaves commands as they are: for an adapter
    /// with a policy of its own ([`Client::with_tools`]). Of a client from [`Client::new`], commands that ask still find
    /// nobody.
    #[must_use]
    pub fn confirm_interrupts(mut self, confirm: impl Confirm + 'static) -> Self {
        self.person.confirm = Some(self.announced(confirm));
        self
    }

    fn announced(&self, confirm: impl Confirm + 'static) -> Arc<Announced> {
        Arc::new(Announced { confirm: Arc::new(confirm), told: self.person.told.clone() })
    }

    /// Answers what the agent asks that no yes or no answers: `input_required`, and whatever this version does not know.
    #[must_use]
    pub fn input(mut self, input: impl AskForInput + 'static) -> Self {
        self.person.input = Some(Arc::new(input));
        self
    }

    /// Puts a hook in front of every call, before the person is asked. The arguments it changes are those the person is
    /// shown.
    #[must_use]
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hooks().hook = Some(Arc::new(hook));
        self.hooked()
    }

    /// Bounds how many runs may follow the first one of a turn. 8 unless said. A run that begins in the stream of another
    /// one counts.
    #[must_use]
    pub fn follow_ups(mut self, most: u32) -> Self {
        self.follow_ups = most;
        self
    }

    /// Bounds what the agent may send in one run.
    #[must_use]
    pub fn limits(mut self, limits: RunLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Tells the time by this clock, which decides whether a question of the agent has expired.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.person.clock = Arc::new(clock);
        self
    }

    /// Shows every event that comes in, in one line of JSON: to record a conversation, for instance, as
    /// [`Recorded`](crate::Recorded) reads it. A tap that panics is shown nothing more.
    #[must_use]
    pub fn tap(mut self, tap: impl FnMut(&str) + Send + 'static) -> Self {
        self.tap = Some(Box::new(tap));
        self
    }

    /// Takes up a conversation that was kept. Once [`send_text`](Client::send_text) or [`resume`](Client::resume) starts a turn, what the
    /// agent asked and nobody answered is asked. Calls to tools on offer that nobody answered are answered as ones that may
    /// have done a part of their work: nobody knows any more. [`Client::into_conversation`] leaves none.
    #[must_use]
    pub fn with_conversation(mut self, conversation: Conversation) -> Self {
        self.conversation = conversation;
        self
    }

    fn hooks(&mut self) -> &mut Before {
        let told = &self.person.told;
        let own = self.tools.hook();
        self.before.get_or_insert_with(|| Before {
            hook: None,
            own: own.cloned(),
            policy: None,
            told: told.clone(),
        })
    }

    fn hooked(mut self) -> Self {
        if let Some(before) = self.before.clone() {
            self.tools = self.tools.before(before);
        }
        self
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
        if self.turn.is_some() && self.cancelling.is_set() {
            self.cancelled();
        }
        if self.turn.is_none() {
            self.cancelling.unset();
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
        self.cancelling.clone()
    }
}

impl Stream for Client {
    type Item = Update;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Update>> {
        self.get_mut().poll_update(cx)
    }
}

/// Cancels a client's turn. The connection is closed, what runs is told by being dropped, each call is answered as
/// cancelled, and nothing further starts.
///
/// Cancelling where no turn is going on does nothing.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<Cancelling>);

#[derive(Debug, Default)]
struct Cancelling {
    is_set: AtomicBool,
    waker: AtomicWaker,
}

impl Canceller {
    /// Cancels the turn that is going on.
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Release);
        self.0.waker.wake();
    }

    /// Whether the turn is to end, with word to whoever polls once it is.
    pub(crate) fn is_cancelled(&self, cx: &Context<'_>) -> bool {
        self.0.waker.register(cx.waker());
        self.is_set()
    }

    fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::Acquire)
    }

    fn unset(&self) {
        self.0.is_set.store(false, Ordering::Release);
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
