#![doc = include_str!("../README.md")]
//!
//! # The updates of a turn
//!
//! ```
//! use drawloom_client::{Client, Transport, Update};
//! # use drawloom_command::{CommandAccess, PendingCall};
//! # async fn ask_the_person(_: PendingCall) -> bool { false }
//! # async fn converse(
//! #     agent: impl Transport + 'static,
//! #     copilot: impl CommandAccess + 'static,
//! # ) -> Result<(), Box<dyn std::error::Error>> {
//!
//! // With the feature `http`: HttpTransport::builder("https://agent.example/ag-ui").bearer("a token").build()?
//! let mut client = Client::builder(agent, copilot).confirm(ask_the_person).build();
//!
//! client.send_text("Open my inbox, please.");
//! while let Some(update) = client.next().await {
//!     match update {
//!         Update::Text { delta, .. } => print!("{delta}"),
//!         Update::Running { call } => println!("[{} runs]", call.command_id),
//!         Update::TurnEnded { end } => println!("[{end}]"),
//!         _ => {}
//!     }
//! }
//! let kept = serde_json::to_string(client.conversation())?;
//! # let _ = kept;
//! # Ok(())
//! # }
//! ```
//!
//! Nothing runs in the background. A turn continues while [`Client::next`] is awaited, or while the client is polled as a
//! [`Stream`](futures_util::Stream), on any executor. Dropping the client drops the connection and all running calls.
//!
//! # Features
//!
//! - `http`: `HttpTransport`, for agents at an HTTP URL. It adds reqwest, rustls and tokio. It is off by default, because
//!   user-supplied transports, recordings and agents in the same process need no HTTP crates.

mod apply;
mod builder;
mod client;
mod connection;
mod conversation;
mod dialect;
mod guarded;
mod hooks;
mod interrupts;
mod limits;
mod prompts;
mod response_schema;
mod run;
mod started_call;
mod state;
mod transport;
mod turn;
mod update;

pub use builder::ClientBuilder;
pub use client::Client;
pub use connection::Canceller;
pub use conversation::{Conversation, Interrupt, Message, ToolCall};
pub use dialect::{AgnoConfirmation, PlainAnswer, plain_answer, question_text};
/// The parts of the protocol that a client and its transports use.
pub use drawloom_ag_ui::protocol::{Content, Context, Json, Resume, ResumeStatus, Role, RunAgentInput};
pub use drawloom_ag_ui::recording::{Frame, FrameProblem};
/// A boxed future, as [`Transport`] and [`AskForInput`] return them.
pub use drawloom_command::BoxFuture;
pub use limits::RunLimits;
pub use prompts::AskForInput;
pub use response_schema::{AnswerMismatch, check_answer};
pub use transport::{Frames, InProcessAgent, RecordedAgent, RecordedAgentError, Transport, TransportError};
#[cfg(feature = "http")]
pub use transport::{HttpTransport, HttpTransportBuilder};
pub use update::{RunEnd, TurnEnd, Update};
