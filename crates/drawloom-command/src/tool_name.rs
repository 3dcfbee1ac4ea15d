//! A command's id as the name of a tool, and back.
//!
//! Model APIs take `[A-Za-z0-9_-]`, at most 64 of them, and Gemini a letter or `_` in front. An id is spelled plainly,
//! each dot as two underscores, where that can be read back; every other id gets a *digest name*: something readable,
//! three underscores, and 16 hex digits of the id's SHA-256.
//!
//! What keeps the two apart is the length of a run of underscores. In a plain spelling a run is one (it stands in the
//! id) or two (it is a dot), because an id with `__`, with an empty segment or with `_` beside a dot is not spelled
//! plainly. A digest name has a run of three or more before its digits. So a plain spelling is never a digest name, two
//! plain spellings are equal only for equal ids, and a name depends on nothing but its id.
//!
//! Two ids may only share a name where 64 bits of SHA-256 agree: to get the name of a given id takes some 2⁶⁴ tries.

use sha2::{Digest, Sha256};

/// The longest name that every model API takes.
const NAME_BYTES: usize = 64;
/// How a dot is spelled.
const DOT: &str = "__";
/// What parts a digest name's readable start from its digits.
const SEPARATOR: &str = "___";
/// How many hex digits of the digest a name carries.
const DIGEST_DIGITS: usize = 16;
/// What is left for the readable start.
const READABLE_BYTES: usize = NAME_BYTES - SEPARATOR.len() - DIGEST_DIGITS;
/// The readable start of an id that has no readable character.
const UNREADABLE: &str = "command";

/// The name of the tool for the command of this id. It is always one that every model API takes.
///
/// ```
/// use drawloom_command::tool_name;
///
/// assert_eq!(tool_name("notes.open"), "notes__open");
/// // These cannot be read back from a plain spelling:
/// assert_eq!(tool_name("notes__open"), "notes_open___7b9d6f22025c099f");
/// assert_eq!(tool_name("äpfel/öffnen now"), "pfel_ffnen_now___11335fb221e2cde6");
/// ```
pub fn tool_name(command_id: &str) -> String {
    plain_spelling(command_id).unwrap_or_else(|| digest_name(command_id))
}

/// The id whose plain spelling this is. `None` if the name is not a plain spelling: a digest name cannot be read
/// back, and is looked up among the tools on offer instead.
///
/// ```
/// use drawloom_command::plain_command_id;
///
/// assert_eq!(plain_command_id("notes__open").as_deref(), Some("notes.open"));
/// assert_eq!(plain_command_id("notes_open___7b9d6f22025c099f"), None);
/// ```
pub fn plain_command_id(tool_name: &str) -> Option<String> {
    if tool_name.len() > NAME_BYTES || tool_name.contains('.') {
        return None;
    }
    // What is plain has no two underscores, so spelling it again gives the name back.
    Some(tool_name.replace(DOT, ".")).filter(|id| is_plain(id))
}

/// Whether a name has the shape of a digest name. No plain spelling has it.
#[cfg(test)]
fn is_digest_name(tool_name: &str) -> bool {
    let Some((start, digits)) = tool_name.rsplit_once(SEPARATOR) else { return false };
    tool_name.len() <= NAME_BYTES
        && digits.len() == DIGEST_DIGITS
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && starts_like_a_name(start)
        && start.bytes().all(is_name_byte)
}

fn plain_spelling(id: &str) -> Option<String> {
    // An id that is too long needs no plain spelling.
    if id.len() > NAME_BYTES || !is_plain(id) {
        return None;
    }
    Some(id.replace('.', DOT)).filter(|name| name.len() <= NAME_BYTES)
}

/// Whether an id can be spelled plainly, were it short enough: of name characters and dots, beginning like a name and not
/// ending in a dot, with no dot or underscore beside another.
fn is_plain(id: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'.' | b'_');
    let mut before = b'a';
    let carried = id.bytes().all(|byte| {
        let carried = (is_name_byte(byte) || byte == b'.') && !(is_mark(byte) && is_mark(before));
        before = byte;
        carried
    });
    carried && starts_like_a_name(id) && before != b'.'
}

fn digest_name(id: &str) -> String {
    let digest = Sha256::digest(id).iter().take(8).fold(0_u64, |digits, byte| digits << 8 | u64::from(*byte));
    format!("{}{SEPARATOR}{digest:016x}", readable(id))
}

/// The readable start of a name: the allowed characters of an id, with all others replaced by single underscores.
fn readable(id: &str) -> String {
    let mut start = String::new();
    for character in id.chars() {
        if start.len() >= READABLE_BYTES {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '-' {
            if start.is_empty() && !character.is_ascii_alphabetic() {
                start.push('_');
            }
            start.push(character);
        } else if !start.is_empty() && !start.ends_with('_') {
            start.push('_');
        }
    }
    start.truncate(start.trim_end_matches('_').len());
    if start.is_empty() { UNREADABLE.to_owned() } else { start }
}

fn starts_like_a_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_valid(name: &str) -> bool {
        (1..=64).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
            && !name.starts_with(|first: char| first.is_ascii_digit() || first == '-')
    }

    #[test]
    fn an_id_of_plain_segments_is_spelled_with_two_underscores_a_dot() {
        for (id, name) in [
            ("notes.open", "notes__open"),
            ("a", "a"),
            ("a.b.c", "a__b__c"),
            ("_private.x-1", "_private__x-1"),
            ("snake_case.Also_Here", "snake_case__Also_Here"),
            ("a.1.-", "a__1__-"),
            ("end_", "end_"),
            ("_", "_"),
        ] {
            assert_eq!(tool_name(id), name);
            assert_eq!(plain_command_id(name).as_deref(), Some(id));
        }
    }

    #[test]
    fn an_id_the_plain_spelling_cannot_carry_gets_a_digest() {
        let long = "a".repeat(65);
        let long_once_spelled = format!("{}.b", "a".repeat(62));
        for id in [
            "",
            "notes__open",
            "a_.b",
            "a._b",
            ".a",
            "a.",
            "a..b",
            ".",
            "1a",
            "-a",
            "é",
            "a b",
            "a/b",
            "a\u{0}",
            "a___0123456789abcdef",
            &long,
            &long_once_spelled,
        ] {
            let name = tool_name(id);
            assert!(is_digest_name(&name), "{id:?} is named {name:?}");
            assert!(is_valid(&name), "{id:?} is named {name:?}");
            assert_eq!(plain_command_id(&name), None);
        }
    }

    #[test]
    fn the_longest_plain_spelling_has_64_characters() {
        for id in ["a".repeat(64), format!("{}.b", "a".repeat(61))] {
            assert_eq!(plain_command_id(&tool_name(&id)), Some(id));
        }
    }

    #[test]
    fn names_stay_what_they_are_from_version_to_version() {
        for (id, name) in [
            ("", "command___e3b0c44298fc1c14"),
            ("日本", "command___cf2abf0c5be326cb"),
            ("notes__open", "notes_open___7b9d6f22025c099f"),
            ("äpfel/öffnen now", "pfel_ffnen_now___11335fb221e2cde6"),
            ("9lives", "_9lives___bc867356de020e99"),
            ("-", "_-___3973e022e93220f9"),
        ] {
            assert_eq!(tool_name(id), name);
        }
    }

    #[test]
    fn the_readable_start_is_cut_to_fit() {
        let name = tool_name(&"abcdefghi ".repeat(20));
        assert_eq!(name.len(), 64);
        assert!(name.starts_with("abcdefghi_abcdefghi_abcdefghi_abcdefghi_abcde___"), "{name}");
        assert_eq!(tool_name(&format!("9{}", "a".repeat(80))).len(), 64);
    }

    #[test]
    fn only_the_shape_of_a_digest_name_is_one() {
        assert!(is_digest_name("a___0123456789abcdef"));
        assert!(is_digest_name("_a____0123456789abcdef"));
        for other in [
            "",
            "a",
            "a__0123456789abcdef",
            "a___0123456789abcde",
            "a___0123456789abcdef0",
            "a___0123456789ABCDEF",
            "a___0123456789abcdeg",
            "___0123456789abcdef",
            "1a___0123456789abcdef",
            "é___0123456789abcdef",
            "a.b___0123456789abcdef",
            "a___0123456789abcdef___",
        ] {
            assert!(!is_digest_name(other), "{other:?}");
        }
        assert!(!is_digest_name(&format!("{}___0123456789abcdef", "a".repeat(46))));
    }

    /// Ids made to collide: of the few characters the rules are about, in every order.
    fn hostile_id() -> impl Strategy<Value = String> {
        prop_oneof![
            "[_.aA1-]{0,8}",
            "[_.a]{0,12}",
            "[a_.]{1,6}___[0-9a-f]{16}",
            "[a.]{60,66}",
            ".{0,12}",
            any::<String>(),
        ]
    }

    /// An id, and the ids its names could be mistaken for.
    fn pair() -> impl Strategy<Value = (String, String)> {
        prop_oneof![
            (hostile_id(), hostile_id()),
            hostile_id().prop_map(|id| (id.replace('.', "__"), id)),
            hostile_id().prop_map(|id| (id.replace("__", "."), id)),
            hostile_id().prop_map(|id| (tool_name(&id), id)),
            hostile_id().prop_map(|id| (id.replace('_', "."), id)),
        ]
    }

    proptest! {
        #[test]
        fn every_name_is_one_that_every_model_api_takes(id in hostile_id()) {
            prop_assert!(is_valid(&tool_name(&id)), "{}", tool_name(&id));
        }

        #[test]
        fn every_name_is_either_a_plain_spelling_of_its_id_or_a_digest_name(id in hostile_id()) {
            let name = tool_name(&id);
            match plain_command_id(&name) {
                Some(read) => {
                    prop_assert_eq!(read, id);
                    prop_assert!(!is_digest_name(&name));
                }
                None => prop_assert!(is_digest_name(&name)),
            }
        }

        #[test]
        fn whatever_reads_as_an_id_is_the_name_of_that_id(name in hostile_id()) {
            if let Some(id) = plain_command_id(&name) {
                prop_assert_eq!(tool_name(&id), name);
            }
        }

        #[test]
        fn two_ids_never_share_a_name((one, other) in pair()) {
            prop_assert_eq!(one == other, tool_name(&one) == tool_name(&other), "{:?} {:?}", one, other);
        }
    }
}
