//! What has begun in a run and not ended, and the ids that were used.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use super::rule::ProtocolRule;

/// The limit on things that are open at once.
const MAX_OPEN: usize = 16_384;
/// The limit on ids that are remembered, 8 bytes each.
const MAX_KNOWN: usize = 1_000_000;
/// How many characters of an id are kept for a message.
const SHOWN_CHARS: usize = 100;

/// What begins and ends in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Step,
    Message,
    Reasoning,
    ReasoningMessage,
    Call,
    Subagent,
}

impl Thing {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Message => "message",
            Self::Reasoning => "reasoning",
            Self::ReasoningMessage => "reasoning message",
            Self::Call => "call",
            Self::Subagent => "subagent",
        }
    }

    pub(super) fn not_started(self) -> ProtocolRule {
        match self {
            Self::Step => ProtocolRule::StepNotStarted,
            Self::Message => ProtocolRule::MessageNotStarted,
            Self::Reasoning | Self::ReasoningMessage => ProtocolRule::ReasoningNotStarted,
            Self::Call => ProtocolRule::CallNotStarted,
            Self::Subagent => ProtocolRule::SubagentNotStarted,
        }
    }

    pub(super) fn started_twice(self) -> ProtocolRule {
        match self {
            Self::Step => ProtocolRule::StepStartedTwice,
            Self::Message => ProtocolRule::MessageStartedTwice,
            Self::Reasoning | Self::ReasoningMessage => ProtocolRule::ReasoningStartedTwice,
            Self::Call => ProtocolRule::CallStartedTwice,
            Self::Subagent => ProtocolRule::SubagentStartedTwice,
        }
    }

    pub(super) fn not_ended(self) -> ProtocolRule {
        match self {
            Self::Step => ProtocolRule::StepNotEnded,
            Self::Message => ProtocolRule::MessageNotEnded,
            Self::Reasoning | Self::ReasoningMessage => ProtocolRule::ReasoningNotEnded,
            Self::Call => ProtocolRule::CallNotEnded,
            Self::Subagent => ProtocolRule::SubagentNotEnded,
        }
    }
}

/// How a thing began: whether it needs an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Started,
    Chunks,
}

/// Something that has begun and not ended.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) thing: Thing,
    /// Its id, shortened.
    pub(super) id: String,
    pub(super) lane: u64,
    pub(super) form: Form,
    /// The event in which it began.
    pub(super) since: u64,
    /// Of a call: what was sent of it.
    pub(super) content: u64,
}

/// How a thing begins.
pub(super) enum Began {
    New,
    /// It is open.
    Again(u64),
    /// It had ended in this run.
    Reused,
    /// There are too many of them.
    TooMany,
}

/// Ids by keyed hash, so that nobody can choose two that collide.
#[derive(Debug, Default)]
pub(super) struct Ids {
    keys: RandomState,
}

impl Ids {
    pub(super) fn of(&self, thing: Thing, scope: u64, id: &str) -> u64 {
        self.keys.hash_one((thing, scope, id))
    }

    pub(super) fn text(&self, text: &str) -> u64 {
        self.keys.hash_one(text)
    }

    /// A pair of ids; none where one is absent.
    pub(super) fn pair(&self, one: &str, other: &str) -> Option<u64> {
        (!one.is_empty() && !other.is_empty()).then(|| self.keys.hash_one((one, other)))
    }
}

/// The things of the current run.
#[derive(Debug, Default)]
pub(super) struct Things {
    open: HashMap<u64, Open>,
    ended: HashSet<u64>,
    /// The thing that a chunk without an id continues, of each kind and lane.
    current: HashMap<(Thing, u64), u64>,
}

impl Things {
    pub(super) fn begin(&mut self, key: u64, open: Open) -> Began {
        let is_reused = self.ended.contains(&key);
        let is_full = self.open.len() >= MAX_OPEN;
        match self.open.entry(key) {
            Entry::Occupied(before) => Began::Again(before.get().since),
            Entry::Vacant(_) if is_full => Began::TooMany,
            Entry::Vacant(place) => {
                place.insert(open);
                if is_reused { Began::Reused } else { Began::New }
            }
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<&Open> {
        self.open.get(&key)
    }

    pub(super) fn get_mut(&mut self, key: u64) -> Option<&mut Open> {
        self.open.get_mut(&key)
    }

    /// Whether it ended in this run.
    pub(super) fn has_ended(&self, key: u64) -> bool {
        self.ended.contains(&key)
    }

    pub(super) fn end(&mut self, key: u64) -> Option<Open> {
        let open = self.open.remove(&key)?;
        if self.ended.len() < MAX_KNOWN {
            self.ended.insert(key);
        }
        Some(open)
    }

    pub(super) fn current(&self, thing: Thing, lane: u64) -> Option<u64> {
        self.current.get(&(thing, lane)).copied()
    }

    pub(super) fn set_current(&mut self, thing: Thing, lane: u64, key: u64) -> Option<u64> {
        if self.current.len() >= MAX_OPEN && !self.current.contains_key(&(thing, lane)) {
            return None;
        }
        self.current.insert((thing, lane), key).filter(|before| *before != key)
    }

    pub(super) fn forget_current(&mut self, thing: Thing, lane: u64) -> Option<u64> {
        self.current.remove(&(thing, lane))
    }

    /// What a run leaves open that needs an end, the oldest first.
    pub(super) fn left_open(&self) -> Vec<Open> {
        let mut left: Vec<_> =
            self.open.values().filter(|open| open.form == Form::Started).cloned().collect();
        left.sort_by_key(|open| open.since);
        left
    }

    pub(super) fn open(&self) -> impl Iterator<Item = (u64, &Open)> {
        self.open.iter().map(|(key, open)| (*key, open))
    }
}

/// The calls and runs of the whole conversation.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The content of each call; none if it is known from a history alone.
    calls: HashMap<u64, Option<u64>>,
    runs: HashSet<u64>,
}

impl Known {
    /// Whether there is room for the call.
    pub(super) fn add_call(&mut self, key: u64, content: Option<u64>) -> bool {
        if self.calls.len() >= MAX_KNOWN && !self.calls.contains_key(&key) {
            return false;
        }
        let known = self.calls.entry(key).or_default();
        *known = content.or(*known);
        true
    }

    pub(super) fn call(&self, key: u64) -> Option<Option<u64>> {
        self.calls.get(&key).copied()
    }

    /// Whether the run is new.
    pub(super) fn add_run(&mut self, key: u64) -> bool {
        self.runs.len() >= MAX_KNOWN || self.runs.insert(key)
    }
}

/// An id as a message shows it.
pub(super) fn shown(id: &str) -> String {
    match id.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("\"{}…\"", id.get(..end).unwrap_or_default()),
        None => format!("\"{id}\""),
    }
}

/// The hash of a text, however it is divided. It need not resist anybody: it tells two calls of one agent apart.
pub(super) fn extend(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
