//! Where the value of a secret argument arrives, and where it does not.
//!
//! The value of a secret argument SHALL reach the handler and the hook of the product, and SHALL NOT be written or
//! shown by drawloom anywhere.

use std::future::ready;

use drawloom::command::{Argument, Command, CommandArguments, CommandOutcome, Decision, PendingCall};
use drawloom::tools::{ErrorPlacement, ToolCallRequest, ToolExecutor, ToolResult};
use drawloom::workbench::{AuditRecord, Call};
use futures::executor::block_on;

use super::support::{Bench, Shared, bench, bench_with, callable, reports_during, wire};

const KEY: &str = "hunter2";

fn open() -> Command {
    callable("vault.open").argument(Argument::text("user")).argument(Argument::text("key").secret())
}

/// The result of an agent's call to `vault.open`, decided by this hook.
fn called(bench: &Bench, hook: impl Fn(PendingCall) -> Decision + Send + Sync + 'static) -> ToolResult {
    let executor = ToolExecutor::builder(bench.copilot.clone()).before(move |call| ready(hook(call))).build();
    let arguments = format!(r#"{{"user":"ada","key":"{KEY}"}}"#);
    block_on(executor.execute(ToolCallRequest::new("call-1", "vault__open", arguments)))
}

/// - **GIVEN** `vault.open` with the secret text `key`, and a hook that keeps the arguments of each call.
/// - **WHEN** an agent calls it with `key` `hunter2`.
/// - **THEN** the hook and the handler have read `hunter2`.
#[test]
fn the_handler_and_the_hook_get_the_value() {
    let bench = bench();
    let read = Shared::new(Vec::new());
    let reads = read.clone();
    bench.register(open(), move |call: Call| {
        reads.lock().push(("handler", call.text("key").map(str::to_owned).ok()));
        ready(Ok(()))
    });
    let reads = read.clone();

    called(&bench, move |call| {
        reads.lock().push(("hook", call.arguments.text("key").map(str::to_owned)));
        Decision::Run
    });

    assert_eq!(*read.lock(), [("hook", Some(KEY.to_owned())), ("handler", Some(KEY.to_owned()))]);
}

/// - **GIVEN** `vault.open` with the secret text `key` and the text `user`, which fails, an audit and a log.
/// - **WHEN** it is invoked with `key` `hunter2`: by a plugin, by a plugin that may not, and with an argument too many.
/// - **THEN** each record of the audit holds `user` and says that `key` was left out.
/// - **AND** no record, no outcome, no line of the log and no debug output of a call holds `hunter2`.
#[test]
fn nothing_else_does() {
    let records = Shared::new(Vec::new());
    let (kept, shown) = (records.clone(), Shared::new(Vec::new()));
    let bench = bench_with(|builder| {
        builder.audit(move |record: &AuditRecord| {
            kept.lock().push((record.clone(), serde_json::to_string(record).unwrap()));
        })
    });
    let shows = shown.clone();
    bench.register(open(), move |call: Call| {
        shows.lock().push(format!(
            "{call:?} {:?} {}",
            call.arguments(),
            serde_json::to_string(call.arguments()).unwrap()
        ));
        ready(Err::<(), _>("the vault is stuck".into()))
    });

    let (outcomes, log) = reports_during(|| {
        let given = || CommandArguments::new().with("user", "ada").with("key", KEY);
        let invoke = |arguments| block_on(bench.copilot.invoke("vault.open", arguments));
        let ran = invoke(given());
        let wrong = invoke(given().with("other", 1));
        bench.workbench.revoke(bench.copilot.plugin(), drawloom::workbench::Capability::Automation).unwrap();
        [ran, wrong, invoke(given())]
    });

    assert!(matches!(
        outcomes,
        [CommandOutcome::Failed(_), CommandOutcome::Refused(_), CommandOutcome::Refused(_)]
    ));
    assert_eq!(records.lock().len(), 3);
    for (record, written) in &*records.lock() {
        assert_eq!(record.arguments.text("user"), Some("ada"));
        assert_eq!(record.arguments.get("key"), None);
        assert_eq!(record.left_out.iter().map(|name| &**name).collect::<Vec<_>>(), ["key"]);
        assert!(written.contains(r#""leftOut":["key"]"#), "{written}");
        assert!(!written.contains(KEY) && !format!("{record:?}").contains(KEY), "{written}");
    }
    assert_eq!(shown.lock().len(), 1);
    let all = [outcomes.each_ref().map(wire).concat(), log.concat(), shown.lock().concat()];
    assert!(all.iter().all(|text| !text.is_empty() && !text.contains(KEY)), "{all:?}");
}

/// - **WHEN** a call to `vault.open` with `key` `hunter2` is handed to a hook that serializes it and prints it for
///   debugging.
/// - **THEN** both hold the other arguments, and neither holds `hunter2`.
#[test]
fn a_pending_call_is_serialized_without_it() {
    let bench = bench();
    bench.register_idle(open());
    let shown = Shared::new(Vec::new());
    let shows = shown.clone();

    called(&bench, move |call| {
        *shows.lock() = vec![serde_json::to_string(&call).unwrap(), format!("{call:?}")];
        Decision::Run
    });

    assert_eq!(shown.lock().len(), 2);
    for text in &*shown.lock() {
        assert!(text.contains("ada") && !text.contains(KEY), "{text}");
    }
}

/// - **GIVEN** a hook that runs `vault.open` with another `key` and another `user`.
/// - **WHEN** an agent calls it.
/// - **THEN** the answer says that the arguments were changed and names the new `user`, and does not hold the new `key`.
#[test]
fn an_edited_secret_is_not_reported() {
    let bench = bench();
    let runs = bench.register_idle(open());

    let result = called(&bench, |_| {
        Decision::RunWith(CommandArguments::new().with("user", "eve").with("key", "swordfish"))
    });

    let text = result.text(ErrorPlacement::ErrorOnly).content;
    assert!(text.contains("changed the arguments") && text.contains("eve"), "{text}");
    assert!(!text.contains("swordfish") && !format!("{result:?}").contains("swordfish"), "{text}");
    assert_eq!(runs.count(), 1);
}
