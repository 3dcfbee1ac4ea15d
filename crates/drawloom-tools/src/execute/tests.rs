//! Calls against an access and a hook that keep a log of what was done to them.

use std::future::{pending, poll_fn, ready};
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use drawloom_command::{
    AgentConsent, BoxFuture, CommandArguments, CommandOutcome, DecisionBasis, Failure, HookDecision,
    HookResponse, InvocableCommand, Refusal, RegistrationId,
};
use futures::FutureExt;
use futures::executor::block_on;

use super::*;
use crate::ErrorPlacement;

/// What was asked of the access and the hook, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, entry: impl Into<String>) {
        self.0.lock().unwrap().push(entry.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// An access that offers `notes.open` and answers each call with its arguments.
#[derive(Clone, Default)]
struct FakeAccess {
    log: Log,
    // What the review says.
    refusal: Option<Refusal>,
    // What running the command does instead of answering.
    running: Option<fn(CommandArguments) -> BoxFuture<'static, CommandOutcome>>,
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

impl CommandAccess for FakeAccess {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.log.add("list");
        Vec::new()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        self.log.add(format!("offer {id}"));
        let offer = || CommandOffer::new(id.clone(), RegistrationId::unique(), Some(AgentConsent::Ask));
        (*id == "notes.open").then(offer)
    }

    fn review(&self, _: &CommandOffer, arguments: &CommandArguments, _: &CallOrigin) -> Result<(), Refusal> {
        self.log.add(format!("review {}", json(arguments)));
        self.refusal.clone().map_or(Ok(()), Err)
    }

    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal {
        self.log.add(format!("refuse {id} {}", json(origin)));
        Refusal::unavailable()
    }

    fn record_decision(&self, decided: HookDecision<'_>) {
        let decision = decided.response.map_or("cancelled", |response| response.decision.as_str());
        let source = decided.response.map_or("", |response| response.basis.source.as_str());
        let call = decided.origin.call_id.as_deref().unwrap_or_default();
        self.log.add(format!("decided {call} {} {decision} {source}", decided.call.command_id));
    }

    fn invoke_command(&self, _: CommandId, _: CommandArguments) -> BoxFuture<'static, CommandOutcome> {
        panic!("an executor never invokes by id alone")
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        origin: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        self.log.add(format!("invoke {} {} {}", offer.id, json(&arguments), json(&origin)));
        match self.running {
            Some(run) => run(arguments),
            None => ready(CommandOutcome::Answered { value: Some(json(&arguments).into()) }).boxed(),
        }
    }
}

fn open(arguments: &str) -> ToolCallRequest {
    ToolCallRequest::new("c1", "notes__open", arguments)
}

fn not_run(code: &'static str, reason: &str) -> ToolResult {
    ToolResult::not_run(code, reason)
}

fn failed(message: &str) -> ToolResult {
    CommandOutcome::failed(message).into()
}

/// An executor behind a hook that logs the call and responds.
fn hooked(access: &FakeAccess, response: impl Into<HookResponse>) -> ToolExecutor {
    let (log, response) = (access.log.clone(), response.into());
    ToolExecutor::builder(access.clone())
        .before(move |call: PendingCall| {
            log.add(format!("hook {}", json(&call)));
            ready(response.clone())
        })
        .build()
}

const SEEN: &str =
    r#"hook {"callId":"c1","commandId":"notes.open","arguments":{"path":"a"},"agentConsent":"ask"}"#;

#[test]
fn a_call_is_offered_read_and_run_without_a_hook() {
    let access = FakeAccess::default();
    let origin = CallOrigin::new("c1").run("r1");
    let call = open(r#"{"path":"a"}"#).origin(origin);
    let result = block_on(ToolExecutor::builder(access.clone()).build().execute(call));
    assert_eq!(result.text(ErrorPlacement::ErrorOnly).content, r#"{"path":"a"}"#);
    assert_eq!(
        access.log.take(),
        ["offer notes.open", r#"invoke notes.open {"path":"a"} {"callId":"c1","runId":"r1"}"#]
    );
}

#[test]
fn a_hook_is_asked_after_the_review_and_its_basis_goes_with_the_call() {
    let access = FakeAccess::default();
    let basis = DecisionBasis::new(DecisionSource::Asked).decided_by("ada");
    let tools = hooked(&access, HookResponse::new(Decision::Run, basis));
    let result = block_on(tools.execute(open(r#"{"path":"a"}"#)));
    assert_eq!(result.edited, None);
    assert_eq!(
        access.log.take(),
        [
            "offer notes.open",
            r#"review {"path":"a"}"#,
            SEEN,
            "decided c1 notes.open run asked",
            r#"invoke notes.open {"path":"a"} {"callId":"c1","basis":{"source":"asked","decidedBy":"ada"}}"#,
        ]
    );
}

#[test]
fn arguments_that_cannot_be_read_or_do_not_match_reach_no_hook() {
    let access = FakeAccess { refusal: Some(Refusal::invalid_arguments(&"odd")), ..FakeAccess::default() };
    let tools = hooked(&access, Decision::Run);
    let unreadable = block_on(tools.execute(open(r#"{"path":null}"#)));
    assert_eq!(unreadable, not_run("null-argument", "argument \"path\" is null; omit the argument instead"));
    assert_eq!(access.log.take(), ["offer notes.open"]);
    let mismatched = block_on(tools.execute(open("{}")));
    assert_eq!(mismatched, Refusal::invalid_arguments(&"odd").into());
    assert_eq!(access.log.take(), ["offer notes.open", "review {}"]);
}

#[test]
fn nulls_are_read_as_the_executor_was_built() {
    let access = FakeAccess::default();
    let tools = ToolExecutor::builder(access).null_arguments(NullArguments::TreatAsAbsent).build();
    for (arguments, expected) in [(r#"{"path":null,"line":1}"#, r#"{"line":1}"#), ("null", "{}")] {
        let result = block_on(tools.execute(open(arguments)));
        assert_eq!(result.text(ErrorPlacement::ErrorOnly).content, expected);
    }
}

#[test]
fn a_call_to_what_is_not_offered_is_shown_to_the_hook_and_never_runs() {
    let decisions = [
        (Decision::Run, ToolResult::from(Refusal::unavailable())),
        (Decision::RunWith(CommandArguments::new()), Refusal::unavailable().into()),
        (Decision::Decline { reason: "no".into() }, not_run("declined", "no")),
        (
            Decision::Answer { content: "42".into() },
            ToolOutcome::AnsweredByHook { content: "42".into() }.into(),
        ),
    ];
    for (decision, expected) in decisions {
        let reaches_workbench = matches!(decision, Decision::Run | Decision::RunWith(_));
        let decided = format!("decided c1 notes.ghost {} rule", decision.as_str());
        let access = FakeAccess::default();
        let tools = hooked(&access, decision);
        let call = ToolCallRequest::new("c1", "notes__ghost", r#"{"path":"a"}"#);
        assert_eq!(block_on(tools.execute(call)), expected);
        // Without a consent, and nothing else was asked about it.
        let seen = r#"hook {"callId":"c1","commandId":"notes.ghost","arguments":{"path":"a"}}"#;
        let refused = r#"refuse notes.ghost {"callId":"c1","basis":{"source":"rule"}}"#;
        let mut log = vec!["offer notes.ghost", seen, &decided];
        log.extend(reaches_workbench.then_some(refused));
        assert_eq!(access.log.take(), log);
    }
}

#[test]
fn a_call_that_was_not_offered_stays_refused_though_it_is_offered_by_now() {
    let access = FakeAccess::default();
    let tools = hooked(&access, Decision::Run);
    assert_eq!(block_on(tools.execute_not_offered(open("{}"))), Refusal::unavailable().into());
    let log = access.log.take();
    assert!(
        log[0].starts_with("hook ")
            && log[1] == "decided c1 notes.open run rule"
            && log[2].starts_with("refuse notes.open ")
            && log.len() == 3,
        "{log:?}"
    );
}

#[test]
fn unreadable_arguments_of_what_is_not_offered_reveal_nothing_and_reach_no_hook() {
    let access = FakeAccess::default();
    let tools = hooked(&access, Decision::Answer { content: "42".into() });
    let call = ToolCallRequest::new("c1", "a name", "{");
    assert_eq!(block_on(tools.execute(call)), Refusal::unavailable().into());
    // A name that is not a plain spelling is looked up in the list.
    assert_eq!(access.log.take(), ["list", r#"refuse a name {"callId":"c1"}"#]);
}

#[test]
fn changed_arguments_are_attributed_and_only_if_they_changed() {
    let edited = |basis: DecisionBasis, arguments: CommandArguments, edits| {
        let access = FakeAccess::default();
        let response = HookResponse::new(Decision::RunWith(arguments), basis);
        let tools = ToolExecutor::builder(access.clone())
            .before(move |_: PendingCall| ready(response.clone()))
            .edit_report(edits)
            .build();
        let result = block_on(tools.execute(open(r#"{"path":"a"}"#)));
        assert!(access.log.take().last().unwrap().starts_with("invoke notes.open {\"path\":"));
        result.edited.map(|edited| (json(&edited.arguments), edited.by))
    };
    let (same, other) =
        (CommandArguments::new().with("path", "a"), CommandArguments::new().with("path", "b"));
    let changed = |by| Some((r#"{"path":"b"}"#.to_owned(), by));
    let asked = || DecisionBasis::new(DecisionSource::Asked);
    let rule = DecisionBasis::new(DecisionSource::Rule);
    let include = EditReport::Include;
    assert_eq!(edited(asked(), other.clone(), include), changed(Editor::User));
    assert_eq!(edited(asked().answer(QuestionEnd::Edited), other.clone(), include), changed(Editor::User));
    assert_eq!(edited(rule, other.clone(), include), changed(Editor::Application));
    // The application changed them before the person was asked, and the person agreed.
    let agreed = asked().answer(QuestionEnd::Yes);
    assert_eq!(edited(agreed, other.clone(), include), changed(Editor::Application));
    assert_eq!(edited(asked(), same, include), None);
    assert_eq!(edited(asked(), other, EditReport::Omit), None);
}

#[test]
fn a_hook_that_panics_declines_whenever_it_panics() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    type Hook = fn(PendingCall) -> BoxFuture<'static, Decision>;
    let hooks: [Hook; 3] = [
        |_| panic!("made"),
        |_| poll_fn(|_| panic!("polled")).boxed(),
        |_| {
            let bomb = Bomb;
            poll_fn(move |_| {
                let _ = &bomb;
                Poll::Ready(Decision::Run)
            })
            .boxed()
        },
    ];
    for hook in hooks {
        let access = FakeAccess::default();
        let tools = ToolExecutor::builder(access.clone()).before(hook).build();
        assert_eq!(block_on(tools.execute(open("{}"))), not_run("declined", "the approval hook panicked"));
        let decided = "decided c1 notes.open decline panicked";
        assert_eq!(access.log.take(), ["offer notes.open", "review {}", decided]);
        let call = ToolCallRequest::new("c1", "notes__ghost", "");
        assert_eq!(block_on(tools.execute(call)), not_run("declined", "the approval hook panicked"));
        assert_eq!(access.log.take(), ["offer notes.ghost", "decided c1 notes.ghost decline panicked"]);
    }
}

#[test]
fn an_access_that_panics_ends_the_call_by_its_stage() {
    let access =
        FakeAccess { running: Some(|_| poll_fn(|_| panic!("running")).boxed()), ..FakeAccess::default() };
    let result = block_on(ToolExecutor::builder(access).build().execute(open("{}")));
    assert_eq!(result, failed("an internal error occurred, and it may have done a part of its work"));

    struct Broken;
    impl CommandAccess for Broken {
        fn invocable_commands(&self) -> Vec<InvocableCommand> {
            panic!("list")
        }
        fn offer(&self, _: &CommandId) -> Option<CommandOffer> {
            panic!("offer")
        }
        fn review(&self, _: &CommandOffer, _: &CommandArguments, _: &CallOrigin) -> Result<(), Refusal> {
            panic!("review")
        }
        fn refuse(&self, _: &CommandId, _: &CallOrigin) -> Refusal {
            panic!("refuse")
        }
        fn invoke_command(&self, _: CommandId, _: CommandArguments) -> BoxFuture<'static, CommandOutcome> {
            panic!("invoke")
        }
        fn invoke_offered(
            &self,
            _: &CommandOffer,
            _: CommandArguments,
            _: CallOrigin,
        ) -> BoxFuture<'static, CommandOutcome> {
            panic!("invoke")
        }
    }
    let result = block_on(ToolExecutor::builder(Broken).build().execute(open("{}")));
    assert_eq!(result, not_run("internal-error", "an internal error occurred before it could run"));
}

/// Polls once.
fn poll(execution: &mut ToolExecution) -> Poll<ToolResult> {
    execution.poll_unpin(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_call_can_be_cancelled_at_every_stage_and_nothing_goes_on() {
    struct Dropped(Log, &'static str);
    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.add(self.1);
        }
    }
    let cancelled = not_run("cancelled", "the call was cancelled");
    let broken_off = ToolResult::from(CommandOutcome::from(Failure::cancelled()));

    // Before the first poll.
    let access = FakeAccess::default();
    let tools = hooked(&access, Decision::Run);
    let execution = tools.execute(open("{}"));
    assert_eq!(execution.stage(), ExecutionStage::Reviewing);
    assert_eq!(execution.cancel(), cancelled);
    assert_eq!(access.log.take(), [""; 0], "nothing was asked");

    // While the hook decides: its future is dropped before the cancel returns.
    let log = access.log.clone();
    let asking = ToolExecutor::builder(access.clone())
        .before(move |_: PendingCall| {
            let question = Dropped(log.clone(), "question withdrawn");
            async move {
                let _question = question;
                pending::<Decision>().await
            }
        })
        .build();
    let mut execution = asking.execute(open("{}"));
    let stage = execution.stage_handle();
    assert!(poll(&mut execution).is_pending());
    assert_eq!(stage.get(), ExecutionStage::Deciding);
    assert_eq!(execution.cancel(), cancelled);
    let withdrawn = ["question withdrawn", "decided c1 notes.open cancelled "];
    assert_eq!(access.log.take(), [&["offer notes.open", "review {}"][..], &withdrawn].concat());

    // While the command runs.
    let running = FakeAccess { running: Some(|_| pending().boxed()), ..FakeAccess::default() };
    let mut execution = hooked(&running, Decision::Run).execute(open("{}"));
    let stage = execution.stage_handle();
    assert!(poll(&mut execution).is_pending());
    assert_eq!(stage.get(), ExecutionStage::Running);
    drop(execution);
    assert_eq!(ToolResult::cancelled(stage.get()), broken_off);

    // After the result.
    let mut execution = tools.execute(open("{}"));
    assert!(poll(&mut execution).is_ready());
    assert_eq!(execution.stage(), ExecutionStage::Done);
    assert!(poll(&mut execution).is_pending(), "there is one result");
    assert_eq!(execution.cancel(), broken_off);
}
