//! The arguments of a command: those that it declares itself, and the fields of types.

use drawloom_command::{Argument, ArgumentField, CommandScalar, Number, NumberBounds, TextLength};

use super::names::Named;
use super::{Reader, STEPS, what};
use crate::judge::{CandidateArgument, Text};
use crate::source::facts::{
    ArgumentSaid, ArgumentsSaid, FieldSaid, Form, Position, Said, SettingSaid, TypeFact, TypeSaid,
};

/// The most arguments of one command.
const ARGUMENTS: usize = 10_000;

/// The arguments of a command, as far as they are read.
#[derive(Default)]
pub(super) struct List {
    pub(super) arguments: Vec<CandidateArgument>,
    pub(super) schema: Option<serde_json::Value>,
    pub(super) notes: Vec<String>,
}

struct FieldArgument {
    argument: Argument,
    required: bool,
    list: bool,
    /// What `Default` gives for the type, if it is a type of Rust.
    default_of_type: Option<CommandScalar>,
}

/// The texts of a list of texts.
fn texts(said: Said) -> Option<Vec<String>> {
    let Said::List(items) = said else { return None };
    let text = |item| match item {
        Said::Text(text) => Some(text),
        _ => None,
    };
    items.into_iter().map(text).collect()
}

/// The argument with a default that the source shows.
fn with_default(argument: Argument, said: Said) -> Option<Argument> {
    Some(match said {
        Said::Text(text) => argument.default(CommandScalar::from(text)),
        Said::Integer(number) => argument.default(number),
        Said::Float(number) => argument.default(number),
        Said::Boolean(value) => argument.default(value),
        Said::List(items) => {
            let scalar = |item| match item {
                Said::Text(text) => Some(CommandScalar::from(text)),
                Said::Integer(number) => {
                    let unsigned = u64::try_from(number).ok().map(CommandScalar::from);
                    unsigned.or_else(|| i64::try_from(number).ok().map(CommandScalar::from))
                }
                Said::Float(number) => CommandScalar::try_from(number).ok(),
                Said::Boolean(value) => Some(CommandScalar::from(value)),
                _ => None,
            };
            argument.default(items.into_iter().map(scalar).collect::<Option<Vec<CommandScalar>>>()?)
        }
        Said::Constant(_) | Said::AtRunTime(_) => return None,
    })
}

fn length(least: Option<Said>, greatest: Option<Said>) -> Option<TextLength> {
    let whole = |said| match said {
        Said::Integer(number) => u32::try_from(number).ok(),
        _ => None,
    };
    Some(match (least, greatest) {
        (None, None) => return None,
        (Some(least), None) => (whole(least)?..).into(),
        (None, Some(greatest)) => (..=whole(greatest)?).into(),
        (Some(least), Some(greatest)) => (whole(least)?..=whole(greatest)?).into(),
    })
}

fn bounds(least: Option<Said>, greatest: Option<Said>) -> Option<NumberBounds> {
    if let (None | Some(Said::Integer(_)), None | Some(Said::Integer(_))) = (&least, &greatest) {
        let whole = |said, open| match said {
            Some(Said::Integer(number)) => number,
            _ => open,
        };
        let bounds = whole(least, i128::MIN)..=whole(greatest, i128::MAX);
        return Some(bounds.into());
    }
    let float = |said: Option<Said>, open| said.map_or(Some(open), as_float);
    Some((float(least, f64::NEG_INFINITY)?..=float(greatest, f64::INFINITY)?).into())
}

fn as_float(said: Said) -> Option<f64> {
    match said {
        Said::Float(number) => Some(number),
        #[expect(clippy::cast_precision_loss, reason = "a bound of a double is the nearest double")]
        Said::Integer(number) => Some(number as f64),
        _ => None,
    }
}

impl<'a> Reader<'a> {
    pub(super) fn arguments(
        &self,
        said: &ArgumentsSaid,
        list: &mut List,
        steps: usize,
    ) -> Result<(), String> {
        if list.arguments.len() >= ARGUMENTS {
            return Err(format!("it declares more than {ARGUMENTS} arguments"));
        }
        match said {
            ArgumentsSaid::One(argument) => self.argument(argument, list),
            ArgumentsSaid::OfType(kind, position) => self.type_arguments(kind, *position, list),
            ArgumentsSaid::Schema(schema) => {
                if list.schema.replace(schema.clone()).is_some() {
                    return Err("its arguments come from two JSON Schemas".to_owned());
                }
                Ok(())
            }
            ArgumentsSaid::OfFunction(path, position) => {
                let functions = self.sources.functions.matching(path, self.file);
                let Some(function) = functions.first().filter(|_| functions.len() == 1 && steps < STEPS)
                else {
                    let (name, line) = (path.join("::"), position.line);
                    return Err(format!(
                        "an argument is what `{name}` returns, which only the running program knows (line {line})"
                    ));
                };
                let Some(arguments) = &function.what.arguments else {
                    let (name, line) = (path.join("::"), position.line);
                    return Err(format!(
                        "an argument is what `{name}` returns, which only the running program knows (line {line})"
                    ));
                };
                let elsewhere = self.of_file(function.file);
                arguments.iter().try_for_each(|argument| elsewhere.arguments(argument, list, steps + 1))
            }
            ArgumentsSaid::Unreadable(reason, position) => Err(format!("{reason} (line {})", position.line)),
        }
    }

    fn argument(&self, said: &ArgumentSaid, list: &mut List) -> Result<(), String> {
        let name = match self.value(&said.name) {
            Said::Text(name) => name,
            other => {
                let (what, line) = (what(&other), said.position.line);
                return Err(format!(
                    "the name of an argument is {what}, which only the running program knows (line {line})"
                ));
            }
        };
        let mut argument = self.form(&name, &said.form, list);
        for setting in &said.settings {
            argument = self.set(&name, argument, setting, list);
        }
        match said.description.as_ref().map(|description| self.value(description)) {
            None => {}
            Some(Said::Text(description)) => argument = argument.description(description),
            Some(_) => argument = argument.description(Text::AtRunTime.as_str()),
        }
        if said.required {
            argument = argument.required();
        }
        if said.list {
            argument = argument.list();
        }
        list.arguments.push(CandidateArgument { argument, location: self.location(said.position) });
        Ok(())
    }

    /// An argument that takes what the source says.
    fn form(&self, name: &str, form: &Form, list: &mut List) -> Argument {
        let mut at_run_time = |part: &str| {
            list.notes.push(format!(
                "the {part} of argument \"{name}\" are known only at run time and were not judged"
            ));
        };
        match form {
            Form::Text => Argument::text(name),
            Form::Number => Argument::number(name),
            Form::Boolean => Argument::boolean(name),
            Form::Integer(least, greatest) => match (self.value(least), self.value(greatest)) {
                (Said::Integer(least), Said::Integer(greatest)) => Argument::integer(name, least..=greatest),
                _ => {
                    at_run_time("bounds");
                    Argument::number(name)
                }
            },
            Form::Within(least, greatest) => {
                match (as_float(self.value(least)), as_float(self.value(greatest))) {
                    (Some(least), Some(greatest)) => Argument::number_within(name, least..=greatest),
                    _ => {
                        at_run_time("bounds");
                        Argument::number(name)
                    }
                }
            }
            Form::Choice(choices) => match texts(self.value(choices)) {
                Some(choices) => Argument::choice(name, choices),
                None => {
                    at_run_time("choices");
                    Argument::text(name)
                }
            },
            Form::ChoiceGiven(others) => match texts(self.value(others)) {
                Some(others) => Argument::choice_given(name, others, |_| Vec::new()),
                None => {
                    at_run_time("choices");
                    Argument::text(name)
                }
            },
            Form::ChoiceFrom => Argument::choice_from(name, || vec!["(known at run time)".to_owned()]),
        }
    }

    /// The argument with a setting, as far as the source shows it.
    fn set(&self, name: &str, argument: Argument, setting: &SettingSaid, list: &mut List) -> Argument {
        let mut at_run_time = |part: &str| {
            list.notes.push(format!(
                "the {part} of argument \"{name}\" is known only at run time and was not judged"
            ));
        };
        let end = |said: &Option<Said>| said.as_ref().map(|said| self.value(said));
        match setting {
            SettingSaid::Secret => argument.secret(),
            SettingSaid::Default(value) => match with_default(argument.clone(), self.value(value)) {
                Some(with) => with,
                None => {
                    at_run_time("default");
                    argument
                }
            },
            SettingSaid::Label(choice, label) => match (self.value(choice), self.value(label)) {
                (Said::Text(choice), Said::Text(label)) => argument.label(choice, label),
                (Said::Text(choice), _) => argument.label(choice, Text::AtRunTime.as_str()),
                _ => {
                    at_run_time("label of a choice");
                    argument
                }
            },
            SettingSaid::Length(least, greatest) => match length(end(least), end(greatest)) {
                Some(length) => argument.length(length),
                None => {
                    at_run_time("length");
                    argument
                }
            },
            SettingSaid::Range(least, greatest) => match bounds(end(least), end(greatest)) {
                Some(bounds) => argument.range(bounds),
                None => {
                    at_run_time("range");
                    argument
                }
            },
        }
    }

    /// `T::declare`, written by hand.
    fn declare_of(&self, path: &[String]) -> Option<(Self, &'a Vec<ArgumentsSaid>)> {
        let mut declare = path.to_vec();
        declare.push("declare".to_owned());
        let functions = self.sources.functions.matching(&declare, self.file);
        let function =
            functions.into_iter().find(|function| function.path.iter().rev().nth(1) == path.last())?;
        Some((self.of_file(function.file), function.what.arguments.as_ref()?))
    }

    pub(super) fn type_arguments(
        &self,
        kind: &TypeSaid,
        position: Position,
        list: &mut List,
    ) -> Result<(), String> {
        let TypeSaid::Path { path, .. } = kind else {
            return Err(
                "its arguments are the fields of a type that the registration does not name".to_owned()
            );
        };
        let name = path.join("::");
        match self.named_type(path) {
            Some((elsewhere, TypeFact::Arguments(fields))) => {
                fields.iter().try_for_each(|field| elsewhere.field(field, list))
            }
            Some((_, TypeFact::Faulty(error))) => {
                Err(format!("the derive on `{name}` cannot be read: {error}"))
            }
            _ => match self.declare_of(path) {
                Some((elsewhere, arguments)) => {
                    arguments.iter().try_for_each(|argument| elsewhere.arguments(argument, list, 1))
                }
                None => Err(format!(
                    "its arguments are the fields of `{name}`, which the directory does not declare (line {})",
                    position.line
                )),
            },
        }
    }

    fn named_type(&self, path: &[String]) -> Option<(Self, &'a TypeFact)> {
        let (mut reader, mut path) = (*self, path.to_vec());
        for _ in 0..STEPS {
            let named = reader.sources.types.get(&path, reader.file).ok()?;
            reader = reader.of_file(named.file);
            match &named.what {
                TypeFact::Alias(TypeSaid::Path { path: next, .. }) => path = next.clone(),
                TypeFact::Alias(_) => return None,
                fact => return Some((reader, fact)),
            }
        }
        None
    }

    pub(super) fn type_fact(&self, path: &[String]) -> Option<&'a TypeFact> {
        self.named_type(path).map(|(_, fact)| fact)
    }

    fn field(&self, field: &FieldSaid, list: &mut List) -> Result<(), String> {
        let Some(mut argument) = self.field_argument(&field.name, &field.kind) else {
            return Err(format!(
                "the type of its argument \"{}\" is not one that the directory shows ({}:{})",
                field.name, self.name, field.position.line
            ));
        };
        if field.default.is_some() {
            argument.required = false;
        }
        let mut built = argument.argument;
        if let Some(form) = &field.choices {
            built = built.choosing(self.form(&field.name, form, list));
        }
        if argument.required {
            built = built.required();
        }
        if argument.list {
            built = built.list();
        }
        for setting in &field.settings {
            built = self.set(&field.name, built, setting, list);
        }
        match &field.default {
            None => {}
            Some(Some(value)) => {
                built = self.set(&field.name, built, &SettingSaid::Default(value.clone()), list);
            }
            Some(None) if argument.list => built = built.default(Vec::<&str>::new()),
            // The default of a type is that of Rust, except for the types of the application.
            Some(None) => {
                if let Some(value) = argument.default_of_type {
                    built = built.default(value);
                }
            }
        }
        if let Some(description) = &field.description {
            built = built.description(description.as_str());
        }
        list.arguments.push(CandidateArgument { argument: built, location: self.location(field.position) });
        Ok(())
    }

    fn field_argument(&self, name: &str, kind: &TypeSaid) -> Option<FieldArgument> {
        let inside = |kind: &TypeSaid, wrapper: &str| match kind {
            TypeSaid::Path { path, arguments } if path.last().is_some_and(|last| last == wrapper) => {
                arguments.first().cloned()
            }
            _ => None,
        };
        let (kind, required) = match inside(kind, "Option") {
            Some(kind) => (kind, false),
            None => (kind.clone(), true),
        };
        let (kind, list) = match inside(&kind, "Vec") {
            Some(kind) => (kind, true),
            None => (kind, false),
        };
        let argument = self.scalar(name, &kind)?;
        let default_of_type = match &kind {
            TypeSaid::Path { path, .. } if self.named_type(path).is_none() => default_of(path),
            _ => None,
        };
        Some(FieldArgument { argument, required, list, default_of_type })
    }

    /// An optional argument that takes one value of a type.
    fn scalar(&self, name: &str, kind: &TypeSaid) -> Option<Argument> {
        let (mut reader, mut kind) = (*self, kind.clone());
        for _ in 0..STEPS {
            let TypeSaid::Path { path, arguments } = &kind else { return None };
            if !arguments.is_empty() {
                return None;
            }
            match reader.named_type(path) {
                Some((_, TypeFact::Choice(choices))) => {
                    let argument = Argument::choice(name, choices.iter().map(|(choice, _)| choice.as_str()));
                    let labelled =
                        choices.iter().filter_map(|(choice, label)| Some((choice, label.as_ref()?)));
                    return Some(labelled.fold(argument, |argument, (choice, label)| {
                        argument.label(choice.as_str(), label.as_str())
                    }));
                }
                Some((elsewhere, TypeFact::Newtype(scalar))) => {
                    reader = elsewhere;
                    kind = scalar.clone();
                }
                Some(_) => return None,
                None => match reader.sources.types.get(path, reader.file) {
                    Ok(Named { what: TypeFact::Alias(next), .. }) => kind = next.clone(),
                    _ => return primitive(name, path),
                },
            }
        }
        None
    }
}

/// The optional argument of a type of Rust or of the library, as the library declares it.
fn primitive(name: &str, path: &[String]) -> Option<Argument> {
    macro_rules! declared {
        ($($kind:ident)*) => {
            match path.last()?.as_str() {
                $(stringify!($kind) => Some(<Option<$kind> as ArgumentField>::declare(name)),)*
                _ => None,
            }
        };
    }
    declared!(String bool u8 u16 u32 u64 usize i8 i16 i32 i64 isize u128 i128 f32 f64 Number)
}

/// What `Default` gives for a type of Rust.
fn default_of(path: &[String]) -> Option<CommandScalar> {
    match path.last()?.as_str() {
        "String" => Some("".into()),
        "bool" => Some(false.into()),
        "Option" | "Vec" => None,
        number => primitive("a", std::slice::from_ref(&number.to_owned())).map(|_| 0_u8.into()),
    }
}
