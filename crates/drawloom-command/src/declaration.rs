//! What a command declares: built with [`Command`], and checked once, when it is registered.

mod answering;
mod builder;
mod completion;
mod condition;
mod effects;
mod error;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::CommandOffer;
use crate::argument::{ChoiceSet, Choices, CommandArgument};
use crate::check::{self, ArgumentProblems, Dependencies};
use crate::id::{CommandId, RegistrationId, Role};
use crate::panic::Panicked;
use crate::value::CommandArguments;

use condition::{Availability, Condition};

pub use answering::{AnsweringCommand, DeclaresAnswer};
pub use builder::Command;
pub(crate) use completion::Completion;
pub use effects::{EffectKind, Effects};
pub use error::DeclarationError;

/// Whether an agent may run the command without asking the user.
///
/// The workbench publishes the statement and does not enforce it. A hook before the call, such as `ConsentPolicy`, acts on
/// it. The enum is exhaustive: a policy must decide about every statement.
///
/// The order is from the least to the most strict statement, so the stricter one of two is `a.max(b)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentConsent {
    /// The command may run without asking.
    Allow,
    /// The user is asked once.
    Ask,
    /// The user is asked about each call.
    AskAlways,
    /// No agent may run the command.
    Never,
}

impl AgentConsent {
    /// The name of the statement in serialized form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::AskAlways => "ask-always",
            Self::Never => "never",
        }
    }
}

/// The sessions in which a command may run. The enum is exhaustive: a workbench must decide about every requirement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AccessRequirement {
    /// Any session.
    #[default]
    Anyone,
    /// A session in which somebody is signed in.
    Authenticated,
    /// A session in which nobody is signed in.
    Anonymous,
    /// An authenticated session with at least one of these roles.
    AnyRole(BTreeSet<Role>),
    /// An authenticated session with all of these roles.
    AllRoles(BTreeSet<Role>),
}

/// A checked declaration of a command. [`Command::declare`] creates it.
#[derive(Clone, Debug)]
pub struct CommandDeclaration {
    pub(crate) id: CommandId,
    pub(crate) title: Arc<str>,
    pub(crate) description: Option<Arc<str>>,
    pub(crate) arguments: Vec<CommandArgument>,
    pub(crate) answers: Option<Arc<str>>,
    pub(crate) answer_schema: Option<Arc<Value>>,
    pub(crate) agent_consent: Option<AgentConsent>,
    pub(crate) effects: Option<Effects>,
    pub(crate) category: Option<Arc<str>>,
    pub(crate) icon: Option<Arc<str>>,
    pub(crate) keywords: Vec<Arc<str>>,
    available_when: Vec<Availability>,
    on_when: Option<Condition>,
    access: AccessRequirement,
    callable: bool,
    popout: bool,
    context_only: bool,
    ignored_keywords: Vec<String>,
    dependencies: Option<Arc<Dependencies>>,
    completion: Completion,
}

impl CommandDeclaration {
    /// The command's id.
    pub fn id(&self) -> &CommandId {
        &self.id
    }

    /// The label of a control for the command, as declared.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The same text, for code that keeps it without a copy.
    pub fn shared_title(&self) -> Arc<str> {
        self.title.clone()
    }

    /// The description of the command, as declared. `None` if it has none.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The declared arguments, in declared order.
    pub fn arguments(&self) -> &[CommandArgument] {
        &self.arguments
    }

    /// The description of the answer, as declared. `None` if the command answers nothing.
    pub fn answers(&self) -> Option<&str> {
        self.answers.as_deref()
    }

    /// JSON Schema of the answer, in which every reference is replaced with its target. `None` if the command states none.
    pub fn answer_schema(&self) -> Option<&Value> {
        self.answer_schema.as_deref()
    }

    /// The category under which a palette or a menu shows the command, as declared.
    pub fn category(&self) -> Option<&str> {
        self.category.as_deref()
    }

    /// The name of the icon of a control for the command.
    pub fn icon(&self) -> Option<&str> {
        self.icon.as_deref()
    }

    /// Further words by which a person may look for the command, as declared.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.keywords.iter().map(|keyword| &**keyword)
    }

    /// Whether callers other than its own plugin may reach the command.
    pub fn is_callable(&self) -> bool {
        self.callable
    }

    /// Whether an agent may run the command without asking the user. `None` if the command states nothing.
    pub fn agent_consent(&self) -> Option<AgentConsent> {
        self.agent_consent
    }

    /// What the command does, as its author states it. `None` if it states nothing.
    pub fn effects(&self) -> Option<Effects> {
        self.effects
    }

    /// What the command requires of the session.
    pub fn access(&self) -> &AccessRequirement {
        &self.access
    }

    /// Whether the command may run in a window that shows a single piece of work.
    pub fn is_popout(&self) -> bool {
        self.popout
    }

    /// Whether the command is hidden from palettes: it runs only where a control names it.
    pub fn is_context_only(&self) -> bool {
        self.context_only
    }

    /// The keywords of JSON Schemas that limit no value and that the arguments do not keep (such as examples), as JSON
    /// Pointers into the schema. At most 64 for each schema.
    pub fn ignored_keywords(&self) -> &[String] {
        &self.ignored_keywords
    }

    /// Whether a check of arguments reads choices from a source, which runs user-supplied code.
    pub fn reads_choices(&self) -> bool {
        let mut domains = self.arguments.iter().filter_map(CommandArgument::choice_domain);
        domains.any(|domain| domain.choices.runs_code())
    }

    /// The sets from which arguments take their choices, each as often as it is used.
    pub fn choice_sets(&self) -> impl Iterator<Item = &ChoiceSet> {
        self.arguments.iter().filter_map(|argument| match &argument.choice_domain()?.choices {
            Choices::Set(set) => Some(set),
            _ => None,
        })
    }

    /// Whether the command states conditions under which it is available, which run user-supplied code when they are read.
    pub fn has_conditions(&self) -> bool {
        !self.available_when.is_empty()
    }

    /// The reasons that the command states for not being available, as declared. Reads no condition.
    pub fn unavailable_reasons(&self) -> impl Iterator<Item = &str> {
        self.available_when.iter().map(|availability| &*availability.reason)
    }

    /// The reason why the command is not available now, as declared: that of the first condition that does not hold. `None`
    /// if it is available.
    ///
    /// This runs user-supplied code. A condition that panics does not hold, and `report` is told. A condition may use the
    /// workbench, but one that is read inside a condition that is itself read inside a condition does not hold.
    pub fn unavailable(&self, mut report: impl FnMut(&Panicked)) -> Option<&Arc<str>> {
        let mut holds = |availability: &&Availability| availability.condition.read(&mut report) == Some(true);
        self.available_when.iter().find(|availability| !holds(availability)).map(|unmet| &unmet.reason)
    }

    /// Whether the command is on now. `None` if it is not a toggle, or if the state cannot be read: `report` is told if
    /// reading it panics.
    ///
    /// This runs user-supplied code.
    pub fn is_on(&self, report: impl FnOnce(&Panicked)) -> Option<bool> {
        self.on_when.as_ref()?.read(report)
    }

    /// Whether any arguments could match at this moment. None can while a required choice has no choices. Choices that depend
    /// on other arguments are not read.
    pub fn can_be_called(&self) -> bool {
        let required = self.arguments.iter().filter(|argument| argument.required);
        required.filter_map(CommandArgument::choices).all(|choices| !choices.is_empty())
    }

    /// The choices of an argument at this moment, for a call with these other arguments: what a form offers. `None` if it is not
    /// a choice, or if an argument on which the choices depend does not match.
    pub fn choices_of(&self, argument: &str, given: &CommandArguments) -> Option<Arc<[Arc<str>]>> {
        let position = self.arguments.iter().position(|declared| *declared.name == *argument)?;
        match &self.dependencies {
            Some(dependencies) => dependencies.choices(&self.arguments, position, given),
            None => self.arguments.get(position)?.choices(),
        }
    }

    /// Gives the arguments of a call what the declaration adds to them: the default of each argument that is omitted, and the
    /// mark of each that is secret.
    ///
    /// ```
    /// use drawloom_command::{Argument, Command, CommandArguments};
    ///
    /// let list = Command::new("notes.list", "List notes")
    ///     .argument(Argument::integer("limit", 1..=100).default(20))
    ///     .argument(Argument::text("password").secret())
    ///     .declare()?;
    /// let mut arguments = CommandArguments::new().with("password", "hunter2");
    /// list.complete(&mut arguments);
    /// assert_eq!(arguments.integer("limit"), Some(20));
    /// assert!(arguments.is_secret("password"));
    /// # Ok::<(), drawloom_command::DeclarationError>(())
    /// ```
    pub fn complete(&self, arguments: &mut CommandArguments) {
        self.completion.apply(arguments);
    }

    /// Marks the arguments of a call that are secret, and adds no defaults: for the record of a call that does not run.
    pub fn mark_secret(&self, arguments: &mut CommandArguments) {
        self.completion.mark(arguments);
    }

    /// The offer of this command under a registration.
    pub fn offer(&self, registration: RegistrationId) -> CommandOffer {
        CommandOffer::new(self.id.clone(), registration, self.agent_consent)
            .effects(self.effects)
            .with_completion(self.completion.clone())
    }

    /// The arguments, each after those on which its choices depend.
    #[cfg(feature = "proptest")]
    pub(crate) fn arguments_in_order(&self) -> impl Iterator<Item = &CommandArgument> {
        let order: Vec<usize> = match &self.dependencies {
            Some(dependencies) => dependencies.order().to_vec(),
            None => (0..self.arguments.len()).collect(),
        };
        order.into_iter().filter_map(|position| self.arguments.get(position))
    }

    /// Everything that is declared apart from the arguments, as text.
    #[cfg(feature = "proptest")]
    pub(crate) fn parts(&self) -> Vec<(String, String)> {
        // Each field is named, so that a new one is not forgotten.
        let Self {
            id,
            title,
            description,
            arguments: _,
            answers,
            answer_schema,
            agent_consent,
            effects,
            category,
            icon,
            keywords,
            available_when,
            on_when,
            access,
            callable,
            popout,
            context_only,
            ignored_keywords: _,
            dependencies: _,
            completion: _,
        } = self;
        let part = |name: &str, value: String| (name.to_owned(), value);
        vec![
            part("id", id.to_string()),
            part("title", title.to_string()),
            part("description", format!("{description:?}")),
            part("answers", format!("{answers:?}")),
            part("answer schema", format!("{answer_schema:?}")),
            part("agent consent", format!("{agent_consent:?}")),
            part("effects", format!("{effects:?}")),
            part("category", format!("{category:?}")),
            part("icon", format!("{icon:?}")),
            part("keywords", format!("{keywords:?}")),
            part("conditions", format!("{available_when:?}")),
            part("toggle", on_when.is_some().to_string()),
            part("access", format!("{access:?}")),
            part("callable", callable.to_string()),
            part("popout", popout.to_string()),
            part("context-only", context_only.to_string()),
        ]
    }

    /// Checks the arguments of a call against the declared ones. The check serves discovery, not safety: a handler has to
    /// validate its inputs as if there were no check.
    ///
    /// ```
    /// use drawloom_command::{Argument, Command, CommandArguments};
    ///
    /// let open = Command::new("notes.open", "Open note")
    ///     .argument(Argument::text("path").required())
    ///     .declare()?;
    /// let problems = open.check(&CommandArguments::new().with("colour", "red")).unwrap_err();
    /// assert_eq!(
    ///     problems.to_string(),
    ///     r#"argument "path" is missing; it takes text; argument "colour" is not declared; omit it"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Every problem, in a stable order.
    pub fn check(&self, given: &CommandArguments) -> Result<(), ArgumentProblems> {
        check::check(&self.arguments, self.dependencies.as_deref(), given)
    }
}
