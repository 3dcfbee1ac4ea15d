//! What an agent may not make the assembler hold, and what becomes of a call that would.

use super::*;
use crate::calls::incomplete::LimitExceeded;

#[test]
fn arguments_over_the_limit_refuse_the_call_at_once_and_once() {
    let limits = AssemblerLimits::default().with_argument_bytes(4);
    assert_eq!(
        play_with(limits, &[start("a", "n"), args("a", "12"), args("a", "34"), end("a")]),
        ["a n 1234"]
    );
    let events = [
        start("a", "n"),
        args("a", "12"),
        args("a", "345"),
        args("a", "6"),
        end("a"),
        start("a", "n"),
        end("a"),
        chunk("b", "n", "12345"),
        more("6"),
        chunk("c", "n", "é€"),
        finished(),
    ];
    let mut assembler = ToolCallAssembler::new(limits);
    assembler.accept(&events[0]);
    assembler.accept(&events[1]);
    assembler.accept(&events[2]);
    let call = assembler.next_call().unwrap();
    assert_eq!(call.arguments, Err(LimitExceeded::ArgumentBytes(4).into()));
    assert_eq!(
        play_with(limits, &events),
        ["a n !too-many-argument-bytes", "b n !too-many-argument-bytes", "c n !too-many-argument-bytes",]
    );
}

#[test]
fn a_call_begun_again_has_the_whole_limit_again() {
    let limits = AssemblerLimits::default().with_argument_bytes(4);
    let events = [start("a", "n"), args("a", "1234"), start("a", "n"), args("a", "5678"), end("a")];
    assert_eq!(play_with(limits, &events), ["a n 5678"]);
}

#[test]
fn a_call_too_many_at_once_is_refused_and_the_open_ones_go_on() {
    let limits = AssemblerLimits::default().with_open_calls(1);
    let events = [
        start("a", "n"),
        start("b", "m"),
        chunk("c", "n", "1"),
        more("2"),
        end("b"),
        args("a", "3"),
        start("a", "n"),
        end("a"),
        start("b", "m"),
        start("d", "n"),
        end("d"),
        finished(),
    ];
    assert_eq!(
        play_with(limits, &events),
        ["b m !too-many-open-calls", "c n !too-many-open-calls", "a n ", "d n ",]
    );
}

#[test]
fn a_call_too_many_in_one_run_is_refused() {
    let limits = AssemblerLimits::default().with_calls_per_run(2);
    let run_of_three = [
        run("r"),
        start("a", "n"),
        start("a", "n"),
        end("a"),
        start("b", "n"),
        result("b"),
        start("c", "n"),
        start("d", "n"),
        end("c"),
        finished(),
    ];
    let expected = ["a n ", "c n !too-many-calls", "d n !too-many-calls"];
    assert_eq!(play_with(limits, &run_of_three), expected);
    // Another run may make as many.
    let next = [&[run("s")], &run_of_three[1..]].concat();
    assert_eq!(play_with(limits, &[&run_of_three[..], &next].concat()), [expected, expected].concat());
}

#[test]
fn an_id_too_long_is_refused_once_under_that_id() {
    let limits = AssemblerLimits::default().with_id_bytes(3);
    let events = [
        start("long", "n"),
        args("long", "1"),
        end("long"),
        chunk("long", "n", "1"),
        more("2"),
        start("abc", "n"),
        end("abc"),
    ];
    assert_eq!(play_with(limits, &events), ["long n !id-too-long", "abc n "]);
    assert_eq!(play_with(limits, &[chunk("long", "n", "1"), more("2"), finished()]), ["long n !id-too-long"]);
}

#[test]
fn a_limit_says_what_it_is() {
    for (limit, words) in [
        (LimitExceeded::ArgumentBytes(7), "the arguments are longer than 7 bytes"),
        (LimitExceeded::OpenCalls(7), "7 calls are open already"),
        (LimitExceeded::CallsPerRun(7), "the run has made 7 calls already"),
        (LimitExceeded::IdBytes(7), "the call's id is longer than 7 bytes"),
    ] {
        let said = IncompleteCall::from(limit).to_string();
        assert!(said.starts_with(words), "{said}");
    }
}

#[test]
fn a_name_far_too_long_is_cut_and_can_be_no_tools() {
    let name = "n".repeat(5000);
    let limits = AssemblerLimits::default().with_open_calls(1);
    let mut assembler = ToolCallAssembler::new(limits);
    for event in [start("a", &name), start("b", &name), end("a")] {
        assembler.accept(&event);
    }
    for _ in 0..2 {
        assert_eq!(assembler.next_call().unwrap().name.len(), 1024);
    }
}
