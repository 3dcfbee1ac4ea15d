//! `cargo xtask mutants`: changes the files that decide about a command in small ways, and checks that a test notices each
//! change. cargo-mutants makes the changes, in a copy of the workspace.
//!
//! A part runs in two rounds. The first has only the tests of the package itself, which are built quickly. The second has the
//! scenarios of the capability and the properties, for the mutants that the first did not catch. What survives both has to be
//! listed in `xtask/mutants.toml` with a reason. It takes hours, so `.ci/run` does not run it.

mod parts;
mod survivors;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use parts::{PARTS, Part};
use survivors::Found;

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Verdict};
use crate::tools::{MUTANTS, NEXTEST};
use crate::workspace::metadata;

const CHECK: &str = "mutants";
const SURVIVORS: &str = "xtask/mutants.toml";
/// A test that takes longer than this, in seconds, waits for something that the mutant took away.
const TIMEOUT: &str = "300";

/// Runs these parts, or all, one after the other.
pub(crate) fn check(root: &Path, cargo: &Cargo, asked: &[String]) -> Result<Verdict, CouldNotRun> {
    let names = PARTS.map(|part| part.name);
    if let Some(unknown) = asked.iter().find(|asked| !names.contains(&asked.as_str())) {
        return Err(CouldNotRun::UnknownPart { asked: unknown.clone(), known: names.join(", ") });
    }
    let survivors = survivors::load(root, Path::new(SURVIVORS))?;
    let mut differences = survivors::unsound(&survivors, &names);
    NEXTEST.ensure(root, cargo)?;
    MUTANTS.ensure(root, cargo)?;
    let home = PathBuf::from(metadata(root, cargo)?.target_directory.join(CHECK));
    let mut counts = Vec::new();
    for part in PARTS.iter().filter(|part| asked.is_empty() || asked.iter().any(|asked| asked == part.name)) {
        match run(root, cargo, part, &home)? {
            Ok(found) => {
                counts.push(format!(
                    "{} {} of {}",
                    part.name,
                    found.caught.len(),
                    found.caught.len() + found.missed.len()
                ));
                differences.extend(survivors::compare(&survivors, part.name, &found));
            }
            Err(difference) => differences.push(difference),
        }
    }
    Ok(Verdict::of(
        CHECK,
        differences,
        format!("{CHECK}: noticed: {}; all others are listed", counts.join(", ")),
    ))
}

/// Runs one part: what it found, or that the tests fail without any mutant.
fn run(
    root: &Path,
    cargo: &Cargo,
    part: &Part,
    home: &Path,
) -> Result<Result<Found, Difference>, CouldNotRun> {
    let output = home.join(part.name);
    match fs::remove_dir_all(&output) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            return Err(CouldNotRun::Unwritable { path: output, source });
        }
        _ => fs::create_dir_all(&output)
            .map_err(|source| CouldNotRun::Unwritable { path: output.clone(), source })?,
    }
    // One folder for the builds of all parts, so that what does not change is built once.
    let builds = [("CARGO_TARGET_DIR", home.join("target"))];
    let folder = output.to_string_lossy();
    let filter = format!("binary(properties) | test(/^{}::/)", part.capability);
    let own = ["--test-package", part.package];
    let shared =
        ["--iterate", "--test-package", "drawloom-tests", "--cargo-test-arg=-E", "--cargo-test-arg", &filter];
    let mut found = Found::default();
    for round in [&own[..], &shared[..]] {
        let mut arguments = vec!["mutants", "--package", part.package];
        arguments.extend(part.files.iter().flat_map(|file| ["--file", file]));
        arguments.extend([
            "--test-tool=nextest",
            "--jobs=1",
            "--no-shuffle",
            "--timeout",
            TIMEOUT,
            "--no-times",
        ]);
        arguments.extend(["--cargo-arg=--locked", "--output", &folder]);
        arguments.extend(round);
        let status =
            cargo.show_with(root, &arguments, &builds.each_ref().map(|(name, path)| (*name, path)))?;
        // cargo-mutants: 0 if all are caught, 2 if some are missed, 3 if some ran too long.
        match status.code() {
            Some(0 | 2 | 3) => {}
            Some(4) => {
                let what = format!("the tests of part \"{}\" fail without any mutant", part.name);
                return Ok(Err(Difference::nowhere(what)));
            }
            _ => return Err(CouldNotRun::CommandFailed { command: spelled(&arguments), status }),
        }
        found.caught.extend(lines(&output, "caught.txt")?);
        // A mutant that makes a test wait is noticed.
        found.caught.extend(lines(&output, "timeout.txt")?);
        found.missed = lines(&output, "missed.txt")?;
        if found.missed.is_empty() {
            break;
        }
    }
    // One that ran too long in both rounds is in both lists.
    found.caught.sort();
    found.caught.dedup();
    Ok(Ok(found))
}

/// The mutants of one list of the last round.
fn lines(output: &Path, list: &str) -> Result<Vec<String>, CouldNotRun> {
    let path = output.join("mutants.out").join(list);
    let text = fs::read_to_string(&path).map_err(|source| CouldNotRun::Unreadable { path, source })?;
    Ok(text.lines().map(str::to_owned).collect())
}
