//! `drawloom tools`: prints the tools that the agent is offered.

use std::path::Path;

use drawloom::command::CommandAccess;
use drawloom::tools::{tool_definition, tool_warnings};
use drawloom_replay::TranscriptLine;

use crate::error::CliError;

pub(crate) fn run(workbench: &Path) -> Result<(), CliError> {
    let file = crate::load(workbench, |_: &TranscriptLine| {})?;
    for issue in file.workbench().composition_issues() {
        crate::print_error(format_args!("warning: {}: {issue}", workbench.display()));
    }
    for warning in file.warnings() {
        crate::print_error(format_args!("warning: {}: {warning}", workbench.display()));
    }
    let definitions: Vec<_> = file.agent().invocable_commands().iter().map(tool_definition).collect();
    for warning in tool_warnings(&definitions) {
        crate::print_error(format_args!("warning: {}: {warning}", workbench.display()));
    }
    let tools = serde_json::to_string(&file.command_tools().list());
    crate::print(&tools.map_err(|error| CliError::Output(error.into()))?)
}
