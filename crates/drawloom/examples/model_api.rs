//! A product that calls the API of a model directly: tool definitions go out, tool calls come back, results are returned.
//! No AG-UI is involved.
//!
//! Run it with `cargo run -p drawloom --example model_api`. The model is scripted, so no key and no network is needed.

#![allow(clippy::indexing_slicing, reason = "indexing a JSON value does not panic: what is missing is null")]

use std::error::Error;

use drawloom::prelude::*;
use drawloom::tools::{ErrorPlacement, ToolCallRequest, ToolExecutor};
use futures::executor::block_on;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let workbench = Workbench::builder().grant("copilot", [Capability::Automation]).build();
    let open = Command::new("notes.open", "Open note")
        .description("Opens a note in the editor.")
        .argument(Argument::text("path").description("Where the note is").required())
        .answers("The note that was opened")
        .callable()
        .agent_consent(AgentConsent::Ask);
    workbench
        .application()
        .register(open, |call: Call| async move { Ok(format!("opened {}", call.text("path")?)) })?
        .keep();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;
    // Without a policy nobody is asked, whatever a command states. Here the user says yes to every call.
    let ask_the_user = |_: PendingCall| async { true };
    let tools = ToolExecutor::builder(copilot).before(ConsentPolicy::new(ask_the_user)).build();

    let mut messages = vec![json!({ "role": "user", "content": "Open my inbox, please." })];
    loop {
        // The definitions are read again for each request: what may run can change between two of them.
        let definitions: Vec<Value> = tools.definitions().iter().map(|tool| tool.to_openai()).collect();
        let reply = complete(&messages, &definitions);
        let calls = reply["tool_calls"].as_array().cloned().unwrap_or_default();
        messages.push(reply);
        if calls.is_empty() {
            break;
        }
        for call in calls {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (id, function) = (text(&call["id"]), &call["function"]);
            let call =
                ToolCallRequest::new(id.clone(), text(&function["name"]), text(&function["arguments"]));
            let result = block_on(tools.execute(call)).text(ErrorPlacement::ErrorAndContent);
            messages.push(json!({ "role": "tool", "tool_call_id": id, "content": result.content }));
        }
    }
    for message in &messages {
        println!("{message}");
    }
    Ok(())
}

/// Stands for a request to the model: calls the first tool once, and then answers.
fn complete(messages: &[Value], tools: &[Value]) -> Value {
    let is_answered = messages.iter().any(|message| message["role"] == "tool");
    match tools.first() {
        Some(tool) if !is_answered => json!({
            "role": "assistant",
            "tool_calls": [{
                "id": "call_1",
                "type": "function",
                "function": { "name": tool["function"]["name"], "arguments": r#"{"path":"inbox"}"# },
            }],
        }),
        _ => json!({ "role": "assistant", "content": "Your inbox is open." }),
    }
}
