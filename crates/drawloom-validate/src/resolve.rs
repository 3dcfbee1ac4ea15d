//! The facts of all sources together: constants, types and functions are looked up across files, and each command becomes
//! a candidate for judgement, or the reason why it cannot be read.

mod arguments;
mod names;

use std::collections::{BTreeSet, HashMap, HashSet};

use drawloom_command::{AccessRequirement, Role};

use crate::finding::Location;
use crate::judge::{Candidate, Returns, Text};
use crate::source::facts::{
    CommandSaid, Continued, Facts, FunctionSaid, Handler, Path, Position, RegistrationSaid, Said, TypeFact,
    TypeSaid,
};
use arguments::List;
use names::{Lost, Names};

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
        let (category, icon) = (command.category.as_ref().map(text), command.icon.as_ref().map(text));
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
            category,
            icon,
            effects: command.effects,
            agent_consent: command.agent_consent,
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
                        let texts = choices.iter().map(|(choice, _)| Said::Text(choice.clone()));
                        return Said::List(texts.collect());
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

/// What a value is, in words.
fn what(said: &Said) -> String {
    match said {
        Said::AtRunTime(what) if !what.is_empty() => what.clone(),
        Said::Integer(_) | Said::Float(_) => "a number".to_owned(),
        Said::Boolean(_) => "a boolean".to_owned(),
        Said::List(_) => "a list".to_owned(),
        _ => "the value of an expression".to_owned(),
    }
}
