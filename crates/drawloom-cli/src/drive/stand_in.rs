//! The stand-in: a built-in script in place of an agent, which calls the commands that the prompt names.
//!
//! It makes it possible to try a workbench without an agent. It does not understand the prompt: it searches it for names of
//! the tools it is offered (`notes.open` or `open`), and for a JSON object with arguments after the name. Without one, it
//! generates values for the required arguments.

use std::collections::HashMap;
use std::ops::Range;

use drawloom::ag_ui::{Tool, plain_command_id};
use drawloom::client::{InProcessAgent, Message, Role, RunAgentInput};
use futures_util::stream;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

const INTRODUCTION: &str = "I am the stand-in, a script and not a model.";

pub(super) fn agent() -> InProcessAgent {
    InProcessAgent::new(|input| stream::iter(run(&input)))
}

/// The events of one run: a text about the answers to the last calls, or the calls that the prompt asks for.
fn run(input: &RunAgentInput) -> Vec<String> {
    let (thread, run) = (&input.thread_id, &input.run_id);
    let answers = input.messages.iter().rev().take_while(|message| message.role == Role::Tool).count();
    let (text, calls) = if answers > 0 {
        (results(&input.messages, answers), Vec::new())
    } else {
        let prompt = input.messages.iter().rfind(|message| message.role == Role::User);
        reply(prompt.and_then(Message::text).unwrap_or_default(), &input.tools)
    };
    let message = format!("{run}-text");
    let mut events = vec![json!({"type": "RUN_STARTED", "threadId": thread, "runId": run})];
    events.push(json!({"type": "TEXT_MESSAGE_START", "messageId": message, "role": "assistant"}));
    events.extend(
        text.split_inclusive(' ')
            .map(|word| json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": word})),
    );
    events.push(json!({"type": "TEXT_MESSAGE_END", "messageId": message}));
    for (place, (tool, arguments)) in calls.into_iter().enumerate() {
        let call = format!("{run}-call-{}", place + 1);
        events.push(json!({"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": tool}));
        events.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": arguments}));
        events.push(json!({"type": "TOOL_CALL_END", "toolCallId": call}));
    }
    events.push(json!({"type": "RUN_FINISHED", "threadId": thread, "runId": run}));
    events.iter().map(Value::to_string).collect()
}

/// A text about the answers to the last calls.
fn results(messages: &[Message], answers: usize) -> String {
    let calls = messages.iter().flat_map(|message| &message.tool_calls);
    // Indexed by id, since there may be many. Of several calls with the same id, the last one counts.
    let calls: HashMap<_, _> = calls.map(|call| (&call.id, command(&call.name))).collect();
    let answers = messages.iter().skip(messages.len() - answers).map(|answer| {
        let called = answer.tool_call_id.as_ref().and_then(|id| calls.get(id));
        let name = called.map_or("a call", |name| name);
        format!("{name} returned: {}", answer.text().unwrap_or_default())
    });
    answers.collect::<Vec<_>>().join("\n")
}

/// The text that answers a prompt, and the tools that are called, with their arguments.
fn reply(prompt: &str, tools: &[Tool]) -> (String, Vec<(String, String)>) {
    let calls = requested_calls(prompt, tools);
    let list = |names: Vec<String>| names.join(", ");
    let text = if tools.is_empty() {
        format!(
            "{INTRODUCTION} I am offered no commands. \"drawloom tools\" warns about probable mistakes in the file."
        )
    } else if calls.is_empty() {
        let names = list(tools.iter().map(|tool| command(&tool.name)).collect());
        format!("{INTRODUCTION} The prompt names none of the commands that I am offered: {names}.")
    } else {
        format!("{INTRODUCTION} I call {}.", list(calls.iter().map(|(tool, _)| command(tool)).collect()))
    };
    (text, calls)
}

/// The command id of a tool, which is the name that the person knows.
fn command(tool: &str) -> String {
    plain_command_id(tool).unwrap_or_else(|| tool.to_owned())
}

/// The calls that a prompt asks for, in the order of the prompt.
fn requested_calls(prompt: &str, tools: &[Tool]) -> Vec<(String, String)> {
    let mut rest = 0..prompt.len();
    let mut calls = Vec::new();
    while let Some((tool, name)) = next_name(prompt, rest.clone(), tools) {
        let (arguments, end) = arguments(prompt, name.end, tool);
        calls.push((tool.name.clone(), arguments));
        rest.start = end;
    }
    calls
}

/// The first word of the prompt that names a tool: by its name, by the id of its command, or by the last part of that id
/// if no other id ends with the same part.
fn next_name<'a>(prompt: &str, within: Range<usize>, tools: &'a [Tool]) -> Option<(&'a Tool, Range<usize>)> {
    let text = prompt.get(within.clone())?;
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
    let mut start = 0;
    for piece in text.split_inclusive(|character| !is_part(character)) {
        let word = piece.trim_matches(|character| !is_part(character)).trim_matches('.');
        let mut short =
            tools.iter().filter(|tool| last_part(&command(&tool.name)).eq_ignore_ascii_case(word));
        let tool = tools
            .iter()
            .find(|tool| tool.name == word || command(&tool.name) == word)
            .or_else(|| short.next().filter(|_| short.next().is_none()));
        if let Some(tool) = tool {
            let end = piece.find(word)? + word.len();
            return Some((tool, within.start + start..within.start + start + end));
        }
        start += piece.len();
    }
    None
}

fn last_part(command: &str) -> &str {
    command.rsplit('.').next().unwrap_or(command)
}

/// The arguments for a tool that was named, and the position after them. Text that begins like an object but is not valid
/// JSON is sent unchanged up to the end of the prompt, to show how it is refused.
fn arguments(prompt: &str, start: usize, tool: &Tool) -> (String, usize) {
    let text = prompt.get(start..).unwrap_or_default();
    let object = text.trim_start();
    if !object.starts_with('{') {
        return (generated_arguments(tool), start);
    }
    let mut values = serde_json::Deserializer::from_str(object).into_iter::<Box<RawValue>>();
    match values.next() {
        Some(Ok(value)) => (value.get().to_owned(), prompt.len() - object.len() + values.byte_offset()),
        _ => (object.to_owned(), prompt.len()),
    }
}

/// A value for each required argument.
fn generated_arguments(tool: &Tool) -> String {
    let parameters = tool.parameters.as_ref();
    let required = parameters.and_then(|it| it.get("required")).and_then(Value::as_array);
    let property = |name: &str| parameters?.get("properties")?.get(name);
    let values = required.into_iter().flatten().filter_map(Value::as_str);
    let object: Map<_, _> = values.map(|name| (name.to_owned(), generated_value(property(name)))).collect();
    Value::Object(object).to_string()
}

fn generated_value(schema: Option<&Value>) -> Value {
    let member = |name: &str| schema.and_then(|schema| schema.get(name));
    if let Some(first) = member("enum").and_then(|choices| choices.get(0)) {
        return first.clone();
    }
    match member("type").and_then(Value::as_str) {
        Some("array") => json!([generated_value(member("items"))]),
        Some("number" | "integer") => {
            let one = json!(1);
            let bound = |name: &str| member(name).filter(|bound| bound.is_number());
            let number = |value: &Value| value.as_f64().unwrap_or(1.0);
            match (bound("minimum"), bound("maximum")) {
                (Some(minimum), _) if number(minimum) > 1.0 => minimum.clone(),
                (_, Some(maximum)) if number(maximum) < 1.0 => maximum.clone(),
                _ => one,
            }
        }
        Some("boolean") => Value::Bool(true),
        _ => {
            // No call carries a text that is much longer.
            let length = |name: &str| member(name).and_then(Value::as_u64).map(|length| length.min(100_000));
            let least = length("minLength").unwrap_or(0).max(7);
            let count = length("maxLength").map_or(least, |greatest| greatest.min(least));
            json!("example".chars().cycle().take(usize::try_from(count).unwrap_or(7)).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, parameters: Value) -> Tool {
        Tool::new(name, "").with_parameters(parameters)
    }

    fn tools() -> Vec<Tool> {
        let text =
            json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
        let nothing = json!({"type": "object", "properties": {}, "required": []});
        vec![tool("notes__open", text.clone()), tool("files__open", text), tool("notes__ping", nothing)]
    }

    fn calls(prompt: &str) -> Vec<(String, String)> {
        requested_calls(prompt, &tools())
    }

    fn call(tool: &str, arguments: &str) -> (String, String) {
        (tool.to_owned(), arguments.to_owned())
    }

    #[test]
    fn names_are_found_in_order_with_their_arguments() {
        assert_eq!(
            calls("Ping, then notes.open {\"path\": \"a ping b\"} and (files__open)."),
            [
                call("notes__ping", "{}"),
                call("notes__open", "{\"path\": \"a ping b\"}"),
                call("files__open", "{\"path\":\"example\"}"),
            ]
        );
    }

    #[test]
    fn a_name_is_a_whole_word_and_means_one_tool() {
        assert_eq!(calls("open"), []);
        assert_eq!(calls("pinging notes.opened xnotes.open notes.open.all"), []);
        assert_eq!(calls("日本 ping。"), [call("notes__ping", "{}")]);
    }

    #[test]
    fn invalid_json_is_sent_unchanged() {
        assert_eq!(calls("notes.open {\"path\": , ping"), [call("notes__open", "{\"path\": , ping")]);
    }

    #[test]
    fn values_for_required_arguments_match_the_schema() {
        let schema = |schema: Value| generated_value(Some(&schema));
        assert_eq!(schema(json!({"type": "string", "enum": ["a", "b"]})), json!("a"));
        assert_eq!(schema(json!({"type": "array", "items": {"type": "boolean"}})), json!([true]));
        assert_eq!(schema(json!({"type": "number", "minimum": 2.5})), json!(2.5));
        assert_eq!(schema(json!({"type": "integer", "minimum": -4, "maximum": 0})), json!(0));
        assert_eq!(schema(json!({"type": "integer"})), json!(1));
        assert_eq!(schema(json!({"type": "string", "maxLength": 3})), json!("exa"));
        assert_eq!(schema(json!({"type": "string", "minLength": 9})), json!("exampleex"));
    }
}
