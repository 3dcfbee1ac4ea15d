//! What of a call's data a record may contain. Every record takes its arguments from here.

use drawloom_command::{CommandArguments, CommandDeclaration, Decision};

/// The arguments of a call to a command, as a record contains them: those that the command declares as secret are marked. `None`
/// if no command of this id is registered.
pub(crate) fn arguments(
    declared: Option<&CommandDeclaration>,
    arguments: &CommandArguments,
) -> CommandArguments {
    let mut arguments = arguments.clone();
    if let Some(declared) = declared {
        declared.mark_secret(&mut arguments);
    }
    arguments
}

/// A decision about a call with these arguments, as a record contains it.
pub(crate) fn decision(
    declared: Option<&CommandDeclaration>,
    asked: &CommandArguments,
    decision: &Decision,
) -> Decision {
    match decision {
        Decision::RunWith(edited) => {
            Decision::RunWith(arguments(declared, edited).secret_as_in(asked).without_secrets())
        }
        other => other.clone(),
    }
}
