#![doc = include_str!("../README.md")]
//!
//! # The two shapes of model APIs
//!
//! ```
//! use drawloom_command::{AgentConsent, Argument, Command};
//! use drawloom_tools::{ErrorPlacement, ToolCall, ToolExecutor};
//! use drawloom_workbench::{Call, Capability, Plugin, Workbench};
//! use serde_json::{Value, json};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let workbench = Workbench::builder()
//! #     .grant("notes", [Capability::Contributions])
//! #     .grant("copilot", [Capability::Automation])
//! #     .build();
//! # let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions]))?;
//! # let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;
//! let _open = notes.register(
//!     Command::new("notes.open", "Open note")
//!         .description("Opens a note in the editor.")
//!         .argument(Argument::text("path").description("Where the note is").required())
//!         .answers("What was opened")
//!         .callable(),
//!     |call: Call| async move { Ok(format!("opened {}", call.text("path")?)) },
//! )?;
//! let tools = ToolExecutor::builder(copilot).build();
//!
//! // The tool lists of two model APIs.
//! let openai: Vec<Value> = tools.definitions().iter().map(|tool| tool.to_openai()).collect();
//! let anthropic: Vec<Value> = tools.definitions().iter().map(|tool| tool.to_anthropic()).collect();
//! assert_eq!(openai[0]["function"]["name"], "notes__open");
//! assert_eq!(anthropic[0]["input_schema"]["required"], json!(["path"]));
//!
//! # futures::executor::block_on(async {
//! // A tool call of OpenAI's chat completions carries its arguments as text.
//! let call = json!({
//!     "id": "call_1", "type": "function",
//!     "function": { "name": "notes__open", "arguments": "{\"path\":\"inbox\"}" },
//! });
//! let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
//! let function = &call["function"];
//! let result = tools
//!     .execute(ToolCall::new(text(&call["id"]), text(&function["name"]), text(&function["arguments"])))
//!     .await;
//! let message = json!({
//!     "role": "tool", "tool_call_id": call["id"],
//!     "content": result.text(ErrorPlacement::ErrorAndContent).content,
//! });
//! assert_eq!(message["content"], "opened inbox");
//!
//! // A tool use of Anthropic's messages carries them as an object.
//! let block = json!({ "type": "tool_use", "id": "toolu_1", "name": "notes__open", "input": { "path": 7 } });
//! let result = tools
//!     .execute(ToolCall::new(text(&block["id"]), text(&block["name"]), block["input"].to_string()))
//!     .await;
//! let text = result.text(ErrorPlacement::ErrorAndContent);
//! let answer = json!({
//!     "type": "tool_result", "tool_use_id": block["id"],
//!     "content": text.content, "is_error": text.error.is_some(),
//! });
//! assert_eq!(answer["is_error"], true);
//! assert_eq!(answer["content"], r#"The command did not run: argument "path" takes text, not a number."#);
//! # });
//! # Ok(())
//! # }
//! ```

mod arguments;
mod definition;
mod execute;
mod result;

pub use arguments::{read_arguments, read_arguments_with};
pub use definition::{ToolDefinition, tool_definition};
/// The name of a command's tool; see [`drawloom_command::tool_name`].
pub use drawloom_command::{plain_command_id, tool_name};
pub use execute::{
    EditReport, ExecutionStage, StageHandle, ToolCall, ToolExecution, ToolExecutor, ToolExecutorBuilder,
};
pub use result::{EditedArguments, Editor, ErrorPlacement, ResultText, ToolOutcome, ToolResult};
