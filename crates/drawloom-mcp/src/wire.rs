//! How messages arrive: the arguments of a call are set aside before anything else reads them, and a connection over
//! lines is bounded.

pub(crate) mod arguments;
pub(crate) mod lines;
