//! What an agent says about itself before a run.
//!
//! An absent field means that the agent does not say, not that it lacks the capability.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Tool;

macro_rules! capabilities {
    ($(
        $(#[$meta:meta])*
        $name:ident { $( $(#[$field_meta:meta])* $field:ident: $type:ty, )* }
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[$field_meta])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>, )*
            /// Members that this version does not know.
            #[serde(flatten)]
            pub extra: Map<String, Value>,
        }
    )* };
}

capabilities! {
    /// What an agent says about itself.
    AgentCapabilities {
        /// Who it is.
        identity: IdentityCapabilities,
        /// How it can be reached.
        transport: TransportCapabilities,
        /// How it uses tools.
        tools: ToolsCapabilities,
        /// What it puts out.
        output: OutputCapabilities,
        /// How it handles state.
        state: StateCapabilities,
        /// How it works with other agents.
        multi_agent: MultiAgentCapabilities,
        /// How it shows its reasoning.
        reasoning: ReasoningCapabilities,
        /// The media that it takes and puts out.
        multimodal: MultimodalCapabilities,
        /// How it runs code.
        execution: ExecutionCapabilities,
        /// How it involves a person.
        human_in_the_loop: HumanInTheLoopCapabilities,
        /// What the protocol does not provide for.
        custom: Map<String, Value>,
    }

    /// Who the agent is.
    IdentityCapabilities {
        /// The agent's name.
        name: String,
        /// What kind of agent it is, for example its framework.
        #[serde(rename = "type")]
        kind: String,
        /// What the agent does.
        description: String,
        /// Its version.
        version: String,
        /// Who provides it.
        provider: String,
        /// Where its documentation is.
        documentation_url: String,
        /// Further information.
        metadata: Map<String, Value>,
    }

    /// How the agent can be reached.
    TransportCapabilities {
        /// Whether it streams.
        streaming: bool,
        /// Whether it takes WebSocket connections.
        websocket: bool,
        /// Whether it speaks the binary protocol over HTTP.
        http_binary: bool,
        /// Whether it sends push notifications.
        push_notifications: bool,
        /// Whether an interrupted stream can be resumed.
        resumable: bool,
    }

    /// How the agent uses tools.
    ToolsCapabilities {
        /// Whether it calls tools.
        supported: bool,
        /// The agent's own tools.
        items: Vec<Tool>,
        /// Whether it makes several calls at once.
        parallel_calls: bool,
        /// Whether it calls tools that the application offers.
        client_provided: bool,
    }

    /// What the agent puts out.
    OutputCapabilities {
        /// Whether it answers in a given structure.
        structured_output: bool,
        /// The media types that it puts out.
        supported_mime_types: Vec<String>,
    }

    /// How the agent handles state.
    StateCapabilities {
        /// Whether it sends snapshots of the state.
        snapshots: bool,
        /// Whether it sends changes of the state.
        deltas: bool,
        /// Whether it has a memory beyond the run.
        memory: bool,
        /// Whether the state is kept between runs.
        persistent_state: bool,
    }

    /// How the agent works with other agents.
    MultiAgentCapabilities {
        /// Whether it works with other agents.
        supported: bool,
        /// Whether it delegates work.
        delegation: bool,
        /// Whether it hands a conversation over.
        handoffs: bool,
        /// Its subagents.
        subagents: Vec<SubagentInfo>,
    }

    /// How the agent shows its reasoning.
    ReasoningCapabilities {
        /// Whether it reasons.
        supported: bool,
        /// Whether it streams its reasoning.
        streaming: bool,
        /// Whether its reasoning is encrypted.
        encrypted: bool,
    }

    /// The media that the agent takes.
    MultimodalInputCapabilities {
        /// Images.
        image: bool,
        /// Audio.
        audio: bool,
        /// Video.
        video: bool,
        /// PDF documents.
        pdf: bool,
        /// Other files.
        file: bool,
    }

    /// The media that the agent puts out.
    MultimodalOutputCapabilities {
        /// Images.
        image: bool,
        /// Audio.
        audio: bool,
    }

    /// The media that the agent takes and puts out.
    MultimodalCapabilities {
        /// What it takes.
        input: MultimodalInputCapabilities,
        /// What it puts out.
        output: MultimodalOutputCapabilities,
    }

    /// How the agent runs code.
    ExecutionCapabilities {
        /// Whether it runs code.
        code_execution: bool,
        /// Whether it does so in a sandbox.
        sandboxed: bool,
        /// The most steps of a run.
        max_iterations: u64,
        /// The longest time of a run, in milliseconds.
        max_execution_time: u64,
    }

    /// How the agent involves a person.
    HumanInTheLoopCapabilities {
        /// Whether it involves a person.
        supported: bool,
        /// Whether it asks for approval.
        approvals: bool,
        /// Whether a person can intervene.
        interventions: bool,
        /// Whether it takes feedback.
        feedback: bool,
        /// Whether it ends runs with interrupts.
        interrupts: bool,
        /// Whether an approval may change the arguments.
        approve_with_edits: bool,
    }

    /// A subagent of an agent.
    SubagentInfo {
        /// Its name.
        name: String,
        /// What it does.
        description: String,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn capabilities_read_back_with_what_is_not_known() {
        let full = json!({
            "identity": {"name": "n", "type": "t", "description": "d", "version": "1", "provider": "p",
                "documentationUrl": "u", "metadata": {"a": null}},
            "transport": {"streaming": true, "websocket": false, "httpBinary": false, "pushNotifications": false,
                "resumable": true},
            "tools": {"supported": true, "items": [{"name": "n", "description": "d"}], "parallelCalls": true,
                "clientProvided": true},
            "output": {"structuredOutput": true, "supportedMimeTypes": ["text/plain"]},
            "state": {"snapshots": true, "deltas": true, "memory": false, "persistentState": false},
            "multiAgent": {"supported": true, "delegation": true, "handoffs": false,
                "subagents": [{"name": "n", "description": "d"}]},
            "reasoning": {"supported": true, "streaming": true, "encrypted": false},
            "multimodal": {"input": {"image": true, "audio": false, "video": false, "pdf": true, "file": false},
                "output": {"image": false, "audio": false}},
            "execution": {"codeExecution": false, "sandboxed": false, "maxIterations": 3, "maxExecutionTime": 1000},
            "humanInTheLoop": {"supported": true, "approvals": true, "interventions": false, "feedback": false,
                "interrupts": true, "approveWithEdits": true},
            "custom": {"x": [1]},
        });
        let read: AgentCapabilities = serde_json::from_value(full.clone()).unwrap();
        assert!(read.extra.is_empty() && read.identity.as_ref().unwrap().extra.is_empty());
        assert_eq!(read.human_in_the_loop.as_ref().unwrap().approve_with_edits, Some(true));
        assert_eq!(serde_json::to_value(&read).unwrap(), full);
        let oracle: ag_ui::AgentCapabilities = serde_json::from_value(full.clone()).unwrap();
        assert_eq!(serde_json::to_value(&oracle).unwrap()["execution"], full["execution"]);

        let later = json!({"identity": {"name": null, "mood": "good"}, "later": 1});
        let read: AgentCapabilities = serde_json::from_value(later).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), json!({"identity": {"mood": "good"}, "later": 1}));
    }
}
