//! The test binaries that hold the scenarios, and nothing else. A scenario has its test in exactly one of them.

use std::path::Path;

use super::sources::{self, SourceTest};
use crate::report::CouldNotRun;

/// The name that each of them has as a target of its package. Cargo is asked for the targets of this name, so a test of a
/// binary that is not listed here is one without a source, and differs.
pub(super) const TARGET: &str = "scenarios";

/// The root of each, from the root of the workspace.
const ROOTS: [&str; 2] = [
    // The package `drawloom-tests`: everything that needs no binary.
    "tests/scenarios/main.rs",
    // The package `drawloom-cli`: what runs the binary, which cargo hands only to tests of its own package.
    "crates/drawloom-cli/tests/scenarios/main.rs",
];

/// The tests in the sources of all of them. A binary that there is not has none.
pub(super) fn tests(root: &Path) -> Result<Vec<SourceTest>, CouldNotRun> {
    let mut tests = Vec::new();
    for main in ROOTS.map(Path::new) {
        if root.join(main).exists() {
            tests.extend(sources::tests(root, main)?);
        }
    }
    Ok(tests)
}
