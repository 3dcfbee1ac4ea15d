//! The text of one event.

use drawloom::ag_ui::Event;
use serde::de::IgnoredAny;

/// Deeper JSON than `serde_json` reads.
fn is_deep(text: &str) -> bool {
    text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() > 100
}

#[test]
fn event_text() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        let is_read = Event::parse(text).is_ok();
        // The judge of what is JSON is `serde_json`. It keeps no value, so a number may have any size.
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        let is_object = is_json && text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('{');
        assert!(is_read == is_object || is_deep(text), "{text:?} is read: {is_read}");
    });
}
