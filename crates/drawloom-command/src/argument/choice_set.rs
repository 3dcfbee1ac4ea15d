//! Choices that the application sets from outside, and who is told when they change.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::choices::usable;
use crate::panic::contained;

/// Choices that the application sets whenever it has loaded them. Clones share the choices.
///
/// While nothing is set, there are no choices, and a command that requires one is in no list. Setting choices tells
/// everyone whose list of commands changes with them.
///
/// ```
/// use drawloom_command::{Argument, ChoiceSet, Command, CommandArguments};
///
/// let notebooks = ChoiceSet::new();
/// let open = Command::new("notes.open", "Open notebook")
///     .argument(Argument::choice_in("notebook", &notebooks).required())
///     .declare()?;
/// assert!(!open.can_be_called());
///
/// notebooks.set(["work", "home"]);
/// assert!(open.check(&CommandArguments::new().with("notebook", "home")).is_ok());
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
#[derive(Clone, Default)]
pub struct ChoiceSet(Arc<Shared>);

#[derive(Default)]
struct Shared(Mutex<State>);

#[derive(Default)]
struct State {
    choices: Arc<[Arc<str>]>,
    listeners: BTreeMap<u64, Listener>,
    next: u64,
}

type Listener = Arc<dyn Fn() + Send + Sync>;

/// A function that is called when a [`ChoiceSet`] changes. Dropping the subscription ends the calls.
#[must_use = "dropping the subscription ends it"]
pub struct ChoiceSubscription {
    set: Weak<Shared>,
    number: u64,
}

impl ChoiceSet {
    /// A set without choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the choices. Empty and repeated texts are removed. Nobody is told of choices that are the same as before,
    /// in the same order.
    pub fn set<C: Into<Arc<str>>>(&self, choices: impl IntoIterator<Item = C>) {
        // The iterator is user-supplied code, so it runs without the lock.
        let choices = usable(choices);
        let (replaced, listeners) = {
            let mut state = self.0.lock();
            if state.choices == choices {
                return;
            }
            let replaced = std::mem::replace(&mut state.choices, choices);
            (replaced, state.listeners.values().cloned().collect::<Vec<_>>())
        };
        drop(replaced);
        for listener in listeners {
            let _ = contained(|| listener());
            // It may be the last reference, and what the listener captured may panic when it is dropped.
            let _ = contained(|| drop(listener));
        }
    }

    /// The choices at this moment.
    pub fn choices(&self) -> Arc<[Arc<str>]> {
        self.0.lock().choices.clone()
    }

    /// Calls `listener` after each change, on the thread that changes the choices, until the subscription is dropped. A
    /// panic of the listener is caught. A registry of commands uses this.
    pub fn subscribe(&self, listener: impl Fn() + Send + Sync + 'static) -> ChoiceSubscription {
        let mut state = self.0.lock();
        let number = state.next;
        state.next += 1;
        state.listeners.insert(number, Arc::new(listener));
        ChoiceSubscription { set: Arc::downgrade(&self.0), number }
    }
}

impl Shared {
    /// Each change is a single step, so a panic elsewhere leaves the data complete.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let listeners = std::mem::take(&mut self.lock().listeners);
        for listener in listeners.into_values() {
            let _ = contained(|| drop(listener));
        }
    }
}

impl Drop for ChoiceSubscription {
    fn drop(&mut self) {
        if let Some(set) = self.set.upgrade() {
            let removed = set.lock().listeners.remove(&self.number);
            let _ = contained(|| drop(removed));
        }
    }
}

impl fmt::Debug for ChoiceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.0.lock();
        let listeners = state.listeners.len();
        f.debug_struct("ChoiceSet").field("choices", &state.choices).field("listeners", &listeners).finish()
    }
}

impl fmt::Debug for ChoiceSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChoiceSubscription").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn counted(set: &ChoiceSet) -> (Arc<AtomicU32>, ChoiceSubscription) {
        let calls = Arc::new(AtomicU32::new(0));
        let counter = calls.clone();
        let subscription = set.subscribe(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        (calls, subscription)
    }

    #[test]
    fn only_a_change_is_told_and_only_while_subscribed() {
        let set = ChoiceSet::new();
        let (calls, subscription) = counted(&set);
        set.set([""; 2]);
        assert_eq!(calls.load(Ordering::Relaxed), 0, "there were no choices, and there are none");
        set.set(["a", "", "b", "a"]);
        set.set(["a", "b"]);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        assert_eq!(set.choices().to_vec(), ["a".into(), "b".into()]);
        set.set(["b", "a"]);
        assert_eq!(calls.load(Ordering::Relaxed), 2, "the order is shown");
        drop(subscription);
        set.set(["c"]);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
        assert_eq!(Arc::strong_count(&calls), 1, "the listener is dropped with its subscription");
    }

    #[test]
    fn a_listener_may_panic_and_may_use_the_set() {
        let set = ChoiceSet::new();
        let _panics = set.subscribe(|| panic!("deaf"));
        let (again, seen) = (set.clone(), Arc::new(Mutex::new(Vec::new())));
        let log = seen.clone();
        let _sets = set.subscribe(move || {
            log.lock().unwrap().push(again.choices().len());
            again.set(["z"]);
        });
        set.set(["a", "b"]);
        assert_eq!(*seen.lock().unwrap(), [2, 1]);
        assert_eq!(set.choices().to_vec(), ["z".into()]);
    }

    #[test]
    fn a_subscription_outlives_its_set() {
        let set = ChoiceSet::new();
        let (calls, subscription) = counted(&set);
        drop(set);
        assert_eq!(Arc::strong_count(&calls), 1, "the set holds the listener, and nothing else does");
        drop(subscription);
    }
}
