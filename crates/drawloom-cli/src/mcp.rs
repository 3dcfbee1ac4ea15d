//! `drawloom mcp`: a server for the Model Context Protocol, for an agent that writes an application's code. The protocol is in
//! `drawloom-mcp`; here are the two tools.

mod replay_run;
mod root;
mod validate_commands;

use std::path::PathBuf;

use clap::Args;
use drawloom_mcp::{ToolFailure, ToolServer};
use serde_json::{Map, Value};

use crate::error::CliError;
use root::Root;

/// What the server is started with.
#[derive(Debug, Args)]
pub(crate) struct McpOptions {
    /// The directory that the tools may read. Paths are relative to it, and nothing outside it is opened.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

const INSTRUCTIONS: &str = "\
Checks the commands of an application that uses drawloom while you write it. validate_commands says what an agent will see of \
the commands in a directory; replay_run plays a recorded run against a workbench that is described in a file.";

pub(crate) fn run(options: &McpOptions) -> Result<(), CliError> {
    let root =
        Root::open(&options.root).map_err(|source| CliError::Read { path: options.root.clone(), source })?;
    let server = ToolServer::builder("drawloom", env!("CARGO_PKG_VERSION"))
        .instructions(INSTRUCTIONS)
        .tool(validate_commands::tool(root.clone()))
        .tool(replay_run::tool(root))
        .build()
        .map_err(|error| CliError::Mcp(error.to_string()))?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Start)?;
    let served = runtime.block_on(server.serve_stdio());
    // A read of standard input that is under way would keep the runtime from ending.
    runtime.shutdown_background();
    served.map_err(|error| CliError::Mcp(error.to_string()))
}

/// Takes one text out of the arguments of a call.
fn take_text(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<String>, ToolFailure> {
    match arguments.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ToolFailure::new(format!("\"{name}\" takes a text"))),
    }
}

/// Refuses what is left of the arguments.
fn nothing_else(arguments: &Map<String, Value>) -> Result<(), ToolFailure> {
    match arguments.keys().next() {
        None => Ok(()),
        Some(name) => Err(ToolFailure::new(format!("there is no argument \"{name}\"; leave it out"))),
    }
}

/// Runs what blocks on a thread of its own.
async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> Result<T, ToolFailure> + Send + 'static,
) -> Result<T, ToolFailure> {
    let broken = |_| ToolFailure::new("the tool broke off; this is a defect of drawloom");
    tokio::task::spawn_blocking(run).await.map_err(broken)?
}
