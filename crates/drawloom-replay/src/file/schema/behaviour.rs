//! The behaviour of a command, as it is written in the file.

use std::time::Duration;

use drawloom::command::{CommandAnswer, CommandArguments, CommandId, PluginId};
use drawloom::workbench::Capability;
use serde::{Deserialize, Deserializer};

use super::exact::{ExactAnswer, ExactArguments};
use super::objects::{objects_only, one_of};
use super::words::Word;

/// What a command does, and the delay before it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "BehaviourFields")]
pub(crate) struct Behaviour {
    pub(crate) action: Action,
    pub(crate) delay: Option<Duration>,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Action {
    #[default]
    Nothing,
    Answer(CommandAnswer),
    Echo,
    Fail(String),
    Panic(String),
    Invoke(CommandId, CommandArguments),
    Revoke(PluginId, Capability),
    Unregister(CommandId),
    NotANumber,
}

/// The longest delay, in milliseconds: one day.
const MAX_DELAY_MS: u64 = 86_400_000;

const FIELDS: &str =
    r#""answer", "echo", "fail", "panic", "invoke", "revoke", "unregister", "nan", or only "delayMs""#;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
struct BehaviourFields {
    // A null is an answer, not an absent field.
    #[serde(default, deserialize_with = "present")]
    answer: Option<ExactAnswer>,
    echo: Option<True>,
    fail: Option<String>,
    panic: Option<String>,
    invoke: Option<Invocation>,
    revoke: Option<Revocation>,
    unregister: Option<CommandId>,
    nan: Option<True>,
    delay_ms: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Invocation {
    id: CommandId,
    #[serde(default)]
    args: ExactArguments,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct Revocation {
    plugin: PluginId,
    capability: Word<Capability>,
}

objects_only!(BehaviourFields, Invocation, Revocation);

/// A field that is true or absent.
#[derive(Debug, Deserialize)]
#[serde(try_from = "bool")]
struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        if value { Ok(Self) } else { Err("the only value is true; otherwise leave the field out") }
    }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ExactAnswer>, D::Error> {
    ExactAnswer::deserialize(deserializer).map(Some)
}

impl TryFrom<BehaviourFields> for Behaviour {
    type Error = String;

    fn try_from(fields: BehaviourFields) -> Result<Self, String> {
        let actions = [
            fields.answer.map(|answer| Action::Answer(answer.0)),
            fields.echo.map(|True| Action::Echo),
            fields.fail.map(Action::Fail),
            fields.panic.map(Action::Panic),
            fields.invoke.map(|invoke| Action::Invoke(invoke.id, invoke.args.0)),
            fields.revoke.map(|revoke| Action::Revoke(revoke.plugin, revoke.capability.0)),
            fields.unregister.map(Action::Unregister),
            fields.nan.map(|True| Action::NotANumber),
        ];
        if fields.delay_ms.is_some_and(|delay| delay > MAX_DELAY_MS) {
            return Err(format!("\"delayMs\" is at most {MAX_DELAY_MS}, which is one day"));
        }
        let delay = fields.delay_ms.map(Duration::from_millis);
        let is_only_delay = delay.is_some() && actions.iter().all(Option::is_none);
        let action = if is_only_delay { Action::Nothing } else { one_of(actions, "a behaviour", FIELDS)? };
        Ok(Self { action, delay })
    }
}
