//! The keyboard of the terminal: what was pressed before a question is no answer to it, and however the binary ends, the
//! terminal is as it was.
//!
//! Where there is no such terminal, or on a system that needs none of it, nothing is done.

#[cfg(unix)]
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr};

/// How the terminal was set before anything was asked. While a key is waited for, it is set otherwise.
#[derive(Clone)]
pub(crate) struct Settings {
    #[cfg(unix)]
    terminal: Option<Termios>,
}

#[cfg(unix)]
impl Settings {
    pub(crate) fn of_now() -> Self {
        Self { terminal: tcgetattr(std::io::stdin()).ok() }
    }

    /// Sets the terminal as it was, which a question that nobody answered any more may have left otherwise.
    pub(crate) fn restore(&self) {
        if let Some(settings) = &self.terminal {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, settings);
        }
    }
}

#[cfg(not(unix))]
impl Settings {
    pub(crate) fn of_now() -> Self {
        Self {}
    }

    pub(crate) fn restore(&self) {}
}

/// Drops what was typed so far: whoever typed it had not seen the question, whatever the agent wrote that looks like one.
pub(crate) fn forget_what_was_typed() {
    #[cfg(unix)]
    let _ = tcflush(std::io::stdin(), QueueSelector::IFlush);
}
