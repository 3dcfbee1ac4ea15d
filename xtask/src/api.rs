//! `cargo xtask api`: the public API of each library is the one that `docs/api/<crate>.txt` has, so that no change of it
//! goes unseen. Derived, automatic and blanket implementations are left out. `--bless` writes the files.
//!
//! The crate `public-api` reads what rustdoc says as JSON. Only a nightly rustdoc says it, so one is pinned here, and
//! builds in a folder of its own under the target directory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package};

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Place, Verdict, read};
use crate::rustup::{self, NIGHTLY};
use crate::workspace::{metadata, published};

const FOLDER: &str = "docs/api";

pub(crate) fn check(root: &Path, cargo: &Cargo, bless: bool) -> Result<Verdict, CouldNotRun> {
    let metadata = metadata(root, cargo)?;
    let libraries: Vec<&Package> = published(&metadata).into_iter().filter(|it| is_library(it)).collect();
    let folder = document(root, &metadata, &libraries)?;
    let mut differences = Vec::new();
    for library in &libraries {
        let json = folder.join(format!("{}.json", library.name.replace('-', "_")));
        let public = public_api::Builder::from_rustdoc_json(&json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .map_err(|error| CouldNotRun::Unintelligible {
                command: "cargo doc".to_owned(),
                detail: error.to_string(),
            })?;
        let file = snapshot(&library.name);
        if bless {
            write(&root.join(&file), &public.to_string())?;
        } else {
            let kept = if root.join(&file).exists() { read(root, &file)? } else { String::new() };
            differences.extend(changes(&file, &kept, &public.to_string()));
        }
    }
    differences.extend(unneeded(root, &libraries)?);
    let done = if bless { "written to" } else { "as in" };
    Ok(Verdict::of("api", differences, format!("api: {} libraries, {done} {FOLDER}", libraries.len())))
}

/// A procedural macro is left out: what it offers is its attributes, of which rustdoc knows nothing.
fn is_library(package: &Package) -> bool {
    package.targets.iter().any(cargo_metadata::Target::is_lib)
}

fn snapshot(package: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{package}.txt"))
}

/// Has rustdoc say what it knows of the libraries, and returns the folder with the answers.
fn document(root: &Path, metadata: &Metadata, libraries: &[&Package]) -> Result<PathBuf, CouldNotRun> {
    let nightly = rustup::toolchain(root, NIGHTLY)?;
    let target = metadata.target_directory.join("api");
    let mut arguments =
        vec!["doc", "--locked", "--no-deps", "--lib", "--all-features", "--target-dir", target.as_str()];
    arguments.extend(libraries.iter().flat_map(|library| ["--package", library.name.as_str()]));
    let flags = [("RUSTDOCFLAGS", "-Z unstable-options --output-format json")];
    let status = nightly.show_with(root, &arguments, &flags)?;
    if status.success() {
        Ok(target.join("doc").into())
    } else {
        Err(CouldNotRun::CommandFailed { command: spelled(&arguments), status })
    }
}

/// The lines that are in only one of the two.
fn changes(file: &Path, kept: &str, found: &str) -> Vec<Difference> {
    let place = Place::file(file);
    let (kept, found): (BTreeSet<&str>, BTreeSet<&str>) = (kept.lines().collect(), found.lines().collect());
    let gone = kept.difference(&found).map(|line| format!("- {line}"));
    let new = found.difference(&kept).map(|line| format!("+ {line}"));
    let mut lines: Vec<String> = gone.chain(new).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    lines.insert(
        0,
        "the public API has changed; if that is intended, run `cargo xtask api --bless`".to_owned(),
    );
    vec![Difference::at(&place, lines.join("\n  "))]
}

/// The files of libraries that are not there any more.
fn unneeded(root: &Path, libraries: &[&Package]) -> Result<Vec<Difference>, CouldNotRun> {
    let folder = root.join(FOLDER);
    let unreadable = |source| CouldNotRun::Unreadable { path: folder.clone(), source };
    let mut differences = Vec::new();
    if !folder.exists() {
        return Ok(differences);
    }
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let file = Path::new(FOLDER).join(entry.map_err(unreadable)?.file_name());
        if !libraries.iter().any(|library| snapshot(&library.name) == file) {
            differences
                .push(Difference::at(&Place::file(&file), "there is no such library; remove the file"));
        }
    }
    Ok(differences)
}

fn write(path: &Path, text: &str) -> Result<(), CouldNotRun> {
    let unwritable = |source| CouldNotRun::Unwritable { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unwritable)?;
    }
    fs::write(path, text).map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kept: &str, found: &str) -> Vec<String> {
        changes(Path::new("docs/api/a.txt"), kept, found).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_api_that_is_as_it_was_does_not_differ() {
        assert_eq!(told("pub mod a\npub fn a::b()\n", "pub mod a\npub fn a::b()\n"), [""; 0]);
    }

    #[test]
    fn what_went_and_what_came_is_named() {
        assert_eq!(
            told("pub mod a\npub fn a::b()\n", "pub mod a\npub fn a::c()\n"),
            [
                "docs/api/a.txt: the public API has changed; if that is intended, run `cargo xtask api --bless`\n  \
              - pub fn a::b()\n  + pub fn a::c()"
            ]
        );
    }

    #[test]
    fn the_file_of_a_library_that_is_gone_differs() {
        let root = tempfile::tempdir().unwrap();
        write(&root.path().join("docs/api/gone.txt"), "").unwrap();
        let differences: Vec<_> =
            unneeded(root.path(), &[]).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(differences, ["docs/api/gone.txt: there is no such library; remove the file"]);
    }
}
