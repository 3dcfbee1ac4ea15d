//! The undo history of one workbench, as data: what is kept, for whom, how much of it, and that each entry is done at most
//! once. It runs nothing.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};

use drawloom_command::{
    CommandArgumentValue, CommandArguments, CommandDeclaration, CommandId, CommandScalar, PersonId, PluginId,
};
use serde::Serialize;

use crate::activity_changes::{ActivityChanges, Watchers};
use crate::audit::recorded;
use crate::lock::lock;
use crate::plugin::unique_number;
use crate::principal::Caller;
use crate::session::Session;

/// How many persons of one workbench have a history. Beyond that, the history that was used least recently is dropped.
const PERSONS: usize = 64;
/// How many bytes the arguments of one person's entries may have.
const PERSON_BYTES: usize = 1 << 20;

/// Identifies one entry of the undo history, for [`Workbench::undo`](crate::Workbench::undo). Unique within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UndoId(u64);

impl fmt::Display for UndoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a handler registered: a command of its own plugin and the arguments with which it undoes the call.
#[derive(Clone)]
pub(crate) struct UndoCall {
    pub(crate) command: CommandId,
    pub(crate) arguments: CommandArguments,
    /// The arguments as the person sees them, without secret ones.
    pub(crate) shown: CommandArguments,
    /// The size of the arguments.
    pub(crate) bytes: usize,
}

impl UndoCall {
    /// A call of a declared command. `shown` is what a record of the call would contain.
    pub(crate) fn new(command: &CommandDeclaration, arguments: CommandArguments) -> Self {
        let shown = recorded::arguments(Some(command), &arguments).without_secrets();
        let bytes = arguments.iter().map(|(name, value)| name.len() + size(value)).sum();
        Self { command: command.id().clone(), arguments, shown, bytes }
    }
}

fn size(value: &CommandArgumentValue) -> usize {
    let scalar = |scalar: &CommandScalar| match scalar {
        CommandScalar::Text(text) => text.len(),
        CommandScalar::Number(_) | CommandScalar::Boolean(_) => size_of::<CommandScalar>(),
    };
    match value {
        CommandArgumentValue::Single(value) => scalar(value),
        // Each item takes memory, also an empty text.
        CommandArgumentValue::List(values) => {
            values.iter().map(|value| scalar(value) + size_of::<CommandScalar>()).sum()
        }
    }
}

/// One entry: what was done, and what undoes it.
pub(crate) struct Undoable {
    pub(crate) id: UndoId,
    /// The command that was done.
    pub(crate) command: CommandId,
    pub(crate) title: Arc<str>,
    /// The plugin that registered both commands.
    pub(crate) plugin: PluginId,
    pub(crate) caller: Caller,
    pub(crate) call_id: Option<Arc<str>>,
    pub(crate) turn_id: Option<Arc<str>>,
    pub(crate) undo: UndoCall,
}

impl Undoable {
    pub(crate) fn unique_id() -> UndoId {
        UndoId(unique_number())
    }
}

/// Whose history it is.
#[derive(Clone)]
pub(crate) enum Owner {
    /// Nobody was signed in.
    Anonymous,
    /// This person.
    Person(PersonId),
    /// Somebody whose session does not say who it is. Nobody else may see the history, so it ends with that session.
    Session(Weak<Session>),
}

impl Owner {
    pub(crate) fn of(session: &Arc<Session>) -> Self {
        match session.person() {
            Some(person) => Self::Person(person.id.clone()),
            None if session.is_authenticated() => Self::Session(Arc::downgrade(session)),
            None => Self::Anonymous,
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Anonymous, Self::Anonymous) => true,
            (Self::Person(one), Self::Person(other)) => one == other,
            (Self::Session(one), Self::Session(other)) => Weak::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// What a request that undoes something requires, besides what the person needs for any command.
#[derive(Clone)]
pub(crate) struct UndoOf {
    /// The plugin that must still own the command.
    pub(crate) plugin: PluginId,
    /// Whose entry it is. If another person has signed in meanwhile, it does not run.
    pub(crate) owner: Owner,
}

/// How far an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Ready,
    /// Somebody is undoing it.
    Claimed,
}

/// What became of an attempt to claim an entry.
pub(crate) enum Claim {
    /// The caller undoes it. Nobody else does, until it is released.
    Claimed(Arc<Undoable>),
    /// Somebody else is undoing it.
    Busy,
    /// There is no such entry: it was done, or is not kept any more, or belongs to somebody else.
    Gone,
}

/// The histories of the persons of one workbench.
///
/// INVARIANT: the lock is a leaf lock. No code of the product runs while it is held, and nothing that the product made is
/// dropped.
pub(crate) struct Histories {
    limit: usize,
    // The one that was used last is at the end.
    persons: Mutex<Vec<History>>,
    watchers: Watchers,
}

struct History {
    owner: Owner,
    // The newest is at the end.
    entries: VecDeque<(Arc<Undoable>, Stage)>,
    bytes: usize,
}

impl Histories {
    /// Histories of at most so many entries each.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, persons: Mutex::default(), watchers: Watchers::default() }
    }

    pub(crate) fn watch(&self) -> ActivityChanges {
        self.watchers.add()
    }

    /// Adds the newest entry. The oldest ones that are too many, or too large together, are dropped.
    pub(crate) fn add(&self, owner: &Owner, entry: Undoable) {
        let dropped = {
            let mut persons = lock(&self.persons);
            let mut history = take(&mut persons, owner).unwrap_or_else(|| History::new(owner.clone()));
            history.bytes = history.bytes.saturating_add(entry.undo.bytes);
            history.entries.push_back((Arc::new(entry), Stage::Ready));
            let mut dropped = Vec::new();
            while history.entries.len() > self.limit || history.bytes > PERSON_BYTES {
                let Some((oldest, _)) = history.entries.pop_front() else { break };
                history.bytes = history.bytes.saturating_sub(oldest.undo.bytes);
                dropped.push(oldest);
            }
            persons.push(history);
            let forgotten = if persons.len() > PERSONS { Some(persons.remove(0)) } else { None };
            (dropped, forgotten)
        };
        drop(dropped);
        self.watchers.changed();
    }

    /// The entries of a person, the newest first.
    pub(crate) fn entries(&self, owner: &Owner) -> Vec<(Arc<Undoable>, Stage)> {
        let persons = lock(&self.persons);
        let history = persons.iter().find(|history| history.owner.is(owner));
        history.map(|history| history.entries.iter().rev().cloned().collect()).unwrap_or_default()
    }

    pub(crate) fn claim(&self, owner: &Owner, id: UndoId) -> Claim {
        let claim = {
            let mut persons = lock(&self.persons);
            let history = persons.iter_mut().find(|history| history.owner.is(owner));
            let entry =
                history.and_then(|history| history.entries.iter_mut().find(|(entry, _)| entry.id == id));
            match entry {
                None => Claim::Gone,
                Some((_, Stage::Claimed)) => Claim::Busy,
                Some((entry, stage)) => {
                    *stage = Stage::Claimed;
                    Claim::Claimed(entry.clone())
                }
            }
        };
        if matches!(claim, Claim::Claimed(_)) {
            self.watchers.changed();
        }
        claim
    }

    /// The entry did not run: it can be claimed again.
    pub(crate) fn release(&self, owner: &Owner, id: UndoId) {
        {
            let mut persons = lock(&self.persons);
            let history = persons.iter_mut().find(|history| history.owner.is(owner));
            let entry =
                history.and_then(|history| history.entries.iter_mut().find(|(entry, _)| entry.id == id));
            if let Some((_, stage)) = entry {
                *stage = Stage::Ready;
            }
        }
        self.watchers.changed();
    }

    /// The entry ran, or may have run: it is not kept any more.
    pub(crate) fn remove(&self, owner: &Owner, id: UndoId) {
        let removed = {
            let mut persons = lock(&self.persons);
            persons.iter_mut().find(|history| history.owner.is(owner)).and_then(|history| history.remove(id))
        };
        drop(removed);
        self.watchers.changed();
    }
}

fn take(persons: &mut Vec<History>, owner: &Owner) -> Option<History> {
    let place = persons.iter().position(|history| history.owner.is(owner))?;
    Some(persons.remove(place))
}

impl History {
    fn new(owner: Owner) -> Self {
        Self { owner, entries: VecDeque::new(), bytes: 0 }
    }

    fn remove(&mut self, id: UndoId) -> Option<Arc<Undoable>> {
        let place = self.entries.iter().position(|(entry, _)| entry.id == id)?;
        let (entry, _) = self.entries.remove(place)?;
        self.bytes = self.bytes.saturating_sub(entry.undo.bytes);
        Some(entry)
    }
}
