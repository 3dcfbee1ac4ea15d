//! One command that runs: what it can be asked and told while it does. How it is listed is in `running`.
//!
//! A command is *cancelled* in two steps. The first asks the handler to end: one that never looked at the signal is
//! dropped. The second drops the handler in any case. Each step applies to everything that the command invoked, too.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use drawloom_command::{CommandId, PluginId, Progress, ProgressSlot};
use futures_util::task::AtomicWaker;
use serde::Serialize;

use crate::contain::contained;
use crate::lock::lock;
use crate::principal::Caller;
use crate::session::Session;
use crate::undo::history::UndoCall;

/// Identifies one running command, for [`Workbench::cancel`](crate::Workbench::cancel). Unique within the process; a
/// command that was started later has a greater id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RunningId(u64);

impl RunningId {
    fn unique() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// How urgently a command is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Cancel {
    /// Not at all.
    No = 0,
    /// The handler is told, and is dropped if it never looks.
    Asked = 1,
    /// The handler is dropped.
    Forced = 2,
}

impl Cancel {
    fn from_number(number: u8) -> Self {
        match number {
            0 => Self::No,
            1 => Self::Asked,
            _ => Self::Forced,
        }
    }

    fn next(self) -> Self {
        match self {
            Self::No => Self::Asked,
            Self::Asked | Self::Forced => Self::Forced,
        }
    }
}

/// What is known of a command when it starts.
pub(crate) struct Started {
    pub(crate) command: CommandId,
    pub(crate) title: Arc<str>,
    /// The plugin that registered the command.
    pub(crate) plugin: PluginId,
    pub(crate) caller: Caller,
    /// The session in which the decision was taken.
    pub(crate) session: Arc<Session>,
    pub(crate) call_id: Option<Arc<str>>,
    pub(crate) turn_id: Option<Arc<str>>,
    pub(crate) since: Option<Duration>,
    pub(crate) depth: u32,
    pub(crate) parent: Option<Arc<Control>>,
    pub(crate) observer: Option<ProgressSlot>,
}

/// The list of what runs in one workbench.
pub(crate) trait Listing: Send + Sync {
    fn add(&self, control: &Arc<Control>);
    fn remove(&self, id: RunningId);
    /// Something about a command in it has changed.
    fn changed(&self);
}

/// A command that runs, as its handler, its workbench and the one who awaits it share it.
///
/// INVARIANT: `state` is a leaf lock. No waker is called, cloned or dropped while it is held, and no second one is
/// taken.
pub(crate) struct Control {
    pub(crate) id: RunningId,
    pub(crate) started: Started,
    list: Arc<dyn Listing>,
    // How urgently the parent was asked to end when this command was started. What is asked of the parent before that
    // does not concern this command: a handler that was told to end may invoke commands that tidy up.
    born: Cancel,
    cancel: AtomicU8,
    /// Whether the handler has looked at the signal.
    looked: AtomicBool,
    /// Wakes the task that awaits the command.
    waker: AtomicWaker,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stage: Stage,
    progress: Option<Progress>,
    // What the handler registered last.
    undo: Option<UndoCall>,
    // What the command invoked and is listed, or has invoked something that is.
    children: BTreeMap<RunningId, Weak<Control>>,
    is_linked: bool,
    // Those that await the signal.
    signals: BTreeMap<u64, Waker>,
    next_signal: u64,
}

/// Whether the command is in the list of its workbench. Most commands end before they would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Unlisted,
    Listed,
    Ended,
}

impl Control {
    pub(crate) fn new(mut started: Started, list: Arc<dyn Listing>) -> Arc<Self> {
        // What a command of a turn invokes through the same workbench belongs to the turn.
        if started.turn_id.is_none() {
            let parent = started.parent.as_ref().filter(|parent| Arc::ptr_eq(&parent.list, &list));
            started.turn_id = parent.and_then(|parent| parent.started.turn_id.clone());
        }
        let born = started.parent.as_ref().map_or(Cancel::No, |parent| parent.cancel_state());
        Arc::new(Self {
            id: RunningId::unique(),
            started,
            list,
            born,
            cancel: AtomicU8::new(0),
            looked: AtomicBool::new(false),
            waker: AtomicWaker::new(),
            state: Mutex::default(),
        })
    }

    /// Whether both run in the same workbench.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.list, &other.list)
    }

    fn cancel_state(&self) -> Cancel {
        Cancel::from_number(self.cancel.load(Ordering::SeqCst))
    }

    /// Whether somebody cancelled the command.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel_state() != Cancel::No
    }

    /// Whether the handler is to be dropped.
    pub(crate) fn is_to_be_dropped(&self) -> bool {
        match self.cancel_state() {
            Cancel::No => false,
            Cancel::Asked => !self.looked.load(Ordering::SeqCst),
            Cancel::Forced => true,
        }
    }

    /// The handler looks at the signal: from now on it is asked to end, and not dropped at once.
    pub(crate) fn look(self: &Arc<Self>) -> bool {
        if !self.looked.swap(true, Ordering::SeqCst) {
            self.appear();
        }
        self.is_cancelled()
    }

    /// The command waits in this task.
    pub(crate) fn wait(self: &Arc<Self>, cx: &Context<'_>) {
        self.appear();
        // The waker is code of the product.
        let _ = contained("waker", || self.waker.register(cx.waker()));
    }

    pub(crate) fn progress(&self) -> Option<Progress> {
        lock(&self.state).progress.clone()
    }

    /// The latest progress wins. What ended reports none.
    pub(crate) fn set_progress(self: &Arc<Self>, progress: Progress) {
        let progress = progress.bounded();
        let before = {
            let mut state = lock(&self.state);
            if state.stage == Stage::Ended {
                return;
            }
            state.progress.replace(progress.clone())
        };
        drop(before);
        if let Some(observer) = &self.started.observer {
            observer.set(progress);
        }
        if !self.appear() {
            self.list.changed();
        }
    }

    /// Puts the command into the list, unless it is there or has ended. Returns whether it was put there.
    fn appear(self: &Arc<Self>) -> bool {
        {
            let mut state = lock(&self.state);
            if state.stage != Stage::Unlisted {
                return false;
            }
            state.stage = Stage::Listed;
        }
        self.list.add(self);
        // It may have ended meanwhile, in another thread, and was not in the list then.
        if lock(&self.state).stage == Stage::Ended {
            self.list.remove(self.id);
        }
        self.link();
        true
    }

    /// Makes the command known to what invoked it, so that cancelling that cancels this.
    fn link(self: &Arc<Self>) {
        let mut child = self;
        while let Some(parent) = &child.started.parent {
            if mem::replace(&mut lock(&child.state).is_linked, true) {
                return;
            }
            let asked = {
                let mut state = lock(&parent.state);
                state.children.insert(child.id, Arc::downgrade(child));
                parent.cancel_state()
            };
            // What the parent was asked between the start of the child and now has not reached the child.
            if asked > child.born {
                child.ask(asked);
            }
            child = parent;
        }
    }

    /// Cancels the command and what it invoked: the first time they are asked to end, the second time they are dropped.
    pub(crate) fn cancel(self: &Arc<Self>) {
        let next = self.cancel_state().next();
        self.ask(next);
    }

    /// The future of the command was dropped.
    pub(crate) fn abandon(self: &Arc<Self>) {
        self.ask(Cancel::Asked);
    }

    fn ask(self: &Arc<Self>, how: Cancel) {
        let mut asked = vec![self.clone()];
        while let Some(control) = asked.pop() {
            let (signals, children) = {
                let mut state = lock(&control.state);
                let before = control.cancel.fetch_max(how as u8, Ordering::SeqCst);
                if before >= how as u8 {
                    continue;
                }
                let children: Vec<_> = state.children.values().filter_map(Weak::upgrade).collect();
                (mem::take(&mut state.signals), children)
            };
            for (_, signal) in signals {
                let _ = contained("waker", || signal.wake());
            }
            let _ = contained("waker", || control.waker.wake());
            control.list.changed();
            asked.extend(children);
        }
    }

    /// Sets what undoes the call. Returns whether the command still runs.
    pub(crate) fn set_undo(&self, undo: Option<UndoCall>) -> bool {
        let mut state = lock(&self.state);
        if state.stage == Stage::Ended {
            return false;
        }
        state.undo = undo;
        true
    }

    /// The command has ended, or its future was dropped. Returns what undoes the call.
    pub(crate) fn end(&self) -> Option<UndoCall> {
        let (before, undo) = {
            let mut state = lock(&self.state);
            (mem::replace(&mut state.stage, Stage::Ended), state.undo.take())
        };
        if before == Stage::Listed {
            let _ = contained("waker", || drop(self.waker.take()));
            self.list.remove(self.id);
        }
        undo
    }

    /// A new place for somebody who awaits the signal.
    fn new_signal(&self) -> u64 {
        let mut state = lock(&self.state);
        state.next_signal += 1;
        state.next_signal
    }

    fn poll_signal(&self, place: u64, cx: &Context<'_>) -> Poll<()> {
        // Both are code of the product.
        let Ok(waker) = contained("waker", || cx.waker().clone()) else { return Poll::Pending };
        let (is_cancelled, before) = {
            let mut state = lock(&self.state);
            match self.is_cancelled() {
                true => (true, Some(waker)),
                false => (false, state.signals.insert(place, waker)),
            }
        };
        let _ = contained("waker", || drop(before));
        if is_cancelled { Poll::Ready(()) } else { Poll::Pending }
    }

    fn forget_signal(&self, place: u64) {
        let before = lock(&self.state).signals.remove(&place);
        let _ = contained("waker", || drop(before));
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_linked = state.is_linked;
        if state.stage != Stage::Unlisted {
            let _ = contained("waker", || drop(self.waker.take()));
        }
        // A chain is as long as the nesting limit, which a product may raise. It is not dropped recursively.
        let mut parent = self.started.parent.take();
        if let (Some(parent), true) = (&parent, is_linked) {
            lock(&parent.state).children.remove(&self.id);
        }
        while let Some(mut control) = parent.and_then(Arc::into_inner) {
            parent = control.started.parent.take();
            if let Some(parent) = &parent {
                lock(&parent.state).children.remove(&control.id);
            }
        }
    }
}

/// The signal that a command was cancelled, from [`Call::cancelled`](crate::Call::cancelled). It resolves once the command
/// is cancelled, and never if it is not.
#[must_use = "a signal does nothing unless it is polled"]
pub struct CancelSignal {
    control: Arc<Control>,
    place: u64,
}

impl CancelSignal {
    pub(crate) fn new(control: Arc<Control>) -> Self {
        let place = control.new_signal();
        Self { control, place }
    }
}

impl Future for CancelSignal {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.control.poll_signal(self.place, cx)
    }
}

impl Drop for CancelSignal {
    fn drop(&mut self) {
        self.control.forget_signal(self.place);
    }
}

impl fmt::Debug for CancelSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelSignal")
            .field("is_cancelled", &self.control.is_cancelled())
            .finish_non_exhaustive()
    }
}

impl fmt::Display for RunningId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
