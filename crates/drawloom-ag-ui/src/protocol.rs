//! AG-UI 1.0 as data: events, messages, interrupts, the input of a run, and what an agent says about itself.
//!
//! Every text of an agent is read once, in [`Event::parse`], and what is read borrows from the text. Content that nobody
//! asks for stays raw text ([`Json`]). Reading is lenient where that is harmless: null counts as absent, a member of an
//! unexpected kind too, and what this version does not know is kept and written back. Where it is not harmless, because
//! the event belongs to a call and may be incomplete, the event is [`EventKind::Damaged`] and says what was damaged.
//!
//! Nothing here judges a sequence of events; which calls come out of it is decided in `calls`.

mod capabilities;
mod content;
pub(crate) mod decode;
mod event;
mod id;
mod input;
mod interrupt;
mod json;
mod member;
mod message;
mod outcome;
mod role;
pub(crate) mod shape;
mod tool;
mod usage;

pub use capabilities::{
    AgentCapabilities, ExecutionCapabilities, HumanInTheLoopCapabilities, IdentityCapabilities,
    MultiAgentCapabilities, MultimodalCapabilities, MultimodalInputCapabilities,
    MultimodalOutputCapabilities, OutputCapabilities, ReasoningCapabilities, StateCapabilities, SubagentInfo,
    ToolsCapabilities, TransportCapabilities,
};
pub use content::{Content, ContentPart, MediaKind, PartSource};
pub use event::{
    ActivityDelta, ActivitySnapshot, CallEventType, CustomEvent, Damage, DamageCause, DamagedLane,
    DamagedMember, DecidingMember, Event, EventError, EventKind, MessagesSnapshot, RawEvent,
    ReasoningEncryptedValue, ReasoningEnd, ReasoningMessageChunk, ReasoningMessageContent,
    ReasoningMessageEnd, ReasoningMessageStart, ReasoningStart, RunError, RunFinished, RunStarted,
    StateDelta, StateSnapshot, StepFinished, StepStarted, SubagentError, SubagentFinished, SubagentStarted,
    TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart, ToolCallArgs, ToolCallChunk,
    ToolCallEnd, ToolCallResult, ToolCallStart,
};
pub use id::ToolCallId;
pub use input::{Context, RunAgentInput};
pub use interrupt::{Interrupt, Resume, ResumeStatus};
pub use json::{Json, JsonError};
pub use message::{Message, ToolCall};
pub use outcome::{RunOutcome, SubagentOutcome};
pub use role::Role;
pub use tool::{Tool, ToolMessage};
pub use usage::TokenUsage;

/// The version of the protocol that these types represent, as `protocolVersion` states it.
pub const PROTOCOL_VERSION: &str = "1.0";
