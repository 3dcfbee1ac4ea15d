//! Revocations SHALL outlive the process through a store the product can replace, and the store kept in a file SHALL
//! never leave a file half written, never read a damaged one as empty, and never lose what another process saved.

use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use drawloom::workbench::{Capability, FilePermissionStore, PermissionStore, Revocations, StoreError};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Bench, Kept, all_along, assert_answered, assert_names, assert_unavailable, bench_on, callable, handle_of,
    invoke, usual, watched,
};

/// A folder, and in it the path of a store's file that holds this.
fn stored(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// A workbench on a store in this file, which also grants `mail` `automation`.
fn bench_in(path: &Path) -> Bench {
    let store = FilePermissionStore::open(path).unwrap();
    let composition = usual().grant("mail", [Capability::Automation]);
    bench_on(composition.permission_store(store))
}

fn contents(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Asserts that this store is found damaged, and is left as it is.
#[track_caller]
fn assert_damaged(path: &Path, text: &str) {
    let error = FilePermissionStore::open(path).unwrap_err();
    let StoreError::Damaged { path: named, .. } = &error else { panic!("not damaged: {error}") };
    assert_eq!(named, path);
    assert_names(&error, &[path.to_str().unwrap()]);
    assert!(fs::read_to_string(path).unwrap() == text, "the text has changed");
}

/// - **GIVEN** a file store in which `automation` was revoked for `copilot`, and revoked and restored for
///   `mail`.
/// - **WHEN** a second workbench, which grants it to both, is built on the same file.
/// - **THEN** its `copilot` does not hold `automation` and its `mail` does.
#[test]
fn survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    let first = bench_in(&path);
    first.revoke_automation();
    first.workbench.revoke(&"mail".into(), Capability::Automation).unwrap();
    first.workbench.restore(&"mail".into(), Capability::Automation).unwrap();
    drop(first);

    let second = bench_in(&path);
    let mail = second.plugin("mail", [Capability::Automation]);

    assert!(!second.copilot.holds(Capability::Automation));
    assert!(mail.holds(Capability::Automation));
}

/// Keeps in memory what it is given, having failed at first where it is to.
struct InMemory {
    given: Kept<Revocations>,
    fails: AtomicBool,
}

impl PermissionStore for InMemory {
    fn load(&self) -> Result<Revocations, StoreError> {
        Ok(Revocations::default())
    }

    fn save(&self, revocations: &Revocations) -> Result<(), StoreError> {
        if self.fails.swap(false, SeqCst) {
            return Err(StoreError::Other("the disk is full".into()));
        }
        self.given.keep(revocations.clone());
        Ok(())
    }
}

fn bench_in_memory(fails: bool) -> (Bench, Kept<Revocations>) {
    let given = Kept::default();
    let store = InMemory { given: given.clone(), fails: fails.into() };
    (bench_on(usual().permission_store(store)), given)
}

#[track_caller]
fn assert_revokes_automation_of_copilot(revocations: &Revocations) {
    let revoked: Vec<_> = revocations
        .iter()
        .map(|(plugin, set)| (plugin.to_string(), set.iter().collect::<Vec<_>>()))
        .collect();
    assert_eq!(revoked, [("copilot".to_owned(), vec![Capability::Automation])]);
}

/// - **GIVEN** a workbench built on a store that keeps revocations in memory.
/// - **WHEN** the person revokes the `automation` of `copilot`.
/// - **THEN** that store has been given a revocation of `automation` for `copilot`.
#[test]
fn the_product_s_own_store() {
    let (bench, given) = bench_in_memory(false);

    bench.revoke_automation();

    assert_revokes_automation_of_copilot(&given.only());
}

/// - **GIVEN** a store that errs with `the disk is full` at its first save and a `copilot` that holds
///   `automation`.
/// - **WHEN** its `automation` is revoked, it invokes `notes.open`, and `automation` is revoked again.
/// - **THEN** the first revocation is an error that holds `the disk is full`, and the invocation is
///   refused.
/// - **AND** the second is none, and the store has been given the revocation.
#[test]
fn what_was_not_kept() {
    let (bench, given) = bench_in_memory(true);
    bench.has(callable("notes.open"));
    let copilot = bench.copilot.plugin();

    let first = bench.workbench.revoke(copilot, Capability::Automation);
    assert_names(first.unwrap_err(), &["the disk is full"]);
    assert_unavailable(&invoke(&bench.copilot, "notes.open"));

    bench.workbench.revoke(copilot, Capability::Automation).unwrap();
    assert_revokes_automation_of_copilot(&given.only());
}

/// - **GIVEN** a file store that holds a revocation of `contributions` for `notes`.
/// - **WHEN** a workbench is built on it.
/// - **THEN** `notes` can register a command and the list of permissions shows `contributions` as not revoked.
#[test]
fn stored_contributions_are_dropped() {
    let (_folder, path) = stored(r#"{"revoked":{"notes":["contributions"]}}"#);

    let bench = bench_in(&path);

    let _open = handle_of(&bench.notes, callable("notes.open"));
    assert_answered(&invoke(&bench.copilot, "notes.open"));
    let account = bench.workbench.permissions();
    let notes = account.iter().find(|plugin| plugin.plugin == "notes").unwrap();
    assert_eq!(notes.capabilities.len(), 1);
    assert_eq!(notes.capabilities[0].capability, Capability::Contributions);
    assert!(!notes.capabilities[0].revoked);
}

/// - **GIVEN** a store file opened for reading before a revocation is saved.
/// - **WHEN** the revocation is saved and the file opened before is read to its end.
/// - **THEN** it holds the whole former text, and the path now holds the new one.
#[test]
fn the_file_is_swapped_whole() {
    let former = r#"{"revoked":{"mail":["automation"]}}"#;
    let (_folder, path) = stored(former);
    let bench = bench_in(&path);
    let mut opened_before = File::open(&path).unwrap();

    bench.revoke_automation();

    let mut read = String::new();
    opened_before.read_to_string(&mut read).unwrap();
    assert_eq!(read, former);
    assert_eq!(contents(&path), json!({ "revoked": { "copilot": ["automation"], "mail": ["automation"] } }));
}

/// - **GIVEN** a store file that holds `{"revoked":`.
/// - **WHEN** the store is opened twice.
/// - **THEN** both are errors that name the path of the file, and the file holds the same text.
#[test]
fn a_damaged_file_refuses_every_start() {
    let (_folder, path) = stored(r#"{"revoked":"#);

    assert_damaged(&path, r#"{"revoked":"#);
    assert_damaged(&path, r#"{"revoked":"#);
}

/// - **GIVEN** a store file that holds `{"revoked":`.
/// - **WHEN** the file is set aside by an explicit call, and the store is opened.
/// - **THEN** the call returns a path beside the file, where the same text is found, and the store
///   opens with no revocations.
/// - **AND** the call is an error for a file that is not damaged, and that file stays where it is.
#[test]
fn a_person_decides_about_a_damaged_file() {
    let (_folder, path) = stored(r#"{"revoked":"#);

    let aside = FilePermissionStore::set_damaged_aside(&path).unwrap();

    assert_eq!(aside.parent(), path.parent());
    assert_eq!(fs::read_to_string(aside).unwrap(), r#"{"revoked":"#);
    let store = FilePermissionStore::open(&path).unwrap();
    assert_eq!(store.load().unwrap(), Revocations::default());

    fs::write(&path, r#"{"revoked":{}}"#).unwrap();
    let error = FilePermissionStore::set_damaged_aside(&path).unwrap_err();
    assert!(matches!(error, StoreError::NotDamaged { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), r#"{"revoked":{}}"#);
}

/// - **GIVEN** store files with an unknown capability, with a plugin named twice and with more than a
///   mebibyte.
/// - **WHEN** each is opened.
/// - **THEN** each is an error that names the path of the file, and the file holds the same text.
/// - **AND** a store file of exactly a mebibyte opens.
#[test]
fn what_else_is_damaged() {
    const MEBIBYTE: usize = 1024 * 1024;
    let nothing = r#"{"revoked":{}}"#;
    let longest = nothing.to_owned() + &" ".repeat(MEBIBYTE - nothing.len());
    let too_long = format!("{longest} ");
    for text in [
        r#"{"revoked":{"copilot":["telepathy"]}}"#,
        r#"{"revoked":{"copilot":["automation"],"copilot":["ui"]}}"#,
        &too_long,
    ] {
        let (_folder, path) = stored(text);
        assert_damaged(&path, text);
    }
    let (_folder, path) = stored(&longest);
    assert!(FilePermissionStore::open(&path).is_ok());
}

/// - **GIVEN** a store file that was damaged and set aside, and is damaged again.
/// - **WHEN** it is set aside again.
/// - **THEN** the second text is found at another path, and the first is still where it was.
#[test]
fn damaged_again() {
    let (_folder, path) = stored("first");
    let first = FilePermissionStore::set_damaged_aside(&path).unwrap();
    fs::write(&path, "second").unwrap();
    assert_damaged(&path, "second");

    let second = FilePermissionStore::set_damaged_aside(&path).unwrap();

    assert_ne!(second, first);
    assert_eq!(fs::read_to_string(second).unwrap(), "second");
    assert_eq!(fs::read_to_string(first).unwrap(), "first");
}

/// - **GIVEN** two workbenches on one store file, which both read it before either saved.
/// - **WHEN** the first revokes the `automation` of `copilot`, and the second that of `mail`.
/// - **THEN** the file holds both revocations.
/// - **AND** it holds only that of `mail` after the first restores the `automation` of `copilot`.
#[test]
fn changes_of_two_processes() {
    let (_folder, path) = stored(r#"{"revoked":{}}"#);
    let (first, second) = (bench_in(&path), bench_in(&path));

    first.revoke_automation();
    second.workbench.revoke(&"mail".into(), Capability::Automation).unwrap();

    assert_eq!(contents(&path), json!({ "revoked": { "copilot": ["automation"], "mail": ["automation"] } }));
    first.restore_automation();
    assert_eq!(contents(&path), json!({ "revoked": { "mail": ["automation"] } }));
}

/// - **GIVEN** a process that revokes and restores the `automation` of `copilot` again and again, on
///   one store file.
/// - **WHEN** it is killed 30 times, each time at another moment.
/// - **THEN** after each kill the file holds either the revocation or nothing, and another process can
///   save at once.
/// - **AND** nothing but the file and its lock file is left in the folder.
#[test]
fn killed_while_saving() {
    const FILE: &str = "DRAWLOOM_TEST_SAVES_TO";
    if let Some(path) = env::var_os(FILE) {
        // This is the process that is killed.
        let bench = bench_in(Path::new(&path));
        loop {
            bench.revoke_automation();
            bench.restore_automation();
        }
    }
    let (folder, path) = stored(r#"{"revoked":{}}"#);
    let (_, this) = concat!(module_path!(), "::killed_while_saving").split_once("::").unwrap();
    let whole = [json!({ "revoked": {} }), json!({ "revoked": { "copilot": ["automation"] } })];
    let mut seen = [false, false];
    for round in 0..30 {
        let mut saving = Command::new(env::current_exe().unwrap())
            .args(["--exact", this, "--test-threads", "1"])
            .env(FILE, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // By turns after a revocation and after a restoration, so that both are hit however the processes are scheduled.
        let after = &whole[usize::from(round % 2 == 0)];
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        let started = Instant::now();
        while fs::metadata(&path).unwrap().modified().unwrap() == before || contents(&path) != *after {
            assert!(started.elapsed() < Duration::from_secs(30), "it does not save");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(round * 170));
        saving.kill().unwrap();
        saving.wait().unwrap();

        let held = contents(&path);
        let which = whole.iter().position(|whole| *whole == held).expect("the file is whole");
        seen[which] = true;
        bench_in(&path).workbench.restore(&"copilot".into(), Capability::Automation).unwrap();
        assert_eq!(contents(&path), whole[0]);
    }
    assert_eq!(seen, [true, true], "the kills hit different moments");
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["permissions.json", "permissions.json.lock"]);
}

/// - **GIVEN** a file store that holds a revocation of `automation` for `gone`, a plugin that is never
///   activated.
/// - **WHEN** the `automation` of `copilot` is revoked.
/// - **THEN** the file holds both revocations.
#[test]
fn plugins_nobody_knows_are_kept() {
    let (_folder, path) = stored(r#"{"revoked":{"gone":["automation"]}}"#);
    let bench = bench_in(&path);

    bench.revoke_automation();

    assert_eq!(contents(&path), json!({ "revoked": { "copilot": ["automation"], "gone": ["automation"] } }));
}

/// - **GIVEN** a file store and 8 plugins that hold `automation`.
/// - **WHEN** 8 threads revoke the `automation` of a plugin each, and restore and revoke it again.
/// - **THEN** the file holds the 8 revocations once they all returned.
#[test]
fn revoked_at_once_and_all_kept() {
    watched(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("permissions.json");
        let plugins = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"];
        let store = FilePermissionStore::open(&path).unwrap();
        let composition =
            plugins.iter().fold(usual(), |usual, plugin| usual.grant(*plugin, [Capability::Automation]));
        let bench = bench_on(composition.permission_store(store));
        thread::scope(|scope| {
            for plugin in plugins {
                let workbench = &bench.workbench;
                scope.spawn(move || {
                    workbench.revoke(&plugin.into(), Capability::Automation).unwrap();
                    workbench.restore(&plugin.into(), Capability::Automation).unwrap();
                    workbench.revoke(&plugin.into(), Capability::Automation).unwrap();
                });
            }
        });
        let revoked: Value =
            plugins.map(|plugin| (plugin.to_owned(), json!(["automation"]))).into_iter().collect();
        assert_eq!(contents(&path), json!({ "revoked": revoked }));
    });
}

/// - **GIVEN** two workbenches on one store file.
/// - **WHEN** a thread in each revokes and restores again and again, while the file is read all along.
/// - **THEN** no change is an error, and whatever was read is whole.
#[test]
fn two_writers_of_one_file() {
    watched(|| {
        let (_folder, path) = stored(r#"{"revoked":{}}"#);
        let benches = [bench_in(&path), bench_in(&path)];
        let whole = [json!({ "revoked": {} }), json!({ "revoked": { "copilot": ["automation"] } })];
        let reads = || assert!(whole.contains(&contents(&path)), "half written");
        all_along(1, reads, || {
            thread::scope(|scope| {
                for bench in &benches {
                    scope.spawn(|| {
                        for _ in 0..100 {
                            bench.revoke_automation();
                            bench.restore_automation();
                        }
                    });
                }
            });
        });
    });
}
