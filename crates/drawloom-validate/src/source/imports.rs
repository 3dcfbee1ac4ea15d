//! The imports of a file: what a name at the front of a path stands for.

use std::collections::HashMap;

use syn::UseTree;
use syn::ext::IdentExt;

use super::facts::Path;

/// What the names of a file stand for. Scopes within the file are not told apart: an import counts in the whole file.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    names: HashMap<String, Path>,
    /// The type whose `impl` is read, which `Self` stands for.
    pub(crate) own_type: Option<Path>,
}

impl Imports {
    pub(crate) fn add(&mut self, tree: &UseTree) {
        self.add_below(Vec::new(), tree);
    }

    fn add_below(&mut self, mut prefix: Path, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.unraw().to_string());
                self.add_below(prefix, &path.tree);
            }
            UseTree::Name(name) => {
                let name = name.ident.unraw().to_string();
                // `use ids::{self}` imports `ids`.
                let alias = if name == "self" { prefix.last().cloned() } else { Some(name.clone()) };
                if name != "self" {
                    prefix.push(name);
                }
                if let Some(alias) = alias {
                    self.names.insert(alias, prefix);
                }
            }
            UseTree::Rename(rename) => {
                let name = rename.ident.unraw().to_string();
                if name != "self" {
                    prefix.push(name);
                }
                self.names.insert(rename.rename.unraw().to_string(), prefix);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_below(prefix.clone(), tree);
                }
            }
            UseTree::Glob(_) => {}
        }
    }

    /// A path with its first name written out.
    pub(crate) fn applied(&self, path: &syn::Path) -> Path {
        let mut names = path.segments.iter().map(|segment| segment.ident.unraw().to_string());
        let Some(first) = names.next() else { return Vec::new() };
        let mut applied = match (self.names.get(&first), &self.own_type) {
            (_, Some(own)) if first == "Self" => own.clone(),
            (Some(import), _) if path.leading_colon.is_none() => import.clone(),
            _ => vec![first],
        };
        applied.extend(names);
        applied
    }

    /// Whether a path names this type of the command model, by an import or by its last name.
    pub(crate) fn names_model(&self, path: &Path, name: &str) -> bool {
        let Some((last, before)) = path.split_last() else { return false };
        let of_a_crate_of_ours = |root: &String| {
            ["crate", "self", "super"].contains(&root.as_str()) || root.starts_with("drawloom")
        };
        // A path through a module of the directory may re-export the type.
        let foreign = ["std", "core", "tokio", "clap", "async_std", "async_process", "smol", "duct", "bevy"];
        last == name
            && before.first().is_none_or(|root| of_a_crate_of_ours(root) || !foreign.contains(&root.as_str()))
    }
}
