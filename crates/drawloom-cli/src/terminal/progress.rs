//! A line on the terminal that shows how many bytes of a large input were read.

use super::output;

/// How many bytes are read before the line is shown, and between two updates of it.
const INTERVAL: u64 = 8 * 1024 * 1024;
const MEBIBYTE: u64 = 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Progress {
    is_enabled: bool,
    is_visible: bool,
    next: u64,
}

impl Progress {
    pub(crate) fn new(is_enabled: bool) -> Self {
        Self { is_enabled, is_visible: false, next: INTERVAL }
    }

    /// Shows the number of bytes that were read, if the last update was long enough ago.
    pub(crate) fn show(&mut self, bytes: u64) {
        if let Some(line) = self.line(bytes) {
            output::show_status(Some(&line));
            self.is_visible = true;
        }
    }

    fn line(&mut self, bytes: u64) -> Option<String> {
        if !self.is_enabled || bytes < self.next {
            return None;
        }
        self.next = bytes + INTERVAL;
        Some(format!("{} MiB read", bytes / MEBIBYTE))
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if self.is_visible {
            output::show_status(None);
            self.is_visible = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_shown_for_a_large_input_only_and_updated_at_intervals() {
        let mut progress = Progress::new(true);
        assert_eq!(progress.line(INTERVAL - 1), None);
        assert_eq!(progress.line(INTERVAL + MEBIBYTE), Some("9 MiB read".to_owned()));
        assert_eq!(progress.line(2 * INTERVAL), None);
        assert_eq!(progress.line(2 * INTERVAL + MEBIBYTE), Some("17 MiB read".to_owned()));
    }

    #[test]
    fn nothing_is_shown_if_disabled() {
        assert_eq!(Progress::new(false).line(100 * INTERVAL), None);
    }
}
