//! What a product's own code may do at the worst moment, and what must hold all the same.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, and its helpers are part of it"
)]

use std::fs;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use drawloom_command::{Argument, Command, CommandArguments, CommandOutcome, RefusalReason};
use drawloom_workbench::{
    AuditRecord, Call, Capability, FilePermissionStore, HandlerError, Notice, PermissionStore, Plugin,
    PluginContext, StoreError, Workbench,
};
use futures::FutureExt;
use futures::executor::block_on;
use serde::{Serialize, Serializer};

fn plugin(workbench: &Workbench, id: &str, capability: Capability) -> PluginContext {
    workbench.activate(Plugin::new(id).declares([capability])).unwrap()
}

fn workbench() -> (Workbench, PluginContext) {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = plugin(&workbench, "notes", Capability::Contributions);
    (workbench, notes)
}

fn failed(outcome: &CommandOutcome) -> bool {
    matches!(outcome, CommandOutcome::Failed(_))
}

/// Panics where it is polled, and again where it is dropped.
struct Twice;

impl Future for Twice {
    type Output = Result<(), HandlerError>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        panic!("polled")
    }
}

impl Drop for Twice {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// Panics where it is serialised, and again where it is dropped.
struct Unspeakable;

impl Serialize for Unspeakable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("serialised")
    }
}

impl Drop for Unspeakable {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn a_handler_that_panics_and_panics_again_is_a_failure() {
    let (workbench, notes) = workbench();
    let _polled = notes.register(Command::new("notes.polled", "Polled"), |_: Call| Twice).unwrap();
    let speak = Command::new("notes.spoken", "Spoken").answers("Nothing");
    let _spoken = notes.register(speak, |_: Call| async { Ok(Unspeakable) }).unwrap();
    let quiet = Command::new("notes.quiet", "Quiet");
    let _quiet = notes.register(quiet, |_: Call| async { Ok(Unspeakable) }).unwrap();
    for id in ["notes.polled", "notes.spoken", "notes.quiet"] {
        assert!(failed(&block_on(workbench.trigger(id))), "{id}");
    }
}

#[test]
fn what_a_source_of_choices_revokes_is_revoked_for_the_call_it_was_read_for() {
    let (workbench, notes) = workbench();
    let copilot = plugin(&workbench, "copilot", Capability::Automation);
    let (inner, ran) = (workbench.clone(), Arc::new(AtomicUsize::new(0)));
    let source = move || {
        inner.revoke(&"copilot".into(), Capability::Automation).unwrap();
        vec!["a".to_owned()]
    };
    let counted = ran.clone();
    let _open = notes
        .register(
            Command::new("notes.open", "Open").argument(Argument::choice_from("mode", source)).callable(),
            move |_: Call| {
                counted.fetch_add(1, Ordering::Relaxed);
                async { Ok(()) }
            },
        )
        .unwrap();
    let outcome = block_on(copilot.invoke("notes.open", CommandArguments::new().with("mode", "a")));
    assert!(
        matches!(outcome, CommandOutcome::Refused(refusal) if refusal.reason == RefusalReason::Unavailable)
    );
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[test]
fn what_a_source_of_choices_holds_may_panic_where_it_is_dropped() {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let (workbench, notes) = workbench();
    let guard = Guard;
    let source = move || {
        let _held = &guard;
        Vec::new()
    };
    let command = Command::new("notes.open", "Open").argument(Argument::choice_from("mode", source));
    let open = notes.register(command, |_: Call| async { Ok(()) }).unwrap();
    open.dispose();
    assert!(workbench.triggerable_commands().is_empty());
}

#[test]
fn a_loop_through_the_audit_or_the_notifier_ends() {
    static WORKBENCH: OnceLock<Workbench> = OnceLock::new();
    fn again() {
        if let Some(workbench) = WORKBENCH.get() {
            // Not `block_on`: that is not to be nested.
            let _ = workbench.trigger("notes.boom").now_or_never();
        }
    }
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .nesting_limit(3)
        .audit(|_: &AuditRecord| again())
        .notifier(|_: &Notice| again())
        .build();
    let notes = plugin(&workbench, "notes", Capability::Contributions);
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let _boom = notes
        .register(Command::new("notes.boom", "Boom"), move |_: Call| {
            counted.fetch_add(1, Ordering::Relaxed);
            async { Err::<(), _>("boom".into()) }
        })
        .unwrap();
    WORKBENCH.set(workbench.clone()).unwrap();
    assert!(failed(&block_on(workbench.trigger("notes.boom"))));
    // Each run is told to two ports, and each invokes once more, three deep: 1 + 2 + 4.
    assert_eq!(runs.load(Ordering::Relaxed), 7);
}

#[test]
fn a_file_that_may_only_be_out_of_reach_is_not_taken_for_none() {
    let folder = tempfile::tempdir().unwrap();
    let unreadable =
        |path: &std::path::Path| matches!(FilePermissionStore::open(path), Err(StoreError::Read { .. }));
    assert!(unreadable(&folder.path().join("gone").join("permissions.json")));
    assert!(unreadable(folder.path()));
    assert!(unreadable(std::path::Path::new("")));
    #[cfg(unix)]
    {
        let link = folder.path().join("link.json");
        std::os::unix::fs::symlink(folder.path().join("nowhere.json"), &link).unwrap();
        assert!(unreadable(&link));
    }
    assert!(FilePermissionStore::open(folder.path().join("permissions.json")).is_ok());
}

#[test]
fn a_list_in_the_file_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    fs::write(&path, "[{}]").unwrap();
    assert!(matches!(FilePermissionStore::open(&path), Err(StoreError::Damaged { .. })));
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    let workbench =
        Workbench::builder().permission_store(FilePermissionStore::open(&path).unwrap()).build().unwrap();
    workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
    let long = "x".repeat(1024 * 1024);
    assert!(workbench.revoke(&long.into(), Capability::Automation).is_err());
    let kept = FilePermissionStore::open(&path).unwrap().load().unwrap();
    assert!(kept.of(&"copilot".into()).contains(Capability::Automation));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_private_file_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("real.json"), folder.path().join("link.json"));
    fs::write(&file, "{\"revoked\":{}}").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let workbench =
        Workbench::builder().permission_store(FilePermissionStore::open(&link).unwrap()).build().unwrap();
    workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().contains("copilot"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn revocations_of_the_builder_and_of_the_store_add_up_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    fs::write(&path, "{\"revoked\":{\"mailer\":[\"automation\"]}}").unwrap();
    let store = || FilePermissionStore::open(&path).unwrap();
    let before = Workbench::builder()
        .revoked("copilot", [Capability::Automation])
        .permission_store(store())
        .build()
        .unwrap();
    let after = Workbench::builder()
        .permission_store(store())
        .revoked("copilot", [Capability::Automation])
        .build()
        .unwrap();
    for workbench in [before, after] {
        fs::write(&path, "{\"revoked\":{\"mailer\":[\"automation\"]}}").unwrap();
        // In force already; what counts is that it is kept from now on.
        workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
        let kept = store().load().unwrap();
        for plugin in ["copilot", "mailer"] {
            assert!(kept.of(&plugin.into()).contains(Capability::Automation), "{plugin}");
        }
    }
}
