//! JSON Schema and declared arguments: writing one for the other, and reading one as the other.

mod read;
mod write;

pub use read::{SchemaError, SchemaProblem};
