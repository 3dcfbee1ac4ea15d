//! `drawloom tools`: what the agent is offered.

use std::path::Path;

use drawloom_replay::Step;

use crate::failure::Failure;

pub(crate) fn print(workbench: &Path) -> Result<(), Failure> {
    let file = crate::load(workbench, |_: &Step| {})?;
    for issue in file.workbench().composition_issues() {
        crate::tell(format_args!("warning: {}: {issue}", workbench.display()));
    }
    for warning in file.warnings() {
        crate::tell(format_args!("warning: {}: {warning}", workbench.display()));
    }
    let tools = serde_json::to_string(&file.command_tools().list());
    crate::print(&tools.map_err(|error| Failure::Output(error.into()))?)
}
