//! A command as it is described to a caller: translated, with its choices read, ready to be shown or published.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::argument::{ArgumentKind, IntegerRange, NumberRange};
use crate::declaration::{AgentConsent, CommandDeclaration, Effects};
use crate::id::{CommandId, RegistrationId};

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
    /// The choices. `None` if the argument is not a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Arc<[Arc<str>]>>,
    /// The range of whole numbers. `None` if the argument is not limited to whole numbers.
    #[serde(skip)]
    pub integer: Option<IntegerRange>,
    /// The range of numbers. `None` if the argument is limited to whole numbers or has no range.
    #[serde(skip)]
    pub range: Option<NumberRange>,
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
                choices,
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
