//! `drawloom tools`: prints the tools that the agent is offered.

use std::path::Path;

use drawloom::command::CommandAccess;
use drawloom::tools::{tool_definition, tool_warnings};
use drawloom_replay::TranscriptLine;

use crate::error::CliError;
use crate::terminal::output::{print_error, print_json};

pub(crate) fn run(workbench: &Path) -> Result<(), CliError> {
    let file = crate::load(workbench, |_: &TranscriptLine| {})?;
    for issue in file.workbench().composition_issues() {
        print_error(format_args!("warning: {}: {issue}", workbench.display()));
    }
    for warning in file.warnings() {
        print_error(format_args!("warning: {}: {warning}", workbench.display()));
    }
    let definitions: Vec<_> = file.agent().invocable_commands().iter().map(tool_definition).collect();
    for warning in tool_warnings(&definitions) {
        print_error(format_args!("warning: {}: {warning}", workbench.display()));
    }
    print_json(&file.command_tools().list())
}
