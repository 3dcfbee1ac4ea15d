//! The former place of the tool, the tool message and the call id, until the adapter uses `protocol`.

pub use crate::protocol::{Tool, ToolCallId, ToolMessage};
