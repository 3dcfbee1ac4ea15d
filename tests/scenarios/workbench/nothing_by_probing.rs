//! A caller SHALL learn nothing of what is out of its reach, whatever it tries: no source of choices, no translator
//! and no waker SHALL run for it.

use drawloom::command::{Argument, CommandAccess};
use drawloom::workbench::Session;

use crate::support::{
    Kept, Runs, Watching, assert_unavailable, bench, bench_on, callable, closed, invocable, invoke, usual,
};

/// - **GIVEN** subscriptions of `copilot` and of `mail`, which declares nothing.
/// - **WHEN** `notes.secret`, which is not callable, is registered, the session changes and a change is
///   announced.
/// - **THEN** neither of the two was woken.
/// - **AND** only that of `copilot` is woken when `notes.open` is registered.
#[test]
fn nobody_is_woken_for_what_is_hidden() {
    let bench = bench();
    let mail = bench.plugin("mail", []);
    let (copilot, mail) = (Watching::of(&bench.copilot), Watching::of(&mail));

    bench.has(closed("notes.secret"));
    bench.workbench.set_session(Session::authenticated(["editor"]));
    bench.workbench.announce_change();
    assert!(!copilot.was_woken() && !mail.was_woken());

    bench.has(callable("notes.open"));
    assert!(copilot.was_woken() && !mail.was_woken());
}

/// - **GIVEN** `notes.purge` for `admin`, with a choice argument that is read from a source, and a
///   translator.
/// - **WHEN** `copilot` reads its list, asks for an offer of `notes.purge` and invokes it.
/// - **THEN** the source has not run, and the translator was asked for no text of the command.
#[test]
fn nothing_is_read_for_what_is_hidden() {
    let (translated, reads) = (Kept::default(), Runs::default());
    let (translates, read) = (translated.clone(), reads.clone());
    let bench = bench_on(usual().translator(move |key: &str| {
        translates.keep(key.to_owned());
        None
    }));
    let note = Argument::choice_from("note", move || {
        read.add();
        vec!["inbox".to_owned()]
    });
    bench.has(callable("notes.purge").argument(note.required()).any_role(["admin"]));
    translated.take();

    assert!(invocable(&bench.copilot).is_empty());
    assert_eq!(bench.copilot.offer(&"notes.purge".into()), None);
    assert_unavailable(&invoke(&bench.copilot, "notes.purge"));

    assert_eq!(reads.count(), 0);
    assert_eq!(translated.all(), [""; 0]);
}
