//! The server: the protocol around a fixed set of tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RunningService, ServerInitializeError, Service};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

use crate::stdio::PrintableJson;
use crate::tool::ServerTool;
use crate::wire::arguments::ArgumentText;
use crate::wire::lines::LineTransport;

/// How many calls run at once; further ones wait.
const RUNNING: usize = 4;
/// How long a client may keep the list of tools, in milliseconds.
const FRESH_MS: u64 = 3_600_000;

/// Why a server cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two tools have the same name.
    #[error("two tools have the name \"{0}\"")]
    DuplicateTool(String),
    /// A schema is not an object.
    #[error("a schema of the tool \"{0}\" is not a JSON object")]
    Schema(String),
    /// The system gives no random numbers, and keys cannot be made without.
    #[error("the system gives no random numbers: {0}")]
    Randomness(String),
}

impl BuildError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DuplicateTool(_) => "duplicate-tool",
            Self::Schema(_) => "schema",
            Self::Randomness(_) => "randomness",
        }
    }
}

/// Why a server stopped.
#[derive(Debug, thiserror::Error)]
#[error("the connection failed: {0}")]
pub struct ServeError(String);

impl ServeError {
    /// How a server ended that served one connection, waiting for its end.
    pub(crate) async fn of<S: Service<RoleServer>>(
        started: Result<RunningService<RoleServer, S>, ServerInitializeError>,
    ) -> Result<(), Self> {
        match started {
            Ok(served) => served.waiting().await.map(|_| ()).map_err(|error| Self(error.to_string())),
            // A client that leaves before it introduced itself is not a failure.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(Self(error.to_string())),
        }
    }
}

/// Builder for a [`ToolServer`].
#[derive(Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct ToolServerBuilder {
    name: String,
    version: String,
    instructions: Option<String>,
    tools: Vec<ServerTool>,
}

/// A server for the Model Context Protocol with a fixed set of tools. Clones are the same server.
#[derive(Clone, Debug)]
pub struct ToolServer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    config: ServerConfig,
    /// In the order in which they are listed.
    definitions: Vec<Tool>,
    tools: BTreeMap<String, ServerTool>,
    running: Semaphore,
}

impl ToolServerBuilder {
    /// Sets what a client is told about the server as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: ServerTool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Builds the server.
    ///
    /// # Errors
    /// [`BuildError`] if two tools have the same name or a schema is not an object.
    pub fn build(self) -> Result<ToolServer, BuildError> {
        let definitions = self.tools.iter().map(definition).collect::<Result<_, _>>()?;
        let mut tools = BTreeMap::new();
        for tool in self.tools {
            if let Some(other) = tools.insert(tool.name.clone(), tool) {
                return Err(BuildError::DuplicateTool(other.name));
            }
        }
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(self.name, self.version));
        config.instructions = self.instructions;
        let running = Semaphore::new(RUNNING);
        Ok(ToolServer(Arc::new(Inner { config, definitions, tools, running })))
    }
}

impl ToolServer {
    /// Starts to build a server that introduces itself by this name and version.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> ToolServerBuilder {
        ToolServerBuilder {
            name: name.into(),
            version: version.into(),
            instructions: None,
            tools: Vec::new(),
        }
    }

    /// Serves one client on standard input and output, until it closes standard input. It must be called within a tokio
    /// runtime. In the messages that are written, what a terminal would obey is an escape of JSON.
    ///
    /// # Errors
    /// [`ServeError`] if the connection fails.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let (input, output) = rmcp::transport::stdio();
        ServeError::of(self.serve(LineTransport::new(input, PrintableJson::new(output))).await).await
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.definitions.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // The tools never change, and are the same for every client.
        let list = ListToolsResult::with_all_items(self.0.definitions.clone());
        Ok(list.with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.0.tools.get(&*request.name) else {
            let message = format!("there is no tool \"{}\"", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = match context.extensions.get::<ArgumentText>() {
            None => request.arguments.unwrap_or_default(),
            // They were set aside when the message arrived.
            Some(text) => match serde_json::from_str(&text.0) {
                Ok(arguments) => arguments,
                Err(_) => {
                    let words = "the arguments are not a JSON object; send an object";
                    return Ok(CallToolResult::error(vec![ContentBlock::text(words)]).into());
                }
            },
        };
        // The semaphore is never closed.
        let _permit = self.0.running.acquire().await;
        // A task of its own, so that a panic ends this call and nothing else.
        let running = tokio::spawn((tool.run)(arguments));
        let _aborts = AbortsOnDrop(running.abort_handle());
        let result = match running.await {
            Ok(Ok(value)) => CallToolResult::structured(value),
            Ok(Err(failure)) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
            Err(_) => {
                CallToolResult::error(vec![ContentBlock::text("the tool broke off; this is a defect of it")])
            }
        };
        Ok(result.into())
    }
}

/// Ends a call that nobody waits for any more.
struct AbortsOnDrop(AbortHandle);

impl Drop for AbortsOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn definition(tool: &ServerTool) -> Result<Tool, BuildError> {
    let object = |schema: &Value| -> Result<Arc<JsonObject>, BuildError> {
        schema.as_object().cloned().map(Arc::new).ok_or_else(|| BuildError::Schema(tool.name.clone()))
    };
    let mut definition = Tool::new(tool.name.clone(), tool.description.clone(), object(&tool.input_schema)?);
    if let Some(title) = &tool.title {
        definition = definition.with_title(title.clone());
    }
    if let Some(schema) = &tool.output_schema {
        definition = definition.with_raw_output_schema(object(schema)?);
    }
    if tool.read_only {
        definition = definition.with_annotations(
            ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false),
        );
    }
    Ok(definition)
}

#[cfg(test)]
mod tests;
