//! What a caller could learn by trying: nothing of what is out of its reach (contract W25).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, and its helpers are part of it")]

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

use drawloom_command::{
    Argument, CallOrigin, Command, CommandAccess, CommandArguments, CommandOutcome, Refusal, tool_name,
};
use drawloom_workbench::{
    ActivateError, AuditRecord, Call, Caller, Capability, Cause, Changes, MenuItem, Notice, Plugin,
    PluginContext, RegisterError, Registration, Session, Window, Workbench,
};
use futures::Stream;
use futures::executor::block_on;

fn workbench() -> Workbench {
    Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .grant("mail", [Capability::Automation])
        .build()
}

fn notes(workbench: &Workbench) -> PluginContext {
    workbench.activate(Plugin::new("notes").declares([Capability::Contributions])).unwrap()
}

fn with_automation(workbench: &Workbench, id: &str) -> PluginContext {
    workbench.activate(Plugin::new(id).declares([Capability::Automation])).unwrap()
}

fn registered(plugin: &PluginContext, command: Command) -> Registration {
    plugin.register(command, |_: Call| async { Ok(()) }).unwrap()
}

fn open() -> Command {
    Command::new("notes.open", "Open").callable()
}

/// A subscription, and how often its waker ran.
struct Watching {
    changes: Changes,
    wakes: Arc<Wakes>,
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Watching {
    fn of(plugin: &PluginContext) -> Self {
        let mut watching = Self { changes: plugin.changes(), wakes: Arc::default() };
        assert!(!watching.yields());
        watching
    }

    fn yields(&mut self) -> bool {
        let waker = Waker::from(self.wakes.clone());
        matches!(
            Pin::new(&mut self.changes).poll_next(&mut Context::from_waker(&waker)),
            Poll::Ready(Some(()))
        )
    }

    fn wakes(&self) -> usize {
        self.wakes.0.swap(0, Ordering::Relaxed)
    }
}

#[test]
fn nobody_is_woken_for_what_is_out_of_reach() {
    let workbench = workbench();
    let notes = notes(&workbench);
    let copilot = with_automation(&workbench, "copilot");
    let stranger = workbench.activate(Plugin::new("stranger")).unwrap();
    let (mut reaches, mut nothing) = (Watching::of(&copilot), Watching::of(&stranger));

    let closed = registered(&notes, Command::new("notes.secret", "Secret"));
    let admin = registered(&notes, Command::new("notes.purge", "Purge").callable().any_role(["admin"]));
    drop((closed, admin));
    workbench.set_session(Session::authenticated(["editor"]));
    workbench.revoke(&"mail".into(), Capability::Automation).unwrap();
    workbench.announce_change();
    let other = workbench.activate(Plugin::new("other")).unwrap();
    workbench.deactivate(other.plugin());
    assert_eq!((reaches.wakes(), nothing.wakes()), (0, 0));

    let _open = registered(&notes, open());
    workbench.announce_change();
    workbench.set_window(Window::Popout);
    assert_eq!((reaches.wakes(), nothing.wakes()), (1, 0), "once until it is polled");
    assert!(!reaches.yields(), "it came and went between two polls");
    workbench.set_window(Window::Main);
    assert_eq!((reaches.wakes(), nothing.wakes()), (1, 0));
    assert!(reaches.yields() && !nothing.yields());
}

#[test]
fn a_watcher_yields_for_its_own_list_only_and_for_each_way_that_it_changes() {
    let workbench = workbench();
    let notes_context = notes(&workbench);
    let copilot = with_automation(&workbench, "copilot");
    let mut watching = Watching::of(&copilot);
    let open_handle = registered(&notes_context, open());
    assert!(watching.yields());
    // Removed and registered again between two polls: another registration is another command.
    drop(open_handle);
    let _open = registered(&notes_context, open());
    assert!(watching.yields());

    assert_eq!(watching.wakes(), 2);
    workbench.deactivate(notes_context.plugin());
    assert_eq!(watching.wakes(), 1);
    assert!(watching.yields(), "deactivating a plugin removes its commands");
    assert!(!watching.yields());

    let notes = notes(&workbench);
    let _open = registered(&notes, open());
    assert!(watching.yields());
    assert_eq!(watching.wakes(), 1);
    workbench.deactivate(copilot.plugin());
    assert_eq!(watching.wakes(), 1, "its owner was deactivated");
    assert!(watching.yields());
    let _second = registered(&notes, Command::new("notes.close", "Close").callable());
    assert_eq!(watching.wakes(), 0);
}

#[test]
fn a_watcher_that_is_not_polled_for_long_reads_its_whole_list() {
    let workbench = workbench();
    let notes = notes(&workbench);
    let mut watching = Watching::of(&with_automation(&workbench, "copilot"));
    let register =
        |number: usize| registered(&notes, Command::new(format!("notes.{number}"), "N").callable());
    let many: Vec<_> = (0..1_100).map(register).collect();
    assert_eq!(watching.wakes(), 1);
    assert!(watching.yields());
    drop(many);
    assert!(watching.yields());
    let again: Vec<_> = (0..1_100).map(register).collect();
    drop(again);
    assert!(!watching.yields(), "the list is what it was");
}

#[test]
fn what_changes_while_a_list_is_read_is_not_missed() {
    let (workbench, late) =
        (Workbench::builder(), Arc::new(Mutex::new(None::<(PluginContext, Vec<Registration>)>)));
    let registers = late.clone();
    let workbench = workbench
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .translator(move |_: &str| {
            let first = registers.lock().unwrap().take();
            if let Some((notes, mut handles)) = first {
                handles.push(registered(&notes, Command::new("notes.late", "Late").callable()));
                handles.into_iter().for_each(Registration::keep);
            }
            None
        })
        .build();
    let notes = notes(&workbench);
    let mut watching = Watching::of(&with_automation(&workbench, "copilot"));
    *late.lock().unwrap() = Some((notes.clone(), Vec::new()));
    let _open = registered(&notes, open());
    assert!(watching.yields(), "notes.open");
    assert!(watching.yields(), "notes.late was registered while the list was read");
    assert!(!watching.yields());
}

#[test]
fn a_deactivated_context_reads_nothing() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let counted = told.clone();
    let workbench = Workbench::builder()
        .grant(
            "mail",
            [Capability::Automation, Capability::Contributions, Capability::Session, Capability::Ui],
        )
        .grant("notes", [Capability::Contributions])
        .notifier(move |notice: &Notice| counted.lock().unwrap().push(notice.clone()))
        .build();
    let _open = registered(&notes(&workbench), open());
    let mail = workbench.activate(Plugin::new("mail").declares(Capability::ALL)).unwrap();
    assert!(mail.session().is_ok() && mail.tell("hello").is_ok());
    assert!(mail.offer(&"notes.open".into()).is_some());

    workbench.deactivate(mail.plugin());
    let again = workbench.activate(Plugin::new("mail").declares(Capability::ALL)).unwrap();
    assert!(again.holds(Capability::Session));
    assert!(Capability::ALL.into_iter().all(|capability| !mail.holds(capability)));
    told.lock().unwrap().clear();
    assert!(mail.session().is_err() && mail.tell("hello").is_err());
    assert!(told.lock().unwrap().is_empty(), "no grant is missing");
    assert!(mail.invocable_commands().is_empty());
    assert_eq!(mail.offer(&"notes.open".into()), None);
    assert_eq!(mail.offer_by_tool_name("notes__open"), None);
    let unavailable = CommandOutcome::Refused(Refusal::unavailable());
    assert_eq!(block_on(mail.invoke("notes.open", CommandArguments::new())), unavailable);
    let item = mail.register_menu_item(MenuItem::new("mail.item", "Open", "notes.open"));
    assert!(matches!(item, Err(RegisterError::Inactive { .. })));
}

#[test]
fn a_hidden_command_is_not_found_by_the_digest_name_of_its_tool() {
    let workbench = workbench();
    let notes = notes(&workbench);
    let copilot = with_automation(&workbench, "copilot");
    let id = "äpfel/öffnen now";
    let name = tool_name(id);
    let hidden = registered(&notes, Command::new(id, "Open"));
    assert_eq!(copilot.offer_by_tool_name(&name), None);
    assert_eq!(notes.offer_by_tool_name(&name), None, "not even its own plugin is offered it");
    drop(hidden);
    let _callable = registered(&notes, Command::new(id, "Open").callable());
    assert!(copilot.offer_by_tool_name(&name).is_some());
}

#[test]
fn a_command_that_no_call_could_match_is_not_offered() {
    let workbench = workbench();
    let notes = notes(&workbench);
    let copilot = with_automation(&workbench, "copilot");
    let choices = Arc::new(Mutex::new(Vec::<String>::new()));
    let source = choices.clone();
    let note = Argument::choice_from("note", move || source.lock().unwrap().clone()).required();
    let _open = registered(&notes, open().argument(note));
    assert_eq!(copilot.offer(&"notes.open".into()), None);
    assert_eq!(copilot.offer_by_tool_name("notes__open"), None);
    choices.lock().unwrap().push("inbox".to_owned());
    assert!(copilot.offer(&"notes.open".into()).is_some());
}

#[test]
fn refusals_of_an_agent_are_in_the_audit_with_their_caller() {
    let records = Arc::new(Mutex::new(Vec::new()));
    let kept = records.clone();
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .audit(move |record: &AuditRecord| kept.lock().unwrap().push(record.clone()))
        .build();
    let notes = notes(&workbench);
    let copilot = with_automation(&workbench, "copilot");
    let _open = registered(&notes, open());
    let offer = copilot.offer(&"notes.open".into()).unwrap();
    let origin = CallOrigin::new("c1");
    let ghost = copilot.refuse(&"notes.ghost".into(), &origin);
    let undeclared = CommandArguments::new().with("colour", "red");
    let reviewed = copilot.review(&offer, &undeclared, &origin).unwrap_err();
    let invoked = block_on(copilot.invoke_offered(&offer, undeclared, origin.clone()));

    let records = records.lock().unwrap();
    let told: Vec<_> =
        records.iter().map(|record| (record.outcome().unwrap().clone(), record.cause())).collect();
    let expected = [
        (CommandOutcome::Refused(ghost), Some(Cause::NotOffered)),
        (CommandOutcome::Refused(reviewed), Some(Cause::Arguments)),
        (invoked, Some(Cause::Arguments)),
    ];
    assert_eq!(told, expected);
    for record in records.iter() {
        assert_eq!(record.caller, Caller::Plugin("copilot".into()));
        assert_eq!(record.origin, origin);
    }
}

#[test]
fn contributions_are_not_revoked_by_the_builder_either() {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .revoked("notes", [Capability::Contributions])
        .build();
    let notes = notes(&workbench);
    assert!(notes.holds(Capability::Contributions));
    assert!(!workbench.permissions()[0].capabilities[0].revoked);
}

#[test]
fn an_old_handle_of_a_menu_item_spares_a_new_item() {
    let workbench = workbench();
    let first = notes(&workbench);
    let item = || MenuItem::new("notes.menu.open", "Open", "notes.open");
    let old = first.register_menu_item(item()).unwrap();
    workbench.deactivate(first.plugin());
    let second = notes(&workbench);
    let _open = registered(&second, open());
    second.register_menu_item(item()).unwrap().keep();
    drop(old);
    assert_eq!(workbench.menu_items().len(), 1);
}

#[test]
fn a_plugin_is_activated_once() {
    let workbench = workbench();
    let first = notes(&workbench);
    let _open = registered(&first, open());
    let error = workbench.activate(Plugin::new("notes")).unwrap_err();
    assert_eq!(error, ActivateError::AlreadyActive { plugin: "notes".into() });
    assert!(first.holds(Capability::Contributions), "the first activation is unchanged");
    assert_eq!(workbench.triggerable_commands().len(), 1);
}
