//! A call SHALL run the command that the tool is named after, with exactly the arguments that were sent, and SHALL
//! be answered with what happened.

use std::sync::atomic::Ordering;
use std::time::Duration;

use drawloom::command::{
    AccessRequirement, AgentConsent, Argument, BeforeCall, Command, CommandArguments, Decision, PendingCall,
    Progress,
};
use drawloom::workbench::{Call, HandlerError};
use drawloom_mcp::ServerLimits;
use serde_json::{Value, json};

use super::support::{Client, answered, assert_unknown, failed, not_run, until};
use crate::support::{Bench, assert_names, bench, callable, closed, is_answered};

/// A command that answers its argument `count`.
fn has_count(bench: &Bench) {
    let command = callable("notes.count").argument(Argument::number("count").required()).answers("The count");
    let counts = |call: Call| async move { Ok::<_, HandlerError>(call.number("count")?.to_string()) };
    bench.notes.register(command, counts).unwrap().keep();
}

/// - **GIVEN** a command that answers a text, one that answers data, one that answers nothing, and one that fails.
/// - **WHEN** a client calls each of them.
/// - **THEN** the results are the text, the data as JSON, a statement that the command ran, and an error that says
///   that it ran and failed.
#[tokio::test(start_paused = true)]
async fn what_happened_is_told_apart() {
    let bench = bench();
    let register = |id: &str, answers: bool, answer: fn() -> Result<Value, &'static str>| {
        let command = if answers { callable(id).answers("It") } else { callable(id) };
        bench.notes.register(command, move |_: Call| async move { Ok(answer()?) }).unwrap().keep();
    };
    register("notes.text", true, || Ok(json!("a\nb")));
    register("notes.data", true, || Ok(json!({ "path": "inbox", "tags": [1, null] })));
    register("notes.nothing", false, || Ok(json!("dropped")));
    register("notes.broken", true, || Err("the disk is full"));
    let mut client = Client::connect(&bench.mcp()).await;
    assert_eq!(answered(&client.call("notes__text", json!({})).await), "a\nb");
    assert_eq!(answered(&client.call("notes__data", json!({})).await), r#"{"path":"inbox","tags":[1,null]}"#);
    assert_eq!(answered(&client.call("notes__nothing", json!({})).await), "The command ran.");
    let broken = client.call("notes__broken", json!({})).await;
    assert_eq!(failed(&broken), "The command ran and failed: the disk is full.");
}

/// - **GIVEN** a command that answers an object with a schema, one that answers a number with a schema, and one
///   that answers without a schema.
/// - **WHEN** a client of each revision lists them and calls them.
/// - **THEN** the first two have an output schema, and their results have a structured answer that the schema
///   accepts, besides the text; the last has neither.
/// - **AND** the number is a member of an object for the client with a connection, and is itself for the returning
///   client.
#[tokio::test(start_paused = true)]
async fn a_typed_answer() {
    let bench = bench();
    let note = json!({
        "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"],
    });
    let number = json!({ "type": "integer" });
    let answers = |id: &str, schema: Option<&Value>, answer: Value| {
        let command = callable(id).answers("It");
        let command = if let Some(schema) = schema { command.answer_schema(schema) } else { command };
        let register = bench.notes.register(command, move |_: Call| {
            let answer = answer.clone();
            async move { Ok::<_, HandlerError>(answer) }
        });
        register.unwrap().keep();
    };
    answers("notes.a", Some(&note), json!({ "path": "inbox" }));
    answers("notes.b", Some(&number), json!(3));
    answers("notes.c", None, json!({ "path": "inbox" }));
    let server = bench.mcp();
    let wrapped = json!({ "answer": 3 });
    for (mut client, second) in
        [(Client::connect(&server).await, &wrapped), (Client::returning(&server), &json!(3))]
    {
        let tools = client.tools().await;
        assert_eq!(tools[0]["outputSchema"], note);
        assert_eq!(tools[2].get("outputSchema"), None);
        for (tool, expected) in tools.iter().zip([Some(&json!({ "path": "inbox" })), Some(second), None]) {
            let response = client.call(tool["name"].as_str().unwrap(), json!({})).await;
            answered(&response);
            assert_eq!(response["result"].get("structuredContent"), expected, "{response}");
            if let Some(value) = expected {
                let schema = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
                assert!(schema.is_valid(value), "{tool}");
            }
        }
    }
}

/// - **GIVEN** a command with a required number `count`.
/// - **WHEN** a client calls it without `count`, with a text, with a nested value, with an argument that is not
///   declared, and with arguments that are a list.
/// - **THEN** each call is not run, and the words name what is wrong.
#[tokio::test(start_paused = true)]
async fn arguments_that_a_model_can_correct() {
    let bench = bench();
    has_count(&bench);
    let mut client = Client::connect(&bench.mcp()).await;
    for (arguments, named) in [
        (json!({}), "count"),
        (json!({ "count": "12" }), "count"),
        (json!({ "count": { "n": 1 } }), "count"),
        (json!({ "count": 1, "other": 1 }), "other"),
        (json!([1]), "object"),
    ] {
        assert_names(not_run(&client.call("notes__count", arguments).await), &[named]);
    }
    assert!(!bench.audited.all().iter().any(|record| record.outcome().is_some_and(is_answered)));
}

/// - **GIVEN** a command with a number `count` that answers what it is given.
/// - **WHEN** a client sends 9007199254740993, 2512292042121000001 and 14380.0.
/// - **THEN** the command gets each number with the value that was sent.
/// - **AND** 1e400 and two members `count` are refused, and the command does not run.
#[tokio::test(start_paused = true)]
async fn arguments_arrive_exactly() {
    let bench = bench();
    has_count(&bench);
    let mut client = Client::connect(&bench.mcp()).await;
    for (sent, arrives) in [
        ("9007199254740993", "9007199254740993"),
        ("2512292042121000001", "2512292042121000001"),
        ("14380.0", "14380"),
    ] {
        let response = client.call_text("notes__count", &format!(r#"{{"count":{sent}}}"#)).await;
        assert_eq!(answered(&response), arrives);
    }
    not_run(&client.call_text("notes__count", r#"{"count":1e400}"#).await);
    not_run(&client.call_text("notes__count", r#"{"count":1,"count":2}"#).await);
}

/// - **GIVEN** a command that is not callable, one that requires a session, and one whose plugin is another's,
///   while the grant is revoked.
/// - **WHEN** a client calls each of them, and a tool that does not exist, with arguments that match and with
///   arguments that do not.
/// - **THEN** the answers are equal byte for byte, and none of the commands has run.
#[tokio::test(start_paused = true)]
async fn one_answer_for_all_that_is_out_of_reach() {
    let bench = bench();
    let with_path = |command: Command| command.argument(Argument::text("path").required());
    let closed = bench.has(with_path(closed("notes.closed")));
    let signed = bench.has(with_path(callable("notes.signed")).access(AccessRequirement::Authenticated));
    let others = bench.has(with_path(callable("notes.other")));
    bench.revoke_automation();
    let mut client = Client::connect(&bench.mcp()).await;
    let tools = ["notes__absent", "notes__closed", "notes__signed", "notes__other"];
    for arguments in [json!({ "path": "inbox" }), json!({ "path": 1 }), json!({ "path": {} }), json!({})] {
        for tool in tools {
            let mut response = client.call(tool, arguments.clone()).await;
            assert_unknown(&response);
            // The id of the request is the only difference.
            response["id"].take();
            let text = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"The command did not run: no such command is available."}}"#;
            assert_eq!(response, serde_json::from_str::<Value>(text).unwrap());
        }
    }
    assert_eq!((closed.count(), signed.count(), others.count()), (0, 0, 0));
}

fn hook() -> impl BeforeCall {
    |call: PendingCall| async move {
        match call.command_id.as_str() {
            "notes.export" => Decision::Answer { content: "Exports are run from the menu.".into() },
            "notes.delete" => Decision::Decline { reason: "nothing is deleted today".into() },
            "notes.open" => Decision::RunWith(CommandArguments::new().with("path", "drafts")),
            _ => Decision::Run,
        }
    }
}

/// - **GIVEN** a hook that answers calls of `notes.export`, declines calls of `notes.delete` and changes the path
///   of `notes.open`, which states `ask`.
/// - **WHEN** a client calls all three and the person accepts the question.
/// - **THEN** the first two are answered by the hook without running, and the third is asked about and runs with
///   the changed path, and the result says so.
#[tokio::test(start_paused = true)]
async fn the_hook_of_the_application_comes_first() {
    let bench = bench();
    let exports = bench.has(callable("notes.export").agent_consent(AgentConsent::Ask));
    let deletes = bench.has(callable("notes.delete").agent_consent(AgentConsent::Ask));
    let opened = bench.has_path_command("notes.open", AgentConsent::Ask);
    let mut client = Client::connect(&bench.mcp_with(|server| server.before(hook()))).await;
    assert_eq!(answered(&client.call("notes__export", json!({})).await), "Exports are run from the menu.");
    assert_eq!(
        not_run(&client.call("notes__delete", json!({})).await),
        "The command did not run: nothing is deleted today."
    );
    let id = client.start_call("notes__open", json!({ "path": "inbox" })).await;
    let (question, message) = client.question().await;
    assert_names(message, &["drafts"]);
    client.answer(&question, "accept").await;
    assert_names(answered(&client.response(id).await), &["changed the arguments", "drafts"]);
    assert_eq!(opened.only(), "drafts");
    assert_eq!((exports.count(), deletes.count()), (0, 0));
}

/// - **GIVEN** a command that reports a quarter and half of its work with a phase, the half once more in other
///   words, and many times in one moment.
/// - **WHEN** a client of each revision calls it with a progress token, and a client calls it without.
/// - **THEN** the first two are told with growing numbers out of one and the words, at most once in a tenth of a
///   second, before the result.
/// - **AND** the last is told nothing.
#[tokio::test(start_paused = true)]
async fn progress() {
    let bench = bench();
    bench.does(callable("notes.export"), |call: Call| async move {
        let exporting = |share: f64| Progress::new().share(share).phase("Exporting");
        for progress in [exporting(0.25), exporting(0.5), exporting(0.5).message("12 of 24")] {
            call.progress(progress);
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        for step in 0..1000 {
            call.progress(exporting(0.75).message(step.to_string()));
            tokio::task::yield_now().await;
        }
        Ok(())
    });
    let server = bench.mcp();
    for mut client in [Client::connect(&server).await, Client::returning(&server)] {
        let id = client.start_with_token("notes__export", "token-7").await;
        let mut reports = Vec::new();
        let result = loop {
            let message = client.message().await;
            if message["id"] == id {
                break message;
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], "token-7", "{message}");
            assert_eq!(message["params"]["total"], 1.0, "{message}");
            let words = message["params"]["message"].as_str().unwrap().to_owned();
            reports.push((message["params"]["progress"].as_f64().unwrap(), words));
        };
        answered(&result);
        assert!(reports.is_sorted_by(|(before, _), (after, _)| before < after), "{reports:?}");
        let words: Vec<&str> = reports.iter().map(|(_, words)| &**words).collect();
        assert_eq!(words[..3], ["Exporting", "Exporting", "Exporting: 12 of 24"]);
        assert_eq!((reports[0].0, reports[1].0), (0.25, 0.5));
        // The last moment has no time for more than one report.
        assert_eq!(words.len(), 4, "{words:?}");
    }
    let mut client = Client::connect(&server).await;
    let id = client.start_call("notes__export", json!({})).await;
    assert_eq!(client.message().await["id"], id);
}

/// - **GIVEN** a command that waits, and a client that has called it.
/// - **WHEN** the client cancels the call.
/// - **THEN** the handler is dropped, and the server answers the next call.
#[tokio::test(start_paused = true)]
async fn a_client_that_cancels() {
    let bench = bench();
    let (runs, is_dropped) = bench.has_waiting(callable("notes.wait"));
    bench.has(callable("notes.ping"));
    let mut client = Client::connect(&bench.mcp()).await;
    let call = client.start_call("notes__wait", json!({})).await;
    until(|| runs.count() == 1).await;
    assert!(!is_dropped.load(Ordering::SeqCst));
    client.cancel(call).await;
    until(|| is_dropped.load(Ordering::SeqCst)).await;
    assert_eq!(answered(&client.call("notes__ping", json!({})).await), "The command ran.");
}

/// - **GIVEN** a command that waits, and a client that has called it.
/// - **WHEN** the client closes its stream.
/// - **THEN** the handler is dropped.
#[tokio::test(start_paused = true)]
async fn a_client_that_leaves() {
    let bench = bench();
    let (runs, is_dropped) = bench.has_waiting(callable("notes.wait"));
    let mut client = Client::connect(&bench.mcp()).await;
    client.start_call("notes__wait", json!({})).await;
    until(|| runs.count() == 1).await;
    drop(client);
    // The server gives a call that is under way a moment to end.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(is_dropped.load(Ordering::SeqCst));
}

/// - **GIVEN** a server with at most two calls at a time, each for at most a minute and with at most 100 bytes of
///   arguments, and a command that waits.
/// - **WHEN** a client calls it with more, and then three times with less.
/// - **THEN** the call with more is not run, and the words say so.
/// - **AND** the third of the others is not run at once, and the words say to wait.
/// - **AND** the other two are cancelled after a minute, and the result says that the command may have done a part
///   of its work.
#[tokio::test(start_paused = true)]
async fn bounds_of_calls() {
    let bench = bench();
    let (_, is_dropped) = bench.has_waiting(callable("notes.wait"));
    let limits = ServerLimits::default().calls(2).argument_bytes(100).call_time(Duration::from_secs(60));
    let mut client = Client::connect(&bench.mcp_with(|server| server.limits(limits))).await;
    let large = client.call("notes__wait", json!({ "path": "x".repeat(100) })).await;
    assert_names(not_run(&large), &["more than 100 bytes"]);
    let started = tokio::time::Instant::now();
    let first = client.start_call("notes__wait", json!({})).await;
    let second = client.start_call("notes__wait", json!({})).await;
    assert_names(not_run(&client.call("notes__wait", json!({})).await), &["2 calls", "wait"]);
    assert_eq!(started.elapsed(), Duration::ZERO);
    for call in [first, second] {
        assert_names(failed(&client.response(call).await), &["may have done a part of its work"]);
    }
    assert!(started.elapsed() >= Duration::from_secs(60) && started.elapsed() < Duration::from_secs(61));
    assert!(is_dropped.load(Ordering::SeqCst));
}

/// - **WHEN** a client sends a line that is not JSON, one that is not a message, a call with two members
///   `arguments`, and a line that is too long.
/// - **THEN** each is answered with an error, with the id where it has one, and the server answers the next
///   request.
#[tokio::test(start_paused = true)]
async fn messages_that_are_none() {
    let bench = bench();
    let runs = bench.has(callable("notes.ping").argument(Argument::text("path")));
    let mut client = Client::connect(&bench.mcp()).await;
    let call = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"notes__ping","arguments":{},"arguments":{"path":"a"}}}"#;
    let long =
        format!(r#"{{"jsonrpc":"2.0","id":78,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(5 << 20));
    for (line, id) in [
        ("nothing", Value::Null),
        (r#"{"id":76,"neither":"nor"}"#, json!(76)),
        (call, json!(77)),
        (&*long, Value::Null),
        ("\u{1}", Value::Null),
    ] {
        client.send_text(line).await;
        let answer = client.message().await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id), "{answer}");
    }
    assert_eq!(runs.count(), 0);
    assert_eq!(answered(&client.call("notes__ping", json!({})).await), "The command ran.");
}

/// - **WHEN** a client sends a notification that the server does not know.
/// - **THEN** it is not answered, and the server answers the next request.
#[tokio::test(start_paused = true)]
async fn a_notification_of_a_later_revision() {
    let bench = bench();
    bench.has(callable("notes.ping"));
    let mut client = Client::connect(&bench.mcp()).await;
    client
        .send(&json!({ "jsonrpc": "2.0", "method": "notifications/of/tomorrow", "params": { "a": 1 } }))
        .await;
    let id = client.start_call("notes__ping", json!({})).await;
    let next = client.message().await;
    assert_eq!(next["id"], id, "{next}");
}
