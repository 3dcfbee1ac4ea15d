//! What a command does to the world, as its author states it: hints for people, policies and protocols. They decide
//! nothing by themselves.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a command does, as its author states it. A hint: it is shown and published, and the workbench does not act on it.
/// A hook before the call may, such as a `ConsentPolicy` with a rule.
///
/// ```
/// use drawloom_command::{Command, EffectKind, Effects};
///
/// let send = Command::new("mail.send", "Send")
///     .effects(Effects::changes().outside().irreversible())
///     .declare()?;
/// let effects = send.effects().ok_or("it states its effects")?;
/// assert_eq!(effects.kind(), EffectKind::Changes);
/// assert!(effects.acts_outside() && effects.is_irreversible());
/// assert_eq!(
///     serde_json::to_value(effects)?,
///     serde_json::json!({ "kind": "changes", "outside": true, "irreversible": true }),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Effects {
    kind: EffectKind,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    idempotent: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    outside: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    untrusted_answer: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    irreversible: bool,
}

/// How far a command reaches into data. The enum is exhaustive: a policy must decide about every kind.
///
/// The order is from the least to the greatest effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// It only reads.
    Reads,
    /// It creates or changes something, and destroys nothing.
    Changes,
    /// It may delete or overwrite something.
    Destroys,
}

impl EffectKind {
    /// The kind's name in serialized form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Changes => "changes",
            Self::Destroys => "destroys",
        }
    }
}

impl Effects {
    /// The effects of a command of this kind that states nothing else.
    pub fn new(kind: EffectKind) -> Self {
        Self { kind, idempotent: false, outside: false, untrusted_answer: false, irreversible: false }
    }

    /// The command only reads.
    pub fn reads() -> Self {
        Self::new(EffectKind::Reads)
    }

    /// The command creates or changes something, and destroys nothing.
    pub fn changes() -> Self {
        Self::new(EffectKind::Changes)
    }

    /// The command may delete or overwrite something.
    pub fn destroys() -> Self {
        Self::new(EffectKind::Destroys)
    }

    /// Running it again with the same arguments has no further effect. A command that only reads always is.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// It acts outside the application: it uses the network, sends mail, pays.
    #[must_use]
    pub fn outside(mut self) -> Self {
        self.outside = true;
        self
    }

    /// Its answer may contain text that must not be trusted, such as a web page or a mail from somebody else. A model may
    /// read instructions in it.
    #[must_use]
    pub fn untrusted_answer(mut self) -> Self {
        self.untrusted_answer = true;
        self
    }

    /// What it does cannot be undone. Not for a command that only reads: the declaration is then refused.
    #[must_use]
    pub fn irreversible(mut self) -> Self {
        self.irreversible = true;
        self
    }

    /// How far the command reaches into data.
    pub fn kind(self) -> EffectKind {
        self.kind
    }

    /// Whether running it again with the same arguments has no further effect.
    pub fn is_idempotent(self) -> bool {
        self.idempotent || self.kind == EffectKind::Reads
    }

    /// Whether it acts outside the application.
    pub fn acts_outside(self) -> bool {
        self.outside
    }

    /// Whether its answer may contain text that must not be trusted.
    pub fn has_untrusted_answer(self) -> bool {
        self.untrusted_answer
    }

    /// Whether what it does cannot be undone.
    pub fn is_irreversible(self) -> bool {
        self.irreversible
    }

    /// Whether one statement contradicts another: there is nothing to undo where nothing changes.
    pub(crate) fn is_contradictory(self) -> bool {
        self.kind == EffectKind::Reads && self.irreversible
    }
}

/// For a person, in English, without a subject: "destroys something, acts outside the application, cannot be undone".
impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            EffectKind::Reads => "only reads",
            EffectKind::Changes => "changes something",
            EffectKind::Destroys => "destroys something",
        })?;
        let also = [
            (self.idempotent, "has no further effect if it is repeated"),
            (self.outside, "acts outside the application"),
            (self.untrusted_answer, "answers with text that must not be trusted"),
            (self.irreversible, "cannot be undone"),
        ];
        also.into_iter().filter(|(is_so, _)| *is_so).try_for_each(|(_, text)| write!(f, ", {text}"))
    }
}
