//! What a call that omits an argument runs with.
//!
//! An argument MAY declare a default. A call that omits the argument SHALL run with the default, which its hook,
//! its record and its handler all see; the default SHALL be published, and a default that no call could give SHALL
//! be refused at registration.

use std::sync::Arc;

use drawloom::command::{
    Argument, CallOrigin, CommandAccess, CommandArguments, Decision, DeclarationError, PendingCall,
};
use drawloom::tools::{ToolCallRequest, ToolExecutor};
use drawloom::workbench::{AuditRecord, RegisterError};
use futures::executor::block_on;
use serde_json::json;

use super::support::{Shared, answering, bench, bench_with, callable, wire};

/// - **GIVEN** `notes.list`, which answers its arguments, with the number `limit` that is 20 by default, and an audit.
/// - **WHEN** it is invoked without arguments, and then with `limit` 5.
/// - **THEN** it answers `{"limit":20}` and then `{"limit":5}`, and the audit records the same arguments.
#[test]
fn an_omitted_argument_has_its_default() {
    let recorded = Shared::new(Vec::new());
    let records = recorded.clone();
    let bench = bench_with(|builder| {
        builder.audit(move |record: &AuditRecord| {
            records.lock().push(serde_json::to_string(&record.arguments).unwrap());
        })
    });
    let list = answering("notes.list").argument(Argument::integer("limit", 1..=100).default(20));
    bench.register(list, |call| std::future::ready(Ok(call.into_arguments())));

    let outcomes = [bench.invoke("notes.list", "{}"), bench.invoke("notes.list", r#"{"limit":5}"#)];

    let answered = |arguments: &str| format!(r#"{{"outcome":"answered","value":{arguments}}}"#);
    let expected = [r#"{"limit":20}"#, r#"{"limit":5}"#];
    assert_eq!(outcomes.each_ref().map(wire), expected.map(answered));
    assert_eq!(*recorded.lock(), expected);
}

/// - **GIVEN** `notes.list` with the number `limit` that is 20 by default, and a hook that keeps the arguments of each
///   call.
/// - **WHEN** an agent calls it without arguments.
/// - **THEN** the hook has seen `limit` 20.
#[test]
fn a_hook_sees_the_default() {
    let bench = bench();
    let runs = bench.register_idle(callable("notes.list").argument(Argument::number("limit").default(20)));
    let seen = Shared::new(Vec::new());
    let sees = seen.clone();
    let executor = ToolExecutor::builder(bench.copilot.clone())
        .before(move |call: PendingCall| {
            sees.lock().push(call.arguments);
            std::future::ready(Decision::Run)
        })
        .build();

    block_on(executor.execute(ToolCallRequest::new("call-1", "notes__list", "")));

    assert_eq!(*seen.lock(), [CommandArguments::new().with("limit", 20)]);
    assert_eq!(runs.count(), 1);
    // An offer that was taken before has the same default.
    let offer = bench.copilot.offer(&"notes.list".into()).unwrap();
    let mut arguments = CommandArguments::new();
    offer.complete(&mut arguments);
    assert_eq!(arguments.integer("limit"), Some(20));
    let invoked =
        bench.copilot.invoke_offered(&offer, CommandArguments::new(), CallOrigin::new(Arc::from("call-2")));
    assert_eq!(wire(&block_on(invoked)), r#"{"outcome":"answered"}"#);
}

/// - **WHEN** a command with a text, a number, a boolean, a choice and a list, each with a default, is listed.
/// - **THEN** its entry and the schema of its arguments hold each default, and none of the five is required.
#[test]
fn a_default_is_published() {
    let bench = bench();
    bench.register_idle(
        callable("notes.list")
            .argument(Argument::text("title").default("Untitled"))
            .argument(Argument::number("share").default(0.5))
            .argument(Argument::boolean("pinned").default(false))
            .argument(Argument::choice("mode", ["preview", "permanent"]).default("preview"))
            .argument(Argument::text("tags").list().default(vec!["new"])),
    );

    let entry = bench.entry("notes.list");

    let defaults = [json!("Untitled"), json!(0.5), json!(false), json!("preview"), json!(["new"])];
    let listed: Vec<_> =
        entry.arguments.iter().map(|argument| serde_json::to_value(&argument.default).unwrap()).collect();
    assert_eq!(listed, defaults);
    let schema = entry.parameters();
    for (name, default) in ["title", "share", "pinned", "mode", "tags"].into_iter().zip(defaults) {
        assert_eq!(schema.pointer(&format!("/properties/{name}/default")), Some(&default), "{schema}");
    }
    assert_eq!(schema.get("required"), Some(&json!([])));
    assert!(jsonschema::meta::is_valid(&schema));
}

/// - **WHEN** commands are registered with a default of another kind, outside the bounds, outside the choices, of a
///   required argument, of a secret argument, and of a choice that is read while the program runs.
/// - **THEN** each registration is an error that names the command and the argument.
#[test]
fn defaults_that_no_call_could_give() {
    let bench = bench();
    for wrong in [
        Argument::number("limit").default("20"),
        Argument::integer("limit", 1..=9).default(10),
        Argument::choice("limit", ["few", "many"]).default("all"),
        Argument::number("limit").default(20).required(),
        Argument::number("limit").default(20).secret(),
        Argument::choice_from("limit", || vec!["few".to_owned()]).default("few"),
    ] {
        let refused = bench.try_register(callable("notes.list").argument(wrong)).unwrap_err();
        let RegisterError::Declaration(error @ DeclarationError::InvalidDefault { .. }) = refused else {
            panic!("{refused}")
        };
        let text = error.to_string();
        assert!(text.contains("\"notes.list\"") && text.contains("\"limit\""), "{text}");
    }
}
