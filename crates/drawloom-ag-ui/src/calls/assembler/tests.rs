//! The calls that come out, one behaviour at a time. The rules of the ledger that need more are in `calls::model`.

mod limits;
mod losses;
mod runs;

use super::*;
use crate::calls::short::*;

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

fn assembler() -> ToolCallAssembler {
    ToolCallAssembler::new(AssemblerLimits::default())
}

/// Plays events, and gives the calls that came out.
fn accept(assembler: &mut ToolCallAssembler, events: &[Event<'_>]) -> Vec<String> {
    events.iter().for_each(|event| assembler.accept(event));
    drain(assembler)
}

fn play_with(limits: AssemblerLimits, events: &[Event<'_>]) -> Vec<String> {
    accept(&mut ToolCallAssembler::new(limits), events)
}

fn play(events: &[Event<'_>]) -> Vec<String> {
    play_with(AssemblerLimits::default(), events)
}

#[test]
fn a_streamed_call_comes_out_at_its_end_and_not_before() {
    let mut assembler = assembler();
    let events = [run("r"), start("a", "n"), args("a", "{\"x\""), args("a", ""), args("a", ":1}")];
    assert_eq!(accept(&mut assembler, &events), [""; 0]);
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
fn what_continues_a_call_that_was_never_opened_is_ignored_and_reported_once() {
    let mut assembler = assembler();
    let events = [args("a", "1"), args("a", "1"), end("a"), result("a"), snapshot(&["=a"]), more("1")];
    assert_eq!(accept(&mut assembler, &events), [""; 0]);
    assert_eq!(assembler.next_report(), Some(Report::UnknownCall { call_id: "a".into() }));
    assert_eq!(assembler.next_report(), None);
    // The call may still be opened.
    assert_eq!(accept(&mut assembler, &[start("a", "n"), end("a")]), ["a n "]);
}

#[test]
fn a_call_whose_first_event_names_no_tool_comes_out_as_nameless() {
    let unnamed = event(&serde_json::json!({"type": "TOOL_CALL_START", "toolCallId": "a"}));
    assert_eq!(play(&[unnamed, args("a", "1"), end("a")]), ["a  !nameless"]);
    // A later name is not adopted.
    assert_eq!(play(&[nameless("a", "1"), chunk("a", "n", "2"), finished()]), ["a  !nameless"]);
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
fn a_second_start_begins_an_open_call_again_in_its_old_place() {
    let events =
        [start("a", "n"), args("a", "old"), start("b", "m"), start("a", "other"), args("a", "new"), end("a")];
    assert_eq!(play(&events), ["a other new"]);
    let events = [start("a", "n"), start("b", "n"), start("a", "n"), finished()];
    assert_eq!(play(&events), ["a n !never-closed", "b n !never-closed"]);
}

#[test]
fn chunks_go_on_with_an_id_and_without_and_whatever_comes_between() {
    let events = [
        chunk("a", "n", "1"),
        text(),
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
fn a_chunk_for_another_call_closes_the_one_before_even_if_that_call_is_over() {
    let events = [chunk("a", "n", "1"), chunk("b", "m", "2"), more("3"), finished()];
    assert_eq!(play(&events), ["a n 1", "b m 23"]);
    assert_eq!(play(&events[..2]), ["a n 1"]);
    let over = [start("b", "m"), end("b"), chunk("a", "n", "1"), chunk("b", "m", "2"), more("3"), finished()];
    assert_eq!(play(&over), ["b m ", "a n 1"]);
}

#[test]
fn an_end_closes_a_call_carried_by_chunks_and_what_continues_it_is_dropped() {
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
fn a_start_makes_a_call_carried_by_chunks_a_streamed_one() {
    let events = [chunk("a", "n", "1"), start("a", "m"), more("2"), chunk("b", "n", "3"), finished()];
    assert_eq!(play(&events), ["a m !never-closed", "b n 3"]);
}

#[test]
fn each_subagent_has_a_lane_of_its_own() {
    let events = [
        chunk("a", "n", "1"),
        by("s", &chunk("b", "m", "2")),
        more("3"),
        by("s", &more("4")),
        // The subagent's next call closes its own call and not the agent's.
        by("s", &chunk("c", "m", "5")),
        more("6"),
        subagent_finished("s"),
        by("s", &more("7")),
        finished(),
    ];
    assert_eq!(play(&events), ["b m 24", "c m 5", "a n 136"]);
}

#[test]
fn a_chunk_goes_on_with_a_streamed_call_even_after_its_subagent_is_done() {
    let events = [
        by("s", &start("a", "n")),
        by("s", &nameless("a", "1")),
        subagent_finished("s"),
        by("s", &more("2")),
        end("a"),
    ];
    assert_eq!(play(&events), ["a n 12"]);
}

#[test]
fn a_subagent_that_fails_leaves_its_chunk_call_unclosed() {
    let events = [
        by("s", &chunk("a", "n", "1")),
        by("s", &start("b", "n")),
        subagent_error("s"),
        by("s", &end("b")),
        finished(),
    ];
    assert_eq!(play(&events), ["a n !subagent-failed", "b n "]);
}

#[test]
fn a_call_that_the_backend_answers_while_it_is_open_does_not_come_out() {
    for answer in [result("a"), snapshot(&["a", "=a"])] {
        let events = [start("a", "n"), args("a", "1"), answer.clone(), end("a"), start("a", "n"), finished()];
        assert_eq!(play(&events), [""; 0]);
        let events = [chunk("a", "n", "1"), answer, more("2"), chunk("b", "n", "3"), finished()];
        assert_eq!(play(&events), ["b n 3"]);
    }
}

#[test]
fn a_call_that_an_interrupt_is_bound_to_does_not_come_out() {
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
