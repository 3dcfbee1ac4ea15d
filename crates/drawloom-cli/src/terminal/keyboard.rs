//! The input settings of the terminal: keys that were pressed before a question do not answer it, and the settings are
//! restored however the process ends.
//!
//! Without a terminal, and on systems other than Unix, nothing is changed.

#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

#[cfg(unix)]
use crate::input::standard_input;

/// The settings of the terminal before any question. They are changed while the process waits for a key.
#[derive(Clone)]
pub(crate) struct TerminalSettings {
    #[cfg(unix)]
    terminal: Option<Termios>,
}

#[cfg(unix)]
impl TerminalSettings {
    pub(crate) fn current() -> Self {
        Self { terminal: tcgetattr(standard_input()).ok() }
    }

    /// Restores the settings. A question that was withdrawn may have left others.
    pub(crate) fn restore(&self) {
        if let Some(settings) = &self.terminal {
            let _ = tcsetattr(standard_input(), OptionalActions::Now, settings);
        }
    }
}

#[cfg(not(unix))]
impl TerminalSettings {
    pub(crate) fn current() -> Self {
        Self {}
    }

    pub(crate) fn restore(&self) {}
}

/// The terminal delivers single keys while this value exists.
///
/// The library that reads a key changes the settings for that key only. Without this, keys pressed in between would be
/// shown twice, and a backspace would be lost. Keys that were pressed before are discarded, because the person had not
/// seen the question, even if the agent wrote a text that looks like one.
pub(crate) struct SingleKeyMode {
    before: TerminalSettings,
}

impl SingleKeyMode {
    pub(crate) fn new() -> Self {
        let before = TerminalSettings::current();
        #[cfg(unix)]
        if let Some(settings) = &before.terminal {
            let mut raw = settings.clone();
            raw.make_raw();
            // Output keeps its line ends.
            raw.output_modes = settings.output_modes;
            let _ = tcsetattr(standard_input(), OptionalActions::Flush, &raw);
        }
        Self { before }
    }
}

impl Drop for SingleKeyMode {
    fn drop(&mut self) {
        self.before.restore();
    }
}
