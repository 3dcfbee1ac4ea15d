//! The workbench that the spec's purpose describes, and how a scenario reads what came of a call.

use std::future::{Future, ready};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use drawloom::command::{Command, CommandArguments, CommandOutcome, InvocableCommand, RefusalReason};
use drawloom::workbench::{
    Call, Capability, HandlerError, Plugin, PluginContext, RegisterError, Workbench, WorkbenchBuilder,
};
use futures::executor::block_on;
use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Dispatch, Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// A workbench in which `notes` registers commands and `copilot` may reach them.
pub(crate) struct Bench {
    pub(crate) workbench: Workbench,
    pub(crate) notes: PluginContext,
    pub(crate) copilot: PluginContext,
}

/// A workbench with every port at its default.
pub(crate) fn bench() -> Bench {
    bench_with(|builder| builder)
}

/// A workbench with ports of the scenario's own.
pub(crate) fn bench_with(ports: impl FnOnce(WorkbenchBuilder) -> WorkbenchBuilder) -> Bench {
    let builder = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation]);
    let workbench = ports(builder).build();
    let notes = Plugin::new("notes").declares([Capability::Contributions]);
    let copilot = Plugin::new("copilot").declares([Capability::Automation]);
    Bench {
        notes: workbench.activate(notes).unwrap(),
        copilot: workbench.activate(copilot).unwrap(),
        workbench,
    }
}

/// A callable command whose texts do not matter.
pub(crate) fn callable(id: &str) -> Command {
    Command::new(id, "A title").description("A description.").callable()
}

/// A callable command that declares an answer.
pub(crate) fn answering(id: &str) -> Command {
    callable(id).answers("What it answers")
}

impl Bench {
    /// Registers a command for good, and says how often its handler has run.
    #[track_caller]
    pub(crate) fn register<F, Fut, A>(&self, command: Command, handler: F) -> Runs
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, HandlerError>> + Send + 'static,
        A: Serialize + 'static,
    {
        let runs = Runs::default();
        let counted = runs.clone();
        let registration = self.notes.register(command, move |call| {
            counted.0.fetch_add(1, Ordering::Relaxed);
            handler(call)
        });
        registration.unwrap().keep();
        runs
    }

    /// Registers a command whose handler does nothing but run.
    #[track_caller]
    pub(crate) fn register_idle(&self, command: Command) -> Runs {
        self.register(command, |_| ready(Ok(())))
    }

    /// Registers a command that returns the same value each time.
    #[track_caller]
    pub(crate) fn register_returning<A>(&self, command: Command, value: A)
    where
        A: Serialize + Clone + Send + Sync + 'static,
    {
        self.register(command, move |_| ready(Ok(value.clone())));
    }

    /// Tries to register a command, and takes it away again.
    pub(crate) fn try_register(&self, command: Command) -> Result<(), RegisterError> {
        self.notes.register(command, |_| ready(Ok(()))).map(drop)
    }

    /// Invokes a command as `copilot`, its arguments given as JSON text.
    #[track_caller]
    pub(crate) fn invoke(&self, id: &str, arguments: &str) -> CommandOutcome {
        let arguments = CommandArguments::from_json(arguments).unwrap();
        block_on(self.copilot.invoke(id, arguments))
    }

    /// Triggers a command as the person does by a palette entry.
    pub(crate) fn trigger(&self, id: &str) -> CommandOutcome {
        block_on(self.workbench.trigger(id))
    }

    /// What `copilot` is told of a command.
    #[track_caller]
    pub(crate) fn entry(&self, id: &str) -> InvocableCommand {
        let entries = self.copilot.invocable_commands();
        entries.into_iter().find(|entry| entry.id == id).expect("the command should be listed")
    }
}

/// How often a handler has run.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Something that a scenario changes, or collects, while the workbench holds it too.
pub(crate) struct Shared<T>(Arc<Mutex<T>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(Mutex::new(value)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outcome in its serialized form.
pub(crate) fn wire(outcome: &CommandOutcome) -> String {
    serde_json::to_string(outcome).unwrap()
}

/// Asserts a refusal as `invalid-arguments` that names these arguments.
#[track_caller]
pub(crate) fn assert_invalid(outcome: &CommandOutcome, names: &[&str]) {
    let CommandOutcome::Refused(refusal) = outcome else { panic!("not refused: {outcome:?}") };
    assert_eq!(refusal.reason, RefusalReason::InvalidArguments);
    for name in names {
        assert!(refusal.message.contains(&format!("{name:?}")), "{name} is not named: {}", refusal.message);
    }
}

/// Asserts a failure, and gives its message.
#[track_caller]
pub(crate) fn assert_failed(outcome: CommandOutcome) -> String {
    match outcome {
        CommandOutcome::Failed(failure) => failure.message,
        other => panic!("not failed: {other:?}"),
    }
}

/// What the developer is told while `run` runs: the fields of each warning and error in the log.
pub(crate) fn reports_during<T>(run: impl FnOnce() -> T) -> (T, Vec<String>) {
    // With a single subscriber in the process, `tracing` asks only the thread that meets an event first whether
    // anybody wants it; a second subscriber, though it wants nothing, makes it ask them all.
    static SILENT: LazyLock<Dispatch> =
        LazyLock::new(|| Dispatch::new(tracing::subscriber::NoSubscriber::new()));
    LazyLock::force(&SILENT);
    let reports = Shared::new(Vec::new());
    let log = tracing_subscriber::registry().with(Reports(reports.clone()));
    let result = tracing::subscriber::with_default(log, run);
    let told = reports.lock().clone();
    (result, told)
}

struct Reports(Shared<Vec<String>>);

impl<S: Subscriber> Layer<S> for Reports {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() <= Level::WARN {
            let mut fields = Fields(String::new());
            event.record(&mut fields);
            self.0.lock().push(fields.0);
        }
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push_str(&format!("{}={value:?} ", field.name()));
    }
}
