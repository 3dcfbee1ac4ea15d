//! Reading against a naive reader that takes an event apart with serde_json.

use proptest::prelude::*;
use serde::de::{MapAccess, Visitor};
use serde_json::Value;

use super::*;

/// The members of an object, in order, with those that are repeated.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// What an event says about a call: its type, and of each member that decides the text, `-` where it is absent and `!`
/// where it is damaged. An event that is not about a call is `other`.
fn naive(text: &str) -> String {
    let Members(members) = serde_json::from_str(text).unwrap();
    let look = |name: &str| {
        let values: Vec<_> = members.iter().filter(|(key, _)| key == name).map(|(_, value)| value).collect();
        match &*values {
            [] | [Value::Null] => "-".to_owned(),
            [Value::String(text)] if name != "delta" && name != "type" && text.trim().is_empty() => {
                "-".to_owned()
            }
            [Value::String(text)] if text.is_empty() => "-".to_owned(),
            [Value::String(text)] => format!("={text}"),
            _ => "!".to_owned(),
        }
    };
    let kind = look("type");
    let [id, name, delta, lane] = ["toolCallId", "toolCallName", "delta", "subagentRunId"].map(look);
    let (members, needs_id) = match &*kind {
        "=TOOL_CALL_START" => (vec![&id, &name, &lane], true),
        "=TOOL_CALL_ARGS" => (vec![&id, &delta, &lane], true),
        "=TOOL_CALL_END" => (vec![&id, &lane], true),
        "=TOOL_CALL_CHUNK" => (vec![&id, &name, &delta, &lane], false),
        "=TOOL_CALL_RESULT" => (vec![&id], true),
        "=SUBAGENT_FINISHED" => (vec![&lane], false),
        "!" => return "damaged ?".to_owned(),
        "-" if id != "-" || name != "-" => return "damaged ?".to_owned(),
        _ => return "other".to_owned(),
    };
    if members.iter().any(|member| *member == "!") || (needs_id && id == "-") {
        return format!("damaged {kind} {id} {name} {lane}").replace('!', "-");
    }
    members.iter().fold(kind.clone(), |all, member| format!("{all} {member}"))
}

/// The same of what is read.
fn read(event: &Event<'_>) -> String {
    let show = |text: Option<&str>| {
        text.filter(|text| !text.is_empty()).map_or("-".to_owned(), |text| format!("={text}"))
    };
    let lane = show(event.subagent_run_id.as_deref());
    let kind = event.kind.type_name();
    match &event.kind {
        EventKind::ToolCallStart(it) => {
            format!(
                "={kind} {} {} {lane}",
                show(Some(&it.id)),
                show(it.name.as_deref().filter(|name| !name.trim().is_empty()))
            )
        }
        EventKind::ToolCallArgs(it) => {
            format!("={kind} {} {} {lane}", show(Some(&it.id)), show(Some(&it.delta)))
        }
        EventKind::ToolCallEnd(it) => format!("={kind} {} {lane}", show(Some(&it.id))),
        EventKind::ToolCallChunk(it) => format!(
            "={kind} {} {} {} {lane}",
            show(it.id.as_deref()),
            show(it.name.as_deref().filter(|name| !name.trim().is_empty())),
            show(it.delta.as_deref())
        ),
        EventKind::ToolCallResult(it) => format!("={kind} {}", show(Some(&it.id))),
        EventKind::SubagentFinished(_) => format!("={kind} {lane}"),
        EventKind::Damaged(damage) if damage.event_type.is_none() => "damaged ?".to_owned(),
        EventKind::Damaged(damage) => {
            let lane = match &damage.lane {
                DamagedLane::Subagent(id) => show(Some(id)),
                DamagedLane::Agent | DamagedLane::Unreadable => "-".to_owned(),
            };
            format!(
                "damaged ={kind} {} {} {lane}",
                show(damage.call_id.as_deref()),
                show(damage.name.as_deref())
            )
        }
        _ => "other".to_owned(),
    }
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => "[a-c]{1,2}".prop_map(|text| format!("\"{text}\"")),
        2 => prop_oneof![Just(r#""\u0061\n\"""#), Just("\"é🙂\""), Just("\" \""), Just("\"\"")].prop_map(str::to_owned),
        2 => Just("null".to_owned()),
        2 => prop_oneof![Just("7"), Just("-0.5"), Just("true"), Just("[]"), Just("[{\"type\":\"x\"}]"), Just("{}"),
            Just("{\"toolCallId\":\"no\"}")].prop_map(str::to_owned),
    ]
}

fn member() -> impl Strategy<Value = String> {
    const TYPES: [&str; 9] = [
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_CHUNK",
        "TOOL_CALL_RESULT",
        "SUBAGENT_FINISHED",
        "STATE_DELTA",
        "TEXT_MESSAGE_CONTENT",
        "LATER",
    ];
    const NAMES: [&str; 14] = [
        "toolCallId",
        "toolCallId",
        "toolCallName",
        "delta",
        "delta",
        "subagentRunId",
        "toolC\\u0061llId",
        "messageId",
        "timestamp",
        "metadata",
        "content",
        "outcome",
        "x",
        "parentMessageId",
    ];
    prop_oneof![
        2 => proptest::sample::select(TYPES.to_vec()).prop_map(|kind| format!("\"type\":\"{kind}\"")),
        1 => value().prop_map(|value| format!("\"t\\u0079pe\" : {value}")),
        12 => (proptest::sample::select(NAMES.to_vec()), value()).prop_map(|(name, value)| format!("\"{name}\":{value}")),
    ]
}

/// The text of an event: often with its type first, and members of any kind in any order.
fn event() -> impl Strategy<Value = String> {
    (proptest::option::weighted(0.8, 0..5_usize), proptest::collection::vec(member(), 0..7)).prop_map(
        |(first, members)| {
            const TYPES: [&str; 5] = ["START", "ARGS", "END", "CHUNK", "RESULT"];
            let first = first.map(|at| format!("\"type\":\"TOOL_CALL_{}\"", TYPES[at]));
            let members: Vec<_> = first.into_iter().chain(members).collect();
            format!("{{{}}}", members.join(", "))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_naive_reader_reads_the_same(text in event()) {
        let event = Event::parse(&text).unwrap();
        prop_assert_eq!(read(&event), naive(&text), "{}", text);
    }

    /// Whatever was read, what is written of it reads the same, and owning it changes nothing.
    #[test]
    fn what_is_written_reads_the_same(text in event()) {
        let event = Event::parse(&text).unwrap();
        let written = serde_json::to_string(&event).unwrap();
        prop_assert_eq!(&Event::parse(&written).unwrap(), &event, "{}", written);
        prop_assert_eq!(event.clone().into_owned(), event);
    }

    /// The members of an event may come in any order.
    #[test]
    fn the_order_of_the_members_does_not_matter(
        at in 0..examples::all().len(),
        order in any::<proptest::sample::Index>(),
    ) {
        let example = &examples::all()[at];
        let object = example.as_object().unwrap();
        let mut members: Vec<_> = object.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let first = order.index(members.len());
        members.rotate_left(first);
        let text = format!("{{{}}}", members.join(","));
        let plain = example.to_string();
        prop_assert_eq!(Event::parse(&text).unwrap(), Event::parse(&plain).unwrap());
    }

    /// No text makes it panic, and an event is exactly an object.
    #[test]
    fn an_event_is_exactly_an_object(text in "\\{?(\"type\":\"[A-Z_]{0,3}\"[,}]|\\PC|[\\[\\]{}\",:0-9truefalsn\\\\]){0,10}\\}?") {
        let is_object = serde_json::from_str::<Members>(&text).is_ok()
            || (text.trim_start().starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
        prop_assert_eq!(Event::parse(&text).is_ok(), is_object, "{}", text);
    }
}
