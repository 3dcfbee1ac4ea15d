//! An agent's calls, from the first event about each to its answer.
//!
//! A call is a run and an id. The [`ledger`] alone knows the state of each call of each run; everybody else asks it.
//! [`ToolCallAssembler`] is a face of it for those who need nothing but complete calls.
//!
//! # States
//!
//! | state | what it means | what comes next |
//! | --- | --- | --- |
//! | open | Its arguments arrive. A start for it begins a new attempt. | closed, left, bound, answered by the backend; torn by a loss |
//! | torn | Open, and an event about it was lost or damaged. It will not run. | as open; whole again only by a start |
//! | closed | It is answered here and waits for that. What closes it decides who answers it. | asked; bound |
//! | asked | It was handed out: its arguments are read, its hook decides. | running, answered, cancelled; bound |
//! | running | It was handed to the workbench. | answered |
//! | answered | It was answered here: it ran, or was refused or declined. | bound, if it did not run |
//! | cancelled | It was cancelled before it ran, and answered with that. | bound |
//! | answered by the backend | A result came before it was answered here. | - |
//! | left | Its tool is not offered, or an interrupt was bound to its id in this turn. It waits for the backend's result. | answered by the backend, bound; at the end of the run closed or unreported |
//! | unreported | The run ended without its result, and the agent went on. | answered by the backend, bound |
//! | bound | An interrupt is bound to it. It never runs here in this turn. | answered by the backend |
//! | earlier | It belongs to an earlier time that the same run was sent. | - |
//!
//! # Who answers a call
//!
//! That is decided when it closes, in this order:
//!
//! 1. It was opened after the end of its run: it is refused, or bound if an interrupt was bound to its id in this turn.
//! 2. An interrupt was bound to its id in this turn: it is left to the backend.
//! 3. It was not closed by the agent, or is over a limit: it is refused with that reason. (A limit to the arguments or to the
//!    open calls is looked at after the offer where calls may be left to the backend.)
//! 4. Its tool is not offered, or it names none: it is refused through the hook, or left to the backend.
//! 5. It is torn: it is refused with that reason.
//! 6. It runs.
//!
//! # What ends a run
//!
//! | end | open, by chunks | open, by a start | left | only in the last snapshot |
//! | --- | --- | --- | --- | --- |
//! | success, interrupt | closes | refused: never closed | refused, or unreported if the agent went on | closes |
//! | cancelled, error, unknown, stream lost, another run | refused | refused | refused | refused |
//!
//! # What is kept
//!
//! An open call holds its arguments within the limit. Of a call that is over, 8 bytes are kept, a keyed hash of its id, for
//! the last 64 runs and at most a million ids. The counts of ids that tell an old answer in a snapshot from a new one are
//! as large as the last history, the last snapshot and those runs. A turn keeps the outcomes of the calls that ran in it.

mod assembler;
mod hash;
mod history;
mod incomplete;
mod lanes;
mod ledger;
mod limits;
mod message_id;
#[cfg(test)]
mod model;
mod open;
mod report;
mod runs;
#[cfg(test)]
pub(crate) mod short;

pub use assembler::{AssembledCall, ToolCallAssembler};
pub use incomplete::{IncompleteCall, LimitExceeded};
pub(crate) use ledger::{
    CallEnd, CallKey, DueCall, Ledger, Offered, RunIds, Treatment, UnreportedCall, history_items,
};
pub use ledger::{CallState, RunState, UnofferedCalls, Withdrawn, WithdrawnCall};
pub use limits::AssemblerLimits;
pub use report::Report;
