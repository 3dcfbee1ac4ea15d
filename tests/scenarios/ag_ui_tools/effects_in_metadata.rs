//! The effects that a command states SHALL be published in the metadata of its tool under `effects`, beside its
//! consent statement. A command that states neither SHALL have no metadata.

use drawloom::command::{AgentConsent, Effects};
use serde_json::{Value, json};

use super::support::{callable, empty_bench};

/// - **WHEN** commands that state effects, effects and a consent, and nothing are made tools and serialized.
/// - **THEN** the first has the metadata `{"effects":…}`, the second both `agentConsent` and `effects`, and the last has
///   no `metadata`.
#[test]
fn effects_or_no_metadata() {
    let bench = empty_bench();
    bench.has(callable("a").effects(Effects::reads().outside().untrusted_answer()));
    bench.has(callable("b").effects(Effects::destroys().idempotent()).agent_consent(AgentConsent::Ask));
    bench.has(callable("c"));
    let tools = serde_json::to_value(bench.agent().list()).unwrap();
    let metadata: Vec<Option<&Value>> =
        tools.as_array().unwrap().iter().map(|tool| tool.get("metadata")).collect();
    let reads = json!({ "effects": { "kind": "reads", "outside": true, "untrustedAnswer": true } });
    let destroys = json!({ "agentConsent": "ask", "effects": { "kind": "destroys", "idempotent": true } });
    assert_eq!(metadata, [Some(&reads), Some(&destroys), None]);
}
