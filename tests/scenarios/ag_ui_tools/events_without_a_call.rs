//! `receive` SHALL answer at most one message, for an event that completes a call or ends a run that left one open,
//! and nothing for any other event, known or not.

use serde_json::json;

use super::support::events::{args, custom, end, of_other_kinds, raw, run_finished, start};
use super::support::{answered_calls, assert_refused_calls, bench};

/// - **WHEN** `c1` is started, gets its arguments and ends.
/// - **THEN** only the END gave a message, for `c1`.
#[test]
fn a_completed_call_gives_one() {
    let mut agent = bench().agent();
    let events = [start("c1", "notes__open"), args("c1", r#"{"path":"inbox"}"#), end("c1")];
    let given = events.map(|event| agent.sends(&event));
    let calls: Vec<_> = given.iter().map(|message| answered_calls(message.as_slice())).collect();
    assert_eq!(calls, [vec![], vec![], vec!["c1"]]);
}

/// - **WHEN** text, reasoning, state, step, activity, CUSTOM and RAW events, one of type `TOMORROW` and an
///   empty object arrive.
/// - **THEN** each gives nothing.
#[test]
fn other_events_give_nothing() {
    let mut events = of_other_kinds();
    events.extend([custom(), raw()]);
    events.push(json!({ "type": "TOMORROW", "toolCallId": "c1", "toolCallName": "notes__ping" }));
    events.push(json!({}));
    // With no call under way,
    bench().agent().says_nothing_to(&events);
    // with one that they could be taken to be about,
    let bench = bench();
    let mut agent = bench.agent();
    agent.says_nothing_to(&[start("c1", "notes__open"), args("c1", r#"{"path":"inbox"}"#)]);
    agent.says_nothing_to(&events);
    bench.assert_nothing_ran();
    agent.ends("c1");
    bench.assert_opened(&["inbox"]);
    // and with one that waits to be asked for.
    agent.says_nothing_to(&["c2", "c3"].map(|id| start(id, "notes__open")));
    agent.is_answered(&run_finished());
    agent.says_nothing_to(&events);
    assert_refused_calls(&agent.flush_all(), &["c3"]);
}
