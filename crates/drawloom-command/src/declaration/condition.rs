//! Conditions that an author gives a command as closures: when it is available, and when it is on.
//!
//! They are read each time, like the choices of a source. They are user-supplied: a panic, also in a drop, ends here.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use crate::panic::{Panicked, contained, contained_with};

/// How deeply conditions may be read inside conditions. A condition may use the workbench, whose lists read the conditions
/// of every command; without a bound, a condition that takes a list would read itself without an end.
const MAX_NESTING: u8 = 2;

thread_local! {
    /// How many conditions this thread is reading inside one another.
    static NESTING: Cell<u8> = const { Cell::new(0) };
}

/// When a command is available, and the reason that the person is shown when it is not.
#[derive(Clone, Debug)]
pub(crate) struct Availability {
    pub(crate) reason: Arc<str>,
    pub(crate) condition: Condition,
}

/// A user-supplied closure that returns whether something holds now.
#[derive(Clone)]
pub(crate) struct Condition(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Condition {
    pub(crate) fn new(condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(condition)))
    }

    /// Whether it holds now. `None` if it panics, after `report` was told, or if it is read too deeply inside others.
    pub(crate) fn read(&self, report: impl FnOnce(&Panicked)) -> Option<bool> {
        // INVARIANT: `None` only while it is dropped.
        let condition = self.0.as_ref()?;
        let _reading = Reading::begin()?;
        contained_with(report, || condition())
    }
}

/// One condition that is being read. It ends when this is dropped.
struct Reading;

impl Reading {
    fn begin() -> Option<Self> {
        let nesting = NESTING.get();
        (nesting < MAX_NESTING).then(|| {
            NESTING.set(nesting + 1);
            Self
        })
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        NESTING.set(NESTING.get().saturating_sub(1));
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        let condition = self.0.take();
        let _ = contained(|| drop(condition));
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Condition(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_that_panics_does_not_hold_and_is_reported() {
        let mut told = None;
        let condition = Condition::new(|| panic!("no note"));
        assert_eq!(condition.read(|panicked| told = Some(panicked.text().to_owned())), None);
        assert_eq!(told.as_deref(), Some("no note"));
    }

    #[test]
    fn conditions_inside_conditions_end_at_the_second_level() {
        let inner = Condition::new(|| true);
        let middle = {
            let inner = inner.clone();
            move || inner.read(|_| {}) == Some(true)
        };
        // At the second level the inner one cannot be read any more.
        let outer = {
            let middle = Condition::new(middle.clone());
            Condition::new(move || middle.read(|_| {}) == Some(true))
        };
        assert_eq!(outer.read(|_| {}), Some(false));
        assert_eq!(Condition::new(middle).read(|_| {}), Some(true));
        assert_eq!(inner.read(|_| {}), Some(true), "nothing is counted after the reading");
    }
}
