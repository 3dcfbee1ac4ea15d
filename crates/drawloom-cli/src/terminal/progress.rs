//! A line on a terminal that says how far a large input was read.

use std::io::{self, Write};

/// How many bytes are read before the line is shown, and before it is shown anew.
const STEP: u64 = 8 * 1024 * 1024;
const MEBIBYTE: u64 = 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Progress {
    is_wanted: bool,
    is_shown: bool,
    next: u64,
}

impl Progress {
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, is_shown: false, next: STEP }
    }

    /// Shows that so many bytes were read, where enough were since it was last shown.
    pub(crate) fn show(&mut self, bytes: u64) {
        if let Some(line) = self.line(bytes) {
            let _ = write!(io::stderr(), "\r{line}");
            self.is_shown = true;
        }
    }

    fn line(&mut self, bytes: u64) -> Option<String> {
        if !self.is_wanted || bytes < self.next {
            return None;
        }
        self.next = bytes + STEP;
        Some(format!("{} MiB read", bytes / MEBIBYTE))
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
            self.is_shown = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_input_shows_nothing_and_a_large_one_now_and_then() {
        let mut progress = Progress::new(true);
        assert_eq!(progress.line(STEP - 1), None);
        assert_eq!(progress.line(STEP + MEBIBYTE), Some("9 MiB read".to_owned()));
        assert_eq!(progress.line(2 * STEP), None);
        assert_eq!(progress.line(2 * STEP + MEBIBYTE), Some("17 MiB read".to_owned()));
    }

    #[test]
    fn nothing_is_shown_where_nobody_looks() {
        assert_eq!(Progress::new(false).line(100 * STEP), None);
    }
}
