//! The person SHALL be able to revoke a granted capability and to restore it, with effect from the next use. The
//! person SHALL NOT be able to add a capability or to revoke `contributions`.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use drawloom::workbench::Capability;

use crate::support::{
    all_along, assert_answered, assert_unavailable, bench, bench_on, callable, handle_of, invocable, invoke,
    is_answered, trigger, watched, without_automation,
};

/// - **GIVEN** `copilot`, which has just invoked `notes.open` with success.
/// - **WHEN** its `automation` is revoked, it invokes `notes.open`, `automation` is restored, and it invokes again.
/// - **THEN** the first is refused as `unavailable`, the list is empty, and the second is answered.
#[test]
fn revoked_and_restored_at_once() {
    let bench = bench();
    bench.has(callable("notes.open"));
    assert_answered(&invoke(&bench.copilot, "notes.open"));

    bench.revoke_automation();
    assert_unavailable(&invoke(&bench.copilot, "notes.open"));
    assert!(invocable(&bench.copilot).is_empty());

    bench.restore_automation();
    assert_answered(&invoke(&bench.copilot, "notes.open"));
}

/// - **GIVEN** `copilot`, which declares `automation` and was never granted it.
/// - **WHEN** the person restores its `automation` and it invokes `notes.open`.
/// - **THEN** it is refused as `unavailable`.
#[test]
fn the_person_only_subtracts() {
    let bench = bench_on(without_automation());
    bench.has(callable("notes.open"));

    bench.restore_automation();

    assert_unavailable(&invoke(&bench.copilot, "notes.open"));
}

/// - **WHEN** the person revokes the `contributions` of `notes`.
/// - **THEN** that is an error and `notes` can still register a command.
#[test]
fn contributions_stay() {
    let bench = bench();

    assert!(bench.workbench.revoke(bench.notes.plugin(), Capability::Contributions).is_err());

    let _open = handle_of(&bench.notes, callable("notes.open"));
    assert_answered(&trigger(&bench.workbench, "notes.open"));
}

/// - **GIVEN** threads that invoke `notes.open` as `copilot` continuously.
/// - **WHEN** its `automation` is meanwhile revoked and restored many times.
/// - **THEN** no invocation that began after a revocation returned, and ended before the next restoration, was
///   answered.
#[test]
fn never_stale() {
    watched(|| {
        let bench = bench();
        bench.has(callable("notes.open"));
        // Odd from the return of a revocation until right before the restoring that follows it.
        let turn = AtomicUsize::new(0);
        let (judged, stale) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let invokes = || {
            let begun = turn.load(SeqCst);
            let outcome = invoke(&bench.copilot, "notes.open");
            if begun % 2 == 1 && turn.load(SeqCst) == begun {
                stale.fetch_add(usize::from(is_answered(&outcome)), SeqCst);
                judged.fetch_add(1, SeqCst);
            }
        };
        all_along(3, invokes, || {
            for _ in 0..100 {
                bench.revoke_automation();
                turn.fetch_add(1, SeqCst);
                let before = judged.load(SeqCst);
                while judged.load(SeqCst) == before {
                    thread::yield_now();
                }
                turn.fetch_add(1, SeqCst);
                bench.restore_automation();
            }
        });
        assert_eq!(stale.load(SeqCst), 0);
    });
}
