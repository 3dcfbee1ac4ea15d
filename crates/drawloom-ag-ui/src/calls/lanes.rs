//! Lanes: the chunk call that each of the agent and its subagents is sending, and where a call's beginning may be lost.
//!
//! A lane is remembered only while its current call is open, because what continues any other call is ignored. So the
//! number of lanes is bounded by the limit of open calls, however many subagents an agent has.

use super::hash::{IdHash, IdMap, IdSet};

/// How many lanes are remembered beyond the limit of open calls.
const SPARE_LANES: usize = 128;

/// The agent itself, or one subagent, by the hash of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lane(pub(super) IdHash);

impl Lane {
    /// The agent itself.
    pub(super) const AGENT: Self = Self(0);
}

#[derive(Debug, Default)]
pub(super) struct Lanes {
    current: IdMap<Current>,
    loss: Loss,
}

/// The call that the last chunk of a lane named. It was open then.
#[derive(Debug)]
struct Current {
    call: IdHash,
    /// A chunk that may have named another call of this lane could not be read.
    is_doubtful: bool,
}

/// The lanes in which the first chunk of a call may be lost.
#[derive(Debug, Default)]
struct Loss {
    /// All lanes but the exceptions; otherwise the exceptions alone.
    is_everywhere: bool,
    exceptions: IdSet,
}

/// What a chunk without an id continues.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Continued {
    Call(IdHash),
    /// This call, or one whose chunk could not be read.
    Doubtful(IdHash),
    Nothing,
}

impl Lanes {
    /// The call that a chunk without an id continues.
    pub(super) fn continued(&self, lane: Lane) -> Continued {
        match self.current.get(&lane.0) {
            Some(current) if current.is_doubtful => Continued::Doubtful(current.call),
            Some(current) => Continued::Call(current.call),
            None => Continued::Nothing,
        }
    }

    /// Takes note that what continues the current call of a lane is of no use any more.
    pub(super) fn leave(&mut self, lane: Lane) {
        self.current.remove(&lane.0);
    }

    /// Makes an open call the current one of a lane. Returns the calls that had to lose their lane because there is no
    /// more room: what continues them is not recognised any more.
    pub(super) fn enter(
        &mut self,
        lane: Lane,
        call: IdHash,
        open_calls: usize,
        is_open: impl Fn(IdHash) -> bool,
    ) -> Vec<IdHash> {
        self.current.insert(lane.0, Current { call, is_doubtful: false });
        let room = open_calls.saturating_add(SPARE_LANES);
        if self.current.len() <= room {
            return Vec::new();
        }
        self.current.retain(|_, current| is_open(current.call));
        if self.current.len() <= room {
            return Vec::new();
        }
        // As many lanes as that can only name calls that other lanes name too.
        let lost = self.current.drain().map(|(_, current)| current.call).collect();
        self.current.insert(lane.0, Current { call, is_doubtful: false });
        lost
    }

    /// Takes note that a chunk could not be read which may have named another call than the current one of a lane, or,
    /// without a lane, of any lane.
    pub(super) fn mark_suspect(&mut self, lane: Option<Lane>, named: IdHash) {
        let suspect = self.current.iter_mut().filter(|(key, _)| lane.is_none_or(|lane| lane.0 == **key));
        for (_, current) in suspect {
            current.is_doubtful |= current.call != named;
        }
    }

    /// Takes note that the first chunk of a call may be lost: in this lane, or, without one, in every lane. What continues
    /// the current call of the lane may continue that one.
    pub(super) fn lose_beginning(&mut self, lane: Option<Lane>) {
        for (key, current) in &mut self.current {
            current.is_doubtful |= lane.is_none_or(|lane| lane.0 == *key);
        }
        let loss = &mut self.loss;
        match lane {
            Some(lane) if loss.is_everywhere => {
                loss.exceptions.remove(&lane.0);
            }
            Some(lane) if loss.exceptions.len() < SPARE_LANES => {
                loss.exceptions.insert(lane.0);
            }
            _ => *loss = Loss { is_everywhere: true, exceptions: IdSet::default() },
        }
    }

    /// Whether the first chunk of the call that a chunk begins now may be lost. The next call of the lane is whole.
    pub(super) fn begins_without_its_beginning(&mut self, lane: Lane) -> bool {
        let loss = &mut self.loss;
        if !loss.is_everywhere {
            return loss.exceptions.remove(&lane.0);
        }
        if loss.exceptions.contains(&lane.0) {
            return false;
        }
        // One lane too many stays as it is: its calls are refused rather than run without a piece.
        if loss.exceptions.len() < SPARE_LANES {
            loss.exceptions.insert(lane.0);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_lanes_is_bounded_even_if_all_name_one_open_call() {
        let mut lanes = Lanes::default();
        let mut lost = 0;
        for lane in 1..10_000 {
            lost += lanes.enter(Lane(lane), 7, 2, |_| true).len();
            assert!(lanes.current.len() <= 2 + SPARE_LANES);
        }
        assert!(lost > 0);
        // Calls that are not open need no room.
        let mut lanes = Lanes::default();
        for lane in 1..10_000 {
            assert!(lanes.enter(Lane(lane), lane, 2, |call| call == lane).is_empty());
            assert!(lanes.current.len() <= 2 + SPARE_LANES);
        }
        assert_eq!(lanes.continued(Lane(9_999)), Continued::Call(9_999));
    }

    #[test]
    fn a_loss_everywhere_concerns_one_call_of_each_lane_and_a_loss_in_one_lane_that_lane() {
        let mut lanes = Lanes::default();
        let (a, b) = (Lane::AGENT, Lane(1));
        assert!(!lanes.begins_without_its_beginning(a));
        lanes.lose_beginning(None);
        assert!(lanes.begins_without_its_beginning(a));
        assert!(!lanes.begins_without_its_beginning(a));
        lanes.lose_beginning(Some(a));
        assert!(lanes.begins_without_its_beginning(a));
        assert!(lanes.begins_without_its_beginning(b));
        let mut lanes = Lanes::default();
        lanes.lose_beginning(Some(b));
        assert!(!lanes.begins_without_its_beginning(a));
        assert!(lanes.begins_without_its_beginning(b));
        assert!(!lanes.begins_without_its_beginning(b));
    }

    #[test]
    fn losses_in_many_lanes_count_as_a_loss_everywhere() {
        let mut lanes = Lanes::default();
        for lane in 1..=200 {
            lanes.lose_beginning(Some(Lane(lane)));
        }
        assert!(lanes.begins_without_its_beginning(Lane(5_000)));
        assert!(lanes.loss.exceptions.len() <= SPARE_LANES);
    }
}
