//! A live AG-UI agent drives a workbench: a connection is opened, the agent's calls are run while it still speaks, and
//! the answers go back until it comes to rest.
//!
//! ```
//! use drawloom_client::{Client, HttpTransport, Update};
//! # use drawloom_command::{CommandAccess, PendingCall};
//! # async fn ask_the_person(_: PendingCall) -> bool { false }
//! # async fn converse(copilot: impl CommandAccess + 'static) -> Result<(), Box<dyn std::error::Error>> {
//!
//! let agent = HttpTransport::builder("https://agent.example/ag-ui").bearer("a token").build()?;
//! let mut client = Client::new(agent, copilot).confirm(ask_the_person);
//!
//! client.send_text("Open my inbox, please.");
//! while let Some(update) = client.next().await {
//!     match update {
//!         Update::Text { delta, .. } => print!("{delta}"),
//!         Update::Running { call } => println!("[{} runs]", call.command_id),
//!         Update::Ended { ending } => println!("[{ending}]"),
//!         _ => {}
//!     }
//! }
//! let kept = serde_json::to_string(client.conversation())?;
//! # let _ = kept;
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here runs by itself. A turn goes on while [`Client::next`] is awaited, or the client is polled as a
//! [`Stream`](futures_util::Stream): on any executor, with everything that is going on in one place. Dropping the client
//! drops all of it.

mod client;
mod contain;
mod conversation;
mod events;
mod frames;
mod limits;
mod person;
mod questions;
mod run;
mod told;
mod transport;
mod turn;
mod update;
mod wire;

pub use client::{Canceller, Client};
pub use conversation::Conversation;
/// A boxed future, as [`Transport`] and [`AskForInput`] return them.
pub use drawloom_command::BoxFuture;
pub use limits::RunLimits;
pub use person::AskForInput;
pub use transport::{
    Frame, Frames, HttpBuilder, HttpTransport, Recorded, RecordedError, ScriptedAgent, Transport,
    TransportError,
};
pub use update::{Ending, RunEnd, Update};
pub use wire::{FunctionCall, Interrupt, Message, Resume, ResumeStatus, RunAgentInput, ToolCall};
