//! Live conversations with a scripted agent, played with `drawloom drive`.
//!
//! A case is `{ name, why, workbench, args, runs, expect }`. `runs` holds one list of events for each request. `{T}` and
//! `{R}` in an event stand for the thread id and the run id of the request, and a string in place of an event is sent
//! unchanged. A run can also be `{ "events": […], "delayMs": { index: n } }`: event number `index` is sent n milliseconds
//! after the one before. Requests after the last run get an empty run.
//!
//! `expect` holds: `exit`, the exit code (0 if absent); `requests`, the number of requests; `lines`, lines of the transcript
//! that come in this order, with others in between; `never`, lines that do not come; `sent`, for a request by its number,
//! messages that it contains in this order; `resume`, for a request by its number, the answers to interrupts.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use drawloom_replay::ExpectedLine;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::binary::drawloom;
use crate::cases;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DriveCase {
    name: String,
    #[serde(rename = "why")]
    _why: Option<String>,
    workbench: Value,
    #[serde(default)]
    args: Vec<String>,
    runs: Vec<ScriptedRun>,
    expect: Expectation,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum ScriptedRun {
    Events(Vec<Value>),
    Delayed {
        events: Vec<Value>,
        #[serde(rename = "delayMs")]
        delay_ms: BTreeMap<usize, u64>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    #[serde(default)]
    exit: i32,
    requests: Option<usize>,
    #[serde(default)]
    lines: Vec<ExpectedLine>,
    #[serde(default)]
    never: Vec<ExpectedLine>,
    #[serde(default)]
    sent: BTreeMap<usize, Vec<Value>>,
    #[serde(default)]
    resume: BTreeMap<usize, Value>,
}

/// An agent that plays the runs of a case.
struct ScriptedServer {
    url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl ScriptedServer {
    fn start(runs: Vec<ScriptedRun>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Value>>> = Arc::default();
        let received = requests.clone();
        // The thread ends with the test.
        thread::spawn(move || {
            for connection in listener.incoming() {
                let mut connection = connection.unwrap();
                let request = read_request(&connection);
                let number = received.lock().unwrap().len();
                received.lock().unwrap().push(request.clone());
                // The client may close the connection at any time.
                let _ = answer(&mut connection, runs.get(number).cloned(), &request);
            }
        });
        Self { url, requests }
    }
}

/// The body of a request.
fn read_request(connection: &TcpStream) -> Value {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn answer(connection: &mut TcpStream, run: Option<ScriptedRun>, request: &Value) -> std::io::Result<()> {
    let (events, delays) = match run {
        Some(ScriptedRun::Events(events)) => (events, BTreeMap::new()),
        Some(ScriptedRun::Delayed { events, delay_ms }) => (events, delay_ms),
        None => {
            let event = |kind| json!({ "type": kind, "threadId": "{T}", "runId": "{R}" });
            (vec![event("RUN_STARTED"), event("RUN_FINISHED")], BTreeMap::new())
        }
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    connection.write_all(head.as_bytes())?;
    for (index, event) in events.iter().enumerate() {
        thread::sleep(Duration::from_millis(delays.get(&index).copied().unwrap_or(0)));
        let text = event.as_str().map_or_else(|| event.to_string(), str::to_owned);
        let id = |name: &str| request[name].as_str().unwrap().to_owned();
        let text = text.replace("{T}", &id("threadId")).replace("{R}", &id("runId"));
        connection.write_all(format!("data: {text}\n\n").as_bytes())?;
    }
    Ok(())
}

/// Whether a value has all that is expected: every field that is named, a text that contains what follows `~`, and nothing
/// for a null.
fn matches(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(expected), Value::String(actual)) => match expected.strip_prefix('~') {
            Some(part) => actual.contains(part),
            None => expected == actual,
        },
        (Value::Object(expected), Value::Object(_)) => {
            expected.iter().all(|(name, value)| matches(value, &actual[name]))
        }
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len()
                && expected.iter().zip(actual).all(|(one, other)| matches(one, other))
        }
        (expected, actual) => expected == actual,
    }
}

/// Whether the items that match are among the actual ones, in this order.
fn in_order<E, A>(expected: &[E], actual: &[A], matches: impl Fn(&E, &A) -> bool) -> bool {
    let mut actual = actual.iter();
    expected.iter().all(|expected| actual.any(|actual| matches(expected, actual)))
}

fn play(path: &Path) {
    let case: DriveCase = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(Some(&*case.name), path.file_stem().unwrap().to_str(), "a case has the name of its file");
    let scratch = tempfile::tempdir().unwrap();
    let workbench = scratch.path().join("workbench.json");
    fs::write(&workbench, case.workbench.to_string()).unwrap();
    let server = ScriptedServer::start(case.runs);
    let words = ["--agent", &server.url, "--prompt", "go", "--transcript", "--timeout", "20"];
    let recording = scratch.path().join("run.jsonl");
    let words = words
        .into_iter()
        .chain(["--record", recording.to_str().unwrap()])
        .chain(case.args.iter().map(String::as_str))
        .map(Into::into);
    let output = drawloom(["drive".into(), workbench.clone().into_os_string()].into_iter().chain(words), b"");

    let (lines, requests, expect) = (output.lines(), server.requests.lock().unwrap(), case.expect);
    let transcript = format!("the transcript:\n{}standard error:\n{}", output.stdout, output.stderr);
    assert_eq!(output.code, Some(expect.exit), "{transcript}");
    if let Some(count) = expect.requests {
        assert_eq!(requests.len(), count, "the number of requests; {transcript}");
    }
    assert!(in_order(&expect.lines, &lines, ExpectedLine::matches), "the lines differ; {transcript}");
    for line in &lines {
        let unexpected = expect.never.iter().find(|never| never.matches(line));
        assert!(unexpected.is_none(), "{line} must not come; {transcript}");
    }
    for (number, messages) in &expect.sent {
        let sent = requests[*number]["messages"].as_array().unwrap();
        assert!(in_order(messages, sent, matches), "request {number} has {sent:#?}");
    }
    let replay = ["replay".as_ref(), workbench.as_os_str(), recording.as_os_str(), "--transcript".as_ref()];
    let replayed = drawloom(replay, b"");
    assert_eq!(replayed.code, Some(0), "{replayed:#?}");
    assert_eq!(replayed.lines(), lines, "the recording plays differently; {transcript}");
    for (number, entries) in &expect.resume {
        let resume = &requests[*number]["resume"];
        assert!(matches(entries, resume), "request {number} resumes with {resume:#?}");
    }
}

cases! {
    "drive", play,
    a_frame_that_is_lost_and_a_chunk_behind_it,
    failed_run_leaves_nothing_unanswered,
    interrupt_on_a_call_that_ran,
    own_tool_that_nobody_answered_but_the_agent_went_on,
    placeholder_result_of_a_slow_command,
    question_closed_by_a_later_run,
    refused_call_announced_again,
    same_id_in_later_runs_with_history,
    texts_of_a_subagent_stay_apart,
    the_agent_learns_of_an_edit,
}
