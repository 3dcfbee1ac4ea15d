//! The server SHALL tell each client when its list has changed, and SHALL not tell it of a change that leaves its
//! list as it was.

use drawloom_mcp::ServerLimits;
use serde_json::json;

use super::support::Client;
use crate::support::{bench, callable, closed};

const CHANGED: &str = "notifications/tools/list_changed";

/// - **GIVEN** a client that has introduced itself.
/// - **WHEN** a callable command is registered, one that is not callable is registered, and the grant is revoked.
/// - **THEN** the client is told of the first and the last, and of nothing else.
#[tokio::test(start_paused = true)]
async fn a_client_with_a_connection() {
    let bench = bench();
    let mut client = Client::connect(&bench.mcp()).await;
    // Whoever lists has introduced itself before.
    assert_eq!(client.tools().await.len(), 0);
    bench.has(callable("notes.open"));
    assert_eq!(client.message().await["method"], CHANGED);
    bench.has(closed("notes.closed"));
    assert_eq!(client.tools().await.len(), 1);
    bench.revoke_automation();
    assert_eq!(client.message().await["method"], CHANGED);
    let id = client.start("tools/list", json!({})).await;
    let next = client.message().await;
    assert_eq!((&next["id"], &next["result"]["tools"]), (&json!(id), &json!([])), "{next}");
}

/// - **GIVEN** a returning client that listens for changes of the tools.
/// - **WHEN** a callable command is registered.
/// - **THEN** it is told on its stream, and it is told nothing after it has cancelled the stream.
#[tokio::test(start_paused = true)]
async fn a_client_that_listens() {
    let bench = bench();
    let mut client = Client::returning(&bench.mcp());
    let stream =
        client.start("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    let acknowledged = client.message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    bench.has(callable("notes.open"));
    let changed = client.message().await;
    assert_eq!(changed["method"], CHANGED, "{changed}");
    assert_eq!(changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], stream, "{changed}");
    client.cancel(stream).await;
    assert_eq!(client.tools().await.len(), 1);
    bench.has(callable("notes.close"));
    let id = client.start("tools/list", json!({})).await;
    let next = client.message().await;
    assert_eq!(next["id"], id, "{next}");
}

/// - **GIVEN** a server with at most one stream of changes, and a returning client that listens.
/// - **WHEN** it listens a second time.
/// - **THEN** the second stream is refused with words.
#[tokio::test(start_paused = true)]
async fn bounds_of_streams() {
    let bench = bench();
    let limits = ServerLimits::default().subscriptions(1);
    let mut client = Client::returning(&bench.mcp_with(|server| server.limits(limits)));
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    client.start("subscriptions/listen", listen.clone()).await;
    assert_eq!(client.message().await["method"], "notifications/subscriptions/acknowledged");
    let refused = client.request("subscriptions/listen", listen).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("close one"), "{refused}");
}
