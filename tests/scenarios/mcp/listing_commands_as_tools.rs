//! The list SHALL hold exactly what the caller may reach at that moment, in the order of the ids. A tool SHALL
//! have the name and the schema that it has in every other protocol, its title and its description apart from each
//! other, and what the command states about consent and effects.

use drawloom::command::{AccessRequirement, AgentConsent, Argument, Command, Effects};
use drawloom_mcp::ServerLimits;
use serde_json::{Value, json};

use super::support::Client;
use crate::support::{bench, callable, closed, handle_of};

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// - **GIVEN** a command `notes.open` titled `Open note`, with a description, a required text `path`, an answer,
///   and the statement `ask`; and a command `notes.ping` with a title alone.
/// - **WHEN** a client lists the tools.
/// - **THEN** `notes__open` has the title, the description with the answer, the schema of its arguments with `path`
///   required, and `agentConsent` in `_meta`.
/// - **AND** `notes__ping` has a title, an empty schema of an object, and neither description nor `_meta`.
#[tokio::test(start_paused = true)]
async fn a_tool_of_a_command() {
    let bench = bench();
    bench.has(
        Command::new("notes.open", "Open note")
            .description("Opens a note.")
            .argument(Argument::text("path").description("Which note.").required())
            .answers("The note")
            .callable()
            .agent_consent(AgentConsent::Ask),
    );
    bench.has(Command::new("notes.ping", "Ping").callable());
    let tools = Client::connect(&bench.mcp()).await.tools().await;
    let expected = json!([
        {
            "name": "notes__open",
            "title": "Open note",
            "description": "Opens a note.\nReturns: The note",
            "inputSchema": {
                "type": "object",
                "properties": { "path": { "type": "string", "description": "Which note." } },
                "required": ["path"],
            },
            "_meta": { "agentConsent": "ask" },
        },
        {
            "name": "notes__ping",
            "title": "Ping",
            "inputSchema": { "type": "object", "properties": {}, "required": [] },
        },
    ]);
    assert_eq!(Value::from(tools), expected);
}

/// - **GIVEN** a command that only reads, one that destroys and is idempotent, one that acts outside the
///   application, and one that states nothing.
/// - **WHEN** a client lists the tools.
/// - **THEN** the first three have the hints of the protocol, the effects also stand in `_meta`, and the last has
///   no annotations.
#[tokio::test(start_paused = true)]
async fn effects_as_annotations() {
    let bench = bench();
    bench.has(callable("notes.a").effects(Effects::reads()));
    bench.has(callable("notes.b").effects(Effects::destroys().idempotent()));
    bench.has(callable("notes.c").effects(Effects::changes().outside()));
    bench.has(callable("notes.d"));
    let tools = Client::connect(&bench.mcp()).await.tools().await;
    let hints: Vec<&Value> = tools.iter().map(|tool| &tool["annotations"]).collect();
    let changes = |destructive: bool, idempotent: bool, open_world: bool| {
        json!({
            "readOnlyHint": false, "destructiveHint": destructive, "idempotentHint": idempotent,
            "openWorldHint": open_world,
        })
    };
    assert_eq!(*hints[0], json!({ "readOnlyHint": true, "openWorldHint": false }));
    assert_eq!(*hints[1], changes(true, true, false));
    assert_eq!(*hints[2], changes(false, false, true));
    assert_eq!(tools[3].get("annotations"), None);
    assert_eq!(tools[3].get("_meta"), None);
    assert!(tools[0]["_meta"]["effects"].is_object(), "{}", tools[0]);
}

/// - **GIVEN** a callable command, one that is not callable, and one that requires a session.
/// - **WHEN** a client lists the tools, the grant is revoked, and it lists them again.
/// - **THEN** the first list holds the callable command alone, and the second holds nothing.
#[tokio::test(start_paused = true)]
async fn what_is_out_of_reach_is_not_listed() {
    let bench = bench();
    bench.has(callable("notes.open"));
    bench.has(closed("notes.closed"));
    bench.has(callable("notes.signed").access(AccessRequirement::Authenticated));
    let mut client = Client::connect(&bench.mcp()).await;
    assert_eq!(names(&client.tools().await), ["notes__open"]);
    bench.revoke_automation();
    assert_eq!(client.tools().await, [] as [Value; 0]);
}

/// - **GIVEN** five commands, registered in no order, and pages of two.
/// - **WHEN** a client lists the tools page after page, and the third command is removed after the first page.
/// - **THEN** the pages hold the commands in the order of their ids, none twice and none left out but the one that
///   was removed.
/// - **AND** a cursor that no page gave is answered with an error that says to list without it.
#[tokio::test(start_paused = true)]
async fn a_list_in_pages() {
    let bench = bench();
    for id in ["notes.e", "notes.a", "notes.d", "notes.b"] {
        bench.has(callable(id));
    }
    let third = handle_of(&bench.notes, callable("notes.c"));
    let limits = ServerLimits::default().page(2);
    let mut client = Client::connect(&bench.mcp_with(|server| server.limits(limits))).await;

    let mut listed = Vec::new();
    let mut page = client.request("tools/list", json!({})).await["result"].take();
    third.dispose();
    loop {
        let tools = page["tools"].as_array().unwrap();
        assert!(tools.len() <= 2, "{page}");
        listed.extend(names(tools).iter().map(|name| (*name).to_owned()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        page = client.request("tools/list", json!({ "cursor": cursor })).await["result"].take();
    }
    assert_eq!(listed, ["notes__a", "notes__b", "notes__d", "notes__e"]);

    let refused = client.request("tools/list", json!({ "cursor": "2" })).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("without it"), "{refused}");
}

/// - **WHEN** a returning client lists the tools.
/// - **THEN** the list is private to it and stale at once.
#[tokio::test(start_paused = true)]
async fn what_a_client_may_keep_of_a_list() {
    let bench = bench();
    bench.has(callable("notes.open"));
    let listed = Client::returning(&bench.mcp()).request("tools/list", json!({})).await;
    assert_eq!(listed["result"]["cacheScope"], "private", "{listed}");
    assert_eq!(listed["result"]["ttlMs"], 0, "{listed}");
}
