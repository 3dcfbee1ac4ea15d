//! Playing a recorded conversation: a transport that sends the recorded events, and the recorded answers of the person, each
//! at its place among them.
//!
//! The recording is one sequence. Whoever waits for something looks at its first item: the transport takes frames, a
//! question takes its answer, and the end of a call lets the sequence go on. So everything happens in the recorded order,
//! however long a command took then.

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::poll_fn;
use std::io::BufRead;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use drawloom::ag_ui::recording::{RecordedEnd, RecordedNote, RecordingError, RecordingItem, RecordingReader};
use drawloom::client::{BoxFuture, Frame, Frames, RunAgentInput, Transport, TransportError};
use futures_util::{StreamExt, stream};
use serde_json::{Map, Value};

/// The limit on what is kept of a recorded conversation, in bytes of its events.
const BYTES: usize = 256 << 20;

/// A recorded conversation. Clones play the same one.
#[derive(Clone)]
pub(crate) struct Playback(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    options: Map<String, Value>,
    conversation: Option<Value>,
    /// The questions that wait for an answer, and how many with the same key.
    waiting: HashMap<Key, usize>,
    running: HashSet<String>,
    answered: HashSet<String>,
    /// A response is being read.
    is_streaming: bool,
    /// No answer comes any more.
    is_stuck: bool,
    wakers: Vec<Waker>,
}

enum Item {
    Frame(Frame),
    Note(RecordedNote),
}

/// What an answer is for.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Decision(String, String),
    Input(String),
    Reply(String),
}

/// Why a recorded conversation cannot be played.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaybackError {
    #[error("{0}")]
    Recording(#[from] RecordingError),
    #[error("the recorded conversation has more than {BYTES} bytes of events, the most that is played")]
    TooLarge,
}

impl Playback {
    /// Reads a recording that has notes.
    pub(crate) fn read(input: impl BufRead) -> Result<Self, PlaybackError> {
        let mut recording = RecordingReader::new(input);
        let mut state = State::default();
        let mut bytes = 0_usize;
        while let Some(item) = recording.read()? {
            state.items.push_back(match item {
                RecordingItem::Event { text, .. } => {
                    bytes = bytes.saturating_add(text.len());
                    if bytes > BYTES {
                        return Err(PlaybackError::TooLarge);
                    }
                    Item::Frame(Frame::Event(text.to_owned()))
                }
                RecordingItem::Lost { line, problem } => Item::Frame(Frame::Lost { line, problem }),
                RecordingItem::Note { note: RecordedNote::Options(options), .. } => {
                    state.options = options;
                    continue;
                }
                RecordingItem::Note { note: RecordedNote::Conversation(conversation), .. } => {
                    state.conversation = Some(conversation);
                    continue;
                }
                RecordingItem::Note { note, .. } => Item::Note(note),
                _ => continue,
            });
        }
        Ok(Self(Arc::new(Mutex::new(state))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The options that were in force.
    pub(crate) fn options(&self) -> Map<String, Value> {
        self.state().options.clone()
    }

    /// The conversation that was continued.
    pub(crate) fn conversation(&self) -> Option<Value> {
        self.state().conversation.clone()
    }

    /// The thread of the first request.
    pub(crate) fn thread_id(&self) -> Option<String> {
        self.state().items.iter().find_map(|item| match item {
            Item::Note(RecordedNote::Request { thread_id, .. }) => Some(thread_id.clone()),
            _ => None,
        })
    }

    /// How many messages the person sent.
    pub(crate) fn prompts(&self) -> usize {
        let is_prompt = |item: &&Item| matches!(item, Item::Note(RecordedNote::Prompt(_)));
        self.state().items.iter().filter(is_prompt).count()
    }

    /// The next prompt. What is left of the turn before is passed over.
    pub(crate) fn next_prompt(&self) -> Option<String> {
        let mut state = self.state();
        while let Some(item) = state.items.pop_front() {
            if let Item::Note(RecordedNote::Prompt(prompt)) = item {
                state.is_stuck = false;
                return Some(prompt);
            }
        }
        None
    }

    /// The id of the run that is requested next.
    pub(crate) fn next_run_id(&self) -> Option<String> {
        let mut state = self.state();
        state.skip_to_request();
        match state.items.front() {
            Some(Item::Note(RecordedNote::Request { run_id, .. })) => Some(run_id.clone()),
            _ => None,
        }
    }

    /// A call runs.
    pub(crate) fn call_runs(&self, call: &str) {
        let mut state = self.state();
        state.answered.remove(call);
        state.running.insert(call.to_owned());
    }

    /// A call was answered.
    pub(crate) fn call_answered(&self, call: &str) {
        let mut state = self.state();
        state.running.remove(call);
        state.answered.insert(call.to_owned());
        state.wake();
    }

    /// The recorded answer about a call.
    pub(super) async fn decision(&self, call: &str, command: &str) -> Option<Value> {
        self.answer(Key::Decision(call.to_owned(), command.to_owned())).await
    }

    /// The recorded answer to a question in words.
    pub(super) async fn input(&self, interrupt: &str) -> Option<Value> {
        self.answer(Key::Input(interrupt.to_owned())).await
    }

    /// The recorded answer to a call that was left to the agent.
    pub(super) async fn reply(&self, call: &str) -> Option<Value> {
        self.answer(Key::Reply(call.to_owned())).await
    }

    async fn answer(&self, key: Key) -> Option<Value> {
        let question = WaitingQuestion::new(self.clone(), key);
        poll_fn(|cx| {
            let mut state = self.state();
            match state.items.front() {
                Some(Item::Note(note)) if key_of(note).as_ref() == Some(&question.key) => {
                    let note = state.items.pop_front();
                    state.wake();
                    Poll::Ready(note.and_then(answer_of))
                }
                _ if state.is_stuck => Poll::Ready(None),
                _ => {
                    state.wakers.push(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// Waits until the recorded conversation was cancelled. It is polled only while the client has nothing to do, so that
    /// whatever nobody waits for can be passed over.
    pub(crate) async fn cancelled(&self) {
        poll_fn(|cx| self.poll_cancelled(cx)).await;
    }

    fn poll_cancelled(&self, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        loop {
            match state.items.front() {
                Some(Item::Note(RecordedNote::Cancelled)) => {
                    state.items.pop_front();
                    return Poll::Ready(());
                }
                Some(Item::Note(note)) if state.is_useless(note) => {
                    state.items.pop_front();
                    state.wake();
                }
                Some(Item::Frame(_) | Item::Note(RecordedNote::Response(_))) if !state.is_streaming => {
                    // The client did not read the response to its end.
                    state.items.pop_front();
                    state.wake();
                }
                Some(Item::Frame(_)) => break,
                Some(Item::Note(RecordedNote::Answered { .. } | RecordedNote::Response(_))) => break,
                Some(Item::Note(note)) if key_of(note).is_some() => break,
                _ => {
                    // The turn is over in the recording.
                    if state.running.is_empty() && !state.waiting.is_empty() && !state.is_stuck {
                        state.is_stuck = true;
                        state.wake();
                    }
                    break;
                }
            }
        }
        state.wakers.push(cx.waker().clone());
        Poll::Pending
    }

    fn poll_frame(&self, cx: &Context<'_>) -> Poll<Option<Result<Frame, TransportError>>> {
        let mut state = self.state();
        loop {
            match state.items.front() {
                Some(Item::Frame(_)) => {
                    let Some(Item::Frame(frame)) = state.items.pop_front() else { continue };
                    // What comes now may be an answer that a question waits for.
                    state.wake();
                    return Poll::Ready(Some(Ok(frame)));
                }
                Some(Item::Note(RecordedNote::Response(end))) => {
                    let broken = match end {
                        RecordedEnd::Broken(why) => Some(TransportError::Other(why.clone())),
                        RecordedEnd::Abandoned => {
                            // The client stops by itself, or because the conversation was cancelled.
                            state.items.pop_front();
                            break;
                        }
                        _ => None,
                    };
                    state.items.pop_front();
                    return Poll::Ready(broken.map(Err));
                }
                Some(Item::Note(note)) if state.is_useless(note) => {
                    state.items.pop_front();
                }
                Some(Item::Note(RecordedNote::Request { .. } | RecordedNote::Prompt(_))) | None => {
                    return Poll::Ready(None);
                }
                Some(Item::Note(_)) => break,
            }
        }
        state.wakers.push(cx.waker().clone());
        Poll::Pending
    }
}

impl State {
    fn wake(&mut self) {
        self.wakers.drain(..).for_each(Waker::wake);
    }

    /// Whether nothing waits for this note, and nothing will.
    fn is_useless(&self, note: &RecordedNote) -> bool {
        match note {
            RecordedNote::Answered { call_id } => {
                let is_asked = |key: &Key| matches!(key, Key::Decision(call, _) if call == call_id);
                self.answered.contains(call_id)
                    || !(self.running.contains(call_id) || self.waiting.keys().any(is_asked))
            }
            RecordedNote::Resumed(_) => true,
            note => key_of(note).is_some_and(|key| !self.waiting.contains_key(&key)),
        }
    }

    /// Passes over what comes before the next request, and over a request that was rejected and sent again.
    fn skip_to_request(&mut self) {
        let is_request = |item: Option<&Item>| matches!(item, Some(Item::Note(RecordedNote::Request { .. })));
        let is_turn = |item: Option<&Item>| matches!(item, None | Some(Item::Note(RecordedNote::Prompt(_))));
        while !is_request(self.items.front()) && !is_turn(self.items.front()) {
            self.items.pop_front();
        }
        let is_broken =
            matches!(self.items.get(1), Some(Item::Note(RecordedNote::Response(RecordedEnd::Broken(_)))));
        if is_request(self.items.front()) && is_broken && is_request(self.items.get(2)) {
            self.items.drain(..2);
        }
    }
}

fn key_of(note: &RecordedNote) -> Option<Key> {
    match note {
        RecordedNote::Decision { call_id, command_id, .. } => {
            Some(Key::Decision(call_id.clone(), command_id.clone()))
        }
        RecordedNote::Input { interrupt_id, .. } => Some(Key::Input(interrupt_id.clone())),
        RecordedNote::Reply { call_id, .. } => Some(Key::Reply(call_id.clone())),
        _ => None,
    }
}

fn answer_of(item: Item) -> Option<Value> {
    match item {
        Item::Note(RecordedNote::Decision { answer, .. } | RecordedNote::Input { answer, .. }) => {
            Some(answer)
        }
        Item::Note(RecordedNote::Reply { content, .. }) => content.map(Value::String),
        _ => None,
    }
}

/// A question that waits for its answer, until it is dropped.
struct WaitingQuestion {
    playback: Playback,
    key: Key,
}

impl WaitingQuestion {
    fn new(playback: Playback, key: Key) -> Self {
        *playback.state().waiting.entry(key.clone()).or_default() += 1;
        Self { playback, key }
    }
}

impl Drop for WaitingQuestion {
    fn drop(&mut self) {
        let mut state = self.playback.state();
        if let Some(count) = state.waiting.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                state.waiting.remove(&self.key);
            }
        }
        state.wake();
    }
}

impl Transport for Playback {
    fn start(&self, _input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let playback = self.clone();
        Box::pin(async move {
            {
                let mut state = playback.state();
                state.skip_to_request();
                if !matches!(state.items.front(), Some(Item::Note(RecordedNote::Request { .. }))) {
                    return Err(TransportError::Other("the recording has no further run".to_owned()));
                }
                state.items.pop_front();
                // A response that did not begin.
                if let Some(Item::Note(RecordedNote::Response(RecordedEnd::Broken(why)))) =
                    state.items.front()
                {
                    let error = TransportError::Other(why.clone());
                    state.items.pop_front();
                    return Err(error);
                }
            }
            let response = PlayedResponse::new(playback);
            let frames = stream::poll_fn(move |cx| response.0.poll_frame(cx));
            Ok(frames.boxed())
        })
    }
}

/// A response that is being read, until it is dropped.
struct PlayedResponse(Playback);

impl PlayedResponse {
    fn new(playback: Playback) -> Self {
        playback.state().is_streaming = true;
        Self(playback)
    }
}

impl Drop for PlayedResponse {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_streaming = false;
        state.wake();
    }
}
