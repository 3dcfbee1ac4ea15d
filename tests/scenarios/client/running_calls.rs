//! Calls to offered tools SHALL run while the agent still sends, several at the same time, and each SHALL be answered
//! exactly once, by the client or by the agent's backend.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use drawloom::ag_ui::CommandTools;
use drawloom::client::{AgnoConfirmation, Client, ClientBuilder, TurnEnd, Update};
use drawloom::command::{AgentConsent, Argument, Decision, PendingCall};
use futures::FutureExt;
use serde_json::json;

use super::support::{
    Agent, call, call_with, calls_in_snapshot, ending, finished, notes, rest, result, run, snapshot, spoken,
    text, turn,
};
use crate::support::{Gate, callable};

/// - **GIVEN** an agent that has called `notes.open` and has not ended its run.
/// - **WHEN** the updates are taken.
/// - **THEN** the call is answered before the run ends.
#[tokio::test]
async fn calls_run_while_the_agent_speaks() {
    let (says, agent) = spoken();
    let notes = notes();
    let mut client = Client::builder(agent, notes.bench.copilot.clone()).build();
    call("c", "notes__open").into_iter().for_each(|event| says.unbounded_send(event).unwrap());

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Answered { .. })) {}
    assert_eq!(notes.opened.count(), 1);
    says.unbounded_send(finished()).unwrap();
    drop(says);
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
}

/// - **GIVEN** a person who does not answer, and an agent that calls `notes.delete`, which asks, then
///   `notes.open`, and then sends a text.
/// - **WHEN** the updates are taken.
/// - **THEN** `notes.open` is answered and the text arrives while the person is still being asked.
/// - **AND** once the person says yes, `notes.delete` is answered too and the agent is sent both answers.
#[tokio::test]
async fn a_waiting_confirmation_delays_nothing() {
    let agent =
        Agent::new([run([call("c1", "notes__delete"), call("c2", "notes__open"), vec![text("m", "Well?")]])]);
    let notes = notes();
    let gate = Gate::new();
    let mut client = notes.client_behind(&gate, &agent).build();

    client.send_text("Please.");
    let mut updates = Vec::new();
    while let Some(Some(update)) = client.next().now_or_never() {
        updates.push(update);
    }
    let seen = |is: fn(&Update) -> bool| updates.iter().filter(|update| is(update)).count();
    assert_eq!(seen(|it| matches!(it, Update::Asked { call } if call.command_id == "notes.delete")), 1);
    assert_eq!(seen(|it| matches!(it, Update::Answered { message } if message.tool_call_id == "c2")), 1);
    assert_eq!(seen(|it| matches!(it, Update::Text { delta, .. } if delta == "Well?")), 1);
    assert_eq!(seen(|it| matches!(it, Update::RunFinished { .. })), 1);
    assert_eq!(notes.deleted.count(), 0);

    gate.open();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    assert_eq!(notes.deleted.count(), 1);
    let answers = agent.answers();
    assert_eq!(answers.len(), 2, "{answers:?}");
}

/// - **GIVEN** a client without a dialog, one with a dialog only for the agent's questions, and an agent that
///   calls `notes.delete`, which asks, and `notes.wipe`, which states `never`.
/// - **WHEN** each turn is over.
/// - **THEN** neither command has run, nobody was asked, and the answers say that there is nobody to ask and
///   that no agent may run the command.
#[tokio::test]
async fn nobody_to_ask_about_a_command() {
    for asks_for_the_agent in [false, true] {
        let notes = notes();
        let wiped = notes.bench.has(callable("notes.wipe").agent_consent(AgentConsent::Never));
        let agent = Agent::new([run([call("c1", "notes__delete"), call("c2", "notes__wipe")])]);
        let mut client = notes.client(&agent);
        if asks_for_the_agent {
            client = client.confirm_interrupts(|_: PendingCall| async { true });
        }
        let mut client = client.build();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert!(
            !updates.iter().any(|update| matches!(update, Update::Asked { .. } | Update::Running { .. }))
        );
        assert_eq!((notes.deleted.count(), wiped.count()), (0, 0));
        let answers = agent.answers();
        let errors: Vec<_> = answers.iter().map(|answer| answer["error"].as_str().unwrap()).collect();
        assert!(errors[0].contains("did not run") && errors[0].contains("nobody to ask"), "{errors:?}");
        assert!(errors[1].contains("did not run") && errors[1].contains("agents may not run"), "{errors:?}");
    }
}

/// - **GIVEN** an adapter with a hook that declines `notes.delete`, a client over it with a hook that
///   approves everything and a person who says yes, and an agent that calls `notes.delete` and `notes.open`.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has run, `notes.delete` has not run, and nobody was asked about it.
#[tokio::test]
async fn a_hook_of_the_adapter_stays() {
    let notes = notes();
    let agent = Agent::new([run([call("c1", "notes__delete"), call("c2", "notes__open")])]);
    let tools = CommandTools::builder(notes.bench.copilot.clone()).before(|call: PendingCall| async move {
        let reason = "not here".to_owned();
        if call.command_id == "notes.delete" { Decision::Decline { reason } } else { Decision::Run }
    });
    let mut client = ClientBuilder::over(agent.transport(), tools)
        .before(|_: PendingCall| async { Decision::Run })
        .confirm(|_: PendingCall| async { true })
        .build();
    let updates = turn(&mut client).await;
    assert_eq!((notes.opened.count(), notes.deleted.count()), (1, 0));
    assert!(!updates.iter().any(|update| matches!(update, Update::Asked { .. })), "{updates:?}");
}

/// - **GIVEN** an agent that calls `notes.open` twenty times at once, repeats one of the calls, ends one
///   twice, and shows all of them again in a snapshot.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has run twenty times, and the agent was sent twenty answers, one to each call.
#[tokio::test]
async fn each_call_is_answered_once() {
    let ids: Vec<_> = (0..20).map(|number| format!("c{number}")).collect();
    let mut events: Vec<_> = ids.iter().map(|id| call(id, "notes__open")).collect();
    events.push(call("c3", "notes__open"));
    events.push(call("c4", "notes__open").split_off(2));
    let shown: Vec<_> = ids.iter().map(String::as_str).collect();
    events.push(vec![snapshot(json!([calls_in_snapshot("m", &shown)]))]);
    let agent = Agent::new([run(events)]);
    let notes = notes();

    assert_eq!(ending(&turn(&mut notes.client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 20);
    let mut answered: Vec<_> =
        agent.answers().iter().map(|answer| answer["toolCallId"].as_str().unwrap().to_owned()).collect();
    answered.sort_by_key(|id| id.trim_start_matches('c').parse::<u32>().unwrap());
    assert_eq!(answered, ids);
}

/// - **GIVEN** an agent that calls `notes.open`, whose handler registers `notes.close`.
/// - **WHEN** the turn is over.
/// - **THEN** `notes__close` was not offered to the first run, and was offered to the follow-up run.
#[tokio::test]
async fn tools_are_listed_again_for_each_run() {
    let agent = Agent::new([run([call("c", "notes__grow")])]);
    let notes = notes();
    let context = notes.bench.notes.clone();
    notes.bench.does(callable("notes.grow"), move |_| {
        context.register(callable("notes.close"), |_| async { Ok(()) }).unwrap().keep();
        async { Ok(()) }
    });

    turn(&mut notes.client(&agent).build()).await;
    let offers = |input: &serde_json::Value| input["tools"].to_string().contains("notes__close");
    assert_eq!(agent.inputs().iter().map(offers).collect::<Vec<_>>(), [false, true]);
}

/// - **GIVEN** a person who says no, and an agent that calls `notes.delete`.
/// - **WHEN** the follow-up run is started.
/// - **THEN** `content` and `error` of the answer say that the command did not run, and it has not run.
#[tokio::test]
async fn refusals_are_also_in_content() {
    let agent = Agent::new([run([call("c", "notes__delete")])]);
    let notes = notes();

    turn(&mut notes.client(&agent).confirm(|_: PendingCall| async { false }).build()).await;
    let answer = &agent.answers()[0];
    assert!(answer["error"].as_str().unwrap().starts_with("The command did not run: "), "{answer}");
    assert_eq!(answer["content"], answer["error"]);
    assert_eq!(notes.deleted.count(), 0);
}

/// - **GIVEN** an agent that calls a tool of its own and answers it in the stream, and one that answers it in
///   a snapshot only.
/// - **WHEN** each turn is over.
/// - **THEN** the client answered nothing, and there was no follow-up run.
#[tokio::test]
async fn the_backend_answers_its_own_calls() {
    let told = json!([
        {"id": "m", "role": "assistant", "toolCalls":
            [{"id": "c", "type": "function", "function": {"name": "server_clock", "arguments": "{}"}}]},
        {"id": "r", "role": "tool", "toolCallId": "c", "content": "12:00"},
    ]);
    for answered in [result("c", "12:00"), snapshot(told)] {
        let agent = Agent::new([run([call("c", "server_clock"), vec![answered]])]);
        let notes = notes();
        let mut client = notes.client(&agent).build();

        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert!(!updates.iter().any(|it| matches!(it, Update::Answered { .. })), "{updates:?}");
        assert_eq!(agent.inputs().len(), 1);
        assert_eq!(client.conversation().answer_to("c").unwrap().text(), Some("12:00"));
    }
}

/// - **GIVEN** an agent that calls `notes.delete`, about which the person is being asked, and then answers
///   the call itself, in the stream or in a snapshot.
/// - **WHEN** the person says yes.
/// - **THEN** `notes.delete` has run and its answer is the only one that the agent was sent, and an update
///   reported the agent's answer in the stream.
#[tokio::test]
async fn an_offered_call_that_the_backend_answers_too() {
    let mut shown = calls_in_snapshot("m", &["c"]);
    shown["toolCalls"][0]["function"]["name"] = "notes__delete".into();
    let shown = snapshot(json!([
        shown,
        {"id": "r", "role": "tool", "toolCallId": "c", "content": "Done elsewhere."},
    ]));
    for (answers, is_told) in [(result("c", "Done elsewhere."), true), (shown, false)] {
        let agent = Agent::new([run([call("c", "notes__delete"), vec![answers]])]);
        let notes = notes();
        let gate = Gate::new();
        let mut client = notes.client_behind(&gate, &agent).build();

        client.send_text("Please.");
        let mut updates = Vec::new();
        while let Some(Some(update)) = client.next().now_or_never() {
            updates.push(update);
        }
        gate.open();
        updates.extend(rest(&mut client).await);
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert_eq!(notes.deleted.count(), 1);
        let is_report = |update: &Update| matches!(update, Update::Problem { code: "late-result", .. });
        assert_eq!(updates.iter().any(is_report), is_told, "{updates:?}");
        let sent: Vec<_> = agent.answers().iter().map(|answer| answer["content"].clone()).collect();
        assert_eq!(sent, ["The command ran."]);
    }
}

/// - **GIVEN** an agent that calls a tool that was never offered, and ends its run without an answer to it.
/// - **WHEN** the turn is over.
/// - **THEN** the call was refused when the run had ended, and the agent was sent the refusal, which says
///   that nobody here offers the tool.
#[tokio::test]
async fn an_unoffered_call_without_an_answer() {
    let agent = Agent::new([run([vec![text("m", "Well?")], call("c", "server_clock")])]);
    let updates = turn(&mut notes().client(&agent).build()).await;
    let place = |is: fn(&Update) -> bool| updates.iter().position(is).unwrap();
    assert!(
        place(|it| matches!(it, Update::RunFinished { .. }))
            < place(|it| matches!(it, Update::Answered { .. })),
        "{updates:?}"
    );
    assert!(agent.answers()[0]["error"].as_str().unwrap().contains("Nobody here offers this tool"));
}

/// - **GIVEN** an agent whose run shows two calls of `notes.open` in a snapshot only, of which one has a
///   result.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has run once, and the agent was sent one answer, to the call without a result.
#[tokio::test]
async fn a_call_that_only_a_snapshot_shows() {
    let told = json!([
        {"id": "u", "role": "user", "content": "Please."},
        calls_in_snapshot("m1", &["c1"]),
        {"id": "r", "role": "tool", "toolCallId": "c1", "content": "opened before"},
        calls_in_snapshot("m2", &["c2"]),
    ]);
    // Told a second time with new ids of messages, in the run that follows.
    let again = json!([
        {"id": "u", "role": "user", "content": "Please."},
        calls_in_snapshot("m3", &["c1"]),
        {"id": "r", "role": "tool", "toolCallId": "c1", "content": "opened before"},
        calls_in_snapshot("m4", &["c2"]),
    ]);
    let agent = Agent::new([run([vec![snapshot(told)]]), run([vec![snapshot(again)]])]);
    let notes = notes();

    assert_eq!(ending(&turn(&mut notes.client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 1);
    assert_eq!(agent.inputs().len(), 2);
    assert_eq!(agent.answers().iter().map(|it| it["toolCallId"].clone()).collect::<Vec<_>>(), ["c1", "c2"]);
}

/// - **GIVEN** an agent that opens a call of `notes.open`, sends a frame that cannot be read, and closes the
///   call, whose arguments are valid JSON without the frame.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has not run, the loss was reported once, and the agent was sent one answer, which
///   says that something was lost.
#[tokio::test]
async fn a_call_around_a_lost_frame() {
    let mut events = call_with("c", "notes__open", json!({"id": "n1"}));
    events.insert(2, "{\"type\":\"TOOL_CALL_ARGS\"".to_owned());
    let agent = Agent::new([run([events])]);
    let notes = notes();

    let updates = turn(&mut notes.client(&agent).build()).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 0);
    let is_loss = |update: &&Update| matches!(update, Update::Problem { frame: 3, code: "frame-lost", .. });
    assert_eq!(updates.iter().filter(is_loss).count(), 1, "{updates:?}");
    let answers = agent.answers();
    assert_eq!(answers.len(), 1);
    assert!(answers[0]["error"].as_str().unwrap().contains("lost or damaged"), "{answers:?}");
}

/// - **GIVEN** two commands that each wait until the other has begun, and an agent that calls both.
/// - **WHEN** the turn is over.
/// - **THEN** both have answered.
#[tokio::test]
async fn calls_run_side_by_side() {
    let agent = Agent::new([run([
        call_with("c1", "notes__meet", json!({"id": "a"})),
        call_with("c2", "notes__meet", json!({"id": "b"})),
    ])]);
    let notes = notes();
    let begun = Arc::new(AtomicUsize::new(0));
    let gate = Mutex::new(Some(Gate::new()));
    let both = gate.lock().unwrap().as_ref().unwrap().passed();
    notes.bench.does(callable("notes.meet").argument(Argument::text("id")), move |_| {
        if begun.fetch_add(1, Ordering::SeqCst) == 1 {
            gate.lock().unwrap().take().unwrap().open();
        }
        both.clone().map(|()| Ok(()))
    });

    assert_eq!(ending(&turn(&mut notes.client(&agent).build()).await), &TurnEnd::Completed);
    let answers = agent.answers();
    assert!(answers.iter().all(|answer| answer["content"] == "The command ran."), "{answers:?}");
    assert_eq!(answers.len(), 2);
}

/// - **GIVEN** an agent whose run shows a call of a tool that was never offered in a snapshot only, without a
///   result, and one that also sends a text after that.
/// - **WHEN** each turn is over.
/// - **THEN** the first agent was sent one answer, which refuses the call, and the second was sent nothing
///   more.
#[tokio::test]
async fn a_call_of_the_agents_own_that_only_a_snapshot_shows() {
    for (goes_on, requests) in [(false, 2), (true, 1)] {
        let mut shown = calls_in_snapshot("m", &["own"]);
        shown["toolCalls"][0]["function"]["name"] = "paint".into();
        let mut events = vec![snapshot(json!([shown]))];
        events.extend(goes_on.then(|| text("m2", "Painted.")));
        let agent = Agent::new([run([events])]);
        let updates = turn(&mut notes().client(&agent).build()).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        let answers = updates.iter().filter(|update| matches!(update, Update::Answered { .. })).count();
        assert_eq!((answers, agent.inputs().len()), (requests - 1, requests), "{updates:?}");
    }
}

/// - **GIVEN** an agent that opens two calls of tools of its own, sends a frame that cannot be read, closes
///   both, and answers one of them.
/// - **WHEN** the turn is over.
/// - **THEN** the agent's answer to the first call is kept, and the client sent one answer to the other call,
///   which says that nobody here offers the tool.
#[tokio::test]
async fn a_call_of_the_agents_own_around_a_lost_frame() {
    let [mut events, other] = ["c1", "c2"].map(|id| call(id, "server_clock"));
    events.insert(1, other[0].clone());
    events.insert(3, "{\"type\":\"STATE_SNAPSHOT\"".to_owned());
    events.extend([other[2].clone(), result("c1", "noon")]);
    let agent = Agent::new([run([events])]);

    let updates = turn(&mut notes().client(&agent).build()).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(updates.iter().filter(|it| matches!(it, Update::Answered { .. })).count(), 1);
    let answers = agent.answers();
    let to = |call: &str| answers.iter().find(|answer| answer["toolCallId"] == call).unwrap();
    assert_eq!(answers.len(), 2);
    assert_eq!(to("c1")["content"], "noon");
    assert!(to("c2")["error"].as_str().unwrap().contains("Nobody here offers this tool"), "{answers:?}");
}

/// - **GIVEN** an agent that opens a call of `notes.open`, sends a part of its arguments whose `delta` is an
///   object, and closes the call.
/// - **WHEN** the turn is over.
/// - **THEN** `notes.open` has not run, the damaged event was reported once, and the agent was sent one
///   answer, which says that something was damaged.
#[tokio::test]
async fn a_damaged_event() {
    let mut events = call_with("c", "notes__open", json!({"id": "n1"}));
    events[1] = json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": {"id": "n1"}}).to_string();
    let agent = Agent::new([run([events])]);
    let notes = notes();

    let updates = turn(&mut notes.client(&agent).build()).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 0);
    let is_told =
        |update: &&Update| matches!(update, Update::Problem { frame: 2, code: "damaged-event", .. });
    assert_eq!(updates.iter().filter(is_told).count(), 1, "{updates:?}");
    let answers = agent.answers();
    assert_eq!(answers.len(), 1);
    assert!(answers[0]["error"].as_str().unwrap().contains("lost or damaged"), "{answers:?}");
}

/// - **GIVEN** an agent that calls a tool of its own, sends a text after that, and ends its run without an
///   answer to the call.
/// - **WHEN** the turn is over, and the person sends another message.
/// - **THEN** nothing was answered in the first turn and there was no follow-up run, and the run of the
///   second turn was sent one message which says that no result was reported for the call.
#[tokio::test]
async fn an_unoffered_call_after_which_the_agent_continued() {
    let agent = Agent::new([run([call("c", "server_clock"), vec![text("m", "It is noon.")]])]);
    let mut client = notes().client(&agent).build();
    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert!(!updates.iter().any(|update| matches!(update, Update::Answered { .. })), "{updates:?}");
    assert_eq!(agent.inputs().len(), 1);

    turn(&mut client).await;
    let answers = agent.answers();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["toolCallId"], "c");
    assert!(answers[0]["content"].as_str().unwrap().contains("No result was reported"), "{answers:?}");
    turn(&mut client).await;
    assert_eq!(agent.answers().len(), 1);
}

/// - **GIVEN** an agent that calls a tool of its own that waits for a confirmation, as Agno's do, and ends
///   its run.
/// - **WHEN** a hook of the product asks the person about such calls, who says yes to the first and no to the
///   second.
/// - **THEN** the agents were sent a tool message that accepts the call, and one that rejects it.
#[tokio::test]
async fn an_unoffered_call_that_the_application_answers() {
    for accepted in [true, false] {
        let agent = Agent::new([run([call_with("c", "delete_file", json!({"path": "a"}))])]);
        let hook = AgnoConfirmation::new(["delete_file"], move |_: PendingCall| async move { accepted });
        let mut client = notes().client(&agent).answer_unoffered(hook).build();
        assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
        let [answer] = &agent.answers()[..] else { panic!("not one answer") };
        assert_eq!(answer["content"], format!(r#"{{"accepted":{accepted}}}"#));
        assert_eq!(answer.get("error"), None);
    }
}
