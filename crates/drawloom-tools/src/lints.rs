//! Warnings about definitions that some model API rejects although a command may declare them.

use std::fmt;

use drawloom_command::CommandId;
use serde_json::{Map, Value};

use crate::definition::ToolDefinition;

/// The longest description that every large model API accepts, in characters.
pub const MAX_DESCRIPTION_CHARACTERS: usize = 1024;
/// The most tools that every large model API accepts in one request.
pub const MAX_TOOLS: usize = 128;

/// Something in a list of tools that a model API may reject.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolWarning {
    /// The description of a tool is longer than [`MAX_DESCRIPTION_CHARACTERS`].
    LongDescription {
        /// The command.
        command: CommandId,
        /// The length of the description, with what the command answers, in characters.
        characters: usize,
    },
    /// The name of an argument is not accepted by every API.
    ArgumentName {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: String,
    },
    /// The list has more than [`MAX_TOOLS`] tools.
    TooManyTools {
        /// The number of tools.
        count: usize,
    },
}

impl ToolWarning {
    /// A stable code for this kind of warning.
    pub fn code(&self) -> &'static str {
        match self {
            Self::LongDescription { .. } => "long-description",
            Self::ArgumentName { .. } => "argument-name",
            Self::TooManyTools { .. } => "too-many-tools",
        }
    }
}

impl fmt::Display for ToolWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LongDescription { command, characters } => write!(
                f,
                "the description of command \"{command}\" has {characters} characters as a tool; some model APIs reject \
                 more than {MAX_DESCRIPTION_CHARACTERS}"
            ),
            Self::ArgumentName { command, argument } => write!(
                f,
                "command \"{command}\" has the argument \"{argument}\"; some model APIs reject a name that starts with a \
                 digit or contains \".\" or \"-\""
            ),
            Self::TooManyTools { count } => {
                write!(f, "the list has {count} tools; some model APIs reject more than {MAX_TOOLS}")
            }
        }
    }
}

/// The warnings about a list of tools: those about single tools in the order of the list, then those about the list.
///
/// ```
/// use drawloom_command::{Argument, Command, RegistrationId};
/// use drawloom_tools::{tool_definition, tool_warnings};
///
/// let ping = Command::new("notes.ping", "Ping")
///     .argument(Argument::text("dry-run"))
///     .declare()?
///     .describe(RegistrationId::unique(), |text| text.clone())
///     .ok_or("a required choice has no choices")?;
/// let warnings = tool_warnings(&[tool_definition(&ping)]);
/// assert_eq!(
///     warnings[0].to_string(),
///     "command \"notes.ping\" has the argument \"dry-run\"; some model APIs reject a name that starts with a digit or \
///      contains \".\" or \"-\"",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_warnings(tools: &[ToolDefinition]) -> Vec<ToolWarning> {
    let mut warnings = Vec::new();
    for tool in tools {
        let characters = tool.description.chars().count();
        if characters > MAX_DESCRIPTION_CHARACTERS {
            warnings.push(ToolWarning::LongDescription { command: tool.command_id.clone(), characters });
        }
        let properties = tool.parameters.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(Map::keys).filter(|name| !is_plain(name));
        warnings.extend(names.map(|name| ToolWarning::ArgumentName {
            command: tool.command_id.clone(),
            argument: name.clone(),
        }));
    }
    if tools.len() > MAX_TOOLS {
        warnings.push(ToolWarning::TooManyTools { count: tools.len() });
    }
    warnings
}

fn is_plain(name: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.starts_with(|first: char| first.is_ascii_digit()) && name.bytes().all(is_name_byte)
}

#[cfg(test)]
mod tests {
    use drawloom_command::{Argument, ArgumentField, Command, RegistrationId};

    use super::*;
    use crate::definition::tool_definition;

    fn tool(command: Command) -> ToolDefinition {
        let command = command.callable().declare().unwrap();
        tool_definition(&command.describe(RegistrationId::unique(), Clone::clone).unwrap())
    }

    /// The rules of the table in the crate's documentation that a definition breaks, the warnings aside. Written from the
    /// table, without the code that writes a schema.
    fn broken_rules(tool: &ToolDefinition) -> Vec<String> {
        let mut broken = Vec::new();
        let mut rule = |is_kept: bool, rule: &str| {
            if !is_kept {
                broken.push(rule.to_owned());
            }
        };
        let is_name = |name: &str, extra: &str| {
            (1..=64).contains(&name.chars().count())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || extra.contains(c))
        };
        rule(is_name(&tool.name, "_-"), "tool name");
        rule(tool.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'), "start of the tool name");
        let top = tool.parameters.as_object().unwrap();
        rule(
            top.keys().all(|key| ["type", "properties", "required"].contains(&key.as_str())),
            "keywords at the top",
        );
        rule(top.get("type") == Some(&Value::from("object")), "type of the top");
        rule(top.get("properties").is_some_and(Value::is_object), "properties");
        let properties = top.get("properties").and_then(Value::as_object).unwrap();
        let required = top.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        rule(required.iter().all(|name| properties.contains_key(name.as_str().unwrap())), "required");
        for (name, property) in properties {
            rule(is_name(name, "_.-"), "argument name");
            let is_list = property["type"] == "array";
            rule(!is_list || property["items"].is_object(), "items");
            let value = if is_list { &property["items"] } else { property };
            let kinds = ["string", "number", "integer", "boolean"];
            rule(value["type"].as_str().is_some_and(|kind| kinds.contains(&kind)), "type");
            let known = ["type", "description", "enum", "minimum", "maximum"];
            rule(
                value.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())),
                "keywords of a value",
            );
            let texts = value.get("enum").map(|texts| texts.as_array().unwrap().as_slice());
            let is_filled = |text: &Value| text.as_str().is_some_and(|text| !text.is_empty());
            rule(texts.is_none_or(|texts| !texts.is_empty() && texts.iter().all(is_filled)), "enum");
            for bound in ["minimum", "maximum"].iter().filter_map(|bound| value.get(bound)) {
                rule(
                    bound.as_f64().is_some_and(|bound| bound.abs() <= 9_007_199_254_740_991.0),
                    "exact bound",
                );
            }
        }
        broken
    }

    /// An argument of every kind, named after its place in the list.
    fn every_argument() -> Vec<Argument> {
        let choice = || Argument::choice("choice", ["a", "b"]);
        let one_of_each: Vec<fn() -> Argument> = vec![
            || Argument::text("text"),
            || Argument::number("number"),
            || Argument::number_within("within", -0.5..=1.5),
            || Argument::number_within("from", 0.0..=f64::INFINITY),
            || Argument::integer("integer", -3..=3),
            || Argument::integer("exact", -9_007_199_254_740_991..=9_007_199_254_740_991),
            || Argument::integer("whole", i128::MIN..=i128::MAX),
            || Argument::boolean("boolean"),
            || Argument::choice_from("source", || vec!["a".to_owned(), String::new(), "a".to_owned()]),
            || Argument::choice_from("none", Vec::new),
            || u8::declare("u8"),
            || i32::declare("i32"),
            || i64::declare("i64"),
            || u64::declare("u64"),
            || u128::declare("u128"),
            || i128::declare("i128"),
            || isize::declare("isize"),
            || f32::declare("f32"),
            || f64::declare("f64"),
        ];
        let list = |make: fn() -> Argument| make().list();
        let mut arguments = vec![choice(), choice().list(), choice().description("One")];
        arguments.extend(one_of_each.iter().map(|make| make()));
        arguments.extend(one_of_each.iter().map(|make| list(*make)));
        arguments.extend(one_of_each.iter().map(|make| make().description("What it is for")));
        arguments
    }

    #[test]
    fn every_kind_of_declaration_keeps_to_the_rules() {
        let arguments = every_argument();
        assert_eq!(arguments.len(), 60);
        for id in ["notes.open", "notes__open", "9lives", "äpfel/öffnen now", &"n".repeat(200)] {
            assert_eq!(broken_rules(&tool(Command::new(id, "Open"))), [""; 0], "{id}");
            for argument in &arguments {
                let command = || Command::new(id, "Open").description("Opens.").answers("What was opened");
                let optional = command().argument(argument.clone());
                assert_eq!(broken_rules(&tool(optional)), [""; 0], "{argument:?}");
                // A required choice without choices is not described at all.
                let required = command().argument(argument.clone().required()).callable().declare().unwrap();
                if let Some(described) = required.describe(RegistrationId::unique(), Clone::clone) {
                    assert_eq!(broken_rules(&tool_definition(&described)), [""; 0], "{argument:?}");
                }
            }
        }
    }

    #[test]
    fn a_bound_that_the_author_wrote_is_published() {
        let written =
            tool(Command::new("c", "C").argument(Argument::integer("n", 0..=9_007_199_254_740_993)));
        assert_eq!(written.parameters["properties"]["n"]["maximum"], 9_007_199_254_740_993_u64);
        assert_eq!(broken_rules(&written), ["exact bound"]);
    }

    #[test]
    fn a_long_description_is_a_warning_together_with_the_answer() {
        let described = |characters: usize, answers: &str| {
            let command = Command::new("c", "C").description("ö".repeat(characters));
            tool_warnings(&[tool(if answers.is_empty() { command } else { command.answers(answers) })])
        };
        let warning = |characters| vec![ToolWarning::LongDescription { command: "c".into(), characters }];
        assert_eq!(described(1024, ""), []);
        assert_eq!(described(1025, ""), warning(1025));
        // A line break, "Returns: " and the answer.
        assert_eq!(described(1013, "a"), []);
        assert_eq!(described(1014, "a"), warning(1025));
    }

    #[test]
    fn names_and_a_long_list_are_warnings() {
        let named =
            |name: &str| tool_warnings(&[tool(Command::new("c", "C").argument(Argument::text(name)))]);
        for name in ["a", "_a1", "A_b"] {
            assert_eq!(named(name), [], "{name}");
        }
        for name in ["1a", "a.b", "a-b", "-"] {
            let expected = ToolWarning::ArgumentName { command: "c".into(), argument: name.into() };
            assert_eq!(named(name), [expected], "{name}");
        }
        let tools = vec![tool(Command::new("c", "C")); 129];
        assert_eq!(tool_warnings(&tools), [ToolWarning::TooManyTools { count: 129 }]);
        assert_eq!(tool_warnings(&tools[1..]), []);
        assert_eq!(
            tool_warnings(&tools)[0].to_string(),
            "the list has 129 tools; some model APIs reject more than 128"
        );
    }
}
