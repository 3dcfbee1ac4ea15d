//! `invocable_commands()` SHALL contain, ordered by id and in the active language, exactly the callable commands that
//! would run if the caller invoked them at that moment.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use drawloom::command::{AccessRequirement, Argument, CommandArguments, Role};
use drawloom::workbench::{Capability, Session, Window};

use crate::support::{
    assert_answered, assert_unavailable, bench, bench_on, callable, closed, has, invocable, invoke_with,
    usual,
};

/// - **GIVEN** `notes.c`, `notes.a` and `notes.b`, registered in that order.
/// - **WHEN** the list is read.
/// - **THEN** its ids are `notes.a`, `notes.b` and `notes.c`.
#[test]
fn ordered_by_id() {
    let bench = bench();
    for id in ["notes.c", "notes.a", "notes.b"] {
        bench.has(callable(id));
    }

    assert_eq!(invocable(&bench.copilot), ["notes.a", "notes.b", "notes.c"]);
}

/// A registered command, as the naive account below judges it.
struct Case {
    id: String,
    is_callable: bool,
    is_popout: bool,
    is_own: bool,
    access: AccessRequirement,
}

/// Every command there is to tell apart. One that is closed to others is never `copilot`'s own: it would run and not
/// be listed.
fn cases() -> Vec<Case> {
    let roles = |roles: &[&str]| roles.iter().copied().map(Role::from).collect();
    let accesses = [
        AccessRequirement::Anyone,
        AccessRequirement::Authenticated,
        AccessRequirement::Anonymous,
        AccessRequirement::AnyRole(roles(&["editor", "root"])),
        AccessRequirement::AllRoles(roles(&["editor", "owner"])),
    ];
    let mut cases = Vec::new();
    for access in &accesses {
        for is_popout in [false, true] {
            for (is_own, is_callable) in [(true, true), (false, true), (false, false)] {
                let id = format!("case.{:02}", cases.len());
                cases.push(Case { id, is_callable, is_popout, is_own, access: access.clone() });
            }
        }
    }
    cases
}

/// - **GIVEN** commands that differ in `callable`, access, `popout` and the plugin that registered them.
/// - **WHEN** `copilot` reads the list and invokes every registered command with arguments that match its
///   declaration.
/// - **THEN** every listed command runs and every other is refused as `unavailable`.
#[test]
fn exactly_what_would_run() {
    let cases = cases();
    let bench = bench_on(usual().grant("copilot", [Capability::Contributions]));
    bench.workbench.deactivate(&"copilot".into());
    let copilot = bench.plugin("copilot", [Capability::Contributions, Capability::Automation]);
    for case in &cases {
        let mut command = if case.is_callable { callable(&case.id) } else { closed(&case.id) };
        command = command.access(case.access.clone()).argument(Argument::text("path").required());
        if case.is_popout {
            command = command.popout();
        }
        has(if case.is_own { &copilot } else { &bench.notes }, command);
    }
    let path = CommandArguments::new().with("path", "inbox");

    let sessions: [Option<&[&str]>; 4] = [None, Some(&[]), Some(&["editor"]), Some(&["editor", "owner"])];
    for roles in sessions {
        for window in [Window::Main, Window::Popout] {
            for holds_automation in [true, false] {
                let session = roles.map(|roles| Session::authenticated(roles.iter().copied()));
                bench.workbench.set_session(session.unwrap_or_default());
                bench.workbench.set_window(window);
                if holds_automation {
                    bench.restore_automation()
                } else {
                    bench.revoke_automation()
                }

                let within_reach = |case: &&Case| {
                    let has = |role: &Role| roles.is_some_and(|roles| roles.contains(&role.as_str()));
                    (case.is_own || case.is_callable && holds_automation)
                        && (case.is_popout || window == Window::Main)
                        && match &case.access {
                            AccessRequirement::Anyone => true,
                            AccessRequirement::Authenticated => roles.is_some(),
                            AccessRequirement::Anonymous => roles.is_none(),
                            AccessRequirement::AnyRole(wanted) => wanted.iter().any(has),
                            AccessRequirement::AllRoles(wanted) => wanted.iter().all(has),
                        }
                };
                let expected: Vec<_> =
                    cases.iter().filter(within_reach).map(|case| case.id.as_str()).collect();
                let listed = invocable(&copilot);
                assert_eq!(listed, expected, "{roles:?}, {window:?}, automation: {holds_automation}");
                for case in &cases {
                    let outcome = invoke_with(&copilot, &case.id, path.clone());
                    if listed.contains(&case.id) {
                        assert_answered(&outcome);
                    } else {
                        assert_unavailable(&outcome);
                    }
                }
            }
        }
    }
}

/// - **GIVEN** the required choice argument `note`, whose source gives no choices at the moment.
/// - **WHEN** the list is read, the source gains the choice `inbox`, and the list is read again.
/// - **THEN** the command is missing from the first list and in the second.
#[test]
fn nothing_to_choose_from() {
    let bench = bench();
    let has_inbox = Arc::new(AtomicBool::new(false));
    let source = has_inbox.clone();
    let note = Argument::choice_from("note", move || {
        if source.load(SeqCst) { vec!["inbox".to_owned()] } else { Vec::new() }
    });
    bench.has(callable("notes.open").argument(note.required()));

    assert!(invocable(&bench.copilot).is_empty());
    has_inbox.store(true, SeqCst);
    assert_eq!(invocable(&bench.copilot), ["notes.open"]);
}

/// - **GIVEN** `notes.save`, which needs an authenticated session and has no `popout`.
/// - **WHEN** the list is read after the session becomes authenticated, in a popout window, back in the main window
///   and after `notes` is deactivated.
/// - **THEN** `notes.save` is in the first and third list and missing from the second and fourth.
#[test]
fn the_list_follows_each_change() {
    let bench = bench();
    bench.has(callable("notes.save").access(AccessRequirement::Authenticated));

    bench.workbench.set_session(Session::authenticated(["editor"]));
    assert_eq!(invocable(&bench.copilot), ["notes.save"]);
    bench.workbench.set_window(Window::Popout);
    assert!(invocable(&bench.copilot).is_empty());
    bench.workbench.set_window(Window::Main);
    assert_eq!(invocable(&bench.copilot), ["notes.save"]);
    bench.workbench.deactivate(bench.notes.plugin());
    assert!(invocable(&bench.copilot).is_empty());
}
