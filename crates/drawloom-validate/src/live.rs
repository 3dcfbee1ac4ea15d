//! The commands of a live workbench, by the same rules.

use drawloom_command::CommandAccess;

use crate::judge::judge_offered;
use crate::report::Report;
use crate::validate::too_many;

/// Judges what a caller of a live workbench reaches now. One call of it in a test keeps commands described:
///
/// ```
/// use drawloom_validate::{Rule, validate_access};
/// # use drawloom_command::*;
/// # struct Nothing;
/// # impl CommandAccess for Nothing {
/// #     fn invocable_commands(&self) -> Vec<InvocableCommand> { Vec::new() }
/// #     fn offer(&self, _: &CommandId) -> Option<CommandOffer> { None }
/// #     fn review(&self, _: &CommandOffer, _: &CommandArguments, _: &CallOrigin) -> Result<(), Refusal> { Ok(()) }
/// #     fn refuse(&self, _: &CommandId, _: &CallOrigin) -> Refusal { unimplemented!() }
/// #     fn invoke_command(&self, _: CommandId, _: CommandArguments) -> BoxFuture<'static, CommandOutcome> { unimplemented!() }
/// #     fn invoke_offered(&self, _: &CommandOffer, _: CommandArguments, _: CallOrigin) -> BoxFuture<'static, CommandOutcome> { unimplemented!() }
/// # }
/// # let copilot = Nothing;
///
/// // `copilot` is the context of the agent's plugin.
/// validate_access(&copilot).require(&[Rule::MissingDescription, Rule::UndescribedArgument])?;
/// # Ok::<(), drawloom_validate::BrokenRules>(())
/// ```
///
/// What the caller does not reach at this moment is not judged.
pub fn validate_access(access: &dyn CommandAccess) -> Report {
    let findings: Vec<_> = access.invocable_commands().iter().map(judge_offered).collect();
    let problems = too_many(&findings).into_iter().collect();
    Report::new(None, findings, problems, 0, 0, Vec::new())
}
