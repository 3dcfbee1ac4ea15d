//! What a command declares: built freely, and checked once, when it is registered.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::argument::{Argument, Choices, CommandArgument, Domain};
use crate::check::{self, ArgumentProblems};
use crate::from_schema::SchemaError;
use crate::id::{CommandId, Role};
use crate::value::CommandArguments;

/// What a command states about an agent's word. The workbench states it and enforces nothing; a policy acts on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentConsent {
    /// An agent's word is enough.
    Allow,
    /// The person is asked, once.
    Ask,
    /// The person is asked each time.
    AskAlways,
    /// An agent's word is never enough.
    Never,
}

impl AgentConsent {
    /// The statement's name in serialised form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::AskAlways => "ask-always",
            Self::Never => "never",
        }
    }
}

/// Whom a command requires the session to belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AccessRequirement {
    /// Anybody.
    #[default]
    Anyone,
    /// A signed-in person.
    Authenticated,
    /// Nobody in particular: a session that is not signed in.
    Anonymous,
    /// A person with at least one of these roles.
    AnyRole(BTreeSet<Role>),
    /// A person with every one of these roles.
    AllRoles(BTreeSet<Role>),
}

/// A command in the making. Only an id and a title are needed; everything else has the closed default.
///
/// ```
/// use drawloom_command::{AgentConsent, Command, Argument};
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
    /// What is wrong already, told when it is declared.
    fault: Option<SchemaError>,
}

/// A declaration that was found to hold together. Registering a command is the way to have one.
#[derive(Clone, Debug)]
pub struct CommandDeclaration {
    pub(crate) id: CommandId,
    pub(crate) title: Arc<str>,
    pub(crate) description: Option<Arc<str>>,
    pub(crate) arguments: Vec<CommandArgument>,
    pub(crate) answers: Option<Arc<str>>,
    pub(crate) agent_consent: Option<AgentConsent>,
    access: AccessRequirement,
    callable: bool,
    popout: bool,
    context_only: bool,
}

/// Why a declaration does not hold together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclarationError {
    /// The id is empty.
    #[error("a command has an empty id")]
    EmptyId,
    /// The title is empty.
    #[error("command \"{command}\" has an empty title")]
    EmptyTitle {
        /// The command.
        command: CommandId,
    },
    /// An argument has an empty name.
    #[error("command \"{command}\" has an argument with an empty name")]
    EmptyArgumentName {
        /// The command.
        command: CommandId,
    },
    /// Two arguments have one name.
    #[error("command \"{command}\" declares argument \"{argument}\" twice")]
    DuplicateArgument {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// A required choice has nothing to choose from.
    #[error("command \"{command}\" requires argument \"{argument}\", a choice that has no choices")]
    NoChoices {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// One of the choices is the empty text.
    #[error("command \"{command}\" has an empty choice in argument \"{argument}\"")]
    EmptyChoice {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// One of the choices is there twice.
    #[error("command \"{command}\" has the choice \"{choice}\" twice in argument \"{argument}\"")]
    DuplicateChoice {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
        /// The choice.
        choice: Arc<str>,
    },
    /// No number lies in the declared range.
    #[error("command \"{command}\" has no number in the range of argument \"{argument}\"")]
    EmptyRange {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// The JSON Schema of its arguments says what no argument can.
    #[error("command \"{command}\": {error}")]
    Schema {
        /// The command.
        command: CommandId,
        /// What it says, and where.
        error: SchemaError,
    },
    /// The access requirement names no role.
    #[error("command \"{command}\" requires roles and names none")]
    NoRoles {
        /// The command.
        command: CommandId,
    },
}

impl DeclarationError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyId => "empty-id",
            Self::EmptyTitle { .. } => "empty-title",
            Self::EmptyArgumentName { .. } => "empty-argument-name",
            Self::DuplicateArgument { .. } => "duplicate-argument",
            Self::NoChoices { .. } => "no-choices",
            Self::EmptyChoice { .. } => "empty-choice",
            Self::DuplicateChoice { .. } => "duplicate-choice",
            Self::EmptyRange { .. } => "empty-range",
            Self::Schema { .. } => "outside-schema",
            Self::NoRoles { .. } => "no-roles",
        }
    }
}

impl Command {
    /// A command that nothing but its own plugin and the person can reach.
    pub fn new(id: impl Into<CommandId>, title: impl Into<Arc<str>>) -> Self {
        let declaration = CommandDeclaration {
            id: id.into(),
            title: title.into(),
            description: None,
            arguments: Vec::new(),
            answers: None,
            agent_consent: None,
            access: AccessRequirement::Anyone,
            callable: false,
            popout: false,
            context_only: false,
        };
        Self { declaration, fault: None }
    }

    /// Explains the action to something choosing one: a translation key or a literal. The title never stands in.
    pub fn description(mut self, description: impl Into<Arc<str>>) -> Self {
        self.declaration.description = Some(description.into());
        self
    }

    /// Declares one more argument.
    pub fn argument(mut self, argument: Argument) -> Self {
        self.declaration.arguments.push(argument.into());
        self
    }

    /// Declares several more arguments.
    pub fn arguments(mut self, arguments: impl IntoIterator<Item = Argument>) -> Self {
        self.declaration.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Makes what the handler returns the answer, and says what it means: a translation key or a literal.
    pub fn answers(mut self, answers: impl Into<Arc<str>>) -> Self {
        self.declaration.answers = Some(answers.into());
        self
    }

    /// Opens the command to callers other than its own plugin.
    pub fn callable(mut self) -> Self {
        self.declaration.callable = true;
        self
    }

    /// States what an agent's word is worth.
    pub fn agent_consent(mut self, consent: AgentConsent) -> Self {
        self.declaration.agent_consent = Some(consent);
        self
    }

    /// Requires something of the session, by every route.
    pub fn access(mut self, access: AccessRequirement) -> Self {
        self.declaration.access = access;
        self
    }

    /// Requires a session with at least one of these roles, by every route.
    pub fn any_role<R: Into<Role>>(self, roles: impl IntoIterator<Item = R>) -> Self {
        self.access(AccessRequirement::AnyRole(roles.into_iter().map(Into::into).collect()))
    }

    /// Requires a session with every one of these roles, by every route.
    pub fn all_roles<R: Into<Role>>(self, roles: impl IntoIterator<Item = R>) -> Self {
        self.access(AccessRequirement::AllRoles(roles.into_iter().map(Into::into).collect()))
    }

    /// Lets the command run in a window that shows a single piece of work.
    pub fn popout(mut self) -> Self {
        self.declaration.popout = true;
        self
    }

    /// Keeps the command out of the list for palettes and menus: it makes sense only where a control names it.
    pub fn context_only(mut self) -> Self {
        self.declaration.context_only = true;
        self
    }

    pub(crate) fn with_fault(mut self, fault: SchemaError) -> Self {
        self.fault.get_or_insert(fault);
        self
    }

    /// Checks the declaration.
    ///
    /// # Errors
    /// [`DeclarationError`], naming the command, the argument and the reason.
    pub fn declare(self) -> Result<CommandDeclaration, DeclarationError> {
        let Self { declaration, fault } = self;
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
        if let Some(error) = fault {
            return Err(DeclarationError::Schema { command: command(), error });
        }
        let mut names = HashSet::new();
        for argument in &declaration.arguments {
            if argument.name.is_empty() {
                return Err(DeclarationError::EmptyArgumentName { command: command() });
            }
            if !names.insert(&*argument.name) {
                return Err(DeclarationError::DuplicateArgument {
                    command: command(),
                    argument: argument.name.clone(),
                });
            }
            check_domain(&declaration.id, argument)?;
        }
        Ok(declaration)
    }
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
        // A source is read when it is asked for choices, and may well have none until then.
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
                    return Err(DeclarationError::DuplicateChoice {
                        command,
                        argument: name,
                        choice: choice.clone(),
                    });
                }
            }
            Ok(())
        }
        Domain::Text
        | Domain::Number
        | Domain::Within(_)
        | Domain::Integer(_)
        | Domain::Boolean
        | Domain::Choice(_) => Ok(()),
    }
}

impl CommandDeclaration {
    /// The command's id.
    pub fn id(&self) -> &CommandId {
        &self.id
    }

    /// What labels a control for the command, as declared.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What explains the action, as declared.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The declared arguments, in declared order.
    pub fn arguments(&self) -> &[CommandArgument] {
        &self.arguments
    }

    /// What the answer means, as declared; none where the command answers nothing.
    pub fn answers(&self) -> Option<&str> {
        self.answers.as_deref()
    }

    /// Whether callers other than its own plugin may reach it.
    pub fn is_callable(&self) -> bool {
        self.callable
    }

    /// What the command states about an agent's word.
    pub fn agent_consent(&self) -> Option<AgentConsent> {
        self.agent_consent
    }

    /// What the command requires of the session.
    pub fn access(&self) -> &AccessRequirement {
        &self.access
    }

    /// Whether it may run in a window that shows a single piece of work.
    pub fn is_popout(&self) -> bool {
        self.popout
    }

    /// Whether it is kept out of palettes and menus.
    pub fn is_context_only(&self) -> bool {
        self.context_only
    }

    /// Whether checking a call reads the choices of some argument from a source, which runs the author's code.
    pub fn reads_choices(&self) -> bool {
        self.arguments.iter().any(|argument| matches!(argument.domain, Domain::Choice(Choices::Source(_))))
    }

    /// Whether a call could match at all: no required choice is without choices right now.
    pub fn can_be_called(&self) -> bool {
        self.arguments.iter().all(|argument| match &argument.domain {
            Domain::Choice(choices) if argument.required => !choices.now().is_empty(),
            _ => true,
        })
    }

    /// Checks a call's arguments against the declared ones. A check for discovery, not for safety: a handler
    /// validates its inputs as it would without it.
    ///
    /// ```
    /// use drawloom_command::{Command, Argument, CommandArguments};
    ///
    /// let open = Command::new("notes.open", "Open note")
    ///     .argument(Argument::text("path").required())
    ///     .declare()?;
    /// let problems = open.check(&CommandArguments::new().with("colour", "red")).unwrap_err();
    /// assert_eq!(
    ///     problems.to_string(),
    ///     r#"argument "path" is missing; argument "colour" is not declared; leave it out"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Every problem there is, in a stable order.
    pub fn check(&self, given: &CommandArguments) -> Result<(), ArgumentProblems> {
        check::check(&self.arguments, given)
    }
}
