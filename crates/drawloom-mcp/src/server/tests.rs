//! A client in the same process.

use rmcp::model::ClientConfig;
use rmcp::service::{RoleClient, RunningService};
use serde_json::json;

use super::*;
use crate::tool::ToolFailure;

async fn connected(server: ToolServer) -> RunningService<RoleClient, ClientConfig> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { server.serve(ours).await.unwrap().waiting().await });
    ClientConfig::default().serve(theirs).await.unwrap()
}

fn server() -> ToolServer {
    let echo = ServerTool::new("echo", "Returns what it is given.", |arguments| async move {
        match arguments.get("text").and_then(Value::as_str) {
            Some("panic") => panic!("gone"),
            Some(text) => Ok(json!({ "text": text })),
            None => Err(ToolFailure::new("\"text\" is missing")),
        }
    });
    let echo = echo
        .title("Echo")
        .input_schema(json!({ "type": "object", "properties": { "text": { "type": "string" } } }))
        .output_schema(json!({ "type": "object" }))
        .read_only();
    ToolServer::builder("example", "1.0.0").instructions("For tests.").tool(echo).build().unwrap()
}

#[tokio::test]
async fn a_tool_is_listed_with_all_that_it_states() {
    let client = connected(server()).await;
    let tools = client.list_all_tools().await.unwrap();
    let listed = serde_json::to_value(&tools).unwrap();
    assert_eq!(listed[0]["name"], "echo");
    assert_eq!(listed[0]["title"], "Echo");
    assert_eq!(listed[0]["inputSchema"]["properties"]["text"]["type"], "string");
    assert_eq!(listed[0]["outputSchema"], json!({ "type": "object" }));
    assert_eq!(listed[0]["annotations"]["readOnlyHint"], true);
}

#[tokio::test]
async fn a_value_a_failure_and_a_panic_are_told_apart() {
    let client = connected(server()).await;
    let call = |text: Option<&str>| {
        let mut request = CallToolRequestParams::new("echo");
        request.arguments = text.and_then(|text| json!({ "text": text }).as_object().cloned());
        client.call_tool(request)
    };
    let value = call(Some("a")).await.unwrap();
    assert_eq!((value.is_error, value.structured_content), (Some(false), Some(json!({ "text": "a" }))));
    for (given, word) in [(None, "missing"), (Some("panic"), "broke off")] {
        let result = call(given).await.unwrap();
        assert_eq!(result.is_error, Some(true));
        let content = serde_json::to_value(&result.content).unwrap();
        assert!(content[0]["text"].as_str().unwrap().contains(word), "{content}");
    }
    // The server goes on, and knows no other tool.
    assert!(call(Some("b")).await.is_ok());
    assert!(client.call_tool(CallToolRequestParams::new("other")).await.is_err());
}

#[test]
fn what_does_not_fit_together_is_an_error() {
    let tool = || ServerTool::new("a", "A", |_| async { Ok(Value::Null) });
    let twice = ToolServer::builder("s", "1").tool(tool()).tool(tool()).build();
    assert_eq!(twice.unwrap_err(), BuildError::DuplicateTool("a".to_owned()));
    let schema = ToolServer::builder("s", "1").tool(tool().input_schema(json!([]))).build();
    assert_eq!(schema.unwrap_err(), BuildError::Schema("a".to_owned()));
}
