//! Properties: what holds for whatever is generated, each against an oracle too simple to be wrong.

mod calls;
mod check;
mod derive;
mod exactness;
mod from_schema;
mod reach;
mod schema;
mod strategies;
