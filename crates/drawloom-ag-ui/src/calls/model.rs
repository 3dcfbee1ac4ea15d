//! A naive model of the ledger, and the random sequences in which the two must agree.
//!
//! The model keeps every call, run, snapshot and loss there ever was, in lists, and answers each question by looking
//! through them. It has no hashes and no indexes, and forgets nothing before the rules say so.

mod fuzz;
mod opening;
mod play;
mod queries;
mod rules;
mod runs;
mod settling;
