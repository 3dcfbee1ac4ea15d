//! Panics of user-supplied code: which kinds of such code there are, and how a panic in each is logged.
//!
//! [`drawloom_command::Contained`] catches the panics. After a panic, the value is dropped and not used again.

use drawloom_command::{Contained, Panicked};

/// A user-supplied value whose panics are caught and logged.
pub(crate) type Guarded<T> = Contained<T>;

/// Wraps what a transport returned.
pub(crate) fn guarded_transport<T>(make: impl FnOnce() -> T) -> Guarded<T> {
    Guarded::<T>::start(|panicked| log("the transport", panicked), make)
}

/// Wraps the future of a dialog.
pub(crate) fn guarded_dialog<T>(make: impl FnOnce() -> T) -> Guarded<T> {
    Guarded::<T>::start(|panicked| log("the dialog", panicked), make)
}

/// Runs user-supplied code, and logs a panic. Returns `None` after a panic.
pub(crate) fn catch<T>(what: &'static str, run: impl FnOnce() -> T) -> Option<T> {
    drawloom_command::contained_with(|panicked| log(what, panicked), run)
}

fn log(what: &'static str, panicked: &Panicked) {
    tracing::error!(what, panic = panicked.text(), "user-supplied code panicked");
}
