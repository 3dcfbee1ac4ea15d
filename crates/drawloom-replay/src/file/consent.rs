//! The answers that stand in for a person, as they are written.

use std::fmt;

use drawloom::command::{CommandArguments, CommandId};
use drawloom::consent::ConsentWording;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::behaviour::Behaviour;
use super::exact::ExactArguments;
use super::forms::{Named, one_of};

/// The key of the answer for every command that has none of its own.
pub(crate) const ANY: &str = "*";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Consent {
    pub(crate) answers: Named<ScriptedAnswer>,
    wording: Wording,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wording {
    never: Option<String>,
    refused: Option<String>,
}

/// What is answered when the person is asked.
#[derive(Clone, Debug)]
pub(crate) enum ScriptedAnswer {
    Yes,
    No,
    NoBecause(String),
    Edit(CommandArguments),
    /// This happens first, and then it is a yes.
    During(Behaviour),
}

impl Consent {
    /// The answer about a command; none is a no.
    pub(crate) fn answer(&self, command: &CommandId) -> Option<&ScriptedAnswer> {
        self.answers.0.get(command.as_str()).or_else(|| self.answers.0.get(ANY))
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
struct AnswerForm {
    no: Option<String>,
    edit: Option<ExactArguments>,
    during: Option<Behaviour>,
}

impl<'de> Deserialize<'de> for ScriptedAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnswerVisitor;

        impl<'de> Visitor<'de> for AnswerVisitor {
            type Value = ScriptedAnswer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, or an object with one of \"no\", \"edit\", \"during\"")
            }

            fn visit_bool<E: Error>(self, yes: bool) -> Result<Self::Value, E> {
                Ok(if yes { ScriptedAnswer::Yes } else { ScriptedAnswer::No })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let form = AnswerForm::deserialize(MapAccessDeserializer::new(map))?;
                let said = [
                    form.no.map(ScriptedAnswer::NoBecause),
                    form.edit.map(|arguments| ScriptedAnswer::Edit(arguments.0)),
                    form.during.map(ScriptedAnswer::During),
                ];
                one_of(said, "an answer", "\"no\", \"edit\", \"during\"").map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(AnswerVisitor)
    }
}
