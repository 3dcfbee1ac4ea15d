//! Objects of the file: how an object is read, maps by name, access requirements and sessions.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use drawloom::command::{AccessRequirement, PersonId, Role};
use drawloom::workbench::{Person, Session};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// Implements `Deserialize` for structs with `#[serde(remote = "Self")]` so that only a JSON object is read as one.
///
/// The derived implementation alone would also accept a list of the values of the fields.
macro_rules! objects_only {
    ($($object:ty),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $object {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct ObjectVisitor;

                impl<'de> serde::de::Visitor<'de> for ObjectVisitor {
                    type Value = $object;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                        // This is the derived method, which is not a method of the trait.
                        <$object>::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }

                deserializer.deserialize_map(ObjectVisitor)
            }
        }
    )+};
}
pub(crate) use objects_only;

/// An object that is a map from names to values. A repeated name is an error.
#[derive(Clone, Debug)]
pub(crate) struct Named<T>(pub(crate) BTreeMap<String, T>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamedVisitor(PhantomData)).map(Self)
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut named = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if named.contains_key(&name) {
                return Err(A::Error::custom(format_args!("{name:?} is repeated")));
            }
            named.insert(name, map.next_value()?);
        }
        Ok(named)
    }
}

/// The only value that is present. None or several are an error.
pub(crate) fn one_of<T>(
    values: impl IntoIterator<Item = Option<T>>,
    what: &str,
    fields: &str,
) -> Result<T, String> {
    let mut present = values.into_iter().flatten();
    match (present.next(), present.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(format!("{what} has exactly one of {fields}")),
    }
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
struct AccessFields {
    authenticated: Option<bool>,
    any_role: Option<Vec<Role>>,
    all_roles: Option<Vec<Role>>,
}

objects_only!(AccessFields, SessionFields, FilePerson);

/// The access requirement of a command.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "AccessFields")]
pub(crate) struct Access(pub(crate) AccessRequirement);

impl TryFrom<AccessFields> for Access {
    type Error = String;

    fn try_from(fields: AccessFields) -> Result<Self, String> {
        let requirements = [
            fields.authenticated.map(|authenticated| match authenticated {
                true => AccessRequirement::Authenticated,
                false => AccessRequirement::Anonymous,
            }),
            fields.any_role.map(|roles| AccessRequirement::AnyRole(roles.into_iter().collect())),
            fields.all_roles.map(|roles| AccessRequirement::AllRoles(roles.into_iter().collect())),
        ];
        one_of(requirements, "access", "\"authenticated\", \"anyRole\", \"allRoles\"").map(Self)
    }
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct SessionFields {
    #[serde(default)]
    authenticated: bool,
    #[serde(default)]
    roles: Vec<Role>,
    person: Option<FilePerson>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
struct FilePerson {
    id: PersonId,
    name: Option<String>,
}

/// The session of the person.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "SessionFields")]
pub(crate) struct FileSession(pub(crate) Session);

impl TryFrom<SessionFields> for FileSession {
    type Error = &'static str;

    fn try_from(fields: SessionFields) -> Result<Self, Self::Error> {
        let SessionFields { authenticated, roles, person } = fields;
        match (authenticated, person) {
            (true, Some(FilePerson { id, name })) => {
                let person = Person::new(id);
                Ok(Self(Session::of(name.map_or(person.clone(), |name| person.name(name)), roles)))
            }
            (true, None) => Ok(Self(Session::authenticated(roles))),
            (false, Some(_)) => Err("a session that is not authenticated has no person"),
            (false, None) if roles.is_empty() => Ok(Self(Session::anonymous())),
            (false, None) => Err("a session that is not authenticated has no roles"),
        }
    }
}
