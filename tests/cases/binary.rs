//! The binary `drawloom`, built by cargo from the sources as they are, and run.
//!
//! Cargo builds binaries for the tests of their own package and of no other. So cargo is asked for this one: it knows
//! whether anything is to be built, and says where the binary is. That is once for a process, and under nextest, which
//! gives each test a process, once for a run.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a binary that cannot be built or run fails its test"
)]

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;

use serde_json::Value;

/// What became of one run of the binary.
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

/// Where the binary is.
pub(crate) fn path() -> &'static Path {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| built_in_this_run().unwrap_or_else(build));

    &BINARY
}

/// Starts `drawloom` with these arguments, and pipes for everything.
pub(crate) fn start<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Child {
    let mut command = Command::new(path());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// Runs `drawloom` with these arguments and this standard input, to its end.
pub(crate) fn drawloom<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>, input: &[u8]) -> Output {
    let mut running = start(arguments);
    let mut stdin = running.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        // It need not read all of it.
        scope.spawn(move || drop(stdin.write_all(input)));
        running.wait_with_output().unwrap()
    });
    Output {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Cargo's own folder for the files of tests, in the target directory that this test was built in.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Where the last build of a nextest run wrote down what it built.
fn note() -> PathBuf {
    scratch().join("drawloom-binary")
}

/// What another test of this nextest run has built.
fn built_in_this_run() -> Option<PathBuf> {
    let run = env::var("NEXTEST_RUN_ID").ok()?;
    let note = fs::read_to_string(note()).ok()?;
    let (of_run, path) = note.split_once('\n')?;
    (of_run == run).then(|| path.into())
}

fn build() -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // What describes the package of the tests makes build scripts that look at it run anew.
    let describes_tests = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in env::vars_os().filter(|(name, _)| describes_tests(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    let built = command
        .args([
            "build",
            "--locked",
            "--package",
            "drawloom-cli",
            "--message-format",
            "json-render-diagnostics",
        ])
        .arg("--target-dir")
        .arg(scratch().parent().unwrap())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap())
        .stdin(Stdio::null())
        .output()
        .expect("cargo runs");
    assert!(built.status.success(), "drawloom is not built:\n{}", String::from_utf8_lossy(&built.stderr));
    let messages = String::from_utf8(built.stdout).unwrap();
    let path = messages
        .lines()
        .filter_map(|message| serde_json::from_str::<Value>(message).ok())
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .expect("cargo says where the binary is");
    if let Ok(run) = env::var("NEXTEST_RUN_ID") {
        // Another test may be reading it.
        let written = scratch().join(format!("drawloom-binary-{}", process::id()));
        fs::write(&written, format!("{run}\n{}", path.display())).unwrap();
        fs::rename(written, note()).unwrap();
    }
    path
}
