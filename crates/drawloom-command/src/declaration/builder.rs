//! The builder of a declaration, and the check that it makes sense.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::condition::{Availability, Condition};
use super::{AccessRequirement, AgentConsent, CommandDeclaration, DeclarationError, Effects};
use crate::argument::{Argument, Choices, CommandArgument, Domain};
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
    /// it. A command in Rust states it with the feature `schemars` and [`Command::answers_as`], where the compiler ties it to
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
            check_domain(&declaration.id, argument)?;
        }
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

fn check_domain(command: &CommandId, argument: &CommandArgument) -> Result<(), DeclarationError> {
    let (command, name) = (command.clone(), argument.name.clone());
    match &argument.domain {
        Domain::Integer(range) if range.is_empty() => {
            Err(DeclarationError::EmptyRange { command, argument: name })
        }
        Domain::Within(range) if range.is_empty() => {
            Err(DeclarationError::EmptyRange { command, argument: name })
        }
        Domain::Choice(Choices::Fixed(choices)) => {
            let mut seen = HashSet::new();
            if argument.required && choices.is_empty() {
                return Err(DeclarationError::NoChoices { command, argument: name });
            }
            for choice in choices.iter() {
                if choice.is_empty() {
                    return Err(DeclarationError::EmptyChoice { command, argument: name });
                }
                if !seen.insert(choice) {
                    let choice = choice.clone();
                    return Err(DeclarationError::DuplicateChoice { command, argument: name, choice });
                }
            }
            Ok(())
        }
        // A source of choices is read later, and may have no choices now.
        Domain::Text
        | Domain::Number
        | Domain::Within(_)
        | Domain::Integer(_)
        | Domain::Boolean
        | Domain::Choice(_) => Ok(()),
    }
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
}
