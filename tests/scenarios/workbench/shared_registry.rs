//! Many workbenches with different sessions, windows, grants and revocations SHALL be able to use one registry of
//! commands, and none of them SHALL learn anything about another.

use std::thread;

use drawloom::command::{AccessRequirement, CommandArguments};
use drawloom::workbench::{Call, Session, Window};

use crate::support::{
    Kept, Watching, assert_answered, assert_unavailable, bench, bench_on, callable, invoke, is_answered,
    is_unavailable, usual, watched, without_automation,
};

fn authenticated() -> Session {
    Session::authenticated(["editor"])
}

/// - **GIVEN** two workbenches on one registry.
/// - **WHEN** `notes.open` is registered once.
/// - **THEN** `copilot` in each workbench can invoke it.
#[test]
fn registered_once_and_offered_twice() {
    let first = bench();
    let second = first.beside(usual());

    let opens = first.has(callable("notes.open"));

    assert_answered(&invoke(&first.copilot, "notes.open"));
    assert_answered(&invoke(&second.copilot, "notes.open"));
    assert_eq!(opens.count(), 2);
}

/// - **GIVEN** two workbenches on one registry, the first authenticated with a popout window, the second anonymous
///   in a main one.
/// - **WHEN** `notes.save`, for authenticated sessions and popouts, and `notes.open`, without `popout`, are invoked
///   in each.
/// - **THEN** the first answers only `notes.save` and the second only `notes.open`.
#[test]
fn sessions_and_windows_stay_apart() {
    let first = bench_on(usual().session(authenticated()).window(Window::Popout));
    let second = first.beside(usual());
    first.has(callable("notes.save").access(AccessRequirement::Authenticated).popout());
    first.has(callable("notes.open"));

    assert_answered(&invoke(&first.copilot, "notes.save"));
    assert_unavailable(&invoke(&first.copilot, "notes.open"));
    assert_unavailable(&invoke(&second.copilot, "notes.save"));
    assert_answered(&invoke(&second.copilot, "notes.open"));
    assert_eq!(
        (first.workbench.session().as_ref(), first.workbench.window()),
        (&authenticated(), Window::Popout)
    );
    assert_eq!(
        (second.workbench.session().as_ref(), second.workbench.window()),
        (&Session::anonymous(), Window::Main)
    );
}

/// - **GIVEN** two workbenches on one registry, and a third that does not grant `copilot` `automation`.
/// - **WHEN** `automation` is revoked for `copilot` in the first and `copilot` invokes `notes.open` in each.
/// - **THEN** it is answered only in the second.
#[test]
fn grants_and_revocations_stay_apart() {
    let first = bench();
    let second = first.beside(usual());
    let third = first.beside(without_automation());
    first.has(callable("notes.open"));

    first.revoke_automation();

    assert_unavailable(&invoke(&first.copilot, "notes.open"));
    assert_answered(&invoke(&second.copilot, "notes.open"));
    assert_unavailable(&invoke(&third.copilot, "notes.open"));
}

/// - **GIVEN** `notes.chain`, whose handler invokes `notes.save` through its call, which needs an authenticated
///   session.
/// - **WHEN** `notes.chain` is invoked in an anonymous workbench and an authenticated one on the same registry.
/// - **THEN** `notes.save` is refused as `unavailable`.
#[test]
fn handlers_stay_with_their_caller() {
    // The plugin registered through the signed-in one, which its own context therefore belongs to.
    let signed_in = bench_on(usual().session(authenticated()));
    let anonymous = signed_in.beside(usual());
    let saves = signed_in.has(callable("notes.save").access(AccessRequirement::Authenticated));
    let met = Kept::default();
    let meets = met.clone();
    signed_in.does(callable("notes.chain"), move |call: Call| {
        let meets = meets.clone();
        async move {
            meets.keep(call.invoke("notes.save", CommandArguments::new()).await);
            meets.keep(call.context().invoke("notes.save", CommandArguments::new()).await);
            Ok(())
        }
    });

    assert_answered(&invoke(&anonymous.copilot, "notes.chain"));

    let met = met.all();
    assert!(met.len() == 2 && met.iter().all(is_unavailable), "{met:?}");
    assert_eq!(saves.count(), 0);
    assert_answered(&invoke(&signed_in.copilot, "notes.chain"));
    assert_eq!(saves.count(), 2);
}

/// - **GIVEN** two workbenches on one registry, each with its own audit port, notices and subscription of
///   `copilot`.
/// - **WHEN** in the first the `automation` of `copilot` is revoked and `copilot` invokes `notes.open`.
/// - **THEN** the second has recorded nothing, sent its person no notice and yielded nothing.
#[test]
fn nothing_is_shared_between_workbenches() {
    let first = bench();
    let second = first.beside(usual());
    first.has(callable("notes.open"));
    let mut watching = Watching::of(&second.copilot);

    first.revoke_automation();
    assert_unavailable(&invoke(&first.copilot, "notes.open"));

    assert_eq!([first.audited.all().len(), first.told.all().len()], [1, 1]);
    assert!(second.audited.all().is_empty());
    assert!(second.told.all().is_empty());
    assert!(!watching.was_woken());
    assert!(!watching.yields());
}

/// - **GIVEN** 8 workbenches on one registry, every other one authenticated, and `notes.save`, which needs an
///   authenticated session.
/// - **WHEN** `copilot` invokes `notes.save` 100 times in each, on a thread for each.
/// - **THEN** it is always answered if the session is authenticated and never otherwise.
/// - **AND** each audit port has exactly the 100 records of its own workbench.
#[test]
fn many_people_at_once() {
    watched(|| {
        let first = bench();
        first.has(callable("notes.save").access(AccessRequirement::Authenticated));
        let everyone: Vec<_> = (0..8)
            .map(|number| {
                let composition = if number % 2 == 0 { usual().session(authenticated()) } else { usual() };
                (number % 2 == 0, first.beside(composition))
            })
            .collect();

        thread::scope(|scope| {
            for (is_signed_in, bench) in &everyone {
                scope.spawn(move || {
                    for _ in 0..100 {
                        let outcome = invoke(&bench.copilot, "notes.save");
                        assert_eq!(is_answered(&outcome), *is_signed_in, "{outcome:?}");
                    }
                });
            }
        });

        for (is_signed_in, bench) in &everyone {
            let records = bench.audited.all();
            assert_eq!(records.len(), 100);
            assert!(records.iter().all(|record| is_answered(record.outcome().unwrap()) == *is_signed_in));
        }
        assert!(first.audited.all().is_empty());
    });
}
