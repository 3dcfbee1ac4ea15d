//! The check SHALL read the commands of the workbench files in the directory.

use drawloom_validate::{FindingStatus, Rule};

use super::support::{only, place, report};

/// - **GIVEN** `notes.json`, a workbench file with a described command in line 3, which the file makes callable, and
///   `package.json`, which is not a workbench file.
/// - **WHEN** the directory is judged.
/// - **THEN** the one finding is for the command at `notes.json`, line 3, and says that it is offered.
#[test]
fn commands_of_a_workbench_file() {
    let notes = r#"{ "plugins": [
  { "id": "notes", "commands": [
    { "id": "notes.open", "title": "Title", "description": "Opens a note.", "callable": true } ] } ] }"#;
    let report = report(&[("notes.json", notes), ("package.json", r#"{ "name": "a", "plugins": ["b"] }"#)]);
    let finding = only(&report);
    assert_eq!((finding.command.as_deref(), place(finding)), (Some("notes.open"), ("notes.json", 3)));
    assert!(matches!(finding.status, FindingStatus::Offered(_)), "{finding:#?}");
    assert_eq!(report.problems, []);
}

/// - **GIVEN** `notes.json`, a workbench file with the unknown field `colour` in line 4.
/// - **WHEN** the directory is judged.
/// - **THEN** the file is reported as could not be read, at line 4, and the reason names `colour`.
#[test]
fn a_workbench_file_that_is_wrong() {
    let notes = r#"{ "plugins": [
  { "id": "notes", "commands": [
    { "id": "notes.open", "title": "Title",
      "colour": "red" } ] } ] }"#;
    let report = report(&[("notes.json", notes)]);
    let [problem] = &report.problems[..] else { panic!("{report:#?}") };
    let location = problem.location.as_ref().unwrap();
    assert_eq!((problem.rule, &*location.path, location.line), (Rule::UnreadableFile, "notes.json", 4));
    assert!(problem.message.contains("colour"), "{}", problem.message);
}
