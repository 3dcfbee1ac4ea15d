//! Reads the response of a server, with limits on its size and time.

use std::error::Error;
use std::time::Duration;

use bytes::{Buf, Bytes};
use drawloom_ag_ui::recording::{Frame, FrameDecoder};
use drawloom_ag_ui::{Event, EventKind};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use tokio::time::{Instant, timeout};

use crate::transport::TransportError;

/// How long a stream may take to end after its run has ended. The agent gets this time to finish before the connection
/// is closed.
const LINGER: Duration = Duration::from_secs(1);
/// The length in bytes of the excerpt from a response that is not a stream, and how long the client waits for it.
const EXCERPT_BYTES: usize = 512;
const EXCERPT_TIMEOUT: Duration = Duration::from_secs(5);

/// The content type of a response, if it is not a stream of events that can be read.
pub(super) fn other_content_type(response: &Response) -> Option<String> {
    let header = |name| {
        let value = response.headers().get(name)?;
        Some(one_line(&String::from_utf8_lossy(value.as_bytes()), EXCERPT_BYTES))
    };
    // Without a content type, the response is assumed to be a stream.
    let kind = header(CONTENT_TYPE).unwrap_or_else(|| "text/event-stream".to_owned());
    let essence = kind.split(';').next().unwrap_or_default();
    let is_stream = essence.trim().eq_ignore_ascii_case("text/event-stream");
    let encoding = header(CONTENT_ENCODING).filter(|it| !it.trim().eq_ignore_ascii_case("identity"));
    match encoding {
        Some(encoding) => Some(format!("{kind}, encoded as {encoding}")),
        None if is_stream => None,
        None => Some(kind),
    }
}

/// The time limits.
pub(super) struct Timeouts {
    /// The longest time in which the agent sends nothing.
    pub(super) idle: Duration,
    /// The deadline of the run.
    pub(super) over: Option<Instant>,
    pub(super) run_timeout: Duration,
}

/// A run whose events are being received.
pub(super) struct Reading {
    pub(super) response: Response,
    pub(super) decoder: FrameDecoder,
    /// The bytes that were not decoded yet, and whether the response ends after them.
    pub(super) bytes: Bytes,
    pub(super) has_ended: bool,
    pub(super) times: Timeouts,
    /// When the run ended.
    pub(super) run_over: Option<Instant>,
}

impl Reading {
    pub(super) async fn next_frame(&mut self) -> Option<Result<Frame, TransportError>> {
        loop {
            if let Some(frame) = self.decoded_frame() {
                if let Frame::Event(event) = &frame {
                    self.look_at(event);
                }
                return Some(Ok(frame));
            }
            if self.has_ended {
                return None;
            }
            match self.more().await {
                Ok(Some(bytes)) => self.bytes = bytes,
                Ok(None) => {
                    self.has_ended = true;
                    if let Some(frame) = self.decoder.end() {
                        return Some(Ok(frame));
                    }
                }
                Err(_) if self.run_over.is_some() => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// The next complete frame in the received bytes.
    fn decoded_frame(&mut self) -> Option<Frame> {
        let mut left = &*self.bytes;
        let frame = self.decoder.next_frame(&mut left);
        let taken = self.bytes.len() - left.len();
        self.bytes.advance(taken);
        frame
    }

    async fn more(&mut self) -> Result<Option<Bytes>, TransportError> {
        let now = Instant::now();
        let Timeouts { idle, over, run_timeout } = self.times;
        let left = over.map_or(Duration::MAX, |over| over.saturating_duration_since(now));
        // Bytes that arrive after the end of the run do not extend the time.
        let lingers = self
            .run_over
            .map_or(Duration::MAX, |since| LINGER.saturating_sub(now.saturating_duration_since(since)));
        // If bytes always arrive, no timer is polled otherwise.
        if left.is_zero() || lingers.is_zero() {
            return Err(TransportError::RunTooLong(run_timeout));
        }
        match timeout(idle.min(left).min(lingers), self.response.chunk()).await {
            Ok(read) => read.map_err(|error| TransportError::Broken(describe(error))),
            Err(_elapsed) if left < idle => Err(TransportError::RunTooLong(run_timeout)),
            Err(_elapsed) => Err(TransportError::Idle(idle)),
        }
    }

    fn look_at(&mut self, event: &str) {
        if event.contains("\"RUN_") {
            match Event::parse(event).map(|event| event.kind) {
                Ok(EventKind::RunFinished(_) | EventKind::RunError(_)) => {
                    self.run_over = Some(Instant::now())
                }
                Ok(EventKind::RunStarted(_)) => self.run_over = None,
                _ => {}
            }
        }
    }
}

/// The beginning of a response, for an error text. Its cost is limited, whatever the server sends.
pub(super) async fn excerpt(response: &mut Response) -> String {
    let mut read = Vec::new();
    // The excerpt is what has arrived by then.
    let _elapsed = timeout(EXCERPT_TIMEOUT, async {
        while read.len() < EXCERPT_BYTES
            && let Ok(Some(bytes)) = response.chunk().await
        {
            read.extend(bytes.into_iter().take(EXCERPT_BYTES - read.len()));
        }
    })
    .await;
    let is_cut = read.len() == EXCERPT_BYTES;
    let text = String::from_utf8_lossy(&read);
    let text = one_line(text.trim_end_matches('\u{fffd}').trim(), EXCERPT_BYTES);
    if is_cut { format!("{text}…") } else { text }
}

/// The beginning of an untrusted text, without control characters.
fn one_line(text: &str, bytes: usize) -> String {
    let text = text.get(..text.floor_char_boundary(bytes)).unwrap_or_default();
    text.chars().map(|at| if at.is_control() { ' ' } else { at }).collect()
}

/// An error and its causes, without the URL, which may contain a secret.
pub(super) fn describe(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
