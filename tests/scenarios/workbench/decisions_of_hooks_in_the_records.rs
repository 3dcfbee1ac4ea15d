//! Each decision of a hook about a call SHALL be a record of its own, in one numbered stream with the records of the
//! invocations and before the invocation that follows from it. It SHALL say whose call it is, who decided, with which
//! text shown, which arguments were asked for and with which the call goes on, and why. A question that ends without
//! an answer of the person SHALL be recorded as such.

use std::collections::BTreeSet;
use std::future::{pending, ready};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, SystemTime};

use drawloom::command::{
    AgentConsent, Argument, BeforeCall, CommandArguments, Decision, DecisionBasis, DecisionSource,
    HookResponse, PendingCall, QuestionEnd,
};
use drawloom::consent::{Confirmation, ConsentPolicy};
use drawloom::tools::{ToolCallRequest, ToolExecutor, ToolResult};
use drawloom::workbench::{
    AuditEvent, AuditRecord, Clock, DecisionSubject, Person, PluginContext, Session, SystemClock,
};
use futures::future::FutureExt;

use crate::support::{
    Bench, Gate, Kept, bench, bench_on, callable, invoke, is_answered, is_unavailable, poll_once, settle,
    usual,
};

fn arguments(path: &str) -> CommandArguments {
    CommandArguments::new().with("path", path)
}

/// `notes.open` and `notes.delete`, which asks.
fn with_commands(bench: Bench) -> Bench {
    let path = || Argument::text("path");
    bench.has(callable("notes.open").argument(path()));
    bench.has(callable("notes.delete").argument(path()).agent_consent(AgentConsent::Ask));
    bench
}

fn executor(bench: &Bench, hook: impl BeforeCall + 'static) -> ToolExecutor {
    ToolExecutor::builder(bench.copilot.clone()).before(hook).build()
}

fn request(id: &str, tool: &str) -> ToolCallRequest {
    ToolCallRequest::new(id, tool, r#"{"path":"inbox"}"#)
}

fn execute(executor: &ToolExecutor, id: &str, tool: &str) -> ToolResult {
    settle(executor.execute(request(id, tool)))
}

/// A record in short: its number, its call, and the decision or the word `invocation`.
fn line(record: &AuditRecord) -> String {
    let call = record.origin.call_id.as_deref().unwrap_or("-");
    let what = match &record.event {
        AuditEvent::Decision { decision, .. } => decision.as_ref().map_or("cancelled", Decision::as_str),
        _ => "invocation",
    };
    format!("{} {call} {what}", record.sequence)
}

fn lines(bench: &Bench) -> Vec<String> {
    bench.audited.all().iter().map(line).collect()
}

fn basis(record: &AuditRecord) -> DecisionBasis {
    (**record.origin.basis.as_ref().expect("a basis")).clone()
}

/// The time of day that this clock tells stands still.
struct Noon;

fn noon() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(43_200)
}

impl Clock for Noon {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn time_of_day(&self) -> Option<SystemTime> {
        Some(noon())
    }
}

/// - **GIVEN** the session of `ada`, a clock, and a policy with which `ada` approves `notes.delete` with other
///   arguments, shown `Delete?`.
/// - **WHEN** the call `c1` of `notes.delete` is executed.
/// - **THEN** record 1 is a decision about `c1` for `ada`, with the time of day, the arguments of the call, the other
///   arguments, `ada`, `Delete?` and the answer `edited`.
/// - **AND** record 2 is an invocation with the call `c1`, the other arguments and the same basis.
#[test]
fn a_decision_precedes_what_runs() {
    let session = Session::of(Person::new("ada"), ["editor"]);
    let bench = with_commands(bench_on(usual().session(session).clock(Noon)));
    let policy = ConsentPolicy::new(|_: PendingCall| {
        ready(Confirmation::YesWith(arguments("drafts")).decided_by("ada").shown("Delete?"))
    });

    execute(&executor(&bench, policy), "c1", "notes__delete");

    let records = bench.audited.all();
    assert_eq!(lines(&bench), ["1 c1 run-with", "2 c1 invocation"]);
    let [decision, invocation] = &records[..] else { panic!("{records:?}") };
    let expected = DecisionBasis::new(DecisionSource::Asked)
        .answer(QuestionEnd::Edited)
        .decided_by("ada")
        .shown("Delete?");
    for record in [decision, invocation] {
        assert_eq!(record.person.as_ref().map(|person| person.id.as_str()), Some("ada"));
        assert_eq!(record.time, Some(noon()));
        assert_eq!(record.command, "notes.delete");
        assert_eq!(basis(record), expected);
    }
    assert_eq!(decision.arguments, arguments("inbox"));
    assert_eq!(decision.decision(), Some(&Decision::RunWith(arguments("drafts"))));
    assert!(matches!(decision.event, AuditEvent::Decision { subject: DecisionSubject::Command, .. }));
    assert_eq!(invocation.arguments, arguments("drafts"));
    assert!(invocation.outcome().is_some_and(is_answered));
}

/// - **WHEN** calls of `notes.open` are executed whose hook runs, changes, declines and answers them.
/// - **THEN** each has one record of a decision, in this order, and only the first two are followed by an invocation.
#[test]
fn each_kind_of_decision() {
    let bench = with_commands(bench());
    let executor = executor(&bench, |call: PendingCall| {
        ready(match &*call.call_id {
            "c1" => Decision::Run,
            "c2" => Decision::RunWith(arguments("drafts")),
            "c3" => Decision::Decline { reason: "not now".into() },
            _ => Decision::Answer { content: "42".into() },
        })
    });

    for id in ["c1", "c2", "c3", "c4"] {
        execute(&executor, id, "notes__open");
    }

    let expected =
        ["1 c1 run", "2 c1 invocation", "3 c2 run-with", "4 c2 invocation", "5 c3 decline", "6 c4 answer"];
    assert_eq!(lines(&bench), expected);
    let records = bench.audited.all();
    assert_eq!(records[4].decision(), Some(&Decision::Decline { reason: "not now".into() }));
    assert_eq!(records[5].decision(), Some(&Decision::Answer { content: "42".into() }));
}

/// - **GIVEN** a hook that declines the first call and lets the second through.
/// - **WHEN** `notes.ghost`, which is not registered, is called twice.
/// - **THEN** there are two decisions about something that is not offered, and one refused invocation after the second.
#[test]
fn calls_to_what_is_not_offered() {
    let bench = bench();
    let executor = executor(&bench, |call: PendingCall| {
        ready(match &*call.call_id {
            "c1" => Decision::Decline { reason: "not now".into() },
            _ => Decision::Run,
        })
    });

    execute(&executor, "c1", "notes__ghost");
    execute(&executor, "c2", "notes__ghost");

    assert_eq!(lines(&bench), ["1 c1 decline", "2 c2 run", "3 c2 invocation"]);
    let records = bench.audited.all();
    for decision in &records[..2] {
        assert_eq!(decision.command, "notes.ghost");
        assert!(
            matches!(decision.event, AuditEvent::Decision { subject: DecisionSubject::NotOffered, .. }),
            "{decision:?}"
        );
    }
    assert!(records[2].outcome().is_some_and(is_unavailable));
}

/// - **GIVEN** two pending calls of `notes.delete`, which asks, and one question.
/// - **WHEN** the person says yes.
/// - **THEN** the decision about the first has the source `asked` and the one about the second the source `shared`,
///   each with its own call id.
#[test]
fn a_shared_answer() {
    let bench = with_commands(bench());
    let (gate, asked) = (Gate::new(), Kept::default());
    let (passed, keeps) = (gate.passed(), asked.clone());
    let policy = ConsentPolicy::new(move |call: PendingCall| {
        keeps.keep(call.call_id);
        passed.clone().map(|()| Confirmation::Yes.decided_by("ada"))
    });
    let executor = executor(&bench, policy);

    let mut calls = ["c1", "c2"].map(|id| executor.execute(request(id, "notes__delete")));
    for call in &mut calls {
        assert!(poll_once(call).is_pending());
    }
    gate.open();
    calls.into_iter().for_each(|call| drop(settle(call)));

    assert_eq!(&*asked.only(), "c1");
    assert_eq!(lines(&bench), ["1 c1 run", "2 c1 invocation", "3 c2 run", "4 c2 invocation"]);
    let records = bench.audited.all();
    for (record, source) in [(&records[0], DecisionSource::Asked), (&records[2], DecisionSource::Shared)] {
        let expected = DecisionBasis::new(source).answer(QuestionEnd::Yes).decided_by("ada");
        assert_eq!(basis(record), expected);
    }
}

/// - **WHEN** confirmations fail, are cancelled, time out and panic.
/// - **THEN** each is recorded as a decline with this end of the question and its reason, and nothing has run.
#[test]
fn questions_without_an_answer() {
    let ends: [(fn() -> Confirmation, _, _); 4] = [
        (
            || Confirmation::Errored("no window".into()),
            QuestionEnd::Errored,
            "the confirmation failed: no window",
        ),
        (|| Confirmation::Cancelled, QuestionEnd::Cancelled, "the confirmation was cancelled"),
        (|| Confirmation::TimedOut, QuestionEnd::TimedOut, "the confirmation timed out"),
        (|| panic!("no dialog"), QuestionEnd::Panicked, "the confirmation panicked"),
    ];
    for (answer, end, reason) in ends {
        let bench = with_commands(bench());
        let policy = ConsentPolicy::new(move |_: PendingCall| async move { answer() });

        execute(&executor(&bench, policy), "c1", "notes__delete");

        let record = bench.audited.only();
        assert_eq!(record.decision(), Some(&Decision::Decline { reason: reason.to_owned() }));
        let expected = DecisionBasis::new(DecisionSource::Asked).answer(end).reason(reason);
        assert_eq!(basis(&record), expected);
    }
}

/// - **GIVEN** a call that waits for the person.
/// - **WHEN** it is cancelled.
/// - **THEN** there is one record, of a decision that was not taken.
#[test]
fn cancelled_while_the_person_is_asked() {
    let bench = with_commands(bench());
    let executor = executor(&bench, ConsentPolicy::new(|_: PendingCall| pending::<bool>()));

    let mut call = executor.execute(request("c1", "notes__delete"));
    assert!(poll_once(&mut call).is_pending());
    assert!(bench.audited.all().is_empty());
    call.cancel();
    assert_eq!(lines(&bench), ["1 c1 cancelled"]);

    // A future that is dropped is recorded in the same way.
    let mut call = executor.execute(request("c2", "notes__delete"));
    assert!(poll_once(&mut call).is_pending());
    drop(call);
    assert_eq!(lines(&bench), ["1 c1 cancelled", "2 c2 cancelled"]);
    assert_eq!(bench.audited.all()[1].decision(), None);
}

/// - **WHEN** a call is executed whose hook panics.
/// - **THEN** there is one record, of a decline with the source `panicked`.
#[test]
fn a_hook_that_panics() {
    let bench = with_commands(bench());
    let executor = executor(&bench, |_: PendingCall| async { panic!("the hook is broken") as HookResponse });

    execute(&executor, "c1", "notes__open");

    let record = bench.audited.only();
    assert_eq!(line(&record), "1 c1 decline");
    assert_eq!(basis(&record).source, DecisionSource::Panicked);
}

/// - **GIVEN** two workbenches with one audit port.
/// - **WHEN** two threads invoke `notes.open` 100 times each in the first, and it is invoked once in the second.
/// - **THEN** the numbers of the first are 1 to 200, each once, and that of the second is 1.
#[test]
fn numbers_without_gaps() {
    let first = with_commands(bench());
    let second = first.beside(usual());

    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..100).for_each(|_| drop(invoke(&first.copilot, "notes.open"))));
        }
    });
    invoke(&second.copilot, "notes.open");

    let numbers: Vec<_> = first.audited.all().iter().map(|record| record.sequence).collect();
    assert_eq!(numbers.len(), 200);
    assert_eq!(numbers.into_iter().collect::<BTreeSet<_>>(), (1..=200).collect());
    assert_eq!(second.audited.only().sequence, 1);
}

/// - **GIVEN** an audit port that executes a call, behind a hook, for each record that it takes.
/// - **WHEN** a call is executed.
/// - **THEN** it ends, and so do the calls of the port.
#[test]
fn an_audit_port_that_calls() {
    let copilot: Arc<OnceLock<PluginContext>> = Arc::default();
    let reached = copilot.clone();
    let taken: Arc<Mutex<u32>> = Arc::default();
    let counts = taken.clone();
    // Small, because each record leads to up to two more at the depth below.
    let workbench = usual()
        .nesting_limit(3)
        .audit(move |_: &AuditRecord| {
            *counts.lock().unwrap() += 1;
            if let Some(copilot) = reached.get() {
                let hook = |_: PendingCall| ready(Decision::Run);
                let executor = ToolExecutor::builder(copilot.clone()).before(hook).build();
                settle(executor.execute(ToolCallRequest::new("inner", "notes__open", "{}")));
            }
        })
        .build();
    let (notes, called) = crate::support::activated(&workbench);
    crate::support::has(&notes, callable("notes.open"));
    copilot.set(called.clone()).ok().unwrap();

    let executor = ToolExecutor::builder(called).before(|_: PendingCall| ready(Decision::Run)).build();
    let result = settle(executor.execute(ToolCallRequest::new("c1", "notes__open", "{}")));

    assert!(result.ran().is_some_and(is_answered));
    let taken = *taken.lock().unwrap();
    assert!((2..1_000).contains(&taken), "{taken} records");
}

/// - **GIVEN** a clock that knows the time of day, and one that only measures.
/// - **WHEN** a command is invoked with each.
/// - **THEN** the first record has the time of day and the second has none.
#[test]
fn the_time_of_day() {
    let before = SystemTime::now();
    let knows = with_commands(bench_on(usual().clock(SystemClock::new())));
    invoke(&knows.copilot, "notes.open");
    let time = knows.audited.only().time.unwrap();
    assert!(before <= time && time <= SystemTime::now(), "{time:?}");

    let measures = with_commands(bench_on(usual().clock(|| Duration::from_secs(1))));
    invoke(&measures.copilot, "notes.open");
    let record = measures.audited.only();
    assert_eq!((record.time, record.duration()), (None, Some(Duration::ZERO)));
}
