//! The labels of choices: what a person reads in place of a choice's text.

use std::sync::Arc;

use serde::{Serialize, Serializer};

/// The labels of an argument's choices, in the order in which they were declared. A choice without a label is shown as
/// its own text. A label is only shown: a call carries the choice.
///
/// It serializes as a map from the choice to the label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceLabels(Vec<(Arc<str>, Arc<str>)>);

impl ChoiceLabels {
    /// The label of a choice. `None` if it has none.
    pub fn get(&self, choice: &str) -> Option<&str> {
        self.0.iter().find(|(labelled, _)| **labelled == *choice).map(|(_, label)| &**label)
    }

    /// Choices and their labels, in the order in which they were declared.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(choice, label)| (&**choice, &**label))
    }

    /// Whether no choice has a label.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a label, without a look for an earlier one of the same choice.
    pub(crate) fn add(&mut self, choice: Arc<str>, label: Arc<str>) {
        self.0.push((choice, label));
    }

    /// The labels in the active language.
    pub(crate) fn translated(&self, translate: impl Fn(&Arc<str>) -> Arc<str>) -> Self {
        Self(self.0.iter().map(|(choice, label)| (choice.clone(), translate(label))).collect())
    }
}

impl Serialize for ChoiceLabels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
