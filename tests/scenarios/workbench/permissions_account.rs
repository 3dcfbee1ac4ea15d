//! The workbench SHALL return an ordered list of every plugin with each capability that it declares, which states
//! whether each is granted, revoked and revocable.

use drawloom::workbench::{Capability, PermissionState, Plugin};

use crate::support::{Bench, bench, bench_on, usual};

/// What the account says of a capability of a plugin.
#[track_caller]
fn state(bench: &Bench, plugin: &str, capability: Capability) -> PermissionState {
    let account = bench.workbench.permissions();
    let of_plugin =
        account.iter().find(|entry| entry.plugin == plugin).expect("the plugin is in the account");
    let state = of_plugin.capabilities.iter().find(|state| state.capability == capability);
    *state.expect("the capability is in the account")
}

/// - **GIVEN** `notes` granted `contributions`, `copilot` granted `automation` but revoked, and `mail` declaring it
///   ungranted.
/// - **WHEN** the list of permissions is read.
/// - **THEN** it shows `contributions` of `notes` as granted, not revoked and not revocable.
/// - **AND** it shows `automation` of `copilot` as granted, revoked and revocable.
/// - **AND** it shows `automation` of `mail` as not granted.
#[test]
fn each_state_is_listed() {
    let bench = bench();
    bench.revoke_automation();
    bench.plugin("mail", [Capability::Automation]);

    let contributions = state(&bench, "notes", Capability::Contributions);
    assert!(contributions.granted && !contributions.revoked && !contributions.revocable);
    let automation = state(&bench, "copilot", Capability::Automation);
    assert!(automation.granted && automation.revoked && automation.revocable);
    let ungranted = state(&bench, "mail", Capability::Automation);
    assert!(!ungranted.granted);
    assert_eq!([contributions, automation, ungranted].map(|state| state.is_held()), [true, false, false]);
    assert_eq!(bench.workbench.permissions().len(), 3);
}

/// - **GIVEN** `zeta` and `alpha`, activated in that order, which declare the same two capabilities in opposite
///   order.
/// - **WHEN** the list of permissions is read.
/// - **THEN** `alpha` comes before `zeta` and both list their capabilities in the same order.
#[test]
fn the_order_is_fixed() {
    let bench = bench_on(usual());
    bench.workbench.deactivate(&"notes".into());
    bench.workbench.deactivate(&"copilot".into());
    let zeta = Plugin::new("zeta").declares([Capability::Ui, Capability::Session]);
    let alpha = Plugin::new("alpha").declares([Capability::Session, Capability::Ui]);
    bench.workbench.activate(zeta).unwrap();
    bench.workbench.activate(alpha).unwrap();

    let account = bench.workbench.permissions();

    let plugins: Vec<_> = account.iter().map(|entry| entry.plugin.as_str()).collect();
    assert_eq!(plugins, ["alpha", "zeta"]);
    let capabilities: Vec<Vec<_>> = account
        .iter()
        .map(|entry| entry.capabilities.iter().map(|state| state.capability).collect())
        .collect();
    assert_eq!(capabilities[0].len(), 2);
    assert_eq!(capabilities[0], capabilities[1]);
}
