//! How the types of the protocol are read from the members of an object and written to them.
//!
//! A type is declared once, with [`members!`]: its fields and the names of their members. What a value of the wrong kind
//! means is decided by the type of the field: an optional field reads as absent, a text as empty, a list as empty.
//! Null counts as absent. Of two members with one name the last one counts.

use std::borrow::Cow;

use serde::ser::SerializeMap;

use super::Json;
use super::decode::{Next, Read, Reader};

/// Members that this version does not know, in order.
pub(crate) type Extra<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// A value that can be detached from the text that it borrows from.
pub(crate) trait IntoOwned {
    type Owned: 'static;
    fn into_owned(self) -> Self::Owned;
}

/// The value of a member.
pub(crate) trait Member<'a>: Sized {
    /// Reads the next value, whatever its kind.
    fn read(reader: &mut Reader<'a>) -> Read<Self>;
    /// Writes the member, unless the value is absent.
    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error>;
}

/// The members of an object.
pub(crate) trait Members<'a>: Default {
    /// Reads the value of a member if the type has one of this name. Otherwise the reader does not move.
    fn read_member(&mut self, name: &str, reader: &mut Reader<'a>) -> Read<bool>;
    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Members together with those that are not known.
pub(crate) trait Open<'a>: Members<'a> {
    fn extra(&self) -> &Extra<'a>;
    fn extra_mut(&mut self) -> &mut Extra<'a>;
}

/// Reads an object.
pub(crate) fn read_object<'a, T: Open<'a>>(reader: &mut Reader<'a>) -> Read<T> {
    let mut value = T::default();
    let mut inside = reader.object()?;
    while let Some(name) = reader.key(&mut inside)? {
        if !value.read_member(&name, reader)? {
            reader.count()?;
            let json = reader.raw()?;
            value.extra_mut().push((name, json));
        }
    }
    Ok(value)
}

/// Writes members and those that are not known.
pub(crate) fn write_object<'a, T: Open<'a>, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    value.write_members(&mut map)?;
    write_extra(value.extra(), &mut map)?;
    map.end()
}

pub(crate) fn write_extra<M: SerializeMap>(extra: &Extra<'_>, map: &mut M) -> Result<(), M::Error> {
    extra.iter().try_for_each(|(name, json)| map.serialize_entry(name, json))
}

/// Reads a list and keeps the items that `item` makes something of. What is not a list is an empty one.
pub(crate) fn read_list<'a, T>(
    reader: &mut Reader<'a>,
    mut item: impl FnMut(&mut Reader<'a>) -> Read<Option<T>>,
) -> Read<Vec<T>> {
    let mut items = Vec::new();
    if reader.next() != Next::List {
        reader.skip()?;
        return Ok(items);
    }
    let mut inside = reader.list()?;
    while reader.item(&mut inside)? {
        reader.count()?;
        items.extend(item(reader)?);
    }
    Ok(items)
}

/// Reads text; anything else is passed over.
#[inline]
pub(crate) fn read_text<'a>(reader: &mut Reader<'a>) -> Read<Option<Cow<'a, str>>> {
    if reader.next() == Next::Text {
        return reader.text().map(Some);
    }
    reader.skip()?;
    Ok(None)
}

impl IntoOwned for Cow<'_, str> {
    type Owned = Cow<'static, str>;
    fn into_owned(self) -> Cow<'static, str> {
        Cow::Owned(Cow::into_owned(self))
    }
}

impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}

impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.into_iter().map(T::into_owned).collect()
    }
}

impl<A: IntoOwned, B: IntoOwned> IntoOwned for (A, B) {
    type Owned = (A::Owned, B::Owned);
    fn into_owned(self) -> Self::Owned {
        (self.0.into_owned(), self.1.into_owned())
    }
}

impl IntoOwned for bool {
    type Owned = bool;
    fn into_owned(self) -> bool {
        self
    }
}

impl IntoOwned for u64 {
    type Owned = u64;
    fn into_owned(self) -> u64 {
        self
    }
}

/// A text that the protocol requires: empty where it is missing.
impl<'a> Member<'a> for Cow<'a, str> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_text(reader).map(Option::unwrap_or_default)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

/// A text that may be missing: an empty one counts as absent.
impl<'a> Member<'a> for Option<Cow<'a, str>> {
    #[inline]
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(read_text(reader)?.filter(|text| !text.is_empty()))
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |text| map.serialize_entry(name, text))
    }
}

/// A value of which null is one: null where it is missing.
impl<'a> Member<'a> for Json<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        reader.raw()
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

/// A value that may be missing.
impl<'a> Member<'a> for Option<Json<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(Some(reader.raw()?).filter(|json| !json.is_null()))
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |json| map.serialize_entry(name, json))
    }
}

impl<'a> Member<'a> for Option<bool> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(match reader.raw()?.get() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        })
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.map_or(Ok(()), |value| map.serialize_entry(name, &value))
    }
}

/// A count; anything but a whole number that is not negative counts as absent.
impl<'a> Member<'a> for Option<u64> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(reader.raw()?.get().parse().ok())
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.map_or(Ok(()), |value| map.serialize_entry(name, &value))
    }
}

/// Texts; an item that is not text is left out.
impl<'a> Member<'a> for Vec<Cow<'a, str>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_list(reader, read_text)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        if self.is_empty() { Ok(()) } else { map.serialize_entry(name, self) }
    }
}

/// Declares a struct of the protocol: its fields, and the member that each is read from and written to. A second name
/// is read if the first one is absent, and never written. With `extra`, the struct keeps the members that it does not know.
macro_rules! members {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<$lt:lifetime> {
            $( $(#[$doc:meta])* $field:ident: $type:ty = $member:literal $(or $alias:literal)? ),* $(,)?
            $(; $(#[$extra_doc:meta])* $extra:ident)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        $vis struct $name<$lt> {
            $( $(#[$doc])* pub $field: $type, )*
            $( $(#[$extra_doc])* pub $extra: $crate::protocol::member::Extra<$lt>, )?
        }

        impl<$lt> $crate::protocol::member::Members<$lt> for $name<$lt> {
            #[inline]
            fn read_member(
                &mut self,
                name: &str,
                reader: &mut $crate::protocol::decode::Reader<$lt>,
            ) -> $crate::protocol::decode::Read<bool> {
                match name {
                    $(
                        $member => self.$field = $crate::protocol::member::Member::read(reader)?,
                        $( $alias => {
                            let value: $type = $crate::protocol::member::Member::read(reader)?;
                            if self.$field == <$type>::default() {
                                self.$field = value;
                            }
                        } )?
                    )*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            fn write_members<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( $crate::protocol::member::Member::write(&self.$field, $member, map)?; )*
                Ok(())
            }
        }

        impl $name<'_> {
            /// The value on its own, which borrows nothing.
            pub fn into_owned(self) -> $name<'static> {
                $crate::protocol::member::IntoOwned::into_owned(self)
            }
        }

        impl $crate::protocol::member::IntoOwned for $name<'_> {
            type Owned = $name<'static>;
            fn into_owned(self) -> $name<'static> {
                $name {
                    $( $field: $crate::protocol::member::IntoOwned::into_owned(self.$field), )*
                    $( $extra: $crate::protocol::member::IntoOwned::into_owned(self.$extra), )?
                }
            }
        }

        $( $crate::protocol::member::members!(@open $name $extra); )?
    };
    (@open $name:ident $extra:ident) => {
        impl<'a> $crate::protocol::member::Open<'a> for $name<'a> {
            fn extra(&self) -> &$crate::protocol::member::Extra<'a> {
                &self.$extra
            }

            fn extra_mut(&mut self) -> &mut $crate::protocol::member::Extra<'a> {
                &mut self.$extra
            }
        }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::protocol::member::write_object(self, serializer)
            }
        }
    };
}
pub(crate) use members;
