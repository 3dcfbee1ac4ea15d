//! A command as a caller is told of it: translated, with its choices read, ready to be shown or published.

use std::sync::Arc;

use serde::Serialize;

use crate::argument::{ArgumentKind, IntegerRange, NumberRange};
use crate::declaration::{AgentConsent, CommandDeclaration};
use crate::id::{CommandId, RegistrationId};

/// One entry of the list of what a caller may reach.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct InvocableCommand {
    /// The id to invoke it by.
    pub id: CommandId,
    /// What labels a control for it.
    pub title: Arc<str>,
    /// What explains it; none where the command declares none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Arc<str>>,
    /// What it takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<InvocableArgument>,
    /// What its answer means; none where it answers nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Arc<str>>,
    /// What it states about an agent's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_consent: Option<AgentConsent>,
    /// Which registration of the command this describes.
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
    /// What it takes.
    pub kind: ArgumentKind,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Arc<str>>,
    /// Whether a call must give it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether it takes a list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// What there is to choose from, for a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Arc<[Arc<str>]>>,
    /// The whole numbers it is limited to, where it is.
    #[serde(skip)]
    pub integer: Option<IntegerRange>,
    /// The numbers it is limited to, where it is and they need not be whole.
    #[serde(skip)]
    pub range: Option<NumberRange>,
}

impl CommandDeclaration {
    /// Describes the command to a caller, every text put through `translate` and every choice read now; none where
    /// a required choice has no choices, since no call could match.
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
            agent_consent: self.agent_consent,
            registration,
        })
    }
}
