//! Notices that wait for a task of the product to show them, so that a notifier returns at once.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use drawloom_command::PluginId;
use futures_core::Stream;
use futures_util::task::AtomicWaker;

use crate::contain::contained;
use crate::lock::lock;
use crate::ports::{Notice, Notifier};

/// How many different notices of one plugin wait at most, unless the product sets another limit.
const PER_PLUGIN: usize = 32;

/// A [`Notifier`] that returns at once: it keeps each notice until the product takes it from the stream [`Notices`].
///
/// No plugin can fill it: it keeps at most 32 different notices of each plugin, and as many about what the person
/// triggered. Further ones are dropped and counted. A plugin that repeats itself is told once: notices that a plugin lacks
/// the same capability are joined, whatever command they are about, and so are notices that are equal. The plugins take
/// turns, so that nobody waits behind another plugin's notices. Clones are the same queue.
///
/// ```
/// use drawloom_workbench::{NoticeQueue, Workbench};
/// use futures::executor::block_on;
/// use futures::StreamExt;
///
/// let (queue, mut notices) = NoticeQueue::new();
/// let workbench = Workbench::builder().notifier(queue).build();
/// block_on(workbench.trigger("notes.ghost"));
/// block_on(workbench.trigger("notes.ghost"));
///
/// // In a task of the product:
/// let queued = block_on(notices.next()).unwrap();
/// println!("{}", queued.notice);
/// assert_eq!(queued.times, 2);
/// ```
#[derive(Clone)]
pub struct NoticeQueue {
    sending: Arc<Sending>,
}

/// The stream of what a [`NoticeQueue`] keeps. It ends when the queue and all its clones are gone.
pub struct Notices {
    shared: Arc<Shared>,
}

/// A notice that waited in a [`NoticeQueue`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueuedNotice {
    /// The notice. Of notices that were joined, the first.
    pub notice: Notice,
    /// How many notices were joined to this one, itself included.
    pub times: u64,
    /// How many other notices of the same plugin were dropped since the last one of it was taken.
    pub dropped: u64,
}

impl NoticeQueue {
    /// A queue of at most 32 different notices of each plugin, and the stream that takes them out.
    pub fn new() -> (Self, Notices) {
        Self::with_limit(PER_PLUGIN)
    }

    /// A queue of at most this many different notices of each plugin, and the stream that takes them out.
    pub fn with_limit(per_plugin: usize) -> (Self, Notices) {
        let shared =
            Arc::new(Shared { limit: per_plugin, queue: Mutex::default(), waker: AtomicWaker::new() });
        let sending = Arc::new(Sending { shared: shared.clone() });
        (Self { sending }, Notices { shared })
    }

    /// How many notices were dropped so far.
    pub fn dropped(&self) -> u64 {
        lock(&self.sending.shared.queue).dropped
    }
}

impl Notifier for NoticeQueue {
    fn notify(&self, notice: &Notice) {
        let shared = &self.sending.shared;
        let is_kept = lock(&shared.queue).add(notice, shared.limit);
        if is_kept {
            shared.wake();
        }
    }
}

impl Stream for Notices {
    type Item = QueuedNotice;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<QueuedNotice>> {
        let _ = contained("waker", || self.shared.waker.register(cx.waker()));
        let mut queue = lock(&self.shared.queue);
        match queue.take() {
            Some(queued) => Poll::Ready(Some(queued)),
            None if queue.is_closed => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        // Nobody will take anything any more.
        let mut queue = lock(&self.shared.queue);
        queue.is_closed = true;
        let left = (mem::take(&mut queue.lanes), mem::take(&mut queue.turns));
        drop(queue);
        drop(left);
        let _ = contained("waker", || drop(self.shared.waker.take()));
    }
}

/// What all clones of a queue share. The stream ends when it is dropped.
struct Sending {
    shared: Arc<Shared>,
}

impl Drop for Sending {
    fn drop(&mut self) {
        lock(&self.shared.queue).is_closed = true;
        self.shared.wake();
    }
}

struct Shared {
    limit: usize,
    queue: Mutex<Queue>,
    waker: AtomicWaker,
}

impl Shared {
    fn wake(&self) {
        let _ = contained("waker", || self.waker.wake());
    }
}

/// Whose notice it is: a plugin's, or the person's own.
type Lane = Option<PluginId>;

#[derive(Default)]
struct Queue {
    /// Only lanes in which something waits.
    lanes: HashMap<Lane, Waiting>,
    /// Each of these lanes once, in the order in which they are next.
    turns: VecDeque<Lane>,
    dropped: u64,
    is_closed: bool,
}

#[derive(Default)]
struct Waiting {
    notices: VecDeque<(Notice, u64)>,
    dropped: u64,
}

impl Queue {
    /// Returns whether it was kept.
    fn add(&mut self, notice: &Notice, limit: usize) -> bool {
        if self.is_closed {
            return false;
        }
        let lane = lane(notice);
        if let Some(waiting) = self.lanes.get_mut(&lane) {
            if let Some((_, times)) = waiting.notices.iter_mut().find(|(kept, _)| are_joined(kept, notice)) {
                *times = times.saturating_add(1);
                return true;
            }
            if waiting.notices.len() >= limit {
                waiting.dropped = waiting.dropped.saturating_add(1);
                self.dropped = self.dropped.saturating_add(1);
                return false;
            }
            waiting.notices.push_back((notice.clone(), 1));
            return true;
        }
        if limit == 0 {
            self.dropped = self.dropped.saturating_add(1);
            return false;
        }
        let notices = VecDeque::from([(notice.clone(), 1)]);
        self.lanes.insert(lane.clone(), Waiting { notices, dropped: 0 });
        self.turns.push_back(lane);
        true
    }

    fn take(&mut self) -> Option<QueuedNotice> {
        let lane = self.turns.pop_front()?;
        let waiting = self.lanes.get_mut(&lane)?;
        let (notice, times) = waiting.notices.pop_front()?;
        let dropped = mem::take(&mut waiting.dropped);
        if waiting.notices.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.turns.push_back(lane);
        }
        Some(QueuedNotice { notice, times, dropped })
    }
}

fn lane(notice: &Notice) -> Lane {
    match notice {
        Notice::MissingGrant { plugin, .. } | Notice::Message { plugin, .. } => Some(plugin.clone()),
        Notice::Refused { .. } | Notice::Failed { .. } | Notice::Cancelled { .. } => None,
    }
}

/// Whether two notices of one lane are shown as one.
fn are_joined(kept: &Notice, new: &Notice) -> bool {
    match (kept, new) {
        (Notice::MissingGrant { capability: kept, .. }, Notice::MissingGrant { capability: new, .. }) => {
            kept == new
        }
        _ => kept == new,
    }
}

impl fmt::Debug for NoticeQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NoticeQueue").field("dropped", &self.dropped()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Notices").finish_non_exhaustive()
    }
}
