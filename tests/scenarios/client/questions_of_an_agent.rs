//! Interrupts: who is asked, what is sent back, and what is not answered.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use drawloom::client::{Interrupt, TurnEnd, Update};
use drawloom::command::{AgentConsent, Approval, CommandArguments, PendingCall};
use drawloom::consent::Confirmation;
use futures::FutureExt;
use serde_json::{Value, json};

use super::support::{Agent, call, call_with, ending, finished, interrupted, notes, rest, run, turn};
use crate::support::{Gate, callable};

/// An agent that calls a tool of its own and wants that approved.
fn approval(schema: Value) -> Agent {
    let asked = json!([{
        "id": "i", "reason": "tool_call", "message": "Approve?", "toolCallId": "c", "responseSchema": schema,
    }]);
    let mut events = call_with("c", "delete_note", json!({"id": "n1"}));
    events.push(interrupted(asked));
    Agent::new([events])
}

fn edits() -> Value {
    json!({"type": "object", "properties": {"approved": {}, "editedArgs": {}, "reason": {}}})
}

/// What an agent is sent where the person answers so.
async fn resumed(agent: &Agent, answer: Confirmation) -> Value {
    let mut client = notes()
        .client(agent)
        .confirm(move |_: PendingCall| {
            let answer = answer.clone();
            async move { answer }
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs().len(), 2);
    assert_eq!(agent.answers(), [] as [Value; 0], "the call is the agent's own");
    agent.inputs()[1]["resume"][0].clone()
}

/// - **GIVEN** an agent that wants a call of its own tool `delete_note` with `id` as `n1` approved.
/// - **WHEN** the person, who is asked in the way of the policy's questions, says yes.
/// - **THEN** they were asked about the call `c`, the command `delete_note`, `id` as `n1` and the statement `ask-always`,
///   in the agent's words and as something of the agent's that takes edits.
/// - **AND** the next run was sent a `resume` with `approved` as true, and no answer to the call.
#[tokio::test]
async fn an_approval_is_put_like_the_policys_questions() {
    let agent = approval(edits());
    let asked: Arc<Mutex<Vec<PendingCall>>> = Arc::default();
    let keeps = asked.clone();
    let mut client = notes()
        .client(&agent)
        .confirm(move |call: PendingCall| {
            keeps.lock().unwrap().push(call);
            async { true }
        })
        .build();

    let updates = turn(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    let [call] = &asked.lock().unwrap()[..] else { panic!("not asked once") };
    assert_eq!((&*call.call_id, call.command_id.as_str()), ("c", "delete_note"));
    assert_eq!(call.arguments, CommandArguments::new().with("id", "n1"));
    assert_eq!(call.agent_consent, Some(AgentConsent::AskAlways));
    assert_eq!(call.approval.as_deref(), Some(&Approval::new(Some("Approve?".to_owned()), true)));
    assert!(updates.contains(&Update::Asked { call: call.clone() }));
    let resume = json!([{"interruptId": "i", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
    assert_eq!(agent.answers(), [] as [Value; 0]);
}

/// - **GIVEN** an agent that wants a call approved, and whose schema names `editedArgs`.
/// - **WHEN** the person says yes with other arguments.
/// - **THEN** it was sent `approved` as true and the other arguments as `editedArgs`.
#[tokio::test]
async fn a_change_is_sent_where_it_is_taken() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let resume = resumed(&approval(edits()), edited).await;
    assert_eq!(resume["payload"], json!({"approved": true, "editedArgs": {"id": "n2"}}));
}

/// - **GIVEN** an agent that wants a call approved, and whose schema does not name `editedArgs`.
/// - **WHEN** the person says yes with other arguments.
/// - **THEN** it was sent `approved` as false.
#[tokio::test]
async fn a_change_is_a_no_where_it_is_not_taken() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let resume = resumed(&approval(json!({"properties": {"approved": {}}})), edited).await;
    assert_eq!(resume["payload"], json!({"approved": false}));
}

/// - **GIVEN** an agent that wants a call approved.
/// - **WHEN** the person says no and why, and then, to another, does not answer in time.
/// - **THEN** the first was sent `approved` as false with the reason, and the second that it was cancelled.
#[tokio::test]
async fn a_no_and_no_answer_are_two_things() {
    let resume = resumed(&approval(edits()), Confirmation::NoBecause("not today".into())).await;
    assert_eq!(resume["payload"], json!({"approved": false, "reason": "not today"}));
    let resume = resumed(&approval(edits()), Confirmation::TimedOut).await;
    assert_eq!(resume, json!({"interruptId": "i", "status": "cancelled"}));
}

/// - **GIVEN** a client with nobody to ask.
/// - **WHEN** an agent wants a call approved.
/// - **THEN** the next run was sent that the question was cancelled.
#[tokio::test]
async fn nobody_to_ask() {
    let agent = approval(edits());
    assert_eq!(ending(&turn(&mut notes().client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs()[1]["resume"], json!([{"interruptId": "i", "status": "cancelled"}]));
}

/// - **GIVEN** a product with a form, and an agent that asks for input, and one that asks for a reason that is not known.
/// - **WHEN** the form is filled in.
/// - **THEN** each question was shown with its message, and each agent was sent what was filled in.
#[tokio::test]
async fn other_questions_go_to_the_products_port() {
    for reason in ["input_required", "vendor:pick_a_colour"] {
        let agent =
            Agent::new([vec![interrupted(json!([{"id": "i", "reason": reason, "message": "Which?"}]))]]);
        let mut client = notes()
            .client(&agent)
            .confirm(|_: PendingCall| async { true })
            .input(|asked: Interrupt| async move { Some(json!({ "to": asked.message })) })
            .build();

        let updates = turn(&mut client).await;
        let shown = updates.iter().find_map(|update| match update {
            Update::Interrupted { interrupt } => interrupt.message.as_deref(),
            _ => None,
        });
        assert_eq!(shown, Some("Which?"));
        let resume = json!([{"interruptId": "i", "status": "resolved", "payload": {"to": "Which?"}}]);
        assert_eq!(agent.inputs()[1]["resume"], resume, "{reason}");
    }
}

/// - **GIVEN** an agent that asks with LangGraph's custom event `on_interrupt`, having called a tool of its own that
///   nobody answered, and ends its run without an outcome.
/// - **WHEN** the product's form answers `blue`.
/// - **THEN** the next run was sent a `resume` with `blue`, and `blue` as `command.resume` in `forwardedProps`.
/// - **AND** the call was left to the agent.
#[tokio::test]
async fn lang_graphs_own_event_is_a_question() {
    let asks = json!({"type": "CUSTOM", "name": "on_interrupt", "value": "Which colour?"}).to_string();
    let agent = Agent::new([run([call("c", "paint"), vec![asks]])]);
    let mut client = notes()
        .client(&agent)
        .input(|asked: Interrupt| async move {
            (asked.message.as_deref() == Some("Which colour?")).then(|| json!("blue"))
        })
        .build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let input = &agent.inputs()[1];
    assert_eq!(input["resume"][0]["status"], "resolved");
    assert_eq!(input["resume"][0]["payload"], "blue");
    assert_eq!(input["forwardedProps"], json!({"command": {"resume": "blue"}}));
    assert_eq!(agent.answers(), [] as [Value; 0]);
}

/// - **GIVEN** a clock, an agent that asks for one approval that has expired by it and one that has not, and an agent
///   whose only question expires while the person is being asked.
/// - **WHEN** the person says yes.
/// - **THEN** the first agent was sent an answer to the second question alone, and nobody was asked the first.
/// - **AND** the second agent was sent nothing more.
#[tokio::test]
async fn what_has_expired_is_not_answered() {
    let now = Arc::new(Mutex::new(SystemTime::UNIX_EPOCH + Duration::from_secs(60)));
    let clock = || {
        let now = now.clone();
        move || *now.lock().unwrap()
    };
    let asked = json!([
        {"id": "late", "reason": "confirmation", "expiresAt": "1970-01-01T00:00:59Z"},
        {"id": "early", "reason": "confirmation", "expiresAt": "1970-01-01T01:01:01+01:00"},
    ]);
    let agent = Agent::new([vec![interrupted(asked)]]);
    let mut client = notes()
        .client(&agent)
        .clock(clock())
        .confirm(|call: PendingCall| async move {
            assert_eq!(&*call.call_id, "early");
            true
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let resume = json!([{"interruptId": "early", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);

    let asked = json!([{"id": "i", "reason": "confirmation", "expiresAt": "1970-01-01T00:01:01Z"}]);
    let agent = Agent::new([vec![interrupted(asked)]]);
    let later = now.clone();
    let mut client = notes()
        .client(&agent)
        .clock(clock())
        .confirm(move |_: PendingCall| {
            *later.lock().unwrap() += Duration::from_secs(2);
            async { true }
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs().len(), 1);
    assert_eq!(client.conversation().interrupts(), []);
}

/// - **GIVEN** an agent that asks for two approvals and for input at once, and calls `notes.delete` besides.
/// - **WHEN** the person answers the second approval, then the input, then the call and then the first approval.
/// - **THEN** one run followed, and was sent one `resume` with the three answers in the order they were asked, and the
///   answer to the call.
#[tokio::test]
async fn all_questions_are_covered_at_once() {
    let asked = json!([
        {"id": "i1", "reason": "confirmation"},
        {"id": "i2", "reason": "input_required"},
        {"id": "i3", "reason": "confirmation"},
    ]);
    let mut events = call("c", "notes__delete");
    events.push(interrupted(asked));
    let agent = Agent::new([events]);
    let gates: Vec<_> = ["i3", "i2", "c", "i1"].into_iter().map(|id| (id, Gate::new())).collect();
    let passed: Vec<_> = gates.iter().map(|(id, gate)| (*id, gate.passed())).collect();
    let gate = move |id: &str| passed.iter().find(|(of, _)| *of == id).unwrap().1.clone();
    let (confirms, inputs) = (gate.clone(), gate);
    let mut client = notes()
        .client(&agent)
        .confirm(move |call: PendingCall| confirms(&call.call_id).map(|()| true))
        .input(move |asked: Interrupt| inputs(&asked.id).map(|()| Some(json!("x"))))
        .build();

    client.send_text("Please.");
    for (_, gate) in gates {
        while let Some(Some(_)) = client.next().now_or_never() {}
        assert_eq!(agent.inputs().len(), 1);
        gate.open();
    }
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Completed);
    let inputs = agent.inputs();
    let resume = inputs[1]["resume"].as_array().unwrap();
    assert_eq!(resume.iter().map(|it| it["interruptId"].clone()).collect::<Vec<_>>(), ["i1", "i2", "i3"]);
    assert_eq!(agent.answers().len(), 1);
    assert_eq!(inputs.len(), 2);
}

/// - **GIVEN** an agent that calls `notes.delete`, which asks, opens a call of `notes.open`, and ends its run in
///   interrupts bound to both calls.
/// - **WHEN** the person approves both.
/// - **THEN** neither command has run, neither call was answered, and the next run was sent both approvals.
#[tokio::test]
async fn a_call_bound_to_an_interrupt_is_not_run() {
    let asked = json!([
        {"id": "i1", "reason": "tool_call", "toolCallId": "c1"},
        {"id": "i2", "reason": "tool_call", "toolCallId": "c2"},
    ]);
    let mut events = call("c1", "notes__delete");
    events.extend(call("c2", "notes__open").into_iter().take(2));
    events.push(interrupted(asked));
    let agent = Agent::new([events]);
    let notes = notes();
    // The first question, which is the policy's, is taken back.
    let mut asked = 0;
    let asked = Arc::new(Mutex::new(move || {
        asked += 1;
        asked
    }));
    let mut client = notes
        .client(&agent)
        .confirm(move |_: PendingCall| {
            let place = asked.lock().unwrap()();
            async move { if place == 1 { std::future::pending().await } else { true } }
        })
        .build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!((notes.deleted.count(), notes.opened.count()), (0, 0));
    assert_eq!(agent.answers(), [] as [Value; 0]);
    assert_eq!(agent.inputs()[1]["resume"].as_array().unwrap().len(), 2);
}

/// - **GIVEN** a person whose dialog panics.
/// - **WHEN** an agent wants a call approved.
/// - **THEN** the next run was sent that the question was cancelled.
#[tokio::test]
async fn a_dialog_that_panics() {
    let agent = approval(edits());
    let mut client = notes()
        .client(&agent)
        .confirm(|_: PendingCall| async {
            std::panic::resume_unwind(Box::new("broken"));
            #[allow(unreachable_code, reason = "it says what the future gives")]
            true
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs()[1]["resume"], json!([{"interruptId": "i", "status": "cancelled"}]));
}

/// - **GIVEN** an agent that asks for three approvals of which two have one id, and one that asks the same thing in
///   LangGraph's custom event and at the end of its run.
/// - **WHEN** the person says yes.
/// - **THEN** they were asked twice and then once, and each agent was sent one answer to each id.
#[tokio::test]
async fn asked_once_under_one_id() {
    let asked = json!([
        {"id": "i1", "reason": "confirmation"},
        {"id": "i2", "reason": "confirmation"},
        {"id": "i1", "reason": "confirmation"},
    ]);
    let event = json!({"type": "CUSTOM", "name": "on_interrupt", "rawEvent": {"id": "i3"},
        "value": {"reason": "confirmation"}});
    let at_the_end = interrupted(json!([{"id": "i3", "reason": "confirmation"}]));
    for (events, ids) in [
        (vec![interrupted(asked)], vec!["i1", "i2"]),
        (vec![event.to_string(), at_the_end], vec!["i3"]),
        (vec![event.to_string(), event.to_string(), finished()], vec!["i3"]),
    ] {
        let agent = Agent::new([events]);
        let mut client = notes().client(&agent).confirm(|_: PendingCall| async { true }).build();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert_eq!(updates.iter().filter(|it| matches!(it, Update::Asked { .. })).count(), ids.len());
        let inputs = agent.inputs();
        let resume = inputs[1]["resume"].as_array().unwrap();
        assert_eq!(resume.iter().map(|it| it["interruptId"].clone()).collect::<Vec<_>>(), ids);
    }
}

/// - **GIVEN** an agent that asks about a call that does not exist, with a moment that is none, a schema that is none,
///   an empty reason and a message of a million letters.
/// - **WHEN** the person says yes.
/// - **THEN** each question was answered, and the turn comes to rest.
#[tokio::test]
async fn questions_that_make_no_sense() {
    let words = "x".repeat(1_000_000);
    let asked = json!([
        {"id": "i1", "reason": "tool_call", "toolCallId": "nowhere"},
        {"id": "i2", "reason": "confirmation", "expiresAt": "-999999-99-99T99:99:99Z"},
        {"id": "i3", "reason": "confirmation", "expiresAt": {"soon": true}, "responseSchema": [[[["editedArgs"]]]]},
        {"id": "i4", "reason": "", "message": words, "toolCallId": ""},
        {"id": "i5", "reason": "confirmation", "expiresAt": "9999-12-31T23:59:59Z", "metadata": words},
        {"id": "", "reason": "confirmation"},
        "i6",
    ]);
    let agent = Agent::new([vec![interrupted(asked)]]);
    let mut client = notes()
        .client(&agent)
        .confirm(|_: PendingCall| async { true })
        .input(|_: Interrupt| async { Some(json!("x")) })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let inputs = agent.inputs();
    let resume = inputs[1]["resume"].as_array().unwrap();
    assert_eq!(resume.len(), 5);
    assert!(resume.iter().all(|it| it["status"] == "resolved"), "{resume:?}");
}

/// - **GIVEN** an agent that asks for an approval, about which the person is being asked, and in the same stream begins
///   another run that asks for another approval.
/// - **WHEN** the person says yes to what they are asked then.
/// - **THEN** the first question was taken back, and the agent was sent an answer to the second alone.
#[tokio::test]
async fn a_later_question_takes_the_place_of_an_earlier_one() {
    let asks = |id: &str| interrupted(json!([{"id": id, "reason": "confirmation"}]));
    let begins = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string();
    let agent = Agent::new([vec![asks("i1"), begins, asks("i2")]]);
    let dropped = Arc::new(Mutex::new(Vec::new()));
    struct TakenBack(String, Arc<Mutex<Vec<String>>>);
    impl Drop for TakenBack {
        fn drop(&mut self) {
            self.1.lock().unwrap().push(self.0.clone());
        }
    }
    let tells = dropped.clone();
    let mut client = notes()
        .client(&agent)
        .confirm(move |call: PendingCall| {
            let open = TakenBack(call.call_id.to_string(), tells.clone());
            async move { if open.0 == "i1" { std::future::pending().await } else { true } }
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(*dropped.lock().unwrap(), ["i1", "i2"]);
    let resume = json!([{"interruptId": "i2", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
}

/// - **GIVEN** an agent that calls `notes.wait`, and ends its run in an interrupt bound to the call while it runs.
/// - **WHEN** the person approves, and then `notes.wait` comes to its end.
/// - **THEN** nothing was answered here, and the next run was sent the approval.
#[tokio::test]
async fn a_call_that_runs_when_it_is_bound() {
    let notes = notes();
    let gate = Gate::new();
    let passed = gate.passed();
    notes.bench.does(callable("notes.wait"), move |_| passed.clone().map(Ok));
    let mut events = call("c", "notes__wait");
    events.push(interrupted(json!([{"id": "i", "reason": "tool_call", "toolCallId": "c"}])));
    let agent = Agent::new([events]);
    let mut client = notes.client(&agent).confirm(|_: PendingCall| async { true }).build();
    client.send_text("Please.");
    while let Some(Some(_)) = client.next().now_or_never() {}
    gate.open();
    let updates = rest(&mut client).await;
    assert_eq!(ending(&updates), &TurnEnd::Completed);
    assert!(!updates.iter().any(|update| matches!(update, Update::Answered { .. })), "{updates:?}");
    assert_eq!(agent.answers(), [] as [Value; 0]);
    assert_eq!(agent.inputs()[1]["resume"].as_array().unwrap().len(), 1);
}

/// - **GIVEN** an agent that asks for an approval, and whose next run fails.
/// - **WHEN** the person says yes, and then says something.
/// - **THEN** they were asked once, and the last run was sent no `resume`.
#[tokio::test]
async fn an_answer_is_sent_once() {
    let asks = interrupted(json!([{"id": "i", "reason": "confirmation"}]));
    let fails = json!({"type": "RUN_ERROR", "message": "out of order"}).to_string();
    let agent = Agent::new([vec![asks], vec![fails]]);
    let times = Arc::new(Mutex::new(0));
    let counts = times.clone();
    let mut client = notes()
        .client(&agent)
        .confirm(move |_: PendingCall| {
            *counts.lock().unwrap() += 1;
            async { true }
        })
        .build();
    assert!(matches!(ending(&turn(&mut client).await), TurnEnd::AgentFailed { .. }));
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(*times.lock().unwrap(), 1);
    assert_eq!(agent.inputs()[2]["resume"], Value::Null);
}
