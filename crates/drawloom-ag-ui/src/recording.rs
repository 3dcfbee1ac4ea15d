//! Runs as they are streamed and recorded: server-sent events, JSON lines, and JSON arrays of events.
//!
//! [`FrameDecoder`] takes the bytes of a live stream and hands out frames. [`RecordingReader`] reads a file, whatever its
//! form, and [`RecordingWriter`] writes one. What the events mean is decided in [`protocol`](crate::protocol).
//!
//! A frame that cannot be read is never skipped silently, because a call that was open may be incomplete without it: it
//! is [`Frame::Lost`] or [`Frame::TooLong`].

mod array;
mod frame;
mod lines;
mod note;
mod reader;
mod sse;
mod writer;

pub use frame::{Frame, FrameProblem};
pub use note::{RecordedEnd, RecordedNote};
pub use reader::{RecordingError, RecordingItem, RecordingReader};
pub use sse::FrameDecoder;
pub use writer::RecordingWriter;
