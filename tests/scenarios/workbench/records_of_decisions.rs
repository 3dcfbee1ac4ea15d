//! Every decision of the seam SHALL be logged as a `tracing` record with the fields `caller`, `person`, `command`,
//! `outcome`, `reason` and `elapsed_us`, and SHALL be passed as data, including the arguments, to an audit port that
//! the product supplies.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use drawloom::command::{
    Argument, CallOrigin, CommandAccess, CommandArguments, DecisionBasis, DecisionSource, RefusalReason,
};
use drawloom::workbench::{Call, Caller, Person, Session};
use futures::future::FutureExt;

use crate::support::{
    Bench, Logged, assert_answered, bench, bench_on, callable, invoke, invoke_with, is_answered, is_refused,
    logged_during, poll_once, settle, trigger, usual,
};

/// A workbench with a clock that stands still, but for a command that takes so long by it.
fn timed(id: &str, milliseconds: u64) -> Bench {
    let clock = Arc::new(AtomicU64::new(1_000_000));
    let reads = clock.clone();
    let bench = bench_on(usual().clock(move || Duration::from_millis(reads.load(SeqCst))));
    bench.does(callable(id), move |_| {
        clock.fetch_add(milliseconds, SeqCst);
        async { Ok(()) }
    });
    bench
}

/// Asserts that exactly one record has this `command`, and these fields.
#[track_caller]
fn assert_logged(log: &[Logged], command: &str, fields: &[(&str, &str)]) {
    let of_command: Vec<_> =
        log.iter().filter(|record| record.get("command").is_some_and(|id| id == command)).collect();
    assert_eq!(of_command.len(), 1, "{log:?}");
    for (field, value) in fields {
        let logged = of_command[0].get(field).map(String::as_str);
        assert_eq!(logged, Some(*value), "{field} in {:?}", of_command[0]);
    }
}

/// - **GIVEN** a clock supplied by the product.
/// - **WHEN** `copilot` invokes `notes.open`, which takes 5 milliseconds, and `notes.ghost`, which is not
///   registered.
/// - **THEN** one record has `caller` `plugin:copilot`, `command` `notes.open`, `outcome` `answered` and
///   `elapsed_us` 5000.
/// - **AND** one has `caller` `plugin:copilot`, `command` `notes.ghost`, `outcome` `refused` and `reason`
///   `unavailable`.
#[test]
fn a_decision_is_traced() {
    let bench = timed("notes.open", 5);

    let log = logged_during(|| {
        invoke(&bench.copilot, "notes.open");
        invoke(&bench.copilot, "notes.ghost");
    });

    let open = [("caller", "plugin:copilot"), ("outcome", "answered"), ("elapsed_us", "5000")];
    assert_logged(&log, "notes.open", &open);
    let ghost = [("caller", "plugin:copilot"), ("outcome", "refused"), ("reason", "unavailable")];
    assert_logged(&log, "notes.ghost", &ghost);
}

/// - **GIVEN** the session of `ada`, named Ada Lovelace.
/// - **WHEN** `copilot` invokes `notes.open`, and `notes.ghost`, which is not registered.
/// - **THEN** each record has `person` `ada`.
#[test]
fn the_log_names_the_person() {
    let ada = Person::new("ada").name("Ada Lovelace");
    let bench = bench_on(usual().session(Session::of(ada, ["editor"])));
    bench.has(callable("notes.open"));

    let log = logged_during(|| {
        invoke(&bench.copilot, "notes.open");
        invoke(&bench.copilot, "notes.ghost");
    });

    for command in ["notes.open", "notes.ghost"] {
        assert_logged(&log, command, &[("person", "ada")]);
    }
}

/// - **WHEN** the person triggers `notes.chain`, whose handler invokes `notes.boom`, which fails.
/// - **THEN** one record has `caller` `plugin:notes`, `command` `notes.boom`, `outcome` `failed` and `depth` 2.
/// - **AND** one has `caller` `person`, `command` `notes.chain`, `outcome` `answered` and `depth` 1.
#[test]
fn a_chain_is_traced() {
    let bench = bench();
    bench.does(callable("notes.boom"), |_| async { Err("the disk is full".into()) });
    bench.does(callable("notes.chain"), |call: Call| async move {
        call.context().invoke("notes.boom", CommandArguments::new()).await;
        Ok(())
    });

    let log = logged_during(|| assert_answered(&trigger(&bench.workbench, "notes.chain")));

    let boom = [("caller", "plugin:notes"), ("outcome", "failed"), ("depth", "2")];
    assert_logged(&log, "notes.boom", &boom);
    let chain = [("caller", "person"), ("outcome", "answered"), ("depth", "1")];
    assert_logged(&log, "notes.chain", &chain);
}

/// - **WHEN** `copilot` invokes `notes.open` with `path` as `inbox`, and then with `path` as 7.
/// - **THEN** the audit port gets two records with `copilot`, `notes.open` and the arguments of each
///   call.
/// - **AND** the first has the outcome answered and the second refused with the reason
///   `invalid-arguments`.
#[test]
fn the_audit_port_gets_data() {
    let bench = bench();
    bench.has(callable("notes.open").argument(Argument::text("path")));
    let calls = [CommandArguments::new().with("path", "inbox"), CommandArguments::new().with("path", 7)];

    for arguments in &calls {
        invoke_with(&bench.copilot, "notes.open", arguments.clone());
    }

    let records = bench.audited.all();
    assert_eq!(records.len(), 2);
    for (record, arguments) in records.iter().zip(calls) {
        assert_eq!(record.caller, Caller::Plugin("copilot".into()));
        assert_eq!(record.command, "notes.open");
        assert_eq!(record.arguments, arguments);
    }
    assert!(is_answered(records[0].outcome().unwrap()));
    assert!(is_refused(records[1].outcome().unwrap(), RefusalReason::InvalidArguments));
}

/// - **GIVEN** a call of an agent with the id `c1`, which a hook approved after `ada` was asked.
/// - **WHEN** `notes.open` runs for the call, and the person triggers it.
/// - **THEN** the first record has the origin `c1` with `ada` as the one who decided, and the second has no origin.
#[test]
fn the_origin_is_recorded() {
    let bench = bench();
    bench.has(callable("notes.open"));
    let offer = bench.copilot.offer(&"notes.open".into()).unwrap();
    let basis = DecisionBasis::new(DecisionSource::Asked).decided_by("ada");
    let origin = CallOrigin::new("c1").basis(basis);

    settle(bench.copilot.invoke_offered(&offer, CommandArguments::new(), origin.clone()));
    trigger(&bench.workbench, "notes.open");

    let origins: Vec<_> = bench.audited.all().into_iter().map(|record| record.origin).collect();
    assert_eq!(origins, [origin, CallOrigin::default()]);
    let basis = origins[0].basis.as_ref().unwrap();
    assert_eq!(basis.decided_by.as_deref(), Some("ada"));
}

/// - **WHEN** the person triggers `notes.open`.
/// - **THEN** the audit port gets one record for `notes.open` whose caller is the person.
#[test]
fn triggers_are_audited() {
    let bench = bench();
    bench.has(callable("notes.open"));

    trigger(&bench.workbench, "notes.open");

    let record = bench.audited.only();
    assert_eq!(record.command, "notes.open");
    assert_eq!(record.caller, Caller::Person);
}

/// - **GIVEN** an invocation of `notes.chain`, whose handler waits for `notes.wait`, which waits.
/// - **WHEN** the invocation is dropped.
/// - **THEN** the audit port gets one record for each of the two, and each says that the command was
///   cancelled.
#[test]
fn a_cancelled_chain_is_audited() {
    let bench = bench();
    bench.does(callable("notes.wait"), |_| pending());
    bench.does(callable("notes.chain"), |call: Call| async move {
        call.invoke("notes.wait", CommandArguments::new()).await;
        Ok(())
    });

    let mut invocation = bench.copilot.invoke("notes.chain", CommandArguments::new()).boxed();
    assert!(poll_once(&mut invocation).is_pending());
    assert!(bench.audited.all().is_empty());
    drop(invocation);

    let mut records = bench.audited.all();
    records.sort_by_key(|record| record.depth());
    let commands: Vec<_> = records.iter().map(|record| record.command.as_str()).collect();
    assert_eq!(commands, ["notes.chain", "notes.wait"]);
    for record in records {
        assert_eq!(record.outcome().unwrap().name(), "cancelled", "{record:?}");
    }
}

/// - **GIVEN** a clock supplied by the product that moves 250 milliseconds while the handler runs.
/// - **WHEN** the command is invoked.
/// - **THEN** the audit record says that it took 250 milliseconds.
#[test]
fn time_comes_from_the_clock() {
    let bench = timed("notes.slow", 250);

    assert_answered(&invoke(&bench.copilot, "notes.slow"));

    assert_eq!(bench.audited.only().duration(), Some(Duration::from_millis(250)));
}
