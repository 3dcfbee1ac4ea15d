//! Answers SHALL be sent to the agent with a follow-up run that has a new id, until a run leaves nothing to answer.
//! The number of follow-up runs SHALL be limited, and a failed run SHALL have none.

use drawloom::client::{Client, InProcessAgent, RunEnd, TurnEnd, Update};
use drawloom::command::PendingCall;
use futures::{FutureExt, future, stream};
use serde_json::{Value, json};

use super::support::{
    Agent, call, calls_in_snapshot, ending, finished, interrupted, notes, rest, run, snapshot, text, turn,
};
use crate::support::Gate;

/// - **GIVEN** an agent that calls `notes.open` in two runs.
/// - **WHEN** the turn is over.
/// - **THEN** there were three runs in one thread, each with its own id, and each names the previous run as
///   its parent.
/// - **AND** the calls are in a message of each run, and each is followed by its answer.
#[tokio::test]
async fn each_run_has_a_fresh_id() {
    let agent = Agent::new([run([call("c", "notes__open")]), run([call("c", "notes__open")])]);
    let notes = notes();

    turn(&mut notes.client(&agent).build()).await;
    assert_eq!(notes.opened.count(), 2, "an id may be used again in another run");
    let inputs = agent.inputs();
    let [first, second, third] = &inputs[..] else { panic!("{} runs", inputs.len()) };
    assert_eq!((&first["threadId"], &second["threadId"]), (&second["threadId"], &third["threadId"]));
    assert_ne!(first["runId"], second["runId"]);
    assert_ne!(second["runId"], third["runId"]);
    assert_eq!((&second["parentRunId"], &third["parentRunId"]), (&first["runId"], &second["runId"]));
    let roles: Vec<_> =
        third["messages"].as_array().unwrap().iter().map(|message| message["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "tool"]);
}

/// - **WHEN** an agent only sends a text.
/// - **THEN** there was one run, and the conversation was completed.
#[tokio::test]
async fn nothing_to_answer() {
    let agent = Agent::new([run([vec![text("m", "Hello.")]])]);
    assert_eq!(ending(&turn(&mut notes().client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs().len(), 1);
}

/// - **GIVEN** an agent that calls `notes.open` in every run.
/// - **WHEN** the person sends it a message, with the usual limit and with a limit of 2.
/// - **THEN** there were 9 runs and then 3, every call is answered, and the turn ends with too many runs.
#[tokio::test]
async fn an_agent_that_never_completes() {
    for (most, runs) in [(None, 9), (Some(2), 3)] {
        let agent = Agent::new((0..20).map(|number| run([call(&format!("c{number}"), "notes__open")])));
        let notes = notes();
        let client = notes.client(&agent);
        let mut client = match most {
            Some(most) => client.follow_ups(most),
            None => client,
        }
        .build();

        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::TooManyRuns { follow_ups: most.unwrap_or(8) });
        assert_eq!((agent.inputs().len(), notes.opened.count()), (runs, runs));
        assert_eq!(client.conversation().unanswered().count(), 0);
    }
}

/// - **GIVEN** an agent that calls `notes.open`, opens another call, and then reports that its run failed.
/// - **WHEN** the turn is over.
/// - **THEN** the first call has run, the second is refused, there was no follow-up run, and the turn ends
///   with the agent's error message.
#[tokio::test]
async fn a_run_that_fails() {
    let mut events = call("c1", "notes__open");
    events.extend(call("c2", "notes__open").into_iter().take(2));
    events.push(json!({"type": "RUN_ERROR", "message": "out of credit", "code": "credit"}).to_string());
    let agent = Agent::new([events]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    let updates = turn(&mut client).await;
    let (message, code) = ("out of credit".to_owned(), Some("credit".to_owned()));
    assert_eq!(ending(&updates), &TurnEnd::AgentFailed { message, code });
    assert_eq!(notes.opened.count(), 1);
    assert_eq!(agent.inputs().len(), 1);
    assert_eq!(client.conversation().answer_to("c1").unwrap().error, None);
    assert!(client.conversation().answer_to("c2").unwrap().error.is_some());
}

/// - **GIVEN** an agent whose stream ends in the middle of a call of `notes.open`.
/// - **WHEN** the turn is over.
/// - **THEN** the call is refused, there was no follow-up run, and the turn ends with a failed connection.
#[tokio::test]
async fn a_stream_that_ends_too_early() {
    let agent = Agent::new([call("c", "notes__open").into_iter().take(2).collect()]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "broken", .. }), "{updates:?}");
    assert_eq!(notes.opened.count(), 0);
    assert_eq!(agent.inputs().len(), 1);
    assert!(client.conversation().answer_to("c").unwrap().error.is_some());
}

/// - **GIVEN** an agent that calls `notes.open` and reports that its run was cancelled.
/// - **WHEN** the turn is over.
/// - **THEN** the call is answered, there was no follow-up run, and the turn ends as cancelled by the agent.
#[tokio::test]
async fn an_agent_that_cancels() {
    let cancelled = json!({"type": "RUN_FINISHED", "outcome": {"type": "cancelled"}}).to_string();
    let mut events = call("c", "notes__open");
    events.push(cancelled);
    let agent = Agent::new([events]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::CancelledByAgent);
    assert_eq!(client.conversation().unanswered().count(), 0);
    assert_eq!(agent.inputs().len(), 1);
}

/// - **GIVEN** an agent that answers one input with two runs in one stream, each of which calls `notes.open`
///   with the same id.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has run twice, and both calls are answered.
#[tokio::test]
async fn two_runs_in_one_stream() {
    let started = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "second"}).to_string();
    let first = run([call("c", "notes__open")]);
    let stream = first.iter().cloned().chain([started]).chain(first.clone());
    let agent = Agent::new([stream.collect()]);
    let notes = notes();
    let mut client = notes.client(&agent).build();

    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 2);
    assert_eq!(client.conversation().unanswered().count(), 0);
    let ended =
        updates.iter().filter(|it| matches!(it, Update::RunFinished { outcome: RunEnd::Success, .. }));
    assert_eq!(ended.count(), 3);
}

/// - **GIVEN** an agent during whose run the person sends another message.
/// - **WHEN** the turn is over.
/// - **THEN** a second run was sent the new message.
#[tokio::test]
async fn a_message_sent_during_a_run() {
    let agent = Agent::new([run([vec![text("m", "Hello.")]])]);
    let mut client = notes().client(&agent).build();

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Text { .. })) {}
    client.send_text("And hurry.");
    let updates = rest(&mut client).await;
    assert_eq!(updates.iter().filter(|update| matches!(update, Update::TurnEnded { .. })).count(), 1);
    let inputs = agent.inputs();
    assert_eq!(inputs.len(), 2);
    assert!(inputs[1]["messages"].to_string().contains("And hurry."));
}

/// - **GIVEN** an agent that calls `notes.open` and then sends text events endlessly.
/// - **WHEN** updates are taken until the call is answered.
/// - **THEN** the call is answered, and no event was read before the previous updates were taken.
#[tokio::test]
async fn many_events_do_not_delay_a_call() {
    let events = call("c", "notes__open").into_iter().chain(std::iter::repeat_with(|| text("m", "x")));
    let read = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counts = read.clone();
    let events = events.inspect(move |_| {
        counts.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    });
    let events = std::sync::Mutex::new(Some(events));
    let agent = InProcessAgent::new(move |_| stream::iter(events.lock().unwrap().take().unwrap()));
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    client.send_text("Please.");
    let mut taken = 0;
    loop {
        taken += 1;
        match client.next().await {
            Some(Update::Answered { .. }) => break,
            Some(_) => {}
            None => panic!("it ended"),
        }
    }
    assert!(taken < 10, "{taken} updates");
    let read = read.load(std::sync::atomic::Ordering::SeqCst);
    assert!(read <= taken + 1, "{read} events for {taken} updates");
}

/// - **GIVEN** an agent that reports that its run failed and then that it finished, and one that asks a
///   question and then reports that its run failed.
/// - **WHEN** the person sends a message to each.
/// - **THEN** each turn ends with the agent's error message, there was no follow-up run, and the question
///   stays open in the conversation.
#[tokio::test]
async fn a_run_ends_once() {
    let fails = json!({"type": "RUN_ERROR", "message": "out of order"}).to_string();
    let asks = interrupted(json!([{"id": "i", "reason": "confirmation"}]));
    for (events, questions) in
        [(run([call("c", "notes__open"), vec![fails.clone()]]), 0), (vec![asks, fails], 1)]
    {
        let agent = Agent::new([events]);
        let notes = notes();
        let mut client = notes.client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();
        let updates = turn(&mut client).await;
        let failed = TurnEnd::AgentFailed { message: "out of order".to_owned(), code: None };
        assert_eq!(ending(&updates), &failed);
        assert_eq!(agent.inputs().len(), 1);
        assert_eq!(client.conversation().interrupts().len(), questions);
        assert_eq!(client.conversation().unanswered().count(), 0);
    }
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, and in the same
///   stream begins another run that shows the call without an answer.
/// - **WHEN** the person says yes.
/// - **THEN** they were asked once, `notes.delete` has run once, and the agent was sent one answer.
#[tokio::test]
async fn a_call_that_waits_while_another_run_begins() {
    let mut events = run([call("c", "notes__delete")]);
    events.push(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string());
    let mut shown = calls_in_snapshot("m", &["c"]);
    shown["toolCalls"][0]["function"]["name"] = "notes__delete".into();
    events.extend([snapshot(json!([shown])), finished()]);
    let agent = Agent::new([events]);
    let notes = notes();
    let gate = Gate::new();
    let mut client = notes.client_behind(&gate, &agent).build();

    client.send_text("Please.");
    let mut asked = 0;
    while let Some(Some(update)) = client.next().now_or_never() {
        asked += usize::from(matches!(update, Update::Asked { .. }));
    }
    gate.open();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    assert_eq!((asked, notes.deleted.count(), agent.answers().len()), (1, 1, 1));
}

/// - **GIVEN** an agent that calls `notes.open` with the same id in two runs, the second time in the message
///   of the first call.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has run twice, and the last run was sent both calls, each followed by its answer.
#[tokio::test]
async fn a_call_with_an_id_of_an_earlier_run() {
    let call = |answered: bool| {
        let mut call = call("c", "notes__open");
        call[0] = json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "notes__open",
            "parentMessageId": "m"})
        .to_string();
        if answered { run([call]) } else { run([call, vec![text("n", "x")]]) }
    };
    let agent = Agent::new([call(false), call(true)]);
    let notes = notes();
    assert_eq!(ending(&turn(&mut notes.client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 2);
    let messages = agent.inputs()[2]["messages"].clone();
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "assistant", "tool"], "{messages}");
}

/// - **GIVEN** an agent whose run shows a call of `notes.open` in a snapshot only, and then reports that it
///   failed.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has not run.
#[tokio::test]
async fn a_run_that_fails_after_a_snapshot() {
    let shown = snapshot(json!([calls_in_snapshot("m", &["c"])]));
    let agent =
        Agent::new([vec![shown, json!({"type": "RUN_ERROR", "message": "out of order"}).to_string()]]);
    let notes = notes();
    let updates = turn(&mut notes.client(&agent).build()).await;
    assert!(matches!(ending(&updates), TurnEnd::AgentFailed { .. }), "{updates:?}");
    assert_eq!(notes.opened.count(), 0);
}

/// - **GIVEN** an agent that answers one input with two runs in one stream, the second of which sends a text
///   without a message id.
/// - **WHEN** the turn is over.
/// - **THEN** the text of the first run is unchanged, and the text of the second run is a separate message.
#[tokio::test]
async fn text_of_another_run() {
    let mut events = run([vec![text("m", "One.")]]);
    events.push(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string());
    events.push(json!({"type": "TEXT_MESSAGE_CHUNK", "delta": "Two."}).to_string());
    events.push(finished());
    let mut client = notes().client(&Agent::new([events])).build();
    turn(&mut client).await;
    let said: Vec<_> =
        client.conversation().messages().iter().map(|message| message.text().unwrap()).collect();
    assert_eq!(said, ["Please.", "One.", "Two."]);
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, sends a text, and
///   then reports that its run failed.
/// - **WHEN** the person says yes, and the turn is over.
/// - **THEN** the conversation contains the call, its answer and the text, in this order.
#[tokio::test]
async fn an_answer_behind_its_call() {
    let fails = json!({"type": "RUN_ERROR", "message": "out of order"}).to_string();
    let events = call("c", "notes__delete").into_iter().chain([text("m", "Well?"), fails]).collect();
    let agent = Agent::new([events]);
    let gate = Gate::new();
    let mut client = notes().client_behind(&gate, &agent).build();
    client.send_text("Please.");
    while let Some(Some(_)) = client.next().now_or_never() {}
    gate.open();
    assert!(matches!(ending(&rest(&mut client).await), TurnEnd::AgentFailed { .. }));
    let roles: Vec<_> = client.conversation().messages().iter().map(|it| it.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
}

/// - **GIVEN** an agent that ends its run, opens a call of `notes.open`, and begins another run in the same
///   stream, which sends a text.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has not run, and the agent was sent one answer, which refuses the call.
#[tokio::test]
async fn a_call_between_two_runs() {
    let mut events = vec![finished()];
    events.extend(call("c", "notes__open").into_iter().take(2));
    events.push(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string());
    events.extend([text("m", "Well."), finished()]);
    let agent = Agent::new([events]);
    let notes = notes();
    assert_eq!(ending(&turn(&mut notes.client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 0);
    let [answer] = &agent.answers()[..] else { panic!("not one answer") };
    assert!(answer["error"].is_string(), "{answer}");
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, and in the same
///   stream begins another run that makes a call with the same id.
/// - **WHEN** the person says yes.
/// - **THEN** `notes.delete` has run twice, and the agent was sent two calls, each followed by its answer.
#[tokio::test]
async fn an_id_repeated_while_its_call_waits() {
    let mut events = run([call("c", "notes__delete")]);
    events.push(json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string());
    events.extend(run([call("c", "notes__delete")]));
    let agent = Agent::new([events]);
    let notes = notes();
    let gate = Gate::new();
    let mut client = notes.client_behind(&gate, &agent).build();
    client.send_text("Please.");
    while let Some(Some(_)) = client.next().now_or_never() {}
    gate.open();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    assert_eq!((notes.deleted.count(), agent.answers().len()), (2, 2));
    let roles: Vec<_> = client.conversation().messages().iter().map(|it| it.role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "tool"]);
}

/// - **GIVEN** an agent that asks for an approval, reports that its run failed, and in the same stream begins
///   another run, which ends; and an agent whose other run fails too.
/// - **WHEN** the person sends a message to each.
/// - **THEN** the first turn is completed and its question is closed, and the second turn ends with the
///   agent's error message and its question stays open in the conversation.
/// - **AND** nobody was asked.
#[tokio::test]
async fn a_run_after_one_that_failed() {
    let asks = interrupted(json!([{"id": "i", "reason": "confirmation"}]));
    let fails = json!({"type": "RUN_ERROR", "message": "out of order"}).to_string();
    let begins = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string();
    let failed = TurnEnd::AgentFailed { message: "out of order".to_owned(), code: None };
    for (last, end, open) in [(finished(), TurnEnd::Completed, 0), (fails.clone(), failed, 1)] {
        let agent = Agent::new([vec![asks.clone(), fails.clone(), begins.clone(), last]]);
        let mut client = notes().client(&agent).confirm(|_: PendingCall| future::pending::<bool>()).build();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &end);
        assert_eq!((agent.inputs().len(), client.conversation().interrupts().len()), (1, open));
        assert!(!updates.iter().any(|update| matches!(update, Update::Asked { .. })), "{updates:?}");
    }
}

/// - **GIVEN** an agent that sends a text, then a text of a subagent, and then continues its own text without
///   a message id; and a subagent that never names its message.
/// - **WHEN** the turn is over.
/// - **THEN** the texts of the agent and of each subagent are separate messages.
#[tokio::test]
async fn texts_of_subagents() {
    let chunk = |id: Value, subagent: Value, delta: &str| {
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": id, "subagentRunId": subagent, "delta": delta})
            .to_string()
    };
    let agent = Agent::new([vec![
        chunk("m1".into(), Value::Null, "bed "),
        chunk("m2".into(), "s".into(), "checked"),
        chunk(Value::Null, "t".into(), "wa"),
        chunk(Value::Null, Value::Null, "is dry"),
        chunk(Value::Null, "t".into(), "ter"),
        finished(),
    ]]);
    let mut client = notes().client(&agent).build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let said: Vec<_> = client.conversation().messages()[1..].iter().map(|it| it.text().unwrap()).collect();
    assert_eq!(said, ["bed is dry", "checked", "water"]);
}

/// - **GIVEN** an agent whose response ends a run that is not the current one, and then the run itself.
/// - **WHEN** the turn is over.
/// - **THEN** the end of the other run was reported, the run ended once, and the turn was completed.
#[tokio::test]
async fn the_end_of_another_run() {
    let other = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "other"}).to_string();
    let agent = Agent::new([run([vec![other], call("c", "notes__open")])]);
    let notes = notes();
    let updates = turn(&mut notes.client(&agent).build()).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    let is_told = |update: &&Update| matches!(update, Update::Problem { code: "foreign-run-end", .. });
    assert_eq!(updates.iter().filter(is_told).count(), 1, "{updates:?}");
    assert_eq!((notes.opened.count(), agent.answers().len()), (1, 1));
    assert_eq!(updates.iter().filter(|it| matches!(it, Update::RunFinished { .. })).count(), 2);
}
