//! The trait through which a run is sent to an agent and its events are received, and its errors.

#[cfg(feature = "http")]
mod http;
mod in_process;
mod recorded;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use drawloom_ag_ui::protocol::RunAgentInput;
use drawloom_ag_ui::recording::Frame;
use drawloom_command::BoxFuture;
use futures_util::Stream;

#[cfg(feature = "http")]
pub use http::{HttpTransport, HttpTransportBuilder};
pub use in_process::InProcessAgent;
pub use recorded::{RecordedAgent, RecordedAgentError};

/// The frames of one run, as they arrive.
pub type Frames = Pin<Box<dyn Stream<Item = Result<Frame, TransportError>> + Send>>;

/// A way to reach an agent.
///
/// `HttpTransport` (feature `http`) is the usual one, [`RecordedAgent`] plays a recording, [`InProcessAgent`] is an
/// agent in the process. Implement the trait for other transports, such as a WebSocket or a message bus:
///
/// ```
/// use drawloom_client::{BoxFuture, Frame, Frames, RunAgentInput, Transport, TransportError};
/// use futures::stream::{self, StreamExt};
///
/// /// An agent that sends no text.
/// struct Silent;
///
/// impl Transport for Silent {
///     fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
///         let end = format!(
///             r#"{{"type":"RUN_FINISHED","threadId":"{}","runId":"{}"}}"#, input.thread_id, input.run_id,
///         );
///         Box::pin(async move { Ok(stream::iter([Ok(Frame::Event(end))]).boxed()) })
///     }
/// }
/// ```
pub trait Transport: Send + Sync {
    /// Starts a run. The future and the stream do not borrow the transport. Dropping either of them ends the run and
    /// closes its connection.
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>>;
}

impl<T: Transport + ?Sized> Transport for Arc<T> {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        (**self).start(input)
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        (**self).start(input)
    }
}

/// Why an agent could not be reached, or why its events stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The URL, a header or a certificate is invalid.
    #[error("\"{what}\" cannot be used: {detail}")]
    Unusable {
        /// The value that was given.
        what: String,
        /// Why the value cannot be used.
        detail: String,
    },
    /// TLS could not be set up.
    #[error("TLS could not be set up: {0}")]
    Tls(String),
    /// The connection could not be established.
    #[error("could not connect to the agent: {0}")]
    Connect(String),
    /// The agent answered with an HTTP status other than success.
    #[error("the agent answered with HTTP status {status}{}", after_colon(.excerpt))]
    Status {
        /// The status.
        status: u16,
        /// The beginning of the response.
        excerpt: String,
    },
    /// The response is not a stream of events.
    #[error("the agent answered with \"{content_type}\" instead of a stream of events{}", after_colon(.excerpt))]
    NotAStream {
        /// The content type of the response.
        content_type: String,
        /// The beginning of the response.
        excerpt: String,
    },
    /// The agent sent nothing for this time.
    #[error("the agent sent nothing for {} s", .0.as_secs_f64())]
    Idle(Duration),
    /// The connection broke.
    #[error("the connection to the agent broke: {0}")]
    Broken(String),
    /// The run took longer than this time.
    #[error("the run took longer than {} s", .0.as_secs_f64())]
    RunTooLong(Duration),
    /// The agent sent more than is allowed for one run.
    #[error("{0}")]
    LimitExceeded(String),
    /// The transport panicked.
    #[error("the transport panicked")]
    Panicked,
    /// Another error, of a user-supplied transport.
    #[error("{0}")]
    Other(String),
}

impl TransportError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unusable { .. } => "unusable",
            Self::Tls(_) => "tls",
            Self::Connect(_) => "connect",
            Self::Status { .. } => "status",
            Self::NotAStream { .. } => "not-a-stream",
            Self::Idle(_) => "idle",
            Self::Broken(_) => "broken",
            Self::RunTooLong(_) => "run-too-long",
            Self::LimitExceeded(_) => "limit-exceeded",
            Self::Panicked => "panicked",
            Self::Other(_) => "other",
        }
    }

    /// Whether the agent rejected the input itself, as opposed to the caller or a temporary condition.
    pub(crate) fn rejects_the_input(&self) -> bool {
        const CALLER_OR_TIME: [u16; 6] = [401, 403, 404, 407, 408, 429];
        matches!(self, Self::Status { status: status @ 400..500, .. }
            if !CALLER_OR_TIME.contains(status))
    }
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
