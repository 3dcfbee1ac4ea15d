//! Where `cargo xtask interop` installed what the agents need.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of this folder.
pub(crate) fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop").join(path)
}

/// The Python that has the packages of `agents/requirements.txt`, and the script to run.
pub(crate) fn python(script: &str) -> Command {
    let mut command = Command::new(installed("DRAWLOOM_INTEROP_PYTHON"));
    // The sources stay as they are: what Python compiles is not kept beside them.
    command.arg("-B").arg(source(script));
    command
}

/// Node and the script to run, which finds the packages of `node/package.json` by itself.
pub(crate) fn node(script: &str) -> Command {
    installed("DRAWLOOM_INTEROP_NODE");
    let mut command = Command::new("node");
    command.arg(source(script));
    command
}

/// The command line of the MCP inspector, of the packages of `node/package.json`.
pub(crate) fn inspector() -> Command {
    let packages = installed("DRAWLOOM_INTEROP_NODE").join("node_modules");
    let mut command = Command::new("node");
    command.arg(packages.join("@modelcontextprotocol/inspector/cli/build/cli.js")).arg("--cli");
    command
}

fn installed(variable: &str) -> PathBuf {
    let path = env::var_os(variable);
    path.unwrap_or_else(|| panic!("{variable} is not set; run the tests with `cargo xtask interop`")).into()
}
