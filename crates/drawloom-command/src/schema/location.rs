//! A location within a schema, written as a JSON Pointer only if there is something to report.

use std::fmt::Write;

/// A location. It borrows its parent, so that going deeper costs nothing however long the names are.
#[derive(Clone, Copy)]
pub(crate) struct Location<'l> {
    parent: Option<&'l Self>,
    step: Step<'l>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'l> {
    Top,
    Field(&'l str),
    Item(usize),
}

impl<'l> Location<'l> {
    pub(crate) const TOP: Self = Self { parent: None, step: Step::Top, depth: 0 };

    pub(crate) fn field(&'l self, name: &'l str) -> Self {
        Self { parent: Some(self), step: Step::Field(name), depth: self.depth + 1 }
    }

    pub(crate) fn item(&'l self, index: usize) -> Self {
        Self { parent: Some(self), step: Step::Item(index), depth: self.depth + 1 }
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The location as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Self::pointer).unwrap_or_default();
        match self.step {
            Step::Top => {}
            Step::Field(name) => {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Item(index) => {
                // Writing to a string cannot fail.
                let _ = write!(pointer, "/{index}");
            }
        }
        pointer
    }
}
