//! Being told that a list has changed.
//!
//! What a watcher's list is does not matter here: it is given closures that read it. Whom a change concerns is decided here,
//! without any code of the product except the conditions of the commands in their reach: nobody is woken for what is out of
//! their reach or not available.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll};

use drawloom_command::{CommandDeclaration, CommandId, InvocableCommand, PluginId};
use futures_core::Stream;
use futures_util::task::AtomicWaker;

use crate::authorize::Authority;
use crate::contain::{contained, log};
use crate::lock::lock;

/// How many changed commands a watcher that is not polled remembers one by one. If there are more, it reads its whole list.
const REMEMBERED: usize = 1024;

/// What a watcher needs to know of its owner.
pub(crate) trait Watched: Send + Sync {
    /// What the owner may run at this moment. Runs no code of the product.
    fn authority(&self) -> Authority;

    /// Whether this plugin is the owner.
    fn is_of(&self, plugin: &PluginId) -> bool;

    /// The owner's list.
    fn list(&self) -> Vec<InvocableCommand>;

    /// The command of this id, if it is in the owner's list.
    fn entry(&self, id: &CommandId) -> Option<InvocableCommand>;
}

/// A stream that yields each time the list of what a plugin may invoke differs from the list when it last yielded.
///
/// It yields once for several changes that come together, and not for a change that leaves the list as it was. It never
/// ends by itself. It sees when a [`ChoiceSet`](drawloom_command::ChoiceSet) changes. The workbench does not see when the
/// active language or the choices of a source change: the product reports that with [`Workbench::announce_change`](crate::Workbench::announce_change).
///
/// It wakes its task only for a change that may alter this list. The cost of a poll is that of the commands that changed,
/// or that of the list if more than 1,024 changed or if session, window or permissions changed. It holds the id and one
/// number for each command of the list.
pub struct Changes {
    signal: Arc<Signal>,
}

impl Changes {
    pub(crate) fn new(sources: &[&Signals], watched: impl Watched + 'static) -> Self {
        let signal = Arc::new(Signal {
            watched: Box::new(watched),
            seen: Mutex::default(),
            waker: AtomicWaker::new(),
        });
        // The list is read after the signal was added, so that no change is missed in between.
        lock(&signal.seen).reading = true;
        for source in sources {
            source.add(&signal);
        }
        let list = fingerprints(&signal.watched.list());
        let mut seen = lock(&signal.seen);
        seen.list = list;
        seen.reading = false;
        drop(seen);
        Self { signal }
    }

    /// Reads what has changed. Returns whether the list differs.
    fn read(&self) -> bool {
        let pending = {
            let mut seen = lock(&self.signal.seen);
            seen.reading = true;
            mem::take(&mut seen.pending)
        };
        // Texts and choices are read without the lock.
        let watched = &self.signal.watched;
        match pending {
            Pending::Commands(ids) => {
                let now: Vec<_> =
                    ids.into_iter().map(|id| (watched.entry(&id).as_ref().map(fingerprint), id)).collect();
                let mut seen = lock(&self.signal.seen);
                seen.reading = false;
                let mut differs = false;
                for (entry, id) in now {
                    differs |= seen.list.get(&id).copied() != entry;
                    match entry {
                        Some(entry) => seen.list.insert(id, entry),
                        None => seen.list.remove(&id),
                    };
                }
                differs
            }
            Pending::Everything => {
                let now = fingerprints(&watched.list());
                let mut seen = lock(&self.signal.seen);
                seen.reading = false;
                let differs = now != seen.list;
                seen.list = now;
                differs
            }
        }
    }
}

impl Stream for Changes {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        // The waker is code of the product.
        let _ = contained("waker", || self.signal.waker.register(cx.waker()));
        // What changes while the list is read is read in a second round.
        for _ in 0..2 {
            if lock(&self.signal.seen).pending.is_empty() {
                return Poll::Pending;
            }
            if self.read() {
                return Poll::Ready(Some(()));
            }
        }
        if !lock(&self.signal.seen).pending.is_empty() {
            // A source or a translator changes something each time. Others get their turn first.
            self.signal.wake();
        }
        Poll::Pending
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

/// Two entries with the same fingerprint are the same, except with a probability of 1 in 2⁶⁴.
fn fingerprint(command: &InvocableCommand) -> u64 {
    struct Hashing(DefaultHasher);

    impl io::Write for Hashing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut hashing = Hashing(DefaultHasher::new());
    command.registration.hash(&mut hashing.0);
    // These are plain strings and enums, so this cannot fail. If it did, a change might not be told.
    let _ = serde_json::to_writer(&mut hashing, command);
    hashing.0.finish()
}

fn fingerprints(list: &[InvocableCommand]) -> HashMap<CommandId, u64> {
    list.iter().map(|command| (command.id.clone(), fingerprint(command))).collect()
}

/// What a watcher has seen of its list, and what may have changed since.
#[derive(Default)]
struct Seen {
    /// The list when the stream last yielded.
    list: HashMap<CommandId, u64>,
    pending: Pending,
    /// Whether the list is being read, so that `list` is about to change. What changes meanwhile is noted in any case,
    /// and read in the same poll, so nobody is woken.
    reading: bool,
}

/// What may have changed.
enum Pending {
    Commands(HashSet<CommandId>),
    Everything,
}

impl Default for Pending {
    fn default() -> Self {
        Self::Commands(HashSet::new())
    }
}

impl Pending {
    fn is_empty(&self) -> bool {
        matches!(self, Self::Commands(ids) if ids.is_empty())
    }

    fn add_everything_if(&mut self, concerns: bool) -> bool {
        if concerns {
            *self = Self::Everything;
        }
        concerns
    }

    fn add(&mut self, id: &CommandId) {
        let Self::Commands(ids) = self else { return };
        ids.insert(id.clone());
        if ids.len() > REMEMBERED {
            *self = Self::Everything;
        }
    }
}

/// One watcher, as those who report changes know it.
pub(crate) struct Signal {
    watched: Box<dyn Watched>,
    seen: Mutex<Seen>,
    waker: AtomicWaker,
}

impl Signal {
    /// Notes a change, and wakes the watcher if the change concerns it. The waker is code of the product: it runs without
    /// the lock.
    fn note(&self, concerns: impl FnOnce(&mut Seen) -> bool) {
        let wakes = {
            let mut seen = lock(&self.seen);
            concerns(&mut seen) && !seen.reading
        };
        if wakes {
            self.wake();
        }
    }

    fn wake(&self) {
        let _ = contained("waker", || self.waker.wake());
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal").finish_non_exhaustive()
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        let _ = contained("waker", || drop(self.waker.take()));
    }
}

/// Whether a command is offered and available at this moment. Nobody is woken for a command that is not available: its
/// condition is read here, without a lock.
fn is_offered_now(authority: &Authority, command: &CommandDeclaration, owner: &PluginId) -> bool {
    authority.offers(command, owner) && command.unavailable(|panicked| log("condition", panicked)).is_none()
}

/// Everyone who watches one thing.
#[derive(Default)]
pub(crate) struct Signals(Mutex<Vec<Weak<Signal>>>);

impl Signals {
    fn add(&self, signal: &Arc<Signal>) {
        let mut signals = lock(&self.0);
        // Dropped watchers are removed only when the vector would grow: adding stays cheap and the vector short.
        if signals.len() == signals.capacity() {
            signals.retain(|signal| signal.strong_count() > 0);
        }
        signals.push(Arc::downgrade(signal));
    }

    /// Whether nobody watches.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    fn watchers(&self) -> Vec<Arc<Signal>> {
        lock(&self.0).iter().filter_map(Weak::upgrade).collect()
    }

    /// A command was registered. It concerns those to whom it is offered.
    pub(crate) fn registered(&self, command: &CommandDeclaration, owner: &PluginId) {
        for signal in self.watchers() {
            let is_offered = is_offered_now(&signal.watched.authority(), command, owner);
            signal.note(|seen| {
                let concerns = is_offered || seen.reading || seen.list.contains_key(command.id());
                if concerns {
                    seen.pending.add(command.id());
                }
                concerns
            });
        }
    }

    /// A set of choices that the command uses has changed. It concerns those to whom the command is offered, in the list or
    /// not: without choices for a required argument, it is in no list.
    pub(crate) fn choices_changed(&self, command: &CommandDeclaration, owner: &PluginId) {
        self.registered(command, owner);
    }

    /// Commands were removed. It concerns those who have one of them in their list.
    pub(crate) fn removed(&self, ids: &[CommandId]) {
        for signal in self.watchers() {
            signal.note(|seen| {
                let mut concerns = false;
                for id in ids {
                    if seen.reading || seen.list.contains_key(id) {
                        seen.pending.add(id);
                        concerns = true;
                    }
                }
                concerns
            });
        }
    }

    /// A plugin was deactivated. It concerns its own watchers, whose list is empty from now on.
    pub(crate) fn deactivated(&self, plugin: &PluginId) {
        for signal in self.watchers() {
            if signal.watched.is_of(plugin) {
                signal.note(|seen| seen.pending.add_everything_if(seen.reading || !seen.list.is_empty()));
            }
        }
    }

    /// Rights may have changed: session, window or revocations. It concerns those whose list then holds
    /// other commands than before.
    ///
    /// `commands` are those that are registered, read after the change.
    pub(crate) fn rights_changed<'a, C>(&self, commands: impl Fn() -> C)
    where
        C: IntoIterator<Item = (&'a CommandDeclaration, &'a PluginId)>,
    {
        for signal in self.watchers() {
            let authority = signal.watched.authority();
            let offered: Vec<(&CommandId, bool)> = commands()
                .into_iter()
                .map(|(command, owner)| (command.id(), is_offered_now(&authority, command, owner)))
                .collect();
            signal.note(|seen| {
                let differs =
                    |(id, is_offered): &(&CommandId, bool)| seen.list.contains_key(*id) != *is_offered;
                let concerns = seen.reading || offered.iter().any(differs);
                seen.pending.add_everything_if(concerns)
            });
        }
    }

    /// Texts or choices may have changed. It concerns those to whom at least one command is offered.
    pub(crate) fn texts_changed<'a, C>(&self, commands: impl Fn() -> C)
    where
        C: IntoIterator<Item = (&'a CommandDeclaration, &'a PluginId)>,
    {
        for signal in self.watchers() {
            let authority = signal.watched.authority();
            let has_any =
                commands().into_iter().any(|(command, owner)| is_offered_now(&authority, command, owner));
            signal.note(|seen| {
                seen.pending.add_everything_if(has_any || seen.reading || !seen.list.is_empty())
            });
        }
    }
}
