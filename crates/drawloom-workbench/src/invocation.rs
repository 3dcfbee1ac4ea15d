//! One invocation that was let through: what a handler is started with, the call that it sees, and how deep it is.

pub(crate) mod call;
pub(crate) mod depth;
pub(crate) mod erased;
pub(crate) mod handler;
pub(crate) mod supervised;
