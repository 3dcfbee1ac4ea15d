//! What holds for every sequence of events, held against a naive account of the same rules.

use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// The rules, written down with lists and scans instead of maps, hashes and places.
struct Naive {
    limits: AssemblerLimits,
    calls: Vec<NaiveCall>,
    current: Option<String>,
    run: Option<(String, String)>,
    out: Vec<AssembledCall>,
}

struct NaiveCall {
    id: String,
    name: String,
    text: String,
    chunked: bool,
    open: bool,
}

impl Naive {
    fn new(limits: AssemblerLimits) -> Self {
        Self { limits, calls: vec![], current: None, run: None, out: vec![] }
    }

    fn find(&mut self, id: &str) -> Option<&mut NaiveCall> {
        self.calls.iter_mut().find(|call| call.id == id)
    }

    fn find_open(&mut self, id: &str) -> Option<&mut NaiveCall> {
        self.find(id).filter(|call| call.open)
    }

    fn finish(&mut self, id: &str, why: Option<IncompleteCall>) {
        if let Some(call) = self.find_open(id) {
            call.open = false;
            let arguments = why.map_or(Ok(call.text.clone()), Err);
            let out = AssembledCall { id: id.into(), name: call.name.clone(), arguments };
            self.out.push(out);
        }
    }

    fn drop_quietly(&mut self, id: &str) {
        if let Some(call) = self.find_open(id) {
            call.open = false;
        }
    }

    fn end(&mut self, chunks_run: bool, why: IncompleteCall) {
        let open: Vec<(String, bool)> =
            self.calls.iter().filter(|call| call.open).map(|call| (call.id.clone(), call.chunked)).collect();
        for (id, chunked) in open {
            self.finish(&id, (!(chunked && chunks_run)).then_some(why));
        }
        self.current = None;
        self.run = None;
    }

    fn open(&mut self, id: &str, name: &str, chunked: bool) {
        let limits = self.limits;
        let open = self.calls.iter().filter(|call| call.open).count();
        let refused = if id.len() > limits.id_bytes {
            Some(LimitExceeded::IdBytes(limits.id_bytes))
        } else if self.calls.len() >= limits.calls_per_run {
            Some(LimitExceeded::CallsPerRun(limits.calls_per_run))
        } else {
            (open >= limits.open_calls).then_some(LimitExceeded::OpenCalls(limits.open_calls))
        };
        let (id, name, text) = (id.to_owned(), name.to_owned(), String::new());
        self.calls.push(NaiveCall { id: id.clone(), name, text, chunked, open: true });
        if let Some(limit) = refused {
            self.finish(&id, Some(limit.into()));
        }
    }

    fn add(&mut self, id: &str, delta: &str) {
        let most = self.limits.argument_bytes;
        if let Some(call) = self.find_open(id) {
            call.text.push_str(delta);
            if call.text.len() > most {
                self.finish(id, Some(LimitExceeded::ArgumentBytes(most).into()));
            }
        }
    }

    fn accept(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted { thread_id, run_id } => {
                let run = Some((thread_id.to_string(), run_id.to_string()));
                if self.run != run {
                    self.end(false, IncompleteCall::NewRunBegan);
                    self.calls.clear();
                    self.run = run;
                }
            }
            Event::RunFinished { outcome: RunOutcome::Success } => {
                self.end(true, IncompleteCall::NeverClosed)
            }
            Event::RunFinished { outcome: RunOutcome::Interrupted(calls) } => {
                calls.iter().for_each(|id| self.drop_quietly(id));
                self.end(true, IncompleteCall::NeverClosed);
            }
            Event::RunFinished { outcome: RunOutcome::Cancelled } => {
                self.end(false, IncompleteCall::RunCancelled)
            }
            Event::RunFinished { outcome: RunOutcome::Unknown } => {
                self.end(false, IncompleteCall::NeverClosed)
            }
            Event::RunError => self.end(false, IncompleteCall::RunFailed),
            Event::ToolCallStart { id, name } => match self.find(id) {
                None => self.open(id, name, false),
                Some(call) if call.open => {
                    call.name = name.to_string();
                    call.text.clear();
                    call.chunked = false;
                }
                Some(_done) => {}
            },
            Event::ToolCallArgs { id, delta } => self.add(id, delta),
            Event::ToolCallEnd { id } => self.finish(id, None),
            Event::ToolCallChunk { id, name, delta } => {
                if let Some(id) = id {
                    let before = self.current.replace(id.to_string());
                    if let Some(before) = before.filter(|before| before != id)
                        && self.find_open(&before).is_some_and(|call| call.chunked)
                    {
                        self.finish(&before, None);
                    }
                    if let (None, Some(name)) = (self.find(id), name) {
                        self.open(id, name, true);
                    }
                }
                if let Some(current) = self.current.clone() {
                    self.add(&current, delta.as_deref().unwrap_or_default());
                }
            }
            Event::ToolCallResult { id } => self.drop_quietly(id),
            Event::MessagesSnapshot { answered } => answered.iter().for_each(|id| self.drop_quietly(id)),
            Event::Other => {}
        }
    }
}

fn text(of: &'static str) -> impl Strategy<Value = Cow<'static, str>> {
    proptest::string::string_regex(of).unwrap().prop_map(Cow::from)
}

fn id() -> impl Strategy<Value = Cow<'static, str>> {
    prop_oneof![9 => text("[abcd]"), 1 => Just(Cow::from("long"))]
}

fn delta() -> impl Strategy<Value = Cow<'static, str>> {
    text("[xé{]{0,3}")
}

fn event() -> impl Strategy<Value = Event<'static>> {
    let ids = || prop::collection::vec(id(), 0..3);
    prop_oneof![
        1 => (text("[t]"), text("[rs]")).prop_map(|(thread_id, run_id)| Event::RunStarted { thread_id, run_id }),
        1 => prop_oneof![
            3 => Just(RunOutcome::Success),
            2 => ids().prop_map(RunOutcome::Interrupted),
            1 => Just(RunOutcome::Cancelled),
            1 => Just(RunOutcome::Unknown),
        ].prop_map(|outcome| Event::RunFinished { outcome }),
        1 => Just(Event::RunError),
        4 => (id(), text("[nm]")).prop_map(|(id, name)| Event::ToolCallStart { id, name }),
        6 => (id(), delta()).prop_map(|(id, delta)| Event::ToolCallArgs { id, delta }),
        3 => id().prop_map(|id| Event::ToolCallEnd { id }),
        8 => (prop::option::of(id()), prop::option::of(text("[nm]")), prop::option::of(delta()))
            .prop_map(|(id, name, delta)| Event::ToolCallChunk { id, name, delta }),
        1 => id().prop_map(|id| Event::ToolCallResult { id }),
        1 => ids().prop_map(|answered| Event::MessagesSnapshot { answered }),
        1 => Just(Event::Other),
    ]
}

fn limits() -> impl Strategy<Value = AssemblerLimits> {
    let small = (0_usize..8, 0_usize..4, 0_usize..6, 0_usize..5).prop_map(|(bytes, open, calls, id)| {
        AssemblerLimits::default()
            .with_argument_bytes(bytes)
            .with_open_calls(open)
            .with_calls_per_run(calls)
            .with_id_bytes(id)
    });
    prop_oneof![Just(AssemblerLimits::default()), small]
}

fn drain(assembler: &mut ToolCallAssembler) -> Vec<AssembledCall> {
    std::iter::from_fn(|| assembler.next_call()).collect()
}

proptest! {
    #[test]
    fn the_assembler_does_as_the_naive_account_does(
        limits in limits(), events in prop::collection::vec(event(), 0..40),
    ) {
        let mut assembler = ToolCallAssembler::new(limits);
        let mut naive = Naive::new(limits);
        for event in &events {
            assembler.accept(event);
            naive.accept(event);
            prop_assert_eq!(drain(&mut assembler), std::mem::take(&mut naive.out), "at {:?}", event);
            prop_assert_eq!(assembler.open_calls(), naive.calls.iter().filter(|call| call.open).count());
        }
    }

    #[test]
    fn every_call_of_a_run_comes_out_once_unless_the_agent_sees_to_its_answer(
        limits in limits(), events in prop::collection::vec(event(), 0..40),
    ) {
        let mut assembler = ToolCallAssembler::new(limits);
        // Of each id of this run: how often it came out, and whether the agent answered it or is to resume it.
        let mut seen: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        for event in events.iter().chain([&Event::RunError]) {
            let boundary = assembler.accept(event);
            match event {
                Event::ToolCallStart { id, .. } | Event::ToolCallChunk { id: Some(id), name: Some(_), .. } => {
                    seen.entry(id.to_string()).or_default();
                }
                Event::ToolCallResult { id } => {
                    if let Some((_, elsewhere)) = seen.get_mut(&**id) {
                        *elsewhere = true;
                    }
                }
                Event::MessagesSnapshot { answered: ids }
                | Event::RunFinished { outcome: RunOutcome::Interrupted(ids) } => {
                    for id in ids {
                        if let Some((_, elsewhere)) = seen.get_mut(&**id) {
                            *elsewhere = true;
                        }
                    }
                }
                _ => {}
            }
            for call in drain(&mut assembler) {
                let (times, _) = seen.get_mut(call.id.as_str()).expect("a call nobody opened came out");
                *times += 1;
                prop_assert_eq!(*times, 1, "{:?} came out again", call.id);
            }
            if boundary.is_some() {
                for (id, (times, elsewhere)) in &seen {
                    prop_assert!(*elsewhere || *times == 1, "{:?} did not come out at {:?}", id, event);
                }
                prop_assert_eq!(assembler.open_calls(), 0);
            }
            if boundary == Some(RunBoundary::Began) {
                seen.clear();
            }
        }
    }

    #[test]
    fn no_cut_and_no_interleaving_changes_a_call(
        texts in prop::collection::vec(".{0,20}", 1..5),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        turns in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let mut queues: Vec<VecDeque<Event<'_>>> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| {
                let id = number.to_string();
                let deltas = pieces(text, &cuts)
                    .into_iter()
                    .map(|delta| Event::ToolCallArgs { id: id.clone().into(), delta: delta.into() });
                let start = Event::ToolCallStart { id: id.clone().into(), name: "n".into() };
                let end = Event::ToolCallEnd { id: id.clone().into() };
                std::iter::once(start).chain(deltas).chain([end]).collect()
            })
            .collect();
        let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
        let mut turns = turns.into_iter();
        while queues.iter().any(|queue| !queue.is_empty()) {
            queues.retain(|queue| !queue.is_empty());
            let turn = turns.next().map_or(0, |turn| turn.index(queues.len()));
            assembler.accept(&queues[turn].pop_front().unwrap());
        }
        let mut calls = drain(&mut assembler);
        calls.sort_by(|one, other| one.id.cmp(&other.id));
        let read: Vec<_> = calls.into_iter().map(|call| call.arguments.unwrap()).collect();
        prop_assert_eq!(read, texts);
    }

    #[test]
    fn a_call_is_the_same_streamed_and_in_chunks(
        texts in prop::collection::vec(".{0,20}", 1..5),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        repeated in prop::collection::vec((any::<bool>(), any::<bool>()), 20),
    ) {
        let mut streamed = ToolCallAssembler::new(AssemblerLimits::default());
        let mut chunked = ToolCallAssembler::new(AssemblerLimits::default());
        for (number, text) in texts.iter().enumerate() {
            let id: Cow<'_, str> = number.to_string().into();
            streamed.accept(&Event::ToolCallStart { id: id.clone(), name: "n".into() });
            for (at, delta) in pieces(text, &cuts).into_iter().enumerate() {
                streamed.accept(&Event::ToolCallArgs { id: id.clone(), delta: delta.into() });
                // The first chunk says which call and tool it is; the others may.
                let (with_id, with_name) = if at == 0 { (true, true) } else { repeated[at % repeated.len()] };
                chunked.accept(&Event::ToolCallChunk {
                    id: with_id.then(|| id.clone()),
                    name: with_name.then(|| "n".into()),
                    delta: Some(delta.into()),
                });
                chunked.accept(&Event::Other);
            }
            streamed.accept(&Event::ToolCallEnd { id });
        }
        chunked.accept(&Event::RunFinished { outcome: RunOutcome::Success });
        prop_assert_eq!(drain(&mut chunked), drain(&mut streamed));
    }
}

/// A text in pieces, of which some may be empty.
fn pieces<'a>(text: &'a str, cuts: &[prop::sample::Index]) -> Vec<&'a str> {
    let mut ends: Vec<usize> = cuts
        .iter()
        .map(|cut| text.floor_char_boundary(cut.index(text.len() + 1)))
        .chain([text.len()])
        .collect();
    ends.sort_unstable();
    let mut from = 0;
    ends.into_iter()
        .map(|to| {
            let piece = text.get(from..to).unwrap();
            from = to;
            piece
        })
        .collect()
}
