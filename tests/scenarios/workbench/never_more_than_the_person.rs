//! What a caller reaches, the person could have triggered.

use std::sync::Mutex;

use drawloom::command::AccessRequirement;
use drawloom::workbench::{Session, Window};

use crate::support::{
    Runs, all_along, assert_answered, bench_on, callable, handle_counting, invocable, invoke, trigger, usual,
    watched,
};

/// - **GIVEN** a signed-in session with the role `editor` and commands open to everyone, to `editor` and
///   to `admin`.
/// - **WHEN** the person triggers each id of `copilot`'s `invocable_commands()`.
/// - **THEN** every one of them runs.
#[test]
fn what_is_listed_can_be_triggered() {
    let bench = bench_on(usual().session(Session::signed_in(["editor"])));
    let opens = bench.has(callable("notes.open"));
    let edits = bench.has(callable("notes.edit").any_role(["editor"]));
    let purges = bench.has(callable("notes.purge").any_role(["admin"]));

    let listed = invocable(&bench.copilot);
    assert_eq!(listed, ["notes.edit", "notes.open"]);
    for id in &listed {
        assert_answered(&trigger(&bench.workbench, id));
    }

    assert_eq!([opens.count(), edits.count(), purges.count()], [1, 1, 0]);
}

/// - **GIVEN** `notes.save`, which needs a signed-in session and has no `popout`.
/// - **WHEN** session, window, `automation` and its registration change, never all four in favour, while
///   `copilot` invokes it.
/// - **THEN** its handler has not run.
#[test]
fn no_mixture_of_two_moments() {
    watched(|| {
        let bench = bench_on(usual().session(Session::signed_in(["editor"])));
        let runs = Runs::default();
        let registered = Mutex::new(None);
        let set = |what: usize, in_favour: bool| match (what, in_favour) {
            (0, true) => bench.workbench.set_session(Session::signed_in(["editor"])),
            (0, false) => bench.workbench.set_session(Session::Anonymous),
            (1, true) => bench.workbench.set_window(Window::Main),
            (1, false) => bench.workbench.set_window(Window::Popout),
            (2, true) => bench.restore_automation(),
            (2, false) => bench.revoke_automation(),
            (_, true) => {
                let save = callable("notes.save").access(AccessRequirement::SignedIn);
                *registered.lock().unwrap() = Some(handle_counting(&bench.notes, save, &runs));
            }
            (_, false) => drop(registered.lock().unwrap().take()),
        };

        // One of the four is against it at any time; which one goes over from each to each other.
        let changes = || {
            let mut against = 3;
            for _ in 0..5_000 {
                for next in [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3] {
                    set(next, false);
                    set(against, true);
                    against = next;
                }
            }
        };
        all_along(2, || drop(invoke(&bench.copilot, "notes.save")), changes);

        assert_eq!(runs.count(), 0);
    });
}
