//! How deep commands have invoked each other, observed instead of passed.
//!
//! A handler's future is only ever polled through [`Contained`](crate::contain::Contained), which marks the thread
//! with the depth of that invocation for the length of the poll. Whatever is invoked during it, through whichever
//! context, came from that handler, however many awaits, timers or joins lie between. What a handler hands to
//! another task is not polled inside it; that work carries the depth through the handler's [`Call`](crate::Call).

use std::cell::Cell;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The depth of the handler being polled on this thread, or 0 outside of any.
pub(crate) fn current() -> u32 {
    DEPTH.get()
}

/// Marks this thread until the mark is dropped.
pub(crate) fn enter(depth: u32) -> Entered {
    Entered { before: DEPTH.replace(depth) }
}

pub(crate) struct Entered {
    before: u32,
}

impl Drop for Entered {
    fn drop(&mut self) {
        DEPTH.set(self.before);
    }
}
