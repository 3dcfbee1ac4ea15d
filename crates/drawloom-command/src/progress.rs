//! How far a running command has come, and the way from its handler to the one who watches the call.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use futures_util::task::AtomicWaker;
use serde::Serialize;

use crate::panic::contained;

/// How many characters of a text are kept.
const TEXT_CHARACTERS: usize = 200;

/// How far a running command has come. Everything is optional.
///
/// ```
/// use drawloom_command::Progress;
///
/// let progress = Progress::new().share(0.4).phase("Exporting").message("12 of 30");
/// assert_eq!(
///     serde_json::to_string(&progress)?,
///     r#"{"share":0.4,"phase":"Exporting","message":"12 of 30"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Progress {
    /// The part of the work that is done, from 0 to 1. `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// What the command is doing, such as "Exporting".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Arc<str>>,
    /// Details, such as "12 of 30".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Arc<str>>,
}

impl Progress {
    /// Progress of which nothing is known but that the command runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the part of the work that is done. A value below 0 becomes 0, one above 1 becomes 1, and NaN means that the
    /// part is not known.
    #[must_use]
    pub fn share(mut self, share: f64) -> Self {
        self.share = Some(share);
        self.bounded()
    }

    /// Sets what the command is doing. Only the first 200 characters are kept.
    #[must_use]
    pub fn phase(mut self, phase: impl Into<Arc<str>>) -> Self {
        self.phase = Some(phase.into());
        self.bounded()
    }

    /// Sets the details. Only the first 200 characters are kept.
    #[must_use]
    pub fn message(mut self, message: impl Into<Arc<str>>) -> Self {
        self.message = Some(message.into());
        self.bounded()
    }

    /// The same progress within the bounds that the setters keep. Whoever passes a progress on calls it, because the
    /// fields may have been set directly.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.share = self.share.filter(|share| !share.is_nan()).map(|share| share.clamp(0.0, 1.0));
        self.phase = self.phase.map(cut);
        self.message = self.message.map(cut);
        self
    }
}

/// The details and the phase in words, and the share in percent: `Exporting: 12 of 30 (40 %)`.
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<&str> =
            [&self.phase, &self.message].into_iter().flatten().map(|text| &**text).collect();
        f.write_str(&texts.join(": "))?;
        match self.share {
            Some(share) if texts.is_empty() => write!(f, "{:.0} %", share * 100.0),
            Some(share) => write!(f, " ({:.0} %)", share * 100.0),
            None => Ok(()),
        }
    }
}

fn cut(text: Arc<str>) -> Arc<str> {
    match text.char_indices().nth(TEXT_CHARACTERS).and_then(|(end, _)| text.get(..end)) {
        Some(start) => Arc::from(start),
        None => text,
    }
}

/// The latest progress of one call, between the handler that reports it and the adapter that shows it. Clones are the
/// same slot.
///
/// A newer progress replaces one that was not taken, so nothing piles up and reporting never waits. An adapter passes a
/// slot to [`CommandAccess::invoke_offered_with`](crate::CommandAccess::invoke_offered_with). One task at a time watches
/// a slot.
///
/// ```
/// use std::task::{Context, Poll, Waker};
/// use drawloom_command::{Progress, ProgressSlot};
///
/// let slot = ProgressSlot::default();
/// let mut cx = Context::from_waker(Waker::noop());
/// assert!(slot.poll_changed(&mut cx).is_pending());
/// slot.set(Progress::new().share(0.1));
/// slot.set(Progress::new().share(0.2));
/// assert_eq!(slot.poll_changed(&mut cx), Poll::Ready(Progress::new().share(0.2)));
/// assert!(slot.poll_changed(&mut cx).is_pending());
/// ```
#[derive(Clone, Default)]
pub struct ProgressSlot(Arc<Slot>);

#[derive(Default)]
struct Slot {
    // What was not taken yet.
    latest: Mutex<Option<Progress>>,
    waker: AtomicWaker,
}

impl ProgressSlot {
    /// An empty slot.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the progress, and wakes the task that watches the slot.
    pub fn set(&self, progress: Progress) {
        *self.latest() = Some(progress.bounded());
        // A waker is user-supplied code. There is nobody to whom its panic could be reported.
        let _ = contained(|| self.0.waker.wake());
    }

    /// Takes the progress, if there is one that was not taken.
    pub fn take(&self) -> Option<Progress> {
        self.latest().take()
    }

    /// Takes the progress, or has the task woken when there is one.
    pub fn poll_changed(&self, cx: &mut Context<'_>) -> Poll<Progress> {
        let _ = contained(|| self.0.waker.register(cx.waker()));
        self.take().map_or(Poll::Pending, Poll::Ready)
    }

    fn latest(&self) -> MutexGuard<'_, Option<Progress>> {
        // Plain data, which no panic can leave in a wrong state.
        self.0.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let _ = contained(|| drop(self.waker.take()));
    }
}

impl fmt::Debug for ProgressSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressSlot").field("latest", &*self.latest()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progress_stays_within_its_bounds_however_it_was_set() {
        let shares = [(-0.5, Some(0.0)), (0.0, Some(0.0)), (0.25, Some(0.25)), (7.0, Some(1.0))];
        let infinite = [(f64::INFINITY, Some(1.0)), (f64::NEG_INFINITY, Some(0.0)), (f64::NAN, None)];
        for (given, kept) in shares.into_iter().chain(infinite) {
            assert_eq!(Progress::new().share(given).share, kept, "{given}");
        }
        let long = "ä".repeat(201);
        let progress = Progress::new().phase(long.as_str()).message(long.as_str());
        assert_eq!(progress.phase.as_deref(), Some("ä".repeat(200).as_str()));
        assert_eq!(progress.message, progress.phase);

        let slot = ProgressSlot::new();
        let mut direct = Progress::new();
        (direct.share, direct.phase) = (Some(f64::NAN), Some(long.into()));
        slot.set(direct);
        assert_eq!(slot.take(), Some(Progress::new().phase("ä".repeat(200))));
    }

    #[test]
    fn a_progress_reads_as_words() {
        for (progress, words) in [
            (Progress::new(), ""),
            (Progress::new().share(0.404), "40 %"),
            (Progress::new().phase("Exporting"), "Exporting"),
            (Progress::new().phase("Exporting").message("12 of 30").share(0.4), "Exporting: 12 of 30 (40 %)"),
        ] {
            assert_eq!(progress.to_string(), words);
        }
    }
}
