//! Real agents: installs what they are made with under the target directory, and runs the tests that start and drive
//! them. What the agents do and what is expected of it is in `crates/drawloom-cli/tests/interop`.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Verdict, read};
use crate::tools::NEXTEST;
use crate::workspace::metadata;

const REQUIREMENTS: &str = "crates/drawloom-cli/tests/interop/agents/requirements.txt";
const NODE_PACKAGES: &str = "crates/drawloom-cli/tests/interop/node";
// Of the workspace, as for all tests: what is built for a package alone may have other features.
const TESTS: [&str; 6] = ["nextest", "run", "--workspace", "--locked", "--test=interop", "--no-fail-fast"];

const PYTHON: Program = Program {
    name: if cfg!(windows) { "python" } else { "python3" },
    advice: "install Python 3.11 or later with its module venv (Debian: python3-venv), and put it on the PATH",
};
const NODE: Program = Program { name: "node", advice: "install Node.js 20 or later, and put it on the PATH" };
const NPM: Program = Program {
    name: if cfg!(windows) { "npm.cmd" } else { "npm" },
    advice: "install npm, which comes with Node.js, and put it on the PATH",
};
const NEEDS_A_NETWORK: &str = "it fetches packages, once: run this where there is a network, or set up for it where they are to come from";

/// Drives the agents of `crates/drawloom-cli/tests/interop`.
pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    NEXTEST.ensure(root, cargo)?;
    let home = PathBuf::from(metadata(root, cargo)?.target_directory.join("interop"));
    let python = python(root, &home)?;
    let node = node(root, &home)?;
    let paths = [("DRAWLOOM_INTEROP_PYTHON", &*python), ("DRAWLOOM_INTEROP_NODE", &*node)];
    if cargo.show_with(root, &TESTS, &paths)?.success() {
        return Ok(Verdict::Holds("interop: passed".to_owned()));
    }
    let failed = Difference::nowhere(format!("`{}` failed", spelled(&TESTS)));
    Ok(Verdict::of("interop", vec![failed], String::new()))
}

/// The interpreter of an environment that has the packages of the agents.
fn python(root: &Path, home: &Path) -> Result<PathBuf, CouldNotRun> {
    let folder = home.join("python");
    let interpreter = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let pins = PYTHON.version()? + &read(root, Path::new(REQUIREMENTS))?;
    install(&folder, &pins, || {
        PYTHON.run(&["-m".as_ref(), "venv".as_ref(), folder.as_os_str()], root, PYTHON.advice)?;
        let pip = |arguments: &[&str]| {
            let arguments = ["-m", "pip", "--disable-pip-version-check"].iter().chain(arguments);
            let arguments: Vec<&OsStr> = arguments.map(OsStr::new).collect();
            run(interpreter.as_os_str(), &arguments, root, NEEDS_A_NETWORK)
        };
        // Every package is pinned, so none is looked for besides, and afterwards they are seen to fit together.
        pip(&["install", "--quiet", "--no-deps", "--requirement", REQUIREMENTS])?;
        pip(&["check"])
    })?;
    Ok(interpreter)
}

/// The folder whose `node_modules` has the packages of the protocol.
fn node(root: &Path, home: &Path) -> Result<PathBuf, CouldNotRun> {
    let folder = home.join("node");
    let files = ["package.json", "package-lock.json"];
    let texts = files.map(|file| read(root, &Path::new(NODE_PACKAGES).join(file)));
    let [package, lock] = texts;
    let texts = [package?, lock?];
    let pins = NODE.version()? + &texts.concat();
    install(&folder, &pins, || {
        for (file, text) in files.iter().zip(&texts) {
            write(&folder.join(file), text)?;
        }
        let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"].map(OsStr::new);
        NPM.run(&arguments, &folder, NEEDS_A_NETWORK)
    })?;
    Ok(folder)
}

/// Has the steps fill a new folder, unless it is there from the same pins.
fn install(
    folder: &Path,
    pins: &str,
    steps: impl FnOnce() -> Result<(), CouldNotRun>,
) -> Result<(), CouldNotRun> {
    // It is written last, and goes with the folder: half an installation has none.
    let stamp = folder.join("installed-from");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == pins) {
        return Ok(());
    }
    let unwritable = |source| CouldNotRun::Unwritable { path: folder.to_owned(), source };
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != ErrorKind::NotFound => return Err(unwritable(source)),
        _ => fs::create_dir_all(folder).map_err(unwritable)?,
    }
    steps()?;
    write(&stamp, pins)
}

fn write(path: &Path, text: &str) -> Result<(), CouldNotRun> {
    fs::write(path, text).map_err(|source| CouldNotRun::Unwritable { path: path.to_owned(), source })
}

/// A program that has to be there.
struct Program {
    name: &'static str,
    /// What to do where it is not.
    advice: &'static str,
}

impl Program {
    /// What it says its version is. An environment made with another may not work with this one.
    fn version(&self) -> Result<String, CouldNotRun> {
        let output = Command::new(self.name)
            .arg("--version")
            .output()
            .map_err(|source| CouldNotRun::NoProgram { program: self.name, source, advice: self.advice })?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs it in this directory, with everything it prints shown.
    fn run(&self, arguments: &[&OsStr], directory: &Path, advice: &'static str) -> Result<(), CouldNotRun> {
        match run(OsStr::new(self.name), arguments, directory, advice) {
            Err(CouldNotRun::NotStarted { source, .. }) => {
                Err(CouldNotRun::NoProgram { program: self.name, source, advice: self.advice })
            }
            ran => ran,
        }
    }
}

fn run(
    program: &OsStr,
    arguments: &[&OsStr],
    directory: &Path,
    advice: &'static str,
) -> Result<(), CouldNotRun> {
    let words = [program].into_iter().chain(arguments.iter().copied());
    let command = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    eprintln!("installing with `{command}`");
    let status = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .status()
        .map_err(|source| CouldNotRun::NotStarted { command: command.clone(), source })?;
    if status.success() { Ok(()) } else { Err(CouldNotRun::InstallFailed { command, status, advice }) }
}
