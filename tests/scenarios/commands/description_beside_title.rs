//! The workbench SHALL hand out a description only where the command was given one, and SHALL NOT use the title in
//! its place.

use drawloom::command::Command;

use super::support::bench;

/// - **GIVEN** the command `notes.open` with the title `Open note` and no description.
/// - **WHEN** `invocable_commands()` is read.
/// - **THEN** the entry `notes.open` has the title `Open note` and no description.
#[test]
fn a_missing_description_stays_missing() {
    let bench = bench();
    bench.register_idle(Command::new("notes.open", "Open note").callable());

    let entry = bench.entry("notes.open");

    assert_eq!(&*entry.title, "Open note");
    assert_eq!(entry.description, None);
}
