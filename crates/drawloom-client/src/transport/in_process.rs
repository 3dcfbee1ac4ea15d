//! An agent in the same process: a function from the input of a run to its events.

use std::fmt;
use std::sync::Arc;

use drawloom_ag_ui::protocol::RunAgentInput;
use drawloom_ag_ui::recording::Frame;
use drawloom_command::BoxFuture;
use futures_util::{Stream, StreamExt};

use super::{Frames, Transport, TransportError};

/// An agent that is a function: for tests, stand-ins, and agents that are part of the application.
///
/// ```
/// use drawloom_client::{RunAgentInput, InProcessAgent};
/// use futures::stream;
///
/// let agent = InProcessAgent::new(|input: RunAgentInput| {
///     let (thread, run) = (input.thread_id, input.run_id);
///     stream::iter([
///         format!(r#"{{"type":"RUN_STARTED","threadId":"{thread}","runId":"{run}"}}"#),
///         r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"Hello."}"#.to_owned(),
///         format!(r#"{{"type":"RUN_FINISHED","threadId":"{thread}","runId":"{run}"}}"#),
///     ])
/// });
/// # let _ = agent;
/// ```
#[derive(Clone)]
pub struct InProcessAgent {
    script: Arc<dyn Fn(RunAgentInput) -> Frames + Send + Sync>,
}

impl InProcessAgent {
    /// An agent that answers each run with these events, as JSON.
    pub fn new<S>(script: impl Fn(RunAgentInput) -> S + Send + Sync + 'static) -> Self
    where
        S: Stream<Item = String> + Send + 'static,
    {
        Self { script: Arc::new(move |input| script(input).map(|event| Ok(Frame::Event(event))).boxed()) }
    }
}

impl Transport for InProcessAgent {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let script = self.script.clone();
        Box::pin(async move { Ok(script(input)) })
    }
}

impl fmt::Debug for InProcessAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InProcessAgent").finish_non_exhaustive()
    }
}
