//! How often the conversation contains each id of a call, which tells whether a tool message in a snapshot answers the
//! call in question or an older one with the same id.
//!
//! Nothing here grows with the conversation beyond its last history, its last snapshot and the remembered runs.

use super::hash::{IdHash, IdMap, IdSet};
use super::runs::REMEMBERED_CALLS;

/// How often each id stands in something.
type Counts = IdMap<u32>;

/// One item of a list of messages, as far as calls are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryItem<'a> {
    /// The agent made a call.
    Call { id: &'a str, name: &'a str, arguments: &'a str },
    /// A tool message.
    Answer { id: &'a str },
    /// The agent sent text or reasoning.
    Output,
}

/// What a snapshot says about one id.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurveyedCall<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) arguments: &'a str,
    pub(super) count: u32,
    /// A tool message stands behind the last message with the call.
    pub(super) is_answered: bool,
    /// The agent sent text or reasoning behind the last message with the call.
    pub(super) has_continued: bool,
    at: usize,
    output_count: u32,
}

/// What a list of messages says about each id, in the order of the last messages with them.
pub(super) fn survey<'a>(
    items: impl IntoIterator<Item = HistoryItem<'a>>,
    hash: impl Fn(&str) -> IdHash,
) -> Vec<(IdHash, SurveyedCall<'a>)> {
    let mut calls: IdMap<SurveyedCall<'a>> = IdMap::default();
    let mut output_count = 0;
    for (at, item) in items.into_iter().enumerate() {
        match item {
            HistoryItem::Call { id, name, arguments } => {
                let hash = hash(id);
                let count = calls.get(&hash).map_or(1, |call| call.count.saturating_add(1));
                let call = SurveyedCall {
                    id,
                    name,
                    arguments,
                    count,
                    is_answered: false,
                    has_continued: false,
                    at,
                    output_count,
                };
                calls.insert(hash, call);
            }
            HistoryItem::Answer { id } => {
                if let Some(call) = calls.get_mut(&hash(id)) {
                    call.is_answered = true;
                }
            }
            HistoryItem::Output => output_count += 1,
        }
    }
    let mut calls: Vec<_> = calls.into_iter().collect();
    for (_, call) in &mut calls {
        call.has_continued = output_count > call.output_count;
    }
    calls.sort_unstable_by_key(|(_, call)| call.at);
    calls
}

#[derive(Debug, Default)]
pub(super) struct History {
    /// The history of the request, and the calls of remembered runs that were sent since.
    base: Counts,
    since: Counts,
    has_base: bool,
    /// Whether the requests are declared, with their histories. Then nothing else counts but snapshots.
    is_declared: bool,
    /// In how many of the remembered runs each id stands.
    remembered: Counts,
    /// The last snapshot of an earlier run, and that of this run.
    snapshot_before: Counts,
    snapshot: Option<Counts>,
}

fn count_in(counts: &Counts, id: IdHash) -> u32 {
    counts.get(&id).copied().unwrap_or(0)
}

impl History {
    /// How often the conversation contained this id, as far as anybody knows now.
    pub(super) fn known(&self, id: IdHash) -> u32 {
        let snapshot = self.snapshot.as_ref().unwrap_or(&self.snapshot_before);
        self.known_with(id, snapshot)
    }

    /// How often the conversation contained this id before this run.
    pub(super) fn known_before_run(&self, id: IdHash) -> u32 {
        self.known_with(id, &self.snapshot_before)
    }

    fn known_with(&self, id: IdHash, snapshot: &Counts) -> u32 {
        let streamed = count_in(&self.base, id).saturating_add(count_in(&self.since, id));
        streamed.max(count_in(&self.remembered, id)).max(count_in(snapshot, id))
    }

    /// A request is made, with this history.
    pub(super) fn declare(&mut self, ids: impl Iterator<Item = IdHash>) {
        self.is_declared = true;
        self.remembered = Counts::default();
        self.set_base(ids);
    }

    /// A run says with which history it began.
    pub(super) fn read_input(&mut self, ids: impl Iterator<Item = IdHash>) {
        if !self.is_declared {
            self.set_base(ids);
        }
    }

    fn set_base(&mut self, ids: impl Iterator<Item = IdHash>) {
        self.has_base = true;
        self.since = Counts::default();
        self.base = Counts::default();
        ids.for_each(|id| *self.base.entry(id).or_default() += 1);
    }

    /// A run is over, which made these calls.
    pub(super) fn run_ended(&mut self, calls: impl Iterator<Item = IdHash>) {
        for call in calls {
            if !self.is_declared {
                *self.remembered.entry(call).or_default() += 1;
            }
            if self.has_base && (self.since.len() < REMEMBERED_CALLS || self.since.contains_key(&call)) {
                *self.since.entry(call).or_default() += 1;
            }
        }
        if let Some(snapshot) = self.snapshot.take() {
            self.snapshot_before = snapshot;
        }
    }

    /// A run is not remembered any more.
    pub(super) fn run_forgotten(&mut self, calls: &IdSet) {
        for call in calls {
            if let Some(count) = self.remembered.get_mut(call) {
                *count -= 1;
                if *count == 0 {
                    self.remembered.remove(call);
                }
            }
        }
    }

    /// The agent sent the conversation as it sees it.
    pub(super) fn snapshot(&mut self, calls: &[(IdHash, SurveyedCall<'_>)]) {
        self.snapshot = Some(calls.iter().map(|(id, call)| (*id, call.count)).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[u64]) -> impl Iterator<Item = u64> {
        ids.iter().copied()
    }

    #[test]
    fn a_declared_history_replaces_what_was_streamed_before() {
        let mut history = History::default();
        history.run_ended(ids(&[1, 2]));
        assert_eq!((history.known(1), history.known(3)), (1, 0));
        history.declare(ids(&[1]));
        assert_eq!((history.known(1), history.known(2)), (1, 0));
        history.run_ended(ids(&[1]));
        assert_eq!(history.known(1), 2);
        history.declare(ids(&[1]));
        assert_eq!(history.known(1), 1);
    }

    #[test]
    fn an_input_that_holds_less_than_was_streamed_hides_nothing() {
        let mut history = History::default();
        history.run_ended(ids(&[1]));
        history.run_ended(ids(&[1]));
        history.read_input(ids(&[]));
        assert_eq!(history.known(1), 2);
        history.read_input(ids(&[1, 1, 1]));
        assert_eq!(history.known(1), 3);
        history.run_ended(ids(&[1]));
        assert_eq!(history.known(1), 4);
    }

    #[test]
    fn a_run_that_is_forgotten_counts_no_more() {
        let mut history = History::default();
        history.run_ended(ids(&[1]));
        history.run_ended(ids(&[1]));
        history.run_forgotten(&IdSet::from_iter([1]));
        assert_eq!(history.known(1), 1);
        history.run_forgotten(&IdSet::from_iter([1]));
        assert_eq!(history.known(1), 0);
        assert!(history.remembered.is_empty());
    }

    #[test]
    fn what_stands_behind_the_last_message_with_a_call_is_what_counts() {
        let call = |id| HistoryItem::Call { id, name: "n", arguments: "" };
        let items = [
            call("a"),
            HistoryItem::Answer { id: "a" },
            HistoryItem::Output,
            call("b"),
            HistoryItem::Answer { id: "x" },
            call("a"),
            HistoryItem::Answer { id: "b" },
        ];
        let surveyed = survey(items, |id| u64::from(id.as_bytes()[0]));
        let told: Vec<_> = surveyed
            .iter()
            .map(|(_, call)| (call.id, call.count, call.is_answered, call.has_continued))
            .collect();
        assert_eq!(told, [("b", 1, true, false), ("a", 2, false, false)]);
    }
}
