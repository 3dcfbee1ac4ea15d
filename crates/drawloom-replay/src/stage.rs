//! Where the commands of a file act: the workbench they can change, and who writes down what they do.

use std::collections::HashMap;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use drawloom::command::{CommandAnswer, CommandArguments, CommandId, CommandOutcome};
use drawloom::workbench::{Call, HandlerError, PluginContext, Registration, Workbench};
use serde::Serialize;

use crate::delay::Delay;
use crate::file::{Act, Behaviour};
use crate::transcript::{Recorder, Step};

/// A workbench, and the handles of what the file registered in it.
pub(crate) struct Stage {
    pub(crate) workbench: Workbench,
    pub(crate) recorder: Arc<dyn Recorder>,
    commands: Mutex<HashMap<CommandId, (PluginContext, Registration)>>,
    /// Handles of what no behaviour can take away.
    pub(crate) controls: Mutex<Vec<Registration>>,
}

/// What an act came to.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Done {
    Nothing,
    Answer(CommandAnswer),
    Arguments(CommandArguments),
    Outcome(CommandOutcome),
    Number(f64),
}

impl Stage {
    pub(crate) fn new(workbench: Workbench, recorder: Arc<dyn Recorder>) -> Self {
        Self { workbench, recorder, commands: Mutex::default(), controls: Mutex::default() }
    }

    pub(crate) fn add_command(&self, id: CommandId, owner: PluginContext, registration: Registration) {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).insert(id, (owner, registration));
    }

    /// The plugin of a command that is registered.
    pub(crate) fn owner(&self, id: &CommandId) -> Option<PluginContext> {
        let commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        commands.get(id).map(|(owner, _)| owner.clone())
    }

    fn unregister(&self, id: &CommandId) -> Result<(), HandlerError> {
        let removed = self.commands.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        match removed {
            Some((_, registration)) => {
                registration.dispose();
                Ok(())
            }
            None => Err(format!("no command \"{id}\" is registered").into()),
        }
    }

    /// Does what a behaviour says, invoking through `plugin`.
    pub(crate) async fn act(
        &self,
        behaviour: &Behaviour,
        plugin: Option<&PluginContext>,
        arguments: CommandArguments,
    ) -> Result<Done, HandlerError> {
        if let Some(time) = behaviour.delay {
            Delay::start(time)?.await;
        }
        match &behaviour.act {
            Act::Nothing => Ok(Done::Nothing),
            Act::Answer(answer) => Ok(Done::Answer(answer.clone())),
            Act::Echo => Ok(Done::Arguments(arguments)),
            Act::Fail(message) => Err(message.into()),
            // It is asked for and nobody's mistake, so the hook that reports mistakes is passed by.
            Act::Panic(message) => resume_unwind(Box::new(message.clone())),
            Act::Invoke(id, arguments) => match plugin {
                Some(plugin) => Ok(Done::Outcome(plugin.invoke(id.clone(), arguments.clone()).await)),
                None => Err("there is no plugin to invoke a command as".into()),
            },
            Act::Revoke(plugin, capability) => {
                self.workbench.revoke(plugin, *capability)?;
                Ok(Done::Nothing)
            }
            Act::Unregister(id) => self.unregister(id).map(|()| Done::Nothing),
            Act::NotANumber => Ok(Done::Number(f64::NAN)),
        }
    }
}

/// The handler of a command of the file.
pub(crate) fn handler(
    stage: &Arc<Stage>,
    behaviour: Behaviour,
) -> impl Fn(Call) -> Running + Send + Sync + 'static {
    // The workbench keeps its handlers, so a handler must not keep the workbench.
    let stage: Weak<Stage> = Arc::downgrade(stage);
    let behaviour = Arc::new(behaviour);
    move |call| {
        let (stage, behaviour) = (stage.upgrade(), behaviour.clone());
        Box::pin(async move {
            let stage = stage.ok_or("the workbench of the file is gone")?;
            let arguments = call.arguments().clone();
            stage.recorder.record(&Step::Ran { command_id: call.command().clone(), arguments });
            let plugin = call.context().clone();
            stage.act(&behaviour, Some(&plugin), call.into_arguments()).await
        })
    }
}

/// A command of the file while it runs.
type Running = drawloom::command::BoxFuture<'static, Result<Done, HandlerError>>;

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("workbench", &self.workbench).finish_non_exhaustive()
    }
}
