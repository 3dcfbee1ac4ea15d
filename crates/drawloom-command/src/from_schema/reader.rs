//! Walking a schema: what each part of it comes to as an argument.

use serde_json::{Map, Value};

use super::keywords::{array, bound, constants, integers, known, object, text, texts, types, unknown};
use super::{Place, SchemaError};
use crate::argument::Argument;

/// The arguments that the schema of an object describes, in the order of its properties.
pub(super) fn arguments(schema: &Value) -> Result<Vec<Argument>, SchemaError> {
    Reader { root: schema }.arguments()
}

/// How many references may follow one another.
const REFERENCES: usize = 32;

struct Reader<'a> {
    root: &'a Value,
}

/// What a schema comes to.
pub(super) struct Read<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) nullable: bool,
    pub(super) description: Option<&'a str>,
}

pub(super) enum Kind<'a> {
    /// Nothing but null.
    None,
    Text,
    Boolean,
    Number {
        min: f64,
        max: f64,
    },
    Integer {
        min: i128,
        max: i128,
    },
    Choice(Vec<&'a str>),
    List(Box<Kind<'a>>),
}

impl<'a> Reader<'a> {
    fn arguments(&self) -> Result<Vec<Argument>, SchemaError> {
        let at = Place(String::new());
        let (schema, _) = self.follow(&at, self.root)?;
        known(
            &at,
            schema,
            &["type", "properties", "required", "additionalProperties", "$defs", "definitions"],
        )?;
        if schema.get("type") != Some(&Value::from("object")) {
            return at.refuse("arguments are an object, which this is not");
        }
        // The check refuses undeclared arguments, so a schema may say so, and may not promise otherwise.
        if schema.get("additionalProperties").is_some_and(|open| open.as_bool() != Some(false)) {
            return at.field("additionalProperties").refuse("arguments are declared by name, all of them");
        }
        let required: Vec<&str> = match schema.get("required") {
            None => Vec::new(),
            Some(names) => texts(&at.field("required"), names)?,
        };
        let properties = match schema.get("properties") {
            None => None,
            Some(properties) => Some(object(&at.field("properties"), properties)?),
        };
        let is_property = |name: &&&str| properties.is_some_and(|properties| properties.contains_key(**name));
        if let Some(name) = required.iter().find(|name| !is_property(name)) {
            return at.field("required").refuse(&format!("{name:?} is no property"));
        }
        let properties = properties.into_iter().flatten().map(|(name, schema)| {
            let at = at.field("properties").field(name);
            self.argument(&at, name, schema, required.contains(&&**name))
        });
        properties.collect()
    }

    fn argument(
        &self,
        at: &Place,
        name: &str,
        schema: &'a Value,
        required: bool,
    ) -> Result<Argument, SchemaError> {
        let read = self.read(at, schema)?;
        let (argument, list) = match read.kind {
            Kind::List(kind) => (declared(name, *kind), true),
            kind => (declared(name, kind), false),
        };
        let Some(argument) = argument else {
            return at.refuse("it takes nothing but null, and an argument has a value");
        };
        if read.nullable && required {
            return at.refuse("it is required and may be null; an argument without a value is left out");
        }
        let argument = if list { argument.list() } else { argument };
        let argument = if required { argument.required() } else { argument };
        Ok(match read.description {
            Some(description) => argument.description(description),
            None => argument,
        })
    }

    fn read(&self, at: &Place, schema: &'a Value) -> Result<Read<'a>, SchemaError> {
        let (schema, description) = self.follow(at, schema)?;
        let mut read = if let Some((keyword, alternatives)) =
            ["anyOf", "oneOf"].iter().find_map(|keyword| Some((*keyword, schema.get(*keyword)?)))
        {
            known(at, schema, &[keyword])?;
            self.one_of(&at.field(keyword), alternatives)?
        } else if let Some(text) = schema.get("const") {
            known(at, schema, &["const", "type"])?;
            constants(at, schema, "const", std::slice::from_ref(text))?
        } else if let Some(choices) = schema.get("enum") {
            known(at, schema, &["enum", "type"])?;
            constants(at, schema, "enum", array(&at.field("enum"), choices)?)?
        } else {
            self.of_type(at, schema)?
        };
        read.description = description.or(read.description);
        Ok(read)
    }

    /// Follows references, and gives the first description on the way.
    fn follow(
        &self,
        at: &Place,
        schema: &'a Value,
    ) -> Result<(&'a Map<String, Value>, Option<&'a str>), SchemaError> {
        let (mut schema, mut description) = (schema, None);
        for _ in 0..REFERENCES {
            let fields = match schema {
                Value::Object(fields) => fields,
                Value::Bool(true) => return at.refuse("it takes anything"),
                _ => return at.refuse("it takes nothing"),
            };
            description = description.or_else(|| fields.get("description")?.as_str());
            let Some(reference) = fields.get("$ref") else {
                return Ok((fields, description));
            };
            known(at, fields, &["$ref", "$defs", "definitions"])?;
            let target = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
            match target.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => schema = target,
                None => return at.field("$ref").refuse("it refers to nothing within the schema"),
            }
        }
        at.refuse("it refers to itself")
    }

    /// One kind, or texts that together are one choice; each of them or null.
    fn one_of(&self, at: &Place, alternatives: &'a Value) -> Result<Read<'a>, SchemaError> {
        let mut all = Read { kind: Kind::None, nullable: false, description: None };
        for (index, alternative) in array(at, alternatives)?.iter().enumerate() {
            let at = at.item(index);
            let read = self.read(&at, alternative)?;
            all.nullable |= read.nullable;
            all.kind = match (all.kind, read.kind) {
                (kind, Kind::None) => kind,
                (Kind::None, kind) => {
                    all.description = read.description;
                    kind
                }
                (Kind::Choice(mut choices), Kind::Choice(more)) => {
                    choices.extend(more);
                    // What is said of one text says nothing of the others.
                    all.description = None;
                    Kind::Choice(choices)
                }
                _ => return at.refuse("it is of another kind than what stands before it"),
            };
        }
        Ok(all)
    }

    fn of_type(&self, at: &Place, schema: &'a Map<String, Value>) -> Result<Read<'a>, SchemaError> {
        let Some(types) = types(at, schema)? else {
            return at.refuse("it takes anything");
        };
        let nullable = types.contains(&"null");
        let mut others = types.into_iter().filter(|kind| *kind != "null");
        let kind = match (others.next(), others.next()) {
            (None, _) => known(at, schema, &["type"]).map(|()| Kind::None),
            (Some(kind), None) => self.of_one_type(at, kind, schema),
            (Some(_), Some(_)) => at.field("type").refuse("it is of several kinds"),
        }?;
        Ok(Read { kind, nullable, description: None })
    }

    fn of_one_type(
        &self,
        at: &Place,
        kind: &str,
        schema: &'a Map<String, Value>,
    ) -> Result<Kind<'a>, SchemaError> {
        match kind {
            "string" => known(at, schema, &["type"]).map(|()| Kind::Text),
            "boolean" => known(at, schema, &["type"]).map(|()| Kind::Boolean),
            "number" => {
                known(at, schema, &["type", "format", "minimum", "maximum"])?;
                let (least, greatest) = match text(schema, "format") {
                    None | Some("double") => (f64::NEG_INFINITY, f64::INFINITY),
                    Some("float") => (f32::MIN.into(), f32::MAX.into()),
                    Some(_) => return unknown(at, "format"),
                };
                let min = bound(at, schema, "minimum")?.map_or(least, |min| min.as_f64().max(least));
                let max = bound(at, schema, "maximum")?.map_or(greatest, |max| max.as_f64().min(greatest));
                Ok(Kind::Number { min, max })
            }
            "integer" => {
                known(at, schema, &["type", "format", "minimum", "maximum"])?;
                let Some((least, greatest)) = integers(text(schema, "format")) else {
                    return unknown(at, "format");
                };
                let whole = |keyword| match bound(at, schema, keyword)? {
                    None => Ok(None),
                    Some(bound) => match bound.whole() {
                        None => at.field(keyword).refuse("the bound of a whole number is one too"),
                        whole => Ok(whole),
                    },
                };
                let min = whole("minimum")?.map_or(least, |min| min.max(least));
                let max = whole("maximum")?.map_or(greatest, |max| max.min(greatest));
                Ok(Kind::Integer { min, max })
            }
            "array" => {
                known(at, schema, &["type", "items"])?;
                let items_at = at.field("items");
                let Some(items) = schema.get("items") else {
                    return at.refuse("its list takes anything");
                };
                match self.read(&items_at, items)? {
                    Read { nullable: true, .. } | Read { kind: Kind::None, .. } => {
                        items_at.refuse("an entry of a list has a value and is never null")
                    }
                    Read { kind: Kind::List(_), .. } => items_at.refuse("an entry of a list is no list"),
                    Read { kind, .. } => Ok(Kind::List(Box::new(kind))),
                }
            }
            "object" => at.refuse("it is an object, and an argument is text, a number, a boolean or a list"),
            _ => at.field("type").refuse("there is no such type"),
        }
    }
}

fn declared(name: &str, kind: Kind<'_>) -> Option<Argument> {
    Some(match kind {
        Kind::None | Kind::List(_) => return None,
        Kind::Text => Argument::text(name),
        Kind::Boolean => Argument::boolean(name),
        Kind::Number { min, max } => Argument::number_within(name, min..=max),
        Kind::Integer { min, max } => Argument::integer(name, min..=max),
        Kind::Choice(choices) => Argument::choice(name, choices),
    })
}
