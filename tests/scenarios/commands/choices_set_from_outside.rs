//! Choices that the application sets whenever it has loaded them.
//!
//! The application MAY set the choices of an argument whenever it has loaded them. Until then there SHALL be none,
//! and each change SHALL be reported to exactly those who are offered a command that uses them.

use drawloom::command::{Argument, ChoiceSet, Command};
use drawloom::workbench::{Capability, Plugin, Registry, Session, Workbench};

use super::support::{bench, callable};
use crate::support::Watching;

fn open(notebooks: &ChoiceSet) -> Command {
    callable("notes.open").argument(Argument::choice_in("notebook", notebooks).required())
}

/// - **GIVEN** `notes.open`, which requires one of a set of choices that is empty.
/// - **WHEN** the list is read, the choices `work` and `home` are set, and the list is read again.
/// - **THEN** the command is missing from the first list and in the second, with the two choices.
#[test]
fn none_set_means_none() {
    let bench = bench();
    let notebooks = ChoiceSet::new();
    bench.register_idle(open(&notebooks));

    assert_eq!(bench.copilot.invocable_commands(), []);
    notebooks.set(["work", "home"]);

    let [notebook] = &*bench.entry("notes.open").arguments else { panic!("one argument is declared") };
    assert_eq!(notebook.choices.as_deref(), Some(&["work".into(), "home".into()][..]));
}

/// - **GIVEN** two workbenches on one registry, whose `copilot` watches its list, and `notes.open`, which only the session
///   of the first may run and which uses a set of choices.
/// - **WHEN** the choices are set, and set to the same again.
/// - **THEN** the watcher of the first workbench is woken once, and the watcher of the second is not.
#[test]
fn a_change_is_reported_to_whom_it_concerns() {
    let registry = Registry::new();
    let workbench = |session| {
        Workbench::builder()
            .registry(registry.clone())
            .grant("notes", [Capability::Contributions])
            .grant("copilot", [Capability::Automation])
            .session(session)
            .build()
    };
    let (first, second) = (workbench(Session::authenticated(["editor"])), workbench(Session::anonymous()));
    let notes = first.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let copilot = first.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    let notebooks = ChoiceSet::new();
    let open = open(&notebooks).any_role(["editor"]);
    notes.register(open, |_| std::future::ready(Ok(()))).unwrap().keep();
    let mut here = Watching::of(&copilot);
    let mut there = Watching::of(&second.context("copilot").unwrap());

    notebooks.set(["work"]);
    let woken = (here.was_woken(), there.was_woken());
    let changed = (here.yields(), there.yields());
    notebooks.set(["work"]);

    assert_eq!((woken, changed), ((true, false), (true, false)));
    assert_eq!((here.was_woken(), here.yields()), (false, false), "the same choices are no change");
}

/// - **GIVEN** a set of choices that a registered command uses.
/// - **WHEN** the command is removed.
/// - **THEN** nothing is subscribed to the set any more.
#[test]
fn a_removed_command_leaves_nothing_behind() {
    let bench = bench();
    let notebooks = ChoiceSet::new();
    let subscribed = || format!("{notebooks:?}");
    let registration = bench.notes.register(open(&notebooks), |_| std::future::ready(Ok(()))).unwrap();
    assert!(subscribed().contains("listeners: 1"), "{}", subscribed());
    let taken = bench.notes.register(open(&notebooks), |_| std::future::ready(Ok(())));
    assert!(taken.is_err(), "the id is taken");
    assert!(subscribed().contains("listeners: 1"), "{}", subscribed());

    registration.dispose();

    assert!(subscribed().contains("listeners: 0"), "{}", subscribed());
}
