//! The part of `cargo metadata` the layers are checked on, and the questions asked of it. What the answers
//! should be is for the check.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    pub(crate) workspace_root: PathBuf,
    resolve: Resolve,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    id: String,
    pub(crate) name: String,
    version: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    features: BTreeMap<String, Vec<String>>,
}

/// A dependency as the manifest declares it, whether or not anything turns it on.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    rename: Option<String>,
    kind: Option<String>,
    pub(crate) optional: bool,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

/// A package as it is built: with the features that all of the workspace together asks for.
#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Deserialize)]
struct EdgeKind {
    kind: Option<String>,
}

impl Metadata {
    /// The crates of the workspace.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// The shortest way over normal dependencies from a member, with its default features, to a package of
    /// the name.
    ///
    /// Only the member's own features are told apart. What lies behind it is taken as it is built in this
    /// workspace, which can be more than the member alone would build and never less.
    pub(crate) fn way(&self, from: &Package, to: &str) -> Option<Vec<String>> {
        let on = from.on_by_default();
        let mut reached: BTreeMap<&str, Option<&str>> = BTreeMap::from([(from.id.as_str(), None)]);
        let mut next = VecDeque::from([from.id.as_str()]);
        while let Some(id) = next.pop_front() {
            if id != from.id && self.package(id).is_some_and(|package| package.name == to) {
                return Some(self.back(id, &reached));
            }
            for known in self.normal_dependencies(id) {
                let off =
                    id == from.id && self.package(known).is_some_and(|it| !on.contains(it.name.as_str()));
                if !off && !reached.contains_key(known) {
                    reached.insert(known, Some(id));
                    next.push_back(known);
                }
            }
        }
        None
    }

    fn back(&self, last: &str, reached: &BTreeMap<&str, Option<&str>>) -> Vec<String> {
        let mut way = Vec::new();
        let mut at = Some(last);
        while let Some(id) = at {
            way.extend(self.package(id).map(|package| format!("{} {}", package.name, package.version)));
            at = reached.get(id).copied().flatten();
        }
        way.reverse();
        way
    }

    fn package(&self, id: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.id == id)
    }

    fn normal_dependencies<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a str> {
        let edges = self.resolve.nodes.iter().find(|node| node.id == id).map(|node| node.deps.as_slice());
        let normal = |edge: &&Edge| edge.dep_kinds.iter().any(|of| of.kind.is_none());
        edges.unwrap_or_default().iter().filter(normal).map(|edge| edge.pkg.as_str())
    }
}

impl Package {
    /// The names of the normal dependencies that the package has with its default features.
    fn on_by_default(&self) -> BTreeSet<&str> {
        let mut on = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut features = vec!["default"];
        while let Some(feature) = features.pop() {
            if !seen.insert(feature) {
                continue;
            }
            for value in self.features.get(feature).into_iter().flatten() {
                match (value.strip_prefix("dep:"), value.split_once('/')) {
                    (Some(dependency), _) => drop(on.insert(dependency)),
                    // `x?/feature` turns on a feature of `x`, and not `x`; no dependency is named `x?`.
                    (None, Some((dependency, _))) => drop(on.insert(dependency)),
                    (None, None) => features.push(value),
                }
            }
        }
        let turned_on = |it: &Dependency| on.contains(it.rename.as_deref().unwrap_or(&it.name));
        let normal = self.dependencies.iter().filter(|it| it.kind.is_none());
        normal.filter(|it| !it.optional || turned_on(it)).map(|it| it.name.as_str()).collect()
    }
}

impl Dependency {
    pub(crate) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}
