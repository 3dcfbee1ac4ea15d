//! The secret arguments of a call: what is written and shown of it, and what is not.
//!
//! This is the only place that hides a value. Whoever knows the declaration marks the arguments; from then on, no
//! serializer and no `Debug` shows a secret value, wherever the arguments go.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{CommandArgumentValue, CommandArguments};

/// The names of secret arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SecretNames(Option<Arc<BTreeSet<Arc<str>>>>);

impl SecretNames {
    fn contains(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.contains(name))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// These names and the others.
    fn add(&mut self, others: &Self) {
        match (&self.0, &others.0) {
            (_, None) => {}
            (None, _) => *self = others.clone(),
            (Some(names), Some(more)) => {
                if !Arc::ptr_eq(names, more) && !more.is_subset(names) {
                    self.0 = Some(Arc::new(names.union(more).cloned().collect()));
                }
            }
        }
    }
}

impl FromIterator<Arc<str>> for SecretNames {
    fn from_iter<I: IntoIterator<Item = Arc<str>>>(names: I) -> Self {
        let names: BTreeSet<_> = names.into_iter().collect();
        Self((!names.is_empty()).then(|| Arc::new(names)))
    }
}

impl CommandArguments {
    /// Marks arguments as secret, in addition to those that are already marked. Nothing is removed.
    ///
    /// The workbench and the adapters mark the arguments of every call by the declaration of its command. Use this in code
    /// of your own that holds such arguments before they reach the workbench.
    ///
    /// ```
    /// use drawloom_command::CommandArguments;
    ///
    /// let arguments = CommandArguments::new().with("user", "ada").with("password", "hunter2").secret(["password"]);
    /// assert_eq!(arguments.text("password"), Some("hunter2"));
    /// assert_eq!(serde_json::to_string(&arguments)?, r#"{"user":"ada"}"#);
    /// assert!(!format!("{arguments:?}").contains("hunter2"));
    /// assert_eq!(arguments.secret_names().collect::<Vec<_>>(), ["password"]);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn secret<N: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.mark(&names.into_iter().map(Into::into).collect());
        self
    }

    /// Marks as secret what is secret in other arguments of the same call.
    #[must_use]
    pub fn secret_as_in(mut self, other: &Self) -> Self {
        self.mark(&other.secret.clone());
        self
    }

    /// Whether the argument of this name is secret.
    pub fn is_secret(&self, name: &str) -> bool {
        self.secret.contains(name)
    }

    /// The names of the given arguments that are secret, in order: what a serializer leaves out.
    pub fn secret_names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name).filter(|name| self.is_secret(name))
    }

    /// The arguments that are not secret.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        if self.secret.is_empty() {
            return self.clone();
        }
        self.open().map(|(name, value)| (name, value.clone())).collect()
    }

    pub(crate) fn mark(&mut self, names: &SecretNames) {
        self.secret.add(names);
    }

    /// The arguments that are not secret.
    fn open(&self) -> impl Iterator<Item = (&str, &CommandArgumentValue)> {
        self.iter().filter(|(name, _)| !self.is_secret(name))
    }
}

impl Serialize for CommandArguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.open().count()))?;
        for (name, value) in self.open() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl fmt::Debug for CommandArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, value) in self.iter() {
            match self.is_secret(name) {
                true => map.entry(&name, &format_args!("secret")),
                false => map.entry(&name, value),
            };
        }
        map.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_add_up_and_change_no_value() {
        let plain = CommandArguments::new().with("a", 1).with("b", 2).with("c", 3);
        let marked = plain.clone().secret(["a"]).secret(["b", "z"]);
        assert_eq!(marked, plain);
        assert_eq!(marked.secret_names().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(marked.without_secrets(), CommandArguments::new().with("c", 3));
        let changed = marked.with("a", "new");
        assert!(!format!("{changed:?}").contains("new"), "a mark stays with the arguments");
    }
}
