//! Properties: what holds for whatever is generated, each against an oracle too simple to be wrong.

mod calls;
mod check;
mod exactness;
mod reach;
mod schema;
mod strategies;
