//! What a plugin holds: declared, granted and not revoked.

use drawloom::workbench::{Capability, Plugin, Workbench};

use crate::support::{assert_names, bench, callable, triggerable};

/// - **GIVEN** a composition that grants `copilot` `contributions` in one place and `automation` in
///   another.
/// - **WHEN** what `copilot`, which declares both, holds is read.
/// - **THEN** it holds both.
#[test]
fn grants_add_up() {
    let workbench = Workbench::builder()
        .grant("copilot", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let declares = [Capability::Contributions, Capability::Automation];
    let copilot = workbench.activate(Plugin::new("copilot").declares(declares)).unwrap();

    assert!(copilot.holds(Capability::Contributions));
    assert!(copilot.holds(Capability::Automation));
}

/// - **GIVEN** `copilot`, which does not hold `contributions`.
/// - **WHEN** it registers `copilot.chat`.
/// - **THEN** the registration is an error that names `contributions`.
#[test]
fn registering_needs_contributions() {
    let bench = bench();

    let registered = bench.copilot.register(callable("copilot.chat"), |_| async { Ok(()) });

    assert_names(registered.unwrap_err(), &["contributions"]);
    assert!(triggerable(&bench.workbench).is_empty());
}
