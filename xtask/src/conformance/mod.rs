//! `cargo xtask conformance`: every scenario under `openspec/specs` is bound to exactly one test, which
//! repeats its text. Here the pieces are put together and the files are found.
//!
//! A scenario `One answer` of a requirement `A call is answered` of the capability `ag-ui-tools` is the test
//! `ag_ui_tools::a_call_is_answered::one_answer` of one of the test binaries in `binaries`, and the doc comment of that test
//! holds the scenario's bullets.

mod binaries;
mod binding;
mod exceptions;
mod harness;
mod markdown;
mod print;
mod rules;
mod slug;
mod sources;
mod spec;

use std::path::{Path, PathBuf};

use binding::Project;
use spec::Spec;

use crate::cargo::Cargo;
use crate::report::{CouldNotRun, Difference, Place, Verdict, read};

const SPECS: &str = "openspec/specs";
const EXCEPTIONS: &str = "openspec/conformance-exceptions.toml";
const CHECK: &str = "conformance";

pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let (specs, mut differences) = specs(root)?;
    let exceptions = exceptions::load(root, Path::new(EXCEPTIONS))?;
    let tests = binaries::tests(root)?;
    let harness = harness::list(root, cargo)?;
    let project = Project { specs: &specs, harness: &harness, tests: &tests, exceptions: &exceptions };
    differences.extend(project.differences());

    let mut summary = format!(
        "{CHECK}: {} scenarios in {} specs, each bound to one test",
        specs
            .iter()
            .flat_map(|spec| &spec.requirements)
            .map(|requirement| requirement.scenarios.len())
            .sum::<usize>(),
        specs.len(),
    );
    if !exceptions.is_empty() {
        summary.push_str(&format!("; {} ignored for a stated reason", exceptions.len()));
    }
    Ok(Verdict::of(CHECK, differences, summary))
}

/// What the tests of one capability have to be; first of all, its spec has to be sound.
pub(crate) fn print(root: &Path, capability: &str) -> Result<Verdict, CouldNotRun> {
    let capabilities = capabilities(root)?;
    if !capabilities.iter().any(|known| known == capability) {
        return Err(CouldNotRun::UnknownCapability {
            asked: capability.to_owned(),
            known: capabilities.join(", "),
        });
    }
    let (spec, differences) = load(root, capability)?;
    Ok(Verdict::of(CHECK, differences, print::skeleton(&spec).trim_end().to_owned()))
}

fn specs(root: &Path) -> Result<(Vec<Spec>, Vec<Difference>), CouldNotRun> {
    let mut specs = Vec::new();
    let mut differences = Vec::new();
    for capability in capabilities(root)? {
        let (spec, found) = load(root, &capability)?;
        differences.extend(found);
        specs.push(spec);
    }
    let places: Vec<_> = specs.iter().map(|spec| Place::new(&spec.file, 1)).collect();
    rules::names(
        "capability",
        specs.iter().map(|spec| spec.capability.as_str()).zip(&places),
        &mut differences,
    );
    Ok((specs, differences))
}

fn load(root: &Path, capability: &str) -> Result<(Spec, Vec<Difference>), CouldNotRun> {
    let file = spec_file(capability);
    let (spec, mut differences) = spec::parse(capability, &file, &read(root, &file)?);
    differences.extend(rules::broken(&spec));
    Ok((spec, differences))
}

fn spec_file(capability: &str) -> PathBuf {
    Path::new(SPECS).join(capability).join("spec.md")
}

/// The directories under `openspec/specs`, each of which is a capability and has to hold a `spec.md`.
fn capabilities(root: &Path) -> Result<Vec<String>, CouldNotRun> {
    let directory = root.join(SPECS);
    let unreadable = |source| CouldNotRun::Unreadable { path: directory.clone(), source };
    let mut capabilities = Vec::new();
    for entry in std::fs::read_dir(&directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.path().is_dir() {
            capabilities.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    if capabilities.is_empty() {
        return Err(CouldNotRun::NoSpecs(directory));
    }
    capabilities.sort();
    Ok(capabilities)
}
