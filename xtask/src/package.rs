//! `cargo xtask package`: the packages say what a registry and its readers need to know, have a README and both licences,
//! and build and document by themselves.
//!
//! `cargo package` would verify each package in a build of its own, which takes minutes. Here all packages are unpacked
//! into one workspace below the target directory, away from the files of the project, and checked together.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{Metadata, Package};

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Verdict, read};
use crate::workspace::{manifest, metadata, published};

const CHECK: &str = "package";
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];
const README: &str = "README.md";

pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let metadata = metadata(root, cargo)?;
    let packages = published(&metadata);
    let mut differences: Vec<_> =
        packages.iter().flat_map(|package| missing_fields(&metadata, package)).collect();

    let unpacked = unpack(root, cargo, &metadata, &packages)?;
    for package in &packages {
        differences.extend(contents(root, &unpacked, &metadata, package)?);
    }
    workspace(root, &unpacked, &packages)?;
    let target = [("CARGO_TARGET_DIR", metadata.target_directory.as_str()), ("RUSTDOCFLAGS", "-D warnings")];
    for step in [
        // The lock file is the project's, less what only the crates that stay here need.
        ["check", "--offline", "--workspace", "--all-features"].as_slice(),
        &["doc", "--offline", "--workspace", "--all-features", "--no-deps", "--lib"],
    ] {
        if !cargo.show_with(&unpacked, step, &target)?.success() {
            let what = format!("`{}` failed in \"{}\"", spelled(step), unpacked.display());
            differences.push(Difference::nowhere(what));
        }
    }
    let summary = format!("{CHECK}: {} packages, each complete and built by itself", packages.len());
    Ok(Verdict::of(CHECK, differences, summary))
}

/// The fields that the manifest lacks.
fn missing_fields(metadata: &Metadata, package: &Package) -> Vec<Difference> {
    let docs_rs = package.metadata.pointer("/docs/rs").is_some();
    [
        (package.description.is_some(), "description"),
        (package.license.is_some(), "license"),
        (package.repository.is_some(), "repository"),
        (package.rust_version.is_some(), "rust-version"),
        (!package.keywords.is_empty(), "keywords"),
        (!package.categories.is_empty(), "categories"),
        (docs_rs, "[package.metadata.docs.rs]"),
    ]
    .into_iter()
    .filter(|(present, _)| !present)
    .map(|(_, what)| Difference::at(&manifest(metadata, package), format!("has no {what}; add it")))
    .collect()
}

/// Packs the packages and unpacks each into a folder of its own. Returns the folder above them.
fn unpack(
    root: &Path,
    cargo: &Cargo,
    metadata: &Metadata,
    packages: &[&Package],
) -> Result<PathBuf, CouldNotRun> {
    // What is checked is the work tree, committed or not.
    let mut pack = vec!["package", "--locked", "--no-verify", "--allow-dirty"];
    pack.extend(packages.iter().flat_map(|package| ["--package", package.name.as_str()]));
    let status = cargo.show(root, &pack)?;
    if !status.success() {
        return Err(CouldNotRun::CommandFailed { command: spelled(&pack), status });
    }
    let packed = metadata.target_directory.join("package");
    let unpacked = PathBuf::from(packed.join("unpacked"));
    let unwritable = |source| CouldNotRun::Unwritable { path: unpacked.clone(), source };
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked).map_err(unwritable)?;
    }
    fs::create_dir_all(&unpacked).map_err(unwritable)?;
    for package in packages {
        let archive = packed.join(format!("{}.crate", folder(package)));
        // With the time of now: cargo packs with a time long past, which would make what an earlier run built look newer.
        let command = format!("tar -xzmf {archive}");
        let status = Command::new("tar")
            .args(["-xzmf", archive.as_str()])
            .current_dir(&unpacked)
            .status()
            .map_err(|source| CouldNotRun::NotStarted { command: command.clone(), source })?;
        if !status.success() {
            return Err(CouldNotRun::CommandFailed { command, status });
        }
    }
    Ok(unpacked)
}

fn folder(package: &Package) -> String {
    format!("{}-{}", package.name, package.version)
}

/// What is missing in the unpacked package, or is not what the project has.
fn contents(
    root: &Path,
    unpacked: &Path,
    metadata: &Metadata,
    package: &Package,
) -> Result<Vec<Difference>, CouldNotRun> {
    let folder = unpacked.join(folder(package));
    let place = manifest(metadata, package);
    let mut differences = Vec::new();
    for licence in LICENCES {
        let expected = read(root, Path::new(licence))?;
        if fs::read_to_string(folder.join(licence)).ok().as_deref() != Some(&expected) {
            let what = format!("the package does not have the project's {licence}; link to it");
            differences.push(Difference::at(&place, what));
        }
    }
    match fs::read_to_string(folder.join(README)) {
        Ok(text) if text.contains("\n```") => {}
        Ok(_) => differences.push(Difference::at(&place, format!("its {README} has no example; add one"))),
        Err(_) => differences.push(Difference::at(&place, format!("the package has no {README}; write one"))),
    }
    Ok(differences)
}

/// Makes the folder a workspace in which the packages find each other, and build from the versions that are locked.
fn workspace(root: &Path, unpacked: &Path, packages: &[&Package]) -> Result<(), CouldNotRun> {
    let mut manifest = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for package in packages {
        manifest.push_str(&format!("{} = {{ path = \"{}\" }}\n", package.name, folder(package)));
    }
    for (file, text) in [("Cargo.toml", manifest), ("Cargo.lock", read(root, Path::new("Cargo.lock"))?)] {
        let path = unpacked.join(file);
        fs::write(&path, text).map_err(|source| CouldNotRun::Unwritable { path, source })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::workspace::fake::Workspace;

    use super::*;

    fn workspace_of_one() -> Workspace {
        Workspace::default()
            .package("drawloom-command", &[])
            .stating("description", "a")
            .stating("license", "MIT OR Apache-2.0")
            .stating("repository", "b")
            .stating("rust_version", "1.91")
            .stating("keywords", json!(["c"]))
            .stating("categories", json!(["d"]))
            .stating("metadata", json!({"docs": {"rs": {}}}))
    }

    fn told(differences: &[Difference]) -> Vec<String> {
        differences.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_manifest_says_what_a_registry_needs() {
        let missing = |workspace: Workspace| {
            let metadata = workspace.metadata();
            told(&missing_fields(&metadata, published(&metadata)[0]))
        };
        assert_eq!(missing(workspace_of_one()), [""; 0]);
        assert_eq!(
            missing(workspace_of_one().stating("keywords", json!([])).stating("metadata", json!(null))),
            [
                "crates/drawloom-command/Cargo.toml: has no keywords; add it",
                "crates/drawloom-command/Cargo.toml: has no [package.metadata.docs.rs]; add it",
            ]
        );
    }

    #[test]
    fn an_unpublished_crate_is_no_package() {
        let metadata = workspace_of_one().stating("publish", json!([])).metadata();
        assert!(published(&metadata).is_empty());
    }

    #[test]
    fn a_package_has_an_example_and_the_licences_of_the_project() {
        let root = tempfile::tempdir().unwrap();
        let unpacked = root.path().join("unpacked");
        let folder = unpacked.join("drawloom-command-1.0.0");
        fs::create_dir_all(&folder).unwrap();
        for licence in LICENCES {
            fs::write(root.path().join(licence), licence).unwrap();
            fs::write(folder.join(licence), licence).unwrap();
        }
        fs::write(folder.join(README), "# a\n\n```rust\nb\n```\n").unwrap();
        let metadata = workspace_of_one().metadata();
        let found = || told(&contents(root.path(), &unpacked, &metadata, published(&metadata)[0]).unwrap());
        assert_eq!(found(), [""; 0]);

        // A link that was packed as what it says.
        fs::write(folder.join("LICENSE-MIT"), "../../LICENSE-MIT").unwrap();
        fs::write(folder.join(README), "# a\n").unwrap();
        assert_eq!(
            found(),
            [
                "crates/drawloom-command/Cargo.toml: the package does not have the project's LICENSE-MIT; link to it",
                "crates/drawloom-command/Cargo.toml: its README.md has no example; add one",
            ]
        );
        fs::remove_file(folder.join(README)).unwrap();
        assert_eq!(found()[1], "crates/drawloom-command/Cargo.toml: the package has no README.md; write one");
    }
}
