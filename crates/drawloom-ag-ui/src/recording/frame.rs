//! One frame of a run, and why one may be lost.

use std::fmt;

/// One frame of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frame {
    /// The text of an event. In a live stream it may turn out not to be one.
    Event(String),
    /// A frame longer than this many bytes was lost.
    TooLong(usize),
    /// A part of a recording could not be read.
    Lost {
        /// Its first line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: FrameProblem,
    },
}

/// Why a frame of a recording is lost. Its text continues the words "line 3".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameProblem {
    /// It is not a JSON object.
    NotAnObject,
    /// It is longer than this many bytes.
    TooLong(usize),
    /// It has more members and list items than are read.
    TooManyItems,
    /// It is JSON between server-sent events, without `data:`.
    NotAField,
    /// The recording says that a frame was lost here, and why.
    Recorded(String),
}

impl FrameProblem {
    /// A stable name for this kind of problem.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAnObject => "not-an-object",
            Self::TooLong(_) => "too-long",
            Self::TooManyItems => "too-many-items",
            Self::NotAField => "not-a-field",
            Self::Recorded(_) => "recorded-loss",
        }
    }
}

impl fmt::Display for FrameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("is not a JSON object"),
            Self::TooLong(limit) => write!(f, "is longer than {limit} bytes"),
            Self::TooManyItems => f.write_str("has too many members and list items"),
            Self::NotAField => f.write_str("is JSON between server-sent events, without \"data:\""),
            Self::Recorded(reason) => write!(f, "records a lost frame: {reason}"),
        }
    }
}
