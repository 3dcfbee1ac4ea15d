//! The builder of a declaration, and the check that it makes sense.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::condition::{Availability, Condition};
use super::{AccessRequirement, AgentConsent, CommandDeclaration, Completion, DeclarationError, Effects};
use crate::argument::{Argument, ChoiceDomain, Choices, CommandArgument, Domain, Setting};
use crate::check::{Dependencies, DependencyError, problem_with};
use crate::id::{CommandId, Role};
use crate::schema::SchemaError;

/// The longest argument name that every large model API accepts.
const MAX_NAME_BYTES: usize = 64;

/// Builder for a command declaration. Only an id and a title are needed; everything else has the most restrictive
/// default.
///
/// ```
/// use drawloom_command::{AgentConsent, Argument, Command};
///
/// let open = Command::new("notes.open", "Open note")
///     .description("Opens a note in the editor.")
///     .argument(Argument::text("path").description("Where the note is").required())
///     .argument(Argument::choice("mode", ["preview", "permanent"]).description("How to open it"))
///     .answers("The note that was opened")
///     .callable()
///     .agent_consent(AgentConsent::Ask)
///     .declare()?;
/// assert_eq!(open.id(), "notes.open");
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a command does nothing until it is registered"]
pub struct Command {
    declaration: CommandDeclaration,
    /// The first schema that could not be read, reported when the command is declared.
    schema_error: Option<SchemaError>,
    answer_schema_error: Option<SchemaError>,
}

impl Command {
    /// A command that only its own plugin and the user can reach.
    pub fn new(id: impl Into<CommandId>, title: impl Into<Arc<str>>) -> Self {
        let declaration = CommandDeclaration {
            id: id.into(),
            title: title.into(),
            description: None,
            arguments: Vec::new(),
            answers: None,
            answer_schema: None,
            agent_consent: None,
            effects: None,
            category: None,
            icon: None,
            keywords: Vec::new(),
            available_when: Vec::new(),
            on_when: None,
            access: AccessRequirement::Anyone,
            callable: false,
            popout: false,
            context_only: false,
            ignored_keywords: Vec::new(),
            dependencies: None,
            completion: Completion::default(),
        };
        Self { declaration, schema_error: None, answer_schema_error: None }
    }

    /// Sets the description, by which a caller chooses the command: a translation key or a literal text. The title never
    /// takes its place.
    pub fn description(mut self, description: impl Into<Arc<str>>) -> Self {
        self.declaration.description = Some(description.into());
        self
    }

    /// Adds an argument.
    pub fn argument(mut self, argument: Argument) -> Self {
        self.declaration.arguments.push(argument.into());
        self
    }

    /// Adds several arguments.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = Argument>) -> Self {
        self.declaration.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Makes the value that the handler returns the answer, and describes it: a translation key or a literal text.
    pub fn answers(mut self, answers: impl Into<Arc<str>>) -> Self {
        self.declaration.answers = Some(answers.into());
        self
    }

    /// States the JSON Schema of the answer, for a command that is itself read from data. The answer is not checked against
    /// it. A command in Rust states it with the feature `schemars` and `Command::answers_as`, where the compiler ties it to
    /// the value.
    ///
    /// References are replaced with their targets. If the command has no other [`description of the answer`](Self::answers),
    /// it takes the one of the schema; there has to be one.
    ///
    /// ```
    /// use drawloom_command::Command;
    /// use serde_json::json;
    ///
    /// let count = Command::new("notes.count", "Count notes")
    ///     .answer_schema(&json!({ "type": "integer", "description": "How many notes there are" }))
    ///     .declare()?;
    /// assert_eq!(count.answers(), Some("How many notes there are"));
    /// # Ok::<(), drawloom_command::DeclarationError>(())
    /// ```
    pub fn answer_schema(mut self, schema: &Value) -> Self {
        match crate::schema::inlined(schema) {
            Ok(schema) => self.declaration.answer_schema = Some(Arc::new(schema)),
            Err(error) => {
                self.answer_schema_error.get_or_insert(error);
            }
        }
        self
    }

    /// Lets callers other than its own plugin reach the command.
    pub fn callable(mut self) -> Self {
        self.declaration.callable = true;
        self
    }

    /// Sets whether an agent may run the command without asking the user. A consent policy enforces it, not the workbench:
    /// see [`AgentConsent`].
    pub fn agent_consent(mut self, consent: AgentConsent) -> Self {
        self.declaration.agent_consent = Some(consent);
        self
    }

    /// States what the command does: a hint for people, policies and protocols, see [`Effects`].
    pub fn effects(mut self, effects: Effects) -> Self {
        self.declaration.effects = Some(effects);
        self
    }

    /// Sets what every route requires of the session.
    pub fn access(mut self, access: AccessRequirement) -> Self {
        self.declaration.access = access;
        self
    }

    /// Requires a session with at least one of these roles, on every route.
    pub fn any_role<R: Into<Role>>(self, roles: impl IntoIterator<Item = R>) -> Self {
        self.access(AccessRequirement::AnyRole(roles.into_iter().map(Into::into).collect()))
    }

    /// Requires a session with all of these roles, on every route.
    pub fn all_roles<R: Into<Role>>(self, roles: impl IntoIterator<Item = R>) -> Self {
        self.access(AccessRequirement::AllRoles(roles.into_iter().map(Into::into).collect()))
    }

    /// Lets the command run in a window that shows a single piece of work.
    pub fn popout(mut self) -> Self {
        self.declaration.popout = true;
        self
    }

    /// Sets the category under which a palette or a menu shows the command: a translation key or a literal text.
    pub fn category(mut self, category: impl Into<Arc<str>>) -> Self {
        self.declaration.category = Some(category.into());
        self
    }

    /// Sets the name of the icon of a control for the command. The application defines the names.
    pub fn icon(mut self, icon: impl Into<Arc<str>>) -> Self {
        self.declaration.icon = Some(icon.into());
        self
    }

    /// Adds further words by which a person may look for the command: translation keys or literal texts.
    pub fn keywords<K: Into<Arc<str>>>(mut self, keywords: impl IntoIterator<Item = K>) -> Self {
        self.declaration.keywords.extend(keywords.into_iter().map(Into::into));
        self
    }

    /// States when the command is available. While the condition does not hold, the person's lists show the command disabled
    /// with the reason (a translation key or a literal text), a trigger is refused with it, and every other caller, the
    /// command's own plugin included, is neither offered the command nor told the reason.
    ///
    /// The condition is read each time, only for a caller whom everything else allows to reach the command, and never under a lock. It has to return at
    /// once, and may use the workbench. If it panics, the command is not available. If several conditions are stated, all of
    /// them have to hold, and the reason is that of the first that does not.
    ///
    /// When the condition may have changed, `Workbench::announce_change` tells those who watch their list.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// use drawloom_command::Command;
    ///
    /// let is_open = Arc::new(AtomicBool::new(false));
    /// let now = is_open.clone();
    /// let close = Command::new("notes.close", "Close note")
    ///     .available_when("No note is open", move || now.load(Ordering::Relaxed))
    ///     .declare()?;
    /// assert_eq!(close.unavailable(|_| {}).map(|reason| &**reason), Some("No note is open"));
    /// is_open.store(true, Ordering::Relaxed);
    /// assert_eq!(close.unavailable(|_| {}), None);
    /// # Ok::<(), drawloom_command::DeclarationError>(())
    /// ```
    pub fn available_when(
        mut self,
        reason: impl Into<Arc<str>>,
        condition: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Self {
        let condition = Condition::new(condition);
        self.declaration.available_when.push(Availability { reason: reason.into(), condition });
        self
    }

    /// Makes the command a toggle that is on while the condition holds. The person's lists show it. The condition is read in
    /// the same way as one of [`available_when`](Self::available_when); if it panics, the state is shown as unknown.
    pub fn on_when(mut self, condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.declaration.on_when = Some(Condition::new(condition));
        self
    }

    /// Hides the command from palettes, because it makes sense only where a control names it.
    pub fn context_only(mut self) -> Self {
        self.declaration.context_only = true;
        self
    }

    pub(crate) fn with_schema_error(mut self, error: SchemaError) -> Self {
        self.schema_error.get_or_insert(error);
        self
    }

    pub(crate) fn with_ignored_keywords(mut self, ignored: Vec<String>) -> Self {
        self.declaration.ignored_keywords.extend(ignored);
        self
    }

    /// Checks the declaration.
    ///
    /// # Errors
    /// [`DeclarationError`], which names the command, the argument and the reason.
    pub fn declare(self) -> Result<CommandDeclaration, DeclarationError> {
        let Self { mut declaration, schema_error, answer_schema_error } = self;
        if declaration.answers.is_none() {
            let schema = declaration.answer_schema.as_ref();
            let described = schema.and_then(|schema| schema.get("description")?.as_str());
            declaration.answers = described.filter(|text| !text.trim().is_empty()).map(Arc::from);
        }
        let command = || declaration.id.clone();
        if declaration.id.as_str().is_empty() {
            return Err(DeclarationError::EmptyId);
        }
        if declaration.title.is_empty() {
            return Err(DeclarationError::EmptyTitle { command: command() });
        }
        if let AccessRequirement::AnyRole(roles) | AccessRequirement::AllRoles(roles) = &declaration.access
            && roles.is_empty()
        {
            return Err(DeclarationError::NoRoles { command: command() });
        }
        if let Some(part) = empty_part(&declaration) {
            return Err(DeclarationError::EmptyPart { command: command(), part });
        }
        if let Some(error) = answer_schema_error {
            return Err(DeclarationError::AnswerSchema { command: command(), error });
        }
        if declaration.answer_schema.is_some() && declaration.answers.is_none() {
            return Err(DeclarationError::UndescribedAnswer { command: command() });
        }
        if declaration.effects.is_some_and(Effects::is_contradictory) {
            return Err(DeclarationError::ContradictoryEffects { command: command() });
        }
        if let Some(error) = schema_error {
            return Err(DeclarationError::Schema { command: command(), error });
        }
        let mut names = HashSet::new();
        for argument in &declaration.arguments {
            let name = &argument.name;
            if name.is_empty() {
                return Err(DeclarationError::EmptyArgumentName { command: command() });
            }
            // Only a callable command is ever published to a model.
            if declaration.callable && !is_accepted_by_model_apis(name) {
                let argument = name.clone();
                return Err(DeclarationError::InvalidArgumentName { command: command(), argument });
            }
            if !names.insert(&**name) {
                let argument = name.clone();
                return Err(DeclarationError::DuplicateArgument { command: command(), argument });
            }
            check_argument(&declaration.id, argument)?;
        }
        declaration.dependencies = match Dependencies::of(&declaration.arguments) {
            Ok(dependencies) => dependencies.map(Arc::new),
            Err(DependencyError::Undeclared { argument, other }) => {
                return Err(DeclarationError::UnknownDependency { command: command(), argument, other });
            }
            Err(DependencyError::Cycle(arguments)) => {
                return Err(DeclarationError::DependencyCycle { command: command(), arguments });
            }
        };
        declaration.completion = Completion::of(&declaration.arguments);
        Ok(declaration)
    }
}

/// The builder call of the first text that is shown to the person and is blank.
fn empty_part(declaration: &CommandDeclaration) -> Option<&'static str> {
    let is_blank = |text: &Arc<str>| text.trim().is_empty();
    let parts = [
        ("category", declaration.category.iter().any(is_blank)),
        ("icon", declaration.icon.iter().any(is_blank)),
        ("keywords", declaration.keywords.iter().any(is_blank)),
        ("available_when", declaration.available_when.iter().any(|stated| is_blank(&stated.reason))),
    ];
    parts.into_iter().find(|(_, is_empty)| *is_empty).map(|(part, _)| part)
}

fn is_accepted_by_model_apis(name: &str) -> bool {
    let is_accepted = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    name.len() <= MAX_NAME_BYTES && name.bytes().all(is_accepted)
}

fn check_argument(command: &CommandId, argument: &CommandArgument) -> Result<(), DeclarationError> {
    check_settings(command, argument)?;
    let (command, name) = (command.clone(), argument.name.clone());
    let is_empty = match &argument.domain {
        Domain::Integer(range) => range.is_empty(),
        Domain::Within(range) => range.is_empty(),
        Domain::Text(length) if length.is_empty() => {
            return Err(DeclarationError::EmptyLength { command, argument: name });
        }
        Domain::Choice(domain) => return check_choices(&command, argument, domain),
        Domain::Text(_) | Domain::Number | Domain::Boolean => false,
    };
    match is_empty {
        true => Err(DeclarationError::EmptyRange { command, argument: name }),
        false => check_default(&command, argument),
    }
}

/// Reports what was set on an argument that cannot have it.
fn check_settings(command: &CommandId, argument: &CommandArgument) -> Result<(), DeclarationError> {
    let (setting, takes) = match argument.misplaced {
        None => return Ok(()),
        Some(Setting::Length) => ("length", "text"),
        Some(Setting::Range) => ("range", "a number"),
        Some(Setting::Label) => ("label", "a choice"),
        Some(Setting::Choices) => ("source of choices", "text of any length"),
        Some(Setting::Default(error)) => return Err(invalid_default(command, argument, error.to_string())),
    };
    let (command, argument) = (command.clone(), argument.name.clone());
    Err(DeclarationError::MisplacedSetting { command, argument, setting, takes })
}

/// A source of choices is read later, and may have no choices now.
fn check_choices(
    command: &CommandId,
    argument: &CommandArgument,
    domain: &ChoiceDomain,
) -> Result<(), DeclarationError> {
    let (id, name) = (|| command.clone(), || argument.name.clone());
    let mut seen = HashSet::new();
    if let Choices::Fixed(choices) = &domain.choices {
        if argument.required && choices.is_empty() {
            return Err(DeclarationError::NoChoices { command: id(), argument: name() });
        }
        for choice in choices.iter() {
            if choice.is_empty() {
                return Err(DeclarationError::EmptyChoice { command: id(), argument: name() });
            }
            if !seen.insert(&**choice) {
                let choice = choice.clone();
                return Err(DeclarationError::DuplicateChoice { command: id(), argument: name(), choice });
            }
        }
    }
    let mut labelled = HashSet::new();
    for (choice, label) in domain.labels.iter() {
        let is_choice = domain.choices.are_read_later() || seen.contains(choice);
        let reason = match (is_choice, labelled.insert(choice), label.is_empty()) {
            (false, ..) => "it is not a choice of the argument",
            (_, false, _) => "it has a label already",
            (.., true) => "the label is empty",
            (true, true, false) => continue,
        };
        let choice = choice.into();
        return Err(DeclarationError::InvalidLabel { command: id(), argument: name(), choice, reason });
    }
    check_default(command, argument)
}

/// A default is what the handler gets, so it has to match like a value that was given.
fn check_default(command: &CommandId, argument: &CommandArgument) -> Result<(), DeclarationError> {
    let Some(default) = &argument.default else { return Ok(()) };
    let are_read_later = argument.choice_domain().is_some_and(|domain| domain.choices.are_read_later());
    let reason = match () {
        () if argument.required => "a required argument has no default; remove one of the two".to_owned(),
        () if argument.secret => "a default is published, and this argument is secret; remove one of the two".to_owned(),
        () if are_read_later => {
            "its choices are read while the program runs, so it may not be one of them; let the handler choose".to_owned()
        }
        () => match problem_with(argument, default, || argument.choices()) {
            None => return Ok(()),
            Some(problem) => problem.to_string(),
        },
    };
    Err(invalid_default(command, argument, reason))
}

fn invalid_default(command: &CommandId, argument: &CommandArgument, reason: String) -> DeclarationError {
    DeclarationError::InvalidDefault { command: command.clone(), argument: argument.name.clone(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(command: Command) -> Result<(), &'static str> {
        command.declare().map(drop).map_err(|error| error.code())
    }

    #[test]
    fn a_callable_command_has_only_argument_names_that_model_apis_accept() {
        let named = |name: &str| Command::new("notes.open", "Open").argument(Argument::text(name));
        let (longest, too_long) = ("n".repeat(64), "n".repeat(65));
        for name in ["a", "Z9", "_", "-", ".", "a.b-c_d", &longest] {
            assert_eq!(code(named(name).callable()), Ok(()), "{name:?}");
        }
        for name in ["a b", "größe", "a/b", "a:b", "$a", "a\n", &too_long] {
            assert_eq!(code(named(name).callable()), Err("invalid-argument-name"), "{name:?}");
            assert_eq!(code(named(name)), Ok(()), "{name:?} is not published");
        }
        let error = named("a b").callable().declare().unwrap_err();
        assert_eq!(
            error.to_string(),
            "command \"notes.open\" is callable, and model APIs reject the name of its argument \"a b\"; use 1 to 64 of \
             the characters A-Z, a-z, 0-9, \"_\", \".\" and \"-\""
        );
    }

    fn with(argument: Argument) -> Result<(), &'static str> {
        code(Command::new("c", "C").argument(argument))
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "an author may write it")]
    fn a_limit_belongs_to_the_kind_that_it_limits() {
        let mode = || Argument::choice("a", ["b"]);
        assert_eq!(with(Argument::text("a").length(1..=200).list().required()), Ok(()));
        assert_eq!(with(Argument::text("a").length(2..=1)), Err("empty-length"));
        assert_eq!(with(Argument::number("a").length(1..)), Err("misplaced-setting"));
        assert_eq!(with(mode().length(..=3)), Err("misplaced-setting"));
        assert_eq!(with(Argument::number("a").range(0.5..)), Ok(()));
        assert_eq!(with(Argument::integer("a", 0..=9).range(10..)), Err("empty-range"));
        assert_eq!(with(Argument::text("a").range(1..=2)), Err("misplaced-setting"));
        assert_eq!(with(Argument::boolean("a").label("true", "Yes")), Err("misplaced-setting"));
        let text =
            Command::new("notes.open", "Open").argument(Argument::boolean("pinned").length(1..)).declare();
        assert_eq!(
            text.unwrap_err().to_string(),
            "argument \"pinned\" of command \"notes.open\" has a length, which only an argument that takes text can have"
        );
    }

    #[test]
    fn a_default_is_a_value_that_a_call_could_give() {
        let set = crate::argument::ChoiceSet::new();
        set.set(["b"]);
        assert_eq!(with(Argument::integer("a", 1..=9).default(9)), Ok(()));
        assert_eq!(with(Argument::text("a").list().default(Vec::<&str>::new())), Ok(()));
        assert_eq!(with(Argument::choice("a", ["b"]).default("b")), Ok(()));
        for wrong in [
            Argument::integer("a", 1..=9).default(10),
            Argument::integer("a", 1..=9).default("1"),
            Argument::text("a").length(1..).default(""),
            Argument::text("a").default(vec!["b"]),
            Argument::number("a").default(f64::NAN),
            Argument::choice("a", ["b"]).default("c"),
            Argument::text("a").default("b").required(),
            Argument::text("a").default("b").secret(),
            Argument::choice_from("a", || vec!["b".to_owned()]).default("b"),
            Argument::choice_in("a", &set).default("b"),
            Argument::choice_given("a", ["z"], |_| vec!["b".to_owned()]).default("b"),
        ] {
            assert_eq!(with(wrong.clone()), Err("invalid-default"), "{wrong:?}");
        }
        let error = Command::new("c", "C").argument(Argument::integer("a", 1..=9).default(10)).declare();
        assert_eq!(
            error.unwrap_err().to_string(),
            "the default of argument \"a\" of command \"c\" is not valid: argument \"a\" takes a whole number from 1 to 9"
        );
    }

    #[test]
    fn a_label_is_of_a_choice_and_each_choice_has_one() {
        let mode = || Argument::choice("a", ["b", "c"]);
        assert_eq!(with(mode().label("b", "B").label("c", "C")), Ok(()));
        assert_eq!(with(mode().label("d", "D")), Err("invalid-label"));
        assert_eq!(with(mode().label("b", "B").label("b", "B")), Err("invalid-label"));
        assert_eq!(with(mode().label("b", "")), Err("invalid-label"));
        // What a source will give is not known.
        assert_eq!(with(Argument::choice_from("a", Vec::new).label("d", "D")), Ok(()));
    }

    #[test]
    fn choices_depend_on_declared_arguments_and_not_on_each_other() {
        let given = |name: &str, others: &[&str]| {
            let others: Vec<String> = others.iter().map(|other| (*other).to_owned()).collect();
            Argument::choice_given(name, others, |_| Vec::new())
        };
        let declared = |arguments: Vec<Argument>| code(Command::new("c", "C").arguments(arguments));
        assert_eq!(declared(vec![given("a", &["b"]), given("b", &["d"]), Argument::text("d")]), Ok(()));
        assert_eq!(declared(vec![given("a", &["b", "b"]), Argument::text("b")]), Ok(()));
        assert_eq!(declared(vec![given("a", &[])]), Ok(()));
        assert_eq!(declared(vec![given("a", &["z"])]), Err("unknown-dependency"));
        assert_eq!(declared(vec![given("a", &["a"])]), Err("dependency-cycle"));
        let cycle =
            vec![Argument::text("x"), given("a", &["b", "x"]), given("b", &["c"]), given("c", &["a"])];
        let error = Command::new("c", "C").arguments(cycle).declare().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the choices of arguments of command \"c\" depend on each other: \"a\", \"b\", \"c\""
        );
        // A long chain costs no stack.
        let chain = (0..20_000).map(|at| match at {
            0 => Argument::text("n0"),
            at => given(&format!("n{at}"), &[&format!("n{}", at - 1)]),
        });
        assert_eq!(declared(chain.rev().collect()), Ok(()));
    }
}
