//! Deactivating a plugin SHALL remove everything that it registered. A context that it kept SHALL neither register
//! nor reach anything.

use drawloom::workbench::{Capability, MenuItem, PluginContext, Shortcut};

use crate::support::{
    assert_answered, assert_unavailable, bench, bench_on, callable, has, invocable, invoke, triggerable,
    usual,
};

/// - **GIVEN** `notes` with two commands, a menu item and a shortcut.
/// - **WHEN** `notes` is deactivated.
/// - **THEN** none of the four is offered and both commands are refused as `unavailable`.
#[test]
fn everything_goes_at_once() {
    let bench = bench();
    bench.has(callable("notes.open"));
    bench.has(callable("notes.close"));
    let item = MenuItem::new("notes.menu.open", "Open", "notes.open");
    bench.notes.register_menu_item(item).unwrap().keep();
    bench.notes.register_shortcut(Shortcut::new("Ctrl+O", "notes.open")).unwrap().keep();

    bench.workbench.deactivate(bench.notes.plugin());

    assert!(invocable(&bench.copilot).is_empty());
    assert!(triggerable(&bench.workbench).is_empty());
    assert!(bench.items().is_empty());
    assert!(bench.workbench.shortcuts().is_empty());
    assert_unavailable(&invoke(&bench.copilot, "notes.open"));
    assert_unavailable(&invoke(&bench.copilot, "notes.close"));
    // Nor do its controls come back with a command of the same id.
    let notes = bench.plugin("notes", [Capability::Contributions]);
    has(&notes, callable("notes.open"));
    assert!(bench.items().is_empty());
    assert!(bench.workbench.shortcuts().is_empty());
}

/// - **GIVEN** a context that `copilot`, which also holds `contributions`, kept when it was deactivated.
/// - **WHEN** `copilot.chat` is registered, `notes.open` is invoked and `invocable_commands()` is read through it.
/// - **THEN** the registration is an error, the invocation is refused as `unavailable` and the list is empty.
/// - **AND** all three are so again once `copilot` is activated again.
#[test]
fn a_stale_context_does_nothing() {
    #[track_caller]
    fn assert_does_nothing(stale: &PluginContext) {
        assert!(stale.register(callable("copilot.chat"), |_| async { Ok(()) }).is_err());
        assert_unavailable(&invoke(stale, "notes.open"));
        assert!(invocable(stale).is_empty());
    }

    let both = [Capability::Contributions, Capability::Automation];
    let bench = bench_on(usual().grant("copilot", both));
    bench.has(callable("notes.open"));
    bench.workbench.deactivate(bench.copilot.plugin());
    let kept = bench.plugin("copilot", both);
    assert_answered(&invoke(&kept, "notes.open"));

    bench.workbench.deactivate(kept.plugin());
    assert_does_nothing(&kept);
    bench.plugin("copilot", both);
    assert_does_nothing(&kept);
}
