//! Reading a value that may turn out to be of another kind than expected, in which case it reads as absent.
//!
//! A type says with [`Lenient`] what it makes of text, of a list and of an object; what it does not name is passed over
//! and leaves its default. Nothing is an error but text that is not JSON.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value that reads as its default where it is not what it should be.
pub(super) trait Lenient<'de>: Default {
    fn from_text(_text: Cow<'de, str>) -> Self {
        Self::default()
    }

    fn from_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while let Some(IgnoredAny) = list.next_element()? {}
        Ok(Self::default())
    }

    // With serde_json's `arbitrary_precision`, which any crate of a build can turn on, a number comes here too.
    fn from_object<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        while let Some((IgnoredAny, IgnoredAny)) = object.next_entry()? {}
        Ok(Self::default())
    }
}

impl<'de> Lenient<'de> for Option<Cow<'de, str>> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Some(text)
    }
}

/// Reads the value of the member whose key was read last.
pub(super) fn value<'de, T: Lenient<'de>, A: MapAccess<'de>>(object: &mut A) -> Result<T, A::Error> {
    object.next_value_seed(Reading(PhantomData))
}

/// Reads the next item of a list.
pub(super) fn item<'de, T: Lenient<'de>, A: SeqAccess<'de>>(list: &mut A) -> Result<Option<T>, A::Error> {
    list.next_element_seed(Reading(PhantomData))
}

/// Passes over the value of the member whose key was read last.
pub(super) fn skip_value<'de, A: MapAccess<'de>>(object: &mut A) -> Result<(), A::Error> {
    object.next_value::<IgnoredAny>().map(|IgnoredAny| ())
}

struct Reading<T>(PhantomData<T>);

impl<'de, T: Lenient<'de>> DeserializeSeed<'de> for Reading<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Lenient<'de>> Visitor<'de> for Reading<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<T, E> {
        Ok(T::from_text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<T, E> {
        Ok(T::from_text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::from_object(object)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_none<E: Error>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<T, E> {
        Ok(T::default())
    }
}

/// Reads a key as what it names, without keeping its text.
pub(super) struct Key<F>(pub(super) F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for Key<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Key<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<T, E> {
        Ok((self.0)(key))
    }
}
