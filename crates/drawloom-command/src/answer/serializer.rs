//! Converts any serialisable value into a [`CommandAnswer`].
//!
//! `serde_json` converts a NaN to null and a numeric key to text, and drops all but one of repeated keys. Each of these
//! loses information, so each is an error here. Its private forms of numbers and raw values are converted here, or are
//! an error.

use std::collections::BTreeMap;

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::{AnswerError, CommandAnswer, DEPTH};
use crate::number::{JSON_NUMBER, Number, NumberError};

/// `serde_json` serialises a `RawValue` as a struct with this name.
const RAW_JSON: &str = "$serde_json::private::RawValue";

impl Error for AnswerError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Serialize(message.to_string())
    }
}

/// Serialises one value; `left` is the number of levels that it may still open.
#[derive(Clone, Copy)]
pub(super) struct AnswerSerializer {
    left: usize,
}

impl AnswerSerializer {
    pub(super) fn new() -> Self {
        Self { left: DEPTH }
    }

    fn inside(self) -> Result<Self, AnswerError> {
        self.left.checked_sub(1).map(|left| Self { left }).ok_or(AnswerError::TooDeep)
    }
}

pub(super) struct ListSerializer {
    items: Vec<CommandAnswer>,
    inside: AnswerSerializer,
    variant: Option<&'static str>,
}

pub(super) struct MapSerializer {
    entries: BTreeMap<String, CommandAnswer>,
    key: Option<String>,
    inside: AnswerSerializer,
    variant: Option<&'static str>,
}

/// A struct is a map of its fields, except for the struct that represents a number of `serde_json`.
pub(super) enum StructSerializer {
    Map(MapSerializer),
    Number(Option<Number>),
}

/// An enum variant with data is a map with one entry, as in JSON.
fn tagged(variant: Option<&'static str>, value: CommandAnswer) -> CommandAnswer {
    match variant {
        Some(variant) => CommandAnswer::Map(BTreeMap::from([(variant.to_owned(), value)])),
        None => value,
    }
}

impl ListSerializer {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), AnswerError> {
        self.items.push(value.serialize(self.inside)?);
        Ok(())
    }

    fn finish(self) -> CommandAnswer {
        tagged(self.variant, CommandAnswer::List(self.items))
    }
}

impl MapSerializer {
    fn insert<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), AnswerError> {
        if self.entries.contains_key(&key) {
            return Err(AnswerError::DuplicateKey(key));
        }
        self.entries.insert(key, value.serialize(self.inside)?);
        Ok(())
    }

    fn finish(self) -> CommandAnswer {
        tagged(self.variant, CommandAnswer::Map(self.entries))
    }
}

impl AnswerSerializer {
    fn list(self, variant: Option<&'static str>) -> Result<ListSerializer, AnswerError> {
        // The stated length is not trusted, so no memory is reserved for it.
        let inside = if variant.is_some() { self.inside()?.inside()? } else { self.inside()? };
        Ok(ListSerializer { items: Vec::new(), inside, variant })
    }

    fn map(self, variant: Option<&'static str>) -> Result<MapSerializer, AnswerError> {
        let inside = if variant.is_some() { self.inside()?.inside()? } else { self.inside()? };
        Ok(MapSerializer { entries: BTreeMap::new(), key: None, inside, variant })
    }
}

macro_rules! numbers {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, value: $type) -> Result<CommandAnswer, AnswerError> {
            Ok(CommandAnswer::Number(value.into()))
        })*
    };
}

impl Serializer for AnswerSerializer {
    type Ok = CommandAnswer;
    type Error = AnswerError;
    type SerializeSeq = ListSerializer;
    type SerializeTuple = ListSerializer;
    type SerializeTupleStruct = ListSerializer;
    type SerializeTupleVariant = ListSerializer;
    type SerializeMap = MapSerializer;
    type SerializeStruct = StructSerializer;
    type SerializeStructVariant = MapSerializer;

    numbers! {
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64
    }

    fn serialize_u128(self, value: u128) -> Result<CommandAnswer, AnswerError> {
        u64::try_from(value)
            .map_or(Err(NumberError::IntegerOutOfRange.into()), |value| self.serialize_u64(value))
    }

    fn serialize_i128(self, value: i128) -> Result<CommandAnswer, AnswerError> {
        match (u64::try_from(value), i64::try_from(value)) {
            (Ok(value), _) => self.serialize_u64(value),
            (_, Ok(value)) => self.serialize_i64(value),
            _ => Err(NumberError::IntegerOutOfRange.into()),
        }
    }

    // Every `f32` is exact as a double.
    fn serialize_f32(self, value: f32) -> Result<CommandAnswer, AnswerError> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Number(Number::try_from(value)?))
    }

    fn serialize_bool(self, value: bool) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Boolean(value))
    }

    fn serialize_char(self, value: char) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Text(value.into()))
    }

    fn serialize_str(self, value: &str) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Text(value.to_owned()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<CommandAnswer, AnswerError> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<CommandAnswer, AnswerError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<CommandAnswer, AnswerError> {
        Ok(CommandAnswer::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<CommandAnswer, AnswerError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<CommandAnswer, AnswerError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<CommandAnswer, AnswerError> {
        Ok(tagged(Some(variant), value.serialize(self.inside()?)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListSerializer, AnswerError> {
        self.list(None)
    }

    fn serialize_tuple(self, _: usize) -> Result<ListSerializer, AnswerError> {
        self.list(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListSerializer, AnswerError> {
        self.list(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ListSerializer, AnswerError> {
        self.list(Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<MapSerializer, AnswerError> {
        self.map(None)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<StructSerializer, AnswerError> {
        match name {
            JSON_NUMBER => Ok(StructSerializer::Number(None)),
            RAW_JSON => Err(AnswerError::RawJson),
            _ => self.map(None).map(StructSerializer::Map),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<MapSerializer, AnswerError> {
        self.map(Some(variant))
    }
}

macro_rules! list_ways {
    ($($way:ident::$method:ident),*) => {
        $(impl $way for ListSerializer {
            type Ok = CommandAnswer;
            type Error = AnswerError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), AnswerError> {
                self.push(value)
            }

            fn end(self) -> Result<CommandAnswer, AnswerError> {
                Ok(self.finish())
            }
        })*
    };
}

list_ways!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

impl SerializeStructVariant for MapSerializer {
    type Ok = CommandAnswer;
    type Error = AnswerError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), AnswerError> {
        self.insert(key.to_owned(), value)
    }

    fn end(self) -> Result<CommandAnswer, AnswerError> {
        Ok(self.finish())
    }
}

impl SerializeStruct for StructSerializer {
    type Ok = CommandAnswer;
    type Error = AnswerError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), AnswerError> {
        match self {
            Self::Map(map) => map.insert(key.to_owned(), value)?,
            Self::Number(number) => {
                let digits = value.serialize(AnswerSerializer { left: 0 })?;
                *number = Some(Number::parse(digits.as_text().unwrap_or_default())?);
            }
        }
        Ok(())
    }

    fn end(self) -> Result<CommandAnswer, AnswerError> {
        match self {
            Self::Map(map) => Ok(map.finish()),
            Self::Number(number) => number.map(CommandAnswer::Number).ok_or(NumberError::NotANumber.into()),
        }
    }
}

impl SerializeMap for MapSerializer {
    type Ok = CommandAnswer;
    type Error = AnswerError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), AnswerError> {
        // A key is serialised like a value. Only text is accepted.
        self.key = Some(match key.serialize(self.inside)? {
            CommandAnswer::Text(key) => key,
            CommandAnswer::Null => return Err(AnswerError::Key("null")),
            CommandAnswer::Boolean(_) => return Err(AnswerError::Key("a boolean")),
            CommandAnswer::Number(_) => return Err(AnswerError::Key("a number")),
            CommandAnswer::List(_) => return Err(AnswerError::Key("a list")),
            CommandAnswer::Map(_) => return Err(AnswerError::Key("a map")),
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), AnswerError> {
        let key = self.key.take().ok_or_else(|| AnswerError::custom("a map's value came before its key"))?;
        self.insert(key, value)
    }

    fn end(self) -> Result<CommandAnswer, AnswerError> {
        Ok(self.finish())
    }
}
