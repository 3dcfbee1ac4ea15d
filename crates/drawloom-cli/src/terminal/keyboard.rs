//! The keyboard of the terminal: what was pressed before a question is no answer to it, and however the binary ends, the
//! terminal is as it was.
//!
//! Where there is no such terminal, or on a system that needs none of it, nothing is done.

#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

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

/// The keyboard while a question stands: each key comes as it is pressed, and no other way.
///
/// Whoever reads single keys sets the terminal for each of them alone. What is pressed in between would be shown twice,
/// and a backspace never come. What was typed before is dropped: whoever typed it had not seen the question, whatever the
/// agent wrote that looks like one.
pub(crate) struct SingleKeys {
    before: Settings,
}

impl SingleKeys {
    pub(crate) fn new() -> Self {
        let before = Settings::of_now();
        #[cfg(unix)]
        if let Some(settings) = &before.terminal {
            let mut raw = settings.clone();
            raw.make_raw();
            // Lines are still shown as lines.
            raw.output_modes = settings.output_modes;
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &raw);
        }
        Self { before }
    }
}

impl Drop for SingleKeys {
    fn drop(&mut self) {
        self.before.restore();
    }
}
