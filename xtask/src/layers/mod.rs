//! `cargo xtask layers`: the crates of the workspace depend on each other as the table says, and the inner
//! ones reach no executor, no transport and no untyped error.

mod graph;
pub(crate) mod table;

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, Package};
use table::{FORBIDDEN, INNER, OUTER_FEATURES, Row, TABLE};

use crate::cargo::Cargo;
use crate::report::{CouldNotRun, Difference, Verdict};
use crate::workspace::{manifest, metadata};

const CHECK: &str = "layers";

pub(crate) fn check(root: &Path, cargo: &Cargo) -> Result<Verdict, CouldNotRun> {
    let metadata = metadata(root, cargo)?;
    let count = metadata.workspace_packages().len();
    let summary = format!("{CHECK}: {count} crates, each knows only what it may");
    Ok(Verdict::of(CHECK, differences(&metadata), summary))
}

fn differences(metadata: &Metadata) -> Vec<Difference> {
    let mut differences = Vec::new();
    for member in metadata.workspace_packages() {
        let place = manifest(metadata, member);
        let Some(row) = TABLE.iter().find(|row| row.name == member.name.as_str()) else {
            let what = format!("\"{}\" has no row; add one to xtask/src/layers/table.rs", member.name);
            differences.push(Difference::at(&place, what));
            continue;
        };
        let found = edges(member, row, metadata).into_iter();
        let found = found.chain(around(member, row, metadata)).chain(forbidden(member, row, metadata));
        differences.extend(found.map(|what| Difference::at(&place, what)));
    }
    differences
}

/// The dependencies of a member on other members that the table does not have.
fn edges(package: &Package, row: &Row, metadata: &Metadata) -> Vec<String> {
    let name = &package.name;
    let mut differences = Vec::new();
    for dependency in package.dependencies.iter().filter(|it| it.kind != DependencyKind::Development) {
        let known = dependency.name.as_str();
        let member = metadata.workspace_packages().into_iter().any(|member| member.name.as_str() == known);
        if !member || row.knows.contains(&known) {
            continue;
        }
        let behind = row.behind_features.contains(&known);
        if !behind && !row.by_default.contains(&known) {
            differences.push(format!("\"{name}\" may not know \"{known}\"; remove the dependency"));
        } else if !dependency.optional {
            differences
                .push(format!("\"{name}\" may know \"{known}\" only behind a feature; make it optional"));
        } else if behind && graph::on_by_default(package).contains(known) {
            differences.push(format!(
                "\"{name}\" may know \"{known}\" only behind a feature that is off by default; leave it out of them"
            ));
        }
    }
    differences
}

/// The members that a member knows through crates outside the workspace, where the table does not have them.
fn around(member: &Package, row: &Row, metadata: &Metadata) -> Vec<String> {
    let name = &member.name;
    let ways = graph::ways_around(metadata, member).into_iter();
    ways.filter(|(known, _)| !row.knows.contains(known))
        .map(|(known, way)| format!("\"{name}\" may not reach \"{known}\": {}", way.join(" -> ")))
        .collect()
}

/// The forbidden packages that a member reaches, where it is an inner one.
fn forbidden(member: &Package, row: &Row, metadata: &Metadata) -> Vec<String> {
    if !INNER.contains(&member.name.as_str()) {
        return Vec::new();
    }
    let behind: Vec<&str> = row.by_default.iter().chain(row.behind_features).copied().collect();
    let outer: Vec<&str> = OUTER_FEATURES.split(',').collect();
    let reached = |package: &&str| {
        let way = graph::way(metadata, member, &behind, &outer, package)?;
        Some(format!("\"{}\" may not reach \"{package}\": {}", member.name, way.join(" -> ")))
    };
    FORBIDDEN.iter().filter_map(reached).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::workspace::fake::{BUILD, DEV, Kind, NORMAL, OPTIONAL, Workspace};

    fn told(workspace: Workspace) -> Vec<String> {
        differences(&workspace.metadata()).iter().map(ToString::to_string).collect()
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
        assert_eq!(told(workspace), [""; 0]);
    }

    #[test]
    fn another_edge_differs_even_when_optional_or_of_a_build_script() {
        let workspace = Workspace::default()
            .package("drawloom-command", &[])
            .package("drawloom-workbench", &[])
            .package("drawloom-consent", &[("drawloom-workbench", OPTIONAL)])
            .package("drawloom-ag-ui", &[("drawloom-workbench", BUILD)]);
        assert_eq!(
            told(workspace),
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
        assert_eq!(told(workspace), [missing]);
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
        assert_eq!(told(facade(NORMAL)), client);
        assert_eq!(told(facade(OPTIONAL)), [""; 0]);
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
            told(workspace),
            ["crates/drawloom-command/Cargo.toml: \"drawloom-command\" may not reach \"tokio\": \
              drawloom-command 1.0.0 -> a 1.0.0 -> c 1.0.0 -> tokio 1.0.0"]
        );
    }

    #[test]
    fn an_outer_crate_that_no_default_feature_turns_on_is_not_reached() {
        let facade = |features: Value| {
            let workspace = Workspace::default()
                .package_with("drawloom", &[("drawloom-client", OPTIONAL)], &features)
                .package("drawloom-client", &[("tokio", NORMAL)])
                .package("tokio", &[]);
            told(workspace).iter().filter(|difference| difference.contains("may not reach")).count()
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
    fn another_dependency_is_reached_though_it_is_optional() {
        let command = |kind: Kind| {
            let workspace =
                Workspace::default().package("drawloom-command", &[("tokio", kind)]).package("tokio", &[]);
            told(workspace).len()
        };
        assert_eq!(command(OPTIONAL), 1);
        assert_eq!(command(DEV), 0);
    }

    #[test]
    fn an_outer_crate_is_reached_by_a_feature_that_is_none_of_the_outer_ones() {
        let facade = |features: Value| {
            let workspace = Workspace::default()
                .package_with("drawloom", &[("drawloom-client", OPTIONAL)], &features)
                .package("drawloom-client", &[("tokio", NORMAL)])
                .package("tokio", &[]);
            told(workspace)
        };
        assert_eq!(facade(json!({"http": ["client"], "client": ["dep:drawloom-client"]})), [""; 0]);
        let reached = "crates/drawloom/Cargo.toml: \"drawloom\" may not reach \"tokio\": \
                       drawloom 1.0.0 -> drawloom-client 1.0.0 -> tokio 1.0.0";
        assert_eq!(facade(json!({"schemars": ["dep:drawloom-client"]})), [reached]);
        assert_eq!(facade(json!({"all": ["http"], "http": ["dep:drawloom-client"]})), [reached]);
        assert_eq!(facade(json!({"derive": ["drawloom-client/x"]})), [reached]);
    }

    #[test]
    fn what_is_behind_a_feature_is_off_by_default() {
        let facade = |known, features: Value| {
            let workspace = Workspace::default()
                .package_with("drawloom", &[(known, OPTIONAL)], &features)
                .package(known, &[]);
            told(workspace)
        };
        let off = "crates/drawloom/Cargo.toml: \"drawloom\" may know \"drawloom-client\" only behind a feature that is off \
                   by default; leave it out of them";
        let client = "drawloom-client";
        assert_eq!(facade(client, json!({"default": ["http"], "http": ["dep:drawloom-client"]})), [off]);
        assert_eq!(facade(client, json!({"default": [], "http": ["dep:drawloom-client"]})), [""; 0]);
        assert_eq!(facade("drawloom-derive", json!({"default": ["dep:drawloom-derive"]})), [""; 0]);
    }

    #[test]
    fn a_member_is_not_known_through_a_crate_outside_the_workspace() {
        let through = |kind, to_helper| {
            let workspace = Workspace::default()
                .package("drawloom-command", &[])
                .package("drawloom-workbench", &[("drawloom-command", NORMAL)])
                .package("drawloom-tools", &[("drawloom-command", NORMAL), ("a", to_helper)])
                .package("a", &[("b", kind), ("drawloom-command", NORMAL)])
                .package("b", &[("drawloom-workbench", NORMAL)]);
            told(workspace)
        };
        let told = "crates/drawloom-tools/Cargo.toml: \"drawloom-tools\" may not reach \"drawloom-workbench\": \
                    drawloom-tools 1.0.0 -> a 1.0.0 -> b 1.0.0 -> drawloom-workbench 1.0.0";
        for kind in [NORMAL, OPTIONAL, BUILD] {
            assert_eq!(through(kind, NORMAL), [told]);
            assert_eq!(through(NORMAL, kind), [told]);
        }
        assert_eq!(through(NORMAL, DEV), [""; 0]);
    }
}
