//! The answers that come from the agent: results, snapshots and interrupts.

use super::super::hash::{IdHash, IdMap, IdSet};
use super::super::history::{HistoryItem, SurveyedCall, survey};
use super::super::open::bounded_name;
use super::super::report::{Report, excerpt};
use super::{
    BoundCall, CallKey, Known, KnownState, Ledger, Phase, SnapshotCall, Stage, Withdrawn, WithdrawnCall,
};

impl Ledger {
    /// The agent's backend reports the result of a call.
    pub(super) fn result(&mut self, id: &str) {
        let hash = self.hash(id);
        self.answered_by_backend(id, hash, |_| true);
    }

    /// Takes note of an answer of the backend's, which counts for a call with a baseline that `counts` accepts.
    fn answered_by_backend(&mut self, id: &str, hash: IdHash, counts: impl Fn(u32) -> bool) {
        if let Some(call) = self.open.get(&hash) {
            if counts(call.baseline) {
                self.open.remove(&hash);
                self.set_state(hash, KnownState::Backend);
            }
            return;
        }
        match self.run.known.get_mut(&hash) {
            Some(Known { state: KnownState::Left(order), .. }) => {
                let order = *order;
                if self.left.get(&order).is_some_and(|left| counts(left.baseline)) {
                    self.take_left(order);
                    self.set_state(hash, KnownState::Backend);
                }
            }
            Some(Known {
                state:
                    KnownState::Closed
                    | KnownState::Due(_)
                    | KnownState::Begun(_)
                    | KnownState::Answered
                    | KnownState::Cancelled,
                is_late_result_reported,
            }) => {
                if !std::mem::replace(is_late_result_reported, true) {
                    self.report(Report::LateResult { call_id: excerpt(id).into() });
                }
            }
            Some(Known {
                state: KnownState::Unreported(_) | KnownState::Backend | KnownState::Bound,
                ..
            })
            | None => {
                self.settled_later(hash, counts);
            }
        }
    }

    /// An answer to a call that the agent left without one, or that an interrupt is bound to.
    fn settled_later(&mut self, hash: IdHash, counts: impl Fn(u32) -> bool) {
        if let Some(order) = self.unreported.by_id.get(&hash).copied()
            && self.unreported.calls.get(&order).is_some_and(|(_, _, baseline)| counts(*baseline))
        {
            self.forget_unreported(hash);
            if self.run.known.contains_key(&hash) {
                self.set_state(hash, KnownState::Backend);
            }
        }
        if let Some(bound) = self.bound.get_mut(&hash)
            && counts(bound.baseline)
        {
            bound.is_answered = true;
        }
    }

    fn forget_unreported(&mut self, hash: IdHash) {
        if let Some(order) = self.unreported.by_id.remove(&hash) {
            self.unreported.calls.remove(&order);
        }
    }

    /// The agent sends the conversation as it sees it.
    pub(super) fn snapshot<'a>(&mut self, items: impl IntoIterator<Item = HistoryItem<'a>>) {
        let calls = survey(items, |id| self.hash(id));
        self.run.snapshot_calls.clear();
        for (hash, call) in &calls {
            self.in_snapshot(*hash, call);
        }
        self.history.snapshot(&calls);
    }

    fn in_snapshot(&mut self, hash: IdHash, call: &SurveyedCall<'_>) {
        if call.is_answered {
            // A result in a snapshot cannot be distinguished from an answer that was sent from here.
            if !matches!(
                self.run.known.get(&hash),
                Some(Known {
                    state: KnownState::Closed
                        | KnownState::Due(_)
                        | KnownState::Begun(_)
                        | KnownState::Answered
                        | KnownState::Cancelled,
                    ..
                })
            ) {
                self.answered_by_backend(call.id, hash, |baseline| call.count > baseline);
            }
            return;
        }
        if let Some(Known { state: KnownState::Left(order), .. }) = self.run.known.get(&hash)
            && let Some(left) = self.left.get_mut(order)
        {
            left.has_continued |= call.has_continued && call.count > left.baseline;
        }
        let baseline = self.history.known_before_run(hash);
        if self.run.phase == Phase::Open
            && call.count > baseline
            && !self.open.contains_key(&hash)
            && !self.is_used(hash)
        {
            // One byte over the limit is enough to detect that the arguments are too long.
            let most = self.limits.argument_bytes.saturating_add(1);
            let arguments = match call.arguments.get(..call.arguments.ceil_char_boundary(most)) {
                Some(start) => start.to_owned(),
                None => call.arguments.to_owned(),
            };
            self.run.snapshot_calls.push(SnapshotCall {
                hash,
                id: call.id.into(),
                name: bounded_name(call.name),
                arguments,
                has_continued: call.has_continued,
                output_count: self.output_count,
                baseline,
            });
        }
    }

    /// An interrupt ends the run, bound to these calls.
    pub(super) fn bind<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        let in_snapshot: IdMap<u32> =
            self.run.snapshot_calls.iter().map(|call| (call.hash, call.baseline)).collect();
        let mut named = IdSet::default();
        for id in ids {
            let hash = self.hash(id);
            if !named.insert(hash) {
                continue;
            }
            let mut baseline = self.history.known(hash);
            if let Some(call) = self.open.remove(&hash) {
                baseline = call.baseline;
                self.bound_unanswered(hash);
            } else {
                match self.run.known.get(&hash).map(|known| known.state) {
                    Some(KnownState::Closed) => {
                        self.undecided.retain(|closed| closed.hash != hash);
                        self.bound_unanswered(hash);
                    }
                    Some(KnownState::Left(order)) => {
                        baseline = self.take_left(order).map_or(baseline, |left| left.baseline);
                        self.bound_unanswered(hash);
                    }
                    Some(KnownState::Due(key) | KnownState::Begun(key)) => self.withdraw(hash, key),
                    Some(KnownState::Answered | KnownState::Cancelled) => self.take_back(id, hash),
                    Some(KnownState::Unreported(_)) => {
                        self.forget_unreported(hash);
                        self.bound_unanswered(hash);
                    }
                    Some(KnownState::Backend | KnownState::Bound) => {}
                    None if in_snapshot.contains_key(&hash) && !self.run.earlier.contains(&hash) => {
                        // A call of this run, of which only a snapshot tells.
                        baseline = in_snapshot.get(&hash).copied().unwrap_or(baseline);
                        self.bound_unanswered(hash);
                    }
                    None => {
                        self.forget_unreported(hash);
                        let answered = self.answered.get(&hash).map(|call| call.run);
                        match self.latest_unanswered(hash) {
                            Some((run, key)) if answered <= Some(run) => self.withdraw(hash, key),
                            _ => self.take_back(id, hash),
                        }
                    }
                }
            }
            self.bound.insert(hash, BoundCall { run: self.runs, baseline, is_answered: false });
        }
    }

    /// Takes note that a call of this run is bound. What was answered under its id before was another call.
    fn bound_unanswered(&mut self, hash: IdHash) {
        self.set_state(hash, KnownState::Bound);
        self.answered.remove(&hash);
    }

    /// The latest call with this id that waits for its answer, by its run and key.
    fn latest_unanswered(&self, hash: IdHash) -> Option<(u64, CallKey)> {
        let key = self.latest(hash, Stage::Due).max(self.latest(hash, Stage::Begun))?;
        let due = self.due.get(&key).map(|(_, _, run)| *run);
        due.or_else(|| self.begun.get(&key).map(|call| call.run)).map(|run| (run, key))
    }

    /// Withdraws a call that has not run yet.
    fn withdraw(&mut self, hash: IdHash, key: CallKey) {
        if let Some((_, _, run)) = self.take_due(key) {
            self.set_state_in(run, hash, KnownState::Bound);
            self.answered.remove(&hash);
        } else if self.begun.get(&key).is_some_and(|call| !call.is_running)
            && let Some(call) = self.take_begun(key)
        {
            self.set_state_in(call.run, hash, KnownState::Bound);
            self.answered.remove(&hash);
            let what = Withdrawn::Question;
            self.withdrawn.push_back((WithdrawnCall { id: call.id, message_id: call.message_id, what }, key));
        }
    }

    /// Withdraws the answer of a call that did not run. A call that ran keeps its answer.
    fn take_back(&mut self, id: &str, hash: IdHash) {
        if self.answered.get(&hash).is_some_and(|call| call.outcome.is_none())
            && let Some(call) = self.answered.remove(&hash)
        {
            if self.run.known.contains_key(&hash) {
                self.set_state(hash, KnownState::Bound);
            }
            let what = Withdrawn::Message;
            let withdrawn = WithdrawnCall { id: id.into(), message_id: call.message_id, what };
            self.withdrawn.push_back((withdrawn, CallKey::MAX));
        }
    }
}
