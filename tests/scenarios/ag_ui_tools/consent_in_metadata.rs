//! A tool SHALL state its command's agent consent as `agentConsent` in its metadata, and SHALL have no metadata where
//! the command states nothing.

use drawloom::command::AgentConsent;
use serde_json::{Value, json};

use super::support::{callable, empty_bench};

/// - **WHEN** commands that state `allow`, `ask`, `ask-always`, `never` and nothing are made tools and
///   serialized.
/// - **THEN** the first four have the metadata `{"agentConsent":…}` with their own word, and the last has no
///   `metadata`.
#[test]
fn a_statement_or_no_metadata() {
    let bench = empty_bench();
    bench.has(callable("a").agent_consent(AgentConsent::Allow));
    bench.has(callable("b").agent_consent(AgentConsent::Ask));
    bench.has(callable("c").agent_consent(AgentConsent::AskAlways));
    bench.has(callable("d").agent_consent(AgentConsent::Never));
    bench.has(callable("e"));
    let tools = serde_json::to_value(bench.agent().list()).unwrap();
    let metadata: Vec<Option<&Value>> =
        tools.as_array().unwrap().iter().map(|tool| tool.get("metadata")).collect();
    let states = |word| json!({ "agentConsent": word });
    let stated = [states("allow"), states("ask"), states("ask-always"), states("never")];
    assert_eq!(metadata, [Some(&stated[0]), Some(&stated[1]), Some(&stated[2]), Some(&stated[3]), None]);
}
