//! A caller SHALL reach only what the person could have triggered at the same moment.

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use drawloom::command::{AccessRequirement, CommandArguments, CommandId};
use drawloom::workbench::{Capability, PermissionStore, Revocations, Session, StoreError, Window, Workbench};
use futures::future::FutureExt;

use crate::support::{
    Runs, activated, all_along, assert_answered, bench_on, callable, handle_counting, invocable, trigger,
    usual, watched,
};

/// - **GIVEN** an authenticated session with the role `editor` and commands open to everyone, to `editor` and to
///   `admin`.
/// - **WHEN** the person triggers each id of `copilot`'s `invocable_commands()`.
/// - **THEN** every one of them runs.
#[test]
fn what_is_listed_can_be_triggered() {
    let bench = bench_on(usual().session(Session::authenticated(["editor"])));
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

/// A store that gives a decision time to fall in two. While it saves, what was revoked is shared, so a change has to
/// copy all of it, and whoever asks how things stand has to wait, wherever in its decision it is.
#[derive(Clone, Default)]
struct Hindering(Arc<OnceLock<Workbench>>);

impl PermissionStore for Hindering {
    fn load(&self) -> Result<Revocations, StoreError> {
        let many = (0..300).map(|number| format!("plugin{number}").into());
        Ok(many.map(|plugin| (plugin, [Capability::Ui].into_iter().collect())).collect())
    }

    fn save(&self, _: &Revocations) -> Result<(), StoreError> {
        let workbench = self.0.get().expect("nothing changes before it is given");
        workbench.restore(&"nobody".into(), Capability::Ui).unwrap();
        Ok(())
    }
}

/// - **GIVEN** `notes.save`, which needs an authenticated session and has no `popout`.
/// - **WHEN** session, window, `automation` and its registration change, never all four in favour, while `copilot`
///   invokes it.
/// - **THEN** its handler has not run.
#[test]
fn no_mixture_of_two_states() {
    watched(|| {
        let hindering = Hindering::default();
        let composition = usual().session(Session::authenticated(["editor"]));
        let workbench = composition.permission_store(hindering.clone()).build().unwrap();
        assert!(hindering.0.set(workbench.clone()).is_ok());
        let (notes, copilot) = activated(&workbench);
        let runs = Runs::default();
        let registered = Cell::new(None);
        let set = |what: usize, in_favour: bool| match (what, in_favour) {
            (0, true) => workbench.set_session(Session::authenticated(["editor"])),
            (0, false) => workbench.set_session(Session::anonymous()),
            (1, true) => workbench.set_window(Window::Main),
            (1, false) => workbench.set_window(Window::Popout),
            (2, true) => workbench.restore(copilot.plugin(), Capability::Automation).unwrap(),
            (2, false) => workbench.revoke(copilot.plugin(), Capability::Automation).unwrap(),
            (_, true) => {
                let save = callable("notes.save").access(AccessRequirement::Authenticated);
                registered.set(Some(handle_counting(&notes, save, &runs)));
            }
            (_, false) => drop(registered.take()),
        };

        // One of the four is against it at any time; which one goes over from each to each other.
        let changes = || {
            let mut against = 3;
            for _ in 0..200 {
                for next in [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3] {
                    // Saves twice, and so hinders.
                    workbench.revoke(&"nobody".into(), Capability::Automation).unwrap();
                    workbench.restore(&"nobody".into(), Capability::Automation).unwrap();
                    set(next, false);
                    set(against, true);
                    against = next;
                }
            }
        };
        let save = CommandId::from("notes.save");
        let invokes = || drop(copilot.invoke(&save, CommandArguments::new()).now_or_never());
        all_along(4, invokes, changes);

        assert_eq!(runs.count(), 0);
    });
}
