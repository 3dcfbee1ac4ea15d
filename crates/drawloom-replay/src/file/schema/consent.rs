//! The scripted answers of the person, as they are written in the file.

use std::fmt;

use drawloom::command::{CommandArguments, CommandId};
use drawloom::consent::ConsentWording;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::{Value, json};

use super::behaviour::Behaviour;
use super::exact::ExactArguments;
use super::objects::{Named, objects_only, one_of};

/// The key of the answer for every command that has no answer of its own.
pub(crate) const ANY_COMMAND: &str = "*";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
pub(crate) struct Consent {
    pub(crate) answers: Named<ScriptedAnswer>,
    wording: Wording,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(remote = "Self", default, deny_unknown_fields)]
struct Wording {
    never: Option<String>,
    refused: Option<String>,
}

objects_only!(Consent, Wording);

/// The answer that is given when the person would be asked.
#[derive(Clone, Debug)]
pub(crate) enum ScriptedAnswer {
    Yes,
    No,
    NoBecause(String),
    Edit(CommandArguments),
    /// This behaviour runs first, and then the answer is yes.
    During(Behaviour),
    /// The answer to a question of the agent that needs more than yes or no.
    Payload(Value),
}

impl ScriptedAnswer {
    /// The answer as JSON: true, false, `{"no":…}`, `{"edit":…}`, or what is sent to the agent.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Yes | Self::During(_) => Value::Bool(true),
            Self::No => Value::Bool(false),
            Self::NoBecause(why) => json!({ "no": why }),
            Self::Edit(arguments) => json!({ "edit": arguments }),
            Self::Payload(payload) => payload.clone(),
        }
    }
}

impl Consent {
    /// The answer for a command. Without one, the answer is no.
    pub(crate) fn answer(&self, command: &CommandId) -> Option<&ScriptedAnswer> {
        self.answers.0.get(command.as_str()).or_else(|| self.answers.0.get(ANY_COMMAND))
    }

    pub(crate) fn wording(&self) -> ConsentWording {
        let mut wording = ConsentWording::new();
        if let Some(never) = &self.wording.never {
            wording = wording.never(&**never);
        }
        if let Some(refused) = &self.wording.refused {
            wording = wording.refused(&**refused);
        }
        wording
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerFields {
    no: Option<String>,
    edit: Option<ExactArguments>,
    during: Option<Behaviour>,
    answer: Option<Value>,
}

impl<'de> Deserialize<'de> for ScriptedAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnswerVisitor;

        impl<'de> Visitor<'de> for AnswerVisitor {
            type Value = ScriptedAnswer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, or an object with one of \"no\", \"edit\", \"during\", \"answer\"")
            }

            fn visit_bool<E: Error>(self, yes: bool) -> Result<Self::Value, E> {
                Ok(if yes { ScriptedAnswer::Yes } else { ScriptedAnswer::No })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let fields = AnswerFields::deserialize(MapAccessDeserializer::new(map))?;
                let answers = [
                    fields.no.map(ScriptedAnswer::NoBecause),
                    fields.edit.map(|arguments| ScriptedAnswer::Edit(arguments.0)),
                    fields.during.map(ScriptedAnswer::During),
                    fields.answer.map(ScriptedAnswer::Payload),
                ];
                one_of(answers, "an answer", "\"no\", \"edit\", \"during\", \"answer\"")
                    .map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(AnswerVisitor)
    }
}
