//! Walking a schema: the kind of argument that each part of it describes.
//!
//! A schema may be user-supplied and may refer to itself, so depth and the number of schemas that are read are bounded.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::keywords::{Effect, bound, ceil, effect, floor, integers, text};
use super::{SchemaError, SchemaProblem};
use crate::argument::{Argument, CommandArgument, TextLength};
use crate::check::problem_with;
use crate::number::Number;
use crate::schema::location::Location;
use crate::schema::reference::resolve;
use crate::text::Quoted;
use crate::value::CommandArguments;

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

/// What a schema accepts, and what it says about it.
struct Accepted<'a> {
    kind: Kind<'a>,
    nullable: bool,
    said: Said<'a>,
    labels: Vec<Label<'a>>,
}

/// What a schema says about its values: the first of each on the way through references.
#[derive(Default)]
struct Said<'a> {
    description: Option<&'a str>,
    title: Option<Kept<'a>>,
    default: Option<Kept<'a>>,
    secret: Option<Kept<'a>>,
}

/// A keyword that an argument may keep. Until it is kept, it counts as ignored.
struct Kept<'a> {
    value: &'a Value,
    pointer: String,
}

/// The label of a choice.
struct Label<'a> {
    choice: &'a str,
    text: &'a str,
    pointer: String,
}

impl<'a> Said<'a> {
    fn or(self, other: Self) -> Self {
        Self {
            description: self.description.or(other.description),
            title: self.title.or(other.title),
            default: self.default.or(other.default),
            secret: self.secret.or(other.secret),
        }
    }

    fn of(at: &Location<'_>, fields: &'a Fields) -> Self {
        let kept = |keyword: &str| {
            let value = fields.get(keyword)?;
            Some(Kept { value, pointer: at.field(keyword).pointer() })
        };
        Self {
            description: fields.get("description").and_then(Value::as_str),
            title: kept("title"),
            default: kept("default"),
            secret: kept("writeOnly").filter(|kept| kept.value == true),
        }
    }
}

#[derive(PartialEq)]
enum Kind<'a> {
    /// Nothing but null.
    Null,
    Text(TextLength),
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
        let Accepted { kind, nullable, said, labels } = self.read(at, schema)?;
        let (kind, is_list) = match kind {
            Kind::List(kind) => (*kind, true),
            kind => (kind, false),
        };
        let argument = match kind {
            Kind::Null | Kind::List(_) => {
                return self.problem(at, "an argument has a value, and this accepts only null");
            }
            Kind::Text(length) => Argument::text(name).length(length),
            Kind::Boolean => Argument::boolean(name),
            Kind::Number { min, max } => Argument::number_within(name, min..=max),
            Kind::Integer { min, max } => Argument::integer(name, min..=max),
            Kind::Choice(choices) => Argument::choice(name, choices),
        };
        let mut argument = if is_list { argument.list() } else { argument };
        for label in labels {
            self.keep(&label.pointer);
            // A label that is the choice itself says nothing.
            if label.text != label.choice {
                argument = argument.label(label.choice, label.text);
            }
        }
        if let Some(description) = said.description {
            argument = argument.description(description);
        }
        if let Some(secret) = said.secret {
            self.keep(&secret.pointer);
            argument = argument.secret();
        }
        // Leaving the argument out takes the place of a null.
        if required && !nullable {
            return Some(argument.required());
        }
        Some(match said.default {
            Some(default) => self.with_default(argument, &default),
            None => argument,
        })
    }

    /// The argument with a default, if the default is one that the argument can have. Otherwise it is ignored: it limits no
    /// value.
    fn with_default(&mut self, argument: Argument, default: &Kept<'_>) -> Argument {
        let declared = CommandArgument::from(argument.clone());
        // Only what was counted is copied.
        let is_nested = |value: &Value| value.is_object() || value.is_array();
        let is_lost = match default.value {
            Value::Array(items) => items.iter().any(is_nested),
            single => is_nested(single),
        };
        if is_lost {
            return argument;
        }
        let named = Value::Object(Fields::from_iter([(declared.name.to_string(), default.value.clone())]));
        let value = CommandArguments::try_from(named).ok().and_then(|mut read| read.remove(&declared.name));
        match value {
            Some(value)
                if !declared.secret && problem_with(&declared, &value, || declared.choices()).is_none() =>
            {
                self.keep(&default.pointer);
                argument.default(value)
            }
            _ => argument,
        }
    }

    fn read(&mut self, at: &Location<'_>, schema: &'a Value) -> Option<Accepted<'a>> {
        if at.depth() > MAX_DEPTH {
            return self.problem(at, "the schema is nested too deeply, or refers to itself");
        }
        let (schema, said) = self.follow(at, schema)?;
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
        accepted.said = said.or(accepted.said);
        Some(accepted)
    }

    /// Follows references and lone `allOf`s. Returns the schema, and what is said on the way.
    fn follow(&mut self, at: &Location<'_>, schema: &'a Value) -> Option<(&'a Fields, Said<'a>)> {
        let (mut schema, mut said) = (schema, Said::default());
        for _ in 0..MAX_REFERENCES {
            let fields = match schema {
                Value::Object(fields) => fields,
                Value::Bool(true) => return self.problem(at, "an argument cannot accept any value"),
                Value::Bool(false) => return self.problem(at, "an argument cannot accept no value"),
                _ => return self.problem(at, "a schema is an object"),
            };
            self.count(at, fields.len().max(1))?;
            said = said.or(Said::of(at, fields));
            for keyword in ["description", "title", "$ref"] {
                self.count_text(at, fields.get(keyword))?;
            }
            self.count_default(at, fields.get("default"))?;
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
                return Some((fields, said));
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

    /// Counts what an argument would keep of a default.
    fn count_default(&mut self, at: &Location<'_>, default: Option<&Value>) -> Option<()> {
        match default {
            Some(Value::Array(items)) => {
                self.count(at, items.len())?;
                items.iter().try_for_each(|item| self.count_text(at, Some(item)))
            }
            single => self.count_text(at, single),
        }
    }

    /// The alternatives as one kind, and whether one of them accepts null.
    fn one_of(&mut self, at: &Location<'_>, alternatives: &'a Value, overlap: bool) -> Option<Accepted<'a>> {
        let mut all = Accepted::new(Kind::Null, false);
        let mut described = Vec::new();
        for (index, alternative) in self.array(at, alternatives)?.iter().enumerate() {
            let at = at.item(index);
            let Accepted { kind, nullable, said, labels } = self.read(&at, alternative)?;
            all.nullable |= nullable;
            all.labels.extend(labels);
            let single_choice = match &kind {
                Kind::Choice(choices) => match choices.as_slice() {
                    [choice] => Some(choice),
                    _ => None,
                },
                _ => None,
            };
            match single_choice {
                // What is said of one choice is its label: the title, or else the description.
                Some(choice) => {
                    let title = said.title.and_then(|title| Some((title.value.as_str()?, title.pointer)));
                    let description = said.description.map(|text| (text, at.field("description").pointer()));
                    if let (Some(_), Some((_, pointer))) = (&title, &description) {
                        self.ignore_at(pointer.clone());
                    }
                    let label = title.or(description).filter(|(text, _)| !text.is_empty());
                    if let Some((text, pointer)) = label {
                        all.labels.push(Label { choice, text, pointer });
                    }
                }
                None => described.extend(said.description.map(|description| (index, description))),
            }
            all.kind = match union(all.kind, kind, overlap) {
                Some(kind) => kind,
                None => {
                    return self.problem(&at, "an argument cannot accept these alternatives together");
                }
            };
        }
        match &mut all.kind {
            Kind::Choice(choices) => {
                let mut seen = HashSet::new();
                if overlap {
                    choices.retain(|choice| seen.insert(*choice));
                }
                let mut labelled = HashSet::new();
                let (labels, repeated): (Vec<_>, Vec<_>) =
                    all.labels.drain(..).partition(|label| labelled.insert(label.choice));
                all.labels = labels;
                repeated.into_iter().for_each(|label| self.ignore_at(label.pointer));
            }
            _ => all.labels.drain(..).for_each(|label| self.ignore_at(label.pointer)),
        }
        match described.as_slice() {
            [(_, description)] => all.said.description = Some(description),
            several => {
                for (index, _) in several {
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
        Some(Accepted::new(kind, nullable))
    }

    fn of_type(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Accepted<'a>> {
        let Some(types) = self.types(at, schema)? else {
            self.check_keywords(at, schema, &[]);
            return self.problem(at, "an argument cannot accept any value");
        };
        let nullable = types.contains(&"null");
        let others: Vec<&str> = types.into_iter().filter(|kind| *kind != "null").collect();
        let mut accepted = match others.as_slice() {
            [] => {
                self.check_keywords(at, schema, &["type"]);
                Accepted::new(Kind::Null, false)
            }
            [kind] => self.of_one_type(at, kind, schema)?,
            // Every whole number is a number.
            ["integer", "number"] | ["number", "integer"] => self.of_one_type(at, "number", schema)?,
            _ => return self.problem(&at.field("type"), "an argument has one kind"),
        };
        accepted.nullable |= nullable;
        Some(accepted)
    }

    fn of_one_type(&mut self, at: &Location<'_>, kind: &str, schema: &'a Fields) -> Option<Accepted<'a>> {
        let kind = match kind {
            "string" => self.text(at, schema)?,
            "boolean" => {
                self.check_keywords(at, schema, &["type"]);
                Kind::Boolean
            }
            "number" => self.number(at, schema)?,
            "integer" => self.integer(at, schema)?,
            "array" => return self.list(at, schema),
            "object" => return self.problem(at, "an argument cannot be an object"),
            _ => return self.problem(&at.field("type"), "this is not a type"),
        };
        Some(Accepted::new(kind, false))
    }

    fn list(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Accepted<'a>> {
        self.check_keywords(at, schema, &["type", "items"]);
        let items_at = at.field("items");
        let Some(items) = schema.get("items") else {
            return self.problem(at, "a list needs \"items\"");
        };
        let Accepted { kind, nullable, said, labels } = self.read(&items_at, items)?;
        if said.description.is_some() {
            self.ignore(&items_at.field("description"));
        }
        match kind {
            Kind::List(_) => self.problem(&items_at, "an entry of a list cannot be a list"),
            Kind::Null => self.problem(&items_at, "an entry of a list cannot be null"),
            _ if nullable => self.problem(&items_at, "an entry of a list cannot be null"),
            kind => Some(Accepted { labels, ..Accepted::new(Kind::List(Box::new(kind)), false) }),
        }
    }

    fn text(&mut self, at: &Location<'_>, schema: &'a Fields) -> Option<Kind<'a>> {
        self.check_keywords(at, schema, &["type", "minLength", "maxLength"]);
        let min = self.bound(at, schema, "minLength")?.map_or(0, ceil);
        let max = self.bound(at, schema, "maxLength")?.map(floor);
        let Ok(min) = u32::try_from(min.max(0)) else {
            return self.problem(&at.field("minLength"), "a length is at most 4294967295");
        };
        Some(Kind::Text(match max {
            Some(max) if max < 0 => {
                return self.problem(&at.field("maxLength"), "no text has a negative length");
            }
            // No text that a call carries is longer than the greatest length that an argument can state.
            Some(max) => u32::try_from(max).map_or_else(|_| (min..).into(), |max| (min..=max).into()),
            None => (min..).into(),
        }))
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

    fn ignore_at(&mut self, pointer: String) {
        if self.ignored.len() < MAX_REPORTED && !self.ignored.contains(&pointer) {
            self.ignored.push(pointer);
        }
    }

    /// A keyword that was counted as ignored is kept after all.
    fn keep(&mut self, pointer: &str) {
        self.ignored.retain(|ignored| ignored != pointer);
    }
}

impl Accepted<'_> {
    fn new(kind: Kind<'_>, nullable: bool) -> Accepted<'_> {
        Accepted { kind, nullable, said: Said::default(), labels: Vec::new() }
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
        (Kind::Text(one), Kind::Text(other)) if one.is_any() || one == other => Some(Kind::Text(one)),
        (Kind::Text(_), Kind::Text(other)) => other.is_any().then_some(Kind::Text(other)),
        (Kind::Text(length), Kind::Choice(choices)) | (Kind::Choice(choices), Kind::Text(length)) => {
            choices.iter().all(|choice| length.contains(choice)).then_some(Kind::Text(length))
        }
        (one, other) if one.is_every_number() && other.is_numeric() => Some(one),
        (one, other) if other.is_every_number() && one.is_numeric() => Some(other),
        (one, other) => (one == other).then_some(one),
    }
}
