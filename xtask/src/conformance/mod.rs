//! `cargo xtask conformance`: every scenario under `openspec/specs` is bound to exactly one test, which
//! repeats its text. Here the pieces are put together and the files are found.
//!
//! A scenario `One answer` of a requirement `A call is answered` of the capability `ag-ui-tools` is the test
//! `ag_ui_tools::a_call_is_answered::one_answer` of one of the test binaries in `binaries`, and the doc comment of that test
//! is the scenario's bullets. The comment of its module has the requirement's paragraph, and that of the module around it
//! the purpose of the spec.

mod binaries;
mod binding;
mod exceptions;
mod harness;
mod markdown;
mod print;
mod prose;
mod refused;
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
    differences.extend(stray(root)?);
    let exceptions = exceptions::load(root, Path::new(EXCEPTIONS))?;
    let sources = binaries::sources(root)?;
    let (executables, undeclared) = binaries::built(root, cargo)?;
    differences.extend(undeclared);
    let harness = harness::list(&executables)?;
    let project =
        Project { specs: &specs, harness: &harness, tests: &sources.tests, exceptions: &exceptions };
    differences.extend(project.differences());
    differences.extend(prose::differences(&specs, &sources));
    differences.extend(sources.refused);

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

/// The entries under `openspec/specs` that are not the spec of a capability, and so are not read.
fn stray(root: &Path) -> Result<Vec<Difference>, CouldNotRun> {
    let mut stray = Vec::new();
    for (name, path) in entries(root, Path::new(SPECS))? {
        if path.is_dir() {
            let within = entries(root, &Path::new(SPECS).join(&name))?;
            stray.extend(within.into_iter().filter(|(name, path)| name != "spec.md" || !path.is_file()));
        } else {
            stray.push((name, path));
        }
    }
    let what = "is not read; a spec is openspec/specs/<capability>/spec.md, so move or remove this";
    let within = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_path_buf();
    Ok(stray.iter().map(|(_, path)| Difference::at(&Place::file(&within(path)), what)).collect())
}

/// The names and paths of what a directory of the workspace holds.
fn entries(root: &Path, directory: &Path) -> Result<Vec<(String, PathBuf)>, CouldNotRun> {
    let path = root.join(directory);
    let unreadable = |source| CouldNotRun::Unreadable { path: path.clone(), source };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(&path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        entries.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    entries.sort();
    Ok(entries)
}

/// The directories under `openspec/specs`, each of which is a capability and has to hold a `spec.md`.
fn capabilities(root: &Path) -> Result<Vec<String>, CouldNotRun> {
    let directories = entries(root, Path::new(SPECS))?.into_iter().filter(|(_, path)| path.is_dir());
    let capabilities: Vec<String> = directories.map(|(name, _)| name).collect();
    if capabilities.is_empty() {
        return Err(CouldNotRun::NoSpecs(root.join(SPECS)));
    }
    Ok(capabilities)
}
