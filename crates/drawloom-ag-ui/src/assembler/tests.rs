//! The assembler, one behaviour at a time.

mod limits;

use super::*;
use crate::event::short::*;

/// A call on one line: `id name arguments`, or `id name !code` where it may not run.
fn line(call: AssembledCall) -> String {
    let AssembledCall { id, name, arguments } = call;
    match arguments {
        Ok(text) => format!("{id} {name} {text}"),
        Err(why) => format!("{id} {name} !{}", why.code()),
    }
}

fn drain(assembler: &mut ToolCallAssembler) -> Vec<String> {
    std::iter::from_fn(|| assembler.next_call()).map(line).collect()
}

fn play_with(limits: AssemblerLimits, events: &[Event<'_>]) -> Vec<String> {
    let mut assembler = ToolCallAssembler::new(limits);
    for event in events {
        assembler.accept(event);
    }
    drain(&mut assembler)
}

fn play(events: &[Event<'_>]) -> Vec<String> {
    play_with(AssemblerLimits::default(), events)
}

#[test]
fn a_streamed_call_comes_out_at_its_end_and_not_before() {
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    for event in [run("r"), start("a", "n"), args("a", "{\"x\""), args("a", ""), args("a", ":1}")] {
        assembler.accept(&event);
        assert_eq!(assembler.next_call(), None);
    }
    assert_eq!(assembler.open_calls(), 1);
    assembler.accept(&end("a"));
    assert_eq!(assembler.open_calls(), 0);
    let call = assembler.next_call().unwrap();
    assert_eq!((call.id, call.name.as_str()), (ToolCallId::new("a"), "n"));
    assert_eq!(call.arguments.as_deref(), Ok("{\"x\":1}"));
    assert_eq!(assembler.next_call(), None);
}

#[test]
fn streamed_calls_interleave_and_come_out_as_they_are_closed() {
    let events = [
        start("a", "n"),
        start("b", "m"),
        args("a", "1"),
        args("b", "2"),
        args("a", "3"),
        end("b"),
        end("a"),
        finished(),
    ];
    assert_eq!(play(&events), ["b m 2", "a n 13"]);
}

#[test]
fn calls_are_taken_without_a_run_having_started() {
    assert_eq!(play(&[start("a", "n"), end("a")]), ["a n "]);
}

#[test]
fn what_names_a_call_that_was_never_opened_is_ignored() {
    let events = [args("a", "1"), end("a"), result("a"), snapshot(&["a"]), more("1"), nameless("a", "1")];
    assert_eq!(play(&events), [""; 0]);
    // And is not remembered: the call may still be opened.
    let events = [&events[..], &[start("a", "n"), end("a")]].concat();
    assert_eq!(play(&events), ["a n "]);
}

#[test]
fn a_call_that_came_out_does_not_come_out_again() {
    let events = [
        run("r"),
        start("a", "n"),
        end("a"),
        start("a", "n"),
        args("a", "1"),
        end("a"),
        end("a"),
        chunk("a", "n", "1"),
        more("2"),
        finished(),
        chunk("a", "n", "1"),
        start("a", "n"),
        end("a"),
        finished(),
    ];
    assert_eq!(play(&events), ["a n "]);
}

#[test]
fn a_new_run_may_use_an_id_again() {
    let once = [start("a", "n"), end("a"), finished()];
    let events = [&[run("r")], &once[..], &[run("s")], &once[..]].concat();
    assert_eq!(play(&events), ["a n ", "a n "]);
    // Also one that has the ids of a run that ended.
    let events = [&[run("r")], &once[..], &[run("r")], &once[..]].concat();
    assert_eq!(play(&events), ["a n ", "a n "]);
}

#[test]
fn a_run_that_says_it_starts_while_it_is_going_on_does_not_start_again() {
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    assert_eq!(assembler.accept(&run("r")), Some(RunBoundary::Began));
    for event in [start("a", "n"), end("a"), start("b", "n"), args("b", "1"), chunk("c", "n", "1")] {
        assert_eq!(assembler.accept(&event), None);
    }
    assert_eq!(assembler.accept(&run("r")), None);
    for event in [start("a", "n"), end("a"), args("b", "2"), more("2"), end("b")] {
        assert_eq!(assembler.accept(&event), None);
    }
    assert_eq!(assembler.accept(&finished()), Some(RunBoundary::Ended));
    assert_eq!(drain(&mut assembler), ["a n ", "b n 12", "c n 12"]);
    assert_eq!(assembler.accept(&run("r")), Some(RunBoundary::Began));
}

#[test]
fn a_new_run_refuses_what_the_one_before_left_open() {
    for next in [run("s"), Event::RunStarted { thread_id: "u".into(), run_id: "r".into() }] {
        let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
        for event in [run("r"), chunk("a", "n", "1"), start("b", "n")] {
            assembler.accept(&event);
        }
        assert_eq!(assembler.accept(&next), Some(RunBoundary::Began));
        assert_eq!(drain(&mut assembler), ["a n !new-run-began", "b n !new-run-began"]);
        for event in [more("2"), start("a", "n"), end("a")] {
            assembler.accept(&event);
        }
        assert_eq!(drain(&mut assembler), ["a n "]);
    }
}

#[test]
fn a_first_run_refuses_what_came_before_it() {
    assert_eq!(play(&[start("a", "n"), run("r"), end("a")]), ["a n !new-run-began"]);
}

#[test]
fn a_second_start_begins_an_open_call_again_in_its_old_place() {
    let events =
        [start("a", "n"), args("a", "old"), start("b", "m"), start("a", "other"), args("a", "new"), end("a")];
    assert_eq!(play(&events), ["a other new"]);
    let events = [start("a", "n"), start("b", "n"), start("a", "n"), finished()];
    assert_eq!(play(&events), ["a n !never-closed", "b n !never-closed"]);
}

#[test]
fn a_chunk_carries_a_whole_call_until_the_run_finishes() {
    assert_eq!(play(&[run("r"), chunk("a", "n", "{}"), finished()]), ["a n {}"]);
}

#[test]
fn chunks_go_on_with_an_id_and_without_and_whatever_comes_between() {
    let events = [
        chunk("a", "n", "1"),
        Event::Other,
        more("2"),
        start("b", "m"),
        args("b", "x"),
        more("3"),
        nameless("a", "4"),
        chunk("a", "renamed", "5"),
        args("a", "6"),
        end("b"),
        more("7"),
        finished(),
    ];
    assert_eq!(play(&events), ["b m x", "a n 1234567"]);
}

#[test]
fn a_chunk_for_another_call_closes_the_one_before() {
    let events = [chunk("a", "n", "1"), chunk("b", "m", "2"), more("3"), finished()];
    assert_eq!(play(&events), ["a n 1", "b m 23"]);
    assert_eq!(play(&events[..2]), ["a n 1"]);
}

#[test]
fn a_chunk_for_a_call_that_does_not_open_closes_the_one_before_all_the_same() {
    assert_eq!(play(&[chunk("a", "n", "1"), nameless("b", "2"), more("3")]), ["a n 1"]);
    let done = [start("b", "m"), end("b"), chunk("a", "n", "1"), chunk("b", "m", "2"), more("3"), finished()];
    assert_eq!(play(&done), ["b m ", "a n 1"]);
}

#[test]
fn a_chunk_names_the_call_that_the_next_ones_go_on_with_even_before_it_is_opened() {
    let events = [nameless("a", "0"), more("1"), chunk("a", "n", "2"), more("3"), finished()];
    assert_eq!(play(&events), ["a n 23"]);
    let events = [nameless("a", "0"), start("a", "n"), more("1"), end("a")];
    assert_eq!(play(&events), ["a n 1"]);
}

#[test]
fn an_end_closes_a_call_carried_by_chunks_and_what_goes_on_is_dropped() {
    let events = [chunk("a", "n", "1"), end("a"), more("2"), nameless("a", "3"), finished()];
    assert_eq!(play(&events), ["a n 1"]);
    assert_eq!(play(&events[..2]), ["a n 1"]);
}

#[test]
fn a_chunk_for_a_streamed_call_adds_to_it_and_never_closes_it() {
    let events = [
        start("a", "n"),
        chunk("a", "ignored", "1"),
        more("2"),
        chunk("b", "m", "3"),
        args("a", "4"),
        finished(),
    ];
    assert_eq!(play(&events), ["a n !never-closed", "b m 3"]);
    let events = [&events[..5], &[end("a"), finished()]].concat();
    assert_eq!(play(&events), ["a n 124", "b m 3"]);
}

#[test]
fn a_start_does_not_close_a_call_carried_by_chunks() {
    let events = [chunk("a", "n", "1"), start("b", "m"), more("2"), end("b"), finished()];
    assert_eq!(play(&events), ["b m ", "a n 12"]);
}

#[test]
fn a_start_makes_a_call_carried_by_chunks_a_streamed_one() {
    let events = [chunk("a", "n", "1"), start("a", "m"), more("2"), chunk("b", "n", "3"), finished()];
    assert_eq!(play(&events), ["a m !never-closed", "b n 3"]);
}

#[test]
fn going_back_to_an_earlier_chunk_call_finds_it_closed() {
    let events = [chunk("a", "n", "1"), chunk("b", "n", "2"), chunk("a", "n", "3"), more("4"), finished()];
    assert_eq!(play(&events), ["a n 1", "b n 2"]);
}

#[test]
fn a_call_the_backend_answers_while_it_is_open_does_not_come_out() {
    for answer in [result("a"), snapshot(&["x", "a"])] {
        let events = [start("a", "n"), args("a", "1"), answer.clone(), end("a"), start("a", "n"), finished()];
        assert_eq!(play(&events), [""; 0]);
        let events = [chunk("a", "n", "1"), answer, more("2"), chunk("b", "n", "3"), finished()];
        assert_eq!(play(&events), ["b n 3"]);
    }
}

#[test]
fn a_run_that_finishes_lets_chunk_calls_run_and_refuses_the_others_in_the_order_they_were_opened() {
    let events =
        [start("d", "n"), start("c", "n"), chunk("b", "n", "1"), start("a", "n"), args("d", "2"), finished()];
    assert_eq!(play(&events), ["d n !never-closed", "c n !never-closed", "b n 1", "a n !never-closed"]);
}

#[test]
fn a_run_that_fails_is_cancelled_or_ends_in_an_unknown_way_refuses_every_open_call() {
    for (event, code) in [
        (Event::RunError, "run-failed"),
        (Event::RunFinished { outcome: RunOutcome::Cancelled }, "run-cancelled"),
        (Event::RunFinished { outcome: RunOutcome::Unknown }, "never-closed"),
    ] {
        let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
        for event in [run("r"), start("a", "n"), chunk("b", "n", "1")] {
            assembler.accept(&event);
        }
        assert_eq!(assembler.accept(&event), Some(RunBoundary::Ended));
        assert_eq!(drain(&mut assembler), [format!("a n !{code}"), format!("b n !{code}")]);
        assembler.accept(&more("2"));
        assembler.accept(&finished());
        assert_eq!(drain(&mut assembler), [""; 0]);
    }
}

#[test]
fn a_call_that_an_interrupt_is_about_does_not_come_out() {
    let events = [
        start("a", "n"),
        start("b", "n"),
        chunk("c", "n", "1"),
        interrupted(&["b", "c", "x"]),
        end("b"),
        start("b", "n"),
        end("b"),
        end("a"),
    ];
    assert_eq!(play(&events), ["a n !never-closed"]);
    assert_eq!(play(&[chunk("c", "n", "1"), interrupted(&[])]), ["c n 1"]);
}

#[test]
fn a_stream_that_ends_within_a_run_refuses_every_open_call() {
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    for event in [run("r"), start("a", "n"), chunk("b", "n", "1")] {
        assembler.accept(&event);
    }
    assembler.end_of_stream();
    assert_eq!(drain(&mut assembler), ["a n !stream-ended", "b n !stream-ended"]);
    assembler.end_of_stream();
    assert_eq!(drain(&mut assembler), [""; 0]);
    assert_eq!(assembler.accept(&run("r")), Some(RunBoundary::Began), "the run had ended");
}
