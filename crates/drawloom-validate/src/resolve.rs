//! The facts of all sources together: constants, types and functions are looked up across files, and each command becomes
//! a candidate for judgement, or the reason why it cannot be read.

use std::collections::{BTreeSet, HashMap, HashSet};

use drawloom_command::{AccessRequirement, Argument, ArgumentField, Number, Role};

use crate::finding::Location;
use crate::judge::{Candidate, CandidateArgument, Returns, Text};
use crate::source::facts::RegistrationSaid;
use crate::source::facts::{
    ArgumentSaid, ArgumentsSaid, CommandSaid, Continued, Facts, FieldSaid, Form, FunctionSaid, Handler, Path,
    Position, Said, TypeFact, TypeSaid,
};

/// How many names may lead from one to the next.
const STEPS: usize = 16;

/// The sources of a directory.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: Vec<(String, Facts)>,
    test_modules: HashSet<Path>,
    constants: Names<Said>,
    types: Names<TypeFact>,
    functions: Names<FunctionSaid>,
}

/// A command, or why it cannot be read.
#[derive(Debug)]
pub(crate) enum Resolved {
    Candidate(Box<Candidate>),
    Unreadable { id: Option<String>, location: Location, reason: String },
}

/// Things of one kind by the last part of their path.
#[derive(Debug)]
struct Names<T>(HashMap<String, Bucket<T>>);

/// Everything with the same last part.
#[derive(Debug)]
struct Bucket<T> {
    named: Vec<Named<T>>,
    /// Whether there is more than is kept.
    is_cut: bool,
}

/// How many things with the same name are told apart.
const SAME_NAME: usize = 1_000;

#[derive(Debug)]
struct Named<T> {
    path: Path,
    file: usize,
    what: T,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Why a name leads to nothing.
enum Lost {
    Unknown,
    Ambiguous,
}

impl<T: PartialEq> Names<T> {
    fn get(&self, path: &[String], file: usize) -> Result<&Named<T>, Lost> {
        if path.last().and_then(|last| self.0.get(last)).is_some_and(|bucket| bucket.is_cut) {
            return Err(Lost::Ambiguous);
        }
        let mut found = self.matching(path, file).into_iter();
        let first = found.next().ok_or(Lost::Unknown)?;
        if found.any(|other| other.what != first.what) { Err(Lost::Ambiguous) } else { Ok(first) }
    }
}

impl<T> Names<T> {
    fn add(&mut self, file: usize, named: impl IntoIterator<Item = (Path, T)>) {
        for (path, what) in named {
            let Some(last) = path.last().cloned() else { continue };
            let bucket = self.0.entry(last).or_insert_with(|| Bucket { named: Vec::new(), is_cut: false });
            if bucket.named.len() < SAME_NAME {
                bucket.named.push(Named { path, file, what });
            } else {
                bucket.is_cut = true;
            }
        }
    }

    /// What the path may mean: what agrees with most of it, and what stands in the same file before all else.
    fn matching(&self, path: &[String], file: usize) -> Vec<&Named<T>> {
        let Some((last, before)) = path.split_last() else { return Vec::new() };
        let named = self.0.get(last).map(|bucket| bucket.named.as_slice()).unwrap_or_default();
        let is_root = |name: &String| ["crate", "self", "super"].contains(&name.as_str());
        let wanted: Vec<&String> = before.iter().filter(|name| !is_root(name)).collect();
        let agrees = |named: &&Named<T>| {
            let parts = named.path.iter().rev().skip(1);
            parts.zip(wanted.iter().rev()).filter(|(one, other)| one == *other).count()
        };
        let most = named.iter().map(|named| agrees(&named)).max().unwrap_or_default();
        let best: Vec<&Named<T>> = named.iter().filter(|named| agrees(named) == most).collect();
        let here: Vec<&Named<T>> = best.iter().copied().filter(|named| named.file == file).collect();
        if here.is_empty() { best } else { here }
    }
}

impl Sources {
    /// Adds what one file says.
    pub(crate) fn add(&mut self, name: String, mut facts: Facts) {
        let file = self.files.len();
        self.test_modules.extend(std::mem::take(&mut facts.test_modules));
        self.constants.add(file, std::mem::take(&mut facts.constants));
        self.types.add(file, std::mem::take(&mut facts.types));
        self.functions.add(file, std::mem::take(&mut facts.functions));
        self.files.push((name, facts));
    }

    /// How many commands were found in test code.
    pub(crate) fn in_tests(&self) -> usize {
        self.files.iter().map(|(_, facts)| facts.in_tests).sum()
    }

    /// Takes the commands out of files that other files declare as test code. To be called once all are added.
    pub(crate) fn leave_out_tests(&mut self, module_of: impl Fn(&str) -> Path) {
        for (name, facts) in &mut self.files {
            let module = module_of(name);
            let is_test = (1..=module.len())
                .any(|length| module.get(..length).is_some_and(|part| self.test_modules.contains(part)));
            if is_test {
                facts.in_tests += facts.commands.len();
                facts.commands.clear();
                facts.macro_calls.clear();
                facts.macros.clear();
            }
        }
    }

    /// Every command of every file.
    pub(crate) fn resolve(&self) -> Vec<Resolved> {
        let continued = self.continued();
        let mut resolved = Vec::new();
        for (file, (name, facts)) in self.files.iter().enumerate() {
            let here = |position: Position| Location::new(name.clone(), position.line, position.column);
            for command in &facts.commands {
                let continued =
                    command.function.as_ref().and_then(|function| continued.get(&(file, function)));
                let reader = Reader { sources: self, file, name };
                resolved.push(match reader.candidate(command, continued) {
                    Ok(candidate) => Resolved::Candidate(Box::new(candidate)),
                    Err(reason) => {
                        let id = match reader.value(&command.id) {
                            Said::Text(id) => Some(id),
                            _ => None,
                        };
                        Resolved::Unreadable { id, location: here(command.position), reason }
                    }
                });
            }
        }
        self.of_macros(&mut resolved);
        resolved
    }

    /// Commands that the macros of the directory write.
    fn of_macros(&self, resolved: &mut Vec<Resolved>) {
        let macros: HashSet<&String> =
            self.files.iter().flat_map(|(_, facts)| &facts.macros).map(|(name, _)| name).collect();
        let mut called = HashSet::new();
        let mut unreadable = |name: &String, position: Position, reason: String| {
            let location = Location::new(name.clone(), position.line, position.column);
            resolved.push(Resolved::Unreadable { id: None, location, reason });
        };
        for (name, facts) in &self.files {
            for call in facts.macro_calls.iter().filter(|call| macros.contains(&call.name)) {
                called.insert(&call.name);
                let reason =
                    format!("the macro `{}!` declares it, and only the compiler expands a macro", call.name);
                unreadable(name, call.position, reason);
            }
        }
        for (name, facts) in &self.files {
            for (definition, position) in facts.macros.iter().filter(|(name, _)| !called.contains(name)) {
                let reason =
                    format!("the macro `{definition}!` declares it, and only the compiler expands a macro");
                unreadable(name, *position, reason);
            }
        }
    }

    /// What happens to the commands of functions where the functions are called, by file and function.
    fn continued(&self) -> HashMap<(usize, &Path), Vec<(usize, &Continued)>> {
        let mut of_functions: HashMap<(usize, &Path), Vec<(usize, &Continued)>> = HashMap::new();
        for (file, (_, facts)) in self.files.iter().enumerate() {
            for continued in &facts.continued {
                let (Continued::Builder(path, _) | Continued::Registered(path, _)) = continued;
                for function in self.functions.matching(path, file) {
                    if function.what.returns_command {
                        of_functions
                            .entry((function.file, &function.path))
                            .or_default()
                            .push((file, continued));
                    }
                }
            }
        }
        of_functions
    }
}

/// Reads what stands in one file.
#[derive(Clone, Copy)]
struct Reader<'a> {
    sources: &'a Sources,
    file: usize,
    name: &'a str,
}

impl<'a> Reader<'a> {
    fn location(&self, position: Position) -> Location {
        Location::new(self.name, position.line, position.column)
    }

    fn of_file(&self, file: usize) -> Self {
        let name = self.sources.files.get(file).map_or(self.name, |(name, _)| name.as_str());
        Self { sources: self.sources, file, name }
    }

    fn candidate(
        &self,
        command: &CommandSaid,
        continued: Option<&Vec<(usize, &'a Continued)>>,
    ) -> Result<Candidate, String> {
        if let Some((reason, position)) = &command.unreadable {
            let is_elsewhere = position.line != command.position.line;
            let place = if is_elsewhere { format!(" (line {})", position.line) } else { String::new() };
            return Err(format!("{reason}{place}"));
        }
        let id = match self.value(&command.id) {
            Said::Text(id) => id,
            other => return Err(format!("its id is {}, which only the running program knows", what(&other))),
        };
        for path in &command.passed_to {
            if self
                .sources
                .functions
                .matching(path, self.file)
                .iter()
                .any(|function| function.what.returns_command)
            {
                let name = path.join("::");
                return Err(format!("it is passed to `{name}`, which may change it"));
            }
        }
        let mut registrations: Vec<(Self, &RegistrationSaid)> =
            command.registration.iter().map(|registration| (*self, registration)).collect();
        for (file, continued) in continued.into_iter().flatten() {
            let elsewhere = self.of_file(*file);
            match continued {
                Continued::Builder(_, position) => {
                    let place = elsewhere.location(*position);
                    return Err(format!(
                        "its declaration is continued at {place}, where the function that declares it is called"
                    ));
                }
                Continued::Registered(_, registration) => registrations.push((elsewhere, registration)),
            }
        }
        let mut notes = Vec::new();
        let mut list = List::default();
        for said in &command.arguments {
            self.arguments(said, &mut list, 0)?;
        }
        let mut returns = Returns::Unknown;
        for (elsewhere, registration) in registrations {
            let (parameters, returned) = elsewhere.handler(&registration.handler);
            returns = returned;
            if registration.is_typed {
                let written = registration.arguments.clone().or_else(|| parameters.first().cloned());
                let kind = written.unwrap_or(TypeSaid::Other);
                elsewhere.type_arguments(&kind, command.position, &mut list)?;
            }
        }
        let access = match &command.roles {
            None => AccessRequirement::Anyone,
            Some(roles) => self.roles(roles),
        };
        let text = |said: &Said| match self.value(said) {
            Said::Text(text) => Text::Known(text),
            _ => Text::AtRunTime,
        };
        let (title, description, answers) = (
            text(&command.title),
            command.description.as_ref().map(text),
            command.answers.as_ref().map(text),
        );
        notes.append(&mut list.notes);
        let unknown = [Some(&title), description.as_ref(), answers.as_ref()]
            .into_iter()
            .zip(["title", "description", "answers"])
            .filter(|(text, _)| matches!(text, Some(Text::AtRunTime)));
        notes.extend(
            unknown.map(|(_, name)| format!("its `{name}` is known only at run time and was not judged")),
        );
        Ok(Candidate {
            location: self.location(command.position),
            id,
            title,
            description,
            answers,
            arguments: list.arguments,
            schema: list.schema,
            callable: command.callable,
            access,
            returns,
            notes,
        })
    }

    /// A value with constants looked up.
    fn value(&self, said: &Said) -> Said {
        let (mut said, mut reader) = (said.clone(), *self);
        for _ in 0..STEPS {
            let Said::Constant(path) = &said else {
                if let Said::List(items) = said {
                    return Said::List(items.iter().map(|item| reader.item(item)).collect());
                }
                return said;
            };
            let name = path.join("::");
            match reader.sources.constants.get(path, reader.file) {
                Ok(constant) => {
                    reader = reader.of_file(constant.file);
                    said = constant.what.clone();
                }
                Err(Lost::Ambiguous) => {
                    return Said::AtRunTime(format!(
                        "the constant `{name}`, which several files of the directory declare differently"
                    ));
                }
                Err(Lost::Unknown) => {
                    if let [before @ .., last] = path.as_slice()
                        && last == "CHOICES"
                        && let Some(TypeFact::Choice(choices)) = reader.type_fact(before)
                    {
                        return Said::List(choices.iter().cloned().map(Said::Text).collect());
                    }
                    return Said::AtRunTime(format!("`{name}`, which is not a constant of the directory"));
                }
            }
        }
        Said::AtRunTime("a constant that leads back to itself".to_owned())
    }

    /// An item of a list: a constant, or what it is. Lists in lists hold no texts that are wanted.
    fn item(&self, said: &Said) -> Said {
        match said {
            Said::List(_) => Said::AtRunTime("a list in a list".to_owned()),
            other => self.value(other),
        }
    }

    fn roles(&self, said: &Said) -> AccessRequirement {
        match self.value(said) {
            Said::List(roles) => {
                let roles = roles.iter().map(|role| match role {
                    Said::Text(role) => Role::from(role.as_str()),
                    _ => Role::from("(known at run time)"),
                });
                AccessRequirement::AnyRole(roles.collect::<BTreeSet<Role>>())
            }
            _ => AccessRequirement::Anyone,
        }
    }

    fn arguments(&self, said: &ArgumentsSaid, list: &mut List, steps: usize) -> Result<(), String> {
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
        let mut at_run_time = |part: &str| {
            list.notes.push(format!(
                "the {part} of argument \"{name}\" are known only at run time and were not judged"
            ));
        };
        let mut argument = match &said.form {
            Form::Text => Argument::text(name.as_str()),
            Form::Number => Argument::number(name.as_str()),
            Form::Boolean => Argument::boolean(name.as_str()),
            Form::Integer(least, greatest) => match (self.value(least), self.value(greatest)) {
                (Said::Integer(least), Said::Integer(greatest)) => {
                    Argument::integer(name.as_str(), least..=greatest)
                }
                _ => {
                    at_run_time("bounds");
                    Argument::number(name.as_str())
                }
            },
            Form::Within(least, greatest) => {
                match (as_float(self.value(least)), as_float(self.value(greatest))) {
                    (Some(least), Some(greatest)) => Argument::number_within(name.as_str(), least..=greatest),
                    _ => {
                        at_run_time("bounds");
                        Argument::number(name.as_str())
                    }
                }
            }
            Form::Choice(choices) => match self.value(choices) {
                Said::List(items) if items.iter().all(|item| matches!(item, Said::Text(_))) => {
                    let choices = items.into_iter().filter_map(|item| match item {
                        Said::Text(choice) => Some(choice),
                        _ => None,
                    });
                    Argument::choice(name.as_str(), choices)
                }
                _ => {
                    at_run_time("choices");
                    Argument::text(name.as_str())
                }
            },
            Form::ChoiceFrom => {
                Argument::choice_from(name.as_str(), || vec!["(known at run time)".to_owned()])
            }
        };
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

    /// `T::declare`, written by hand.
    fn declare_of(&self, path: &[String]) -> Option<(Self, &'a Vec<ArgumentsSaid>)> {
        let mut declare = path.to_vec();
        declare.push("declare".to_owned());
        let functions = self.sources.functions.matching(&declare, self.file);
        let function =
            functions.into_iter().find(|function| function.path.iter().rev().nth(1) == path.last())?;
        Some((self.of_file(function.file), function.what.arguments.as_ref()?))
    }

    fn type_arguments(&self, kind: &TypeSaid, position: Position, list: &mut List) -> Result<(), String> {
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

    fn type_fact(&self, path: &[String]) -> Option<&'a TypeFact> {
        self.named_type(path).map(|(_, fact)| fact)
    }

    fn field(&self, field: &FieldSaid, list: &mut List) -> Result<(), String> {
        let Some(mut argument) = self.field_argument(&field.name, &field.kind) else {
            return Err(format!(
                "the type of its argument \"{}\" is not one that the directory shows ({}:{})",
                field.name, self.name, field.position.line
            ));
        };
        if field.has_default {
            argument.required = false;
        }
        let mut built = argument.argument;
        if argument.required {
            built = built.required();
        }
        if argument.list {
            built = built.list();
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
        Some(FieldArgument { argument, required, list })
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
                    return Some(Argument::choice(name, choices.iter().map(String::as_str)));
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

    /// The types of a handler's parameters, and what it returns.
    fn handler(&self, handler: &Handler) -> (Vec<TypeSaid>, Returns) {
        match handler {
            Handler::Closure { parameters, returns } => (parameters.clone(), *returns),
            Handler::Named(path) => {
                let functions = self.sources.functions.matching(path, self.file);
                match functions.first() {
                    Some(function) if functions.len() == 1 => {
                        (function.what.parameters.clone(), function.what.returns)
                    }
                    _ => (Vec::new(), Returns::Unknown),
                }
            }
            Handler::Unknown => (Vec::new(), Returns::Unknown),
        }
    }
}

/// The most arguments of one command.
const ARGUMENTS: usize = 10_000;

/// The arguments of a command, as far as they are read.
#[derive(Default)]
struct List {
    arguments: Vec<CandidateArgument>,
    schema: Option<serde_json::Value>,
    notes: Vec<String>,
}

struct FieldArgument {
    argument: Argument,
    required: bool,
    list: bool,
}

fn as_float(said: Said) -> Option<f64> {
    match said {
        Said::Float(number) => Some(number),
        #[expect(clippy::cast_precision_loss, reason = "a bound of a double is the nearest double")]
        Said::Integer(number) => Some(number as f64),
        _ => None,
    }
}

/// What a value is, in words.
fn what(said: &Said) -> String {
    match said {
        Said::AtRunTime(what) if !what.is_empty() => what.clone(),
        Said::Integer(_) | Said::Float(_) => "a number".to_owned(),
        Said::List(_) => "a list".to_owned(),
        _ => "the value of an expression".to_owned(),
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
