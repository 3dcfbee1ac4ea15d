//! What the protocol requires of the members of each event, for the check of a stream. Reading an event is lenient
//! (see [`Event::parse`](super::Event::parse)); this says what it was lenient about.

use super::decode::{Next, Read, Reader};

/// What a member of an event has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Text that is not blank.
    Id,
    Text,
    Object,
    List,
    Boolean,
    Number,
    /// Text or a list of parts.
    Content,
    Any,
}

/// What is wrong with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeFault {
    Missing,
    /// It has to name something, and is blank.
    Blank,
    WrongKind {
        expected: &'static str,
        found: &'static str,
    },
    Repeated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShapeProblem {
    pub(crate) member: &'static str,
    pub(crate) fault: ShapeFault,
}

/// Whether an event has to have a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
}

type Rule = (&'static str, Kind, Need);

const fn required(name: &'static str, kind: Kind) -> Rule {
    (name, kind, Need::Required)
}

const fn optional(name: &'static str, kind: Kind) -> Rule {
    (name, kind, Need::Optional)
}

/// The members that every event may have.
const COMMON: &[Rule] = &[
    required("type", Kind::Text),
    optional("timestamp", Kind::Number),
    optional("subagentRunId", Kind::Text),
    optional("metadata", Kind::Object),
];

/// The members of each type of event. An unknown type has none: the protocol grows.
fn members(event_type: &str) -> &'static [Rule] {
    const MESSAGE: Rule = required("messageId", Kind::Id);
    const CALL: Rule = required("toolCallId", Kind::Id);
    const DELTA: Rule = required("delta", Kind::Text);
    const ROLE: Rule = optional("role", Kind::Text);
    const PARENT: Rule = optional("parentMessageId", Kind::Text);
    match event_type {
        "RUN_STARTED" => {
            const {
                &[
                    required("threadId", Kind::Id),
                    required("runId", Kind::Id),
                    optional("parentRunId", Kind::Text),
                    optional("protocolVersion", Kind::Text),
                    optional("input", Kind::Object),
                ]
            }
        }
        "RUN_FINISHED" => {
            const {
                &[
                    required("threadId", Kind::Id),
                    required("runId", Kind::Id),
                    optional("outcome", Kind::Object),
                    optional("usage", Kind::List),
                ]
            }
        }
        "RUN_ERROR" | "SUBAGENT_ERROR" => {
            const { &[required("message", Kind::Text), optional("code", Kind::Text)] }
        }
        "STEP_STARTED" | "STEP_FINISHED" => const { &[required("stepName", Kind::Id)] },
        "TEXT_MESSAGE_START" => const { &[MESSAGE, ROLE, optional("name", Kind::Text)] },
        "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => const { &[MESSAGE, DELTA] },
        "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END" => {
            const { &[MESSAGE] }
        }
        "REASONING_MESSAGE_START" => const { &[MESSAGE, ROLE] },
        "TEXT_MESSAGE_CHUNK" | "REASONING_MESSAGE_CHUNK" => {
            const { &[optional("messageId", Kind::Text), ROLE, optional("delta", Kind::Text)] }
        }
        "REASONING_ENCRYPTED_VALUE" => {
            const {
                &[
                    required("subtype", Kind::Text),
                    required("entityId", Kind::Id),
                    required("encryptedValue", Kind::Text),
                ]
            }
        }
        "TOOL_CALL_START" => const { &[CALL, required("toolCallName", Kind::Id), PARENT] },
        "TOOL_CALL_ARGS" => const { &[CALL, DELTA] },
        "TOOL_CALL_END" => const { &[CALL] },
        "TOOL_CALL_CHUNK" => {
            const {
                &[
                    optional("toolCallId", Kind::Text),
                    optional("toolCallName", Kind::Text),
                    optional("delta", Kind::Text),
                    PARENT,
                ]
            }
        }
        "TOOL_CALL_RESULT" => const { &[MESSAGE, CALL, required("content", Kind::Content), ROLE] },
        "MESSAGES_SNAPSHOT" => const { &[required("messages", Kind::List)] },
        "STATE_SNAPSHOT" => const { &[required("snapshot", Kind::Any)] },
        "STATE_DELTA" => const { &[required("delta", Kind::List)] },
        "ACTIVITY_SNAPSHOT" => {
            const {
                &[
                    MESSAGE,
                    required("activityType", Kind::Text),
                    required("content", Kind::Object),
                    optional("replace", Kind::Boolean),
                ]
            }
        }
        "ACTIVITY_DELTA" => {
            const { &[MESSAGE, required("activityType", Kind::Text), required("patch", Kind::List)] }
        }
        "RAW" => const { &[required("event", Kind::Any), optional("source", Kind::Text)] },
        "CUSTOM" => const { &[required("name", Kind::Text)] },
        "SUBAGENT_STARTED" => {
            const {
                &[
                    required("subagentRunId", Kind::Id),
                    required("name", Kind::Text),
                    optional("parentSubagentRunId", Kind::Text),
                    optional("parentToolCallId", Kind::Text),
                    PARENT,
                ]
            }
        }
        "SUBAGENT_FINISHED" => {
            const { &[required("subagentRunId", Kind::Id), optional("outcome", Kind::Object)] }
        }
        _ => &[],
    }
}

/// What is wrong with the members of an event, in the order of the members in the protocol, then of the common ones. A
/// null counts as absent, as real producers mean it; for a value that may be anything it is a value.
pub(crate) fn problems(event_type: &str, text: &str) -> Vec<ShapeProblem> {
    let own = members(event_type);
    let common = COMMON.iter().filter(|common| own.iter().all(|rule| rule.0 != common.0));
    let rules: Vec<_> = own.iter().chain(common).collect();
    let mut found = vec![Found::default(); rules.len()];
    // INVARIANT: the text was read as an event, so nothing fails here.
    let _ = look(text, &rules, &mut found);
    let problem = |(rule, found): (&&Rule, Found)| {
        let fault =
            found.fault.or((rule.2 == Need::Required && !found.has_value).then_some(ShapeFault::Missing));
        fault.map(|fault| ShapeProblem { member: rule.0, fault })
    };
    rules.iter().zip(found).filter_map(problem).collect()
}

#[derive(Clone, Copy, Default)]
struct Found {
    is_seen: bool,
    has_value: bool,
    fault: Option<ShapeFault>,
}

fn look(text: &str, rules: &[&Rule], found: &mut [Found]) -> Read<()> {
    let mut reader = Reader::new(text);
    let mut inside = reader.object()?;
    while let Some(name) = reader.key(&mut inside)? {
        let place = rules.iter().position(|rule| rule.0 == name);
        let Some((rule, found)) = place.and_then(|place| Some((rules.get(place)?, found.get_mut(place)?)))
        else {
            reader.skip()?;
            continue;
        };
        let is_repeated = std::mem::replace(&mut found.is_seen, true);
        let next = reader.next();
        let first = text.as_bytes().get(reader.mark()).copied();
        let is_blank = if next == Next::Text {
            reader.text()?.trim().is_empty()
        } else {
            reader.skip().map(|()| false)?
        };
        found.has_value |= next != Next::Null || rule.1 == Kind::Any;
        let fault = if is_repeated {
            Some(ShapeFault::Repeated)
        } else if next == Next::Null {
            None
        } else {
            fault(rule.1, next, first, is_blank)
        };
        found.fault = found.fault.or(fault);
    }
    Ok(())
}

fn fault(kind: Kind, next: Next, first: Option<u8>, is_blank: bool) -> Option<ShapeFault> {
    let found = match (next, first) {
        (Next::Text, _) => "text",
        (Next::Object, _) => "an object",
        (Next::List, _) => "a list",
        (_, Some(b't' | b'f')) => "a boolean",
        _ => "a number",
    };
    let expected = match kind {
        Kind::Id | Kind::Text => "text",
        Kind::Object => "an object",
        Kind::List => "a list",
        Kind::Boolean => "a boolean",
        Kind::Number => "a number",
        Kind::Content if matches!(next, Next::Text | Next::List) => return None,
        Kind::Content => "text or a list",
        Kind::Any => return None,
    };
    if expected != found {
        return Some(ShapeFault::WrongKind { expected, found });
    }
    (kind == Kind::Id && is_blank).then_some(ShapeFault::Blank)
}
