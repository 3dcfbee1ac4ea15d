//! `drawloom invoke`: runs one command and prints its outcome.

use std::path::Path;

use drawloom::command::{CommandArguments, CommandOutcome};
use drawloom_replay::TranscriptLine;
use futures_executor::block_on;

use crate::error::CliError;
use crate::terminal::output::{print_error, print_json};

pub(crate) fn run(workbench: &Path, id: &str, plugin: Option<&str>, arguments: &str) -> Result<(), CliError> {
    let arguments = CommandArguments::from_json(arguments)?;
    let file = crate::load(workbench, print_notice)?;
    let outcome: CommandOutcome = match plugin {
        None => block_on(file.workbench().trigger_with(id, arguments)),
        Some(name) => {
            let plugin = file.plugin(name).ok_or_else(|| CliError::UnknownPlugin {
                plugin: name.to_owned(),
                path: workbench.to_owned(),
            })?;
            block_on(plugin.invoke(id, arguments))
        }
    };
    print_json(&outcome)
}

/// Prints the notices to the person, because the outcome never says that a grant is missing.
fn print_notice(line: &TranscriptLine) {
    if let TranscriptLine::Notified { plugin, capability } = line {
        print_error(format_args!(
            "notice to the person: plugin \"{plugin}\" lacks the capability \"{capability}\""
        ));
    }
}
