//! The configuration of a client. Once it is built, a client is not configured any more.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use drawloom_ag_ui::recording::Frame;
use drawloom_ag_ui::{CommandTools, CommandToolsBuilder, ErrorPlacement, UnofferedCalls};
use drawloom_command::{BeforeCall, CommandAccess, NullArguments, PendingCall};
use drawloom_consent::{Confirm, Confirmation, ConsentPolicy, ConsentPolicyBuilder};
use futures_util::stream::FuturesUnordered;

use crate::client::Client;
use crate::connection::Canceller;
use crate::conversation::Conversation;
use crate::hooks::HookChain;
use crate::interrupts::Questions;
use crate::limits::RunLimits;
use crate::prompts::{AskForInput, ObservedConfirm, Prompts};
use crate::run::Run;
use crate::state::{ClientState, Tap};
use crate::transport::Transport;
use crate::turn::{TurnDriver, Version};
use crate::update::UpdateQueue;

/// How many runs may follow the first one of a turn.
const FOLLOW_UPS: u32 = 8;

/// Builder for a [`Client`].
///
/// Whether an agent may run a command without asking the user, as the command states it, holds from the start: until
/// [`confirm`](ClientBuilder::confirm) sets how the person is asked, nobody can be asked, and a command that states
/// `ask` or `ask-always` does not run.
///
/// The defaults are those that live agents need: the text of a refusal or a failure is also in `content`, because most
/// backends drop `error`; calls to tools that were never offered are left to the agent's backend; and a null among the
/// arguments is read as an omitted argument.
#[must_use = "a builder does nothing until it builds"]
pub struct ClientBuilder {
    transport: Arc<dyn Transport>,
    tools: CommandToolsBuilder,
    asks_about_commands: bool,
    hooks: HookChain,
    confirm: Option<Arc<dyn Confirm>>,
    input: Option<Arc<dyn AskForInput>>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    conversation: Conversation,
    follow_ups: u32,
    limits: RunLimits,
    tap: Option<Tap>,
}

impl ClientBuilder {
    pub(crate) fn new(transport: impl Transport + 'static, access: impl CommandAccess + 'static) -> Self {
        let tools = CommandTools::builder(access)
            .unoffered_calls(UnofferedCalls::LeaveToBackend)
            .error_placement(ErrorPlacement::ErrorAndContent)
            .null_arguments(NullArguments::TreatAsAbsent);
        Self { asks_about_commands: true, ..Self::over(transport, tools) }
    }

    /// Starts building a client over an adapter with its own options.
    ///
    /// The adapter is taken as it is. None of the defaults of a client hold, and no command is asked about unless the
    /// adapter's hook or [`confirm`](ClientBuilder::confirm) does so. The adapter's hook stays: it is asked after
    /// [`before`](ClientBuilder::before) and before the policy.
    pub fn over(transport: impl Transport + 'static, tools: CommandToolsBuilder) -> Self {
        let hooks = HookChain {
            unoffered: None,
            hooks: tools.hook().cloned().into_iter().collect(),
            policy: None,
            queue: Arc::default(),
        };
        Self {
            transport: Arc::new(transport),
            tools,
            asks_about_commands: false,
            hooks,
            confirm: None,
            input: None,
            clock: Arc::new(SystemTime::now),
            conversation: Conversation::new(),
            follow_ups: FOLLOW_UPS,
            limits: RunLimits::default(),
            tap: None,
        }
    }

    /// Sets how the person is asked: about commands that state so, through a [`ConsentPolicy`] of this client, and about
    /// what the agent wants approved.
    ///
    /// [`PendingCall::approval`] tells the two apart: it is there if the agent asks, with its question. A dialog that was
    /// closed without an answer gives [`Confirmation::Cancelled`] instead of a no.
    ///
    /// ```
    /// use drawloom_client::{Client, ClientBuilder};
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::Confirmation;
    /// use futures::channel::{mpsc, oneshot};
    ///
    /// type Question = (PendingCall, oneshot::Sender<bool>);
    ///
    /// /// Sends each question to what shows dialogs.
    /// fn asking(client: ClientBuilder, dialogs: mpsc::UnboundedSender<Question>) -> ClientBuilder {
    ///     client.confirm(move |call: PendingCall| {
    ///         let (answer, answered) = oneshot::channel();
    ///         let _ = dialogs.unbounded_send((call, answer));
    ///         async move { answered.await.map_or(Confirmation::Cancelled, Confirmation::from) }
    ///     })
    /// }
    /// ```
    pub fn confirm(self, confirm: impl Confirm + 'static) -> Self {
        self.confirm_with(confirm, |policy| policy)
    }

    /// Like [`confirm`](ClientBuilder::confirm), with a policy that is configured further: its wording or how long the
    /// person may take.
    pub fn confirm_with(
        mut self,
        confirm: impl Confirm + 'static,
        configure: impl FnOnce(ConsentPolicyBuilder) -> ConsentPolicyBuilder,
    ) -> Self {
        let confirm = self.observed(confirm);
        self.hooks.policy = Some(Arc::new(configure(ConsentPolicy::builder(confirm.clone())).build()));
        self.confirm = Some(confirm);
        self
    }

    /// Sets how the person is asked about what the agent wants approved, and leaves commands as they are: for an adapter
    /// with a policy of its own ([`ClientBuilder::over`]).
    pub fn confirm_interrupts(mut self, confirm: impl Confirm + 'static) -> Self {
        self.confirm = Some(self.observed(confirm));
        self
    }

    fn observed(&self, confirm: impl Confirm + 'static) -> Arc<ObservedConfirm> {
        Arc::new(ObservedConfirm { confirm: Arc::new(confirm), queue: self.hooks.queue.clone() })
    }

    /// Sets what answers the questions of the agent that are not a yes or a no.
    pub fn input(mut self, input: impl AskForInput + 'static) -> Self {
        self.input = Some(Arc::new(input));
        self
    }

    /// Puts a hook in front of every call, before the person is asked. If it changes the arguments, the person is shown
    /// the changed ones.
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hooks.hooks.insert(0, Arc::new(hook));
        self
    }

    /// Sets a hook that may answer the agent's calls to tools that nobody offers, for agents that pause a tool of their own
    /// and wait for a tool message. It is asked after the run has ended without a result for the call, and sees no other
    /// calls. [`Decision::Answer`](drawloom_command::Decision::Answer) is the answer; anything else leaves the call as it
    /// is, and nothing makes it run.
    ///
    /// ```
    /// use drawloom_client::{Client, Transport};
    /// use drawloom_command::{CommandAccess, Decision, PendingCall};
    ///
    /// # fn client(agent: impl Transport + 'static, copilot: impl CommandAccess + 'static) -> Client {
    /// Client::builder(agent, copilot)
    ///     .answer_unoffered(|call: PendingCall| async move {
    ///         match call.command_id.as_str() {
    ///             "ask_user" => Decision::Answer { content: "The user is not available.".into() },
    ///             _ => Decision::Run,
    ///         }
    ///     })
    ///     .build()
    /// # }
    /// ```
    pub fn answer_unoffered(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hooks.unoffered = Some(Arc::new(hook));
        self
    }

    /// Sets how many runs may follow the first one of a turn. 8 by default. A run that begins in the stream of another
    /// one counts.
    pub fn follow_ups(mut self, most: u32) -> Self {
        self.follow_ups = most;
        self
    }

    /// Sets the limits of what the agent may send in one run.
    pub fn limits(mut self, limits: RunLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the clock that decides whether a question of the agent has expired.
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets what is shown every frame: for example to record a conversation that
    /// [`RecordedAgent`](crate::RecordedAgent) can play. A tap that panics is shown nothing more.
    ///
    /// ```
    /// use drawloom_ag_ui::recording::{Frame, RecordingWriter};
    /// use drawloom_client::ClientBuilder;
    ///
    /// fn recorded(client: ClientBuilder, file: std::fs::File) -> ClientBuilder {
    ///     let mut recording = RecordingWriter::new(file);
    ///     client.tap(move |frame: &Frame| {
    ///         // What cannot be written is missing in the recording, and not in the conversation.
    ///         let _ = recording.write(frame);
    ///     })
    /// }
    /// ```
    pub fn tap(mut self, tap: impl FnMut(&Frame) + Send + 'static) -> Self {
        self.tap = Some(Box::new(tap));
        self
    }

    /// Sets the conversation to continue.
    ///
    /// Once [`send_text`](Client::send_text) or [`resume`](Client::resume) begins a turn, the questions of the agent that
    /// nobody answered are asked. Calls to offered tools that nobody answered are answered as calls that may have done a
    /// part of their work: nobody knows any more. [`Client::into_conversation`] leaves none.
    pub fn conversation(mut self, conversation: Conversation) -> Self {
        self.conversation = conversation;
        self
    }

    /// Builds the client.
    pub fn build(self) -> Client {
        let Self { transport, tools, asks_about_commands, mut hooks, confirm, input, clock, .. } = self;
        if asks_about_commands && hooks.policy.is_none() {
            let nobody =
                |_: PendingCall| async { Confirmation::Errored("there is nobody to ask".to_owned()) };
            hooks.policy = Some(Arc::new(ConsentPolicy::new(nobody)));
        }
        let queue: Arc<UpdateQueue> = hooks.queue.clone();
        let state = ClientState {
            tools: tools.before(hooks).build(),
            conversation: self.conversation,
            run: Run::default(),
            runs: 0,
            follow_ups: self.follow_ups,
            calls: FuturesUnordered::new(),
            questions: Questions::default(),
            prompts: Prompts { confirm, input, now: clock, queue },
            limits: self.limits,
            tap: self.tap,
            updates: VecDeque::new(),
        };
        Client {
            driver: TurnDriver {
                state,
                transport,
                connection: Canceller::default(),
                version: Version::Untested,
                is_due: false,
                phase: None,
            },
        }
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("follow_ups", &self.follow_ups)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
