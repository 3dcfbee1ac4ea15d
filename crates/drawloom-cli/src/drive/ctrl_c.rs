//! Ctrl-C: pressed once, it cancels the turn; pressed again, it ends the process at once. The signals that end a process
//! do so after the terminal was restored.
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

    /// Another turn begins.
    pub(super) fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Makes Ctrl-C cancel the turn. `before` is called before that, from another thread.
pub(super) fn watch(
    pressed: CtrlC,
    canceller: Canceller,
    settings: TerminalSettings,
    before: impl Fn() + Send + 'static,
) -> io::Result<()> {
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
            before();
            canceller.cancel();
        }
    };
    std::thread::Builder::new().name("ctrl-c".to_owned()).spawn(watching)?;
    Ok(())
}

/// Makes the signals that end a process restore the terminal first. The exit code is the one that a shell gives for the
/// signal.
#[cfg(unix)]
pub(super) fn restore_before_the_end(settings: TerminalSettings) -> io::Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (mut terminated, mut hung_up, mut quit) = {
        let _entered = runtime.enter();
        (signal(SignalKind::terminate())?, signal(SignalKind::hangup())?, signal(SignalKind::quit())?)
    };
    let waiting = move || {
        let number = runtime.block_on(async {
            tokio::select! {
                _ = terminated.recv() => SignalKind::terminate(),
                _ = hung_up.recv() => SignalKind::hangup(),
                _ = quit.recv() => SignalKind::quit(),
            }
        });
        settings.restore();
        std::process::exit(128 + number.as_raw_value());
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(waiting)?;
    Ok(())
}

/// Without these signals, the system restores the console itself.
#[cfg(not(unix))]
pub(super) fn restore_before_the_end(_settings: TerminalSettings) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn ctrl_c_signals() -> io::Result<CtrlCSignals> {
    signal(SignalKind::interrupt())
}
