//! What of a call's data a record may contain. Every record takes its arguments from here.

use drawloom_command::{CommandArguments, CommandDeclaration, Decision};

/// The arguments of a call to a command, as a record contains them. `None` if no command of this id is registered.
pub(crate) fn arguments(_: Option<&CommandDeclaration>, arguments: &CommandArguments) -> CommandArguments {
    arguments.clone()
}

/// A decision about a call to a command, as a record contains it.
pub(crate) fn decision(declared: Option<&CommandDeclaration>, decision: &Decision) -> Decision {
    match decision {
        Decision::RunWith(edited) => Decision::RunWith(arguments(declared, edited)),
        other => other.clone(),
    }
}
