//! Every refusal makes the same look-ups, so that how long it takes says nothing about its cause (contract W25).

use std::sync::{Arc, Mutex};

use drawloom_command::{Command, CommandAccess, CommandArguments};
use futures::executor::block_on;

use crate::{AuditRecord, Call, Capability, Cause, Plugin, PluginContext, Window, Workbench, lookups};

struct Setup {
    _workbench: Workbench,
    copilot: PluginContext,
    mail: PluginContext,
    causes: Arc<Mutex<Vec<Option<Cause>>>>,
}

/// A popout window in which each of these commands is refused for a reason of its own.
fn setup() -> Setup {
    let causes = Arc::new(Mutex::new(Vec::new()));
    let kept = causes.clone();
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .window(Window::Popout)
        .audit(move |record: &AuditRecord| kept.lock().unwrap().push(record.cause()))
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    for command in [
        Command::new("notes.secret", "Secret").popout(),
        Command::new("notes.purge", "Purge").popout().callable().any_role(["admin"]),
        Command::new("notes.open", "Open").callable(),
        Command::new("notes.zoom", "Zoom").popout().callable(),
        Command::new("notes.save", "Save").popout().callable().available_when("Never", || false),
    ] {
        notes.register(command, |_: Call| async { Ok(()) }).unwrap().keep();
    }
    let automation = |id: &str| Plugin::new(id).declares([Capability::Automation]);
    let copilot = workbench.activate(automation("copilot")).unwrap();
    let mail = workbench.activate(automation("mail")).unwrap();
    Setup { _workbench: workbench, copilot, mail, causes }
}

/// By hand: the command, the state, whether the plugin is active, and the command once more.
const LOOKUPS: [&str; 4] = ["command", "state", "activation", "command"];

#[test]
fn every_refusal_of_an_invocation_makes_the_same_lookups() {
    let Setup { _workbench, copilot, mail, causes } = setup();
    for (plugin, id, cause) in [
        (&copilot, "notes.ghost", Cause::Unknown),
        (&copilot, "notes.secret", Cause::NotCallable),
        (&copilot, "notes.purge", Cause::Session),
        (&copilot, "notes.open", Cause::Window),
        (&copilot, "notes.save", Cause::NotAvailable),
        (&mail, "notes.zoom", Cause::MissingGrant),
        (&mail, "notes.ghost", Cause::Unknown),
    ] {
        let made = lookups::during(|| drop(block_on(plugin.invoke(id, CommandArguments::new()))));
        assert_eq!(made, LOOKUPS, "{id}");
        assert_eq!(causes.lock().unwrap().pop(), Some(Some(cause)), "{id}");
    }
}

#[test]
fn every_refusal_of_what_was_not_offered_makes_the_same_lookups() {
    let Setup { _workbench, copilot, mail, causes: _ } = setup();
    for (plugin, id) in [
        (&copilot, "notes.ghost"),
        (&copilot, "notes.secret"),
        (&copilot, "notes.purge"),
        (&copilot, "notes.open"),
        (&mail, "notes.zoom"),
        // Within reach, and all the same not offered to whoever asks.
        (&copilot, "notes.zoom"),
    ] {
        let refused = lookups::during(|| drop(plugin.refuse(&id.into(), &Default::default())));
        assert_eq!(refused, LOOKUPS, "{id}");
    }
}

#[test]
fn every_offer_that_is_not_made_makes_the_same_lookups() {
    let Setup { _workbench, copilot, mail, causes: _ } = setup();
    for (plugin, id) in [
        (&copilot, "notes.ghost"),
        (&copilot, "notes.secret"),
        (&copilot, "notes.purge"),
        (&copilot, "notes.open"),
        (&copilot, "notes.save"),
        (&mail, "notes.zoom"),
    ] {
        let made = lookups::during(|| assert_eq!(plugin.offer(&id.into()), None, "{id}"));
        assert_eq!(made, ["command", "state", "activation"], "{id}");
        let name = drawloom_command::tool_name(id);
        let made = lookups::during(|| assert_eq!(plugin.offer_by_tool_name(&name), None, "{id}"));
        assert_eq!(made, ["tool", "state", "activation"], "{id}");
    }
}
