//! One question to the person through a client: its text, its form in the protocol, and what an answer means.

use drawloom_command::{CommandArgumentValue, CommandScalar, InvocableCommand, PendingCall, printable};
use drawloom_consent::Confirmation;
use rmcp::model::{
    ClientCapabilities, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema,
};

/// How many characters of arguments a question shows. A person does not approve what is not shown, so a call with more is
/// not asked about.
const SHOWN_CHARACTERS: usize = 8_000;

/// Why the person cannot be asked about a call, as a text for the agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CannotAsk {
    #[error("this client cannot ask the person, because it does not support elicitation")]
    NoElicitation,
    #[error(
        "the arguments have more than {SHOWN_CHARACTERS} characters, the most that the person is shown; send less"
    )]
    TooLong,
}

/// The text of the question about a call. `command` is how the command is described now, if it is offered: its title and the
/// labels of the choices are shown too.
pub(crate) fn question_text(
    call: &PendingCall,
    command: Option<&InvocableCommand>,
) -> Result<String, CannotAsk> {
    let id = printable(call.command_id.as_str());
    let title = command.map(|command| printable(&command.title)).filter(|title| !title.trim().is_empty());
    let mut text = match title {
        Some(title) => format!("The agent wants to run \"{title}\" ({id})"),
        None => format!("The agent wants to run {id}"),
    };
    if call.arguments.is_empty() {
        text.push('.');
        return Ok(text);
    }
    text.push_str(" with:");
    let mut left = SHOWN_CHARACTERS;
    let mut add = |line: String| -> Result<(), CannotAsk> {
        left = left.checked_sub(line.chars().count()).ok_or(CannotAsk::TooLong)?;
        text.push_str(&line);
        Ok(())
    };
    for (name, value) in call.arguments.iter().filter(|(name, _)| !call.arguments.is_secret(name)) {
        // Plain text, numbers and lists: this cannot fail.
        let json = serde_json::to_string(value).unwrap_or_default();
        let labels = labels(command, name, value);
        add(format!("\n{}: {}{}", printable(name), printable(&json), printable(&labels)))?;
    }
    let secret: Vec<_> = call.arguments.secret_names().map(printable).collect();
    if !secret.is_empty() {
        add(format!("\nnot shown, because it is secret: {}", secret.join(", ")))?;
    }
    Ok(text)
}

/// What a person reads in place of the choices in a value, in brackets. Empty if there are no labels for them.
fn labels(command: Option<&InvocableCommand>, name: &str, value: &CommandArgumentValue) -> String {
    let argument =
        command.and_then(|command| command.arguments.iter().find(|argument| *argument.name == *name));
    let Some(argument) = argument else { return String::new() };
    let values = match value {
        CommandArgumentValue::Single(value) => std::slice::from_ref(value),
        CommandArgumentValue::List(values) => values,
    };
    let label = |value: &CommandScalar| match value {
        CommandScalar::Text(choice) => argument.labels.get(choice).map(str::to_owned),
        _ => None,
    };
    let labels: Vec<String> = values.iter().filter_map(label).collect();
    if labels.is_empty() { String::new() } else { format!(" ({})", labels.join(", ")) }
}

/// The question in the protocol: a form without fields, which the person accepts or does not.
pub(crate) fn elicitation(text: &str) -> ElicitRequest {
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: text.to_owned(),
        requested_schema: ElicitationSchema::new(std::collections::BTreeMap::new()),
    })
}

/// What the person's answer means for the call.
pub(crate) fn confirmation(answer: &ElicitResult) -> Confirmation {
    match answer.action {
        ElicitationAction::Accept => Confirmation::Yes,
        ElicitationAction::Decline => Confirmation::No,
        ElicitationAction::Cancel => Confirmation::Cancelled,
        _ => Confirmation::Errored("the client's answer to the question is of an unknown kind".to_owned()),
    }
}

/// Whether a client can show a form to the person.
pub(crate) fn can_ask(capabilities: Option<&ClientCapabilities>) -> bool {
    let elicitation = capabilities.and_then(|capabilities| capabilities.elicitation.as_ref());
    // A client of an earlier revision states neither mode and means the form.
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use drawloom_command::{Argument, Command, CommandArguments, CommandOffer, RegistrationId};

    use super::*;

    fn call(arguments: CommandArguments) -> PendingCall {
        let offer = CommandOffer::new("notes.delete".into(), RegistrationId::unique(), None);
        PendingCall::new(Arc::from("1"), &offer, arguments)
    }

    fn described(command: Command) -> InvocableCommand {
        let declared = command.declare().unwrap();
        declared.describe(RegistrationId::unique(), Clone::clone).unwrap()
    }

    #[test]
    fn a_question_names_the_command_and_every_argument() {
        let command = described(
            Command::new("notes.delete", "Delete note")
                .argument(Argument::choice("mode", ["now", "later"]).label("later", "Next week")),
        );
        let arguments =
            CommandArguments::new().with("mode", "later").with("path", "inbox").with("tags", vec!["a", "b"]);
        assert_eq!(
            question_text(&call(arguments), Some(&command)).unwrap(),
            "The agent wants to run \"Delete note\" (notes.delete) with:\nmode: \"later\" (Next week)\npath: \"inbox\"\n\
             tags: [\"a\",\"b\"]"
        );
        assert_eq!(
            question_text(&call(CommandArguments::new()), None).unwrap(),
            "The agent wants to run notes.delete."
        );
    }

    #[test]
    fn a_secret_is_not_shown() {
        let arguments = CommandArguments::new().with("path", "inbox").with("key", "hunter2").secret(["key"]);
        assert_eq!(
            question_text(&call(arguments), None).unwrap(),
            "The agent wants to run notes.delete with:\npath: \"inbox\"\nnot shown, because it is secret: key"
        );
    }

    #[test]
    fn what_would_not_be_seen_is_spelled_out() {
        let arguments = CommandArguments::new().with("path", "a\u{202e}b\nc\u{200b}");
        assert_eq!(
            question_text(&call(arguments), None).unwrap(),
            "The agent wants to run notes.delete with:\npath: \"a\\u{202e}b\\nc\\u{200b}\""
        );
    }

    #[test]
    fn nobody_is_asked_about_what_cannot_be_shown() {
        let of = |characters: usize| {
            question_text(&call(CommandArguments::new().with("t", "x".repeat(characters))), None)
        };
        assert!(of(SHOWN_CHARACTERS / 2).is_ok());
        assert_eq!(of(SHOWN_CHARACTERS), Err(CannotAsk::TooLong));
    }
}
