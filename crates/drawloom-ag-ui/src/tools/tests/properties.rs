//! What holds for every sequence of events, however its futures are dropped and whenever the backend answers.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Plays(Event<'static>, Answer),
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

const IDS: [&str; 4] = ["a", "b", "c", "overlong"];
const TOOLS: [&str; 3] = ["ping", "never", "x"];

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&IDS[..])
}

fn tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&TOOLS[..])
}

fn event() -> impl Strategy<Value = Event<'static>> {
    let ids = || prop::collection::vec(id(), 0..3);
    let delta = || prop::sample::select(vec!["", "{}", "[", "123456789"]);
    prop_oneof![
        1 => prop::sample::select(vec!["r1", "r2"]).prop_map(run),
        1 => Just(finished()),
        1 => Just(Event::RunError),
        1 => Just(Event::RunFinished { outcome: RunOutcome::Cancelled }),
        1 => ids().prop_map(|ids| interrupted(&ids)),
        5 => (id(), tool()).prop_map(|(id, tool)| start(id, tool)),
        3 => (id(), delta()).prop_map(|(id, delta)| args(id, delta)),
        5 => id().prop_map(end),
        5 => (id(), tool(), delta()).prop_map(|(id, tool, delta)| chunk(id, tool, delta)),
        2 => id().prop_map(result),
        1 => ids().prop_map(|ids| snapshot(&ids)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        20 => event().prop_map(|event| Step::Plays(event, Answer::Polled)),
        2 => event().prop_map(|event| Step::Plays(event, Answer::DroppedUnpolled)),
        1 => tool().prop_map(Step::Offers),
        1 => tool().prop_map(Step::Withdraws),
        1 => Just(Step::Flushes),
    ]
}

/// What is owed, by a plain account: every call that the assembler gives, until the adapter or the backend answers it.
struct Account {
    assembler: ToolCallAssembler,
    message_ids: MessageIds,
    run: usize,
    owed: Vec<OwedByAccount>,
    messages: HashSet<String>,
}

#[derive(Debug, PartialEq)]
struct OwedByAccount {
    run: usize,
    call: ToolCallId,
    message_id: String,
}

impl Account {
    fn accept(&mut self, event: &Event<'_>) {
        match event {
            Event::ToolCallResult { id } => self.settle(id),
            Event::MessagesSnapshot { answered: ids }
            | Event::RunFinished { outcome: RunOutcome::Interrupted(ids) } => {
                ids.iter().for_each(|id| self.settle(id));
            }
            _ => {}
        }
        let boundary = self.assembler.accept(event);
        self.take();
        if let (Some(RunBoundary::Began), Event::RunStarted { thread_id, run_id }) = (boundary, event) {
            self.message_ids.run_began(thread_id, run_id);
            self.run += 1;
        }
    }

    fn take(&mut self) {
        while let Some(call) = self.assembler.next_call() {
            let message_id = self.message_ids.of(&call.id);
            self.owed.push(OwedByAccount { run: self.run, call: call.id, message_id });
        }
    }

    fn settle(&mut self, id: &str) {
        self.owed.retain(|owed| owed.run != self.run || owed.call != id);
    }

    fn keep(&mut self, message: ToolMessage) {
        let found = self.owed.iter().position(|owed| owed.message_id == message.id);
        let owed = self.owed.remove(found.unwrap_or_else(|| panic!("nothing was owed this: {message:?}")));
        assert_eq!(owed.call, message.tool_call_id);
        assert!(self.messages.insert(message.id), "two messages have one id");
    }

    /// Asks `flush` until it gives nothing, and once more for each answer that is dropped because it waits.
    fn flush(&mut self, tools: &mut CommandTools) {
        loop {
            // The stream is over once `flush` is asked for what only its end makes due, and not before.
            if let (0, left, 0) = tools.owed.counts()
                && left + self.assembler.open_calls() > 0
            {
                self.assembler.end_of_stream();
                self.take();
            }
            match poll_once(tools.flush()) {
                None => {}
                Some(Some(message)) => self.keep(message),
                Some(None) => return,
            }
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
    let mut tools = CommandTools::new(fake.clone()).limits(limits).unoffered_calls(unoffered);
    let mut account = Account {
        assembler: ToolCallAssembler::new(limits),
        message_ids: MessageIds::new(),
        run: 0,
        owed: Vec::new(),
        messages: HashSet::new(),
    };
    for step in steps {
        match step {
            Step::Plays(event, answer) => {
                account.accept(event);
                let answering = tools.receive(event);
                if let Answer::Polled = answer
                    && let Some(Some(message)) = poll_once(answering)
                {
                    account.keep(message);
                }
            }
            Step::Offers("never") => fake.offer("never", Behaviour::Never),
            Step::Offers(id) => fake.offer(id, Behaviour::Ping),
            Step::Withdraws(id) => fake.withdraw(id),
            Step::Flushes => account.flush(&mut tools),
        }
    }
    account.flush(&mut tools);
    assert_eq!(account.owed, [], "these were not answered");
    assert_eq!(tools.owed.counts(), (0, 0, 0));
}

proptest! {
    #[test]
    fn every_call_is_answered_once_unless_the_backend_answers_it(
        steps in prop::collection::vec(step(), 0..40),
        unoffered in prop_oneof![Just(UnofferedCalls::Refuse), Just(UnofferedCalls::LeaveToBackend)],
    ) {
        check(&steps, unoffered);
    }
}
