//! Calls that wait on the same `ask` command SHALL be covered by one question and its answer, and a call that shares
//! the answer of another call SHALL be recorded as such.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use drawloom::ag_ui::{Event, FinishedCall, ToolMessage};
use drawloom::command::{BeforeCall, DecisionSource, PendingCall};
use drawloom::consent::{Confirmation, ConsentPolicy};
use futures::FutureExt;
use futures::channel::oneshot;
use futures::executor::block_on;
use futures::future::join_all;

use super::support::{
    Agent, Bench, Log, agent_behind, assert_holds, assert_ran, bench, events, lock, refusal, times_run,
};

/// Questions that were asked and wait for their answers, in order.
#[derive(Clone, Default)]
struct Questions(Arc<Mutex<VecDeque<oneshot::Sender<bool>>>>);

impl Questions {
    fn policy(&self) -> ConsentPolicy {
        let questions = self.clone();
        ConsentPolicy::new(move |_: PendingCall| {
            let (answer, answered) = oneshot::channel();
            lock(&questions.0).push_back(answer);
            answered
        })
    }

    fn open(&self) -> usize {
        lock(&self.0).len()
    }

    /// Answers the first question that was asked and is not answered.
    #[track_caller]
    fn answer(&self, answer: bool) {
        lock(&self.0).pop_front().expect("a question is open").send(answer).expect("somebody waits for it");
    }
}

type Answering = Pin<Box<dyn Future<Output = FinishedCall> + Send>>;

/// Two calls of a tool, each polled once and waiting for the person.
fn two_calls(agent: &mut Agent, tool: &str) -> [Answering; 2] {
    ["c1", "c2"].map(|id| {
        agent.says_nothing_to(&[events::start(id, tool)]);
        let end = events::end(id).to_string();
        agent.tools.accept(&Event::parse(&end).unwrap());
        let mut answering = agent.tools.next_call().unwrap().start().boxed();
        assert!(is_pending(&mut answering), "it does not wait");
        answering
    })
}

/// The messages that answer calls which have come to their end.
fn answers(agent: &mut Agent, finished: impl IntoIterator<Item = FinishedCall>) -> Vec<ToolMessage> {
    finished.into_iter().map(|call| agent.tools.finished(call).unwrap()).collect()
}

fn is_pending(answering: &mut Answering) -> bool {
    answering.now_or_never().is_none()
}

fn connected(questions: &Questions) -> (Bench, Agent) {
    let bench = bench();
    let agent = agent_behind(&bench, questions.policy());
    (bench, agent)
}

/// - **GIVEN** two calls of `notes.delete` that reached the policy before its confirmation answered.
/// - **WHEN** the confirmation answers yes or, in another run of the test, no.
/// - **THEN** both have run or both are declined, and the confirmation was asked once.
#[test]
fn one_answer_serves_both() {
    for says_yes in [true, false] {
        let questions = Questions::default();
        let (bench, mut agent) = connected(&questions);
        let calls = two_calls(&mut agent, "notes__delete");
        assert_eq!(questions.open(), 1);
        questions.answer(says_yes);
        let messages = answers(&mut agent, block_on(join_all(calls)));
        match says_yes {
            true => messages.iter().for_each(assert_ran),
            false => {
                messages.iter().for_each(|message| assert_holds(refusal(message), &["declined the call"]))
            }
        }
        assert_eq!(times_run(&bench, "notes.delete"), if says_yes { 2 } else { 0 });
        assert_eq!(questions.open(), 0);
    }
}

/// - **GIVEN** two calls of `notes.delete` that wait on one question.
/// - **WHEN** the call that asked is dropped and the confirmation then answers yes.
/// - **THEN** the other call has run.
#[test]
fn the_asker_goes_away() {
    let questions = Questions::default();
    let (bench, mut agent) = connected(&questions);
    let [first, mut second] = two_calls(&mut agent, "notes__delete");
    assert_eq!(questions.open(), 1);
    drop(first);
    assert!(is_pending(&mut second), "nobody has answered");
    bench.assert_nothing_ran();
    questions.answer(true);
    assert_ran(&answers(&mut agent, [block_on(second)])[0]);
    assert_eq!(times_run(&bench, "notes.delete"), 1);
}

/// - **GIVEN** two calls of `notes.wipe` that reached the policy at once.
/// - **WHEN** the confirmations answer yes to the first and no to the second.
/// - **THEN** the first has run, the second is declined, and two questions were asked.
#[test]
fn ask_always_shares_nothing() {
    let questions = Questions::default();
    let (bench, mut agent) = connected(&questions);
    let calls = two_calls(&mut agent, "notes__wipe");
    assert_eq!(questions.open(), 2);
    questions.answer(true);
    questions.answer(false);
    let messages = answers(&mut agent, block_on(join_all(calls)));
    assert_ran(&messages[0]);
    refusal(&messages[1]);
    assert_eq!(times_run(&bench, "notes.wipe"), 1);
}

/// - **GIVEN** two calls of `notes.delete` that wait on one question, behind a hook that records what
///   the policy returns.
/// - **WHEN** the confirmation answers yes as `ada`.
/// - **THEN** the first call was decided by asking and the second by a shared answer, both by `ada`.
#[test]
fn a_shared_answer_is_recorded() {
    let answers: Arc<Mutex<VecDeque<oneshot::Sender<Confirmation>>>> = Arc::default();
    let asked = answers.clone();
    let policy = Arc::new(ConsentPolicy::new(move |_: PendingCall| {
        let (answer, answered) = oneshot::channel();
        lock(&asked).push_back(answer);
        answered.map(|answer| answer.expect("an answer").decided_by("ada"))
    }));
    let recorded = Log::default();
    let log = recorded.clone();
    let hook = move |call: PendingCall| {
        let (policy, log) = (policy.clone(), log.clone());
        async move {
            let response = policy.before(&call).await;
            log.add((call.call_id.to_string(), response.basis.source, response.basis.decided_by.clone()));
            response
        }
    };
    let bench = bench();
    let calls = two_calls(&mut agent_behind(&bench, hook), "notes__delete");
    lock(&answers).pop_front().expect("a question is open").send(Confirmation::Yes).expect("somebody waits");
    block_on(join_all(calls));
    let by_ada = |id: &str, source| (id.to_owned(), source, Some(Arc::from("ada")));
    let expected = [by_ada("c1", DecisionSource::Asked), by_ada("c2", DecisionSource::Shared)];
    assert_eq!(recorded.all(), expected);
}
