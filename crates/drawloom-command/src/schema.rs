//! JSON Schema and declared arguments: writing one for the other, and reading one as the other.

mod inline;
mod location;
mod read;
mod reference;
mod write;

pub(crate) use inline::inlined;
pub use read::{SchemaError, SchemaProblem};
