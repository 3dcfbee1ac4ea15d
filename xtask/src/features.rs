//! Builds the crates in other ways than the tests do: with every combination of features, for WebAssembly, and with
//! the oldest Rust. Which crates that concerns is in the table of the layers.

use std::path::Path;

use cargo_metadata::semver::Version;
use cargo_metadata::{Metadata, Package};

use crate::cargo::{Cargo, spelled};
use crate::layers::table::{INNER, OUTER_FEATURES};
use crate::report::{CouldNotRun, Difference, Place, Verdict, read};
use crate::tools::HACK;
use crate::workspace::{manifest, metadata, published};
use crate::{rustup, tools};

/// The oldest Rust of the inner crates, and of the derives that they re-export.
const OLDEST: &str = "1.91";
const DERIVE: &str = "drawloom-derive";
const WASM: &str = "wasm32-unknown-unknown";

/// `cargo xtask features`.
pub(crate) fn features(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    HACK.ensure(root, cargo)?;
    let metadata = metadata(root, cargo)?;
    let packages = published(&metadata);
    let mut arguments = vec!["hack", "clippy", "--locked", "--feature-powerset", "--keep-going"];
    arguments.extend(packages.iter().flat_map(|package| ["--package", package.name.as_str()]));
    // A warning says, for example, that something is used only with a feature that is off.
    arguments.extend(["--", "-D", "warnings"]);
    tools::in_order(root, cargo, "features", &[&arguments])
}

/// `cargo xtask wasm`.
pub(crate) fn wasm(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    HACK.ensure(root, cargo)?;
    rustup::add_target(root, WASM)?;
    let metadata = metadata(root, cargo)?;
    let arguments = each_feature(&metadata, &["--target", WASM]);
    tools::in_order(root, cargo, "wasm", &[&arguments])
}

/// `cargo xtask msrv`.
pub(crate) fn msrv(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let metadata = metadata(root, cargo)?;
    let toolchain = read(root, Path::new("rust-toolchain.toml"))?;
    let mut differences = stated(&metadata, &toolchain)?;
    HACK.ensure(root, cargo)?;
    let oldest = rustup::toolchain(root, OLDEST)?;
    let arguments = each_feature(&metadata, &[]);
    if !oldest.show(root, &arguments)?.success() {
        differences.push(Difference::nowhere(format!("`{}` failed with Rust {OLDEST}", spelled(&arguments))));
    }
    Ok(Verdict::of("msrv", differences, format!("msrv: the inner crates build with Rust {OLDEST}")))
}

/// Checks the inner crates with each of their features. Those that bring an outer crate in are left out.
fn each_feature<'a>(metadata: &'a Metadata, options: &[&'a str]) -> Vec<&'a str> {
    let mut arguments =
        vec!["hack", "check", "--locked", "--each-feature", "--exclude-features", OUTER_FEATURES];
    let inner = metadata.workspace_packages().into_iter().map(|package| package.name.as_str());
    arguments.extend(inner.filter(|name| INNER.contains(name)).flat_map(|name| ["--package", name]));
    arguments.extend(options);
    arguments
}

/// The crates whose `rust-version` is not the one that is checked: the oldest Rust for the inner crates and the
/// derives, the pinned toolchain for all others.
fn stated(metadata: &Metadata, toolchain: &str) -> Result<Vec<Difference>, CouldNotRun> {
    #[derive(serde::Deserialize)]
    struct File {
        toolchain: Toolchain,
    }
    #[derive(serde::Deserialize)]
    struct Toolchain {
        channel: String,
    }
    let File { toolchain: Toolchain { channel: pinned } } =
        toml::from_str(toolchain).map_err(|error| CouldNotRun::Unparsable {
            place: Place::file(Path::new("rust-toolchain.toml")),
            detail: error.message().to_owned(),
        })?;
    let difference = |package: &&Package| {
        let inner = INNER.contains(&package.name.as_str()) || package.name == DERIVE;
        let checked = if inner { OLDEST } else { &pinned };
        let stated = package.rust_version.as_ref().map(minor);
        if stated.as_deref() == Some(&minor_of(checked)) {
            return None;
        }
        let place = manifest(metadata, package);
        let stated = stated.unwrap_or_else(|| "nothing".to_owned());
        let what = format!("rust-version says {stated}, and Rust {checked} is what is checked");
        Some(Difference::at(&place, what))
    };
    Ok(metadata.workspace_packages().iter().filter_map(difference).collect())
}

fn minor(version: &Version) -> String {
    format!("{}.{}", version.major, version.minor)
}

/// `1.95` of `1.95.0`.
fn minor_of(version: &str) -> String {
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use crate::workspace::fake::Workspace;

    use super::*;

    const PINNED: &str = "[toolchain]\nchannel = \"1.95.0\"\n";

    fn differences(workspace: Workspace) -> Vec<String> {
        stated(&workspace.metadata(), PINNED).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_crate_states_the_rust_it_is_checked_with() {
        let sound = Workspace::default()
            .package("drawloom-command", &[])
            .stating("rust_version", "1.91")
            .package("drawloom-derive", &[])
            .stating("rust_version", "1.91.0")
            .package("drawloom-cli", &[])
            .stating("rust_version", "1.95");
        assert_eq!(differences(sound), [""; 0]);

        let wrong = Workspace::default()
            .package("drawloom-command", &[])
            .package("drawloom-cli", &[])
            .stating("rust_version", "1.91");
        assert_eq!(
            differences(wrong),
            [
                "crates/drawloom-command/Cargo.toml: rust-version says nothing, and Rust 1.91 is what is checked",
                "crates/drawloom-cli/Cargo.toml: rust-version says 1.91, and Rust 1.95.0 is what is checked",
            ]
        );
    }

    #[test]
    fn only_the_inner_crates_that_there_are_are_built() {
        let metadata =
            Workspace::default().package("drawloom-command", &[]).package("drawloom-cli", &[]).metadata();
        assert!(each_feature(&metadata, &["--target", "x"]).ends_with(&[
            "--package",
            "drawloom-command",
            "--target",
            "x"
        ]));
    }
}
