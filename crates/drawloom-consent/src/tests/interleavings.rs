//! Calls that arrive, are dropped and are answered in any order, compared with a naive model.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// One step. Numbers select among the existing calls and questions.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A call to a command, for one of its registrations, arrives.
    Call { command: usize, registration: usize },
    /// A waiting call is dropped.
    GiveUp(usize),
    /// An open question is answered.
    Answer(usize, Given),
    /// The executor polls a call that was woken.
    Poll(usize),
}

#[derive(Clone, Copy, Debug)]
enum Given {
    Yes,
    Edit,
    No,
}

fn step() -> impl Strategy<Value = Step> {
    let given = prop_oneof![2 => Just(Given::Yes), 1 => Just(Given::Edit), 2 => Just(Given::No)];
    prop_oneof![
        6 => (0..2usize, 0..2usize).prop_map(|(command, registration)| Step::Call { command, registration }),
        2 => any::<usize>().prop_map(Step::GiveUp),
        4 => (any::<usize>(), given).prop_map(|(question, given)| Step::Answer(question, given)),
        6 => any::<usize>().prop_map(Step::Poll),
    ]
}

type Subject = (usize, usize);

/// The naive model. A question is closed when a waiting call gets the answer.
#[derive(Default)]
struct Account {
    kept: [Option<usize>; 2],
    questions: Vec<Open>,
    /// What each call waits for.
    calls: Vec<(Subject, State)>,
}

struct Open {
    subject: Subject,
    about: usize,
    given: Option<Given>,
    heard: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Waits { question: usize },
    Gone,
    Decided(Came),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Came {
    Run,
    RunWith,
    Decline,
}

impl Account {
    fn waits_for(&self, question: usize) -> bool {
        self.calls.iter().any(|(_, state)| *state == State::Waits { question })
    }

    /// A call uses a remembered yes, joins a question, or asks.
    fn enter(&mut self, call: usize) {
        let subject = self.calls[call].0;
        if self.kept[subject.0] == Some(subject.1) {
            self.calls[call].1 = State::Decided(Came::Run);
            return;
        }
        let open = (0..self.questions.len()).find(|&open| {
            self.questions[open].subject == subject && !self.questions[open].heard && self.waits_for(open)
        });
        let question = open.unwrap_or_else(|| {
            self.questions.push(Open { subject, about: call, given: None, heard: false });
            self.questions.len() - 1
        });
        self.calls[call].1 = State::Waits { question };
        // It gets an existing answer at once.
        self.poll(call);
    }

    fn poll(&mut self, call: usize) {
        let ((command, registration), State::Waits { question }) = self.calls[call] else { return };
        let Some(given) = self.questions[question].given else { return };
        let first = !std::mem::replace(&mut self.questions[question].heard, true);
        let came = match given {
            Given::Yes => {
                if first {
                    self.kept[command] = Some(registration);
                }
                Came::Run
            }
            Given::No => Came::Decline,
            Given::Edit if self.questions[question].about == call => Came::RunWith,
            Given::Edit => return self.enter(call),
        };
        self.calls[call].1 = State::Decided(came);
    }
}

fn came(decision: Decision) -> Came {
    match decision {
        Decision::Run => Came::Run,
        Decision::RunWith(_) => Came::RunWith,
        Decision::Decline { .. } => Came::Decline,
        Decision::Answer { .. } => panic!("the policy serves no call"),
    }
}

fn pick<T: Copy>(among: &[T], number: usize) -> Option<T> {
    among.get(number.checked_rem(among.len())?).copied()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn in_any_order_each_call_ends_as_in_the_model(steps in vec(step(), 0..60)) {
        let (desk, policy) = Desk::policy();
        let registrations = [(); 4].map(|()| RegistrationId::unique());
        let calls: Vec<_> = ["notes.open", "notes.close"]
            .into_iter()
            .enumerate()
            .flat_map(|(command, id)| {
                (0..2).map(move |registration| call_to(id, registrations[command * 2 + registration], AgentConsent::Ask))
            })
            .collect();
        let mut account = Account::default();
        let mut tasks: Vec<Option<Task<'_>>> = Vec::new();

        // In the end every question is answered, and every call that was woken is polled.
        let end = (0..200).flat_map(|number| [Step::Answer(0, Given::No), Step::Poll(number)]);
        for step in steps.into_iter().chain(end) {
            let polled = match step {
                Step::Call { command, registration } => {
                    tasks.push(Some(Task::new(&policy, &calls[command * 2 + registration])));
                    account.calls.push(((command, registration), State::Gone));
                    let call = tasks.len() - 1;
                    account.enter(call);
                    Some(call)
                }
                Step::GiveUp(number) => {
                    let waiting: Vec<_> = (0..tasks.len()).filter(|&call| tasks[call].is_some()).collect();
                    if let Some(call) = pick(&waiting, number) {
                        tasks[call] = None;
                        account.calls[call].1 = State::Gone;
                    }
                    None
                }
                Step::Answer(number, given) => {
                    let open: Vec<_> = (0..account.questions.len())
                        .filter(|&open| account.questions[open].given.is_none() && account.waits_for(open))
                        .collect();
                    if let Some(question) = pick(&open, number) {
                        account.questions[question].given = Some(given);
                        desk.answer(question, match given {
                            Given::Yes => Confirmation::Yes,
                            Given::Edit => Confirmation::YesWith(CommandArguments::new()),
                            Given::No => Confirmation::No,
                        });
                    }
                    None
                }
                Step::Poll(number) => {
                    let woken: Vec<_> = (0..tasks.len())
                        .filter(|&call| tasks[call].as_ref().is_some_and(Task::is_woken))
                        .collect();
                    let call = pick(&woken, number);
                    if let Some(call) = call {
                        account.poll(call);
                    }
                    call
                }
            };
            if let Some(call) = polled {
                let decision = tasks[call].as_mut().unwrap().poll();
                let expected = match account.calls[call].1 {
                    State::Decided(came) => Some(came),
                    _ => None,
                };
                prop_assert_eq!(decision.map(came), expected, "call {}", call);
                if expected.is_some() {
                    tasks[call] = None;
                }
            }
            prop_assert_eq!(desk.asked(), account.questions.len());
            for (number, question) in account.questions.iter().enumerate() {
                if question.given.is_none() {
                    prop_assert_eq!(desk.is_taken_back(number), !account.waits_for(number));
                }
            }
        }
        prop_assert!(tasks.iter().all(Option::is_none), "a call was not woken");
        prop_assert_eq!(policy.size(), (account.kept.iter().flatten().count(), 0));
    }
}
