//! What holds for every sequence of events, however its futures are dropped and whenever the backend answers.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Plays(Event<'static>, Answer),
    Accepts(Event<'static>),
    Takes(usize, Taken),
    Loses,
    Offers(&'static str),
    Withdraws(&'static str),
    Flushes,
}

/// What becomes of the answer to an event. One that waits for a command that never ends is dropped in any case.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Polled,
    DroppedUnpolled,
}

/// What becomes of a call that is executed beside the stream.
#[derive(Clone, Copy, Debug)]
enum Taken {
    Started,
    Polled,
    Cancelled,
}

const TOOLS: [&str; 3] = ["ping", "never", "x"];

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "c", "overlong"])
}

fn tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&TOOLS[..])
}

fn event() -> impl Strategy<Value = Event<'static>> {
    let delta = || prop::sample::select(vec!["", "{}", "[", "123456789"]);
    let message = prop::sample::select(vec!["a", "b", "=a", "=b", "\""]);
    prop_oneof![
        2 => prop::sample::select(vec!["r1", "r2", ""]).prop_map(run),
        2 => Just(finished()),
        1 => Just(failed()),
        1 => Just(ended("cancelled")),
        1 => prop::collection::vec(id(), 0..3).prop_map(|ids| interrupted(&ids)),
        5 => (id(), tool()).prop_map(|(id, tool)| start(id, tool)),
        3 => (id(), delta()).prop_map(|(id, delta)| args(id, delta)),
        5 => id().prop_map(end),
        5 => (id(), tool(), delta()).prop_map(|(id, tool, delta)| chunk(id, tool, delta)),
        1 => (id(), delta()).prop_map(|(id, delta)| nameless(id, delta)),
        2 => id().prop_map(result),
        1 => prop::collection::vec(message, 0..4).prop_map(|messages| snapshot(&messages)),
        1 => Just(text()),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let taken = prop::sample::select(vec![Taken::Started, Taken::Polled, Taken::Polled, Taken::Cancelled]);
    prop_oneof![
        16 => event().prop_map(|event| Step::Plays(event, Answer::Polled)),
        2 => event().prop_map(|event| Step::Plays(event, Answer::DroppedUnpolled)),
        8 => event().prop_map(Step::Accepts),
        6 => (0_usize..3, taken).prop_map(|(at, taken)| Step::Takes(at, taken)),
        1 => Just(Step::Loses),
        1 => tool().prop_map(Step::Offers),
        1 => tool().prop_map(Step::Withdraws),
        1 => Just(Step::Flushes),
    ]
}

/// What the agent was told, and what it told.
struct Conversation {
    fake: Fake,
    tools: CommandTools,
    running: Vec<RunningCall>,
    /// The run of each message id, and the call that it answers.
    messages: BTreeMap<String, String>,
    taken_back: usize,
}

impl Conversation {
    fn keep(&mut self, message: ToolMessage) {
        let call = message.tool_call_id.to_string();
        assert!(message.id.ends_with(&format!("-{call}")) || call.len() > 64, "{message:?}");
        assert_eq!(self.messages.insert(message.id, call), None, "two messages have one id");
    }

    fn flush(&mut self) {
        loop {
            match poll_once(self.tools.flush()) {
                // One that never ends is answered by the next.
                None => {}
                Some(Some(message)) => self.keep(message),
                Some(None) => return,
            }
        }
    }

    fn settle(&mut self) {
        self.running.extend(std::iter::from_fn(|| self.tools.next_call()).map(ReadyCall::start));
        while let Some(withdrawn) = self.tools.next_withdrawn() {
            match withdrawn.what {
                Withdrawn::Message => {
                    assert!(self.messages.remove(&withdrawn.message_id).is_some(), "{withdrawn:?}");
                    self.taken_back += 1;
                }
                Withdrawn::Question => {
                    assert!(self.running.iter().any(|call| *call.id() == withdrawn.id), "{withdrawn:?}");
                }
            }
        }
    }

    fn play(&mut self, step: &Step) {
        match step {
            Step::Plays(event, answer) => {
                let answering = self.tools.receive(event);
                let message = match answer {
                    Answer::Polled => poll_once(answering).flatten(),
                    Answer::DroppedUnpolled => {
                        drop(answering);
                        None
                    }
                };
                message.into_iter().for_each(|message| self.keep(message));
                while let Some(withdrawn) = self.tools.next_withdrawn() {
                    if withdrawn.what == Withdrawn::Message {
                        assert!(self.messages.remove(&withdrawn.message_id).is_some(), "{withdrawn:?}");
                    }
                }
            }
            Step::Accepts(event) => {
                self.tools.accept(event);
                self.settle();
            }
            Step::Takes(at, taken) if *at < self.running.len() => {
                let mut call = self.running.remove(*at);
                let finished = match taken {
                    Taken::Started => return self.running.push(call),
                    Taken::Polled => match poll_once(&mut call) {
                        Some(finished) => finished,
                        None => return self.running.push(call),
                    },
                    Taken::Cancelled => call.cancel(),
                };
                if let Some(message) = self.tools.finished(finished) {
                    self.keep(message);
                }
            }
            Step::Takes(..) => {}
            Step::Loses => self.tools.frame_lost("cut"),
            Step::Offers("never") => self.fake.offer("never", Behaviour::Never),
            Step::Offers(id) => self.fake.offer(id, Behaviour::Ping),
            Step::Withdraws(id) => self.fake.withdraw(id),
            Step::Flushes => self.flush(),
        }
    }
}

fn check(steps: &[Step], unoffered: UnofferedCalls) {
    let limits = AssemblerLimits::default()
        .with_argument_bytes(8)
        .with_open_calls(2)
        .with_calls_per_run(4)
        .with_id_bytes(4);
    let fake = Fake::offering(["ping"]);
    let tools = CommandTools::builder(fake.clone()).limits(limits).unoffered_calls(unoffered).build();
    let mut conversation =
        Conversation { fake, tools, running: Vec::new(), messages: BTreeMap::new(), taken_back: 0 };
    for step in steps {
        conversation.play(step);
    }
    conversation.flush();
    for call in std::mem::take(&mut conversation.running) {
        if let Some(message) = conversation.tools.finished(call.cancel()) {
            conversation.keep(message);
        }
    }
    let debug = format!("{:?}", conversation.tools);
    assert_eq!(debug, "CommandTools { open: 0, left_to_backend: 0, due: 0, begun: 0, .. }");
    assert!(conversation.tools.handed_out.is_empty());
    // What ran here is answered here, except that a command may have run in a call whose answer is a failure.
    assert!(conversation.fake.ran().len() <= conversation.messages.len(), "{:?}", conversation.messages);
}

proptest! {
    #[test]
    fn nothing_stays_unanswered_and_nothing_is_answered_twice(
        steps in prop::collection::vec(step(), 0..40),
        unoffered in prop_oneof![Just(UnofferedCalls::Refuse), Just(UnofferedCalls::LeaveToBackend)],
    ) {
        check(&steps, unoffered);
    }
}
