//! An agent as a process: started on a port of the system's choice, and gone when its test is.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::environment::{node, python};

/// Which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    PydanticAi,
    PydanticAiApproval,
    LangGraph,
    /// The same, set to end an interrupted run as the protocol has it, besides LangGraph's own event.
    LangGraphInterrupting,
    Node,
}

/// An agent that runs. It is killed when this is dropped.
#[derive(Debug)]
pub(crate) struct Agent {
    process: Child,
    port: u64,
    /// What it says on standard output, until it ends.
    said: Receiver<Value>,
}

/// What an agent said of a conversation.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The body of each request.
    pub(crate) requests: Vec<Value>,
    /// What its model was shown each time: a list of `user`, `says`, `call` and `result`.
    pub(crate) shown: Vec<Vec<Value>>,
}

impl Agent {
    pub(crate) fn start(kind: Kind) -> Self {
        let mut command = match kind {
            Kind::PydanticAi => python("agents/pydantic_ai_agent.py"),
            Kind::PydanticAiApproval => python("agents/pydantic_ai_approval.py"),
            Kind::LangGraph => python("agents/langgraph_agent.py"),
            Kind::LangGraphInterrupting => {
                let mut command = python("agents/langgraph_agent.py");
                command.arg("--interrupt-outcome");
                command
            }
            Kind::Node => node("node/agent.mjs"),
        };
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the agent starts");
        let (sender, said) = channel();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let said = serde_json::from_str(&line).unwrap_or_else(|_| panic!("the agent said {line:?}"));
                if sender.send(said).is_err() {
                    return;
                }
            }
        });
        let mut agent = Self { process, port: 0, said };
        let first = agent.said.recv_timeout(Duration::from_secs(60)).expect("the agent says its port");
        agent.port = first["port"].as_u64().expect("the first line has the port");
        agent
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Ends the agent, and answers all it said.
    pub(crate) fn end(mut self) -> Said {
        drop(self.process.stdin.take());
        let mut all = Said::default();
        // It ends with its standard input, and with it what it says.
        while let Ok(said) = self.said.recv_timeout(Duration::from_secs(20)) {
            match said.as_object().and_then(|said| said.iter().next()).map(|(what, said)| (&**what, said)) {
                Some(("request", body)) => all.requests.push(body.clone()),
                Some(("model", Value::Array(parts))) => all.shown.push(parts.clone()),
                _ => panic!("the agent said {said}"),
            }
        }
        let status = self.process.wait().unwrap();
        assert!(status.success(), "the agent ended with {status}");
        all
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // Either may fail where it has ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
