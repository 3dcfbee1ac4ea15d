//! A command SHALL be able to state conditions under which it is available, each with a reason. While one does not
//! hold, the person's lists SHALL show the command disabled with the translated reason and a trigger SHALL be refused
//! with it. Every other caller, its own plugin included, SHALL neither be offered the command nor be told the reason.
//! A condition SHALL be read only for a caller whom everything else allows to reach the command, and SHALL be able to
//! use the workbench and to panic.

use std::future::ready;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use drawloom::command::{Command, CommandAccess, CommandArguments, CommandOutcome, RefusalReason};
use drawloom::workbench::{
    Cause, ControlState, MenuItem, Notice, Registration, Session, Shortcut, Workbench,
};

use crate::support::{
    Bench, Watching, assert_answered, assert_unavailable, bench, bench_on, callable, handle_of, invocable,
    invoke, invoke_with, logged_during, trigger, usual,
};

/// A flag that a condition reads and a scenario sets.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    fn set(&self, holds: bool) {
        self.0.store(holds, Ordering::SeqCst);
    }

    fn reads(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let flag = self.0.clone();
        move || flag.load(Ordering::SeqCst)
    }
}

/// `notes.save`, which is available while the flag holds.
fn save(open: &Flag) -> Command {
    callable("notes.save").available_when("no.note", open.reads())
}

/// How a command is shown to the person.
#[track_caller]
fn shown(workbench: &Workbench, id: &str) -> ControlState {
    let entries = workbench.triggerable_commands();
    entries.into_iter().find(|entry| entry.command.id == id).expect("it is listed").state
}

fn disabled(bench: &Bench, id: &str) -> Option<String> {
    shown(&bench.workbench, id).disabled.map(|reason| reason.to_string())
}

/// - **GIVEN** `notes.save`, which is available when a note is open, a menu item and a shortcut for it, and no open note.
/// - **WHEN** the person's lists are read and the person triggers `notes.save`.
/// - **THEN** the command, the menu item and the shortcut are listed as disabled with the translated reason.
/// - **AND** the trigger is refused with this reason, the person is told it, and `notes.save` has not run.
#[test]
fn disabled_with_the_reason() {
    let bench =
        bench_on(usual().translator(|key: &str| (key == "no.note").then(|| "No note is open".to_owned())));
    let runs = bench.has(save(&Flag::default()));
    bench.notes.register_menu_item(MenuItem::new("file.save", "Save", "notes.save")).unwrap().keep();
    bench.notes.register_shortcut(Shortcut::new("ctrl+s", "notes.save")).unwrap().keep();

    let reason = || Some("No note is open");
    assert_eq!(shown(&bench.workbench, "notes.save").disabled.as_deref(), reason());
    assert_eq!(bench.workbench.menu_items()[0].state.disabled.as_deref(), reason());
    assert_eq!(bench.workbench.shortcuts()[0].state.disabled.as_deref(), reason());
    assert!(!bench.workbench.shortcut("ctrl+s").unwrap().state.is_enabled());

    let CommandOutcome::Refused(refusal) = trigger(&bench.workbench, "notes.save") else { panic!("it ran") };
    assert_eq!((refusal.reason, &*refusal.message), (RefusalReason::Unavailable, "No note is open"));
    let Notice::Refused { command, refusal: told } = bench.told.only() else { panic!("not told") };
    assert_eq!((command.as_str(), told), ("notes.save", refusal));
    assert_eq!(runs.count(), 0);
}

/// - **GIVEN** `notes.save`, whose condition does not hold, and `notes.ghost`, which is not registered.
/// - **WHEN** `copilot` and `notes` list, look up and invoke both, with and without an undeclared argument.
/// - **THEN** both are missing from the lists and not offered, and all outcomes are the same to the byte.
/// - **AND** the audit records `not-available` for `notes.save`.
#[test]
fn nothing_for_other_callers() {
    let bench = bench();
    let runs = bench.has(save(&Flag::default()));
    for plugin in [&bench.copilot, &bench.notes] {
        assert!(invocable(plugin).is_empty());
        assert_eq!(plugin.offer(&"notes.save".into()), None);
        assert_eq!(plugin.offer_by_tool_name("notes__save"), None);
        for arguments in [CommandArguments::new(), CommandArguments::new().with("undeclared", 1)] {
            let save = invoke_with(plugin, "notes.save", arguments.clone());
            assert_eq!(bench.audited.pop().unwrap().cause(), Some(Cause::NotAvailable));
            let ghost = invoke_with(plugin, "notes.ghost", arguments);
            assert_unavailable(&save);
            assert_eq!(serde_json::to_string(&save).unwrap(), serde_json::to_string(&ghost).unwrap());
        }
    }
    assert_eq!(runs.count(), 0);
    assert!(bench.told.all().is_empty());
}

/// - **GIVEN** `notes.save`, whose condition does not hold, and a subscription of `copilot`.
/// - **WHEN** the condition begins to hold and the product announces a change.
/// - **THEN** the subscription yields, the list of `copilot` contains `notes.save`, the person's list shows it enabled,
///   and it runs for both.
#[test]
fn enabled_again() {
    let (bench, open) = (bench(), Flag::default());
    let runs = bench.has(save(&open));
    let mut watching = Watching::of(&bench.copilot);
    open.set(true);
    assert!(!watching.yields(), "nobody announced it");
    bench.workbench.announce_change();
    assert!(watching.yields());
    assert_eq!(invocable(&bench.copilot), ["notes.save"]);
    assert!(shown(&bench.workbench, "notes.save").is_enabled());
    assert_answered(&invoke(&bench.copilot, "notes.save"));
    assert_answered(&trigger(&bench.workbench, "notes.save"));
    assert_eq!(runs.count(), 2);
}

/// - **GIVEN** a subscription of `copilot`.
/// - **WHEN** `notes.save`, whose condition does not hold, is registered, the session changes, the product announces a
///   change, and `notes.save` is unregistered.
/// - **THEN** the subscription was never woken, and it yields nothing.
#[test]
fn nobody_is_woken_for_it() {
    let bench = bench();
    let mut watching = Watching::of(&bench.copilot);
    let save = handle_of(&bench.notes, save(&Flag::default()));
    bench.workbench.set_session(Session::authenticated(["editor"]));
    bench.workbench.announce_change();
    drop(save);
    assert!(!watching.was_woken());
    assert!(!watching.yields());
}

/// - **GIVEN** `notes.purge`, which requires the role `admin` and counts how often its condition is read, and a session
///   without roles.
/// - **WHEN** the person and `copilot` list, look up and run it.
/// - **THEN** the condition was never read.
#[test]
fn read_after_everything_else() {
    let bench = bench();
    let read = Arc::new(AtomicUsize::new(0));
    let count = read.clone();
    let condition = move || count.fetch_add(1, Ordering::SeqCst) < usize::MAX;
    bench.has(callable("notes.purge").any_role(["admin"]).available_when("Never", condition));
    bench.notes.register_menu_item(MenuItem::new("purge", "Purge", "notes.purge")).unwrap().keep();
    let all = || {
        drop((bench.workbench.triggerable_commands(), bench.workbench.menu_items()));
        drop((invocable(&bench.copilot), bench.copilot.offer(&"notes.purge".into())));
        drop((trigger(&bench.workbench, "notes.purge"), invoke(&bench.copilot, "notes.purge")));
    };
    all();
    assert_eq!(read.load(Ordering::SeqCst), 0);
    bench.workbench.set_session(Session::authenticated(["admin"]));
    all();
    // Each of the six reads it once.
    assert_eq!(read.load(Ordering::SeqCst), 6);
}

/// - **GIVEN** a command with the conditions `a` and `b`, each with a reason of its own.
/// - **WHEN** neither holds, then only `a`, then both.
/// - **THEN** the reason is that of `a`, then that of `b`, and then the command is enabled.
#[test]
fn conditions_together() {
    let (bench, a, b) = (bench(), Flag::default(), Flag::default());
    bench.has(callable("notes.save").available_when("Not a", a.reads()).available_when("Not b", b.reads()));
    assert_eq!(disabled(&bench, "notes.save").as_deref(), Some("Not a"));
    a.set(true);
    assert_eq!(disabled(&bench, "notes.save").as_deref(), Some("Not b"));
    b.set(true);
    assert_eq!(disabled(&bench, "notes.save"), None);
}

/// - **GIVEN** `notes.save`, whose condition panics, and `notes.open`.
/// - **WHEN** the person's list is read and both are triggered.
/// - **THEN** `notes.save` is disabled and refused, `notes.open` has run, and the developer's log has an error.
#[test]
fn a_condition_that_panics() {
    let bench = bench();
    let saved = bench.has(callable("notes.save").available_when("Not now", || panic!("no state")));
    let opened = bench.has(callable("notes.open"));
    let log = logged_during(|| {
        assert_eq!(disabled(&bench, "notes.save").as_deref(), Some("Not now"));
        assert_unavailable_with(&trigger(&bench.workbench, "notes.save"), "Not now");
        assert_answered(&trigger(&bench.workbench, "notes.open"));
    });
    assert_eq!((saved.count(), opened.count()), (0, 1));
    assert!(log.iter().any(|event| event.get("panic").is_some_and(|text| text == "no state")), "{log:?}");
}

#[track_caller]
fn assert_unavailable_with(outcome: &CommandOutcome, message: &str) {
    let CommandOutcome::Refused(refusal) = outcome else { panic!("not refused: {outcome:?}") };
    assert_eq!((refusal.reason, &*refusal.message), (RefusalReason::Unavailable, message));
}

/// - **GIVEN** `notes.save`, which is available when the list of `copilot` contains `notes.open`, and a condition of
///   `notes.open` that reads the list of `copilot` too.
/// - **WHEN** the lists are read and `notes.save` is triggered.
/// - **THEN** everything ends, and `notes.save` has run.
#[test]
fn a_condition_that_uses_the_workbench() {
    let bench = bench();
    let copilot = bench.copilot.clone();
    let contains_open = move || copilot.invocable_commands().iter().any(|command| command.id == "notes.open");
    let runs = bench.has(callable("notes.save").available_when("No note", contains_open));
    let copilot = bench.copilot.clone();
    let reads_the_list = move || copilot.invocable_commands().len() < 100;
    bench.has(callable("notes.open").available_when("Too many", reads_the_list));

    assert_eq!(invocable(&bench.copilot), ["notes.open", "notes.save"]);
    assert_eq!(disabled(&bench, "notes.save"), None);
    assert_answered(&trigger(&bench.workbench, "notes.save"));
    assert_eq!(runs.count(), 1);
}

/// - **GIVEN** `notes.save`, whose condition unregisters it and registers another command under its id.
/// - **WHEN** it is triggered.
/// - **THEN** the trigger is refused as `unavailable` and neither of the two has run.
#[test]
fn replaced_while_its_condition_is_read() {
    let bench = bench();
    let (notes, taken) = (bench.notes.clone(), Arc::new(Mutex::new(None::<Registration>)));
    let (of_condition, other_ran) = (taken.clone(), Arc::new(AtomicUsize::new(0)));
    let other = other_ran.clone();
    let condition = move || {
        let registered = of_condition.lock().unwrap().take();
        if let Some(registration) = registered {
            registration.dispose();
            let other = other.clone();
            let ran = move |_| {
                other.fetch_add(1, Ordering::SeqCst);
                ready(Ok(()))
            };
            notes.register(callable("notes.save"), ran).unwrap().keep();
        }
        true
    };
    let registered = handle_of(&bench.notes, callable("notes.save").available_when("Not now", condition));
    *taken.lock().unwrap() = Some(registered);
    assert_unavailable(&trigger(&bench.workbench, "notes.save"));
    assert_eq!(other_ran.load(Ordering::SeqCst), 0);
    assert_answered(&trigger(&bench.workbench, "notes.save"));
    assert_eq!(other_ran.load(Ordering::SeqCst), 1, "the other one is registered by now");
}

/// - **GIVEN** every combination of two conditions, a session that meets a role or not, and a menu item.
/// - **WHEN** the person triggers what is listed as enabled, and what is listed as disabled.
/// - **THEN** everything enabled runs, and nothing disabled does.
#[test]
fn what_is_enabled_runs() {
    let (bench, a, b) = (bench(), Flag::default(), Flag::default());
    let both = callable("notes.both").available_when("Not a", a.reads()).available_when("Not b", b.reads());
    bench.has(both);
    bench.has(callable("notes.admin").any_role(["admin"]).available_when("Not a", a.reads()));
    bench.notes.register_menu_item(MenuItem::new("both", "Both", "notes.both")).unwrap().keep();
    let (mut enabled, mut disabled) = (0, 0);
    for combination in 0..8 {
        a.set(combination & 1 != 0);
        b.set(combination & 2 != 0);
        let roles = if combination & 4 != 0 { vec!["admin"] } else { Vec::new() };
        bench.workbench.set_session(Session::authenticated(roles));
        let entries = bench.workbench.triggerable_commands();
        let commands = entries.iter().map(|entry| (entry.command.id.clone(), &entry.state));
        let items = bench.workbench.menu_items();
        let items = items.iter().map(|item| (item.command.clone(), &item.state));
        for (command, state) in commands.chain(items) {
            let outcome = trigger(&bench.workbench, command.as_str());
            assert_eq!(matches!(outcome, CommandOutcome::Answered { .. }), state.is_enabled(), "{command}");
            if state.is_enabled() { enabled += 1 } else { disabled += 1 }
        }
    }
    // By hand: two entries for `notes.both`, enabled in 2 of 8 cases; one for `notes.admin`, listed in 4 and enabled in 2.
    assert_eq!((enabled, disabled), (2 * 2 + 2, 2 * 6 + 2));
}
