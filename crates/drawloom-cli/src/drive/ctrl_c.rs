//! Ctrl-C: once, the conversation is broken off in good order; again, the binary ends at once.
//!
//! It is waited for on a thread of its own. The one that leads the conversation may be held up, by whoever is to read
//! the output and does not, and still the person at the keyboard has the last word.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom::client::Canceller;
use tokio::runtime::Builder;
#[cfg(unix)]
use tokio::signal::unix::{Signal as Signals, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as Signals, ctrl_c as signals};

use super::keyboard::Settings;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Default)]
pub(crate) struct Pressed(Arc<AtomicBool>);

impl Pressed {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// From here on Ctrl-C cancels the conversation.
pub(crate) fn watch(pressed: Pressed, canceller: Canceller, settings: Settings) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut signals: Signals = {
        let _entered = runtime.enter();
        signals()?
    };
    let watching = move || {
        while runtime.block_on(signals.recv()).is_some() {
            if pressed.0.swap(true, Ordering::AcqRel) {
                settings.restore();
                // Nothing is told: standard error may be what is held up.
                std::process::exit(1);
            }
            canceller.cancel();
        }
    };
    std::thread::Builder::new().name("interrupt".to_owned()).spawn(watching)?;
    Ok(())
}

#[cfg(unix)]
fn signals() -> io::Result<Signals> {
    signal(SignalKind::interrupt())
}
