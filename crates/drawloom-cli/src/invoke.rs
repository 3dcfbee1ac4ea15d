//! `drawloom invoke`: what one command comes to.

use std::path::Path;

use drawloom::command::{CommandArguments, CommandOutcome};
use drawloom_replay::Step;
use futures_executor::block_on;

use crate::failure::Failure;

pub(crate) fn print(
    workbench: &Path,
    id: &str,
    plugin: Option<&str>,
    arguments: &str,
) -> Result<(), Failure> {
    let arguments = CommandArguments::from_json(arguments)?;
    let file = crate::load(workbench, tell_notices)?;
    let outcome: CommandOutcome = match plugin {
        None => block_on(file.workbench().trigger_with(id, arguments)),
        Some(name) => {
            let plugin = file
                .plugin(name)
                .ok_or_else(|| Failure::NoPlugin { plugin: name.to_owned(), path: workbench.to_owned() })?;
            block_on(plugin.invoke(id, arguments))
        }
    };
    let outcome = serde_json::to_string(&outcome);
    crate::print(&outcome.map_err(|error| Failure::Output(error.into()))?)
}

/// Tells what the person would be told: the outcome never says that it was for a grant.
fn tell_notices(step: &Step) {
    if let Step::Notified { plugin, capability } = step {
        crate::tell(format_args!("the person is told that plugin \"{plugin}\" lacks \"{capability}\""));
    }
}
