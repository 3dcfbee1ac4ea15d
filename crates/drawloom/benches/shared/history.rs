//! A long conversation.

use std::fmt::Write;

use drawloom::client::Conversation;

/// A conversation of so many turns, each of which is a question, a call, its answer and a text, and how many bytes it is as
/// JSON.
pub(crate) fn of(turns: usize) -> (Conversation, usize) {
    let mut messages = String::new();
    for turn in 0..turns {
        let comma = if turn == 0 { "" } else { "," };
        write!(
            messages,
            r#"{comma}{{"id":"u{turn:06}","role":"user","content":"Please."}},{{"id":"a{turn:06}","role":"assistant","toolCalls":[{{"id":"c{turn:06}","type":"function","function":{{"name":"notes__ping","arguments":"{{}}"}}}}]}},{{"id":"t{turn:06}","role":"tool","toolCallId":"c{turn:06}","content":"done"}},{{"id":"m{turn:06}","role":"assistant","content":"Done."}}"#
        )
        .unwrap();
    }
    let kept = format!(r#"{{"threadId":"t","messages":[{messages}]}}"#);
    (serde_json::from_str(&kept).unwrap(), kept.len())
}
