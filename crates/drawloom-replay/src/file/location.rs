//! Line, column and field path of a value in a file, for errors and warnings that are found after the file was read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde_json::value::RawValue;

/// A location in a workbench file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileLocation {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1; 0 if the location is before the first column of the line.
    pub column: usize,
    /// The field, such as `plugins[0].commands[1].title`. Empty if the location is the file as a whole.
    pub path: String,
}

/// Writes `line 4, column 17`, followed by the field if there is one.
impl fmt::Display for FileLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, ", {}", self.path) }
    }
}

/// One part of a field path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Segment<'a> {
    Field(&'a str),
    Item(usize),
}

impl FileLocation {
    /// The location at which the value at `path` begins in `text`, which is JSON.
    pub(crate) fn of(path: &[Segment<'_>], text: &str) -> Self {
        Locator::new(text).of(path)
    }

    /// The same location, counted in a larger text that contains this text from `start` on.
    pub(crate) fn within(self, start: &Self) -> Self {
        let column = if self.line == 1 { self.column + start.column - 1 } else { self.column };
        let dot = if start.path.is_empty() || self.path.is_empty() { "" } else { "." };
        Self { line: self.line + start.line - 1, column, path: format!("{}{dot}{}", start.path, self.path) }
    }
}

/// Finds locations in one text. Each object and each list is parsed once, however many locations in it are looked up.
pub(crate) struct Locator<'a> {
    text: &'a str,
    /// The offset at which each line begins.
    lines: Vec<usize>,
    /// The objects and lists parsed so far, by the offset at which they begin.
    parsed: HashMap<usize, Children<'a>>,
}

/// The values in an object or a list.
enum Children<'a> {
    Fields(HashMap<Cow<'a, str>, &'a RawValue>),
    Items(Vec<&'a RawValue>),
    Neither,
}

impl<'a> Locator<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Self { text, lines, parsed: HashMap::new() }
    }

    /// The location at which the value at `path` begins. If a part of the path does not exist, the location of the
    /// innermost value that does.
    pub(crate) fn of(&mut self, path: &[Segment<'_>]) -> FileLocation {
        let mut value = Some(self.text);
        let mut offset = 0;
        let mut name = String::new();
        for segment in path {
            match *segment {
                Segment::Field(field) => {
                    let dot = if name.is_empty() { "" } else { "." };
                    name = format!("{name}{dot}{field}");
                }
                Segment::Item(index) => name = format!("{name}[{index}]"),
            }
            // If one segment is not found, the later ones are not looked up either.
            value = value.and_then(|value| self.child(offset, value, *segment));
            // INVARIANT: `value` is a slice of `text`, since serde_json borrows raw values from its input.
            offset = value.map_or(offset, |value| {
                (value.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
            });
        }
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        FileLocation { line, column: before.chars().count() + 1, path: name }
    }

    /// The value at `segment` in the value that begins at `offset`.
    fn child(&mut self, offset: usize, value: &'a str, segment: Segment<'_>) -> Option<&'a str> {
        let children = self.parsed.entry(offset).or_insert_with(|| Children::of(value));
        let raw = match (children, segment) {
            (Children::Fields(fields), Segment::Field(field)) => fields.get(field),
            (Children::Items(items), Segment::Item(index)) => items.get(index),
            _ => None,
        };
        raw.map(|raw| raw.get())
    }
}

impl<'a> Children<'a> {
    fn of(value: &'a str) -> Self {
        let fields = serde_json::from_str(value).map(Self::Fields);
        fields.or_else(|_| serde_json::from_str(value).map(Self::Items)).unwrap_or(Self::Neither)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"a\": [1,\n    {\"ä\": 0, \"b\": true}]\n}";

    #[test]
    fn a_value_is_found_by_its_path() {
        let location = FileLocation::of(&[Segment::Field("a"), Segment::Item(1), Segment::Field("b")], TEXT);
        assert_eq!(location, FileLocation { line: 3, column: 19, path: "a[1].b".into() });
        assert_eq!(location.to_string(), "line 3, column 19, a[1].b");
        assert_eq!(FileLocation::of(&[], TEXT).to_string(), "line 1, column 1");
    }

    #[test]
    fn a_path_that_does_not_exist_has_the_location_of_its_last_part_that_does() {
        let location = FileLocation::of(&[Segment::Field("a"), Segment::Item(7)], TEXT);
        assert_eq!(location, FileLocation { line: 2, column: 8, path: "a[7]".into() });
        let location = FileLocation::of(&[Segment::Field("b"), Segment::Field("a")], TEXT);
        assert_eq!(location, FileLocation { line: 1, column: 1, path: "b.a".into() });
    }

    #[test]
    fn a_location_in_a_part_is_a_location_in_the_whole() {
        let start = FileLocation { line: 3, column: 5, path: "workbench".into() };
        let first = FileLocation { line: 1, column: 2, path: "agent".into() };
        let later = FileLocation { line: 2, column: 2, path: String::new() };
        assert_eq!(
            first.clone().within(&start),
            FileLocation { line: 3, column: 6, path: "workbench.agent".into() }
        );
        assert_eq!(later.within(&start), FileLocation { line: 4, column: 2, path: "workbench".into() });
        assert_eq!(first.clone().within(&FileLocation::of(&[], "")), first);
    }
}
