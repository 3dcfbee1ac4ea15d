//! `drawloom mcp`: a server for the Model Context Protocol. It has two tools for an agent that writes an application's code,
//! which are here, or the commands of a workbench file. The protocol is in `drawloom-mcp`.

mod replay_run;
mod root;
mod validate_commands;
mod workbench;

use std::path::PathBuf;

use clap::Args;
use drawloom_mcp::{ToolFailure, ToolServer};
use serde_json::{Map, Value};

use crate::error::CliError;
use root::Root;
use workbench::Transport;

/// What the server is started with.
#[derive(Debug, Args)]
pub(crate) struct McpOptions {
    /// The directory that the tools may read. Paths are relative to it, and nothing outside it is opened.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Offers the commands of this workbench file as tools, to the agent that the file names, instead of the tools for
    /// development.
    #[arg(long, value_name = "FILE", conflicts_with = "root")]
    workbench: Option<PathBuf>,
    /// Serves streamable HTTP on this port of this machine instead of standard input and output. With 0, the system chooses
    /// the port. The address and the token for clients are printed on standard error.
    #[arg(long, value_name = "PORT", requires = "workbench")]
    http: Option<u16>,
    /// Lets web pages of this origin use the server, such as http://localhost:6274. They need the token too. Can be given
    /// several times.
    #[arg(long = "origin", value_name = "ORIGIN", requires = "http")]
    origins: Vec<String>,
}

pub(crate) const HELP: &str = "\
With --workbench, a command that asks for consent is asked about through the client. If the client cannot ask the person, the
command does not run. The scripted consent of the file is not used.

Examples:
  drawloom mcp --root .
  drawloom mcp --workbench notes.json
  drawloom mcp --workbench notes.json --http 0";

const INSTRUCTIONS: &str = "\
Checks the commands of an application that uses drawloom while you write it. validate_commands says what an agent will see of \
the commands in a directory; replay_run plays a recorded run against a workbench that is described in a file.";

pub(crate) fn run(options: &McpOptions) -> Result<(), CliError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Start)?;
    let served = runtime.block_on(serve(options));
    // A read of standard input that is under way would keep the runtime from ending.
    runtime.shutdown_background();
    served
}

async fn serve(options: &McpOptions) -> Result<(), CliError> {
    if let Some(file) = &options.workbench {
        let transport = match options.http {
            None => Transport::Stdio,
            Some(port) => Transport::Http { port, origins: &options.origins },
        };
        return workbench::serve(file, transport).await;
    }
    let root =
        Root::open(&options.root).map_err(|source| CliError::Read { path: options.root.clone(), source })?;
    let server = ToolServer::builder("drawloom", env!("CARGO_PKG_VERSION"))
        .instructions(INSTRUCTIONS)
        .tool(validate_commands::tool(root.clone()))
        .tool(replay_run::tool(root))
        .build()
        .map_err(|error| CliError::Mcp(error.to_string()))?;
    server.serve_stdio().await.map_err(|error| CliError::Mcp(error.to_string()))
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
