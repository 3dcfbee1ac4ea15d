//! Logging a panic of a port, of a handler, or of whatever else was handed in.

use drawloom_command::Panicked;

/// Runs a port's code; a panic in it is logged and ends here.
pub(crate) fn contained<T>(port: &'static str, run: impl FnOnce() -> T) -> Result<T, Panicked> {
    drawloom_command::contained(run).inspect_err(|panicked| log(port, panicked))
}

/// Tells the developer's log that something of a port's panicked.
pub(crate) fn log(port: &'static str, panicked: &Panicked) {
    let message = panicked.message().unwrap_or("no message");
    tracing::error!(port, panic = %message, "a port of the workbench panicked");
}
