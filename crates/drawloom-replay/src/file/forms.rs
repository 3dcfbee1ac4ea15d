//! The smaller objects of the file: named things, access, session.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use drawloom::command::{AccessRequirement, Role};
use drawloom::workbench::Session;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// An object, and not the list of its fields that serde takes as well.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Things by their names, none of them named twice.
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
                return Err(A::Error::custom(format_args!("{name:?} is named twice")));
            }
            named.insert(name, map.next_value()?);
        }
        Ok(named)
    }
}

/// What is left when exactly one of several was said.
pub(crate) fn one_of<T>(
    said: impl IntoIterator<Item = Option<T>>,
    what: &str,
    words: &str,
) -> Result<T, String> {
    let mut said = said.into_iter().flatten();
    match (said.next(), said.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(format!("{what} says exactly one of {words}")),
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AccessForm {
    authenticated: Option<bool>,
    any_role: Option<Vec<Role>>,
    all_roles: Option<Vec<Role>>,
}

/// Whom a command is for.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "AccessForm")]
pub(crate) struct Access(pub(crate) AccessRequirement);

impl TryFrom<AccessForm> for Access {
    type Error = String;

    fn try_from(form: AccessForm) -> Result<Self, String> {
        let said = [
            form.authenticated.map(|signed_in| match signed_in {
                true => AccessRequirement::Authenticated,
                false => AccessRequirement::Anonymous,
            }),
            form.any_role.map(|roles| AccessRequirement::AnyRole(roles.into_iter().collect())),
            form.all_roles.map(|roles| AccessRequirement::AllRoles(roles.into_iter().collect())),
        ];
        one_of(said, "access", "\"authenticated\", \"anyRole\", \"allRoles\"").map(Self)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionFields {
    #[serde(default)]
    authenticated: bool,
    #[serde(default)]
    roles: Vec<Role>,
}

/// Who is at the keyboard.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "SessionFields")]
pub(crate) struct SessionForm(pub(crate) Session);

impl TryFrom<SessionFields> for SessionForm {
    type Error = &'static str;

    fn try_from(form: SessionFields) -> Result<Self, Self::Error> {
        match (form.authenticated, form.roles) {
            (true, roles) => Ok(Self(Session::authenticated(roles))),
            (false, roles) if roles.is_empty() => Ok(Self(Session::Anonymous)),
            (false, _) => Err("a session that is not authenticated has no roles"),
        }
    }
}
