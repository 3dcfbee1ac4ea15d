//! The way from one package to another through what they depend on. Which ways are wrong is for the check.
//!
//! `cargo_metadata` reads the graph, but does not search it. guppy does, but has its own resolver, which is more than
//! the short functions here need.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

/// The shortest way over normal dependencies from a member to a package of the name. Of the crates that the member may have
/// only behind features, only those count that a feature which is not one of `outer` turns on; everything else that is
/// optional counts.
///
/// What lies behind the member is taken as it is built in this workspace with all features, which can be more than the
/// member alone would build and never less.
pub(super) fn way(
    metadata: &Metadata,
    from: &Package,
    behind_features: &[&str],
    outer: &[&str],
    to: &str,
) -> Option<Vec<String>> {
    let inner = from.features.keys().map(String::as_str).filter(|feature| !outer.contains(feature));
    let on = turned_on(from, inner.collect());
    let off = |known: &Package| {
        let known = known.name.as_str();
        behind_features.contains(&known) && !on.contains(known)
    };
    let mut reached: BTreeMap<&PackageId, Option<&PackageId>> = BTreeMap::from([(&from.id, None)]);
    let mut next = VecDeque::from([&from.id]);
    while let Some(id) = next.pop_front() {
        if *id != from.id && package(metadata, id).is_some_and(|package| package.name.as_str() == to) {
            return Some(back(metadata, id, &reached));
        }
        for known in dependencies(metadata, id, &[DependencyKind::Normal]) {
            let left_off = *id == from.id && package(metadata, known).is_some_and(off);
            if !left_off && !reached.contains_key(known) {
                reached.insert(known, Some(id));
                next.push_back(known);
            }
        }
    }
    None
}

/// The members that a member reaches through crates outside the workspace alone, each with the shortest way to it. Crates that
/// a build script uses count, as they do where a member names another.
pub(super) fn ways_around<'a>(metadata: &'a Metadata, from: &'a Package) -> Vec<(&'a str, Vec<String>)> {
    let is_member = |id: &PackageId| metadata.workspace_members.contains(id);
    let mut reached: BTreeMap<&PackageId, Option<&PackageId>> = BTreeMap::from([(&from.id, None)]);
    let mut next = VecDeque::from([&from.id]);
    let mut ways = Vec::new();
    while let Some(id) = next.pop_front() {
        for known in dependencies(metadata, id, &[DependencyKind::Normal, DependencyKind::Build]) {
            let named_by_the_member = *id == from.id && is_member(known);
            if named_by_the_member || reached.contains_key(known) {
                continue;
            }
            reached.insert(known, Some(id));
            match package(metadata, known) {
                Some(member) if is_member(known) => {
                    ways.push((member.name.as_str(), back(metadata, known, &reached)));
                }
                _ => next.push_back(known),
            }
        }
    }
    ways
}

fn back(
    metadata: &Metadata,
    last: &PackageId,
    reached: &BTreeMap<&PackageId, Option<&PackageId>>,
) -> Vec<String> {
    let mut way = Vec::new();
    let mut at = Some(last);
    while let Some(id) = at {
        way.extend(package(metadata, id).map(|package| format!("{} {}", package.name, package.version)));
        at = reached.get(id).copied().flatten();
    }
    way.reverse();
    way
}

fn package<'a>(metadata: &'a Metadata, id: &PackageId) -> Option<&'a Package> {
    metadata.packages.iter().find(|package| package.id == *id)
}

fn dependencies<'a>(
    metadata: &'a Metadata,
    id: &PackageId,
    kinds: &[DependencyKind],
) -> impl Iterator<Item = &'a PackageId> {
    let nodes = metadata.resolve.as_ref().map(|resolve| resolve.nodes.as_slice()).unwrap_or_default();
    let edges = nodes.iter().find(|node| node.id == *id).map(|node| node.deps.as_slice()).unwrap_or_default();
    let of_kind = edges.iter().filter(move |edge| edge.dep_kinds.iter().any(|of| kinds.contains(&of.kind)));
    of_kind.map(|edge| &edge.pkg)
}

/// The names of the packages that the package depends on with its default features.
pub(super) fn on_by_default(package: &Package) -> BTreeSet<&str> {
    turned_on(package, vec!["default"])
}

/// The names of the packages that the package depends on with these features. Dependencies of tests do not count.
fn turned_on<'a>(package: &'a Package, mut features: Vec<&'a str>) -> BTreeSet<&'a str> {
    let mut on = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(feature) = features.pop() {
        if !seen.insert(feature) {
            continue;
        }
        for value in package.features.get(feature).into_iter().flatten() {
            match (value.strip_prefix("dep:"), value.split_once('/')) {
                (Some(dependency), _) => drop(on.insert(dependency)),
                // `x?/feature` turns on a feature of `x`, and not `x`; no dependency is named `x?`.
                (None, Some((dependency, _))) => drop(on.insert(dependency)),
                (None, None) => features.push(value),
            }
        }
    }
    let built = package.dependencies.iter().filter(|it| it.kind != DependencyKind::Development);
    built
        .filter(|it| !it.optional || on.contains(it.rename.as_deref().unwrap_or(&it.name)))
        .map(|it| it.name.as_str())
        .collect()
}
