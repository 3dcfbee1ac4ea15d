//! What the scenarios share: the workbench that the spec's purpose describes, and an agent whose events are played to
//! an adapter for it. The events themselves are in [`events`].

pub(crate) mod events;

use std::collections::HashMap;
use std::future::{Future, ready};
use std::sync::{Arc, Mutex, PoisonError};

use drawloom::ag_ui::protocol::Message;
use drawloom::ag_ui::{CommandTools, CommandToolsBuilder, Event, Tool, ToolMessage};
use drawloom::command::{Argument, BoxFuture, Command, Decision, PendingCall};
use drawloom::workbench::{
    Call, Capability, HandlerError, Plugin, PluginContext, Registration, Workbench, WorkbenchBuilder,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The workbench of the purpose. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Bench {
    pub(crate) workbench: Workbench,
    pub(crate) notes: PluginContext,
    pub(crate) copilot: PluginContext,
    ran: Log<(String, Value)>,
    handles: Arc<Mutex<HashMap<&'static str, Registration>>>,
}

/// What the purpose grants.
pub(crate) fn composition() -> WorkbenchBuilder {
    Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
}

/// The workbench of the purpose.
pub(crate) fn bench() -> Bench {
    bench_on(composition())
}

/// The workbench of the purpose, but composed like this.
pub(crate) fn bench_on(composition: WorkbenchBuilder) -> Bench {
    let bench = empty_bench_on(composition);
    bench.declare("notes.open", open());
    bench.declare("notes.ping", callable("notes.ping"));
    bench
}

/// A workbench with the plugins of the purpose, and without commands.
pub(crate) fn empty_bench() -> Bench {
    empty_bench_on(composition())
}

/// A workbench with the plugins of the purpose and without commands, composed like this.
pub(crate) fn empty_bench_on(composition: WorkbenchBuilder) -> Bench {
    let workbench = composition.build();
    // Both declare more than the purpose grants, which is of no use to them.
    let declared = [Capability::Contributions, Capability::Automation];
    Bench {
        notes: workbench.activate(Plugin::new("notes").declares(declared)).unwrap(),
        copilot: workbench.activate(Plugin::new("copilot").declares(declared)).unwrap(),
        workbench,
        ran: Log::default(),
        handles: Arc::default(),
    }
}

/// A callable command whose texts do not matter.
pub(crate) fn callable(id: &str) -> Command {
    Command::new(id, "Title").description("What it does.").callable()
}

/// `notes.open`, as the purpose declares it.
pub(crate) fn open() -> Command {
    callable("notes.open")
        .argument(Argument::text("path").required())
        .argument(Argument::choice("mode", ["preview", "permanent"]))
        .answers("What it was given")
}

impl Bench {
    /// Registers a command of `notes` with a handler whose runs are noted.
    #[track_caller]
    pub(crate) fn register<F, Fut, A>(&self, command: Command, handler: F) -> Registration
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        self.register_for(&self.notes, command, handler)
    }

    /// Registers a command of a plugin with a handler whose runs are noted.
    #[track_caller]
    pub(crate) fn register_for<F, Fut, A>(
        &self,
        plugin: &PluginContext,
        command: Command,
        handler: F,
    ) -> Registration
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize,
    {
        let ran = self.ran.clone();
        let noted = move |call: Call| {
            ran.add((call.command().to_string(), json!(call.arguments())));
            handler(call)
        };
        plugin.register(command, noted).unwrap()
    }

    /// Registers a command of `notes` for good that answers its arguments.
    #[track_caller]
    pub(crate) fn has(&self, command: Command) {
        self.register(command, |call| ready(Ok(call.into_arguments()))).keep();
    }

    /// Registers a command of `notes` for good that answers this.
    #[track_caller]
    pub(crate) fn answers(&self, id: &str, answer: Value) {
        self.register(callable(id).answers("What it answers"), move |_| ready(Ok(answer.clone()))).keep();
    }

    /// Registers the command `id` of `notes`, which answers its arguments where it declares an answer: anew and with a
    /// handler of its own, where it is registered.
    #[track_caller]
    pub(crate) fn declare(&self, id: &'static str, command: Command) {
        self.withdraw(id);
        let handle = self.register(command, |call| ready(Ok(call.into_arguments())));
        lock(&self.handles).insert(id, handle);
    }

    /// Unregisters the command `id`, where it is declared.
    pub(crate) fn withdraw(&self, id: &str) {
        drop(lock(&self.handles).remove(id));
    }

    /// What has run, with which arguments, in order.
    pub(crate) fn ran(&self) -> Vec<(String, Value)> {
        self.ran.all()
    }

    #[track_caller]
    pub(crate) fn assert_nothing_ran(&self) {
        assert_eq!(self.ran(), []);
    }

    /// Asserts that `notes.open` has run with these paths, and nothing else has run.
    #[track_caller]
    pub(crate) fn assert_opened(&self, paths: &[&str]) {
        let opened: Vec<_> =
            paths.iter().map(|path| ("notes.open".to_owned(), json!({ "path": path }))).collect();
        assert_eq!(self.ran(), opened);
    }

    /// An agent in the run `r1`, without a hook.
    pub(crate) fn agent(&self) -> Agent {
        self.agent_with(|tools| tools)
    }

    /// An agent in the run `r1`, with an adapter set up like this.
    pub(crate) fn agent_with(
        &self,
        set_up: impl FnOnce(CommandToolsBuilder) -> CommandToolsBuilder,
    ) -> Agent {
        let tools = set_up(CommandTools::builder(self.copilot.clone())).build();
        let mut agent = Agent { tools, _bench: self.clone() };
        agent.says_nothing_to(&[events::run_started("r1")]);
        agent
    }

    /// An agent in the run `r1`, with a hook that notes what it sees and then decides like this.
    pub(crate) fn agent_behind(
        &self,
        decide: impl Fn(&Bench) -> Decision + Send + Sync + 'static,
    ) -> (Agent, Log<PendingCall>) {
        let seen = Log::default();
        let (notes, bench) = (seen.clone(), self.clone());
        let hook = move |call: PendingCall| {
            notes.add(call);
            ready(decide(&bench))
        };
        (self.agent_with(|tools| tools.before(hook)), seen)
    }
}

/// An agent, as far as its events go, and the adapter they are played to.
pub(crate) struct Agent {
    pub(crate) tools: CommandTools,
    /// Its commands are gone with it.
    _bench: Bench,
}

impl Agent {
    /// Plays one event, and gives what the adapter answers.
    pub(crate) fn sends(&mut self, event: &Value) -> Option<ToolMessage> {
        self.sends_text(&event.to_string())
    }

    /// Plays the event in this text, and gives what the adapter answers.
    pub(crate) fn sends_text(&mut self, event: &str) -> Option<ToolMessage> {
        at_once(self.tools.receive(&Event::parse(event).unwrap())).map(understood)
    }

    /// Loses a frame of the stream.
    pub(crate) fn loses_a_frame(&mut self) {
        self.tools.frame_lost("it is not JSON");
    }

    /// Declares a new run with this history.
    pub(crate) fn begins_run(&mut self, thread: &str, run: &str, history: &Value) {
        let history: Vec<Message<'static>> = serde_json::from_value(history.clone()).unwrap();
        self.tools.begin_run(thread, run, &history);
    }

    /// What the adapter has reported since this was asked last.
    pub(crate) fn reports(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.tools.next_report()).map(|report| report.to_string()).collect()
    }

    /// Plays events, and gives everything the adapter answers.
    pub(crate) fn plays(&mut self, events: &[Value]) -> Vec<ToolMessage> {
        events.iter().filter_map(|event| self.sends(event)).collect()
    }

    /// Plays events none of which is answered.
    #[track_caller]
    pub(crate) fn says_nothing_to(&mut self, events: &[Value]) {
        assert_eq!(self.plays(events), []);
    }

    /// Plays a whole call, whose END alone is answered.
    #[track_caller]
    pub(crate) fn calls(&mut self, id: &str, tool: &str, arguments: &str) -> ToolMessage {
        self.says_nothing_to(&[events::start(id, tool), events::args(id, arguments)]);
        self.ends(id)
    }

    /// Plays an END, which is answered.
    #[track_caller]
    pub(crate) fn ends(&mut self, id: &str) -> ToolMessage {
        let message = self.sends(&events::end(id)).expect("an END is answered");
        assert_eq!(message.tool_call_id, id);
        message
    }

    /// Plays an event that is answered.
    #[track_caller]
    pub(crate) fn is_answered(&mut self, event: &Value) -> ToolMessage {
        self.sends(event).unwrap_or_else(|| panic!("not answered: {event}"))
    }

    /// Asks `flush` once.
    pub(crate) fn flush(&mut self) -> Option<ToolMessage> {
        at_once(self.tools.flush()).map(understood)
    }

    /// Asks `flush` until it gives nothing.
    pub(crate) fn flush_all(&mut self) -> Vec<ToolMessage> {
        std::iter::from_fn(|| self.flush()).collect()
    }

    /// Lets the run finish, and gives everything that is answered from there on.
    pub(crate) fn finishes(&mut self) -> Vec<ToolMessage> {
        let mut messages = self.plays(&[events::run_finished()]);
        messages.extend(self.flush_all());
        messages
    }

    /// The tools on offer.
    pub(crate) fn list(&self) -> Vec<Tool> {
        let tools = self.tools.list();
        for tool in &tools {
            let text = serde_json::to_string(tool).unwrap();
            let read: ag_ui::Tool = serde_json::from_str(&text).unwrap();
            assert_eq!((read.name, read.description), (tool.name.clone(), tool.description.clone()));
        }
        tools
    }

    /// The names of the tools on offer.
    pub(crate) fn names(&self) -> Vec<String> {
        self.list().into_iter().map(|tool| tool.name).collect()
    }

    /// The only tool on offer.
    #[track_caller]
    pub(crate) fn only_tool(&self) -> Tool {
        let mut tools = self.list();
        assert_eq!(tools.len(), 1, "one tool was to be on offer: {tools:?}");
        tools.remove(0)
    }
}

/// The message, which another implementation of the protocol reads as the same.
fn understood(message: ToolMessage) -> ToolMessage {
    let text = serde_json::to_string(&message).unwrap();
    let ag_ui::Message::Tool(read) = serde_json::from_str(&text).unwrap() else {
        panic!("not read as a tool message: {text}");
    };
    assert_eq!(read.id.as_str(), message.id);
    assert_eq!(message.tool_call_id, read.tool_call_id.as_str());
    assert_eq!(read.content.as_text(), Some(message.content.as_str()));
    assert_eq!(read.error, message.error);
    message
}

/// The ids of the calls that messages answer, in order.
pub(crate) fn answered_calls(messages: &[ToolMessage]) -> Vec<&str> {
    messages.iter().map(|message| message.tool_call_id.as_str()).collect()
}

/// Asserts that these messages refuse these calls, in order.
#[track_caller]
pub(crate) fn assert_refused_calls(messages: &[ToolMessage], calls: &[&str]) {
    assert_eq!(answered_calls(messages), calls);
    for message in messages {
        refusal(message);
    }
}

/// What a call was answered with.
#[track_caller]
pub(crate) fn content(message: &ToolMessage) -> &str {
    assert_eq!(message.error, None, "it is an error: {message:?}");
    &message.content
}

/// The `error` of a refused call.
#[track_caller]
pub(crate) fn refusal(message: &ToolMessage) -> &str {
    error_like(message, "The command did not run: ")
}

/// The `error` of a failed call.
#[track_caller]
pub(crate) fn failure(message: &ToolMessage) -> &str {
    error_like(message, "The command ran and failed: ")
}

#[track_caller]
fn error_like<'m>(message: &'m ToolMessage, start: &str) -> &'m str {
    let error = message.error.as_deref().unwrap_or_default();
    assert!(error.starts_with(start), "its error was to start with \"{start}\": {message:?}");
    assert_eq!(message.content, "");
    error
}

/// Asserts that a text holds each of these.
#[track_caller]
pub(crate) fn assert_holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "\"{part}\" is missing: {text}");
    }
}

/// The whole numbers a text holds, as they stand there.
pub(crate) fn numbers_in(text: &str) -> Vec<&str> {
    text.split(|character: char| !character.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect()
}

/// What was noted, in order, from whichever thread.
pub(crate) struct Log<T>(Arc<Mutex<Vec<T>>>);

impl<T: Clone> Log<T> {
    pub(crate) fn add(&self, item: T) {
        lock(&self.0).push(item);
    }

    pub(crate) fn all(&self) -> Vec<T> {
        lock(&self.0).clone()
    }
}

impl<T: Clone + std::fmt::Debug> Log<T> {
    /// The only thing that was noted.
    #[track_caller]
    pub(crate) fn only(&self) -> T {
        let mut all = self.all();
        assert_eq!(all.len(), 1, "one thing was to be noted: {all:?}");
        all.remove(0)
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// Awaits what does not wait for anything. What does after all fails the test instead of hanging it.
#[track_caller]
fn at_once<T>(future: impl Future<Output = T>) -> T {
    polled_once_and_dropped(future).expect("it waits for something")
}

/// Polls a future once, and drops it half way where it is not done.
pub(crate) fn polled_once_and_dropped<T>(future: impl Future<Output = T>) -> Option<T> {
    futures::FutureExt::now_or_never(future)
}

/// A future that never comes to an end.
pub(crate) fn never<T: Send + 'static>() -> BoxFuture<'static, T> {
    Box::pin(futures::future::pending())
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
