//! A recording: JSON lines, server-sent events or an array.

use std::io::{BufRead, BufReader, Read};

use drawloom::ag_ui::recording::{RecordingItem, RecordingReader};

/// Input that arrives a few bytes at a time.
struct Trickle<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.size.min(buffer.len());
        (&mut self.bytes).take(size as u64).read(buffer)
    }
}

/// Everything that is read, as text.
fn read_all(input: impl BufRead) -> Vec<String> {
    let mut reader = RecordingReader::new(input).limit(1024);
    let mut items = Vec::new();
    loop {
        let item = match reader.read() {
            Ok(Some(RecordingItem::Event { text, line, .. })) => format!("{line} {text}"),
            Ok(Some(RecordingItem::Lost { line, problem })) => format!("{line} lost: {problem}"),
            Ok(None) => return items,
            Err(error) => {
                items.push(error.to_string());
                return items;
            }
            Ok(Some(_)) => panic!("an item that this test does not know"),
        };
        items.push(item);
    }
}

#[test]
fn recorded_bytes() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let Some((size, bytes)) = bytes.split_first() else { return };
        let at_once = read_all(bytes);
        let size = usize::from(*size).max(1);
        let split = read_all(BufReader::with_capacity(size, Trickle { bytes, size }));
        assert_eq!(at_once, split, "read {size} bytes at a time");
        // One item costs at least one byte, and the last error one more.
        assert!(at_once.len() <= bytes.len() + 1);
    });
}
