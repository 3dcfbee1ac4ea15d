//! Checks of the project itself.
fn main() {}
