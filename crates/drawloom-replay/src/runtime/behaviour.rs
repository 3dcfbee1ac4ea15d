//! Running the behaviours of a file: the handlers of its commands, and what the handlers can change.

use std::collections::HashMap;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use drawloom::command::{BoxFuture, CommandAnswer, CommandArguments, CommandId, CommandOutcome};
use drawloom::workbench::{Call, HandlerError, PluginContext, Registration, Workbench};
use futures_timer::Delay;
use serde::Serialize;

use crate::file::{Action, Behaviour};
use crate::transcript::{TranscriptLine, TranscriptSink};

/// A workbench, the registrations of the file in it, and where the transcript goes.
pub(crate) struct CommandRuntime {
    pub(crate) workbench: Workbench,
    pub(crate) sink: Arc<dyn TranscriptSink>,
    /// The commands, which a behaviour can unregister.
    commands: Mutex<HashMap<CommandId, (PluginContext, Registration)>>,
    /// The menu items, which stay registered.
    menu_items: Mutex<Vec<Registration>>,
}

/// The result of a behaviour.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum BehaviourResult {
    Nothing,
    Answer(CommandAnswer),
    Arguments(CommandArguments),
    Outcome(CommandOutcome),
    Number(f64),
}

impl CommandRuntime {
    pub(super) fn new(workbench: Workbench, sink: Arc<dyn TranscriptSink>) -> Self {
        Self { workbench, sink, commands: Mutex::default(), menu_items: Mutex::default() }
    }

    pub(super) fn add_command(&self, id: CommandId, owner: PluginContext, registration: Registration) {
        lock(&self.commands).insert(id, (owner, registration));
    }

    pub(super) fn add_menu_item(&self, registration: Registration) {
        lock(&self.menu_items).push(registration);
    }

    /// The plugin that registered a command, while the command is registered.
    pub(super) fn owner(&self, id: &CommandId) -> Option<PluginContext> {
        lock(&self.commands).get(id).map(|(owner, _)| owner.clone())
    }

    fn unregister(&self, id: &CommandId) -> Result<(), HandlerError> {
        let removed = lock(&self.commands).remove(id);
        match removed {
            Some((_, registration)) => {
                registration.dispose();
                Ok(())
            }
            None => Err(format!("no command \"{id}\" is registered").into()),
        }
    }

    /// Runs a behaviour. `plugin` is the one that invokes, if the behaviour invokes a command.
    pub(super) async fn run(
        &self,
        behaviour: &Behaviour,
        plugin: Option<&PluginContext>,
        arguments: CommandArguments,
    ) -> Result<BehaviourResult, HandlerError> {
        if let Some(delay) = behaviour.delay {
            Delay::new(delay).await;
        }
        match &behaviour.action {
            Action::Nothing => Ok(BehaviourResult::Nothing),
            Action::Answer(answer) => Ok(BehaviourResult::Answer(answer.clone())),
            Action::Echo => Ok(BehaviourResult::Arguments(arguments)),
            Action::Fail(message) => Err(message.into()),
            // The file asks for this panic, so it is not reported to the panic hook as a bug.
            Action::Panic(message) => resume_unwind(Box::new(message.clone())),
            Action::Invoke(id, arguments) => match plugin {
                Some(plugin) => {
                    Ok(BehaviourResult::Outcome(plugin.invoke(id.clone(), arguments.clone()).await))
                }
                None => Err("there is no plugin that could invoke the command".into()),
            },
            Action::Revoke(plugin, capability) => {
                self.workbench.revoke(plugin, *capability)?;
                Ok(BehaviourResult::Nothing)
            }
            Action::Unregister(id) => self.unregister(id).map(|()| BehaviourResult::Nothing),
            Action::NotANumber => Ok(BehaviourResult::Number(f64::NAN)),
        }
    }
}

/// The handler of a command with this behaviour.
pub(super) fn handler(
    runtime: &Arc<CommandRuntime>,
    behaviour: Behaviour,
) -> impl Fn(Call) -> BoxFuture<'static, Result<BehaviourResult, HandlerError>> + Send + Sync + 'static {
    // The workbench owns the handlers, so a handler must not own the workbench.
    let runtime: Weak<CommandRuntime> = Arc::downgrade(runtime);
    let behaviour = Arc::new(behaviour);
    move |call| {
        let (runtime, behaviour) = (runtime.upgrade(), behaviour.clone());
        Box::pin(async move {
            let runtime = runtime.ok_or("the workbench of the file no longer exists")?;
            let arguments = call.arguments().clone();
            let person = call.person().map(|person| person.id.clone());
            let command_id = call.command().clone();
            runtime.sink.write(&TranscriptLine::Ran { command_id, arguments, person });
            let plugin = call.context().clone();
            runtime.run(&behaviour, Some(&plugin), call.into_arguments()).await
        })
    }
}

/// Each of the maps is changed in a single step, so a panic elsewhere leaves it complete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for CommandRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandRuntime").field("workbench", &self.workbench).finish_non_exhaustive()
    }
}
