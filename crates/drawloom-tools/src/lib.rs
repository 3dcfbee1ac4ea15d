#![doc = include_str!("../README.md")]
//!
//! # The two shapes of model APIs
//!
//! ```
//! use drawloom_command::{AgentConsent, Argument, Command};
//! use drawloom_tools::{ErrorPlacement, ToolCallRequest, ToolExecutor};
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
//!     .execute(ToolCallRequest::new(text(&call["id"]), text(&function["name"]), text(&function["arguments"])))
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
//!     .execute(ToolCallRequest::new(text(&block["id"]), text(&block["name"]), block["input"].to_string()))
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
//!
//! # The rules of the model APIs
//!
//! A definition keeps to the rules of all large APIs at once. "Always" means that no declaration can break the rule.
//!
//! | rule | source | kept |
//! | --- | --- | --- |
//! | a tool's name matches `^[a-zA-Z0-9_-]{1,64}$` | [OpenAI, function definition](https://apis.io/schemas/chatgpt/chatgpt-chat-completions-function-definition/) | always |
//! | a tool's name starts with a letter or an underscore | [Gemini, `FunctionDeclaration`](https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder) | always |
//! | an argument's name matches `^[a-zA-Z0-9_.-]{1,64}$` | [Anthropic, error of the API](https://github.com/anthropics/claude-code/issues/79418) | always: a callable command with another name is not registered |
//! | an argument's name starts with a letter or an underscore and has neither `.` nor `-` | Gemini, `FunctionDeclaration` | a warning |
//! | `parameters` has `type: object` and no `oneOf`, `anyOf` or `allOf` at the top | [Anthropic, error of the API](https://github.com/anthropics/claude-code/issues/40075) | always |
//! | `parameters` has `properties` | [OpenAI, error of the API](https://github.com/spring-projects/spring-ai/issues/4776) | always |
//! | every property has a `type` | [Gemini, error of the API](https://github.com/danny-avila/LibreChat/issues/6971) | always |
//! | a list has `items` | [OpenAI](https://github.com/sigoden/aichat/pull/1049) and [Gemini](https://github.com/cline/cline/issues/7339), errors of the APIs | always |
//! | every name in `required` is a property | [Gemini, error of the API](https://github.com/iBUHub/AIStudioToAPI/issues/154) | always |
//! | an `enum` has at least one text, and no empty one | [Gemini, error of the API](https://github.com/Bobsilvio/ha-claude/pull/32) | always |
//! | no `$schema`, `additionalProperties`, `propertyNames` or number in an `enum` | [Gemini, error of the API](https://github.com/thClaws/thClaws/issues/172) | always |
//! | no `$ref` | [Anthropic, documentation](https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes) | always |
//! | no whole number beyond ±(2⁵³−1) in a schema | [Anthropic, error of the API](https://github.com/adiom-data/grpcmcp/pull/5) | unless the author of the command wrote such a bound |
//! | a description has at most 1,024 characters | [OpenAI, error of the API](https://github.com/getsentry/sentry-mcp/issues/106) | a warning |
//! | a list has at most 128 tools | [OpenAI, error of the API](https://github.com/zed-industries/zed/issues/42393) | a warning |
//!
//! [`tool_warnings`] gives the warnings for a list of definitions.

mod arguments;
mod definition;
mod execute;
mod lints;
mod result;

pub use arguments::{read_arguments, read_arguments_with};
pub use definition::{ToolAnnotations, ToolDefinition, tool_definition};
pub use drawloom_command::{plain_command_id, tool_name};
pub use execute::{
    EditReport, ExecutionStage, StageHandle, ToolCallRequest, ToolExecution, ToolExecutor,
    ToolExecutorBuilder,
};
pub use lints::{MAX_DESCRIPTION_CHARACTERS, MAX_TOOLS, ToolWarning, tool_warnings};
pub use result::{EditedArguments, Editor, ErrorPlacement, ResultText, ToolOutcome, ToolResult};
