//! The drawloom command line.
fn main() {}
