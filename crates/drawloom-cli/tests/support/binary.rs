//! Running the binary `drawloom`.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

/// What one run of the binary printed, and its exit code.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// The lines of standard output, each of which is JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines.map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{self:#?}"))).collect()
    }
}

/// The path of the binary, which cargo builds for the tests of this package.
pub(crate) fn path() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_drawloom"))
}

/// Starts `drawloom` with these arguments, and with pipes for all its streams.
pub(crate) fn start<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Child {
    let mut command = Command::new(path());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary can be started")
}

/// Runs `drawloom` with these arguments and this standard input until it ends.
pub(crate) fn drawloom<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, input: &[u8]) -> Output {
    let mut running = start(arguments);
    let mut stdin = running.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        // The binary need not read all of its input.
        scope.spawn(move || drop(stdin.write_all(input)));
        running.wait_with_output().unwrap()
    });
    Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
