//! Local.
mod client;
