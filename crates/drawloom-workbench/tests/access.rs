//! What an adapter and an application use: offers by tool name, origins of calls, the application's own context, and
//! state for handlers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and its helpers are part of it")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use drawloom_command::{
    Argument, CallOrigin, Command, CommandAccess, CommandArguments, CommandOutcome, DecisionBasis,
    DecisionSource, Refusal, tool_name,
};
use drawloom_workbench::{
    ActivateError, AuditRecord, Call, Capability, Cause, Plugin, PluginContext, RegisterError, Registry,
    Session, Workbench,
};
use futures::executor::block_on;

fn plugins(workbench: &Workbench) -> (PluginContext, PluginContext) {
    let notes = Plugin::new("notes").declares([Capability::Contributions]);
    let copilot = Plugin::new("copilot").declares([Capability::Automation]);
    (workbench.activate(notes).unwrap(), workbench.activate(copilot).unwrap())
}

fn workbench() -> Workbench {
    Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build()
}

#[test]
fn a_tool_name_finds_exactly_the_offered_command_of_that_name() {
    let workbench = workbench();
    let (notes, copilot) = plugins(&workbench);
    for id in ["notes.open", "notes__open", "äpfel/öffnen now"] {
        let command = Command::new(id, "Open").callable();
        let handle = notes.register(command, |_: Call| async { Ok(()) }).unwrap();
        let name = tool_name(id);

        let offer = copilot.offer_by_tool_name(&name).unwrap();
        assert_eq!(offer.id, id);
        assert_eq!(Some(&offer), copilot.offer(&id.into()).as_ref());
        assert_eq!(copilot.offer_by_tool_name(id), None, "an id is not a name");

        drop(handle);
        assert_eq!(copilot.offer_by_tool_name(&name), None, "{id} is gone");
    }
}

#[test]
fn a_tool_name_of_what_is_not_offered_finds_nothing() {
    let workbench = workbench();
    let (notes, copilot) = plugins(&workbench);
    let quiet = |_: Call| async { Ok(()) };
    let _closed = notes.register(Command::new("notes.closed", "Closed"), quiet).unwrap();
    let admin = Command::new("notes.admin", "Admin").callable().any_role(["admin"]);
    let _admin = notes.register(admin, quiet).unwrap();
    for name in ["notes__closed", "notes__admin", "notes__ghost", "a___0123456789abcdef"] {
        assert_eq!(copilot.offer_by_tool_name(name), None, "{name}");
    }
    workbench.set_session(Session::authenticated(["admin"]));
    assert!(copilot.offer_by_tool_name("notes__admin").is_some());
}

#[test]
fn a_command_registered_again_is_found_by_its_name_again() {
    let workbench = workbench();
    let (notes, copilot) = plugins(&workbench);
    let command = || Command::new("notes.open", "Open").callable();
    notes.register(command(), |_: Call| async { Ok(()) }).unwrap().keep();
    let first = copilot.offer_by_tool_name("notes__open").unwrap();
    workbench.deactivate(&"notes".into());
    assert_eq!(copilot.offer_by_tool_name("notes__open"), None);

    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap();
    notes.register(command(), |_: Call| async { Ok(()) }).unwrap().keep();
    let second = copilot.offer_by_tool_name("notes__open").unwrap();
    assert_ne!(first.registration, second.registration);
}

/// Contract W25: no source of choices is read for a command that is out of reach.
#[test]
fn no_choice_is_read_for_what_is_out_of_reach() {
    let workbench = workbench();
    let (notes, copilot) = plugins(&workbench);
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    let note = Argument::choice_from("note", move || {
        counted.fetch_add(1, Ordering::Relaxed);
        vec!["inbox".to_owned()]
    });
    let command = Command::new("notes.open", "Open").argument(note.required()).callable().any_role(["admin"]);
    let _open = notes.register(command, |_: Call| async { Ok(()) }).unwrap();

    assert!(copilot.invocable_commands().is_empty());
    assert_eq!(copilot.offer(&"notes.open".into()), None);
    assert_eq!(copilot.offer_by_tool_name("notes__open"), None);
    let with_note = CommandArguments::new().with("note", "inbox");
    let refused = CommandOutcome::Refused(Refusal::unavailable());
    assert_eq!(block_on(copilot.invoke("notes.open", with_note)), refused);
    assert!(workbench.triggerable_commands().is_empty());
    assert_eq!(reads.load(Ordering::Relaxed), 0);

    workbench.set_session(Session::authenticated(["admin"]));
    assert!(copilot.offer_by_tool_name("notes__open").is_some());
    assert_ne!(reads.load(Ordering::Relaxed), 0);
}

#[test]
fn the_origin_of_a_call_is_in_its_record_on_every_route() {
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = records.clone();
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .audit(move |record: &AuditRecord| kept.lock().unwrap().push(record.clone()))
        .build();
    let (notes, copilot) = plugins(&workbench);
    let path = Argument::text("path").required();
    let open = Command::new("notes.open", "Open").argument(path).callable();
    let _open = notes.register(open, |_: Call| async { Ok(()) }).unwrap();
    let offer = copilot.offer_by_tool_name("notes__open").unwrap();
    let arguments = CommandArguments::new().with("path", "inbox");
    let origin = |id: &str| CallOrigin::new(id).run("run-1").thread("thread-1").agent("copilot");
    let basis = DecisionBasis::new(DecisionSource::Asked).decided_by("ada");

    block_on(copilot.invoke_offered(&offer, arguments, origin("c1").basis(basis.clone())));
    copilot.review(&offer, &CommandArguments::new(), &origin("c2")).unwrap_err();
    copilot.refuse(&"notes.ghost".into(), &origin("c3"));
    block_on(workbench.trigger("notes.ghost"));

    let records = records.lock().unwrap();
    let told: Vec<_> = records.iter().map(|record| (record.origin.clone(), record.cause())).collect();
    let expected = [
        (origin("c1").basis(basis), None),
        (origin("c2"), Some(Cause::Arguments)),
        (origin("c3"), Some(Cause::NotOffered)),
        (CallOrigin::default(), Some(Cause::Unknown)),
    ];
    assert_eq!(told, expected);

    let first = serde_json::to_value(&records[0]).unwrap();
    assert_eq!(first["origin"]["callId"], "c1");
    assert_eq!(first["origin"]["basis"]["decidedBy"], "ada");
    assert_eq!(serde_json::to_value(&records[3]).unwrap().get("origin"), None);
}

#[test]
fn the_application_registers_without_a_grant_and_holds_nothing_else() {
    let workbench = Workbench::builder().build();
    let application = workbench.application();
    application.register(Command::new("app.quit", "Quit"), |_: Call| async { Ok(()) }).unwrap().keep();
    assert_eq!(block_on(workbench.trigger("app.quit")), CommandOutcome::Answered { value: None });

    assert!(application.holds(Capability::Contributions));
    for capability in [Capability::Automation, Capability::Session, Capability::Ui] {
        assert!(!application.holds(capability), "{capability}");
    }
    let report = workbench.permissions();
    let state = report[0].capabilities[0];
    assert_eq!((report[0].plugin.as_str(), state.capability), ("application", Capability::Contributions));
    assert!(state.granted && !state.revoked && !state.revocable);
    assert!(workbench.revoke(application.plugin(), Capability::Contributions).is_err());
}

#[test]
fn the_application_is_one_plugin_on_a_registry_and_its_id_is_reserved() {
    let registry = Registry::new();
    let first = Workbench::builder().registry(registry.clone()).build();
    let second = Workbench::builder().registry(registry).build();
    let application = first.application();
    let quit = |_: Call| async { Ok(()) };
    application.register(Command::new("app.quit", "Quit"), quit).unwrap().keep();
    // The id is taken by the application itself, so both contexts belong to one activation.
    let taken = second.application().register(Command::new("app.quit", "Quit"), quit).unwrap_err();
    assert!(matches!(taken, RegisterError::CommandTaken { owner, .. } if owner == "application"));
    assert_eq!(block_on(second.trigger("app.quit")), CommandOutcome::Answered { value: None });

    let error = first.activate(Plugin::new("application")).unwrap_err();
    assert_eq!((error.clone(), error.code()), (ActivateError::ReservedId, "reserved-plugin-id"));

    assert!(first.deactivate(application.plugin()));
    assert!(application.register(Command::new("app.again", "Again"), quit).is_err());
    assert!(first.application().register(Command::new("app.again", "Again"), quit).is_ok());
}

#[test]
fn a_handler_reads_the_state_from_its_call() {
    struct Editor {
        opened: Mutex<Vec<String>>,
    }

    let workbench = workbench();
    let editor = Arc::new(Editor { opened: Mutex::default() });
    let notes = workbench.application().with_state(editor.clone());
    let open = Command::new("notes.open", "Open").argument(Argument::text("path").required());
    notes
        .register(open, |call: Call<Arc<Editor>>| async move {
            let path = call.text("path")?.to_owned();
            call.state().opened.lock().unwrap().push(path);
            Ok(())
        })
        .unwrap()
        .keep();
    let arguments = CommandArguments::new().with("path", "inbox");
    block_on(workbench.trigger_with("notes.open", arguments));
    assert_eq!(*editor.opened.lock().unwrap(), ["inbox"]);
}
