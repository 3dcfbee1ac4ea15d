//! Each call of `list()` SHALL read the workbench again and SHALL return one AG-UI tool for each command that the
//! agent can reach.

use super::support::{bench, callable};

/// - **GIVEN** `list()`, which held `notes__open` and `notes__ping`.
/// - **WHEN** `notes.ping` is unregistered, `notes.close` is registered and `list()` is called again.
/// - **THEN** it holds `notes__close` and `notes__open` alone.
#[test]
fn asked_again_each_time() {
    let bench = bench();
    let agent = bench.agent();
    assert_eq!(agent.names(), ["notes__open", "notes__ping"]);
    bench.withdraw("notes.ping");
    bench.has(callable("notes.close"));
    assert_eq!(agent.names(), ["notes__close", "notes__open"]);
}
