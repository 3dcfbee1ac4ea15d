//! Blank arguments SHALL mean no arguments, and a text that is not a single JSON object whose values are scalars or
//! flat lists SHALL be refused, with a text that says what to send instead, before the workbench is asked.

use drawloom::command::{CommandArguments, CommandOutcome, NullArguments};
use drawloom::workbench::AuditRecord;
use futures::executor::block_on;
use serde_json::{Value, json};

use super::support::events::{args, start};
use super::support::{Bench, Log, assert_holds, bench, bench_on, composition, refusal};

/// Asserts that `notes__open` is refused with each of these arguments, with a text that contains all of `parts`.
#[track_caller]
fn assert_refused_with(bench: &Bench, arguments: &[&str], parts: &[&str]) {
    let mut agent = bench.agent();
    for (call, arguments) in arguments.iter().enumerate() {
        let message = agent.calls(&format!("c{call}"), "notes__open", arguments);
        assert_holds(refusal(&message), parts);
    }
    bench.assert_nothing_ran();
}

/// - **WHEN** `notes__ping` is called once without any part, once with an empty one and once with `"  \n"` as its
///   text.
/// - **THEN** it has run three times without arguments.
#[test]
fn blank_reads_as_none() {
    let bench = bench();
    let mut agent = bench.agent();
    let pieces: [&[Value]; 3] = [&[], &[args("b", "")], &[args("c", "  \n")]];
    for (id, pieces) in ["a", "b", "c"].into_iter().zip(pieces) {
        agent.says_nothing_to(&[start(id, "notes__ping")]);
        agent.says_nothing_to(pieces);
        agent.ends(id);
    }
    assert_eq!(bench.ran(), vec![("notes.ping".to_owned(), json!({})); 3]);
}

/// - **WHEN** `notes__open` is called with `["a"]`, `12`, `{"path":` and `{"path":"a"}{"path":"b"}`.
/// - **THEN** all four are refused with a text that asks for one JSON object.
#[test]
fn not_an_object() {
    let arguments = [r#"["a"]"#, "12", r#"{"path":"#, r#"{"path":"a"}{"path":"b"}"#];
    assert_refused_with(&bench(), &arguments, &["send one JSON object"]);
}

/// - **WHEN** `notes__open` is called with `{"path":{"a":1}}`, `{"path":[["a"]]}` and
///   `{"path":"a","path":"b"}`.
/// - **THEN** all three are refused, naming `path`.
#[test]
fn nested_values_and_repeated_keys() {
    let arguments = [r#"{"path":{"a":1}}"#, r#"{"path":[["a"]]}"#, r#"{"path":"a","path":"b"}"#];
    assert_refused_with(&bench(), &arguments, &["\"path\""]);
}

/// - **WHEN** `notes__open` is called with 100,000 opening brackets.
/// - **THEN** it is refused and the next call runs.
#[test]
fn deep_nesting_is_harmless() {
    let bench = bench();
    let mut agent = bench.agent();
    let brackets = "[".repeat(100_000);
    refusal(&agent.calls("a", "notes__open", &brackets));
    refusal(&agent.calls("b", "notes__open", &format!(r#"{{"path":{brackets}"#)));
    bench.assert_nothing_ran();
    agent.calls("c", "notes__open", r#"{"path":"inbox"}"#);
    bench.assert_opened(&["inbox"]);
}

/// - **WHEN** `notes__open` is called with `{"path":"a","mode":null}`.
/// - **THEN** it is refused with a text that tells the agent to omit `mode`.
#[test]
fn a_null_is_refused() {
    assert_refused_with(&bench(), &[r#"{"path":"a","mode":null}"#], &["\"mode\" is null", "omit"]);
}

/// - **GIVEN** the option to read nulls as absent.
/// - **WHEN** `notes__open` is called with `{"path":"a","mode":null}`.
/// - **THEN** `notes.open` has run with `path` as `a` and no `mode`.
#[test]
fn nulls_omitted_by_option() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.null_arguments(NullArguments::TreatAsAbsent));
    agent.calls("c1", "notes__open", r#"{"path":"a","mode":null}"#);
    bench.assert_opened(&["a"]);
}

/// - **GIVEN** the option to read nulls as absent.
/// - **WHEN** `notes__ping` is called with `null`.
/// - **THEN** it has run, and without the option the same call is refused.
#[test]
fn null_for_no_arguments() {
    let bench = bench();
    let mut agent = bench.agent_with(|tools| tools.null_arguments(NullArguments::TreatAsAbsent));
    agent.calls("c1", "notes__ping", "null");
    assert_eq!(bench.ran().len(), 1);
    refusal(&bench.agent().calls("c1", "notes__ping", "null"));
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** a workbench with an audit port.
/// - **WHEN** `notes__open` is called with `{"path":`.
/// - **THEN** the audit port has no record.
#[test]
fn before_the_workbench_is_asked() {
    let records = Log::default();
    let audit = records.clone();
    let bench = bench_on(composition().audit(move |record: &AuditRecord| audit.add(record.clone())));
    let mut agent = bench.agent();
    refusal(&agent.calls("c1", "notes__open", r#"{"path":"#));
    assert_eq!(records.all(), []);
    // The port is there: it records the call that reads.
    agent.calls("c2", "notes__open", r#"{"path":"inbox"}"#);
    assert_eq!(records.only().command, "notes.open");
}

/// - **WHEN** `notes__open` is called with `{"path":12}`.
/// - **THEN** the refusal carries the message the workbench gives for the same arguments.
#[test]
fn the_workbench_reports_a_mismatch() {
    let bench = bench();
    let invocation = bench.copilot.invoke("notes.open", CommandArguments::new().with("path", 12));
    let CommandOutcome::Refused(refused) = block_on(invocation) else { panic!("it matched") };
    assert_refused_with(&bench, &[r#"{"path":12}"#], &[&refused.message]);
}
