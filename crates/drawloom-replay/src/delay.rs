//! A delay that needs no executor: a thread sleeps in place of the caller's.
//!
//! The library does not know on which executor it is polled, and blocking there would stop everything else that runs
//! on it. A delay is rare and short, so each has a thread of its own, which ends with it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use futures_util::task::AtomicWaker;

/// A future that is done once its time is over. Dropping it ends its thread.
#[derive(Debug)]
pub(crate) struct Delay {
    alarm: Arc<Alarm>,
    // Never sent through: that it is gone is what the thread waits for.
    _gone: Sender<()>,
}

#[derive(Debug, Default)]
struct Alarm {
    rang: AtomicBool,
    waker: AtomicWaker,
}

impl Delay {
    /// Starts a delay.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub(crate) fn start(time: Duration) -> io::Result<Self> {
        let alarm = Arc::new(Alarm::default());
        let (gone, is_gone) = mpsc::channel();
        let ringing = alarm.clone();
        thread::Builder::new().name("drawloom delay".to_owned()).spawn(move || {
            if is_gone.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                ringing.rang.store(true, Ordering::Release);
                ringing.waker.wake();
            }
        })?;
        Ok(Self { alarm, _gone: gone })
    }
}

impl Future for Delay {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.alarm.waker.register(cx.waker());
        if self.alarm.rang.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    use futures_executor::block_on;
    use futures_util::FutureExt;
    use futures_util::future::join;

    #[test]
    fn it_takes_its_time_and_not_the_thread() {
        let start = Instant::now();
        let both = async {
            join(
                Delay::start(Duration::from_millis(60)).unwrap(),
                Delay::start(Duration::from_millis(60)).unwrap(),
            )
            .await
        };
        block_on(both);
        let took = start.elapsed();
        assert!(took >= Duration::from_millis(60), "{took:?}");
        assert!(took < Duration::from_millis(115), "one waited for the other: {took:?}");
    }

    #[test]
    fn it_is_not_done_before() {
        assert!(Delay::start(Duration::from_secs(600)).unwrap().now_or_never().is_none());
    }

    #[test]
    fn its_thread_ends_when_it_is_dropped() {
        let delay = Delay::start(Duration::from_secs(600)).unwrap();
        let alarm = Arc::downgrade(&delay.alarm);
        drop(delay);
        let start = Instant::now();
        while alarm.strong_count() > 0 {
            assert!(start.elapsed() < Duration::from_secs(60), "the thread goes on");
            thread::yield_now();
        }
    }
}
