//! A command as it is described to a caller: translated, with its choices read, ready to be shown or published.

use std::collections::HashSet;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::argument::{ArgumentKind, ChoiceLabels, IntegerRange, NumberRange, TextLength};
use crate::declaration::{AgentConsent, CommandDeclaration, Effects};
use crate::id::{CommandId, RegistrationId};
use crate::value::CommandArgumentValue;

/// One command that a caller may reach, as described to that caller.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvocableCommand {
    /// The id by which it is invoked.
    pub id: CommandId,
    /// The label of a control for it.
    pub title: Arc<str>,
    /// The description. `None` if the command declares none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Arc<str>>,
    /// The arguments, in declared order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<InvocableArgument>,
    /// The description of the answer. `None` if the command answers nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Arc<str>>,
    /// JSON Schema of the answer, without references. `None` if the command states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_schema: Option<Arc<Value>>,
    /// Whether an agent may run the command without asking the user. `None` if the command states nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_consent: Option<AgentConsent>,
    /// What the command does, as its author states it. `None` if it states nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// The category under which a palette or a menu shows it. `None` if the command states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Arc<str>>,
    /// The name of the icon of a control for it. `None` if the command states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<Arc<str>>,
    /// Further words by which a person may look for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<Arc<str>>,
    /// The registration of the command.
    #[serde(skip)]
    pub registration: RegistrationId,
}

/// One argument of an [`InvocableCommand`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvocableArgument {
    /// The argument's name.
    pub name: Arc<str>,
    /// The argument's kind.
    pub kind: ArgumentKind,
    /// The description. `None` if the argument has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Arc<str>>,
    /// Whether a call must give the argument.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether the argument takes a list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// Whether the value is secret: a form does not show what the person types.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// The value that the command gets if a call omits the argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<CommandArgumentValue>,
    /// The choices. `None` if the argument is not a choice, or if its choices depend on other arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Arc<[Arc<str>]>>,
    /// What a person reads in place of the choices.
    #[serde(skip_serializing_if = "ChoiceLabels::is_empty")]
    pub labels: ChoiceLabels,
    /// The other arguments on which the choices depend.
    #[serde(skip_serializing_if = "is_nothing")]
    pub depends_on: Arc<[Arc<str>]>,
    /// The limits of the text's length. `None` if the argument takes no text or text of any length.
    #[serde(skip)]
    pub length: Option<TextLength>,
    /// The range of whole numbers. `None` if the argument is not limited to whole numbers.
    #[serde(skip)]
    pub integer: Option<IntegerRange>,
    /// The range of numbers. `None` if the argument is limited to whole numbers or has no range.
    #[serde(skip)]
    pub range: Option<NumberRange>,
}

fn is_nothing(names: &Arc<[Arc<str>]>) -> bool {
    names.is_empty()
}

impl CommandDeclaration {
    /// Describes the command to a caller. Every text goes through `translate`, and every choice is read now. Returns `None`
    /// if a required choice has no choices, because no call could match.
    pub fn describe(
        &self,
        registration: RegistrationId,
        translate: impl Fn(&Arc<str>) -> Arc<str>,
    ) -> Option<InvocableCommand> {
        let mut arguments = Vec::with_capacity(self.arguments.len());
        for argument in &self.arguments {
            let choices = argument.choices();
            if argument.required && choices.as_ref().is_some_and(|choices| choices.is_empty()) {
                return None;
            }
            arguments.push(InvocableArgument {
                name: argument.name.clone(),
                kind: argument.kind(),
                description: argument.description.as_ref().map(&translate),
                required: argument.required,
                list: argument.list,
                secret: argument.secret,
                default: argument.default.clone(),
                choices,
                labels: argument.labels().map(|labels| labels.translated(&translate)).unwrap_or_default(),
                depends_on: argument.depends_on().into(),
                length: argument.text_length(),
                integer: argument.integer_range(),
                range: argument.number_range(),
            });
        }
        Some(InvocableCommand {
            id: self.id.clone(),
            title: translate(&self.title),
            description: self.description.as_ref().map(&translate),
            arguments,
            answers: self.answers.as_ref().map(&translate),
            answer_schema: self.answer_schema.clone(),
            agent_consent: self.agent_consent,
            effects: self.effects,
            category: self.category.as_ref().map(&translate),
            icon: self.icon.clone(),
            keywords: self.keywords.iter().map(&translate).collect(),
            registration,
        })
    }
}

impl InvocableArgument {
    /// What a person reads in place of a choice: its label, or the choice itself.
    pub fn label_of<'a>(&'a self, choice: &'a str) -> &'a str {
        self.labels.get(choice).unwrap_or(choice)
    }

    /// The description of the argument for a model, which also lists the labels of the choices, and says on which other
    /// arguments the choices depend. `None` if there is nothing to say.
    ///
    /// ```
    /// use drawloom_command::{Argument, Command, RegistrationId};
    ///
    /// let open = Command::new("notes.open", "Open note")
    ///     .argument(
    ///         Argument::choice("mode", ["preview", "permanent"])
    ///             .description("How to open it")
    ///             .label("preview", "Only look"),
    ///     )
    ///     .declare()?
    ///     .describe(RegistrationId::unique(), |text| text.clone())
    ///     .ok_or("a required choice has no choices")?;
    /// let mode = open.arguments.first().ok_or("no arguments")?;
    /// assert_eq!(mode.tool_description().as_deref(), Some("How to open it\n\"preview\": Only look"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tool_description(&self) -> Option<String> {
        let mut lines: Vec<String> = self.description.iter().map(ToString::to_string).collect();
        if !self.depends_on.is_empty() {
            let names: Vec<String> = self.depends_on.iter().map(|name| format!("{name:?}")).collect();
            lines.push(format!("One of the choices that {} gives.", names.join(" and ")));
        }
        // The labels of choices that there are not at this moment would be misleading.
        let choices: Option<HashSet<&str>> =
            self.choices.as_ref().map(|choices| choices.iter().map(|choice| &**choice).collect());
        let is_choice = |choice: &str| choices.as_ref().is_none_or(|choices| choices.contains(choice));
        let labels = self.labels.iter().filter(|(choice, _)| is_choice(choice));
        lines.extend(labels.map(|(choice, label)| format!("{choice:?}: {label}")));
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

impl InvocableCommand {
    /// The description of the command's tool for a model: the description, and what the command answers.
    ///
    /// Tool protocols require a description, so here, and nowhere else, the title takes the place of a missing
    /// description.
    ///
    /// ```
    /// use drawloom_command::{Command, RegistrationId};
    ///
    /// let ping = Command::new("notes.ping", "Ping")
    ///     .answers("The time it took, in milliseconds")
    ///     .declare()?
    ///     .describe(RegistrationId::unique(), |text| text.clone())
    ///     .ok_or("a required choice has no choices")?;
    /// assert_eq!(ping.tool_description(), "Ping\nReturns: The time it took, in milliseconds");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tool_description(&self) -> String {
        self.describe_tool(Some(not_blank(&self.description).unwrap_or(&self.title))).unwrap_or_default()
    }

    /// The description of the command's tool for a protocol that has a place for the title besides. `None` if the command
    /// states neither a description nor an answer.
    pub fn tool_description_beside_title(&self) -> Option<String> {
        self.describe_tool(not_blank(&self.description))
    }

    fn describe_tool(&self, description: Option<&str>) -> Option<String> {
        match (description, not_blank(&self.answers)) {
            (Some(description), Some(answers)) => Some(format!("{description}\nReturns: {answers}")),
            (Some(description), None) => Some(description.to_owned()),
            (None, Some(answers)) => Some(format!("Returns: {answers}")),
            (None, None) => None,
        }
    }
}

fn not_blank(text: &Option<Arc<str>>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}
