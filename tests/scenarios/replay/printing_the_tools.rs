//! `drawloom tools`.

use serde_json::json;

use super::support::{Folder, printed_tools, usual};

/// - **WHEN** `drawloom tools` is run on the usual file.
/// - **THEN** it prints one JSON array with the tools `notes__open` and `notes__ping`, in this order, and
///   exits 0.
#[test]
fn one_array_of_tools() {
    let tools = printed_tools(&usual());
    let [open, ping] = &tools.as_array().unwrap()[..] else { panic!("{tools}") };
    assert_eq!((&open["name"], &ping["name"]), (&"notes__open".into(), &"notes__ping".into()));
    assert_eq!(open["description"], "Opens a note in the editor.");
    assert_eq!(open["parameters"]["properties"]["path"]["type"], "string");
    assert_eq!(ping["description"], "Ping", "the protocol demands a description");
}

/// - **GIVEN** the usual file in which `copilot` declares nothing.
/// - **WHEN** `drawloom tools` is run on it.
/// - **THEN** it prints `[]` and exits 0, and standard error names `copilot` and `automation`.
#[test]
fn a_grant_that_does_nothing() {
    let mut file = usual();
    file["plugins"][1]["declares"] = json!([]);
    let folder = Folder::new();
    folder.write("file.json", &file.to_string());
    let output = folder.drawloom(&["tools", "file.json"], "");
    assert_eq!((output.code, output.stdout.as_str()), (Some(0), "[]\n"));
    let told = output.stderr.lines().find(|line| line.contains("\"automation\"")).unwrap();
    assert!(told.contains("\"copilot\""), "{told}");
}
