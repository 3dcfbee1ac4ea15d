//! Reading an object that serde_json will not read in one pass: one with half a surrogate pair in a text that matters,
//! or a number beyond any float where something else belongs. Both are JSON all the same.
//!
//! It is slow, takes each value apart on its own, and is only tried where the fast way failed. Being naive, it is also
//! what the tests hold the fast way against.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Event;
use super::read::{Entry, EntryKey, Kind, Member, Members, Outcome, OutcomeKey};

/// The event in this text.
///
/// # Errors
/// serde_json's, where the text is not one JSON object.
pub(super) fn event(json: &str) -> Result<Event<'_>, serde_json::Error> {
    let mut members = Members::default();
    each_member(json, |key, value| match Member::of(key) {
        Member::Type => members.set_kind(text(value).map_or(Kind::Other, |name| Kind::of(&name))),
        Member::Id => members.id = text(value),
        Member::Name => members.name = text(value),
        Member::Delta => members.delta = text(value),
        Member::ThreadId => members.thread_id = text(value),
        Member::RunId => members.run_id = text(value),
        Member::Outcome => members.outcome = outcome(value),
        Member::Messages => members.answered.0 = calls(value, Entry::answered),
        Member::Unknown => {}
    })?;
    Ok(members.into_event())
}

fn outcome(json: &str) -> Outcome<'_> {
    let mut outcome = Outcome { kind: text(json), ..Outcome::default() };
    // No object, no members: the value is of another kind, and reads as absent.
    let _ = each_member(json, |key, value| match OutcomeKey::of(key) {
        OutcomeKey::Type => outcome.kind = text(value),
        OutcomeKey::Interrupts => outcome.interrupts.0 = calls(value, Entry::bound),
        OutcomeKey::Unknown => {}
    });
    outcome
}

fn calls<'a>(json: &'a str, of: fn(Entry<'a>) -> Option<Cow<'a, str>>) -> Vec<Cow<'a, str>> {
    let items = serde_json::Deserializer::from_str(json).deserialize_seq(Items).unwrap_or_default();
    items.into_iter().filter_map(|item| of(entry(item))).collect()
}

fn entry(json: &str) -> Entry<'_> {
    let mut entry = Entry::default();
    let _ = each_member(json, |key, value| match EntryKey::of(key) {
        EntryKey::Role => entry.role = text(value),
        EntryKey::Call => entry.call = text(value),
        EntryKey::Unknown => {}
    });
    entry
}

fn text(json: &str) -> Option<Cow<'_, str>> {
    if !json.starts_with('"') {
        return None;
    }
    serde_json::Deserializer::from_str(json).deserialize_bytes(Text).ok()
}

/// Calls `take` with the key and the JSON of each member of an object.
fn each_member<'a>(json: &'a str, take: impl FnMut(&str, &'a str)) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    (&mut deserializer).deserialize_map(EachMember(take))?;
    deserializer.end()
}

struct EachMember<F>(F);

impl<'de, F: FnMut(&str, &'de str)> Visitor<'de> for EachMember<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(TextSeed)? {
            (self.0)(&key, map.next_value::<&'de RawValue>()?.get());
        }
        Ok(())
    }
}

/// The JSON of each item of a list.
struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<&'de RawValue>()? {
            items.push(item.get());
        }
        Ok(items)
    }
}

struct TextSeed;

impl<'de> serde::de::DeserializeSeed<'de> for TextSeed {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(Text)
    }
}

/// A text as bytes, which is how serde_json gives away one with half a surrogate pair in it.
struct Text;

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_borrowed_bytes<E: Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(without_surrogates(bytes)), Cow::Borrowed))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(without_surrogates(bytes)))
    }
}

/// Text from UTF-8 in which a surrogate may stand alone, with U+FFFD in place of each.
fn without_surrogates(bytes: &[u8]) -> String {
    /// The first byte of a surrogate. The two after it are never the first of anything.
    const SURROGATE: &[u8] = &[0xED];
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid() == SURROGATE {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}
