//! Calls that the agent's backend answers, or may.

use drawloom_command::{Decision, PendingCall};

use super::*;

fn left_to_backend<const N: usize>(ids: [&str; N]) -> (Fake, CommandTools) {
    left_within(AssemblerLimits::default(), ids)
}

fn left_within<const N: usize>(limits: AssemblerLimits, ids: [&str; N]) -> (Fake, CommandTools) {
    let fake = Fake::offering(ids);
    let tools = CommandTools::builder(fake.clone()).unoffered_calls(UnofferedCalls::LeaveToBackend);
    (fake, tools.limits(limits).build())
}

#[test]
fn a_call_left_to_the_backend_does_not_run_even_if_its_tool_is_offered_by_then() {
    let (fake, mut tools) = left_to_backend([]);
    let events = [start("a", "ping"), args("a", r#"{"path":"inbox"}"#), end("a")];
    assert_eq!(play(&mut tools, &events), ["-", "-", "-"]);
    fake.offer("ping", Behaviour::Ping);
    let error = now(tools.receive(&finished())).unwrap().error;
    assert_eq!(
        error.as_deref(),
        Some("Nobody here offers this tool, and the agent's backend reported no result for the call.")
    );
    assert_eq!(fake.ran(), [""; 0]);
    assert_eq!(fake.refused(), ["ping"]);
}

#[test]
fn the_hook_sees_a_call_left_to_the_backend_once_the_run_is_over_and_may_answer_it() {
    let fake = Fake::offering([]);
    let hook = |call: PendingCall| async move {
        assert_eq!(call.registration, None);
        Decision::Answer { content: format!("{} {}", call.command_id, call.arguments.len()) }
    };
    let tools = CommandTools::builder(fake).unoffered_calls(UnofferedCalls::LeaveToBackend);
    let mut tools = tools.before(hook).build();
    assert_eq!(play(&mut tools, &[start("a", "x__y"), args("a", r#"{"p":1}"#), end("a")]), ["-"; 3]);
    assert_eq!(now(tools.receive(&finished())).unwrap().content, "x.y 1");
}

#[test]
fn a_call_that_is_offered_is_answered_here_at_once() {
    let (_, mut tools) = left_to_backend(["ping"]);
    assert_eq!(play(&mut tools, &[start("a", "ping"), end("a")]), ["-", "a ok"]);
}

#[test]
fn calls_left_and_calls_still_open_are_answered_in_the_order_in_which_they_were_opened() {
    let (_, mut tools) = left_to_backend(["ping"]);
    let events = [start("a", "x"), start("open", "ping"), start("b", "y"), end("b"), end("a"), finished()];
    assert_eq!(play(&mut tools, &events), ["-", "-", "-", "-", "-", "a no-result"]);
    assert_eq!(flush_all(&mut tools), ["open refused", "b no-result"]);
}

#[test]
fn results_snapshots_and_interrupts_each_take_a_call_from_what_is_left() {
    let (_, mut tools) = left_to_backend([]);
    let calls = ["a", "b", "c", "d"].map(|id| [start(id, "x"), end(id)]).concat();
    assert_eq!(play(&mut tools, &calls), ["-"; 8]);
    let events = [result("a"), snapshot(&["b", "=b", "=ghost"]), interrupted(&["c", "ghost"])];
    assert_eq!(play(&mut tools, &events), ["-", "-", "d no-result"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
}

#[test]
fn a_backend_that_stops_leaves_its_calls_to_the_end() {
    for ending in [Some(failed()), Some(run("r2")), Some(ended("cancelled")), None] {
        let (_, mut tools) = left_to_backend([]);
        play(&mut tools, &[run("r1"), start("a", "x"), end("a"), start("b", "x"), end("b"), text()]);
        let mut answers = play(&mut tools, ending.as_slice());
        answers.extend(flush_all(&mut tools));
        assert_eq!(answers, ["a refused", "b refused"]);
    }
}

#[test]
fn what_one_agent_can_have_left_is_bounded() {
    let limits = AssemblerLimits::default()
        .with_argument_bytes(4)
        .with_open_calls(1)
        .with_calls_per_run(3)
        .with_id_bytes(4);
    let (_, mut tools) = left_within(limits, []);
    // Too many arguments, or calls open at once, are no reason to answer what is the backend's.
    assert_eq!(play(&mut tools, &[start("a", "x"), start("b", "x"), args("a", "12345")]), ["-", "-", "-"]);
    // Ids without a bound and calls without a bound cannot be kept.
    let unbounded = [start("overlong", "x"), start("d", "x")];
    assert_eq!(play(&mut tools, &unbounded), ["overlong refused", "d refused"]);
    assert_eq!(play(&mut tools, &[result("a"), finished()]), ["-", "b no-result"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
}

#[test]
fn what_waits_for_flush_is_answered_here_whatever_the_backend_reports() {
    let limits = AssemblerLimits::default().with_argument_bytes(4);
    for answer in [result("b"), snapshot(&["b", "=b"])] {
        let mut tools = CommandTools::builder(Fake::offering(["ping"])).limits(limits).build();
        let twice = [chunk("a", "ping", "{}"), chunk("b", "ping", "12345"), answer];
        assert_eq!(play(&mut tools, &twice), ["-", "a ok", "-"]);
        assert_eq!(flush_all(&mut tools), ["b refused"]);
    }
}

#[test]
fn a_result_for_a_call_that_is_answered_here_is_reported_once() {
    let (_, mut tools) = with_never();
    play(&mut tools, &[start("a", "ping"), end("a"), result("a"), result("a")]);
    let report = tools.next_report().unwrap();
    assert_eq!(report, Report::LateResult { call_id: "a".into() });
    assert_eq!(tools.next_report(), None);
}

#[test]
fn a_dropped_call_is_answered_here_whatever_the_backend_reports() {
    let (_, mut tools) = with_never();
    drop_half_way(&mut tools, "a");
    assert_eq!(play(&mut tools, &[result("a")]), ["-"]);
    assert_eq!(flush_all(&mut tools), ["a cancelled"]);
}

#[test]
fn an_answer_in_one_run_is_not_taken_for_one_to_a_call_of_an_earlier_run() {
    let (_, mut tools) = with_never();
    let events = [run("r1"), start("a", "ping"), start("b", "ping"), finished(), run("r2")];
    assert_eq!(play(&mut tools, &events), ["-", "-", "-", "a refused", "-"]);
    // The `b` of the second run is answered by the backend. That of the first still needs its answer.
    assert_eq!(play(&mut tools, &[start("b", "ping"), result("b"), finished()]), ["-", "-", "-"]);
    assert_eq!(flush_all(&mut tools), ["b refused"]);
}

#[test]
fn answering_a_call_of_an_earlier_run_forgets_nothing_of_this_one() {
    let (_, mut tools) = left_to_backend(["ping"]);
    play(&mut tools, &[run("r1"), start("a", "ping"), start("b", "ping"), finished(), run("r2")]);
    play(&mut tools, &[start("b", "x"), end("b")]);
    assert_eq!(now(tools.flush()).as_ref().map(line).as_deref(), Some("b refused"));
    assert_eq!(play(&mut tools, &[result("b"), finished()]), ["-", "-"]);
    assert_eq!(flush_all(&mut tools), [""; 0]);
}

#[test]
fn an_access_that_panics_offers_nothing_and_its_calls_are_answered() {
    let fake = Fake::offering(["ping"]);
    let mut tools = CommandTools::builder(fake.clone()).build();
    fake.panic();
    assert_eq!(play(&mut tools, &[start("a", "ping"), end("a")]), ["-", "a refused"]);
    // Torn, so its arguments are not known and the access alone is asked.
    play(&mut tools, &[start("b", "ping")]);
    tools.frame_lost("cut");
    assert_eq!(play(&mut tools, &[end("b")]), ["b refused"]);
    assert_eq!(fake.ran(), [""; 0]);
}
