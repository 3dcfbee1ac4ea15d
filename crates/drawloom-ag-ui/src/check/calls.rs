//! The rules about calls.

use super::ProtocolRule;
use super::checker::ProtocolChecker;
use super::open::{Form, Thing, extend, shown};
use crate::protocol::{CallEventType, DamagedLane, EventKind, ToolCallChunk};

impl ProtocolChecker {
    /// Checks an event about a call. Other events have no rules.
    pub(super) fn check_call(&mut self, kind: &EventKind<'_>, lane: u64) {
        match kind {
            EventKind::ToolCallStart(start) => {
                self.call_begins(&start.id, start.name.as_deref(), lane, Form::Started);
            }
            EventKind::ToolCallArgs(args) => {
                if let Some(key) = self.goes_on(Thing::Call, &args.id, lane, "continues") {
                    self.add_content(key, &args.delta);
                }
            }
            EventKind::ToolCallEnd(end) => {
                if let Some(key) = self.goes_on(Thing::Call, &end.id, lane, "ends") {
                    self.call_ends(key);
                }
            }
            EventKind::ToolCallChunk(chunk) => self.call_chunk(chunk, lane),
            EventKind::ToolCallResult(result) => self.result(&result.id),
            EventKind::Damaged(damage) => {
                // Its members were reported. If it begins a call, the call is known, so that nothing else is reported for it.
                let (Some(CallEventType::Start | CallEventType::Chunk), Some(id)) =
                    (damage.event_type, damage.call_id.as_deref())
                else {
                    return;
                };
                let lane = match &damage.lane {
                    DamagedLane::Subagent(id) => self.lane(Some(id)),
                    _ => lane,
                };
                let is_open = self.things.get(self.key(Thing::Call, id, lane)).is_some();
                let form = if damage.event_type == Some(CallEventType::Start) {
                    Form::Started
                } else {
                    Form::Chunks
                };
                if !is_open {
                    self.begins(Thing::Call, id, lane, form);
                }
            }
            _ => {}
        }
    }

    fn call_begins(&mut self, id: &str, name: Option<&str>, lane: u64, form: Form) {
        self.begins(Thing::Call, id, lane, form);
        let key = self.key(Thing::Call, id, lane);
        if let Some(open) = self.things.get_mut(key) {
            open.content = extend(0xcbf2_9ce4_8422_2325, name.unwrap_or_default());
        }
    }

    fn add_content(&mut self, key: u64, delta: &str) {
        if let Some(open) = self.things.get_mut(key) {
            open.content = extend(open.content, delta);
        }
    }

    /// A call has ended. An id of an earlier run is used again only to announce the same call again.
    fn call_ends(&mut self, key: u64) {
        let Some(open) = self.things.end(key) else { return };
        if let Some(Some(before)) = self.known.call(key)
            && before != open.content
        {
            let problem = format!("the id {} was used for another call before", open.id);
            self.report(ProtocolRule::RepeatedId, problem, Some(open.since));
        }
        if !self.known.add_call(key, Some(open.content)) {
            self.too_much();
        }
    }

    fn call_chunk(&mut self, chunk: &ToolCallChunk<'_>, lane: u64) {
        let key = match chunk.id.as_deref() {
            None => match self.things.current(Thing::Call, lane) {
                Some(key) => key,
                None => {
                    let problem = "a chunk without \"toolCallId\" continues no call".to_owned();
                    self.report(ProtocolRule::CallNotStarted, problem, None);
                    return;
                }
            },
            Some(id) => {
                let key = self.key(Thing::Call, id, lane);
                if self.things.get(key).is_some() {
                    self.goes_on(Thing::Call, id, lane, "continues");
                } else if self.things.has_ended(key) {
                    // A chunk of another call, or TOOL_CALL_END, ended it.
                    self.goes_on(Thing::Call, id, lane, "continues");
                    return;
                } else {
                    if chunk.name.as_deref().unwrap_or_default().trim().is_empty() {
                        let problem =
                            format!("the first chunk of call {} has no \"toolCallName\"", shown(id));
                        self.report(ProtocolRule::CallNotStarted, problem, None);
                    }
                    self.call_begins(id, chunk.name.as_deref(), lane, Form::Chunks);
                }
                if let Some(before) = self.things.set_current(Thing::Call, lane, key) {
                    self.chunk_call_ends(before);
                }
                key
            }
        };
        self.add_content(key, chunk.delta.as_deref().unwrap_or_default());
    }

    /// A call that chunks began ends without an event of its own.
    fn chunk_call_ends(&mut self, key: u64) {
        if self.things.get(key).is_some_and(|open| open.form == Form::Chunks) {
            self.call_ends(key);
        }
    }

    /// The end of a subagent ends the call that its chunks began.
    pub(super) fn lane_finished(&mut self, lane: u64) {
        if let Some(key) = self.things.forget_current(Thing::Call, lane) {
            self.chunk_call_ends(key);
        }
    }

    /// The end of a run ends the calls that chunks began.
    pub(super) fn chunk_calls_end(&mut self) {
        let chunk_calls =
            self.things.open().filter(|(_, open)| open.thing == Thing::Call && open.form == Form::Chunks);
        let mut keys: Vec<_> = chunk_calls.map(|(key, open)| (open.since, key)).collect();
        keys.sort_unstable();
        keys.into_iter().for_each(|(_, key)| self.call_ends(key));
    }

    fn result(&mut self, id: &str) {
        if id.trim().is_empty() {
            return;
        }
        let key = self.key(Thing::Call, id, 0);
        if let Some(open) = self.things.get(key) {
            if open.form == Form::Started {
                let (since, problem) =
                    (open.since, format!("the result came before the end of call {}", open.id));
                self.report(ProtocolRule::ResultBeforeEnd, problem, Some(since));
            }
        } else if self.known.call(key).is_none() && !self.things.has_ended(key) {
            let problem = format!("the result is for call {}, which the agent did not make", shown(id));
            self.report(ProtocolRule::ResultWithoutCall, problem, None);
        }
    }
}
