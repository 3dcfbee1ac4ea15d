//! An agent's calls, from the first event about each to its answer.

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
