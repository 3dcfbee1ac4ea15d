//! What `cargo metadata` says about the workspace. Which of it is right is for the checks.

use std::path::Path;

use cargo_metadata::{Metadata, MetadataCommand, Package};

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Place};

// Cargo is asked here and not by `MetadataCommand`, so that it is started in one way everywhere.
const METADATA: [&str; 5] = ["metadata", "--format-version", "1", "--locked", "--all-features"];

pub(crate) fn metadata(root: &Path, cargo: &Cargo) -> Result<Metadata, CouldNotRun> {
    let unintelligible = |detail: String| CouldNotRun::Unintelligible { command: spelled(&METADATA), detail };
    let printed = cargo.read(root, &METADATA)?;
    MetadataCommand::parse(printed).map_err(|error| unintelligible(error.to_string()))
}

/// The crates that a registry gets, in the order of their names.
pub(crate) fn published(metadata: &Metadata) -> Vec<&Package> {
    let mut published = metadata.workspace_packages();
    published.retain(|package| package.publish.as_deref() != Some(&[]));
    published.sort_by(|a, b| a.name.cmp(&b.name));
    published
}

/// The manifest of a crate of the workspace, as the location of a difference.
pub(crate) fn manifest(metadata: &Metadata, package: &Package) -> Place {
    let manifest = package.manifest_path.strip_prefix(&metadata.workspace_root);
    Place::file(manifest.unwrap_or(&package.manifest_path).as_std_path())
}

#[cfg(test)]
pub(crate) mod fake {
    //! A workspace written by hand, for the tests of the checks.

    use cargo_metadata::Metadata;
    use serde_json::{Value, json};

    /// What a dependency is: its kind, and whether it is optional.
    pub(crate) type Kind = (Option<&'static str>, bool);
    pub(crate) const NORMAL: Kind = (None, false);
    pub(crate) const OPTIONAL: Kind = (None, true);
    pub(crate) const DEV: Kind = (Some("dev"), false);
    pub(crate) const BUILD: Kind = (Some("build"), false);

    /// Packages whose name starts with `drawloom` are its members.
    #[derive(Default)]
    pub(crate) struct Workspace {
        packages: Vec<Value>,
        members: Vec<String>,
        nodes: Vec<Value>,
    }

    impl Workspace {
        pub(crate) fn package(self, name: &str, dependencies: &[(&str, Kind)]) -> Self {
            self.package_with(name, dependencies, &json!({}))
        }

        pub(crate) fn package_with(
            mut self,
            name: &str,
            dependencies: &[(&str, Kind)],
            features: &Value,
        ) -> Self {
            if name.starts_with("drawloom") {
                self.members.push(name.to_owned());
            }
            let (mut declared, mut resolved) = (Vec::new(), Vec::new());
            for (name, (kind, optional)) in dependencies {
                declared.push(json!({
                    "name": name, "kind": kind, "optional": optional, "req": "*", "features": [],
                    "uses_default_features": true,
                }));
                let kinds = json!([{"kind": kind, "target": null}]);
                resolved.push(json!({"name": name, "pkg": name, "dep_kinds": kinds}));
            }
            self.packages.push(json!({
                "id": name, "name": name, "version": "1.0.0", "dependencies": declared, "features": features,
                "manifest_path": format!("/w/crates/{name}/Cargo.toml"), "targets": [],
            }));
            self.nodes.push(json!({"id": name, "deps": resolved, "dependencies": []}));
            self
        }

        /// Adds to the manifest of the last package.
        pub(crate) fn stating(mut self, key: &str, value: impl Into<Value>) -> Self {
            self.packages.last_mut().unwrap()[key] = value.into();
            self
        }

        pub(crate) fn metadata(self) -> Metadata {
            serde_json::from_value(json!({
                "packages": self.packages, "workspace_members": self.members, "workspace_root": "/w",
                "target_directory": "/w/target", "resolve": {"nodes": self.nodes}, "version": 1,
            }))
            .unwrap()
        }
    }
}
