//! The effects that a command of the file states.

use drawloom::command::{EffectKind, Effects};
use serde::Deserialize;

use super::objects::objects_only;
use super::words::Word;

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileEffects {
    kind: Word<EffectKind>,
    #[serde(default)]
    idempotent: bool,
    #[serde(default)]
    outside: bool,
    #[serde(default)]
    untrusted_answer: bool,
    #[serde(default)]
    irreversible: bool,
}

objects_only!(FileEffects);

impl FileEffects {
    pub(crate) fn stated(&self) -> Effects {
        let mut effects = Effects::new(self.kind.0);
        if self.idempotent {
            effects = effects.idempotent();
        }
        if self.outside {
            effects = effects.outside();
        }
        if self.untrusted_answer {
            effects = effects.untrusted_answer();
        }
        if self.irreversible {
            effects = effects.irreversible();
        }
        effects
    }
}
