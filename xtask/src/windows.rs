//! Checks the types of the binary for Windows. Nothing is linked or run; the C compiler is for the build scripts of the
//! dependencies, which is why it is needed even for a check.

use std::path::Path;
use std::process::Command;

use crate::cargo::Cargo;
use crate::report::{CouldNotRun, Verdict};
use crate::{rustup, tools};

const TARGET: &str = "x86_64-pc-windows-gnu";
const C_COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// The package of Debian that has the compiler.
const PACKAGE: &str = "gcc-mingw-w64-x86-64";
const ADVICE: &str = "install a C compiler for Windows (Debian: gcc-mingw-w64-x86-64), and put x86_64-w64-mingw32-gcc on the PATH";

/// `cargo xtask windows`.
pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    rustup::add_target(root, TARGET)?;
    ensure_compiler(root)?;
    let arguments = ["check", "--locked", "--package", "drawloom-cli", "--bins", "--target", TARGET];
    tools::in_order(root, cargo, "windows", &[&arguments])
}

fn ensure_compiler(root: &Path) -> Result<(), CouldNotRun> {
    if Command::new(C_COMPILER).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let arguments = ["install", "--yes", "--no-install-recommends", PACKAGE];
    let command = format!("apt-get {}", arguments.join(" "));
    eprintln!("\"{C_COMPILER}\" is missing; installing it with `{command}`");
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .current_dir(root)
        .status()
        .map_err(|source| CouldNotRun::NoProgram { program: "apt-get", source, advice: ADVICE })?;
    if status.success() {
        Ok(())
    } else {
        Err(CouldNotRun::InstallFailed { command, status, advice: ADVICE })
    }
}
