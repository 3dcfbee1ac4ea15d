//! `--events` in words: each event of an agent in one line, and the shared state as what changed in it.

use std::fmt;
use std::time::Duration;

use drawloom::ag_ui::protocol::Json;
use drawloom::ag_ui::{Event, EventKind, RunOutcome};
use serde_json::Value;

use super::{patch, sanitize};

/// How many changes of the state are shown for one event, and how deep it is compared.
const MAX_CHANGES: usize = 50;
const MAX_DEPTH: usize = 16;

/// The shared state as far as it is known.
#[derive(Debug, Default)]
pub(super) struct SharedState(Value);

impl fmt::Display for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One event in lines. `number` counts the events of the conversation.
pub(super) fn lines(event: &Event<'_>, number: u64, at: Duration, state: &mut SharedState) -> Vec<String> {
    let seconds = at.as_secs_f64();
    let subagent = event.subagent_run_id.as_deref();
    let subagent = subagent.map(|id| format!(" [{}]", sanitize::name(id))).unwrap_or_default();
    let (about, changes) = about(&event.kind, state);
    let about = if about.is_empty() { about } else { format!(" {}", sanitize::line(&about)) };
    let kind = sanitize::name(event.kind.type_name());
    let mut lines = vec![format!("{number:>4} {seconds:8.3}s {kind}{subagent}{about}")];
    lines.extend(changes.into_iter().map(|change| format!("       {}", sanitize::line(&change))));
    lines
}

/// What an event says, and what it changes in the state.
fn about(kind: &EventKind<'_>, state: &mut SharedState) -> (String, Vec<String>) {
    let text = match kind {
        EventKind::RunStarted(run) => format!("thread {:?} run {:?}", run.thread_id, run.run_id),
        EventKind::RunFinished(run) => {
            let mut text =
                format!("run {:?} {}", run.run_id.as_deref().unwrap_or_default(), outcome(&run.outcome));
            if let Some(result) = &run.result {
                text = format!("{text} result {result}");
            }
            if let Some(usage) = Some(&run.usage).filter(|usage| !usage.is_empty()).and_then(json) {
                text = format!("{text} usage {usage}");
            }
            text
        }
        EventKind::RunError(error) => {
            let code = error.code.as_deref().map(|code| format!(" (code {code})")).unwrap_or_default();
            format!("{}{code}", error.message)
        }
        EventKind::StepStarted(step) => step.step_name.to_string(),
        EventKind::StepFinished(step) => step.step_name.to_string(),
        EventKind::TextMessageStart(start) => start.message_id.to_string(),
        EventKind::TextMessageContent(content) => format!("{} {:?}", content.message_id, content.delta),
        EventKind::TextMessageEnd(end) => end.message_id.to_string(),
        EventKind::TextMessageChunk(chunk) => {
            format!(
                "{} {:?}",
                chunk.message_id.as_deref().unwrap_or("…"),
                chunk.delta.as_deref().unwrap_or_default()
            )
        }
        EventKind::ReasoningMessageContent(content) => format!("{} {:?}", content.message_id, content.delta),
        EventKind::ReasoningMessageChunk(chunk) => {
            format!("{:?}", chunk.delta.as_deref().unwrap_or_default())
        }
        EventKind::ToolCallStart(start) => {
            format!("{} {}", start.id, start.name.as_deref().unwrap_or_default())
        }
        EventKind::ToolCallArgs(args) => format!("{} {}", args.id, args.delta),
        EventKind::ToolCallEnd(end) => end.id.to_string(),
        EventKind::ToolCallChunk(chunk) => format!(
            "{} {} {}",
            chunk.id.as_deref().unwrap_or("…"),
            chunk.name.as_deref().unwrap_or_default(),
            chunk.delta.as_deref().unwrap_or_default()
        ),
        EventKind::ToolCallResult(result) => {
            format!("{} {}", result.id, json(&result.content).unwrap_or_default())
        }
        EventKind::MessagesSnapshot(snapshot) => format!("{} messages", snapshot.messages.len()),
        EventKind::StateSnapshot(snapshot) => {
            let next: Value = snapshot.snapshot.read().unwrap_or_default();
            let mut changes = Vec::new();
            differences(&state.0, &next, "", 0, &mut changes);
            state.0 = next;
            return (String::new(), changes);
        }
        EventKind::StateDelta(delta) => {
            if let Ok(patch) = delta.delta.read::<Value>() {
                patch::apply(&mut state.0, &patch);
            }
            return (String::new(), operations(&delta.delta));
        }
        EventKind::ActivitySnapshot(activity) => {
            let content = activity.content.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} {content}", activity.activity_type)
        }
        EventKind::ActivityDelta(activity) => {
            return (activity.activity_type.to_string(), operations(&activity.patch));
        }
        EventKind::Raw(raw) => {
            let source = raw.source.as_deref().unwrap_or_default();
            format!("{source} ({} bytes) {}", raw.event.get().len(), raw.event)
        }
        EventKind::Custom(custom) => format!("{} {}", custom.name, custom.value),
        EventKind::SubagentStarted(subagent) => subagent.name.to_string(),
        EventKind::SubagentError(error) => error.message.to_string(),
        EventKind::Damaged(damage) => format!("damaged: {damage}"),
        _ => String::new(),
    };
    (text.trim().to_owned(), Vec::new())
}

fn outcome(outcome: &RunOutcome<'_>) -> String {
    match outcome {
        RunOutcome::Success { pending_tool_call_ids: pending } if pending.is_empty() => "success".to_owned(),
        RunOutcome::Success { pending_tool_call_ids: pending } => {
            format!("success, pending {}", json(pending).unwrap_or_default())
        }
        RunOutcome::Interrupt(interrupts) => format!("interrupt {}", json(interrupts).unwrap_or_default()),
        RunOutcome::Cancelled => "cancelled".to_owned(),
        RunOutcome::Unknown(unknown) => unknown.to_string(),
        _ => "unknown".to_owned(),
    }
}

fn json(value: &impl serde::Serialize) -> Option<String> {
    serde_json::to_string(value).ok()
}

/// The operations of a JSON Patch, one line each.
fn operations(patch: &Json<'_>) -> Vec<String> {
    let Ok(Value::Array(operations)) = patch.read::<Value>() else { return vec![patch.to_string()] };
    let count = operations.len();
    let mut lines: Vec<_> = operations
        .iter()
        .take(MAX_CHANGES)
        .map(|operation| {
            let text = |name: &str| operation.get(name).and_then(Value::as_str).unwrap_or_default();
            let value = operation.get("value").map(|value| format!(" {value}")).unwrap_or_default();
            let from = operation.get("from").map(|from| format!(" from {from}")).unwrap_or_default();
            format!("{} {}{from}{value}", text("op"), text("path"))
        })
        .collect();
    if count > MAX_CHANGES {
        lines.push(format!("… {} more", count - MAX_CHANGES));
    }
    lines
}

/// What changed from one value to another, with JSON Pointers.
fn differences(before: &Value, after: &Value, path: &str, depth: usize, changes: &mut Vec<String>) {
    if before == after {
        return;
    }
    if changes.len() >= MAX_CHANGES {
        if changes.len() == MAX_CHANGES {
            changes.push("… more".to_owned());
        }
        return;
    }
    match (before, after) {
        (Value::Object(old), Value::Object(new)) if depth < MAX_DEPTH => {
            for (name, before) in old {
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                match new.get(name) {
                    Some(after) => differences(before, after, &path, depth + 1, changes),
                    None => changes.push(format!("- {path}")),
                }
                if changes.len() > MAX_CHANGES {
                    return;
                }
            }
            for (name, after) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                if changes.len() > MAX_CHANGES {
                    return;
                }
                changes.push(format!("+ {path}/{} {after}", name.replace('~', "~0").replace('/', "~1")));
            }
        }
        _ => changes.push(format!("~ {path} {after}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, state: &mut SharedState) -> Vec<String> {
        lines(&Event::parse(text).unwrap(), 3, Duration::from_millis(1500), state)
    }

    #[test]
    fn a_state_is_shown_as_what_changed() {
        let mut state = SharedState::default();
        shown(r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":{"b":1,"c":2},"d":3}}"#, &mut state);
        let changed =
            shown(r#"{"type":"STATE_SNAPSHOT","snapshot":{"a":{"b":1,"c":5},"e/f":[1]}}"#, &mut state);
        assert_eq!(
            changed,
            ["   3    1.500s STATE_SNAPSHOT", "       ~ /a/c 5", "       - /d", "       + /e~1f [1]"]
        );
        let delta = r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/a","value":7},{"op":"remove","path":"/d"}]}"#;
        assert_eq!(shown(delta, &mut state)[1..], ["       replace /a 7", "       remove /d"]);
    }

    #[test]
    fn an_event_is_one_line_and_cannot_control_a_terminal() {
        let mut state = SharedState::default();
        let custom = r#"{"type":"CUSTOM","name":"n\u001b[2J","value":{"a":1},"subagentRunId":"s"}"#;
        assert_eq!(shown(custom, &mut state), ["   3    1.500s CUSTOM [s] n\\u{1b}[2J {\"a\":1}"]);
        let error = r#"{"type":"RUN_ERROR","message":"no credit","code":"quota"}"#;
        assert_eq!(shown(error, &mut state), ["   3    1.500s RUN_ERROR no credit (code quota)"]);
    }

    #[test]
    fn the_number_of_changes_is_bounded() {
        let mut state = SharedState::default();
        shown(r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#, &mut state);
        let members: Vec<_> = (0..1000).map(|number| format!("\"m{number}\":1")).collect();
        let many = format!(r#"{{"type":"STATE_SNAPSHOT","snapshot":{{{}}}}}"#, members.join(","));
        assert!(shown(&many, &mut state).len() <= MAX_CHANGES + 2);
    }
}
