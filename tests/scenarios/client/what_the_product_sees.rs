//! The product SHALL receive an update for everything that happens in a turn, in order, and SHALL be able to see each
//! event unchanged.

use std::sync::{Arc, Mutex};

use drawloom::ag_ui::recording::RecordingWriter;
use drawloom::client::{Frame, TurnEnd, Update};
use drawloom::command::{PendingCall, Progress};
use drawloom::workbench::Call;
use futures::channel::oneshot;
use serde_json::{Value, json};

use super::support::{Agent, call, call_with, ending, finished, notes, run, text, turn};
use crate::support::callable;

/// - **GIVEN** an agent that sends a text in two parts, calls `notes.delete` with `id` as `n1`, and in the
///   next run sends another text.
/// - **WHEN** the person says yes.
/// - **THEN** the updates were, in this order and as JSON with a `type`: that a run started, the two parts,
///   the call and its arguments, that the person was asked, that it runs, that the run finished and the
///   answer in either order, that a run started, the other text, that it finished, and that the turn ended as
///   completed.
#[tokio::test]
async fn updates_show_the_conversation() {
    let first = run([
        vec![text("m", "Dele"), text("m", "ting.")],
        call_with("c", "notes__delete", json!({"id": "n1"})),
    ]);
    let agent = Agent::new([first, run([vec![text("m2", "Done.")]])]);
    let mut client = notes().client(&agent).confirm(|_: PendingCall| async { true }).build();

    let updates = turn(&mut client).await;
    let drawn: Vec<Value> = updates.iter().map(|update| serde_json::to_value(update).unwrap()).collect();
    let mut kinds: Vec<_> = drawn.iter().map(|update| update["type"].as_str().unwrap()).collect();
    kinds[6..8].sort_unstable();
    assert_eq!(
        kinds,
        [
            "runStarted",
            "text",
            "text",
            "callOpened",
            "callArguments",
            "asked",
            "answered",
            "running",
            "runFinished",
            "runStarted",
            "text",
            "runFinished",
            "turnEnded",
        ],
        "{drawn:#?}"
    );
    assert_eq!(drawn[1]["delta"], "Dele");
    assert_eq!(
        drawn[3],
        json!({"type": "callOpened", "callId": "c", "tool": "notes__delete", "offered": true})
    );
    assert_eq!(drawn[4]["delta"], r#"{"id":"n1"}"#);
    assert_eq!(drawn[5]["call"]["commandId"], "notes.delete");
    assert_eq!(drawn.last().unwrap()["end"], json!({"type": "completed"}));
    let running = updates.iter().position(|it| matches!(it, Update::Running { .. })).unwrap();
    assert!(updates.iter().position(|it| matches!(it, Update::Answered { .. })).unwrap() > running);
}

/// - **GIVEN** an agent that sends events of state, of steps and of a type that does not exist yet.
/// - **WHEN** the turn is over.
/// - **THEN** each was shown with its type and unchanged.
#[tokio::test]
async fn other_events_are_shown() {
    let events = ["STATE_SNAPSHOT", "STEP_STARTED", "NOT_INVENTED_YET"]
        .map(|kind| json!({"type": kind, "x": 1}).to_string());
    let agent = Agent::new([run([events.to_vec()])]);

    let shown: Vec<_> = turn(&mut notes().client(&agent).build())
        .await
        .into_iter()
        .filter_map(|update| match update {
            Update::Other { kind, event } => Some((kind, event)),
            _ => None,
        })
        .collect();
    let kinds = ["STATE_SNAPSHOT", "STEP_STARTED", "NOT_INVENTED_YET"].map(ToOwned::to_owned);
    assert_eq!(shown, kinds.into_iter().zip(events).collect::<Vec<_>>());
}

/// - **GIVEN** an agent with an event that takes several lines and a frame that cannot be read, and a product
///   that records every frame.
/// - **WHEN** the turn is over.
/// - **THEN** the recording has each event in one line, in order, and a mark for the frame.
#[tokio::test]
async fn every_event_can_be_recorded() {
    let agent =
        Agent::new([run([vec![text("m", "a"), "{\"type\":\n\"X\"}".to_owned(), "{\"typ".to_owned()]])]);
    let kept = Arc::new(Mutex::new(RecordingWriter::new(Vec::new())));
    let keeps = kept.clone();

    let tap = move |frame: &Frame| keeps.lock().unwrap().write(frame).unwrap();
    let mut client = notes().client(&agent).tap(tap).build();
    turn(&mut client).await;
    drop(client);
    let kept = Arc::into_inner(kept).unwrap().into_inner().unwrap().into_inner();
    let kept = String::from_utf8(kept).unwrap();
    let lines: Vec<_> = kept.lines().collect();
    assert_eq!(lines.len(), 4, "{kept}");
    assert_eq!(lines[1], "{\"type\": \"X\"}");
    assert!(lines[2].starts_with("\"lost frame: "), "{kept}");
}

/// - **GIVEN** an agent whose stream contains two runs, the second of which reports that it failed after it
///   finished.
/// - **WHEN** the turn is over.
/// - **THEN** the updates say twice that a run started and then that it finished, and then that the turn
///   ended with the agent's error message.
#[tokio::test]
async fn runs_begin_and_end_in_pairs() {
    let begins = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string();
    let fails = json!({"type": "RUN_ERROR", "message": "out of order"}).to_string();
    let agent = Agent::new([vec![finished(), begins, finished(), fails]]);
    let updates = turn(&mut notes().client(&agent).build()).await;
    let kinds: Vec<_> =
        updates.iter().map(|update| serde_json::to_value(update).unwrap()["type"].clone()).collect();
    assert_eq!(kinds, ["runStarted", "runFinished", "runStarted", "runFinished", "turnEnded"]);
    assert!(matches!(ending(&updates), TurnEnd::AgentFailed { message, .. } if message == "out of order"));
}

/// - **GIVEN** `notes.export`, whose handler reports `1 of 2`, waits, and has another task report `2 of 2` while the
///   client waits for nothing else.
/// - **WHEN** an agent calls it.
/// - **THEN** between the call and its answer there is an update for each of the two reports, with the id of the call
///   and, as JSON, its `progress`.
#[tokio::test]
async fn progress_is_shown() {
    let notes = notes();
    notes.bench.does(callable("notes.export"), |call: Call| async move {
        call.progress(Progress::new().share(0.5).message("1 of 2"));
        tokio::task::yield_now().await;
        let (reported, is_reported) = oneshot::channel();
        tokio::spawn(async move {
            call.progress(Progress::new().message("2 of 2"));
            // What is shown is the latest: it is taken before the command ends.
            tokio::task::yield_now().await;
            reported.send(())
        });
        Ok(is_reported.await?)
    });
    let agent = Agent::new([run([call("c", "notes__export")])]);

    let updates = turn(&mut notes.client(&agent).build()).await;
    let drawn: Vec<Value> = updates.iter().map(|update| serde_json::to_value(update).unwrap()).collect();
    let is_shown = |update: &&Value| update["callId"] == "c" || update["type"] == "answered";
    let shown: Vec<_> = drawn.iter().filter(is_shown).collect();
    let kinds: Vec<_> = shown.iter().map(|update| update["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["callOpened", "callArguments", "progress", "progress", "answered"], "{drawn:#?}");
    let first = json!({"type": "progress", "callId": "c", "progress": {"share": 0.5, "message": "1 of 2"}});
    assert_eq!(*shown[2], first);
    assert_eq!(shown[3]["progress"], json!({"message": "2 of 2"}));
}
