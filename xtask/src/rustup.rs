//! Installs what rustup has: toolchains beside the pinned one, and targets of the pinned one.

use std::path::Path;
use std::process::Command;

use crate::cargo::Cargo;
use crate::report::CouldNotRun;

const ADVICE: &str = "install rustup (https://rustup.rs) and run this where there is a network, once";

/// The nightly Rust of everything that needs one. The version of `public-api` reads what its rustdoc writes.
pub(crate) const NIGHTLY: &str = "nightly-2026-05-20";

/// Adds a target to the toolchain that is in use. Does nothing where it is there.
pub(crate) fn add_target(root: &Path, target: &str) -> Result<(), CouldNotRun> {
    rustup(root, &["target", "add", target])
}

/// Installs a toolchain and returns its cargo. Does nothing where it is there.
pub(crate) fn toolchain(root: &Path, toolchain: &str) -> Result<Cargo, CouldNotRun> {
    let there = Command::new("rustup")
        .args(["run", toolchain, "rustc", "--version"])
        .current_dir(root)
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        rustup(root, &["toolchain", "install", toolchain, "--profile", "minimal", "--no-self-update"])?;
    }
    Ok(Cargo::of_toolchain(toolchain))
}

/// Installs a toolchain with these components and returns its cargo. Does nothing where they are there.
pub(crate) fn toolchain_with(root: &Path, name: &str, components: &[&str]) -> Result<Cargo, CouldNotRun> {
    let cargo = toolchain(root, name)?;
    let mut arguments = vec!["component", "add", "--toolchain", name];
    arguments.extend(components);
    rustup(root, &arguments)?;
    Ok(cargo)
}

fn rustup(root: &Path, arguments: &[&str]) -> Result<(), CouldNotRun> {
    let command = format!("rustup {}", arguments.join(" "));
    let status = Command::new("rustup")
        .args(arguments)
        .current_dir(root)
        .status()
        .map_err(|source| CouldNotRun::NoProgram { program: "rustup", source, advice: ADVICE })?;
    if status.success() {
        Ok(())
    } else {
        Err(CouldNotRun::InstallFailed { command, status, advice: ADVICE })
    }
}
