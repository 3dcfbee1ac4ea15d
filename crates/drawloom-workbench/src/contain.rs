//! Code and values that the product supplied: their panics are logged and end here.
//!
//! A `tracing` subscriber is code of the product too, so everything is logged through [`logging`].

use drawloom_command::Panicked;

/// Runs code of a port. A panic in it is logged and ends here.
pub(crate) fn contained<T>(port: &'static str, run: impl FnOnce() -> T) -> Result<T, Panicked> {
    drawloom_command::contained(run).inspect_err(|panicked| log(port, panicked))
}

/// Writes to the developer's log that a port panicked.
pub(crate) fn log(port: &'static str, panicked: &Panicked) {
    let message = panicked.message().unwrap_or("not a text");
    logging(|| tracing::error!(port, panic = %message, "a port of the workbench panicked"));
}

/// Writes to the developer's log. There is nobody to whom a panic of the log could be reported.
pub(crate) fn logging(write: impl FnOnce()) {
    let _ = drawloom_command::contained(write);
}

/// A value that the product supplied. A panic in its drop is logged and ends here, so that the drop of several such values
/// together cannot panic while another panic unwinds, which would abort the process.
pub(crate) struct DropContained<T> {
    port: &'static str,
    // INVARIANT: `None` only while it is dropped.
    value: Option<T>,
}

impl<T> DropContained<T> {
    pub(crate) fn new(port: &'static str, value: T) -> Self {
        Self { port, value: Some(value) }
    }

    /// The value. It is there as long as `self` can be used.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }
}

impl<T> Drop for DropContained<T> {
    fn drop(&mut self) {
        let value = self.value.take();
        let _ = contained(self.port, || drop(value));
    }
}

impl<T: Clone> Clone for DropContained<T> {
    fn clone(&self) -> Self {
        Self { port: self.port, value: self.value.clone() }
    }
}
