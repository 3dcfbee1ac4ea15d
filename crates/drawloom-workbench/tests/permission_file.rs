//! What others may do to the file of a permission store, and what must hold all the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and its helpers are part of it")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use drawloom_workbench::{
    Capability, FilePermissionStore, PermissionStore, WithStore, Workbench, WorkbenchBuilder,
};
use tempfile::TempDir;

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("permissions.json");
    (folder, path)
}

fn builder(path: &Path) -> WorkbenchBuilder<WithStore> {
    Workbench::builder().permission_store(FilePermissionStore::open(path).unwrap())
}

fn is_kept(path: &Path, plugin: &str) -> bool {
    FilePermissionStore::open(path)
        .unwrap()
        .load()
        .unwrap()
        .of(&plugin.into())
        .contains(Capability::Automation)
}

#[test]
fn workbenches_of_one_builder_keep_each_others_changes() {
    let (_folder, path) = file();
    let everybody = builder(&path);
    let (ada, bob) = (everybody.clone().build().unwrap(), everybody.build().unwrap());
    ada.revoke(&"copilot".into(), Capability::Automation).unwrap();
    bob.revoke(&"mail".into(), Capability::Automation).unwrap();
    ada.revoke(&"chat".into(), Capability::Automation).unwrap();
    assert!(["copilot", "mail", "chat"].into_iter().all(|plugin| is_kept(&path, plugin)));
}

#[test]
fn what_another_process_revoked_can_be_restored_without_knowing_of_it() {
    let (_folder, path) = file();
    let (first, second) = (builder(&path).build().unwrap(), builder(&path).build().unwrap());
    first.revoke(&"copilot".into(), Capability::Automation).unwrap();
    second.restore(&"copilot".into(), Capability::Automation).unwrap();
    assert!(!is_kept(&path, "copilot"));
}

#[test]
fn revocations_of_the_builder_are_in_force_beside_those_of_the_store() {
    let (_folder, path) = file();
    fs::write(&path, r#"{"revoked":{"mail":["automation"]}}"#).unwrap();
    let workbench = builder(&path).revoked("copilot", [Capability::Automation]).build().unwrap();
    workbench.activate(drawloom_workbench::Plugin::new("mail").declares([Capability::Automation])).unwrap();
    workbench
        .activate(drawloom_workbench::Plugin::new("copilot").declares([Capability::Automation]))
        .unwrap();
    let report = workbench.permissions();
    assert_eq!(report.len(), 2);
    assert!(report.iter().all(|plugin| plugin.capabilities[0].revoked), "{report:?}");
    // Not kept before anything is saved, and kept with the next change, whatever that is.
    assert!(!is_kept(&path, "copilot"));
    workbench.restore(&"chat".into(), Capability::Automation).unwrap();
    assert!(is_kept(&path, "copilot") && is_kept(&path, "mail"));
}

#[test]
fn a_file_that_is_damaged_while_the_application_runs_is_not_overwritten() {
    let (_folder, path) = file();
    let workbench = builder(&path).build().unwrap();
    fs::write(&path, "damaged").unwrap();
    assert!(workbench.revoke(&"copilot".into(), Capability::Automation).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "damaged");
    fs::remove_file(&path).unwrap();
    // What could not be kept is kept with the next change.
    workbench.revoke(&"mail".into(), Capability::Automation).unwrap();
    assert!(is_kept(&path, "copilot") && is_kept(&path, "mail"));
}

#[test]
fn a_save_waits_for_whoever_holds_the_lock() {
    let (folder, path) = file();
    let workbench = builder(&path).build().unwrap();
    let held = File::create(folder.path().join("permissions.json.lock")).unwrap();
    held.lock().unwrap();
    let (saved, is_saved) = mpsc::channel();
    let saving = thread::spawn(move || {
        workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
        saved.send(()).unwrap();
    });
    assert!(is_saved.recv_timeout(Duration::from_millis(200)).is_err(), "it did not wait");
    assert!(!path.exists());
    drop(held);
    is_saved.recv_timeout(Duration::from_secs(10)).unwrap();
    saving.join().unwrap();
    assert!(is_kept(&path, "copilot"));
}

#[cfg(unix)]
#[test]
fn links_that_were_planted_beside_the_file_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let (folder, path) = file();
    let victim = folder.path().join("victim");
    fs::write(&victim, "unharmed").unwrap();
    // Names that can be guessed: that of the lock file, and those that a new file might have.
    let pid = std::process::id();
    for name in
        ["permissions.json.lock", ".permissions.json.new", "permissions.json.new", "permissions.json.tmp"]
    {
        symlink(&victim, folder.path().join(name)).unwrap();
    }
    symlink(&victim, folder.path().join(format!(".permissions.json.{pid}.new"))).unwrap();
    let workbench = builder(&path).build().unwrap();
    workbench.revoke(&"copilot".into(), Capability::Automation).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "unharmed");
    assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
    assert!(is_kept(&path, "copilot"));
}

#[test]
fn what_a_killed_process_left_is_removed_and_nothing_else() {
    let (folder, path) = file();
    let left = folder.path().join(".permissions.json.abcdEF012345.new");
    let others =
        [".permissions.json.bak.new", ".other.json.abcdEF012345.new", ".permissions.json.abc.EF0123456.new"];
    for name in others.into_iter().map(|name| folder.path().join(name)).chain([left.clone()]) {
        fs::write(name, "half").unwrap();
    }
    builder(&path).build().unwrap().revoke(&"copilot".into(), Capability::Automation).unwrap();
    assert!(!left.exists());
    for other in others {
        assert!(folder.path().join(other).exists(), "{other}");
    }
}
