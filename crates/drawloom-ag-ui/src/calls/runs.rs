//! Runs: what names the current one, and the runs that ended before it, so that one which is sent again is recognised.

use std::collections::VecDeque;

use super::hash::{IdHash, IdSet};

/// How many runs that ended are remembered.
pub(super) const REMEMBERED_RUNS: usize = 64;
/// How many ids of calls all runs together may make the ledger remember. The oldest runs are forgotten first, and a
/// call beyond that many in one run is not looked at any more.
pub(super) const REMEMBERED_CALLS: usize = 1_000_000;

/// A thread id and a run id, as hashes; none where the agent left one out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RunName {
    pub(super) thread: Option<IdHash>,
    pub(super) run: Option<IdHash>,
}

impl RunName {
    /// Whether this name identifies a run.
    pub(super) fn is_complete(self) -> bool {
        self.thread.is_some() && self.run.is_some()
    }

    /// Whether an end with this name may be that of a run with the other one. What is left out fits everything.
    fn fits(self, other: Self) -> bool {
        let fits =
            |one: Option<IdHash>, other: Option<IdHash>| one.is_none() || other.is_none() || one == other;
        fits(self.thread, other.thread) && fits(self.run, other.run)
    }
}

/// What the run is called: by whoever requested it, and by the agent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunNames {
    pub(super) declared: Option<RunName>,
    pub(super) announced: Option<RunName>,
}

impl RunNames {
    pub(super) fn is_named(self, name: RunName) -> bool {
        name.is_complete() && (self.declared == Some(name) || self.announced == Some(name))
    }

    /// Whether an end with this name may be that of this run. A run without a name is ended by each.
    pub(super) fn is_ended_by(self, name: RunName) -> bool {
        let mut names = self.declared.into_iter().chain(self.announced).peekable();
        names.peek().is_none() || names.any(|own| name.fits(own))
    }

    /// The name under which the run is sent again: the agent's own, if it has one.
    fn remembered(self) -> Option<RunName> {
        self.announced.or(self.declared).filter(|name| name.is_complete())
    }
}

/// The runs that ended, the newest last.
#[derive(Debug, Default)]
pub(super) struct EndedRuns {
    runs: VecDeque<EndedRun>,
    ids: usize,
}

#[derive(Debug)]
struct EndedRun {
    name: Option<RunName>,
    ids: IdSet,
}

impl EndedRuns {
    /// Remembers a run that ended. Returns the ids of the runs that are forgotten for it.
    pub(super) fn remember(&mut self, names: RunNames, ids: IdSet) -> Vec<IdSet> {
        self.ids += ids.len();
        self.runs.push_back(EndedRun { name: names.remembered(), ids });
        let mut forgotten = Vec::new();
        while self.runs.len() > REMEMBERED_RUNS || (self.ids > REMEMBERED_CALLS && self.runs.len() > 1) {
            let Some(run) = self.runs.pop_front() else { break };
            self.ids -= run.ids.len();
            forgotten.push(run.ids);
        }
        forgotten
    }

    /// Takes out the newest run of this name, which is sent again.
    pub(super) fn take(&mut self, name: RunName) -> Option<IdSet> {
        if !name.is_complete() {
            return None;
        }
        let at = self.runs.iter().rposition(|run| run.name == Some(name))?;
        let run = self.runs.remove(at)?;
        self.ids -= run.ids.len();
        Some(run.ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(run: u64) -> RunNames {
        RunNames { declared: None, announced: Some(RunName { thread: Some(1), run: Some(run) }) }
    }

    fn name(run: u64) -> RunName {
        RunName { thread: Some(1), run: Some(run) }
    }

    #[test]
    fn the_last_64_runs_are_remembered() {
        let mut runs = EndedRuns::default();
        for run in 0..65 {
            let forgotten = runs.remember(names(run), IdSet::from_iter([run]));
            assert_eq!(forgotten.len(), usize::from(run == 64));
        }
        assert_eq!(runs.take(name(0)), None);
        assert_eq!(runs.take(name(1)), Some(IdSet::from_iter([1])));
        assert_eq!(runs.take(name(1)), None);
    }

    #[test]
    fn all_runs_together_are_remembered_for_a_million_calls() {
        let mut runs = EndedRuns::default();
        runs.remember(names(0), (0..600_000).collect());
        runs.remember(names(1), (0..400_000).collect());
        assert_eq!(runs.remember(names(2), IdSet::from_iter([1])).len(), 1);
        assert_eq!(runs.take(name(0)), None);
        assert_eq!(runs.take(name(1)).map(|ids| ids.len()), Some(400_000));
    }

    #[test]
    fn the_newest_of_two_runs_of_one_name_is_the_one_that_is_sent_again() {
        let mut runs = EndedRuns::default();
        runs.remember(names(0), IdSet::from_iter([1]));
        runs.remember(names(0), IdSet::from_iter([2]));
        assert_eq!(runs.take(name(0)), Some(IdSet::from_iter([2])));
    }

    #[test]
    fn an_end_fits_a_run_by_what_it_names() {
        let (full, other) = (name(1), name(2));
        let only_run = RunName { thread: None, run: Some(1) };
        let run = RunNames { declared: Some(name(9)), announced: Some(full) };
        for end in [full, name(9), only_run, RunName::default()] {
            assert!(run.is_ended_by(end), "{end:?}");
        }
        assert!(!run.is_ended_by(other));
        assert!(!run.is_ended_by(RunName { thread: Some(2), run: Some(1) }));
        assert!(RunNames::default().is_ended_by(other));
    }
}
