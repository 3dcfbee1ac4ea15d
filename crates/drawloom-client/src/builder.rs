//! The configuration of a client. A client that has been built is not configured further.

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
use crate::conversation::{Conversation, fresh_id};
use crate::hooks::HookChain;
use crate::interrupts::Questions;
use crate::limits::RunLimits;
use crate::prompts::{AskForInput, ObservedConfirm, Prompts};
use crate::run::Run;
use crate::state::{ClientState, RunIds, Tap};
use crate::transport::Transport;
use crate::turn::{TurnDriver, Version};
use crate::update::UpdateQueue;

/// The default limit on follow-up runs of a turn.
const FOLLOW_UPS: u32 = 8;

/// Builder for a [`Client`].
///
/// Whether an agent may run a command without asking the user, as the command states it, is always respected: until
/// [`confirm`](ClientBuilder::confirm) sets a dialog, nobody can be asked, and a command that states `ask` or
/// `ask-always` does not run.
///
/// The defaults suit live agents: the text of a refusal or a failure is also in `content`, because most backends drop
/// `error`; calls to tools that were never offered are left to the agent's backend; and a null among the arguments is
/// read as an omitted argument.
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
    run_ids: RunIds,
}

impl ClientBuilder {
    pub(crate) fn new(transport: impl Transport + 'static, access: impl CommandAccess + 'static) -> Self {
        let tools = CommandTools::builder(access)
            .unoffered_calls(UnofferedCalls::LeaveToBackend)
            .error_placement(ErrorPlacement::ErrorAndContent)
            .null_arguments(NullArguments::TreatAsAbsent);
        Self { asks_about_commands: true, ..Self::over(transport, tools) }
    }

    /// Builder for a client that uses an adapter with its own options.
    ///
    /// The adapter is used unchanged. The defaults of a client do not apply, and no user is asked unless the hook of
    /// the adapter or [`confirm`](ClientBuilder::confirm) asks. The hook of the adapter stays: it runs after
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
            run_ids: Box::new(|| fresh_id("run")),
        }
    }

    /// Sets the dialog that asks the user about commands that state `ask` or `ask-always`, through a [`ConsentPolicy`]
    /// of this client, and about calls that the agent wants approved.
    ///
    /// [`PendingCall::approval`] distinguishes the two: it is set if the agent asks, and contains its question. A
    /// dialog that is closed without an answer returns [`Confirmation::Cancelled`].
    ///
    /// ```
    /// use drawloom_client::{Client, ClientBuilder};
    /// use drawloom_command::PendingCall;
    /// use drawloom_consent::Confirmation;
    /// use futures::channel::{mpsc, oneshot};
    ///
    /// type Question = (PendingCall, oneshot::Sender<bool>);
    ///
    /// /// Sends each question to the task that shows dialogs.
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

    /// Like [`confirm`](ClientBuilder::confirm), with a policy that has its own configuration, such as its wording or a
    /// time limit.
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

    /// Sets the dialog for calls that the agent wants approved, and does not ask about commands. Use this if the
    /// adapter has its own policy ([`ClientBuilder::over`]).
    pub fn confirm_interrupts(mut self, confirm: impl Confirm + 'static) -> Self {
        self.confirm = Some(self.observed(confirm));
        self
    }

    fn observed(&self, confirm: impl Confirm + 'static) -> Arc<ObservedConfirm> {
        Arc::new(ObservedConfirm { confirm: Arc::new(confirm), queue: self.hooks.queue.clone() })
    }

    /// Sets the dialog for questions of the agent that need more than yes or no.
    pub fn input(mut self, input: impl AskForInput + 'static) -> Self {
        self.input = Some(Arc::new(input));
        self
    }

    /// Sets the agent's name, which the product chooses, so that records of its calls name it; see
    /// [`CommandToolsBuilder::agent`].
    pub fn agent(mut self, name: impl Into<Arc<str>>) -> Self {
        self.tools = self.tools.agent(name);
        self
    }

    /// Adds a hook before every call. It runs before the user is asked. If it changes the arguments, the user sees the
    /// changed arguments.
    pub fn before(mut self, hook: impl BeforeCall + 'static) -> Self {
        self.hooks.hooks.insert(0, Arc::new(hook));
        self
    }

    /// Sets a hook that may answer the agent's calls to tools that nobody offers, for agents that pause a tool of their
    /// own and wait for a tool message. It is asked after the run has ended without a result for the call, and sees no
    /// other calls. [`Decision::Answer`](drawloom_command::Decision::Answer) is sent as the answer. Any other decision
    /// leaves the call without an answer; the call never runs.
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

    /// Sets the limit on follow-up runs of a turn. The default is 8. A run that begins in the stream of another run
    /// counts too.
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

    /// Sets a function that receives every frame, for example to record a conversation that
    /// [`RecordedAgent`](crate::RecordedAgent) can play. After a panic the function is not called again.
    ///
    /// ```
    /// use drawloom_ag_ui::recording::{Frame, RecordingWriter};
    /// use drawloom_client::ClientBuilder;
    ///
    /// fn recorded(client: ClientBuilder, file: std::fs::File) -> ClientBuilder {
    ///     let mut recording = RecordingWriter::new(file);
    ///     client.tap(move |frame: &Frame| {
    ///         // A failed write affects only the recording.
    ///         let _ = recording.write(frame);
    ///     })
    /// }
    /// ```
    pub fn tap(mut self, tap: impl FnMut(&Frame) + Send + 'static) -> Self {
        self.tap = Some(Box::new(tap));
        self
    }

    /// Sets the function that returns the id of each run that is started. The default returns a new unique id. A run that is
    /// started again after the agent rejected its input gets another id. After a panic, the default is used.
    ///
    /// This is for playing a recorded conversation, whose events name the runs of then.
    pub fn run_ids(mut self, next: impl FnMut() -> String + Send + 'static) -> Self {
        self.run_ids = Box::new(next);
        self
    }

    /// Sets the conversation to continue.
    ///
    /// Once [`send_text`](Client::send_text) or [`resume`](Client::resume) begins a turn, the open questions of the
    /// agent are asked. Open calls to offered tools are answered as calls that may have done a part of their work. A
    /// conversation from [`Client::into_conversation`] has no open calls.
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
        let tools = tools.before(hooks).build();
        let access = tools.access().clone();
        let state = ClientState {
            tools,
            conversation: self.conversation,
            run: Run::default(),
            runs: 0,
            follow_ups: self.follow_ups,
            calls: FuturesUnordered::new(),
            questions: Questions::default(),
            prompts: Prompts { confirm, input, access, now: clock, queue },
            limits: self.limits,
            tap: self.tap,
            run_ids: self.run_ids,
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
