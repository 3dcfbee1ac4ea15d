//! A call while its arguments arrive.

use super::incomplete::LimitExceeded;
use super::lanes::Lane;
use crate::protocol::ToolCallId;

/// The maximum length of a stored tool name. Tool names have at most 64 characters, so a name that was cut matches no
/// tool.
const NAME_BYTES: usize = 1024;
/// The room a call's arguments get at first, where the limit allows that much.
const FIRST_BYTES: usize = 64;

/// How a call was opened, which decides what may close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// By a start: only an end closes it.
    Streamed,
    /// By a chunk: a chunk for another call closes it too, and so does the end of the run.
    Chunked,
}

#[derive(Debug)]
pub(super) struct OpenCall {
    pub(super) id: ToolCallId,
    /// Its place among all calls, in the order in which they were opened.
    pub(super) order: u64,
    /// The lane that the event which opened it belongs to.
    pub(super) lane: Lane,
    pub(super) form: Form,
    /// None where the event that opened it did not name a tool.
    pub(super) name: Option<String>,
    pub(super) arguments: String,
    /// An event about it could not be read completely.
    pub(super) is_torn: bool,
    /// It was opened after the end of its run.
    pub(super) is_late: bool,
    /// How often the conversation contained its id before it was opened.
    pub(super) baseline: u32,
    /// How often the agent had sent text or reasoning when it last sent an event about the call.
    pub(super) output_count: u64,
}

impl OpenCall {
    /// A call of which nothing was sent yet but its beginning.
    pub(super) fn new(id: ToolCallId, order: u64, lane: Lane, form: Form, name: Option<&str>) -> Self {
        Self {
            id,
            order,
            lane,
            form,
            name: name.map(bounded_name),
            arguments: String::new(),
            is_torn: false,
            is_late: false,
            baseline: 0,
            output_count: 0,
        }
    }

    /// Begins a new attempt: only its events count. The place in the order stays.
    pub(super) fn restart(&mut self, lane: Lane, name: Option<&str>) {
        self.lane = lane;
        self.form = Form::Streamed;
        self.name = name.map(bounded_name);
        self.arguments.clear();
        self.is_torn = false;
    }

    /// Marks the call as torn: an event about it could not be read. Its arguments are dropped.
    pub(super) fn tear(&mut self) {
        self.is_torn = true;
        self.arguments = String::new();
    }

    /// Adds a piece of the arguments, unless that makes them longer than `limit` bytes.
    pub(super) fn append(&mut self, delta: &str, limit: usize) -> Result<(), LimitExceeded> {
        if self.is_torn || self.is_late {
            // It will not run, so its arguments are not stored.
            return Ok(());
        }
        let needed = self.arguments.len().saturating_add(delta.len());
        if needed > limit {
            return Err(LimitExceeded::ArgumentBytes(limit));
        }
        if needed > self.arguments.capacity() {
            let room = next_capacity(self.arguments.capacity(), needed, limit);
            self.arguments.reserve_exact(room - self.arguments.len());
        }
        self.arguments.push_str(delta);
        Ok(())
    }
}

/// How much room arguments get that need `needed` bytes and have outgrown `capacity`; both are within `limit`.
///
/// Growing by half keeps the cost linear, as doubling does, and at the moment of moving, when the old room and the new
/// are both there, holds two and a half times what has been received; doubling would hold three times.
fn next_capacity(capacity: usize, needed: usize, limit: usize) -> usize {
    capacity.saturating_add(capacity / 2).max(FIRST_BYTES).min(limit).max(needed)
}

pub(super) fn bounded_name(name: &str) -> String {
    name.get(..name.floor_char_boundary(NAME_BYTES)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_call() -> OpenCall {
        OpenCall::new("c".into(), 0, Lane::AGENT, Form::Streamed, Some("n"))
    }

    /// Appends one byte at a time and returns how often the arguments moved and the most room that took.
    fn one_byte_at_a_time(bytes: usize, limit: usize) -> (usize, usize) {
        let mut call = open_call();
        let (mut moves, mut most) = (0, 0);
        for _ in 0..bytes {
            let before = call.arguments.capacity();
            call.append("x", limit).unwrap();
            if call.arguments.capacity() != before {
                moves += 1;
                most = most.max(before + call.arguments.capacity());
            }
        }
        assert_eq!(call.arguments.len(), bytes);
        (moves, most)
    }

    #[test]
    fn arguments_sent_byte_by_byte_move_rarely_and_take_less_than_three_times_their_size() {
        for bytes in [1 << 10, 1 << 16, 1_000_001] {
            let (moves, most) = one_byte_at_a_time(bytes, usize::MAX);
            assert!(moves <= 26, "{bytes} bytes moved {moves} times");
            assert!(most * 10 <= bytes * 25 + 10 * FIRST_BYTES, "{bytes} bytes took {most}");
        }
    }

    #[test]
    fn no_more_room_is_taken_than_the_limit_allows() {
        let (_, most) = one_byte_at_a_time(1000, 1000);
        assert!(most <= 2000, "{most}");
        let mut call = open_call();
        call.append("12345", 5).unwrap();
        assert_eq!(call.append("", 5), Ok(()));
        assert_eq!(call.append("6", 5), Err(LimitExceeded::ArgumentBytes(5)));
        assert_eq!((call.arguments.as_str(), call.arguments.capacity()), ("12345", 5));
    }

    #[test]
    fn a_piece_larger_than_the_next_step_fits_in_one_move() {
        assert_eq!(next_capacity(0, 10_000, 1 << 20), 10_000);
        assert_eq!(next_capacity(0, 1, 1 << 20), 64);
        assert_eq!(next_capacity(0, 1, 10), 10);
        assert_eq!(next_capacity(1000, 1001, 1 << 20), 1500);
        assert_eq!(next_capacity(1000, 1001, 1200), 1200);
        assert_eq!(next_capacity(usize::MAX - 1, usize::MAX, usize::MAX), usize::MAX);
    }

    #[test]
    fn a_name_is_cut_where_no_tool_name_reaches() {
        assert_eq!(bounded_name("notes__open"), "notes__open");
        assert_eq!(bounded_name(&"n".repeat(1024)).len(), 1024);
        assert_eq!(bounded_name(&"n".repeat(1025)).len(), 1024);
        assert_eq!(bounded_name(&"é".repeat(600)), "é".repeat(512));
        assert_eq!(bounded_name(&"€".repeat(600)).len(), 1023);
    }
}
