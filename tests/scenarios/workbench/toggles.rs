//! A command SHALL be able to say whether it is on. The person's lists SHALL show it, and it SHALL decide nothing.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom::workbench::MenuItem;

use crate::support::{Bench, assert_answered, bench, callable, logged_during, trigger};

fn on(bench: &Bench, id: &str) -> Option<bool> {
    let entries = bench.workbench.triggerable_commands();
    entries.iter().find(|entry| entry.command.id == id).expect("it is listed").state.on
}

/// - **GIVEN** `view.wrap`, a toggle that is on, with a menu item, and `notes.open`, which is no toggle.
/// - **WHEN** the person's lists are read, `view.wrap` is triggered, which switches it off, and they are read again.
/// - **THEN** `view.wrap` and its item are shown as on and then as off, and `notes.open` as neither.
#[test]
fn on_and_off() {
    let bench = bench();
    let wraps = Arc::new(AtomicBool::new(true));
    let (read, switched) = (wraps.clone(), wraps);
    bench.does(callable("view.wrap").on_when(move || read.load(Ordering::SeqCst)), move |_| {
        switched.fetch_xor(true, Ordering::SeqCst);
        ready(Ok(()))
    });
    bench.has(callable("notes.open"));
    bench.notes.register_menu_item(MenuItem::new("wrap", "Wrap", "view.wrap")).unwrap().keep();

    for expected in [true, false] {
        assert_eq!(on(&bench, "view.wrap"), Some(expected));
        assert_eq!(bench.workbench.menu_items()[0].state.on, Some(expected));
        assert_eq!(on(&bench, "notes.open"), None);
        assert_answered(&trigger(&bench.workbench, "view.wrap"));
    }
}

/// - **GIVEN** a toggle whose state panics.
/// - **WHEN** the person's list is read and the toggle is triggered.
/// - **THEN** its state is unknown, it runs, and the developer's log has an error.
#[test]
fn a_state_that_panics() {
    let bench = bench();
    let runs = bench.has(callable("view.wrap").on_when(|| panic!("no state")));
    let log = logged_during(|| assert_eq!(on(&bench, "view.wrap"), None));
    assert!(log.iter().any(|event| event.get("panic").is_some_and(|text| text == "no state")), "{log:?}");
    assert_answered(&trigger(&bench.workbench, "view.wrap"));
    assert_eq!(runs.count(), 1);
}
