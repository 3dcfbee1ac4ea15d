//! In a popout window, commands that do not declare `popout` SHALL be neither offered nor run, however they are
//! invoked.

use drawloom::workbench::{MenuItem, Window};

use crate::support::{
    Bench, Runs, assert_answered, assert_unavailable, bench_on, callable, invocable, invoke, trigger,
    triggerable, usual,
};

/// A popout window, `notes.zoom` with `popout` and `notes.open` without.
fn popout() -> (Bench, Runs, Runs) {
    let bench = bench_on(usual().window(Window::Popout));
    let zooms = bench.has(callable("notes.zoom").popout());
    let opens = bench.has(callable("notes.open"));
    (bench, zooms, opens)
}

/// - **GIVEN** a popout window, `notes.zoom` with `popout` and `notes.open` without, and a menu item for each.
/// - **WHEN** `invocable_commands()`, `triggerable_commands()` and the menu items on offer are read.
/// - **THEN** each contains or names `notes.zoom` and none contains or names `notes.open`.
#[test]
fn lists_in_a_popout() {
    let (bench, ..) = popout();
    for (item, command) in [("notes.menu.zoom", "notes.zoom"), ("notes.menu.open", "notes.open")] {
        bench.notes.register_menu_item(MenuItem::new(item, "Title", command)).unwrap().keep();
    }

    assert_eq!(invocable(&bench.copilot), ["notes.zoom"]);
    assert_eq!(triggerable(&bench.workbench), ["notes.zoom"]);
    assert_eq!(bench.items(), ["notes.menu.zoom"]);
}

/// - **GIVEN** a popout window, `notes.zoom` with `popout` and `notes.open` without.
/// - **WHEN** `copilot` invokes both, `notes` invokes both, and the person triggers both.
/// - **THEN** `notes.zoom` runs each time and `notes.open` is refused as `unavailable` each time.
#[test]
fn every_route_in_a_popout() {
    let (bench, zooms, opens) = popout();

    for plugin in [&bench.copilot, &bench.notes] {
        assert_answered(&invoke(plugin, "notes.zoom"));
        assert_unavailable(&invoke(plugin, "notes.open"));
    }
    assert_answered(&trigger(&bench.workbench, "notes.zoom"));
    assert_unavailable(&trigger(&bench.workbench, "notes.open"));

    assert_eq!([zooms.count(), opens.count()], [3, 0]);
}
