//! Driving an agent through one conversation, and what holds of any: nothing that is sent is rejected, what is read is
//! read as others read it, no run's id comes twice, and the model is shown one result for each call.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use drawloom::client::{Client, Frame, HttpTransport, Message, TurnEnd, Update};
use drawloom_replay::{FileWorkbench, TranscriptLine};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::agent::{Agent, Kind, Said};
use crate::binary::{Output, drawloom};
use crate::packages::{assembled, judge, runs};
use crate::workbench::Workbench;

/// A conversation that came to rest, seen from both ends.
#[derive(Debug)]
pub(crate) struct Driven {
    /// The lines of the transcript.
    transcript: Vec<Value>,
    agent: Said,
}

/// Has the binary drive an agent with this prompt to rest, and with these flags besides.
pub(crate) fn drive_with(kind: Kind, workbench: &Workbench, prompt: &str, flags: &[&str]) -> Driven {
    let agent = Agent::start(kind);
    let scratch = tempfile::tempdir().unwrap();
    let recording = scratch.path().join("events.jsonl");
    let flags = [&["--record", recording.to_str().unwrap()], flags].concat();
    let output = run(&agent, workbench, prompt, &flags);
    assert_eq!(output.code, Some(0), "{output:#?}");
    assert_eq!(output.stderr, "", "nothing is passed over");
    plays_again(workbench, &recording, &output);
    let recording = fs::read_to_string(recording).unwrap();
    Driven { transcript: output.lines(), agent: agent.end() }.checked(&recording)
}

/// The recording of a real agent follows the protocol, and plays as it was.
fn plays_again(workbench: &Workbench, recording: &Path, driven: &Output) {
    let checked = drawloom(["check".as_ref(), recording.as_os_str()], b"");
    assert_eq!((checked.code, &*checked.stderr), (Some(0), ""), "{checked:#?}");
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(workbench.file().as_bytes()).unwrap();
    let words = ["replay".as_ref(), file.path().as_os_str(), recording.as_os_str(), "--transcript".as_ref()];
    let replayed = drawloom(words, b"");
    assert_eq!((replayed.code, &*replayed.stderr), (Some(0), ""), "{replayed:#?}");
    assert_eq!(replayed.lines(), driven.lines(), "{replayed:#?}");
}

/// Has the binary drive an agent with this prompt to rest.
pub(crate) fn drive(kind: Kind, workbench: &Workbench, prompt: &str) -> Driven {
    drive_with(kind, workbench, prompt, &[])
}

/// Has the binary drive an agent with this prompt, to whatever end.
pub(crate) fn drive_anywhere(kind: Kind, workbench: &Workbench, prompt: &str) -> Output {
    run(&Agent::start(kind), workbench, prompt, &[])
}

fn run(agent: &Agent, workbench: &Workbench, prompt: &str, flags: &[&str]) -> Output {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(workbench.file().as_bytes()).unwrap();
    let (file, url) = (file.path().to_str().unwrap(), agent.url());
    let arguments = ["drive", file, "--agent", &url, "--prompt", prompt, "--transcript"];
    drawloom(arguments.iter().chain(flags), b"")
}

/// A conversation led with a [`Client`] that has nobody to ask.
pub(crate) struct Conversation {
    agent: Agent,
    client: Client,
    runtime: Runtime,
    transcript: Arc<Mutex<Vec<Value>>>,
    recording: Arc<Mutex<String>>,
}

impl Conversation {
    pub(crate) fn with(kind: Kind, workbench: &Workbench) -> Self {
        let agent = Agent::start(kind);
        let (transcript, recording) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(String::new())));
        let (steps, events) = (transcript.clone(), recording.clone());
        let step =
            move |step: &TranscriptLine| steps.lock().unwrap().push(serde_json::to_value(step).unwrap());
        let file = FileWorkbench::load(&workbench.file(), step).unwrap();
        let transport = HttpTransport::builder(agent.url()).build().unwrap();
        let client = Client::builder(transport, file.agent())
            .tap(move |frame| {
                let mut events = events.lock().unwrap();
                if let Frame::Event(event) = frame {
                    events.push_str(event);
                    events.push('\n');
                }
            })
            .build();
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        Self { agent, client, runtime, transcript, recording }
    }

    /// Adds a message that nobody says.
    pub(crate) fn add(&mut self, message: Message) {
        self.client.conversation_mut().push(message);
    }

    /// Says something, and answers how the turn ended.
    pub(crate) fn turn(&mut self, prompt: &str) -> TurnEnd {
        self.client.send_text(prompt);
        match self.until(|update| matches!(update, Update::TurnEnded { .. })) {
            Update::TurnEnded { end: ending } => ending,
            other => panic!("{other:?} ends nothing"),
        }
    }

    /// Says something, and cancels the turn once the run is over and only the command still runs.
    pub(crate) fn turn_cancelled(&mut self, prompt: &str) {
        self.client.send_text(prompt);
        self.until(|update| matches!(update, Update::RunFinished { .. }));
        self.client.canceller().cancel();
        let ended = self.until(|update| matches!(update, Update::TurnEnded { .. }));
        assert_eq!(ended, Update::TurnEnded { end: TurnEnd::Cancelled });
    }

    /// Takes updates up to the first that is wanted.
    fn until(&mut self, is_wanted: impl Fn(&Update) -> bool) -> Update {
        loop {
            let update = self.runtime.block_on(self.client.next()).expect("the turn goes on");
            let line = match &update {
                Update::Answered { message } => Some(json!({ "answered": message })),
                Update::RunFinished { outcome, .. } => {
                    Some(json!({ "run": { "outcome": json!(outcome)["type"] } }))
                }
                Update::Asked { call } => Some(json!({ "asked": call })),
                _ => None,
            };
            self.transcript.lock().unwrap().extend(line);
            if is_wanted(&update) {
                return update;
            }
        }
    }

    /// The conversation as it was, without the texts.
    pub(crate) fn end(self) -> Driven {
        // Before the agent ends, so that it has no connection to wait for.
        drop((self.client, self.runtime));
        let transcript = self.transcript.lock().unwrap().clone();
        let recording = self.recording.lock().unwrap();
        Driven { transcript, agent: self.agent.end() }.checked(&recording)
    }
}

impl Driven {
    /// What holds of every conversation.
    fn checked(self, recording: &str) -> Self {
        let runs = runs(recording);
        let judgement = judge(&self.agent.requests, &runs);
        assert_eq!(judgement.problems, [""; 0], "{self:#?}");
        assert_eq!(judgement.agrees_with(&assembled(&runs)), Ok(()), "{self:#?}");
        let ids: BTreeSet<_> = self.agent.requests.iter().map(|input| input["runId"].to_string()).collect();
        assert_eq!(ids.len(), self.agent.requests.len(), "a run's id came twice: {self:#?}");
        let shown = self.agent.shown.last().expect("the model was asked");
        for (at, call) in shown.iter().enumerate().filter(|(_, part)| part.get("call").is_some()) {
            let is_its_result = |part: &&Value| part["result"]["id"] == call["call"]["id"];
            assert_eq!(shown.iter().filter(is_its_result).count(), 1, "one result for {call}: {self:#?}");
            assert!(shown[at..].iter().any(|part| is_its_result(&part)), "after its call: {self:#?}");
        }
        self
    }

    /// The steps of the transcript that are of this kind, as what they say.
    pub(crate) fn steps(&self, kind: &str) -> Vec<&Value> {
        self.transcript.iter().filter_map(|line| line.get(kind)).collect()
    }

    /// The only step of this kind.
    pub(crate) fn step(&self, kind: &str) -> &Value {
        let steps = self.steps(kind);
        let [step] = *steps else { panic!("one step {kind:?} is expected: {self:#?}") };
        step
    }

    /// The kinds of the steps that concern calls, in order.
    pub(crate) fn order(&self) -> Vec<&str> {
        let kinds = self.transcript.iter().filter_map(|line| line.as_object()?.keys().next());
        kinds.map(String::as_str).filter(|kind| ["asked", "ran", "answered"].contains(kind)).collect()
    }

    /// How the runs ended.
    pub(crate) fn outcomes(&self) -> Vec<&str> {
        self.steps("run").into_iter().map(|run| run["outcome"].as_str().unwrap()).collect()
    }

    /// What the model was shown, the last time.
    pub(crate) fn shown(&self) -> &[Value] {
        self.agent.shown.last().expect("the model was asked")
    }

    /// How often the model was asked.
    pub(crate) fn times_asked(&self) -> usize {
        self.agent.shown.len()
    }

    /// The text of the result of this call that the model was shown.
    pub(crate) fn result(&self, call: &Value) -> &str {
        let result = self.shown().iter().find(|part| part["result"]["id"] == *call);
        result.and_then(|part| part["result"]["text"].as_str()).expect("the call has a result")
    }

    /// The bodies of the requests.
    pub(crate) fn requests(&self) -> &[Value] {
        &self.agent.requests
    }
}
