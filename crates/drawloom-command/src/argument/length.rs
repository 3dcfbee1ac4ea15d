//! The length of a text, in characters.

use std::ops::{RangeFrom, RangeInclusive, RangeToInclusive};

/// How long a text may be, in characters (Unicode scalar values), both ends included.
///
/// ```
/// use drawloom_command::{Argument, CommandArgument};
///
/// let title = CommandArgument::from(Argument::text("title").length(1..=200));
/// let length = title.text_length().ok_or("no length")?;
/// assert_eq!((length.min(), length.max()), (1, Some(200)));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextLength {
    min: u32,
    max: Option<u32>,
}

impl TextLength {
    /// The least number of characters.
    pub fn min(self) -> u32 {
        self.min
    }

    /// The greatest number of characters. `None` if there is no limit.
    pub fn max(self) -> Option<u32> {
        self.max
    }

    /// Whether a text of any length is taken.
    pub(crate) fn is_any(self) -> bool {
        self == Self::default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }

    pub(crate) fn contains(self, text: &str) -> bool {
        if self.is_any() {
            return true;
        }
        // A text is not counted further than the limits need.
        let most = self.max.map_or(self.min, |max| max.saturating_add(1));
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let counted = text.chars().take(most).count();
        let is_long_enough = u32::try_from(counted).map_or(true, |counted| counted >= self.min);
        is_long_enough
            && self.max.is_none_or(|max| u32::try_from(counted).is_ok_and(|counted| counted <= max))
    }
}

impl From<RangeInclusive<u32>> for TextLength {
    fn from(range: RangeInclusive<u32>) -> Self {
        Self { min: *range.start(), max: Some(*range.end()) }
    }
}

impl From<RangeFrom<u32>> for TextLength {
    fn from(range: RangeFrom<u32>) -> Self {
        Self { min: range.start, max: None }
    }
}

impl From<RangeToInclusive<u32>> for TextLength {
    fn from(range: RangeToInclusive<u32>) -> Self {
        Self { min: 0, max: Some(range.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_and_not_bytes() {
        let length = TextLength::from(2..=3);
        for (text, expected) in
            [("", false), ("a", false), ("äö", true), ("😀😀😀", true), ("abcd", false), ("e\u{301}", true)]
        {
            assert_eq!(length.contains(text), expected, "{text:?}");
        }
        assert!(TextLength::from(1..).contains("a") && !TextLength::from(1..).contains(""));
        assert!(TextLength::from(..=1).contains("") && !TextLength::from(..=1).contains("ab"));
        assert!(TextLength::from(0..=0).contains("") && !TextLength::from(0..=0).contains("a"));
        let whole = TextLength::from(0..=u32::MAX);
        assert!(whole.contains("") && whole.contains("a") && !whole.is_empty());
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "an author may write it")]
    fn a_reversed_range_contains_no_length() {
        assert!(TextLength::from(2..=1).is_empty());
        assert!(!TextLength::from(2..=1).contains("ab"));
    }
}
