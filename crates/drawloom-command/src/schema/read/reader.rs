//! Walking a schema: the kind of argument that each part of it describes.
//!
//! A schema may be user-supplied and may refer to itself, so depth and the number of schemas that are read are bounded.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::keywords::{Effect, bound, ceil, effect, floor, integers, text};
use super::{SchemaError, SchemaProblem};
use crate::argument::Argument;
use crate::number::Number;
use crate::schema::location::Location;
use crate::schema::reference::resolve;
use crate::text::Quoted;

/// How many references may follow one another.
const MAX_REFERENCES: usize = 32;
/// How deep a location may be.
const MAX_DEPTH: usize = 64;
/// How many schemas, keywords and constants are read, each use of a referenced schema counted.
const MAX_PARTS: usize = 100_000;
/// How many bytes of a text count as one more part: an argument keeps a text of its own of a referenced schema.
const PART_BYTES: usize = 32;
/// How many problems and ignored keywords are kept.
const MAX_REPORTED: usize = 64;

/// The arguments that a schema describes, and the locations of the keywords that are lost.
#[derive(Debug)]
pub(super) struct ReadArguments {
    pub(super) arguments: Vec<Argument>,
    pub(super) ignored: Vec<String>,
}

/// Reads the arguments that the schema of an object describes, in the order of its properties.
pub(super) fn arguments(schema: &Value) -> Result<ReadArguments, SchemaError> {
    let mut reader =
        Reader { root: schema, problems: Vec::new(), ignored: Vec::new(), parts_left: MAX_PARTS };
    let arguments = reader.object();
    let Reader { problems, ignored, .. } = reader;
    match arguments {
        Some(arguments) if problems.is_empty() => Ok(ReadArguments { arguments, ignored }),
        _ => Err(SchemaError { problems }),
    }
}

struct Reader<'a> {
    root: &'a Value,
    problems: Vec<SchemaProblem>,
    ignored: Vec<String>,
    parts_left: usize,
}

/// What a schema accepts.
struct Accepted<'a> {
    kind: Kind<'a>,
    nullable: bool,
    description: Option<&'a str>,
}

#[derive(PartialEq)]
enum Kind<'a> {
    /// Nothing but null.
    Null,
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

impl Kind<'_> {
    fn is_numeric(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Integer { .. })
    }

    fn is_every_number(&self) -> bool {
        *self == Self::Number { min: f64::NEG_INFINITY, max: f64::INFINITY }
    }
}

type Fields = Map<String, Value>;

// Each method that returns an option has reported at least one problem if it returns `None`.
impl<'a> Reader<'a> {
    fn object(&mut self) -> Option<Vec<Argument>> {
        let at = Location::TOP;
        let (schema, _) = self.follow(&at, self.root)?;
        if schema.get("type") != Some(&Value::from("object")) {
            return self.problem(&at, "arguments are an object, and \"type\" is not \"object\"");
        }
        // Undeclared arguments are refused, whether the schema says so or not.
        let understood = ["type", "properties", "required"];
        for (keyword, value) in schema {
            let is_closed = matches!(keyword.as_str(), "additionalProperties" | "unevaluatedProperties")
                && value.as_bool() == Some(false);
            if !is_closed && keyword != "title" {
                self.check_keyword(&at, keyword, value, &understood);
            }
        }
        let required: HashSet<&str> = match schema.get("required") {
            None => HashSet::new(),
            Some(names) => self.texts(&at.field("required"), names)?.into_iter().collect(),
        };
        let properties = match schema.get("properties") {
            None => None,
            Some(Value::Object(properties)) => Some(properties),
            Some(_) => return self.problem(&at.field("properties"), "\"properties\" is not an object"),
        };
        for name in &required {
            if !properties.is_some_and(|properties| properties.contains_key(*name)) {
                let what = format!("{} is required and is not a property", Quoted(name));
                self.report(&at.field("required"), &what);
            }
        }
        let mut arguments = Vec::new();
        let at = at.field("properties");
        for (name, schema) in properties.into_iter().flatten() {
            arguments.extend(self.argument(&at.field(name), name, schema, required.contains(&**name)));
        }
        Some(arguments)
    }

    fn argument(
        &mut self,
        at: &Location<'_>,
        name: &str,
        schema: &'a Value,
        required: bool,
    ) -> Option<Argument> {
        let Accepted { kind, nullable, description } = self.read(at, schema)?;
        let (kind, is_list) = match kind {
            Kind::List(kind) => (*kind, true),
            kind => (kind, false),
        };
        let argument = match kind {
            Kind::Null | Kind::List(_) => {
                return self.problem(at, "an argument has a value, and this accepts only null");
            }
            Kind::Text => Argument::text(name),
            Kind::Boolean => Argument::boolean(name),
            Kind::Number { min, max } => Argument::number_within(name, min..=max),
            Kind::Integer { min, max } => Argument::integer(name, min..=max),
            Kind::Choice(choices) => Argument::choice(name, choices),
        };
        let argument = if is_list { argument.list() } else { argument };
        // Leaving the argument out takes the place of a null.
        let argument = if required && !nullable { argument.required() } else { argument };
        Some(match description {
            Some(description) => argument.description(description),
            None => argument,
        })
    }

    fn read(&mut self, at: &Location<'_>, schema: &'a Value) -> Option<Accepted<'a>> {
        if at.depth() > MAX_DEPTH {
            return self.problem(at, "the schema is nested too deeply, or refers to itself");
        }
        let (schema, description) = self.follow(at, schema)?;
        let alternatives = ["anyOf", "oneOf"].into_iter().find_map(|key| Some((key, schema.get(key)?)));
        let mut accepted = if let Some((keyword, alternatives)) = alternatives {
            self.check_keywords(at, schema, &[keyword]);
            self.one_of(&at.field(keyword), alternatives, keyword == "anyOf")
        } else if let Some(value) = schema.get("const") {
            self.check_keywords(at, schema, &["const", "type"]);
            self.constants(at, schema, "const", std::slice::from_ref(value))
        } else if let Some(values) = schema.get("enum") {
            self.check_keywords(at, schema, &["enum", "type"]);
            let values = self.array(&at.field("enum"), values)?;
            self.constants(at, schema, "enum", values)
        } else {
            self.of_type(at, schema)
        }?;
        accepted.description = description.or(accepted.description);
        Some(accepted)
    }

    /// Follows references and lone `allOf`s. Returns the schema and the first description on the way.
    fn follow(&mut self, at: &Location<'_>, schema: &'a Value) -> Option<(&'a Fields, Option<&'a str>)> {
        let (mut schema, mut description) = (schema, None);
        for _ in 0..MAX_REFERENCES {
            let fields = match schema {
                Value::Object(fields) => fields,
                Value::Bool(true) => return self.problem(at, "an argument cannot accept any value"),
                Value::Bool(false) => return self.problem(at, "an argument cannot accept no value"),
                _ => return self.problem(at, "a schema is an object"),
            };
            self.count(at, fields.len().max(1))?;
            description = description.or_else(|| fields.get("description")?.as_str());
            for keyword in ["description", "$ref"] {
                self.count_text(at, fields.get(keyword))?;
            }
            if let Some(reference) = fields.get("$ref") {
                self.check_keywords(at, fields, &["$ref"]);
                match reference.as_str().and_then(|reference| resolve(self.root, reference)) {
                    Some(target) => schema = target,
                    None => {
                        return self
                            .problem(&at.field("$ref"), "the reference has no target within the schema");
                    }
                }
            } else if let Some([only]) = fields.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
                self.check_keywords(at, fields, &["allOf"]);
                schema = only;
            } else {
                return Some((fields, description));
            }
        }
        self.problem(at, "too many references follow one another, or the reference leads back to itself")
    }

    fn count(&mut self, at: &Location<'_>, parts: usize) -> Option<()> {
        match self.parts_left.checked_sub(parts) {
            Some(left) => self.parts_left = left,
            None => return self.problem(at, "the schema is too large"),
        }
        Some(())
    }

    fn count_text(&mut self, at: &Location<'_>, text: Option<&Value>) -> Option<()> {
        self.count(at, text.and_then(Value::as_str).map_or(0, |text| text.len() / PART_BYTES))
    }

    /// The alternatives as one kind, and whether one of them accepts null.
    fn one_of(&mut self, at: &Location<'_>, alternatives: &'a Value, overlap: bool) -> Option<Accepted<'a>> {
        let mut all = Accepted { kind: Kind::Null, nullable: false, description: None };
        let mut described = Vec::new();
        for (index, alternative) in self.array(at, alternatives)?.iter().enumerate() {
            let at = at.item(index);
            let Accepted { kind, nullable, description } = self.read(&at, alternative)?;
            all.nullable |= nullable;
            if let Some(description) = description {
                described.push((index, description));
            }
            all.kind = match union(all.kind, kind, overlap) {
                Some(kind) => kind,
                None => {
                    return self.problem(&at, "an argument cannot accept these alternatives together");
                }
            };
        }
        if let Kind::Choice(choices) = &mut all.kind
            && overlap
        {
            let mut seen = HashSet::new();
            choices.retain(|choice| seen.insert(*choice));
        }
        match described.as_slice() {
            // The description of one choice is not a description of the argument.
            [(_, description)] if !matches!(&all.kind, Kind::Choice(choices) if choices.len() > 1) => {
                all.description = Some(description);
            }
            labels => {
                for (index, _) in labels {
                    self.ignore(&at.item(*index).field("description"));
                }
            }
        }
        Some(all)
    }

    /// Constants: texts are a choice, both booleans are a boolean, and null among them makes it nullable.
    fn constants(
        &mut self,
        at: &Location<'_>,
        schema: &'a Fields,
        keyword: &str,
        values: &'a [Value],
    ) -> Option<Accepted<'a>> {
        self.count(at, values.len())?;
        let (mut choices, mut has_false, mut has_true, mut nullable) = (Vec::new(), false, false, false);
        for value in values {
            self.count_text(at, Some(value))?;
            match value {
                Value::String(text) => choices.push(text.as_str()),
                Value::Bool(false) => has_false = true,
                Value::Bool(true) => has_true = true,
                Value::Null => nullable = true,
                _ => return self.problem(&at.field(keyword), "a choice is among texts"),
            }
        }
        let (kind, name) = match (choices.is_empty(), has_false, has_true) {
            (false, false, false) => (Kind::Choice(choices), "string"),
            (true, true, true) => (Kind::Boolean, "boolean"),
            (true, false, false) if nullable => (Kind::Null, "null"),
            (true, false, false) => (Kind::Choice(choices), "string"),
            _ => return self.problem(&at.field(keyword), "a choice is among texts"),
        };
        if let Some(types) = self.types(at, schema)? {
            if !types.contains(&name) {
                return self.problem(&at.field("type"), "the type contradicts the constants");
            }
            nullable &= types.contains(&"null");
        }
        Some(Accepted { kind, nullable, description: None })
    }

    fn of_type(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Accepted<'a>> {
        let Some(types) = self.types(at, schema)? else {
            self.check_keywords(at, schema, &[]);
            return self.problem(at, "an argument cannot accept any value");
        };
        let nullable = types.contains(&"null");
        let others: Vec<&str> = types.into_iter().filter(|kind| *kind != "null").collect();
        let kind = match others.as_slice() {
            [] => {
                self.check_keywords(at, schema, &["type"]);
                Kind::Null
            }
            [kind] => self.of_one_type(at, kind, schema)?,
            // Every whole number is a number.
            ["integer", "number"] | ["number", "integer"] => self.of_one_type(at, "number", schema)?,
            _ => return self.problem(&at.field("type"), "an argument has one kind"),
        };
        Some(Accepted { kind, nullable, description: None })
    }

    fn of_one_type(&mut self, at: &Location<'_>, kind: &str, schema: &'a Fields) -> Option<Kind<'a>> {
        match kind {
            "string" => {
                self.check_keywords(at, schema, &["type"]);
                Some(Kind::Text)
            }
            "boolean" => {
                self.check_keywords(at, schema, &["type"]);
                Some(Kind::Boolean)
            }
            "number" => self.number(at, schema),
            "integer" => self.integer(at, schema),
            "array" => {
                self.check_keywords(at, schema, &["type", "items"]);
                let items_at = at.field("items");
                let Some(items) = schema.get("items") else {
                    return self.problem(at, "a list needs \"items\"");
                };
                let Accepted { kind, nullable, description } = self.read(&items_at, items)?;
                if description.is_some() {
                    self.ignore(&items_at.field("description"));
                }
                match kind {
                    Kind::List(_) => self.problem(&items_at, "an entry of a list cannot be a list"),
                    Kind::Null => self.problem(&items_at, "an entry of a list cannot be null"),
                    _ if nullable => self.problem(&items_at, "an entry of a list cannot be null"),
                    kind => Some(Kind::List(Box::new(kind))),
                }
            }
            "object" => self.problem(at, "an argument cannot be an object"),
            _ => self.problem(&at.field("type"), "this is not a type"),
        }
    }

    fn number(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Kind<'a>> {
        self.check_keywords(at, schema, &["type", "format", "minimum", "maximum"]);
        let (least, greatest) = match text(schema, "format") {
            None | Some("double") => (f64::NEG_INFINITY, f64::INFINITY),
            Some("float") => (f32::MIN.into(), f32::MAX.into()),
            Some(_) => return self.unknown(at, "format"),
        };
        let min = self.double(at, schema, "minimum")?.map_or(least, |min| min.max(least));
        let max = self.double(at, schema, "maximum")?.map_or(greatest, |max| max.min(greatest));
        Some(Kind::Number { min, max })
    }

    fn integer(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Kind<'a>> {
        let mut understood =
            vec!["type", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
        if schema.get("multipleOf").and_then(Value::as_f64) == Some(1.0) {
            understood.push("multipleOf");
        }
        self.check_keywords(at, schema, &understood);
        let Some((least, greatest)) = integers(text(schema, "format")) else {
            return self.unknown(at, "format");
        };
        let mut bound = |keyword| self.bound(at, schema, keyword);
        let mins =
            [bound("minimum")?.map(ceil), bound("exclusiveMinimum")?.map(|min| floor(min).saturating_add(1))];
        let maxs =
            [bound("maximum")?.map(floor), bound("exclusiveMaximum")?.map(|max| ceil(max).saturating_sub(1))];
        let min = mins.into_iter().flatten().fold(least, i128::max);
        let max = maxs.into_iter().flatten().fold(greatest, i128::min);
        Some(Kind::Integer { min, max })
    }

    /// The bound of a number that need not be whole, which is a double.
    fn double(&mut self, at: &Location<'_>, schema: &Fields, keyword: &str) -> Option<Option<f64>> {
        let bound = self.bound(at, schema, keyword)?;
        let double = bound.map(|bound| bound.as_f64());
        if double.is_some() && double.map(Number::try_from) != bound.map(Ok) {
            return self.problem(&at.field(keyword), "a bound that no double is equal to cannot be kept");
        }
        Some(double)
    }

    fn bound(&mut self, at: &Location<'_>, schema: &Fields, keyword: &str) -> Option<Option<Number>> {
        match bound(schema, keyword) {
            Ok(bound) => Some(bound),
            Err(()) => self.problem(&at.field(keyword), "a bound is a number"),
        }
    }

    /// The types that a schema names. `Some(None)` if it names none.
    fn types(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Option<Vec<&'a str>>> {
        match schema.get("type") {
            None => Some(None),
            Some(Value::String(one)) => Some(Some(vec![one])),
            Some(several) => self.texts(&at.field("type"), several).map(Some),
        }
    }

    fn array(&mut self, at: &Location<'_>, value: &'a Value) -> Option<&'a [Value]> {
        match value {
            Value::Array(items) => Some(items),
            _ => self.problem(at, "this is not a list"),
        }
    }

    fn texts(&mut self, at: &Location<'_>, value: &'a Value) -> Option<Vec<&'a str>> {
        let mut texts = Vec::new();
        let items = self.array(at, value)?;
        self.count(at, items.len())?;
        for (index, item) in items.iter().enumerate() {
            match item.as_str() {
                Some(text) => texts.push(text),
                None => return self.problem(&at.item(index), "this is not text"),
            }
        }
        Some(texts)
    }

    /// Reports every keyword that is not understood and may limit what is accepted.
    fn check_keywords(&mut self, at: &Location<'_>, schema: &Fields, understood: &[&str]) {
        for (keyword, value) in schema {
            self.check_keyword(at, keyword, value, understood);
        }
    }

    fn check_keyword(&mut self, at: &Location<'_>, keyword: &str, value: &Value, understood: &[&str]) {
        if understood.contains(&keyword) {
            return;
        }
        match effect(keyword, value) {
            // An id below the top changes what the references below it refer to.
            Effect::None if keyword == "$id" && at.depth() > 0 => {
                let _ = self.unknown::<()>(at, keyword);
            }
            Effect::None => {}
            Effect::Ignored => self.ignore(&at.field(keyword)),
            Effect::Limits => {
                let _ = self.unknown::<()>(at, keyword);
            }
        }
    }

    fn unknown<T>(&mut self, at: &Location<'_>, keyword: &str) -> Option<T> {
        let what = format!("an argument cannot state {}", Quoted(keyword));
        self.problem(&at.field(keyword), &what)
    }

    fn problem<T>(&mut self, at: &Location<'_>, what: &str) -> Option<T> {
        self.report(at, what);
        None
    }

    fn report(&mut self, at: &Location<'_>, what: &str) {
        if self.problems.len() < MAX_REPORTED {
            self.problems.push(SchemaProblem { path: at.pointer(), what: what.to_owned() });
        }
    }

    fn ignore(&mut self, at: &Location<'_>) {
        if self.ignored.len() < MAX_REPORTED {
            self.ignored.push(at.pointer());
        }
    }
}

/// What two alternatives accept together, if an argument can state it. `overlap` tells whether a value may match both.
fn union<'a>(one: Kind<'a>, other: Kind<'a>, overlap: bool) -> Option<Kind<'a>> {
    match (one, other) {
        (kind, Kind::Null) | (Kind::Null, kind) => Some(kind),
        (Kind::Choice(mut choices), Kind::Choice(more)) => {
            choices.extend(more);
            Some(Kind::Choice(choices))
        }
        _ if !overlap => None,
        (Kind::Text, Kind::Text | Kind::Choice(_)) | (Kind::Choice(_), Kind::Text) => Some(Kind::Text),
        (one, other) if one.is_every_number() && other.is_numeric() => Some(one),
        (one, other) if other.is_every_number() && one.is_numeric() => Some(other),
        (one, other) => (one == other).then_some(one),
    }
}
