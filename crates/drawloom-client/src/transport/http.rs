//! An agent behind an HTTP address that answers with server-sent events.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use drawloom_ag_ui::Event;
use drawloom_command::BoxFuture;
use futures_util::{StreamExt, stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::time::timeout;

use super::sse::FrameDecoder;
use super::{Frame, Frames, Transport, TransportError};
use crate::wire::RunAgentInput;

/// Longer than the longest call: an agent's event may carry a conversation.
const FRAME_BYTES: NonZeroUsize = NonZeroUsize::new(16 * 1024 * 1024).unwrap();
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Models think for long, and not every server sends comments meanwhile.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);
/// How long a stream whose run is over may take to end. Agents have a moment to put things away before the connection
/// is closed, and those that never close it are not waited for.
const LINGER: Duration = Duration::from_secs(1);
/// How much of an answer that is no stream is shown, in bytes.
const EXCERPT_BYTES: usize = 512;

/// Reaches an agent by `POST`, and reads its events as `text/event-stream`. TLS is rustls, with the certificates the
/// system trusts.
///
/// It follows no redirect, since a `POST` with somebody's token is not to be sent to wherever an answer says. It runs
/// under tokio, whose timers and sockets it uses.
///
/// ```
/// use std::time::Duration;
///
/// use drawloom_client::HttpTransport;
///
/// let agent = HttpTransport::builder("http://127.0.0.1:8000/agent")
///     .bearer("a token")
///     .header("x-tenant", "7")
///     .idle_timeout(Duration::from_secs(60))
///     .build()?;
/// # let _ = agent;
/// # Ok::<(), drawloom_client::TransportError>(())
/// ```
#[derive(Clone)]
pub struct HttpTransport {
    http: Client,
    url: Url,
    headers: HeaderMap,
    connect_timeout: Duration,
    idle_timeout: Duration,
    frame_bytes: NonZeroUsize,
}

/// Makes a [`HttpTransport`].
#[must_use = "nothing is reached before it is built"]
pub struct HttpBuilder {
    url: String,
    headers: Vec<(String, String)>,
    connect_timeout: Duration,
    idle_timeout: Duration,
    frame_bytes: NonZeroUsize,
}

impl HttpTransport {
    /// An agent at this address.
    pub fn builder(url: impl Into<String>) -> HttpBuilder {
        HttpBuilder {
            url: url.into(),
            headers: Vec::new(),
            connect_timeout: CONNECT_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            frame_bytes: FRAME_BYTES,
        }
    }
}

impl HttpBuilder {
    /// Sends this header with each run.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends this token with each run, as `Authorization: Bearer`.
    pub fn bearer(self, token: impl fmt::Display) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// Bounds the time a connection may take to come about. 10 s unless said.
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Bounds the time in which nothing comes. 5 min unless said. A comment is something.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.idle_timeout = time;
        self
    }

    /// Bounds the bytes of one frame. 16 MiB unless said. A longer one is passed over and never held.
    pub fn frame_bytes(mut self, bytes: NonZeroUsize) -> Self {
        self.frame_bytes = bytes;
        self
    }

    /// Makes the transport.
    ///
    /// # Errors
    /// [`TransportError`] where the address or a header is none, or TLS cannot be set up.
    pub fn build(self) -> Result<HttpTransport, TransportError> {
        let unusable = |what: &str, detail: &dyn fmt::Display| TransportError::Unusable {
            what: what.to_owned(),
            detail: detail.to_string(),
        };
        let url = Url::parse(&self.url).map_err(|error| unusable(&self.url, &error))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(unusable(&self.url, &"an agent's address starts with http:// or https://"));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let key = HeaderName::try_from(name).map_err(|error| unusable(name, &error))?;
            // What a value says may be a secret, so neither an error nor a log repeats it.
            let mut value = HeaderValue::try_from(value).map_err(|error| unusable(name, &error))?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        let http = Client::builder()
            .tls_backend_preconfigured(tls(url.scheme() == "https")?)
            .connect_timeout(self.connect_timeout)
            .redirect(Policy::none())
            .build()
            .map_err(|error| TransportError::Tls(told(error)))?;
        Ok(HttpTransport {
            http,
            url,
            headers,
            connect_timeout: self.connect_timeout,
            idle_timeout: self.idle_timeout,
            frame_bytes: self.frame_bytes,
        })
    }
}

/// TLS by ring, named here: what a process installs as its default is not for a library to choose or to lack.
fn tls(needed: bool) -> Result<ClientConfig, TransportError> {
    let failed = |error: rustls::Error| TransportError::Tls(error.to_string());
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    // Where it is not needed, a system without certificates does no harm.
    Ok(if needed {
        config.with_platform_verifier().map_err(failed)?.with_no_client_auth()
    } else {
        config.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
    })
}

impl Transport for HttpTransport {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let this = self.clone();
        Box::pin(async move { this.post(&input).await })
    }
}

impl HttpTransport {
    async fn post(self, input: &RunAgentInput) -> Result<Frames, TransportError> {
        let body = serde_json::to_vec(input).map_err(|error| TransportError::Other(error.to_string()))?;
        let request = self
            .http
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .headers(self.headers.clone())
            .body(body);
        let idle = self.idle_timeout;
        let sent = timeout(self.connect_timeout.saturating_add(idle), request.send()).await;
        let mut response = sent.map_err(|_elapsed| TransportError::Idle(idle))?.map_err(|error| {
            if error.is_connect() {
                TransportError::Connect(told(error))
            } else {
                TransportError::Broken(told(error))
            }
        })?;
        let status = response.status();
        if !status.is_success() {
            let excerpt = excerpt(&mut response, idle).await;
            return Err(TransportError::Status { status: status.as_u16(), excerpt });
        }
        let content_type = response.headers().get(CONTENT_TYPE);
        let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        if let Some(content_type) = content_type.filter(|it| !is_event_stream(it)) {
            let excerpt = excerpt(&mut response, idle).await;
            return Err(TransportError::NotAStream { content_type, excerpt });
        }
        let decoder = FrameDecoder::new(self.frame_bytes);
        let reading = Some(Reading { response, decoder, idle, is_run_over: false });
        let frames = stream::unfold(reading, |reading| async {
            let mut reading = reading?;
            match reading.next_frame().await? {
                Ok(frame) => Some((Ok(frame), Some(reading))),
                Err(error) => Some((Err(error), None)),
            }
        });
        Ok(frames.boxed())
    }
}

fn is_event_stream(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("text/event-stream")
}

/// A run whose events come in.
struct Reading {
    response: Response,
    decoder: FrameDecoder,
    idle: Duration,
    is_run_over: bool,
}

impl Reading {
    async fn next_frame(&mut self) -> Option<Result<Frame, TransportError>> {
        loop {
            if let Some(frame) = self.decoder.next_frame() {
                if let Frame::Event(event) = &frame {
                    self.look_at(event);
                }
                return Some(Ok(frame));
            }
            if self.decoder.has_ended() {
                return None;
            }
            let patience = if self.is_run_over { LINGER.min(self.idle) } else { self.idle };
            match within(patience, self.response.chunk()).await {
                Ok(Some(bytes)) => self.decoder.feed(bytes),
                Ok(None) => self.decoder.end(),
                Err(_) if self.is_run_over => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn look_at(&mut self, event: &str) {
        if event.contains("\"RUN_") {
            match Event::parse(event) {
                Ok(Event::RunFinished { .. } | Event::RunError) => self.is_run_over = true,
                Ok(Event::RunStarted { .. }) => self.is_run_over = false,
                _ => {}
            }
        }
    }
}

async fn within<T>(
    idle: Duration,
    reading: impl Future<Output = reqwest::Result<T>>,
) -> Result<T, TransportError> {
    match timeout(idle, reading).await {
        Ok(read) => read.map_err(|error| TransportError::Broken(told(error))),
        Err(_elapsed) => Err(TransportError::Idle(idle)),
    }
}

/// The beginning of an answer, for a person to read. What it costs is bounded, whatever the server sends.
async fn excerpt(response: &mut Response, idle: Duration) -> String {
    let mut read = Vec::new();
    while read.len() < EXCERPT_BYTES
        && let Ok(Some(bytes)) = within(idle.min(CONNECT_TIMEOUT), response.chunk()).await
    {
        let room = EXCERPT_BYTES - read.len();
        read.extend(bytes.into_iter().take(room));
    }
    let is_cut = read.len() == EXCERPT_BYTES;
    let text = String::from_utf8_lossy(&read);
    let text = text.trim_end_matches('\u{fffd}').trim();
    if is_cut { format!("{text}…") } else { text.to_owned() }
}

/// An error and what lies behind it, without the address, which may carry a secret.
fn told(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        told = format!("{told}: {error}");
        source = error.source();
    }
    told
}

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport")
            .field("host", &self.url.host_str())
            .field("idle_timeout", &self.idle_timeout)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpBuilder").field("headers", &self.headers.len()).finish_non_exhaustive()
    }
}
