//! The command model: what a command declares, and what a call to it is.
