//! Events in a few words, for the tests that play them.

use super::{Event, RunOutcome};

pub(crate) fn run(run_id: &str) -> Event<'_> {
    Event::RunStarted { thread_id: "t".into(), run_id: run_id.into() }
}

pub(crate) fn start<'a>(id: &'a str, name: &'a str) -> Event<'a> {
    Event::ToolCallStart { id: id.into(), name: name.into() }
}

pub(crate) fn args<'a>(id: &'a str, delta: &'a str) -> Event<'a> {
    Event::ToolCallArgs { id: id.into(), delta: delta.into() }
}

pub(crate) fn end(id: &str) -> Event<'_> {
    Event::ToolCallEnd { id: id.into() }
}

pub(crate) fn chunk<'a>(id: &'a str, name: &'a str, delta: &'a str) -> Event<'a> {
    Event::ToolCallChunk { id: Some(id.into()), name: Some(name.into()), delta: Some(delta.into()) }
}

pub(crate) fn nameless<'a>(id: &'a str, delta: &'a str) -> Event<'a> {
    Event::ToolCallChunk { id: Some(id.into()), name: None, delta: Some(delta.into()) }
}

pub(crate) fn more(delta: &str) -> Event<'_> {
    Event::ToolCallChunk { id: None, name: None, delta: Some(delta.into()) }
}

pub(crate) fn result(id: &str) -> Event<'_> {
    Event::ToolCallResult { id: id.into() }
}

pub(crate) fn snapshot<'a>(answered: &[&'a str]) -> Event<'a> {
    Event::MessagesSnapshot { answered: answered.iter().map(|id| (*id).into()).collect() }
}

pub(crate) fn finished() -> Event<'static> {
    Event::RunFinished { outcome: RunOutcome::Success }
}

pub(crate) fn interrupted<'a>(calls: &[&'a str]) -> Event<'a> {
    Event::RunFinished { outcome: RunOutcome::Interrupted(calls.iter().map(|id| (*id).into()).collect()) }
}
