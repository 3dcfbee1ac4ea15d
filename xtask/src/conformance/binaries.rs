//! The test binaries that hold the scenarios: which there are, and what cargo built of them. A scenario has its test in exactly
//! one of them. What tests are in them is for `harness` to ask.

use std::path::{Path, PathBuf};

use cargo_metadata::{Artifact, Message, TargetKind};
use serde::Deserialize;

use super::sources::Sources;
use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Place, read};

/// The name that each of them has as a target of its package.
const TARGET: &str = "scenarios";

/// The root of each, from the root of the workspace.
const ROOTS: [&str; 2] = [
    // The package `drawloom-tests`: everything that needs no binary.
    "tests/scenarios/main.rs",
    // The package `drawloom-cli`: what runs the binary, which cargo hands only to tests of its own package.
    "crates/drawloom-cli/tests/scenarios/main.rs",
];

/// What is in the sources of all of them. A binary that there is not has none.
pub(super) fn sources(root: &Path) -> Result<Sources, CouldNotRun> {
    let mut sources = Sources::default();
    for main in ROOTS.map(Path::new) {
        if root.join(main).exists() {
            sources.add(root, main)?;
        }
    }
    Ok(sources)
}

// Of the workspace, as for all tests: what is built for a package alone may have other features, and be built anew.
const BUILD: [&str; 8] = [
    "test",
    "--locked",
    "--workspace",
    "--test",
    TARGET,
    "--no-run",
    "--message-format",
    "json-render-diagnostics",
];

/// The executables of the declared binaries, and what is wrong with the targets of their name.
pub(super) fn built(root: &Path, cargo: &Cargo) -> Result<(Vec<PathBuf>, Vec<Difference>), CouldNotRun> {
    let printed = cargo.read(root, &BUILD)?;
    let mut executables = Vec::new();
    let mut differences = Vec::new();
    for message in Message::parse_stream(printed.as_bytes()) {
        let message = message.map_err(|error| CouldNotRun::Unintelligible {
            command: spelled(&BUILD),
            detail: error.to_string(),
        })?;
        let Message::CompilerArtifact(artifact) = message else { continue };
        let Some(executable) = executable(&artifact) else { continue };
        match undeclared(root, &artifact)? {
            None => executables.push(executable),
            Some(difference) => differences.push(difference),
        }
    }
    Ok((executables, differences))
}

fn executable(artifact: &Artifact) -> Option<PathBuf> {
    let is_ours = artifact.target.name == TARGET && artifact.target.kind.contains(&TargetKind::Test);
    artifact.executable.clone().map(PathBuf::from).filter(|_| is_ours)
}

/// Why a binary does not count.
fn undeclared(root: &Path, artifact: &Artifact) -> Result<Option<Difference>, CouldNotRun> {
    let within = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_path_buf();
    let main = within(artifact.target.src_path.as_std_path());
    if !ROOTS.map(Path::new).contains(&&*main) {
        let what = format!(
            "a test binary \"{TARGET}\" that xtask/src/conformance/binaries.rs does not declare; declare or rename it"
        );
        return Ok(Some(Difference::at(&Place::file(&main), what)));
    }
    let manifest = within(artifact.manifest_path.as_std_path());
    let own_harness = has_own_harness(&manifest, &read(root, &manifest)?)?;
    let what =
        format!("the test binary \"{TARGET}\" has harness = false and may list what it likes; remove that");
    Ok(own_harness.then(|| Difference::at(&Place::file(&manifest), what)))
}

/// Whether the target of our name has no harness that lists its tests.
fn has_own_harness(file: &Path, manifest: &str) -> Result<bool, CouldNotRun> {
    #[derive(Deserialize)]
    struct Manifest {
        #[serde(default)]
        test: Vec<Test>,
    }
    #[derive(Deserialize)]
    struct Test {
        name: String,
        harness: Option<bool>,
    }
    let Manifest { test } = toml::from_str(manifest).map_err(|error| CouldNotRun::Unparsable {
        place: Place::file(file),
        detail: error.message().to_owned(),
    })?;
    Ok(test.iter().any(|test| test.name == TARGET && test.harness == Some(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_the_harness_is_known() {
        let own = |text| has_own_harness(Path::new("Cargo.toml"), text).unwrap();
        assert!(own("[package]\nname = \"a\"\n[[test]]\nname = \"scenarios\"\nharness = false\n"));
        assert!(!own(
            "[[test]]\nname = \"scenarios\"\nharness = true\n[[test]]\nname = \"b\"\nharness = false\n"
        ));
        assert!(!own("[package]\nname = \"a\"\n"));
    }
}
