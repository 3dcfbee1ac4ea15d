//! A call SHALL give its handler the person and the product's own data of the session in which it was decided that the
//! call may run, without a capability and whoever shares the registry, for as long as the handler runs.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};
use std::thread;

use drawloom::command::{Argument, CommandArguments, CommandOutcome};
use drawloom::workbench::{Call, Person, Session, Workbench};
use futures::future::FutureExt;

use crate::support::{
    Bench, Gate, Kept, assert_answered, assert_names, assert_unavailable, bench, bench_on, callable, invoke,
    invoke_with, poll_once, settle, usual,
};

/// The product's data.
#[derive(Debug, PartialEq)]
struct Account(String);

/// The session of this person, with data of the product that only this session has.
fn of(id: &str) -> Session {
    Session::of(Person::new(id), ["editor"]).with_data(Account(format!("account of {id}")))
}

/// The person and the data of a call, in words.
fn served(call: &Call) -> String {
    let person = call.person().map_or("nobody", |person| person.id.as_str());
    let account = call.session_data::<Account>().map_or("nothing", |account| account.0.as_str());
    format!("{person}, {account}")
}

/// What the calls of `notes.whoami` find.
fn whoami(bench: &Bench) -> Kept<String> {
    let found = Kept::default();
    let keeps = found.clone();
    bench.does(callable("notes.whoami"), move |call: Call| {
        keeps.keep(served(&call));
        async { Ok(()) }
    });
    found
}

/// - **GIVEN** the session of `ada`, named Ada Lovelace, with data of the product.
/// - **WHEN** `copilot`, which holds no `session`, invokes a command.
/// - **THEN** its handler has read the id, the name and the data.
#[test]
fn a_handler_reads_both() {
    let ada = Person::new("ada").name("Ada Lovelace");
    let bench = bench_on(usual().session(Session::of(ada, [""; 0]).with_data(Account("7".to_owned()))));
    bench.does(callable("notes.whoami"), |call: Call| async move {
        let person = call.person().ok_or("nobody")?;
        assert_eq!((person.id.as_str(), person.name.as_deref()), ("ada", Some("Ada Lovelace")));
        assert_eq!(call.session_data::<Account>()?, &Account("7".to_owned()));
        assert!(call.session().is_authenticated());
        Ok(())
    });

    assert!(bench.copilot.session().is_err());
    assert_answered(&invoke(&bench.copilot, "notes.whoami"));
}

/// - **GIVEN** no session, and then one that is authenticated and does not say who it is.
/// - **WHEN** a command is invoked in each.
/// - **THEN** its handler finds no person and no data, and asking for data says so in an error.
#[test]
fn nobody_is_signed_in() {
    let bench = bench();
    let errors = Kept::default();
    let keeps = errors.clone();
    bench.does(callable("notes.account"), move |call: Call| {
        keeps.keep((call.person().cloned(), call.session_data::<u8>().unwrap_err().to_string()));
        async { Ok(()) }
    });

    assert_answered(&invoke(&bench.copilot, "notes.account"));
    bench.workbench.set_session(Session::authenticated(["editor"]));
    assert_answered(&invoke(&bench.copilot, "notes.account"));

    let nothing = (None, "the session has no data of the type u8".to_owned());
    assert_eq!(errors.all(), [nothing.clone(), nothing]);
}

/// - **GIVEN** a session with data of one type.
/// - **WHEN** a handler asks for data of another type.
/// - **THEN** it gets an error that names both types.
#[test]
fn data_of_another_type() {
    let bench = bench_on(usual().session(of("ada")));
    bench.does(callable("notes.account"), |call: Call| async move {
        call.session_data::<Vec<u8>>()?;
        Ok(())
    });

    let CommandOutcome::Failed(failure) = invoke(&bench.copilot, "notes.account") else {
        panic!("it found what is not there");
    };
    assert_names(failure, &["Vec<u8>", "Account"]);
}

/// - **GIVEN** the session of `ada`, and a handler that waits.
/// - **WHEN** `bob` signs in and the handler continues.
/// - **THEN** it still has the person and the data of `ada`, and the next call has those of `bob`.
#[test]
fn signed_out_while_it_runs() {
    let bench = bench_on(usual().session(of("ada")));
    let (gate, found) = (Gate::new(), Kept::default());
    let (passed, keeps) = (gate.passed(), found.clone());
    bench.does(callable("notes.wait"), move |call: Call| {
        let (passed, keeps) = (passed.clone(), keeps.clone());
        async move {
            passed.await;
            keeps.keep(served(&call));
            Ok(())
        }
    });

    let mut running = bench.copilot.invoke("notes.wait", CommandArguments::new()).boxed();
    assert!(poll_once(&mut running).is_pending());
    bench.workbench.set_session(of("bob"));
    gate.open();
    assert_answered(&settle(running));
    assert_answered(&invoke(&bench.copilot, "notes.wait"));

    assert_eq!(found.all(), ["ada, account of ada", "bob, account of bob"]);
}

/// - **GIVEN** an invocation that was made in the session of `ada` and was not polled.
/// - **WHEN** `bob` signs in and the invocation is polled.
/// - **THEN** its handler has the person of `bob`.
#[test]
fn signed_in_before_it_is_decided() {
    let bench = bench_on(usual().session(of("ada")));
    let found = whoami(&bench);

    let invocation = bench.copilot.invoke("notes.whoami", CommandArguments::new());
    bench.workbench.set_session(of("bob"));
    assert_answered(&settle(invocation));

    assert_eq!(found.only(), "bob, account of bob");
}

/// - **GIVEN** a source of choices that signs `bob` in, in place of `ada`, while the arguments of a call are checked.
/// - **WHEN** the command is invoked, and also one that requires a role that only `ada` has.
/// - **THEN** the first handler has the person of `bob` and the second does not run.
#[test]
fn signed_in_while_choices_are_read() {
    let bench = bench();
    let workbench: Arc<OnceLock<Workbench>> = Arc::default();
    workbench.set(bench.workbench.clone()).unwrap();
    let signs_in = || {
        let workbench = workbench.clone();
        Argument::choice_from("mode", move || {
            workbench.get().unwrap().set_session(of("bob"));
            vec!["preview".to_owned()]
        })
    };
    let found = Kept::default();
    let keeps = found.clone();
    bench.does(callable("notes.open").argument(signs_in()), move |call: Call| {
        keeps.keep(served(&call));
        async { Ok(()) }
    });
    let purges = bench.has(callable("notes.purge").any_role(["admin"]).argument(signs_in()));
    let ada = || Session::of(Person::new("ada"), ["admin"]);
    let preview = || CommandArguments::new().with("mode", "preview");

    bench.workbench.set_session(ada());
    assert_answered(&invoke_with(&bench.copilot, "notes.open", preview()));
    assert_eq!(found.only(), "bob, account of bob");

    bench.workbench.set_session(ada());
    assert_unavailable(&invoke_with(&bench.copilot, "notes.purge", preview()));
    assert_eq!(purges.count(), 0);
}

/// - **GIVEN** two workbenches on one registry, in the sessions of `ada` and `bob`, and a command that `ada` registered.
/// - **WHEN** each invokes the command 100 times at the same time.
/// - **THEN** each call had the person and the data of its own workbench.
#[test]
fn many_people_on_one_registry() {
    let ada = bench_on(usual().session(of("ada")));
    let bob = ada.beside(usual().session(of("bob")));
    let found = whoami(&ada);

    thread::scope(|scope| {
        for person in [&ada, &bob] {
            scope.spawn(|| (0..100).for_each(|_| assert_answered(&invoke(&person.copilot, "notes.whoami"))));
        }
    });

    let mut found = found.all();
    found.sort();
    let expected = [vec!["ada, account of ada"; 100], vec!["bob, account of bob"; 100]].concat();
    assert_eq!(found, expected);
    // Each audit port, too, was told whom its own workbench served.
    for (person, id) in [(&ada, "ada"), (&bob, "bob")] {
        let records = person.audited.all();
        assert_eq!(records.len(), 100);
        assert!(records.iter().all(|record| record.person.as_ref().is_some_and(|person| person.id == id)));
    }
}

/// - **WHEN** a session with data, a workbench with that session and a call in it are formatted for debugging.
/// - **THEN** the text names the person, and the type of the data but nothing of its content.
#[test]
fn data_is_not_shown() {
    fn shown(value: &impl Debug) -> String {
        format!("{value:?} {value:#?}")
    }
    let session = Session::of(Person::new("ada"), ["editor"]).with_data(Account("hunter2".to_owned()));
    let bench = bench_on(usual().session(session.clone()));
    let texts = Kept::default();
    let keeps = texts.clone();
    bench.does(callable("notes.show"), move |call: Call| {
        keeps.keep(shown(&call));
        async { Ok(()) }
    });
    assert_answered(&invoke(&bench.copilot, "notes.show"));
    assert_names(texts.only(), &["ada"]);
    for text in [shown(&session), shown(&bench.workbench)] {
        assert_names(&text, &["ada", "Account"]);
        texts.keep(text);
    }
    texts.keep(shown(&bench.audited.all()));
    texts.keep(shown(&usual().session(session)));

    for text in texts.all() {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

/// - **GIVEN** a session with data that panics when it is dropped.
/// - **WHEN** the session is replaced while a handler runs in it, and the handler ends.
/// - **THEN** the replacement and the call end as if the data had not panicked.
#[test]
fn data_that_panics() {
    struct Panics(Kept<()>);

    impl Drop for Panics {
        fn drop(&mut self) {
            self.0.keep(());
            panic!("dropped");
        }
    }

    let dropped = Kept::default();
    let bench = bench();
    let gate = Gate::new();
    let passed = gate.passed();
    bench.does(callable("notes.wait"), move |call: Call| {
        let passed = passed.clone();
        async move {
            passed.await;
            drop(call);
            Ok(())
        }
    });

    bench.workbench.set_session(Session::anonymous().with_data(Panics(dropped.clone())));
    let mut running = bench.copilot.invoke("notes.wait", CommandArguments::new()).boxed();
    assert!(poll_once(&mut running).is_pending());
    bench.workbench.set_session(Session::anonymous().with_data(Panics(dropped.clone())));
    assert_eq!(dropped.all().len(), 0);
    gate.open();
    assert_answered(&settle(running));
    assert_eq!(dropped.all().len(), 1);

    bench.workbench.set_session(Session::anonymous());
    assert_eq!(dropped.all().len(), 2);
}
