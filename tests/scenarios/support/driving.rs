//! How futures, streams and threads are driven: to their end, one poll at a time, by turns, or under watch.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use drawloom::workbench::{Changes, PluginContext};
use futures::channel::oneshot;
use futures::future::{BoxFuture, FutureExt, Shared};
use futures::stream::StreamExt;

/// Polls a future to its end on this thread. Unlike an executor's own, it may be used within any executor.
pub(crate) fn settle<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// Polls a future once.
pub(crate) fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls a future to its end on two threads, which take turns after each poll.
pub(crate) fn by_turns<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let ((to_first, first), (to_second, second)) = (mpsc::channel(), mpsc::channel());
    let (done, output) = mpsc::channel();
    to_first.send(future.boxed()).unwrap();
    let turns = |mine: mpsc::Receiver<BoxFuture<'static, T>>, to_other, done: mpsc::Sender<T>| {
        move || {
            for mut future in mine {
                match poll_once(&mut future) {
                    Poll::Ready(output) => return done.send(output).unwrap(),
                    Poll::Pending => mpsc::Sender::send(&to_other, future).unwrap(),
                }
            }
        }
    };
    let threads =
        [thread::spawn(turns(first, to_second, done.clone())), thread::spawn(turns(second, to_first, done))];
    let output = output.recv();
    for thread in threads {
        thread.join().unwrap();
    }
    output.unwrap()
}

/// Is pending once, and wakes its task at once.
#[derive(Default)]
pub(crate) struct YieldOnce {
    has_yielded: bool,
}

impl Future for YieldOnce {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.has_yielded {
            return Poll::Ready(());
        }
        self.has_yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// A gate: futures wait until it is opened.
pub(crate) struct Gate {
    opens: oneshot::Sender<()>,
    opened: Shared<oneshot::Receiver<()>>,
}

impl Gate {
    pub(crate) fn new() -> Self {
        let (opens, opened) = oneshot::channel();
        Self { opens, opened: opened.shared() }
    }

    /// Waits until the gate is opened or gone.
    pub(crate) fn passed(&self) -> impl Future<Output = ()> + Clone + Send + Sync + 'static {
        self.opened.clone().map(drop).boxed().shared()
    }

    pub(crate) fn open(self) {
        self.opens.send(()).unwrap();
    }
}

/// A subscription, and whether its waker was called.
pub(crate) struct Watching {
    changes: Changes,
    wakes: Arc<Wakes>,
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Watching {
    /// Subscribes, and polls until there is nothing to tell.
    pub(crate) fn of(plugin: &PluginContext) -> Self {
        let mut watching = Self::unpolled(plugin);
        assert!(!watching.yields(), "there is something to tell already");
        watching
    }

    /// Subscribes, and does not poll.
    pub(crate) fn unpolled(plugin: &PluginContext) -> Self {
        Self { changes: plugin.changes(), wakes: Arc::default() }
    }

    /// Whether it yields right now.
    pub(crate) fn yields(&mut self) -> bool {
        self.yields_to(&Waker::from(self.wakes.clone()))
    }

    /// Whether it yields right now; this waker waits for what comes next.
    pub(crate) fn yields_to(&mut self, waker: &Waker) -> bool {
        match self.changes.poll_next_unpin(&mut Context::from_waker(waker)) {
            Poll::Ready(item) => {
                item.expect("a subscription never ends");
                true
            }
            Poll::Pending => false,
        }
    }

    /// Whether its waker was called since this was last asked.
    pub(crate) fn was_woken(&self) -> bool {
        self.wakes.0.swap(0, Ordering::SeqCst) > 0
    }
}

/// Runs `work` on another thread, and fails if it does not end, for example because of a deadlock.
pub(crate) fn watched<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = mpsc::channel();
    let thread = thread::spawn(move || {
        let output = work();
        // Nobody waits any more where the time was up.
        let _ = done.send(());
        output
    });
    match ended.recv_timeout(Duration::from_secs(60)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("it has not come to its end"),
        // Either it ended, or it panicked and dropped its end of the channel.
        Ok(()) | Err(mpsc::RecvTimeoutError::Disconnected) => {
            thread.join().unwrap_or_else(|payload| resume_unwind(payload))
        }
    }
}

/// Does `again` over and over, on so many threads, for as long as `meanwhile` takes.
pub(crate) fn all_along(threads: usize, again: impl Fn() + Sync, meanwhile: impl FnOnce()) {
    struct Over<'a>(&'a AtomicBool);

    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        // Dropped however `meanwhile` ends, so that the threads end too.
        let _over = Over(&is_over);
        for _ in 0..threads {
            scope.spawn(|| {
                while !is_over.load(Ordering::SeqCst) {
                    again();
                }
            });
        }
        meanwhile();
    });
}
