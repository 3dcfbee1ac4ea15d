//! What a command of the file does, as it is written.

use std::time::Duration;

use drawloom::command::{CommandAnswer, CommandArguments, CommandId, PluginId};
use drawloom::workbench::Capability;
use serde::{Deserialize, Deserializer};

use super::exact::{ExactAnswer, ExactArguments};
use super::forms::one_of;
use super::words::Word;

/// What happens, and how long before it does.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Form")]
pub(crate) struct Behaviour {
    pub(crate) act: Act,
    pub(crate) delay: Option<Duration>,
}

#[derive(Clone, Debug, Default)]
pub(crate) enum Act {
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

const WORDS: &str =
    r#""answer", "echo", "fail", "panic", "invoke", "revoke", "unregister", "nan", or only "delayMs""#;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Form {
    // A null that is there is an answer.
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
#[serde(deny_unknown_fields)]
struct Invocation {
    id: CommandId,
    #[serde(default)]
    args: ExactArguments,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Revocation {
    plugin: PluginId,
    capability: Word<Capability>,
}

/// A field that is true or left out.
#[derive(Debug, Deserialize)]
#[serde(try_from = "bool")]
struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        if value { Ok(Self) } else { Err("it is true, or left out") }
    }
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ExactAnswer>, D::Error> {
    ExactAnswer::deserialize(deserializer).map(Some)
}

impl TryFrom<Form> for Behaviour {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let said = [
            form.answer.map(|answer| Act::Answer(answer.0)),
            form.echo.map(|True| Act::Echo),
            form.fail.map(Act::Fail),
            form.panic.map(Act::Panic),
            form.invoke.map(|invoke| Act::Invoke(invoke.id, invoke.args.0)),
            form.revoke.map(|revoke| Act::Revoke(revoke.plugin, revoke.capability.0)),
            form.unregister.map(Act::Unregister),
            form.nan.map(|True| Act::NotANumber),
        ];
        let delay = form.delay_ms.map(Duration::from_millis);
        let only_delayed = delay.is_some() && said.iter().all(Option::is_none);
        let act = if only_delayed { Act::Nothing } else { one_of(said, "a behaviour", WORDS)? };
        Ok(Self { act, delay })
    }
}
