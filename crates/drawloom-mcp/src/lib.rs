//! Tools over the Model Context Protocol, on standard input and output.
//!
//! A [`ToolServer`] offers a fixed set of [`ServerTool`]s, each with a schema of what it takes and of what it gives. What a
//! tool does is the function that it was made with; this crate holds the protocol. `drawloom mcp` is such a server, with
//! the tools `validate_commands` and `replay_run`.
//!
//! ```no_run
//! use drawloom_mcp::{ServerTool, ToolServer};
//! use serde_json::{Value, json};
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let echo = ServerTool::new("echo", "Returns what it is given.", |arguments| async move {
//!     Ok(json!({ "echoed": Value::Object(arguments) }))
//! })
//! .input_schema(json!({ "type": "object", "properties": { "text": { "type": "string" } } }))
//! .read_only();
//! ToolServer::builder("example", "1.0.0").tool(echo).build()?.serve_stdio().await?;
//! # Ok(())
//! # }
//! ```

mod server;
mod tool;

pub use server::{BuildError, ServeError, ToolServer, ToolServerBuilder};
pub use tool::{ServerTool, ToolFailure};
