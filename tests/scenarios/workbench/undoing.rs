//! While it runs, a handler SHALL be able to register what undoes its call: a command of its own plugin, and
//! arguments. Each person SHALL have a bounded history of what can be undone, and SHALL be able to run each entry at
//! most once, as their own trigger, and to undo all calls of one turn of an agent in reverse order, up to the first
//! that fails.

use std::future::pending;
use std::thread;

use drawloom::command::{
    Argument, CallOrigin, CommandAccess, CommandArguments, CommandId, CommandOutcome, RefusalReason,
};
use drawloom::workbench::{
    Call, Caller, Notice, Person, Session, UndoAvailability, UndoError, UndoUnavailable, Workbench,
};
use futures::future::{FutureExt, join};
use futures::stream::StreamExt;

use crate::support::{
    Bench, Gate, Kept, Runs, assert_answered, assert_names, assert_unavailable, bench, bench_on, callable,
    closed, does, handle_of, has, is_refused, poll_once, settle, usual, watched,
};

/// `notes.rename`, which registers `notes.restore` with its own arguments, and `notes.restore`, which is not callable.
/// Gives what `notes.restore` was called with.
fn renaming(bench: &Bench) -> Kept<CommandArguments> {
    bench.does(callable("notes.rename").argument(Argument::text("id")), |call: Call| async move {
        call.undo_with("notes.restore", call.arguments().clone())?;
        Ok(())
    });
    restoring(bench)
}

fn restoring(bench: &Bench) -> Kept<CommandArguments> {
    let restored = Kept::default();
    let restores = restored.clone();
    bench.does(closed("notes.restore").argument(Argument::text("id")), move |call: Call| {
        restores.keep(call.into_arguments());
        async { Ok(()) }
    });
    restored
}

fn id(id: &str) -> CommandArguments {
    CommandArguments::new().with("id", id)
}

/// The agent calls a command in a turn.
fn calls(bench: &Bench, command: &str, arguments: CommandArguments, turn: &str) -> CommandOutcome {
    let offer = bench.copilot.offer(&CommandId::from(command)).unwrap();
    settle(bench.copilot.invoke_offered(&offer, arguments, CallOrigin::new("c1").turn(turn)))
}

fn rename(bench: &Bench, note: &str) {
    assert_answered(&settle(bench.workbench.trigger_with("notes.rename", id(note))));
}

/// The arguments of what can be undone, the newest first.
fn undoable(workbench: &Workbench) -> Vec<String> {
    let history = workbench.undo_history();
    history.iter().map(|entry| entry.arguments.text("id").unwrap_or_default().to_owned()).collect()
}

#[track_caller]
fn availability(workbench: &Workbench) -> UndoAvailability {
    workbench.undo_history()[0].availability.clone()
}

/// - **GIVEN** `notes.rename`, which registers `notes.restore` with its own arguments, and `notes.restore`, which is not
///   callable.
/// - **WHEN** the person triggers `notes.rename` for `n1`, the agent calls it as `c1` for `n2` in the turn `t1`, and the
///   person undoes the newest entry.
/// - **THEN** the history listed the call of the agent first, with its title in the active language, its caller, its ids,
///   the command that undoes it and the arguments, and then the one of the person.
/// - **AND** `notes.restore` ran for `n2`, as a trigger of the person, and only the entry for `n1` is left.
#[test]
fn an_undo_is_listed_and_runs() {
    let german = |key: &str| (key == "Title").then(|| "Titel".to_owned());
    let bench = bench_on(usual().translator(german));
    let restored = renaming(&bench);

    rename(&bench, "n1");
    assert_answered(&calls(&bench, "notes.rename", id("n2"), "t1"));

    assert_eq!(undoable(&bench.workbench), ["n2", "n1"]);
    let entry = &bench.workbench.undo_history()[0];
    assert_eq!((entry.command.as_str(), &*entry.title), ("notes.rename", "Titel"));
    assert_eq!(entry.caller, Caller::Plugin("copilot".into()));
    assert_eq!((entry.call_id.as_deref(), entry.turn_id.as_deref()), (Some("c1"), Some("t1")));
    assert_eq!(entry.undo_command, "notes.restore");
    assert_eq!(entry.availability, UndoAvailability::Available);

    assert_answered(&settle(bench.workbench.undo(entry.id)).unwrap());

    assert_eq!(restored.all(), [id("n2")]);
    let record = bench.audited.all().pop().unwrap();
    assert_eq!((record.command.as_str(), record.caller), ("notes.restore", Caller::Person));
    assert_eq!(undoable(&bench.workbench), ["n1"]);
}

/// - **GIVEN** a plugin `tasks` with the callable command `tasks.restore`, and a handler of `notes` that registers an undo
///   with `tasks.restore`, with `notes.ghost`, which is not registered, and with `notes.restore`.
/// - **WHEN** it runs.
/// - **THEN** the first two are errors that differ only in the name of the command, and the third is registered.
#[test]
fn only_commands_of_its_own_plugin() {
    let bench = bench_on(usual().grant("tasks", [drawloom::workbench::Capability::Contributions]));
    let tasks = bench.plugin("tasks", [drawloom::workbench::Capability::Contributions]);
    has(&tasks, callable("tasks.restore"));
    let errors = Kept::default();
    let keeps = errors.clone();
    bench.does(callable("notes.rename"), move |call: Call| {
        for command in ["tasks.restore", "notes.ghost"] {
            keeps.keep(call.undo_with(command, CommandArguments::new()).unwrap_err());
        }
        async move { Ok(call.undo_with("notes.restore", id("n1"))?) }
    });
    restoring(&bench);

    assert_answered(&settle(bench.workbench.trigger("notes.rename")));

    let errors = errors.all();
    assert_eq!(errors[0], UndoError::NotOwn { command: "tasks.restore".into() });
    let [foreign, unknown] = [0, 1].map(|place| errors[place].to_string());
    assert_eq!(foreign.replace("tasks.restore", "notes.ghost"), unknown);
    assert_eq!(undoable(&bench.workbench), ["n1"]);
}

/// - **GIVEN** an entry whose command waits at a gate.
/// - **WHEN** it is undone twice at once, and then by eight threads at once 200 times, each time another entry.
/// - **THEN** each time it runs once, the first of the other attempts says that it is in progress, and later ones that
///   there is no such entry.
#[test]
fn each_entry_runs_at_most_once() {
    watched(|| {
        let bench = bench();
        let gate = Gate::new();
        let passed = gate.passed();
        bench.does(callable("notes.rename"), |call: Call| async move {
            Ok(call.undo_with("notes.restore", id("n"))?)
        });
        let restored = bench
            .does(closed("notes.restore").argument(Argument::text("id")), move |_| passed.clone().map(Ok));
        let newest = || {
            assert_answered(&settle(bench.workbench.trigger("notes.rename")));
            bench.workbench.undo_history()[0].id
        };

        let entry = newest();
        let mut both = join(bench.workbench.undo(entry).boxed(), bench.workbench.undo(entry).boxed());
        assert!(poll_once(&mut both).is_pending());
        assert_eq!(availability(&bench.workbench), UndoAvailability::InProgress);
        gate.open();
        let (first, second) = settle(both);
        assert_answered(&first.unwrap());
        assert_eq!(second, Err(UndoUnavailable::InProgress));
        assert_eq!(settle(bench.workbench.undo(entry)), Err(UndoUnavailable::NotKept));

        for round in 0..200 {
            let entry = newest();
            let undone = Runs::default();
            thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| settle(bench.workbench.undo(entry)).is_ok().then(|| undone.add()));
                }
            });
            assert_eq!((undone.count(), restored.count()), (1, round + 2));
        }
    });
}

/// - **GIVEN** an entry whose command `notes.restore` is unregistered.
/// - **WHEN** nobody has registered the id again, then `tasks` has, and then `notes` has.
/// - **THEN** the entry is listed as gone, as gone, and as available, and undoing it is refused, refused, and runs.
#[test]
fn a_command_that_is_gone() {
    let contributions = [drawloom::workbench::Capability::Contributions];
    let bench = bench_on(usual().grant("tasks", contributions));
    bench.does(callable("notes.rename"), |call: Call| async move {
        Ok(call.undo_with("notes.restore", CommandArguments::new())?)
    });
    let registered = handle_of(&bench.notes, closed("notes.restore"));
    assert_answered(&settle(bench.workbench.trigger("notes.rename")));
    let entry = bench.workbench.undo_history()[0].id;
    let undo = || settle(bench.workbench.undo(entry)).unwrap();

    registered.dispose();
    assert_eq!(availability(&bench.workbench), UndoAvailability::Gone);
    assert_unavailable(&undo());

    let tasks = bench.plugin("tasks", contributions);
    let theirs = handle_of(&tasks, callable("notes.restore"));
    assert_eq!(availability(&bench.workbench), UndoAvailability::Gone);
    assert_unavailable(&undo());
    theirs.dispose();

    let ours = has(&bench.notes, closed("notes.restore"));
    assert_eq!(availability(&bench.workbench), UndoAvailability::Available);
    assert_answered(&undo());
    assert_eq!(ours.count(), 1);
}

/// - **GIVEN** entries whose command needs the role `editor`, whose command takes only the choice `a` since, and whose
///   command is not available because `The note is locked.`.
/// - **WHEN** the person has lost the role, and each is undone.
/// - **THEN** they are listed as out of reach, as rejected and as not available for that reason, each is refused with a
///   notice to the person, and all are kept.
#[test]
fn an_entry_that_cannot_run_now() {
    let bench = bench();
    let ada = |roles: &[&'static str]| Session::of(Person::new("ada"), roles.iter().copied());
    bench.workbench.set_session(ada(&["editor"]));
    let commands = [
        ("notes.publish", "notes.withdraw"),
        ("notes.move", "notes.return"),
        ("notes.close", "notes.reopen"),
    ];
    for (command, undo) in commands {
        bench.does(callable(command), move |call: Call| async move { Ok(call.undo_with(undo, id("n1"))?) });
    }
    bench.has(closed("notes.withdraw").argument(Argument::text("id")).any_role(["editor"]));
    let returns = handle_of(&bench.notes, closed("notes.return").argument(Argument::text("id")));
    let reopens = closed("notes.reopen").argument(Argument::text("id"));
    bench.has(reopens.available_when("The note is locked.", || false));
    for (command, _) in commands {
        assert_answered(&settle(bench.workbench.trigger(command)));
    }
    returns.dispose();
    bench.has(closed("notes.return").argument(Argument::choice("id", ["a"])));
    bench.workbench.set_session(ada(&[]));

    let history = bench.workbench.undo_history();
    let states: Vec<_> = history.iter().map(|entry| entry.availability.clone()).collect();
    let locked = UndoAvailability::NotAvailable { reason: "The note is locked.".into() };
    assert_eq!(states, [locked, UndoAvailability::ArgumentsRejected, UndoAvailability::OutOfReach]);
    let reasons = [RefusalReason::Unavailable, RefusalReason::InvalidArguments, RefusalReason::Unavailable];
    for (entry, reason) in history.iter().zip(reasons) {
        let outcome = settle(bench.workbench.undo(entry.id)).unwrap();
        assert!(is_refused(&outcome, reason), "{outcome:?}");
    }
    assert_eq!(bench.told.all().len(), 3);
    assert!(bench.told.all().iter().all(|notice| matches!(notice, Notice::Refused { .. })));
    assert_eq!(bench.workbench.undo_history(), history);
}

/// - **GIVEN** what was done while nobody was signed in, by Ada, by Bob, and in two sessions that do not say whose they are.
/// - **WHEN** each session is there again.
/// - **THEN** each person sees their own entries, also with other roles; the sessions without a person see only what was
///   done in that very session; and nobody can undo an entry of another.
#[test]
fn each_person_has_their_own() {
    let bench = bench();
    renaming(&bench);
    let sessions = [
        ("nobody", Session::default()),
        ("ada", Session::of(Person::new("ada"), ["editor"])),
        ("bob", Session::of(Person::new("bob"), ["editor"])),
        ("somebody", Session::authenticated(["editor"])),
        ("somebody else", Session::authenticated(["editor"])),
    ];
    let mut ids = Vec::new();
    for (note, session) in &sessions {
        bench.workbench.set_session(session.clone());
        rename(&bench, note);
        assert_eq!(undoable(&bench.workbench), [*note]);
        ids.push(bench.workbench.undo_history()[0].id);
    }
    let ada = Session::of(Person::new("ada").name("Ada"), ["reader"]);
    for (session, sees) in
        [(ada, &["ada"][..]), (Session::default(), &["nobody"]), (Session::authenticated(["editor"]), &[])]
    {
        bench.workbench.set_session(session);
        assert_eq!(undoable(&bench.workbench), sees);
        for (entry, (note, _)) in ids.iter().zip(&sessions) {
            if !sees.contains(note) {
                assert_eq!(settle(bench.workbench.undo(*entry)), Err(UndoUnavailable::NotKept));
            }
        }
    }
}

/// - **GIVEN** a limit of three entries.
/// - **WHEN** five notes are renamed, a handler registers an undo with 65 KiB of arguments, and 40 with 60 KiB each are
///   registered under the default limit.
/// - **THEN** the newest three are kept; the large one is an error that names the size, and the call goes on; and of the
///   40, the newest that have 1 MiB together are kept.
#[test]
fn the_history_is_bounded() {
    let three = bench_on(usual().undo_limit(3));
    renaming(&three);
    ["1", "2", "3", "4", "5"].iter().for_each(|note| rename(&three, note));
    assert_eq!(undoable(&three.workbench), ["5", "4", "3"]);

    let bench = bench();
    let errors = Kept::default();
    let keeps = errors.clone();
    bench.does(callable("notes.large"), move |call: Call| {
        keeps.keep(call.undo_with("notes.restore", id(&"x".repeat(65 << 10))).unwrap_err());
        async { Ok(()) }
    });
    bench.does(callable("notes.many"), |call: Call| async move {
        Ok(call.undo_with("notes.restore", id(&"x".repeat(60 << 10)))?)
    });
    restoring(&bench);
    assert_answered(&settle(bench.workbench.trigger("notes.large")));
    assert_names(errors.only(), &["notes.restore", "66562", "65536"]);
    for _ in 0..40 {
        assert_answered(&settle(bench.workbench.trigger("notes.many")));
    }
    // 61,442 bytes each, with the name: 17 times that is less than 1,048,576, and 18 times more.
    assert_eq!(bench.workbench.undo_history().len(), 17);
}

/// - **GIVEN** the calls `a`, `b`, `c` and `d` of one turn, of which `b` cannot be undone any more, `x` of another turn, and
///   `e`, which a command of the turn invoked.
/// - **WHEN** the turn is undone.
/// - **THEN** `e`, `d` and `c` are undone in this order, `b` is reported with its failure, `a` is left, and `x` was not
///   touched.
/// - **AND** when the turn is undone again, `a` is.
#[test]
fn a_turn_is_undone_in_reverse_order() {
    let bench = bench();
    let restored = Kept::default();
    let restores = restored.clone();
    bench.does(callable("notes.rename").argument(Argument::text("id")), |call: Call| async move {
        Ok(call.undo_with("notes.restore", call.arguments().clone())?)
    });
    bench.does(closed("notes.restore").argument(Argument::text("id")), move |call: Call| {
        let note = call.text("id").unwrap().to_owned();
        restores.keep(note.clone());
        async move { if note == "b" { Err("the note was changed since".into()) } else { Ok(()) } }
    });
    bench.does(callable("notes.all"), |call: Call| async move {
        call.invoke("notes.rename", id("e")).await;
        Ok(())
    });
    for (note, turn) in [("a", "t1"), ("b", "t1"), ("x", "t2"), ("c", "t1"), ("d", "t1")] {
        assert_answered(&calls(&bench, "notes.rename", id(note), turn));
    }
    assert_answered(&calls(&bench, "notes.all", CommandArguments::new(), "t1"));

    let undone = settle(bench.workbench.undo_turn("t1"));
    let notes = |entries: &[drawloom::workbench::UndoEntry]| {
        entries.iter().map(|entry| entry.arguments.text("id").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(notes(&undone.done), ["e", "d", "c"]);
    assert_eq!(notes(&undone.left), ["a"]);
    let failed = undone.failed.unwrap();
    assert_eq!(failed.entry.arguments, id("b"));
    assert_eq!(failed.outcome, Ok(CommandOutcome::failed("the note was changed since")));
    assert_eq!(restored.all(), ["e", "d", "c", "b"]);
    assert_eq!(undoable(&bench.workbench), ["x", "a"]);

    let again = settle(bench.workbench.undo_turn("t1"));
    assert_eq!((notes(&again.done), again.failed, again.left), (vec!["a".to_owned()], None, vec![]));
    assert_eq!(undoable(&bench.workbench), ["x"]);
}

/// - **GIVEN** handlers that register an undo and then fail, panic, wait until they are dropped, and register another one;
///   one that takes it back before it fails; and a call that is kept after its command has ended.
/// - **WHEN** each runs, and the kept call registers an undo.
/// - **THEN** the first four can be undone, the fourth with what it registered last; the fifth cannot; and the kept call
///   gets an error.
#[test]
fn partial_work_can_be_undone() {
    let bench = bench();
    restoring(&bench);
    let calls = Kept::default();
    let keeps = calls.clone();
    bench.does(callable("notes.act").argument(Argument::text("id").required()), move |call: Call| {
        keeps.keep(call.clone());
        async move {
            let how = call.text("id")?.to_owned();
            call.undo_with("notes.restore", id(&how))?;
            match &*how {
                "fails" => Err("the disk is full".into()),
                "panics" => panic!("the disk is full"),
                "is dropped" => pending().await,
                "takes it back" => {
                    call.clear_undo();
                    Err("nothing was changed".into())
                }
                _ => Ok(call.undo_with("notes.restore", id("the last"))?),
            }
        }
    });

    for how in ["fails", "panics", "is dropped", "registers two", "takes it back"] {
        let mut act = bench.workbench.trigger_with("notes.act", id(how)).boxed();
        let is_pending = poll_once(&mut act).is_pending();
        assert_eq!(is_pending, how == "is dropped");
    }

    assert_eq!(undoable(&bench.workbench), ["the last", "is dropped", "panics", "fails"]);
    let ended = calls.pop().unwrap().undo_with("notes.restore", id("late"));
    assert_eq!(ended, Err(UndoError::Ended { command: "notes.restore".into() }));
    assert_eq!(undoable(&bench.workbench).len(), 4);
}

/// - **GIVEN** `notes.rename`, which registers itself as its undo.
/// - **WHEN** it is undone and that is undone again.
/// - **THEN** each time the entry is replaced by the one that undoes it.
#[test]
fn undoing_can_be_undone() {
    let bench = bench();
    let renamed = bench.does(callable("notes.rename"), |call: Call| async move {
        Ok(call.undo_with("notes.rename", CommandArguments::new())?)
    });
    assert_answered(&settle(bench.workbench.trigger("notes.rename")));
    for times in 2..4 {
        let history = bench.workbench.undo_history();
        assert_eq!(history.len(), 1);
        assert_answered(&settle(bench.workbench.undo(history[0].id)).unwrap());
        assert_eq!(renamed.count(), times);
        assert_ne!(bench.workbench.undo_history()[0].id, history[0].id);
    }
}

/// - **GIVEN** an entry whose command waits, and somebody who watches the history.
/// - **WHEN** the future of undoing it is dropped before it is polled, and then another one after it was polled.
/// - **THEN** the entry is kept the first time, and the stream does not yield. The second time it is not kept, because the
///   command may have done a part of its work, and the stream yields.
#[test]
fn undoing_that_is_dropped() {
    let bench = bench();
    bench.does(callable("notes.rename"), |call: Call| async move {
        Ok(call.undo_with("notes.restore", CommandArguments::new())?)
    });
    let waits = bench.does(closed("notes.restore"), |_| pending());
    assert_answered(&settle(bench.workbench.trigger("notes.rename")));
    let entry = bench.workbench.undo_history()[0].id;
    let mut changes = bench.workbench.undo_changes();

    drop(bench.workbench.undo(entry));
    assert_eq!(availability(&bench.workbench), UndoAvailability::Available);
    assert!(changes.next().now_or_never().is_none());

    let mut undo = bench.workbench.undo(entry).boxed();
    assert!(poll_once(&mut undo).is_pending());
    drop(undo);
    assert_eq!(waits.count(), 1);
    assert_eq!(bench.workbench.undo_history(), []);
    assert!(changes.next().now_or_never().is_some());
    assert!(changes.next().now_or_never().is_none());
}

/// - **GIVEN** a nesting limit of 1, and a handler that lists what can be undone and undoes it.
/// - **WHEN** the person triggers it while there is an entry.
/// - **THEN** its list is empty, undoing is refused as too deep, and the entry is kept.
#[test]
fn nothing_is_undone_at_the_nesting_limit() {
    let bench = bench_on(usual().nesting_limit(1));
    renaming(&bench);
    rename(&bench, "n1");
    let entry = bench.workbench.undo_history()[0].id;
    let workbench = bench.workbench.clone();
    let outcomes = Kept::default();
    let keeps = outcomes.clone();
    does(&bench.notes, callable("notes.all"), move |_| {
        let (workbench, keeps) = (workbench.clone(), keeps.clone());
        async move {
            assert_eq!(workbench.undo_history(), []);
            keeps.keep(workbench.undo(entry).await.unwrap());
            Ok(())
        }
    });

    assert_answered(&settle(bench.workbench.trigger("notes.all")));

    assert!(is_refused(&outcomes.only(), RefusalReason::TooDeep));
    assert_eq!(undoable(&bench.workbench), ["n1"]);
}
