//! The calls that are owed an answer: which are to be answered here and now, which are left to the agent's backend,
//! and which are being answered.
//!
//! Nothing here answers a call. What is kept is the promise of one answer: a call is in one place at a time, and out
//! of here once it was answered, whoever did.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;
use std::sync::Arc;

use crate::answerer::{Progress, Reach};
use crate::assembler::AssembledCall;
use crate::wire::ToolCallId;

/// A call to be answered.
pub(crate) struct OwedCall {
    pub(crate) call: AssembledCall,
    /// The id its answer will have.
    pub(crate) message_id: String,
    pub(crate) reach: Reach,
}

/// A call whose answer is being awaited, or was until the future that did was dropped.
pub(crate) struct BegunCall {
    pub(crate) call: ToolCallId,
    pub(crate) message_id: String,
    pub(crate) progress: Arc<Progress>,
}

/// Where a call stands among all calls, in the order in which they were closed.
pub(crate) type Place = u64;

/// All that are owed an answer.
#[derive(Default)]
pub(crate) struct Owed {
    due: Queue<OwedCall>,
    /// Left to the agent's backend until the run ends.
    left: BTreeMap<Place, OwedCall>,
    begun: Queue<BegunCall>,
    /// The places of the calls of this run, since only within a run an id is one call's.
    of_run: HashMap<ToolCallId, Place>,
    places: Place,
}

/// Calls by place, of which there are mostly one or two: what was put in last is at the end.
struct Queue<T> {
    // INVARIANT: in order of places; the first and the last hold something.
    entries: VecDeque<(Place, Option<T>)>,
    held: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { entries: VecDeque::new(), held: 0 }
    }
}

impl<T> Queue<T> {
    fn insert(&mut self, place: Place, item: T) {
        // A call that waited long is begun after others that closed later.
        let at = self.entries.partition_point(|(other, _)| *other < place);
        self.entries.insert(at, (place, Some(item)));
        self.held += 1;
    }

    /// Takes an item out where it is. Its entry stays until it is in front or at the end, so that nothing moves up.
    fn remove(&mut self, place: Place) -> Option<T> {
        let at = self.entries.binary_search_by_key(&place, |(place, _)| *place).ok()?;
        let item = self.entries.get_mut(at)?.1.take()?;
        self.held -= 1;
        while self.entries.front().is_some_and(|(_, item)| item.is_none()) {
            self.entries.pop_front();
        }
        while self.entries.back().is_some_and(|(_, item)| item.is_none()) {
            self.entries.pop_back();
        }
        Some(item)
    }

    fn first(&self) -> Option<Place> {
        self.entries.front().map(|(place, _)| *place)
    }

    fn merge(&mut self, others: BTreeMap<Place, T>) {
        if others.is_empty() {
            return;
        }
        self.held += others.len();
        self.entries.extend(others.into_iter().map(|(place, item)| (place, Some(item))));
        self.entries.make_contiguous().sort_unstable_by_key(|(place, _)| *place);
    }

    fn len(&self) -> usize {
        self.held
    }
}

impl Owed {
    /// Takes a call that is to be answered here.
    pub(crate) fn answer(&mut self, call: OwedCall) -> Place {
        let place = self.place(&call.call.id);
        self.due.insert(place, call);
        place
    }

    /// Takes a call that the agent's backend may answer.
    pub(crate) fn leave(&mut self, call: OwedCall) {
        let place = self.place(&call.call.id);
        self.left.insert(place, call);
    }

    fn place(&mut self, id: &ToolCallId) -> Place {
        let place = self.places;
        self.places += 1;
        self.of_run.insert(id.clone(), place);
        place
    }

    /// Lets go of a call of this run that somebody else has answered or will answer.
    pub(crate) fn settle(&mut self, id: &str) {
        if let Some(place) = self.of_run.remove(id) {
            self.due.remove(place);
            self.left.remove(&place);
            self.begun.remove(place);
        }
    }

    /// Makes what was left to the backend due, and gives the first of it.
    pub(crate) fn give_up_on_backend(&mut self) -> Option<Place> {
        let first = self.left.first_key_value().map(|(place, _)| *place);
        self.due.merge(mem::take(&mut self.left));
        first
    }

    /// Frees the ids of the run that is over. Its calls are still owed their answers.
    pub(crate) fn run_began(&mut self) {
        self.of_run = HashMap::new();
    }

    /// The first call that is due.
    pub(crate) fn first_due(&self) -> Option<Place> {
        self.due.first()
    }

    /// Takes out a call that is due, for whoever answers it.
    pub(crate) fn hand_out(&mut self, place: Place) -> Option<OwedCall> {
        let call = self.due.remove(place)?;
        self.forget(&call.call.id, place);
        Some(call)
    }

    /// Gives a call that is due to be answered. It is owed its answer, and keeps the id of that, until [`Owed::end`].
    pub(crate) fn begin(&mut self, place: Place) -> Option<(AssembledCall, Reach, Arc<Progress>)> {
        let OwedCall { call, message_id, reach } = self.due.remove(place)?;
        let progress = Arc::new(Progress::default());
        let begun = BegunCall { call: call.id.clone(), message_id, progress: progress.clone() };
        self.begun.insert(place, begun);
        Some((call, reach, progress))
    }

    /// Takes out a call whose answer is there, or was given up on.
    pub(crate) fn end(&mut self, place: Place) -> Option<BegunCall> {
        let call = self.begun.remove(place)?;
        self.forget(&call.call, place);
        Some(call)
    }

    /// The first call whose answer was begun.
    pub(crate) fn first_begun(&self) -> Option<Place> {
        self.begun.first()
    }

    /// An id may be another call's by now.
    fn forget(&mut self, id: &ToolCallId, place: Place) {
        if self.of_run.get(id) == Some(&place) {
            self.of_run.remove(id);
        }
    }

    /// Whether any call is left to the agent's backend.
    pub(crate) fn is_anything_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// How many calls are due, left to the backend, and being answered.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        (self.due.len(), self.left.len(), self.begun.len())
    }
}
