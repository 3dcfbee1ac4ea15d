//! The reader against serde_json, and what serde_json would not read.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::*;

/// Whether the text is one JSON value, by this reader.
fn is_json(text: &str) -> bool {
    let mut reader = Reader::new(text);
    reader.skip().and_then(|()| reader.end()).is_ok()
}

fn read_text(text: &str) -> Read<Cow<'_, str>> {
    let mut reader = Reader::new(text);
    let read = reader.text()?;
    reader.end()?;
    Ok(read)
}

/// A text close to JSON: JSON with a few characters changed, taken out or put in.
fn nearly_json() -> impl Strategy<Value = String> {
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\"a\"",
        "\"\\u00e4\"",
        "\\ud83d",
        "\\ude42",
        "\\u",
        "0",
        "-",
        "1",
        "01",
        ".",
        "5",
        "e",
        "E+",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\n",
        "\r\t",
        "\u{a0}",
        "\u{1}",
        "é",
        "🙂",
        "{\"a\":",
        "[1,",
        "\"b\":2",
        "{}",
        "[]",
        "-0.5e-7",
        "1.",
        "\\/",
    ];
    proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn accepts_what_serde_json_accepts(text in prop_oneof![nearly_json(), "[\\[\\]{}\",:0-9.eE\\\\u +-]{0,12}"]) {
        prop_assert_eq!(is_json(&text), serde_json::from_str::<IgnoredAny>(&text).is_ok(), "{}", text);
    }

    #[test]
    fn reads_the_text_that_serde_json_reads(text in "\\PC{0,40}", ascii in "[ -~\n\t\u{0}\"\\\\]{0,40}") {
        for text in [text, ascii] {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(read_text(&json).unwrap(), &*text);
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            let escaped = format!("\"{escaped}\"");
            prop_assert_eq!(read_text(&escaped).unwrap(), &*text);
        }
    }

    /// Halves of characters in any order read as JavaScript encodes them: as U+FFFD each.
    #[test]
    fn reads_any_units_as_utf_16_with_replacement(units in proptest::collection::vec(
        prop_oneof![Just(0xd83d_u16), Just(0xde42), 0xd800..0xe000_u16, Just(0x61), Just(0xe4)], 0..12,
    )) {
        let json: String = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
        let json = format!("\"{json}\"");
        let expected = String::from_utf16_lossy(&units);
        prop_assert_eq!(read_text(&json).unwrap(), &*expected);
        // The raw text is mended, so that serde_json reads it too.
        let raw = Reader::new(&json).raw().unwrap();
        prop_assert_eq!(raw.read::<String>().unwrap(), expected);
    }

    #[test]
    fn raw_text_is_the_text(value in proptest::collection::vec(("\\PC{0,8}", any::<Option<bool>>()), 0..6)) {
        let json = format!(" \n{} ", serde_json::to_string(&value).unwrap());
        let raw = Reader::new(&json).raw().unwrap();
        prop_assert_eq!(raw.get(), json.trim());
    }
}

#[test]
fn a_lone_half_is_replaced_and_everything_else_stays() {
    let json = r#"{"a\ud800":"\ud83d\ude42 \\ud800 \n \udc00x \u00e4"}"#;
    let raw = Reader::new(json).raw().unwrap();
    assert_eq!(raw.get(), r#"{"a\ufffd":"\ud83d\ude42 \\ud800 \n \ufffdx \u00e4"}"#);
    assert!(raw.read::<Value>().is_ok());
}

#[test]
fn depth_costs_neither_stack_nor_quadratic_time() {
    let depth = 200_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]")] {
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(is_json(&text), "{open}");
        assert!(!is_json(text.get(..text.len() - 1).unwrap()), "{open}");
    }
    // The kinds of the containers are remembered at every depth.
    for depth in [1, 63, 64, 65, 129] {
        for wrong in 0..depth {
            let is_list = |at: usize| at.is_multiple_of(3);
            let open: String = (0..depth).map(|at| if is_list(at) { "[" } else { "{\"a\":" }).collect();
            let close = |at: usize, swap: bool| if is_list(at) != swap { "]" } else { "}" };
            let right: String = (0..depth).rev().map(|at| close(at, false)).collect();
            let broken: String = (0..depth).rev().map(|at| close(at, at == wrong)).collect();
            assert!(is_json(&format!("{open}0{right}")), "{depth}");
            assert!(!is_json(&format!("{open}0{broken}")), "{depth} {wrong}");
        }
    }
}

#[test]
fn a_number_is_never_converted() {
    for number in ["1e999", "-1e-999", &"9".repeat(1000)] {
        assert_eq!(Reader::new(number).raw().unwrap().get(), number);
    }
}

#[test]
fn a_string_ends_where_it_ends_wherever_that_is() {
    for length in 0..40 {
        for end in ["\"", "\\\"\"", "\u{1f}\"", "\n"] {
            let text = format!("\"{}{end}", "é".repeat(length / 2) + &"a".repeat(length % 2));
            assert_eq!(read_text(&text).is_ok(), serde_json::from_str::<String>(&text).is_ok(), "{text:?}");
            assert_eq!(is_json(&text), serde_json::from_str::<String>(&text).is_ok(), "{text:?}");
        }
    }
}

#[test]
fn escapes_cost_no_more_than_the_text_is_long() {
    for piece in [r"\ud800", r"\\", r"\ud83d\ude42", r"\n"] {
        let json = format!("\"{}\"", piece.repeat(1024 * 1024 / piece.len()));
        assert!(read_text(&json).is_ok());
        assert!(Reader::new(&json).raw().is_ok());
    }
}
