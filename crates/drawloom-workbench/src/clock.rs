//! The clock that a product may give a workbench.

use std::time::{Duration, Instant, SystemTime};

/// Tells how much time has passed since a fixed moment, and what time it is. The workbench itself has no clock.
///
/// A closure that returns a [`Duration`] is a clock that does not know the time of day, which is sufficient to measure how long
/// invocations take. [`SystemClock`] knows both.
///
/// ```
/// use std::time::Instant;
/// let start = Instant::now();
/// let builder = drawloom_workbench::Workbench::builder().clock(move || start.elapsed());
/// # let _ = builder;
/// ```
pub trait Clock: Send + Sync {
    /// The time since a fixed moment. It never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for the records. The default is none.
    fn time_of_day(&self) -> Option<SystemTime> {
        None
    }
}

impl<F: Fn() -> Duration + Send + Sync> Clock for F {
    fn now(&self) -> Duration {
        self()
    }
}

/// The clock of the operating system.
///
/// On a target without one, such as `wasm32-unknown-unknown`, creating it panics; a product there implements [`Clock`] with the
/// functions of its host.
///
/// ```
/// use drawloom_workbench::{SystemClock, Workbench};
///
/// let workbench = Workbench::builder().clock(SystemClock::new()).build();
/// # let _ = workbench;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose fixed moment is now.
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn time_of_day(&self) -> Option<SystemTime> {
        Some(SystemTime::now())
    }
}
