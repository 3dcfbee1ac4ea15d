//! Logging a panic of a port, of a handler, or of other code that the product supplied.

use drawloom_command::Panicked;

/// Runs code of a port. A panic in it is logged and ends here.
pub(crate) fn contained<T>(port: &'static str, run: impl FnOnce() -> T) -> Result<T, Panicked> {
    drawloom_command::contained(run).inspect_err(|panicked| log(port, panicked))
}

/// Writes to the developer's log that a port panicked.
pub(crate) fn log(port: &'static str, panicked: &Panicked) {
    let message = panicked.message().unwrap_or("not a text");
    tracing::error!(port, panic = %message, "a port of the workbench panicked");
}
