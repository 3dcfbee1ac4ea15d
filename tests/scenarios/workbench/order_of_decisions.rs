//! The seam SHALL decide first whether the command is registered and can be reached, including the grant; then
//! whether the chain is too deep; and last whether the arguments match.

use drawloom::command::{Argument, CommandArguments};
use drawloom::workbench::Call;

use crate::support::{
    Kept, assert_answered, assert_too_deep, assert_unavailable, bench_on, callable, invoke, usual,
    without_automation,
};

/// - **GIVEN** `copilot` without a grant of `automation` and `notes.open` with the required argument
///   `path`.
/// - **WHEN** it invokes `notes.open` without arguments.
/// - **THEN** it is refused as `unavailable`.
#[test]
fn grant_before_arguments() {
    let bench = bench_on(without_automation());
    bench.has(callable("notes.open").argument(Argument::text("path").required()));

    assert_unavailable(&invoke(&bench.copilot, "notes.open"));
}

/// - **GIVEN** a chain that has reached the limit and `notes.open` with the required argument `path`.
/// - **WHEN** its last handler invokes `notes.ghost`, which is not registered, and then `notes.open` without
///   arguments.
/// - **THEN** the first is refused as `unavailable` and the second as `too-deep`.
#[test]
fn depth_between_reach_and_arguments() {
    let bench = bench_on(usual().nesting_limit(2));
    bench.has(callable("notes.open").argument(Argument::text("path").required()));
    bench.does(callable("notes.first"), |call: Call| async move {
        assert_answered(&call.invoke("notes.last", CommandArguments::new()).await);
        Ok(())
    });
    let outcomes = Kept::default();
    let keeps = outcomes.clone();
    bench.does(callable("notes.last"), move |call: Call| {
        let keeps = keeps.clone();
        async move {
            for id in ["notes.ghost", "notes.open"] {
                keeps.keep(call.invoke(id, CommandArguments::new()).await);
            }
            Ok(())
        }
    });

    assert_answered(&invoke(&bench.copilot, "notes.first"));

    let outcomes = outcomes.all();
    assert_eq!(outcomes.len(), 2);
    assert_unavailable(&outcomes[0]);
    assert_too_deep(&outcomes[1]);
}
