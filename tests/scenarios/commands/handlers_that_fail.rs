//! A handler that returns an error or panics SHALL end its call as failed, one that is cancelled SHALL end it as
//! cancelled, which on the wire is failed too. Each SHALL be recorded as what it is, and a panic SHALL NOT cross the
//! seam.

use std::future::{Future, Ready, pending, ready};
use std::panic::panic_any;
use std::pin::pin;
use std::task::{Context, Waker};

use drawloom::command::{CommandArguments, CommandOutcome};
use drawloom::workbench::{AuditRecord, HandlerError};
use serde::{Serialize, Serializer};

use super::support::{Bench, Shared, answering, assert_failed, bench, bench_with, callable};

/// A workbench, and what its audit port has been given.
fn bench_with_audit() -> (Bench, Shared<Vec<AuditRecord>>) {
    let records = Shared::new(Vec::new());
    let keeps = records.clone();
    let bench =
        bench_with(|builder| builder.audit(move |record: &AuditRecord| keeps.lock().push(record.clone())));
    (bench, records)
}

fn panics() -> Result<(), HandlerError> {
    panic_any("the note is torn")
}

/// - **GIVEN** a handler that returns the error `the disk is full`.
/// - **WHEN** it is invoked.
/// - **THEN** the outcome is failed with a message that holds `the disk is full`.
#[test]
fn an_error_is_a_failure() {
    let bench = bench();
    bench.register(callable("notes.save"), |_| ready(Err::<(), _>("the disk is full".into())));

    let message = assert_failed(bench.invoke("notes.save", "{}"));

    assert!(message.contains("the disk is full"), "{message}");
}

/// - **GIVEN** handlers that panic before giving a future, after an await, with the payload 7, and in
///   their answer's serializer.
/// - **WHEN** each is invoked.
/// - **THEN** all four outcomes are failed, each with a message, and the caller goes on.
#[test]
fn a_panic_is_a_failure() {
    struct Torn;

    impl Serialize for Torn {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            panic_any("the note is torn")
        }
    }

    let bench = bench();
    bench.register(callable("notes.at_once"), |_| -> Ready<Result<(), HandlerError>> { ready(panics()) });
    bench.register(callable("notes.later"), |_| async {
        tokio::task::yield_now().await;
        panics()
    });
    bench.register(callable("notes.with_seven"), |_| async {
        if true {
            panic_any(7);
        }
        Ok(())
    });
    bench.register(answering("notes.in_answer"), |_| ready(Ok(Torn)));
    let opened = bench.register_idle(callable("notes.open"));

    for id in ["notes.at_once", "notes.later", "notes.with_seven", "notes.in_answer"] {
        let message = assert_failed(bench.invoke(id, "{}"));
        assert!(!message.is_empty(), "{id}");
    }
    assert_eq!(bench.invoke("notes.open", "{}"), CommandOutcome::Answered { value: None });
    assert_eq!(opened.count(), 1);
}

/// - **GIVEN** one handler that returns an error and one that panics.
/// - **WHEN** each is invoked once.
/// - **THEN** the audit port holds one failed record for each.
#[test]
fn a_failure_is_reported() {
    let (bench, records) = bench_with_audit();
    bench.register(callable("notes.errs"), |_| ready(Err::<(), _>("the disk is full".into())));
    bench.register(callable("notes.panics"), |_| async { panics() });

    bench.invoke("notes.errs", "{}");
    bench.invoke("notes.panics", "{}");

    let records = records.lock();
    let [errs, panics] = &**records else { panic!("{records:#?}") };
    assert_eq!((errs.command.as_str(), panics.command.as_str()), ("notes.errs", "notes.panics"));
    assert_failed(errs.outcome().unwrap().clone());
    assert_failed(panics.outcome().unwrap().clone());
}

/// - **GIVEN** an invocation of `notes.slow` whose handler is waiting.
/// - **WHEN** the invocation is dropped.
/// - **THEN** the audit port holds one record for `notes.slow`, which is serialized with the outcome
///   `cancelled`.
#[test]
fn a_cancelled_call_is_recorded() {
    let (bench, records) = bench_with_audit();
    let started = bench.register(callable("notes.slow"), |_| pending::<Result<(), HandlerError>>());
    {
        let mut invocation = pin!(bench.copilot.invoke("notes.slow", CommandArguments::new()));
        let waiting = invocation.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(waiting.is_pending());
        assert_eq!(started.count(), 1);
        assert!(records.lock().is_empty());
    }

    let records = records.lock();
    let [record] = &**records else { panic!("{records:#?}") };
    let written = serde_json::to_value(record).unwrap();
    assert_eq!(written["command"], "notes.slow");
    assert_eq!(written["outcome"]["outcome"], "cancelled");
}
