//! The adapter SHALL take events and return messages, and SHALL have no executor, no clock and no transport.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Poll, Waker};
use std::thread;

use drawloom::ag_ui::{CommandTools, Event};
use drawloom::command::{Decision, PendingCall};
use serde_json::{Value, json};

use super::support::{answered_calls, bench, callable, content, events, refusal};

/// Polls a future until it is done, with a waker that does nothing.
fn by_hand<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

/// Is pending a few times.
async fn at_leisure() {
    for _ in 0..3 {
        futures::pending!();
    }
}

/// - **WHEN** a whole run is played by polling `receive` and `flush` by hand on a plain thread.
/// - **THEN** every call of the run is answered.
#[test]
fn driven_by_hand() {
    let bench = bench();
    let slow = callable("notes.slow").answers("How it went");
    let takes_its_time = |_| async {
        at_leisure().await;
        Ok("done")
    };
    bench.register(slow, takes_its_time).keep();
    let hook = |_: PendingCall| async {
        at_leisure().await;
        Decision::Run
    };
    let mut tools = CommandTools::builder(bench.copilot.clone()).before(hook).build();
    let run = [
        events::run_started("r1"),
        events::start("a", "notes__slow"),
        events::end("a"),
        events::start("b", "notes__open"),
        events::chunk("c", "notes__open", r#"{"path":"inbox"}"#),
        events::run_finished(),
    ];
    let messages = thread::spawn(move || {
        let mut messages = Vec::new();
        for event in run.map(|event| event.to_string()) {
            messages.extend(by_hand(tools.receive(&Event::parse(&event).unwrap())));
        }
        messages.extend(std::iter::from_fn(|| by_hand(tools.flush())));
        messages
    });
    let messages = messages.join().unwrap();
    assert_eq!(answered_calls(&messages), ["a", "b", "c"]);
    assert_eq!(content(&messages[0]), "done");
    refusal(&messages[1]);
    assert_eq!(content(&messages[2]), r#"{"path":"inbox"}"#);
}

/// - **WHEN** the packages `drawloom-ag-ui` depends on, directly or not, are listed.
/// - **THEN** none of `tokio`, `reqwest`, `axum` and `anyhow` is among them.
#[test]
fn no_runtime_in_the_tree() {
    let reached = packages_behind("drawloom-ag-ui");
    assert!(reached.contains("serde_json"), "what it surely depends on is missing: {reached:?}");
    for forbidden in ["tokio", "reqwest", "axum", "anyhow"] {
        assert!(!reached.contains(forbidden), "{forbidden} is among {reached:?}");
    }
}

/// The names of the packages a package is built and used with, as cargo resolves them, for whichever platform.
fn packages_behind(package: &str) -> BTreeSet<String> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--manifest-path"];
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = Command::new(env!("CARGO")).args(arguments).arg(manifest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();

    let names: BTreeMap<String, String> = list(&metadata["packages"])
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let is_for_tests = |kinds: &Value| list(kinds).iter().all(|kind| kind["kind"] == json!("dev"));
    let mut reached = BTreeSet::new();
    let mut next: Vec<String> =
        names.iter().filter(|(_, name)| *name == package).map(|(id, _)| id.clone()).collect();
    while let Some(id) = next.pop() {
        for dependency in list(&nodes[&id]["deps"]) {
            let id = text(&dependency["pkg"]);
            if !is_for_tests(&dependency["dep_kinds"]) && reached.insert(names[&id].clone()) {
                next.push(id);
            }
        }
    }
    reached
}
