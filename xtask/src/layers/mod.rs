//! `cargo xtask layers`: the crates of the workspace depend on each other as the table says, and the inner
//! ones reach no executor, no transport and no untyped error.

mod metadata;
mod table;

use std::path::Path;

use metadata::{Metadata, Package};
use table::{FORBIDDEN, INNER, TABLE};

use crate::cargo::{Cargo, spelled};
use crate::report::{CouldNotRun, Difference, Place, Verdict};

const CHECK: &str = "layers";
const METADATA: [&str; 4] = ["metadata", "--format-version", "1", "--locked"];

pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let printed = cargo.read(root, &METADATA)?;
    let metadata: Metadata = serde_json::from_str(&printed).map_err(|error| CouldNotRun::Unintelligible {
        command: spelled(&METADATA),
        detail: error.to_string(),
    })?;
    let summary = format!("{CHECK}: {} crates, each knows only what it may", metadata.members().count());
    Ok(Verdict::of(CHECK, differences(&metadata), summary))
}

fn differences(metadata: &Metadata) -> Vec<Difference> {
    let mut differences = Vec::new();
    for member in metadata.members() {
        let manifest =
            member.manifest_path.strip_prefix(&metadata.workspace_root).unwrap_or(&member.manifest_path);
        let place = Place::file(manifest);
        let edges = edges(member, metadata).into_iter().chain(forbidden(member, metadata));
        differences.extend(edges.map(|what| Difference::at(&place, what)));
    }
    differences
}

/// The dependencies of a member on other members that the table does not have.
fn edges(member: &Package, metadata: &Metadata) -> Vec<String> {
    let name = &member.name;
    let Some(row) = TABLE.iter().find(|row| row.name == name) else {
        return vec![format!("\"{name}\" has no row; add one to xtask/src/layers/table.rs")];
    };
    let mut differences = Vec::new();
    for dependency in member.dependencies.iter().filter(|dependency| !dependency.is_dev()) {
        let known = dependency.name.as_str();
        if !metadata.members().any(|member| member.name == known) || row.knows.contains(&known) {
            continue;
        }
        if !row.behind_features.contains(&known) {
            differences.push(format!("\"{name}\" may not know \"{known}\"; remove the dependency"));
        } else if !dependency.optional {
            differences
                .push(format!("\"{name}\" may know \"{known}\" only behind a feature; make it optional"));
        }
    }
    differences
}

/// The forbidden packages a member reaches, where it is an inner one.
fn forbidden(member: &Package, metadata: &Metadata) -> Vec<String> {
    if !INNER.contains(&member.name.as_str()) {
        return Vec::new();
    }
    let reached = |package: &&str| {
        let way = metadata.way(member, package)?;
        Some(format!("\"{}\" may not reach \"{package}\": {}", member.name, way.join(" -> ")))
    };
    FORBIDDEN.iter().filter_map(reached).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A workspace written down by hand. Packages whose name starts with `drawloom` are its members.
    #[derive(Default)]
    struct Workspace {
        packages: Vec<Value>,
        members: Vec<String>,
        nodes: Vec<Value>,
    }

    /// What a dependency is: its kind, and whether it is optional.
    type Kind = (Option<&'static str>, bool);
    const NORMAL: Kind = (None, false);
    const OPTIONAL: Kind = (None, true);
    const DEV: Kind = (Some("dev"), false);
    const BUILD: Kind = (Some("build"), false);

    impl Workspace {
        fn package(self, name: &str, dependencies: &[(&str, Kind)]) -> Self {
            self.package_with(name, dependencies, &json!({}))
        }

        fn package_with(mut self, name: &str, dependencies: &[(&str, Kind)], features: &Value) -> Self {
            if name.starts_with("drawloom") {
                self.members.push(name.to_owned());
            }
            let (mut declared, mut resolved) = (Vec::new(), Vec::new());
            for (name, (kind, optional)) in dependencies {
                declared.push(json!({"name": name, "kind": kind, "optional": optional}));
                resolved.push(json!({"pkg": name, "dep_kinds": [{"kind": kind}]}));
            }
            let manifest = format!("/w/crates/{name}/Cargo.toml");
            self.packages.push(json!({
                "id": name, "name": name, "version": "1.0.0", "manifest_path": manifest,
                "dependencies": declared, "features": features,
            }));
            self.nodes.push(json!({"id": name, "deps": resolved}));
            self
        }

        fn differences(self) -> Vec<String> {
            let metadata = json!({
                "packages": self.packages, "workspace_members": self.members, "workspace_root": "/w",
                "resolve": {"nodes": self.nodes},
            });
            let metadata = serde_json::from_value(metadata).unwrap();
            differences(&metadata).iter().map(ToString::to_string).collect()
        }
    }

    #[test]
    fn the_edges_of_the_table_hold() {
        let workspace = Workspace::default()
            .package("drawloom-command", &[("serde", NORMAL)])
            .package("drawloom-consent", &[("drawloom-command", NORMAL), ("drawloom-workbench", DEV)])
            .package("drawloom-workbench", &[("drawloom-command", NORMAL), ("tokio", DEV)])
            .package("drawloom-client", &[("drawloom-command", NORMAL), ("reqwest", NORMAL)])
            .package("drawloom-cli", &[("drawloom-client", NORMAL), ("tokio", NORMAL)])
            .package("serde", &[])
            .package("reqwest", &[])
            .package("tokio", &[]);
        assert_eq!(workspace.differences(), [""; 0]);
    }

    #[test]
    fn another_edge_differs_even_when_optional_or_of_a_build_script() {
        let workspace = Workspace::default()
            .package("drawloom-command", &[])
            .package("drawloom-workbench", &[])
            .package("drawloom-consent", &[("drawloom-workbench", OPTIONAL)])
            .package("drawloom-ag-ui", &[("drawloom-workbench", BUILD)]);
        assert_eq!(
            workspace.differences(),
            [
                "crates/drawloom-consent/Cargo.toml: \"drawloom-consent\" may not know \
                 \"drawloom-workbench\"; remove the dependency",
                "crates/drawloom-ag-ui/Cargo.toml: \"drawloom-ag-ui\" may not know \"drawloom-workbench\"; \
                 remove the dependency",
            ]
        );
    }

    #[test]
    fn a_crate_without_a_row_differs() {
        let workspace = Workspace::default().package("drawloom-types", &[]);
        let missing = "crates/drawloom-types/Cargo.toml: \"drawloom-types\" has no row; \
                       add one to xtask/src/layers/table.rs";
        assert_eq!(workspace.differences(), [missing]);
    }

    #[test]
    fn the_facade_knows_an_outer_crate_only_behind_a_feature() {
        let client =
            ["crates/drawloom/Cargo.toml: \"drawloom\" may know \"drawloom-client\" only behind a feature; \
                       make it optional"];
        let facade = |kind| {
            Workspace::default()
                .package("drawloom", &[("drawloom-client", kind)])
                .package("drawloom-client", &[])
        };
        assert_eq!(facade(NORMAL).differences(), client);
        assert_eq!(facade(OPTIONAL).differences(), [""; 0]);
    }

    #[test]
    fn a_forbidden_package_is_found_behind_others_and_the_way_is_told() {
        let workspace = Workspace::default()
            .package("drawloom-command", &[("a", NORMAL), ("b", NORMAL)])
            .package("a", &[("c", NORMAL), ("anyhow", BUILD), ("axum", DEV)])
            .package("b", &[("a", NORMAL)])
            .package("c", &[("tokio", OPTIONAL), ("a", NORMAL)])
            .package("anyhow", &[])
            .package("axum", &[])
            .package("tokio", &[]);
        assert_eq!(
            workspace.differences(),
            ["crates/drawloom-command/Cargo.toml: \"drawloom-command\" may not reach \"tokio\": \
              drawloom-command 1.0.0 -> a 1.0.0 -> c 1.0.0 -> tokio 1.0.0"]
        );
    }

    #[test]
    fn what_a_default_feature_leaves_off_is_not_reached() {
        let facade = |features: Value| {
            Workspace::default()
                .package_with("drawloom", &[("drawloom-client", OPTIONAL)], &features)
                .package("drawloom-client", &[("tokio", NORMAL)])
                .package("tokio", &[])
                .differences()
                .len()
        };
        assert_eq!(facade(json!({"client": ["dep:drawloom-client"]})), 0);
        assert_eq!(facade(json!({"default": ["drawloom-client?/x"], "client": ["dep:drawloom-client"]})), 0);
        assert_eq!(
            facade(json!({"default": ["live"], "live": ["client"], "client": ["dep:drawloom-client"]})),
            1
        );
        assert_eq!(facade(json!({"default": ["drawloom-client/x"]})), 1);
    }

    #[test]
    fn a_dependency_declared_twice_is_on_where_one_normal_declaration_is() {
        let command = |kinds: [Kind; 2]| {
            let declared = kinds.map(|kind| ("tokio", kind));
            let workspace = Workspace::default().package("drawloom-command", &declared).package("tokio", &[]);
            workspace.differences().len()
        };
        assert_eq!(command([OPTIONAL, NORMAL]), 1);
        assert_eq!(command([OPTIONAL, DEV]), 0);
    }
}
