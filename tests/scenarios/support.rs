//! What the scenarios of the workbench share: the workbench that its spec's purpose describes, and short helpers. How
//! futures are driven, what is logged and what a callback does is in the modules below.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod driving;
mod liberty;
mod logged;

pub(crate) use driving::{Gate, Watching, YieldOnce, all_along, by_turns, poll_once, settle, watched};
pub(crate) use liberty::Liberty;
pub(crate) use logged::{Logged, logged_during};

use std::fmt::Debug;
use std::future::{Future, ready};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use drawloom::command::{
    Command, CommandArguments, CommandOutcome, InvocableCommand, PluginId, RefusalReason,
};
use drawloom::workbench::{
    AuditRecord, Call, Capability, HandlerError, Notice, Plugin, PluginContext, Registration, Registry,
    WithStore, WithoutStore, Workbench, WorkbenchBuilder,
};

/// A workbench of the spec's purpose, with what its person was told and what its audit port was given.
pub(crate) struct Bench {
    pub(crate) registry: Registry,
    pub(crate) workbench: Workbench,
    pub(crate) notes: PluginContext,
    pub(crate) copilot: PluginContext,
    pub(crate) told: Kept<Notice>,
    pub(crate) audited: Kept<AuditRecord>,
}

/// What the spec's purpose grants: `notes` registers commands and `copilot` reaches them.
pub(crate) fn usual() -> WorkbenchBuilder {
    without_automation().grant("copilot", [Capability::Automation])
}

/// The same, but that `copilot` is granted nothing.
pub(crate) fn without_automation() -> WorkbenchBuilder {
    Workbench::builder().grant("notes", [Capability::Contributions])
}

/// The usual workbench.
pub(crate) fn bench() -> Bench {
    bench_on(usual())
}

/// A workbench of this composition, in which `notes` and `copilot` are active.
pub(crate) fn bench_on<S>(composition: WorkbenchBuilder<S>) -> Bench
where
    WorkbenchBuilder<S>: Composition,
{
    let registry = Registry::new();
    let (workbench, told, audited) = observed(composition, &registry);
    let (notes, copilot) = activated(&workbench);
    Bench { registry, workbench, notes, copilot, told, audited }
}

/// `notes` and `copilot`, activated in a workbench whose ports are the scenario's own.
pub(crate) fn activated(workbench: &Workbench) -> (PluginContext, PluginContext) {
    let notes = Plugin::new("notes").declares([Capability::Contributions]);
    let copilot = Plugin::new("copilot").declares([Capability::Automation]);
    (workbench.activate(notes).unwrap(), workbench.activate(copilot).unwrap())
}

/// A builder with or without a permission store. A store that cannot be loaded fails the test.
pub(crate) trait Composition {
    fn built(self) -> Workbench;
}

impl Composition for WorkbenchBuilder<WithoutStore> {
    fn built(self) -> Workbench {
        self.build()
    }
}

impl Composition for WorkbenchBuilder<WithStore> {
    fn built(self) -> Workbench {
        self.build().unwrap()
    }
}

fn observed<S>(
    composition: WorkbenchBuilder<S>,
    registry: &Registry,
) -> (Workbench, Kept<Notice>, Kept<AuditRecord>)
where
    WorkbenchBuilder<S>: Composition,
{
    let (told, audited) = (Kept::default(), Kept::default());
    let (tells, audits) = (told.clone(), audited.clone());
    let workbench = composition
        .registry(registry.clone())
        .notifier(move |notice: &Notice| tells.keep(notice.clone()))
        .audit(move |record: &AuditRecord| audits.keep(record.clone()))
        .built();
    (workbench, told, audited)
}

impl Bench {
    /// Another workbench on the same registry, with ports of its own.
    pub(crate) fn beside(&self, composition: WorkbenchBuilder) -> Self {
        let (workbench, told, audited) = observed(composition, &self.registry);
        Self {
            notes: workbench.context("notes").unwrap(),
            copilot: workbench.context("copilot").unwrap(),
            registry: self.registry.clone(),
            workbench,
            told,
            audited,
        }
    }

    /// Activates one more plugin, which declares these capabilities.
    pub(crate) fn plugin(&self, id: &str, declares: impl IntoIterator<Item = Capability>) -> PluginContext {
        self.workbench.activate(Plugin::new(id).declares(declares)).unwrap()
    }

    /// Registers a command of `notes` for good, and says how often it has run.
    #[track_caller]
    pub(crate) fn has(&self, command: Command) -> Runs {
        has(&self.notes, command)
    }

    /// Registers a command of `notes` for good that does this, and says how often it has run.
    #[track_caller]
    pub(crate) fn does<F, Fut>(&self, command: Command, handler: F) -> Runs
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), HandlerError>> + Send + 'static,
    {
        does(&self.notes, command, handler)
    }

    pub(crate) fn revoke_automation(&self) {
        self.workbench.revoke(self.copilot.plugin(), Capability::Automation).unwrap();
    }

    pub(crate) fn restore_automation(&self) {
        self.workbench.restore(self.copilot.plugin(), Capability::Automation).unwrap();
    }

    /// Triggers the menu item with this id, as the person does.
    #[track_caller]
    pub(crate) fn pull(&self, item: &str) -> CommandOutcome {
        let items = self.workbench.menu_items();
        let item = items.into_iter().find(|offered| *offered.id == *item).expect("the item is offered");
        settle(self.workbench.trigger_with(item.command, item.arguments))
    }

    /// Presses these keys, as the person does.
    #[track_caller]
    pub(crate) fn press(&self, keys: &str) -> CommandOutcome {
        let shortcut = self.workbench.shortcut(keys).expect("the shortcut is offered");
        settle(self.workbench.trigger_with(shortcut.command, shortcut.arguments))
    }

    /// The ids of the menu items on offer.
    pub(crate) fn items(&self) -> Vec<String> {
        self.workbench.menu_items().iter().map(|item| item.id.to_string()).collect()
    }
}

/// A callable command whose texts do not matter.
pub(crate) fn callable(id: &str) -> Command {
    closed(id).description("What it does.").callable()
}

/// A command that is not declared callable.
pub(crate) fn closed(id: &str) -> Command {
    Command::new(id, "Title")
}

/// Registers a command of a plugin for good, and says how often it has run.
#[track_caller]
pub(crate) fn has(plugin: &PluginContext, command: Command) -> Runs {
    does(plugin, command, |_| ready(Ok(())))
}

/// Registers a command of a plugin for good that does this, and says how often it has run.
#[track_caller]
pub(crate) fn does<F, Fut>(plugin: &PluginContext, command: Command, handler: F) -> Runs
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), HandlerError>> + Send + 'static,
{
    let runs = Runs::default();
    counting(plugin, command, &runs, handler).keep();
    runs
}

/// Registers a command whose runs are counted, and gives its handle.
#[track_caller]
pub(crate) fn handle_counting(plugin: &PluginContext, command: Command, runs: &Runs) -> Registration {
    counting(plugin, command, runs, |_| ready(Ok(())))
}

#[track_caller]
fn counting<F, Fut>(plugin: &PluginContext, command: Command, runs: &Runs, handler: F) -> Registration
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), HandlerError>> + Send + 'static,
{
    let runs = runs.clone();
    let registered = plugin.register(command, move |call| {
        runs.0.fetch_add(1, Ordering::SeqCst);
        handler(call)
    });
    registered.unwrap()
}

/// Registers a command that does nothing, and gives its handle.
#[track_caller]
pub(crate) fn handle_of(plugin: &PluginContext, command: Command) -> Registration {
    plugin.register(command, |_| ready(Ok(()))).unwrap()
}

/// Invokes a command without arguments and waits for its end.
pub(crate) fn invoke(plugin: &PluginContext, id: &str) -> CommandOutcome {
    invoke_with(plugin, id, CommandArguments::new())
}

/// Invokes a command and waits for its end.
pub(crate) fn invoke_with(plugin: &PluginContext, id: &str, arguments: CommandArguments) -> CommandOutcome {
    settle(plugin.invoke(id, arguments))
}

/// Triggers a command as the person does from a palette, and waits for its end.
pub(crate) fn trigger(workbench: &Workbench, id: &str) -> CommandOutcome {
    settle(workbench.trigger(id))
}

/// The ids of what a plugin may invoke.
pub(crate) fn invocable(plugin: &PluginContext) -> Vec<String> {
    ids(plugin.invocable_commands())
}

/// The ids of what the person may trigger.
pub(crate) fn triggerable(workbench: &Workbench) -> Vec<String> {
    ids(workbench.triggerable_commands().into_iter().map(|entry| entry.command).collect())
}

fn ids(list: Vec<InvocableCommand>) -> Vec<String> {
    list.into_iter().map(|command| command.id.to_string()).collect()
}

pub(crate) fn is_answered(outcome: &CommandOutcome) -> bool {
    matches!(outcome, CommandOutcome::Answered { .. })
}

pub(crate) fn is_unavailable(outcome: &CommandOutcome) -> bool {
    is_refused(outcome, RefusalReason::Unavailable)
}

pub(crate) fn is_refused(outcome: &CommandOutcome, reason: RefusalReason) -> bool {
    matches!(outcome, CommandOutcome::Refused(refusal) if refusal.reason == reason)
}

#[track_caller]
pub(crate) fn assert_answered(outcome: &CommandOutcome) {
    assert!(is_answered(outcome), "not answered: {outcome:?}");
}

#[track_caller]
pub(crate) fn assert_unavailable(outcome: &CommandOutcome) {
    assert!(is_unavailable(outcome), "not refused as unavailable: {outcome:?}");
}

#[track_caller]
pub(crate) fn assert_too_deep(outcome: &CommandOutcome) {
    assert!(is_refused(outcome, RefusalReason::TooDeep), "not refused as too deep: {outcome:?}");
}

/// Asserts that a text, shown to somebody, names each of these.
#[track_caller]
pub(crate) fn assert_names(text: impl ToString, names: &[&str]) {
    let text = text.to_string();
    for name in names {
        assert!(text.contains(name), "\"{name}\" is not named: {text}");
    }
}

/// The notice that a plugin lacks `automation`, for a command.
pub(crate) fn lacks_automation(plugin: &str, command: &str) -> Notice {
    Notice::MissingGrant {
        plugin: PluginId::from(plugin),
        capability: Capability::Automation,
        command: Some(command.into()),
    }
}

/// How often a handler has run.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// What came in, in the order it came, from whichever thread.
pub(crate) struct Kept<T>(Arc<Mutex<Vec<T>>>);

impl<T> Kept<T> {
    pub(crate) fn keep(&self, item: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }

    /// Takes out everything.
    pub(crate) fn take(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Takes out what came in last.
    pub(crate) fn pop(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

impl<T: Clone + Debug> Kept<T> {
    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The only one that came in.
    #[track_caller]
    pub(crate) fn only(&self) -> T {
        let mut all = self.all();
        assert_eq!(all.len(), 1, "exactly one was to come: {all:?}");
        all.remove(0)
    }
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}
