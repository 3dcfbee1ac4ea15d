//! From a call's first event to its close, and what was lost of it.

use super::rules::{Call, Damage, DamagedKind, Lane, LaneEvent, Model, Status};
use crate::calls::incomplete::{IncompleteCall, LimitExceeded};

impl Model {
    pub(super) fn open(
        &mut self,
        lane: Lane,
        id: &'static str,
        name: Option<&'static str>,
        chunked: bool,
    ) -> bool {
        let run = self.current();
        if self.is_used(id) {
            return false;
        }
        let of_run = self.calls.iter().filter(|call| call.run == run).count() + self.runs[run].earlier.len();
        let open = self.open_calls_of_run().len();
        let late = self.runs[run].ended.is_some();
        let baseline = self.known(id, true);
        self.calls.push(Call {
            run,
            id,
            name,
            text: String::new(),
            lane,
            chunked,
            torn: false,
            late,
            baseline,
            status: Status::Open,
            treatment: None,
            output_count: self.output_count,
            has_continued: false,
            incomplete: false,
            late_result_told: false,
            was_unreported: false,
        });
        let limits = self.limits;
        let limit = if id.len() > limits.id_bytes {
            LimitExceeded::IdBytes(limits.id_bytes)
        } else if of_run >= limits.calls_per_run {
            LimitExceeded::CallsPerRun(limits.calls_per_run)
        } else if open >= limits.open_calls {
            LimitExceeded::OpenCalls(limits.open_calls)
        } else {
            return true;
        };
        let at = self.calls.len() - 1;
        let ending = self.runs[run].ending;
        self.close(at, Err(limit.into()), ending);
        false
    }

    pub(super) fn append(&mut self, id: &str, delta: &str) {
        let Some(at) = self.find_open(id) else { return };
        let call = &mut self.calls[at];
        call.output_count = self.output_count;
        if call.torn || call.late {
            return;
        }
        call.text.push_str(delta);
        if call.text.len() > self.limits.argument_bytes {
            self.close(at, Err(LimitExceeded::ArgumentBytes(self.limits.argument_bytes).into()), None);
        }
    }

    pub(super) fn start(&mut self, lane: Lane, id: &'static str, name: Option<&'static str>) {
        match self.find_open(id) {
            Some(at) => {
                let call = &mut self.calls[at];
                (call.lane, call.name, call.chunked, call.torn) = (lane, name, false, false);
                call.text.clear();
                call.output_count = self.output_count;
            }
            None => {
                self.open(lane, id, name, false);
            }
        }
    }

    pub(super) fn args(&mut self, id: &'static str, delta: &str) {
        self.append(id, delta);
        self.report_never_begun(id);
    }

    pub(super) fn end(&mut self, id: &'static str) {
        if let Some(at) = self.find_open(id) {
            self.calls[at].output_count = self.output_count;
            return self.close(at, Ok(()), None);
        }
        let is_new = self.find(id).is_none() && !self.is_used(id);
        self.report_never_begun(id);
        if is_new && self.runs[self.current()].has_loss && self.open(None, id, None, false) {
            let at = self.find_open(id).unwrap();
            self.calls[at].torn = true;
            self.close(at, Ok(()), None);
        }
    }

    pub(super) fn report_never_begun(&mut self, id: &'static str) {
        if self.find(id).is_none() && !self.is_used(id) && !self.run().never_begun.contains(&id) {
            self.run().never_begun.push(id);
            self.report("unknown-call", id);
        }
    }

    /// The id that the last chunk of a lane named, and whether another one may have been named since.
    pub(super) fn named(&self, lane: Lane) -> Option<(&'static str, bool)> {
        let is_named = |event: &LaneEvent| matches!(event, LaneEvent::Named(of, _) if *of == lane);
        let at = self.lanes.iter().rposition(is_named)?;
        let LaneEvent::Named(_, id) = self.lanes[at] else { unreachable!() };
        let doubts = |event: &LaneEvent| match event {
            LaneEvent::Doubted(of, other) => of.is_none_or(|of| of == lane) && *other != id,
            LaneEvent::Lost(of) => of.is_none_or(|of| of == lane),
            _ => false,
        };
        Some((id, self.lanes[at..].iter().any(doubts)))
    }

    pub(super) fn is_beginning_lost(&self, lane: Lane) -> bool {
        let last = |is: &dyn Fn(&LaneEvent) -> bool| self.lanes.iter().rposition(is);
        let lost = last(&|event| matches!(event, LaneEvent::Lost(of) if of.is_none_or(|of| of == lane)));
        let began = last(&|event| *event == LaneEvent::Began(lane));
        lost > began
    }

    /// A chunk of a lane names a call.
    pub(super) fn chunk_names(&mut self, lane: Lane, id: &'static str) {
        if let Some((before, _)) = self.named(lane)
            && before != id
        {
            self.close_chunked(before, Ok(()));
        }
        self.lanes.push(LaneEvent::Named(lane, id));
    }

    pub(super) fn close_chunked(&mut self, id: &str, content: Result<(), IncompleteCall>) {
        if let Some(at) = self.find_open(id).filter(|at| self.calls[*at].chunked) {
            self.close(at, content, None);
        }
    }

    pub(super) fn chunk(
        &mut self,
        lane: Lane,
        id: Option<&'static str>,
        name: Option<&'static str>,
        delta: &str,
    ) {
        let Some(id) = id else {
            match self.named(lane) {
                Some((id, false)) => self.append(id, delta),
                Some((id, true)) => self.tear(id),
                None => {}
            }
            return;
        };
        self.chunk_names(lane, id);
        if self.find_open(id).is_none() && self.open(lane, id, name, true) {
            if self.is_beginning_lost(lane) || self.runs[self.current()].suspect.contains(&id) {
                self.tear(id);
            }
            self.lanes.push(LaneEvent::Began(lane));
        }
        self.append(id, delta);
    }

    pub(super) fn subagent_ends(&mut self, lane: &'static str, failed: bool) {
        let content = if failed { Err(IncompleteCall::SubagentFailed) } else { Ok(()) };
        if let Some((id, _)) = self.named(Some(lane)) {
            self.close_chunked(id, content);
        }
    }

    pub(super) fn tear(&mut self, id: &str) {
        if let Some(at) = self.find_open(id) {
            self.calls[at].torn = true;
            self.calls[at].text.clear();
        }
    }

    pub(super) fn tear_lane(&mut self, lane: Option<Lane>) {
        if let Some((id, _)) = lane.and_then(|lane| self.named(lane)) {
            self.tear(id);
        }
        for at in self.open_calls_of_run() {
            if lane.is_none_or(|lane| self.calls[at].lane == lane) {
                self.tear(self.calls[at].id);
            }
        }
    }

    pub(super) fn damaged(&mut self, damage: Damage) {
        let Damage { kind, id, name, lane } = damage;
        self.run().has_loss = true;
        self.report("damaged-event", id.unwrap_or_default());
        let Some(id) = id else {
            self.tear_lane(if matches!(kind, None | Some(DamagedKind::Result)) { None } else { lane });
            match kind {
                None => self.lanes.push(LaneEvent::Lost(None)),
                Some(DamagedKind::Chunk) => self.lanes.push(LaneEvent::Lost(lane)),
                _ => {}
            }
            return;
        };
        match (kind, lane) {
            (Some(DamagedKind::Chunk), Some(lane)) => self.chunk_names(lane, id),
            (Some(DamagedKind::Chunk) | None, _) => self.lanes.push(LaneEvent::Doubted(lane, id)),
            _ => {}
        }
        if self.find_open(id).is_some() {
            self.tear(id);
        } else if !self.is_used(id) {
            match kind {
                Some(DamagedKind::Start | DamagedKind::Chunk) => {
                    let chunked = kind == Some(DamagedKind::Chunk);
                    if self.open(lane.unwrap_or(None), id, name, chunked) {
                        self.tear(id);
                    }
                }
                None => self.run().suspect.push(id),
                _ => {}
            }
        }
    }

    pub(super) fn frame_lost(&mut self) {
        self.run().has_loss = true;
        self.report("frame-lost", "");
        self.tear_lane(None);
        self.lanes.push(LaneEvent::Lost(None));
    }
}
