//! What was lost or could not be read, and which calls do not run because of it.

use super::super::hash::IdHash;
use super::super::lanes::{Continued, Lane};
use super::super::open::Form;
use super::super::report::{Report, excerpt};
use super::Ledger;

/// How many ids are remembered that a damaged event named and no call had.
const MAX_SUSPECT: usize = 1024;

/// What kind of event was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamagedType {
    Start,
    Arguments,
    End,
    Chunk,
    Result,
    /// Something else that may concern a lane: the end of a subagent.
    Other,
    /// Its type could not be read, so it may have been anything.
    Unreadable,
}

/// What could be read of a damaged event.
#[derive(Clone, Copy, Debug)]
pub(super) struct DamagedEvent<'a> {
    pub(super) kind: DamagedType,
    pub(super) id: Option<&'a str>,
    pub(super) name: Option<&'a str>,
    /// `None` if it could not be read.
    pub(super) lane: Option<Lane>,
    /// Whether all that is wrong with it is that it names no call.
    pub(super) lacks_id: bool,
}

impl Ledger {
    /// An event could not be read completely.
    pub(super) fn damaged(&mut self, event: DamagedEvent<'_>, problem: String) {
        self.run.has_loss |= !event.lacks_id;
        self.report(Report::DamagedEvent { call_id: event.id.map(|id| excerpt(id).into()), problem });
        match event.id {
            Some(id) => self.damaged_call(id, event),
            // Only a piece of arguments is missed by the call that it belongs to.
            None if event.lacks_id && event.kind != DamagedType::Arguments => {}
            None => {
                match event.lane {
                    // A result belongs to no lane, so it may have been about any call.
                    Some(lane) if !matches!(event.kind, DamagedType::Unreadable | DamagedType::Result) => {
                        self.tear_lane(lane);
                    }
                    _ => self.tear_all(),
                }
                match event.kind {
                    DamagedType::Unreadable => self.lanes.lose_beginning(None),
                    DamagedType::Chunk => self.lanes.lose_beginning(event.lane),
                    _ => {}
                }
            }
        }
    }

    fn damaged_call(&mut self, id: &str, event: DamagedEvent<'_>) {
        let hash = self.hash(id);
        let may_be_chunk = matches!(event.kind, DamagedType::Chunk | DamagedType::Unreadable);
        match event.lane {
            Some(lane) if event.kind == DamagedType::Chunk => self.leave_lane(lane, hash),
            // What continues a call without an id from now on may continue this one.
            lane if may_be_chunk => self.lanes.mark_suspect(lane, hash),
            _ => {}
        }
        if self.open.contains_key(&hash) {
            self.tear(hash);
        } else if !self.is_used(hash) {
            let lane = event.lane.unwrap_or(Lane::AGENT);
            let form = match event.kind {
                DamagedType::Start => Some(Form::Streamed),
                DamagedType::Chunk => Some(Form::Chunked),
                _ => None,
            };
            if let Some(form) = form {
                if self.open(lane, id, hash, event.name, form) {
                    self.tear(hash);
                }
            } else if event.kind == DamagedType::Unreadable {
                self.doubt_call(hash);
            }
        }
        if let Some(lane) = event.lane.filter(|_| event.kind == DamagedType::Chunk) {
            self.enter_lane(lane, hash);
        }
    }

    /// Takes note that the first chunk of a call may be lost.
    fn doubt_call(&mut self, hash: IdHash) {
        if self.run.suspect.len() < MAX_SUSPECT {
            self.run.suspect.insert(hash);
        } else {
            self.lanes.lose_beginning(None);
        }
    }

    /// A frame or a line could not be read, and may have been any event.
    pub(crate) fn frame_lost(&mut self, problem: String) {
        self.run.has_loss = true;
        self.report(Report::FrameLost { problem });
        self.tear_all();
        self.lanes.lose_beginning(None);
    }

    pub(super) fn tear(&mut self, hash: IdHash) {
        if let Some(call) = self.open.get_mut(&hash) {
            call.tear();
        }
    }

    /// The call that the lane continues may have been opened in another one.
    fn tear_lane(&mut self, lane: Lane) {
        if let Continued::Call(current) | Continued::Doubtful(current) = self.lanes.continued(lane) {
            self.tear(current);
        }
        self.open.values_mut().filter(|call| call.lane == lane).for_each(|call| call.tear());
    }

    fn tear_all(&mut self) {
        self.open.values_mut().for_each(|call| call.tear());
    }
}
