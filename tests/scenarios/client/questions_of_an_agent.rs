//! The person SHALL be asked the questions of an agent: approvals with the dialog of the consent policy, and other
//! questions with a form of the product. One `resume` SHALL answer every question that has not expired. A call that
//! is bound to a question SHALL NOT run.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use drawloom::client::{
    BoxFuture, Client, Frames, InProcessAgent, Interrupt, RunAgentInput, Transport, TransportError, TurnEnd,
    Update,
};
use drawloom::command::{AgentConsent, CommandArguments, Decision, PendingCall, QuestionEnd};
use drawloom::consent::Confirmation;
use drawloom::workbench::{AuditEvent, DecisionSubject};
use futures::FutureExt;
use serde_json::{Value, json};

use super::support::{Agent, call, call_with, ending, finished, interrupted, notes, rest, run, spoken, turn};
use crate::support::{Gate, callable};

/// An agent that calls one of its own tools and wants the call approved.
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

/// What an agent is sent after this answer of the person.
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
/// - **WHEN** the person, who is asked with the dialog of the policy, says yes.
/// - **THEN** they were asked about the call `c`, the command `delete_note`, `id` as `n1` and the statement
///   `ask-always`, with the agent's message and as an approval that accepts edits.
/// - **AND** the next run was sent a `resume` with `approved` as true, and no answer to the call.
#[tokio::test]
async fn an_approval_is_asked_like_a_policy_question() {
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
    let approval = call.approval.as_deref().unwrap();
    assert_eq!((approval.message.as_deref(), approval.takes_edits), (Some("Approve?"), true));
    assert!(updates.contains(&Update::Asked { call: call.clone() }));
    let resume = json!([{"interruptId": "i", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
    assert_eq!(agent.answers(), [] as [Value; 0]);
}

/// - **GIVEN** agents that want a call of their own approved, and an audit port.
/// - **WHEN** the person says yes, says yes with arguments that the agent does not accept, says no with a reason, and
///   has a dialog that panics.
/// - **THEN** one decision about an approval is recorded for each, with the call `c` and its run: run, decline,
///   decline with the reason, and decline with the end `panicked`.
#[tokio::test]
async fn approvals_are_recorded() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let no_edits = "the arguments were changed, and the agent does not accept changes";
    let refused = "the user declined the call: not today";
    for (answer, expected, end) in [
        (Some(Confirmation::Yes), None, QuestionEnd::Yes),
        (Some(edited), Some(no_edits), QuestionEnd::Edited),
        (Some(Confirmation::NoBecause("not today".into())), Some(refused), QuestionEnd::No),
        (None, Some("the confirmation panicked"), QuestionEnd::Panicked),
    ] {
        let notes = notes();
        let agent = approval(json!({"properties": {"approved": {}}}));
        let mut client = notes
            .client(&agent)
            .agent("planner")
            .confirm(move |_: PendingCall| {
                let answer = answer.clone();
                async move { answer.expect("the dialog panics") }
            })
            .build();
        turn(&mut client).await;

        let record = notes.bench.audited.only();
        let decision = match expected {
            None => Decision::Run,
            Some(reason) => Decision::Decline { reason: reason.to_owned() },
        };
        assert_eq!(record.decision(), Some(&decision));
        assert!(
            matches!(record.event, AuditEvent::Decision { subject: DecisionSubject::Approval, .. }),
            "{record:?}"
        );
        let run = agent.inputs()[0]["runId"].as_str().unwrap().to_owned();
        let origin = &record.origin;
        assert_eq!((origin.call_id.as_deref(), origin.agent.as_deref()), (Some("c"), Some("planner")));
        assert_eq!((origin.run_id.as_deref(), origin.turn_id.as_deref()), (Some(&*run), Some(&*run)));
        assert_eq!(origin.basis.as_ref().unwrap().answer, Some(end));
        assert_eq!(record.command, "delete_note");
    }
}

/// - **GIVEN** an agent that wants a call approved, and whose schema names `editedArgs`.
/// - **WHEN** the person says yes with other arguments.
/// - **THEN** it was sent `approved` as true and the other arguments as `editedArgs`.
#[tokio::test]
async fn a_change_that_the_agent_accepts() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let resume = resumed(&approval(edits()), edited).await;
    assert_eq!(resume["payload"], json!({"approved": true, "editedArgs": {"id": "n2"}}));
}

/// - **GIVEN** an agent that wants a call approved, and whose schema does not name `editedArgs`.
/// - **WHEN** the person says yes with other arguments.
/// - **THEN** it was sent `approved` as false.
#[tokio::test]
async fn a_change_that_the_agent_does_not_accept() {
    let edited = Confirmation::YesWith(CommandArguments::new().with("id", "n2"));
    let resume = resumed(&approval(json!({"properties": {"approved": {}}})), edited).await;
    assert_eq!(resume["payload"], json!({"approved": false}));
}

/// - **GIVEN** an agent that wants a call approved.
/// - **WHEN** the person says no with a reason, and to another such agent gives no answer in time.
/// - **THEN** the first was sent `approved` as false with the reason, and the second that it was cancelled.
#[tokio::test]
async fn a_no_and_no_answer_differ() {
    let resume = resumed(&approval(edits()), Confirmation::NoBecause("not today".into())).await;
    assert_eq!(resume["payload"], json!({"approved": false, "reason": "not today"}));
    let resume = resumed(&approval(edits()), Confirmation::TimedOut).await;
    assert_eq!(resume, json!({"interruptId": "i", "status": "cancelled"}));
}

/// - **GIVEN** a client without a dialog.
/// - **WHEN** an agent wants a call approved.
/// - **THEN** the next run was sent the cancellation of the question.
#[tokio::test]
async fn nobody_to_ask() {
    let agent = approval(edits());
    assert_eq!(ending(&turn(&mut notes().client(&agent).build()).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs()[1]["resume"], json!([{"interruptId": "i", "status": "cancelled"}]));
}

/// - **GIVEN** a product with a form, and an agent that asks for input, and one that asks with an unknown
///   reason.
/// - **WHEN** the form is filled in.
/// - **THEN** each question was shown with its message, and each agent was sent the content of the form.
#[tokio::test]
async fn other_questions_go_to_the_form() {
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

/// - **GIVEN** an agent that asks with LangGraph's custom event `on_interrupt`, having called a tool of its
///   own that nobody answered, and ends its run without an outcome.
/// - **WHEN** the product's form answers `blue`.
/// - **THEN** the next run was sent a `resume` with `blue`, and `blue` as `command.resume` in
///   `forwardedProps`.
/// - **AND** the call was left to the agent.
#[tokio::test]
async fn the_custom_event_of_langgraph_is_a_question() {
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

/// - **GIVEN** a clock, an agent that asks for an approval that has expired and for one that has not, and an
///   agent whose only question expires while the person is being asked.
/// - **WHEN** the person says yes.
/// - **THEN** the first agent was sent an answer only to the second question, and nobody was asked the first.
/// - **AND** the second agent was sent nothing more.
#[tokio::test]
async fn an_expired_question_is_not_answered() {
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

/// - **GIVEN** an agent that asks for two approvals and for input at once, and also calls `notes.delete`.
/// - **WHEN** the person answers the second approval, then the input, then the call and then the first
///   approval.
/// - **THEN** one run followed, and was sent one `resume` with the three answers in the order they were
///   asked, and the answer to the call.
#[tokio::test]
async fn all_questions_are_answered_at_once() {
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

/// - **GIVEN** an agent that calls `notes.delete`, which asks, opens a call of `notes.open`, and ends its run
///   in interrupts bound to both calls.
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
/// - **THEN** the next run was sent the cancellation of the question.
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

/// - **GIVEN** an agent that asks for three approvals two of which have the same id, and one that asks the
///   same question in LangGraph's custom event and at the end of its run.
/// - **WHEN** the person says yes.
/// - **THEN** they were asked twice and then once, and each agent was sent one answer for each id.
#[tokio::test]
async fn one_question_for_each_id() {
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

/// - **GIVEN** an agent that asks about a call that does not exist, with an invalid time, an invalid schema,
///   an empty reason and a message of a million letters.
/// - **WHEN** the person says yes.
/// - **THEN** each question was answered, and the turn is completed.
#[tokio::test]
async fn invalid_questions() {
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

/// - **GIVEN** an agent that asks for an approval, and in the same stream begins another run that asks for
///   another approval.
/// - **WHEN** the response has ended.
/// - **THEN** the person was asked only the second question, and the agent was sent only its answer.
#[tokio::test]
async fn a_later_question_replaces_an_earlier_one() {
    let asks = |id: &str| interrupted(json!([{"id": id, "reason": "confirmation"}]));
    let begins = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "other"}).to_string();
    let agent = Agent::new([vec![asks("i1"), begins, asks("i2")]]);
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let keeps = asked.clone();
    let mut client = notes()
        .client(&agent)
        .confirm(move |call: PendingCall| {
            keeps.lock().unwrap().push(call.call_id.to_string());
            async { true }
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(*asked.lock().unwrap(), ["i2"]);
    let resume = json!([{"interruptId": "i2", "status": "resolved", "payload": {"approved": true}}]);
    assert_eq!(agent.inputs()[1]["resume"], resume);
}

/// - **GIVEN** an agent that calls `notes.wait`, and ends its run in an interrupt bound to the call while it
///   runs, and one that does so after the call has run.
/// - **WHEN** the turn is over.
/// - **THEN** nobody was asked, and the next run was sent the answer of `notes.wait` and the outcome of the
///   call as the answer to the interrupt.
#[tokio::test]
async fn a_call_that_runs_when_it_is_bound() {
    for has_run in [false, true] {
        let notes = notes();
        let gate = Gate::new();
        let passed = gate.passed();
        notes.bench.does(callable("notes.wait"), move |_| passed.clone().map(Ok));
        let (says, agent) = spoken();
        let sent: Arc<Mutex<Vec<RunAgentInput>>> = Arc::default();
        let agent = Keeping(agent, sent.clone());
        let client = Client::builder(agent, notes.bench.copilot.clone());
        let mut client = client.confirm(|_: PendingCall| async { true }).build();
        client.send_text("Please.");
        call("c", "notes__wait").into_iter().for_each(|event| says.unbounded_send(event).unwrap());
        let mut updates = Vec::new();
        let mut gate = Some(gate);
        if has_run {
            gate.take().unwrap().open();
        }
        while let Some(Some(update)) = client.next().now_or_never() {
            updates.push(update);
        }
        let ends = interrupted(json!([{"id": "i", "reason": "tool_call", "toolCallId": "c"}]));
        says.unbounded_send(ends).unwrap();
        drop(says);
        while let Some(Some(update)) = client.next().now_or_never() {
            updates.push(update);
        }
        if let Some(gate) = gate {
            gate.open();
        }
        updates.extend(rest(&mut client).await);
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert!(!updates.iter().any(|update| matches!(update, Update::Asked { .. })), "{updates:?}");
        let sent = sent.lock().unwrap();
        let answers: Vec<_> = sent[1].messages.iter().filter_map(|message| message.answered_call()).collect();
        assert_eq!(answers, ["c"]);
        let resume = json!([{"interruptId": "i", "status": "resolved", "payload": {"outcome": "answered"}}]);
        assert_eq!(serde_json::to_value(&sent[1].resume).unwrap(), resume);
    }
}

/// An agent that stores what it is sent.
struct Keeping(InProcessAgent, Arc<Mutex<Vec<RunAgentInput>>>);

impl Transport for Keeping {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        self.1.lock().unwrap().push(input.clone());
        self.0.start(input)
    }
}

/// - **GIVEN** an agent that asks for an approval, and whose next run fails.
/// - **WHEN** the person says yes, and then sends a message.
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

/// - **GIVEN** an agent that asks for an approval, and in the same stream begins another run that asks
///   nothing; and an agent that sends the first run again instead.
/// - **WHEN** the response has ended.
/// - **THEN** the first agent's question is closed and nobody was asked, and the person was asked the
///   question of the second.
#[tokio::test]
async fn a_later_run_closes_a_question() {
    for (second, asked) in [("r2", 0), ("r1", 1)] {
        let begins = |run: &str| json!({"type": "RUN_STARTED", "threadId": "t", "runId": run}).to_string();
        let asks = interrupted(json!([{"id": "i", "reason": "confirmation"}]));
        let agent = Agent::new([vec![begins("r1"), asks, begins(second), finished()]]);
        let mut client = notes().client(&agent).confirm(|_: PendingCall| async { true }).build();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        let times = updates.iter().filter(|it| matches!(it, Update::Asked { .. })).count();
        assert_eq!((times, agent.inputs().len()), (asked, 1 + asked));
        assert!(client.conversation().interrupts().is_empty());
    }
}

/// - **GIVEN** an agent that asks for input and whose schema accepts one of two colours; a form that is first
///   filled in with another colour; and a form that is never filled in as the schema requires.
/// - **WHEN** each turn is over.
/// - **THEN** an update said what does not match, the form was shown again, and the agent was sent the colour
///   that matches.
/// - **AND** the other form was shown three times, and its agent was sent the cancellation of the question.
#[tokio::test]
async fn an_answer_that_does_not_match_is_not_sent() {
    let schema = json!({"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}, "required": ["colour"]});
    let asks = interrupted(json!([{"id": "i", "reason": "input_required", "responseSchema": schema}]));
    let matching = json!([{"interruptId": "i", "status": "resolved", "payload": {"colour": "blue"}}]);
    let cancelled = json!([{"interruptId": "i", "status": "cancelled"}]);
    for (colours, shown, resume) in [(vec!["green", "blue"], 2, matching), (vec!["green"; 9], 3, cancelled)] {
        let agent = Agent::new([vec![asks.clone()]]);
        let colours = Arc::new(Mutex::new(colours.into_iter()));
        let left = colours.clone();
        let mut client = notes()
            .client(&agent)
            .input(move |_: Interrupt| {
                let colour = colours.lock().unwrap().next();
                async move { colour.map(|colour| json!({ "colour": colour })) }
            })
            .build();
        let before = left.lock().unwrap().len();
        let updates = turn(&mut client).await;
        assert_eq!(ending(&updates), &TurnEnd::Completed);
        assert_eq!(before - left.lock().unwrap().len(), shown);
        let is_told = |update: &Update| {
            matches!(update, Update::AnswerRejected { interrupt_id, problem }
                if interrupt_id == "i" && problem.contains("colour"))
        };
        assert!(updates.iter().any(is_told), "{updates:?}");
        assert_eq!(agent.inputs()[1]["resume"], resume);
    }
}

/// - **GIVEN** an agent that wants a call approved, with a message, metadata and a schema, and one that asks
///   without a message, as LangGraph's human-in-the-loop middleware does.
/// - **WHEN** the person is asked.
/// - **THEN** they were shown the message, the metadata and the schema of the first, and for the second a
///   question made from its metadata.
#[tokio::test]
async fn a_question_is_shown_completely() {
    let (metadata, schema) = (json!({"risk": "high"}), json!({"type": "object"}));
    let full = json!({"id": "i1", "reason": "confirmation", "message": "Really?", "metadata": metadata,
        "responseSchema": schema});
    let actions = json!({"action_requests": [{"name": "send_mail", "args": {"to": "ada"}}]});
    let bare = json!({"id": "i2", "reason": "confirmation", "metadata": actions});
    let agent = Agent::new([vec![interrupted(json!([full, bare]))]]);
    let asked: Arc<Mutex<Vec<PendingCall>>> = Arc::default();
    let keeps = asked.clone();
    let mut client = notes()
        .client(&agent)
        .confirm(move |call: PendingCall| {
            keeps.lock().unwrap().push(call);
            async { true }
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    let mut asked = asked.lock().unwrap();
    asked.sort_by_key(|call| call.call_id.to_string());
    let [first, second] = &asked[..] else { panic!("not asked twice") };
    let first = first.approval.as_deref().unwrap();
    assert_eq!(first.message.as_deref(), Some("Really?"));
    assert_eq!((&first.metadata, &first.response_schema), (&Some(metadata), &Some(schema)));
    let second = second.approval.as_deref().unwrap().message.as_deref().unwrap();
    assert_eq!(second, r#"send_mail {"to":"ada"}"#);
}
