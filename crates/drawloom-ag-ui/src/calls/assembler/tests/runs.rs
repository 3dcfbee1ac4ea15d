//! Where runs begin and end.

use std::slice;

use super::*;

fn once() -> [Event<'static>; 3] {
    [start("a", "n"), end("a"), finished()]
}

#[test]
fn a_new_run_may_use_an_id_again() {
    let events = [&[run("r")], &once()[..], &[run("s")], &once()[..]].concat();
    assert_eq!(play(&events), ["a n ", "a n "]);
    // Without ids every start is a new run.
    let nameless = event(&serde_json::json!({"type": "RUN_STARTED"}));
    let events = [slice::from_ref(&nameless), &once(), slice::from_ref(&nameless), &once()].concat();
    assert_eq!(play(&events), ["a n ", "a n "]);
}

#[test]
fn a_run_that_is_sent_again_brings_out_its_new_calls_alone() {
    let mut assembler = assembler();
    let first = [&[run("r")], &once()[..], &[run("s")], &once()[..]].concat();
    assert_eq!(accept(&mut assembler, &first), ["a n ", "a n "]);
    let again =
        [run("r"), start("a", "n"), end("a"), start("b", "n"), end("b"), chunk("a", "n", "1"), finished()];
    assert_eq!(accept(&mut assembler, &again), ["b n "]);
    assert_eq!(accept(&mut assembler, &again), [""; 0]);
}

#[test]
fn a_run_that_says_again_that_it_starts_goes_on() {
    let mut assembler = assembler();
    let events = [run("r"), start("a", "n"), end("a"), start("b", "n"), args("b", "1"), chunk("c", "n", "1")];
    assert_eq!(accept(&mut assembler, &events), ["a n "]);
    let again = [run("r"), start("a", "n"), end("a"), args("b", "2"), more("2"), end("b"), finished()];
    assert_eq!(accept(&mut assembler, &again), ["b n 12", "c n 12"]);
}

#[test]
fn another_run_refuses_what_the_one_before_left_open() {
    let other_thread = event(&serde_json::json!({"type": "RUN_STARTED", "threadId": "u", "runId": "r"}));
    for next in [run("s"), other_thread] {
        let mut assembler = assembler();
        let refused = accept(&mut assembler, &[run("r"), chunk("a", "n", "1"), start("b", "n"), next]);
        assert_eq!(refused, ["a n !new-run-began", "b n !new-run-began"]);
        assert_eq!(accept(&mut assembler, &[more("2"), start("a", "n"), end("a")]), ["a n "]);
    }
    // Also what came before the first run.
    assert_eq!(play(&[start("a", "n"), run("r"), end("a")]), ["a n !new-run-began"]);
}

#[test]
fn an_end_that_names_another_run_is_ignored_and_reported() {
    let mut assembler = assembler();
    let foreign = event(&serde_json::json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "s"}));
    assert_eq!(accept(&mut assembler, &[run("r"), chunk("a", "n", "1"), foreign, more("2")]), [""; 0]);
    assert_eq!(
        assembler.next_report(),
        Some(Report::ForeignRunEnd { thread_id: "t".into(), run_id: "s".into() })
    );
    assert_eq!(accept(&mut assembler, &[finished()]), ["a n 12"]);
}

#[test]
fn a_call_that_begins_after_the_end_is_refused_when_it_closes_or_when_the_next_run_starts() {
    for end_of_run in [finished(), failed(), ended("cancelled")] {
        let mut assembler = assembler();
        assert_eq!(accept(&mut assembler, &[run("r"), end_of_run, start("a", "n"), end("a")]), ["a n !late"]);
        assert_eq!(accept(&mut assembler, &[start("b", "n"), chunk("c", "n", "1")]), [""; 0]);
        assert_eq!(accept(&mut assembler, &[run("s")]), ["b n !late", "c n !late"]);
    }
}

#[test]
fn a_run_that_finishes_closes_chunk_calls_and_refuses_the_others_in_the_order_in_which_they_were_opened() {
    let events =
        [start("d", "n"), start("c", "n"), chunk("b", "n", "1"), start("a", "n"), args("d", "2"), finished()];
    assert_eq!(play(&events), ["d n !never-closed", "c n !never-closed", "b n 1", "a n !never-closed"]);
}

#[test]
fn a_run_that_fails_is_cancelled_or_ends_in_an_unknown_way_refuses_every_open_call() {
    for (event, code) in
        [(failed(), "run-failed"), (ended("cancelled"), "run-cancelled"), (ended("later"), "never-closed")]
    {
        let mut assembler = assembler();
        let refused = accept(&mut assembler, &[run("r"), start("a", "n"), chunk("b", "n", "1"), event]);
        assert_eq!(refused, [format!("a n !{code}"), format!("b n !{code}")]);
        assert_eq!(accept(&mut assembler, &[more("2"), finished()]), [""; 0]);
    }
}

#[test]
fn a_stream_that_ends_within_a_run_refuses_every_open_call() {
    let mut assembler = assembler();
    accept(&mut assembler, &[run("r"), start("a", "n"), chunk("b", "n", "1")]);
    assembler.end_of_stream();
    assert_eq!(drain(&mut assembler), ["a n !stream-ended", "b n !stream-ended"]);
    assembler.end_of_stream();
    assert_eq!(drain(&mut assembler), [""; 0]);
}

#[test]
fn a_call_that_stands_only_in_the_last_snapshot_comes_out_where_the_run_ends() {
    let events = [run("r"), snapshot(&["a", "b", "=b"]), snapshot(&["a", "c"]), finished()];
    assert_eq!(play(&events), ["a ping {}", "c ping {}"]);
    assert_eq!(play(&[run("r"), snapshot(&["a"]), failed()]), ["a ping !run-failed"]);
    // A call of an earlier run, which the agent remembers, is none of this one.
    let later = [run("r"), start("a", "n"), end("a"), finished(), run("s"), snapshot(&["a"]), finished()];
    assert_eq!(play(&later), ["a n "]);
}

#[test]
fn a_call_that_stands_only_in_a_snapshot_is_bound_like_any_other() {
    // Its entry in the next request is its only answer, and the other call is answered as usual.
    let events = [run("r"), snapshot(&["a", "b"]), interrupted(&["a"])];
    assert_eq!(play(&events), ["b ping {}"]);
    // It comes again in the same turn: it still does not run, and nothing more is known about it.
    let again = [&events[..], &[run("s"), start("a", "n"), end("a"), text(), finished()]].concat();
    assert_eq!(play(&again), ["b ping {}"]);
}

#[test]
fn an_old_answer_in_a_snapshot_answers_no_new_call_with_its_id() {
    let first = [run("r"), start("a", "n"), end("a"), finished(), run("s"), start("a", "n")];
    let rest = [end("a"), finished()];
    // The answer stands before the last message with the call.
    assert_eq!(play(&[&first[..], &[snapshot(&["a", "=a", "a"])], &rest].concat()), ["a n ", "a n "]);
    // The conversation contains the call only once, so it is the old one.
    assert_eq!(play(&[&first[..], &[snapshot(&["a", "=a"])], &rest].concat()), ["a n ", "a n "]);
    assert_eq!(play(&[&first[..], &[snapshot(&["a", "=a", "a", "=a"])], &rest].concat()), ["a n "]);
    // The agent says itself which history it began with.
    let input = event(
        &serde_json::json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": {"messages": [
            {"id": "m", "role": "assistant", "toolCalls": [{"id": "a", "type": "function", "function": {"name": "n", "arguments": ""}}]}
        ]}}),
    );
    assert_eq!(play(&[&[input, start("a", "n"), snapshot(&["a", "=a"])], &rest[..]].concat()), ["a n "]);
}
