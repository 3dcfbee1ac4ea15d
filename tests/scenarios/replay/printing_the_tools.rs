//! `drawloom tools`.

use super::support::{printed_tools, usual};

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
