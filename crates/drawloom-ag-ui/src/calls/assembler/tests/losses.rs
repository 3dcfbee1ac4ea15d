//! Events that are lost or damaged.

use serde_json::json;

use super::*;

/// Plays events, loses a frame, and plays more events.
fn play_around_a_loss(before: &[Event<'_>], after: &[Event<'_>]) -> Vec<String> {
    let mut assembler = assembler();
    accept(&mut assembler, before);
    assembler.frame_lost("cut");
    accept(&mut assembler, after)
}

#[test]
fn a_lost_frame_tears_every_open_call_until_it_begins_again() {
    let before = [run("r"), start("a", "n"), by("s", &chunk("b", "n", "1")), start("c", "n")];
    let after = [end("a"), start("c", "n"), args("c", "2"), end("c"), subagent_finished("s"), finished()];
    assert_eq!(play_around_a_loss(&before, &after), ["a n !torn", "c n 2", "b n !torn"]);
}

#[test]
fn after_a_lost_frame_the_first_call_that_a_chunk_begins_in_each_lane_is_torn() {
    let chunks = [
        chunk("a", "n", "1"),
        chunk("b", "n", "2"),
        by("s", &chunk("c", "n", "3")),
        by("s", &chunk("d", "n", "4")),
        finished(),
    ];
    assert_eq!(play_around_a_loss(&[run("r")], &chunks), ["a n !torn", "c n !torn", "b n 2", "d n 4"]);
    // The next run begins anew.
    assert_eq!(play_around_a_loss(&[], &[run("r"), chunk("a", "n", "1"), finished()]), ["a n 1"]);
}

#[test]
fn after_a_lost_frame_an_end_for_a_call_never_seen_is_a_call_without_a_name() {
    assert_eq!(play_around_a_loss(&[run("r")], &[end("a"), end("a")]), ["a  !nameless"]);
    assert_eq!(play_around_a_loss(&[], &[run("r"), end("a")]), [""; 0]);
}

#[test]
fn a_damaged_event_tears_the_call_that_it_names_and_no_other() {
    for damaged in [
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "a", "delta": {"x": 1}}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "delta": 7}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "a", "toolCallName": ["n"]}),
        json!({"type": 1, "toolCallId": "a"}),
    ] {
        let events = [run("r"), start("a", "n"), start("b", "n"), event(&damaged), end("a"), end("b")];
        assert_eq!(play(&events), ["a n !torn", "b n "], "{damaged}");
    }
}

#[test]
fn a_damaged_event_that_names_no_call_tears_those_of_its_lane_or_all() {
    let open = [run("r"), start("a", "n"), by("s", &start("b", "n"))];
    let close = [end("a"), end("b")];
    let with = |damaged: &serde_json::Value| play(&[&open[..], &[event(damaged)], &close].concat());
    let of_agent = json!({"type": "TOOL_CALL_ARGS", "delta": "1"});
    assert_eq!(with(&of_agent), ["a n !torn", "b n "]);
    let of_subagent = json!({"type": "TOOL_CALL_ARGS", "delta": "1", "subagentRunId": "s"});
    assert_eq!(with(&of_subagent), ["a n ", "b n !torn"]);
    for of_nobody in
        [json!({"type": "TOOL_CALL_ARGS", "delta": "1", "subagentRunId": 1}), json!({"type": []})]
    {
        assert_eq!(with(&of_nobody), ["a n !torn", "b n !torn"]);
    }
}

#[test]
fn a_damaged_beginning_opens_a_torn_call() {
    let damaged = event(&json!({"type": "TOOL_CALL_START", "toolCallId": "a", "toolCallName": 1}));
    assert_eq!(play(&[run("r"), damaged, end("a")]), ["a  !nameless"]);
    let damaged =
        event(&json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "n", "delta": 1}));
    // What continues it belongs to it and not to the call before.
    let events = [run("r"), chunk("b", "n", "1"), damaged, more("2"), finished()];
    assert_eq!(play(&events), ["b n 1", "a n !torn"]);
}

#[test]
fn a_damaged_result_answers_nothing() {
    let damaged = event(&json!({"type": "TOOL_CALL_RESULT", "toolCallId": ["a"], "content": "x"}));
    assert_eq!(play(&[run("r"), start("a", "n"), damaged, end("a")]), ["a n !torn"]);
}

#[test]
fn a_chunk_that_may_belong_to_another_call_tears_the_one_that_it_would_continue() {
    // A chunk of some lane named another call; which lane, nobody can say.
    let damaged =
        event(&json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "b", "delta": "2", "subagentRunId": 1}));
    let events = [run("r"), chunk("a", "n", "1"), damaged.clone(), more("3"), finished()];
    assert_eq!(play(&events), ["a n !torn", "b  !nameless"]);
    // A chunk with an id says which call it continues.
    let events = [run("r"), chunk("a", "n", "1"), damaged, nameless("a", "3"), finished()];
    assert_eq!(play(&events), ["a n 13", "b  !nameless"]);
}

#[test]
fn a_damaged_piece_tears_the_call_that_its_lane_continues_wherever_that_was_opened() {
    let damaged = by("s", &event(&json!({"type": "TOOL_CALL_CHUNK", "delta": ["x"]})));
    let piece = by("s", &nameless("a", "{"));
    let events = [run("r"), start("a", "n"), piece, damaged, by("s", &more("}")), end("a")];
    assert_eq!(play(&events), ["a n !torn"]);
}

#[test]
fn what_continues_a_lane_after_a_loss_is_not_added_to_a_call_that_began_again() {
    let more = event(&json!({"type": "TOOL_CALL_CHUNK", "delta": "of another call"}));
    let after = [start("a", "n"), more.clone(), end("a")];
    assert_eq!(play_around_a_loss(&[run("r"), chunk("a", "n", "1")], &after), ["a n !torn"]);
    // The same if a chunk without a readable id was damaged in this lane, and not if it was in another one.
    let damaged = event(&json!({"type": "TOOL_CALL_CHUNK", "toolCallId": 7, "toolCallName": "m"}));
    let with =
        |damaged| play(&[run("r"), chunk("a", "n", "1"), damaged, start("a", "n"), more.clone(), end("a")]);
    assert_eq!(with(damaged.clone()), ["a n !torn"]);
    let of_subagent = json!({"type": "TOOL_CALL_CHUNK", "toolCallId": 7, "subagentRunId": "s"});
    assert_eq!(with(event(&of_subagent)), ["a n of another call"]);
}

#[test]
fn a_damaged_result_may_have_been_about_a_call_of_any_lane() {
    let damaged = event(&json!({"type": "TOOL_CALL_RESULT", "toolCallId": 7, "content": "x"}));
    assert_eq!(play(&[run("r"), by("s", &start("a", "n")), damaged, end("a")]), ["a n !torn"]);
}

#[test]
fn each_loss_is_reported_once() {
    let mut assembler = assembler();
    assembler.frame_lost("line 7 is not a JSON object");
    accept(&mut assembler, &[event(&json!({"type": "TOOL_CALL_ARGS", "toolCallId": "a", "delta": 1}))]);
    let reports: Vec<_> = std::iter::from_fn(|| assembler.next_report()).collect();
    let codes: Vec<_> = reports.iter().map(Report::code).collect();
    assert_eq!(codes, ["frame-lost", "damaged-event"]);
    assert!(reports[0].to_string().contains("line 7 is not a JSON object"));
    assert!(reports[1].to_string().contains("\"delta\" is a number instead of text"), "{}", reports[1]);
}
