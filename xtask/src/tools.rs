//! Runs the tools the project leans on beside cargo itself, installing the one that is missing: cargo-nextest
//! for the tests, cargo-deny for the dependencies, cargo-hack for the features, cargo-bolero for fuzzing, cargo-mutants for
//! `mutants`. A tool that is there is used as it is; the versions are
//! those installed.

use std::path::Path;

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Verdict};

pub(crate) struct Tool {
    name: &'static str,
    /// What cargo calls it by.
    subcommand: &'static str,
    version: &'static str,
}

pub(crate) const NEXTEST: Tool = Tool { name: "cargo-nextest", subcommand: "nextest", version: "0.9.143" };
pub(crate) const HACK: Tool = Tool { name: "cargo-hack", subcommand: "hack", version: "0.6.46" };
pub(crate) const BOLERO: Tool = Tool { name: "cargo-bolero", subcommand: "bolero", version: "0.13.5" };
pub(crate) const MUTANTS: Tool = Tool { name: "cargo-mutants", subcommand: "mutants", version: "27.1.0" };
const DENY: Tool = Tool { name: "cargo-deny", subcommand: "deny", version: "0.20.2" };

/// Runs every test of the workspace, the doctests included.
pub(crate) fn test(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    NEXTEST.ensure(root, cargo)?;
    // nextest does not run doctests; cargo does.
    in_order(
        root,
        cargo,
        "test",
        &[&["nextest", "run", "--workspace", "--locked"], &["test", "--doc", "--workspace", "--locked"]],
    )
}

/// Checks the dependencies. Advisories stay out: they need a network, and can turn red without a commit.
pub(crate) fn deny(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    DENY.ensure(root, cargo)?;
    in_order(root, cargo, "deny", &[&["deny", "--locked", "check", "bans", "licenses", "sources"]])
}

impl Tool {
    pub(crate) fn ensure(&self, root: &Path, cargo: &Cargo) -> Result<(), CouldNotRun> {
        if cargo.has(root, self.subcommand)? {
            return Ok(());
        }
        let versioned = format!("{}@{}", self.name, self.version);
        let install = ["install", "--locked", &versioned];
        eprintln!("\"{}\" is missing; installing it with `{}`", self.name, spelled(&install));
        if cargo.show(root, &install)?.success() {
            return Ok(());
        }
        Err(CouldNotRun::NoTool { tool: self.name, install: spelled(&install) })
    }
}

/// Runs one cargo command after the other until one fails.
pub(crate) fn in_order(
    root: &Path,
    cargo: &Cargo,
    check: &'static str,
    steps: &[&[&str]],
) -> Result<Verdict, CouldNotRun> {
    for step in steps {
        if !cargo.show(root, step)?.success() {
            let failed = crate::report::Difference::nowhere(format!("`{}` failed", spelled(step)));
            return Ok(Verdict::of(check, vec![failed], String::new()));
        }
    }
    Ok(Verdict::Holds(format!("{check}: passed")))
}
