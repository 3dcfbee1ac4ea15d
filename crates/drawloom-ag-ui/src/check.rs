//! Checks that the events of an agent follow the protocol.
//!
//! Nothing else in this crate asks for that: the adapter makes the best of whatever it is sent. Here is judged what an
//! agent's author would want to repair: a run that does not begin, a call that does not end, an id that is used twice.
//! [`checker`] is the state of a stream, [`open`] what has begun in it and not ended, [`rule`] the rules with their
//! words, and [`breach`] one finding.

mod breach;
mod calls;
mod checker;
mod open;
mod rule;

pub use breach::ProtocolBreach;
pub use checker::ProtocolChecker;
pub use rule::ProtocolRule;

#[cfg(test)]
mod tests;
