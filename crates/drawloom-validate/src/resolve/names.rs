//! Things of one kind by the last part of their path.

use std::collections::HashMap;

use crate::source::facts::Path;

/// Things of one kind by the last part of their path.
#[derive(Debug)]
pub(super) struct Names<T>(HashMap<String, Bucket<T>>);

/// Everything with the same last part.
#[derive(Debug)]
struct Bucket<T> {
    named: Vec<Named<T>>,
    /// Whether there is more than is kept.
    is_cut: bool,
}

/// How many things with the same name are told apart.
const SAME_NAME: usize = 1_000;

#[derive(Debug)]
pub(super) struct Named<T> {
    pub(super) path: Path,
    pub(super) file: usize,
    pub(super) what: T,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Why a name leads to nothing.
pub(super) enum Lost {
    Unknown,
    Ambiguous,
}

impl<T: PartialEq> Names<T> {
    pub(super) fn get(&self, path: &[String], file: usize) -> Result<&Named<T>, Lost> {
        if path.last().and_then(|last| self.0.get(last)).is_some_and(|bucket| bucket.is_cut) {
            return Err(Lost::Ambiguous);
        }
        let mut found = self.matching(path, file).into_iter();
        let first = found.next().ok_or(Lost::Unknown)?;
        if found.any(|other| other.what != first.what) { Err(Lost::Ambiguous) } else { Ok(first) }
    }
}

impl<T> Names<T> {
    pub(super) fn add(&mut self, file: usize, named: impl IntoIterator<Item = (Path, T)>) {
        for (path, what) in named {
            let Some(last) = path.last().cloned() else { continue };
            let bucket = self.0.entry(last).or_insert_with(|| Bucket { named: Vec::new(), is_cut: false });
            if bucket.named.len() < SAME_NAME {
                bucket.named.push(Named { path, file, what });
            } else {
                bucket.is_cut = true;
            }
        }
    }

    /// What the path may mean: what agrees with most of it, and what stands in the same file before all else.
    pub(super) fn matching(&self, path: &[String], file: usize) -> Vec<&Named<T>> {
        let Some((last, before)) = path.split_last() else { return Vec::new() };
        let named = self.0.get(last).map(|bucket| bucket.named.as_slice()).unwrap_or_default();
        let is_root = |name: &String| ["crate", "self", "super"].contains(&name.as_str());
        let wanted: Vec<&String> = before.iter().filter(|name| !is_root(name)).collect();
        let agrees = |named: &&Named<T>| {
            let parts = named.path.iter().rev().skip(1);
            parts.zip(wanted.iter().rev()).filter(|(one, other)| one == *other).count()
        };
        let most = named.iter().map(|named| agrees(&named)).max().unwrap_or_default();
        let best: Vec<&Named<T>> = named.iter().filter(|named| agrees(named) == most).collect();
        let here: Vec<&Named<T>> = best.iter().copied().filter(|named| named.file == file).collect();
        if here.is_empty() { best } else { here }
    }
}
