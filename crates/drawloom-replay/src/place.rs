//! Where in a file something is: for errors and warnings that are found once the file has been read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde_json::value::RawValue;

/// A place in a workbench file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1; 0 where it is before the first one.
    pub column: usize,
    /// The field, such as `plugins[0].commands[1].title`. Empty for the file as a whole.
    pub path: String,
}

/// `line 4, column 17`, and the field where there is one.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, ", {}", self.path) }
    }
}

/// One step on the way to a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

impl Place {
    /// The place where the value at the end of `path` begins in `text`, which is JSON.
    pub(crate) fn of(path: &[Step<'_>], text: &str) -> Self {
        Places::new(text).of(path)
    }

    /// The same place, counted in a larger text where the text that it was found in begins at `start`.
    pub(crate) fn within(self, start: &Self) -> Self {
        let column = if self.line == 1 { self.column + start.column - 1 } else { self.column };
        let dot = if start.path.is_empty() || self.path.is_empty() { "" } else { "." };
        Self { line: self.line + start.line - 1, column, path: format!("{}{dot}{}", start.path, self.path) }
    }
}

/// The places of one text. Each object and each list is read once, however many places within it are looked for.
pub(crate) struct Places<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// What was read, by where it begins.
    read: HashMap<usize, Inside<'a>>,
}

/// What an object or a list holds.
enum Inside<'a> {
    Fields(HashMap<Cow<'a, str>, &'a RawValue>),
    Items(Vec<&'a RawValue>),
    Nothing,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Self { text, lines, read: HashMap::new() }
    }

    /// The place where the value at the end of `path` begins.
    pub(crate) fn of(&mut self, path: &[Step<'_>]) -> Place {
        let mut value = Some(self.text);
        let mut offset = 0;
        let mut name = String::new();
        for step in path {
            match *step {
                Step::Field(field) => {
                    let dot = if name.is_empty() { "" } else { "." };
                    name = format!("{name}{dot}{field}");
                }
                Step::Item(index) => name = format!("{name}[{index}]"),
            }
            // A later step must not find its way from where an earlier one did not.
            value = value.and_then(|value| self.inside(offset, value, *step));
            // INVARIANT: `value` is a part of `text`, since serde_json lends raw values out of what it reads.
            offset = value.map_or(offset, |value| {
                (value.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
            });
        }
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        Place { line, column: before.chars().count() + 1, path: name }
    }

    /// What is one step inside the value that begins at `offset`.
    fn inside(&mut self, offset: usize, value: &'a str, step: Step<'_>) -> Option<&'a str> {
        let inside = self.read.entry(offset).or_insert_with(|| Inside::of(value));
        let raw = match (inside, step) {
            (Inside::Fields(fields), Step::Field(field)) => fields.get(field),
            (Inside::Items(items), Step::Item(index)) => items.get(index),
            _ => None,
        };
        raw.map(|raw| raw.get())
    }
}

impl<'a> Inside<'a> {
    fn of(value: &'a str) -> Self {
        let fields = serde_json::from_str(value).map(Self::Fields);
        fields.or_else(|_| serde_json::from_str(value).map(Self::Items)).unwrap_or(Self::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"a\": [1,\n    {\"ä\": 0, \"b\": true}]\n}";

    #[test]
    fn a_value_is_found_by_its_path() {
        let place = Place::of(&[Step::Field("a"), Step::Item(1), Step::Field("b")], TEXT);
        assert_eq!(place, Place { line: 3, column: 19, path: "a[1].b".into() });
        assert_eq!(place.to_string(), "line 3, column 19, a[1].b");
        assert_eq!(Place::of(&[], TEXT).to_string(), "line 1, column 1");
    }

    #[test]
    fn a_path_to_nothing_is_where_it_ends() {
        let place = Place::of(&[Step::Field("a"), Step::Item(7)], TEXT);
        assert_eq!(place, Place { line: 2, column: 8, path: "a[7]".into() });
        let place = Place::of(&[Step::Field("b"), Step::Field("a")], TEXT);
        assert_eq!(place, Place { line: 1, column: 1, path: "b.a".into() });
    }

    #[test]
    fn a_place_in_a_part_is_a_place_in_the_whole() {
        let start = Place { line: 3, column: 5, path: "workbench".into() };
        let first = Place { line: 1, column: 2, path: "agent".into() };
        let later = Place { line: 2, column: 2, path: String::new() };
        assert_eq!(
            first.clone().within(&start),
            Place { line: 3, column: 6, path: "workbench.agent".into() }
        );
        assert_eq!(later.within(&start), Place { line: 4, column: 2, path: "workbench".into() });
        assert_eq!(first.clone().within(&Place::of(&[], "")), first);
    }
}
