//! Ctrl-C: pressed once, it cancels the conversation; pressed again, it ends the process at once.
//!
//! A separate thread waits for the signal, because the thread that runs the conversation can be blocked by a reader that
//! does not read the output.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom::client::Canceller;
use tokio::runtime::Builder;
#[cfg(unix)]
use tokio::signal::unix::{Signal as CtrlCSignals, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlC as CtrlCSignals, ctrl_c as ctrl_c_signals};

use crate::terminal::TerminalSettings;

/// Whether Ctrl-C was pressed.
#[derive(Clone, Default)]
pub(super) struct CtrlC(Arc<AtomicBool>);

impl CtrlC {
    pub(super) fn was_pressed(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Makes Ctrl-C cancel the conversation.
pub(super) fn watch(pressed: CtrlC, canceller: Canceller, settings: TerminalSettings) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut signals: CtrlCSignals = {
        let _entered = runtime.enter();
        ctrl_c_signals()?
    };
    let watching = move || {
        while runtime.block_on(signals.recv()).is_some() {
            if pressed.0.swap(true, Ordering::AcqRel) {
                settings.restore();
                // Nothing is printed: standard error may be blocked too.
                std::process::exit(1);
            }
            canceller.cancel();
        }
    };
    std::thread::Builder::new().name("ctrl-c".to_owned()).spawn(watching)?;
    Ok(())
}

#[cfg(unix)]
fn ctrl_c_signals() -> io::Result<CtrlCSignals> {
    signal(SignalKind::interrupt())
}
