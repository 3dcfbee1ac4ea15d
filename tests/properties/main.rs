//! Properties: what holds for whatever is generated, each against an oracle too simple to be wrong.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

mod calls;
mod check;
mod client;
mod derive;
mod exactness;
mod from_schema;
mod reach;
mod routes;
mod schema;
mod strategies;
