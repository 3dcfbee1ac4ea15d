//! An agent's access to a workbench with one command in it, which does nothing.

use drawloom::prelude::*;

/// The access to `command`, which is there as long as its registration.
pub(crate) fn reaching(command: Command) -> (PluginContext, Registration) {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    let registration = notes.register(command, |_: Call| async { Ok(()) }).unwrap();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation])).unwrap();
    (copilot, registration)
}
