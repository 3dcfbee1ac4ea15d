//! A command SHALL be able to require an authenticated session, an anonymous one, one with at least one of a set of
//! roles, or one with all of them. The session that the product supplies SHALL be checked at that moment.

use drawloom::command::{AccessRequirement, CommandOutcome};
use drawloom::workbench::Session;

use crate::support::{
    Bench, assert_answered, assert_names, assert_unavailable, bench, bench_on, callable, invoke, usual,
};

/// Invokes a command in a session with these roles.
fn invoke_as(bench: &Bench, roles: &[&str], id: &str) -> CommandOutcome {
    bench.workbench.set_session(Session::authenticated(roles.iter().copied()));
    invoke(&bench.copilot, id)
}

/// - **GIVEN** `notes.save`, which needs an authenticated session.
/// - **WHEN** it is invoked in an authenticated session, the session becomes anonymous, and it is invoked again.
/// - **THEN** it is answered and then refused as `unavailable`.
#[test]
fn authenticated_required() {
    let bench = bench_on(usual().session(Session::authenticated([""; 0])));
    bench.has(callable("notes.save").access(AccessRequirement::Authenticated));

    assert_answered(&invoke(&bench.copilot, "notes.save"));
    bench.workbench.set_session(Session::anonymous());
    assert_unavailable(&invoke(&bench.copilot, "notes.save"));
}

/// - **GIVEN** `notes.login`, which needs an anonymous session, and a product that has supplied no session yet.
/// - **WHEN** it is invoked, the session becomes authenticated, and it is invoked again.
/// - **THEN** it is answered and then refused as `unavailable`.
#[test]
fn anonymous_required() {
    let bench = bench();
    bench.has(callable("notes.login").access(AccessRequirement::Anonymous));

    assert_answered(&invoke(&bench.copilot, "notes.login"));
    assert_unavailable(&invoke_as(&bench, &[], "notes.login"));
}

/// - **GIVEN** `notes.purge`, which needs one of `admin` and `root`, and `notes.give`, which needs both `admin` and
///   `owner`.
/// - **WHEN** both are invoked with the roles `["root"]`, with `["owner", "admin"]` and with `["owner"]`.
/// - **THEN** the first role set reaches only `notes.purge`, the second both commands, and the third neither.
#[test]
fn some_or_all_roles() {
    let bench = bench();
    bench.has(callable("notes.purge").any_role(["admin", "root"]));
    bench.has(callable("notes.give").all_roles(["admin", "owner"]));

    assert_answered(&invoke_as(&bench, &["root"], "notes.purge"));
    assert_unavailable(&invoke_as(&bench, &["root"], "notes.give"));

    assert_answered(&invoke_as(&bench, &["owner", "admin"], "notes.purge"));
    assert_answered(&invoke_as(&bench, &["owner", "admin"], "notes.give"));

    assert_unavailable(&invoke_as(&bench, &["owner"], "notes.purge"));
    assert_unavailable(&invoke_as(&bench, &["owner"], "notes.give"));
}

/// - **GIVEN** `notes.purge`, which needs one of `admin`, and an authenticated session with that role.
/// - **WHEN** it is invoked, the session becomes anonymous, and it is invoked again.
/// - **THEN** it is answered and then refused as `unavailable`.
#[test]
fn anonymous_has_no_roles() {
    let bench = bench();
    bench.has(callable("notes.purge").any_role(["admin"]));

    assert_answered(&invoke_as(&bench, &["admin"], "notes.purge"));
    bench.workbench.set_session(Session::anonymous());
    assert_unavailable(&invoke(&bench.copilot, "notes.purge"));
}

/// - **GIVEN** `notes.purge`, which needs one of `admin`.
/// - **WHEN** it is invoked in a session with the roles `Admin`, `admin.eu` and `administrator`.
/// - **THEN** it is refused as `unavailable`.
#[test]
fn roles_are_compared_whole() {
    let bench = bench();
    bench.has(callable("notes.purge").any_role(["admin"]));

    assert_unavailable(&invoke_as(&bench, &["Admin", "admin.eu", "administrator"], "notes.purge"));
}

/// - **WHEN** commands are registered that need one of no roles and all of no roles.
/// - **THEN** both registrations are errors that name the command.
#[test]
fn an_empty_set_of_roles() {
    let bench = bench();
    let register = |command| bench.notes.register(command, |_| async { Ok(()) });

    let one = register(callable("notes.one").any_role([""; 0]));
    let all = register(callable("notes.all").all_roles([""; 0]));

    assert_names(one.unwrap_err(), &["notes.one"]);
    assert_names(all.unwrap_err(), &["notes.all"]);
}
