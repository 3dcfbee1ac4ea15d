//! `drawloom mcp --workbench`: the commands of a workbench file as tools, on standard input and output or over HTTP.

use std::path::Path;

use drawloom::command::NullArguments;
use drawloom_mcp::{BearerToken, BuildError, CommandServer, HttpServer};
use drawloom_replay::TranscriptLine;

use crate::error::CliError;

/// Where the commands of a file are served.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transport<'a> {
    /// On standard input and output, to whoever started the program.
    Stdio,
    /// On this port of this machine, to whoever has the token, and to web pages of these origins.
    Http { port: u16, origins: &'a [String] },
}

pub(super) async fn serve(workbench: &Path, transport: Transport<'_>) -> Result<(), CliError> {
    let file = crate::load(workbench, |_: &TranscriptLine| {})?;
    let wording = file.consent_wording();
    let commands = CommandServer::builder(file.agent())
        .application("drawloom", env!("CARGO_PKG_VERSION"))
        .policy(move |policy| policy.wording(wording.clone()))
        // As for every live agent: many models send a null for an argument that they leave out.
        .null_arguments(file.null_arguments().unwrap_or(NullArguments::TreatAsAbsent))
        .build()
        .map_err(unbuilt)?;
    match transport {
        Transport::Stdio => commands.serve_stdio().await.map_err(|error| CliError::Mcp(error.to_string())),
        Transport::Http { port, origins } => {
            let server = origins.iter().fold(HttpServer::builder(), |server, origin| server.origin(origin));
            let server = server.build().map_err(unbuilt)?;
            let token = BearerToken::generate().map_err(unbuilt)?;
            server.admit(&token, commands).map_err(|error| CliError::Mcp(error.to_string()))?;
            let listener =
                server.listen_on_loopback(port).await.map_err(|source| CliError::Listen { port, source })?;
            crate::print_error(format_args!("Listening on {}", listener.url()));
            crate::print_error(format_args!("Token: {}", token.as_str()));
            crate::print_error(format_args!(
                "Each request needs the header \"Authorization: Bearer\" with the token, which is not shown again."
            ));
            tokio::select! {
                never = listener.serve() => match never {},
                pressed = tokio::signal::ctrl_c() => pressed.map_err(CliError::Start),
            }
        }
    }
}

fn unbuilt(error: BuildError) -> CliError {
    CliError::Mcp(error.to_string())
}
