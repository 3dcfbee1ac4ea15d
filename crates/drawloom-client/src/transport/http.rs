//! An agent at an HTTP URL that answers with server-sent events.

mod reading;
mod target;
mod tls;

use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

use bytes::Bytes;
use drawloom_ag_ui::protocol::RunAgentInput;
use drawloom_ag_ui::recording::FrameDecoder;
use drawloom_command::BoxFuture;
use futures_util::{StreamExt, stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use tokio::time::{Instant, timeout};

use self::reading::{Reading, Timeouts, describe, excerpt, other_content_type};
use self::target::{is_this_machine, without_secrets};
use self::tls::tls;
use super::{Frames, Transport, TransportError};

/// More than the longest call, because an event may contain a whole conversation.
const FRAME_BYTES: NonZeroUsize = NonZeroUsize::new(16 * 1024 * 1024).unwrap();
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Models may think for a long time, and not every server sends comments meanwhile.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);
/// Agents may work for a long time, but a run must end.
const RUN_TIMEOUT: Duration = Duration::from_secs(3600);
/// Sends a run to an agent by `POST`, and reads its events as `text/event-stream`. TLS uses rustls, with the
/// certificates that the system trusts and those of [`HttpTransportBuilder::root_certificates`].
///
/// It does not follow redirects, because a response must not decide where a token is sent. It uses the proxy of the
/// environment (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`), except for an agent on this machine. It neither
/// requests nor accepts compression. It needs a tokio runtime, whose timers and sockets it uses.
///
/// A user name and a password in the URL are sent as basic authentication. No error and no log contains them, the query
/// of the URL, or the value of a header.
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
    run_timeout: Duration,
    frame_bytes: NonZeroUsize,
}

/// Builder for an [`HttpTransport`].
#[must_use = "a builder does nothing until it builds"]
pub struct HttpTransportBuilder {
    url: String,
    headers: Vec<(String, String)>,
    connect_timeout: Duration,
    idle_timeout: Duration,
    run_timeout: Duration,
    frame_bytes: NonZeroUsize,
    roots: Vec<Vec<u8>>,
}

impl HttpTransport {
    /// Builder for a transport to the agent at this URL.
    pub fn builder(url: impl Into<String>) -> HttpTransportBuilder {
        HttpTransportBuilder {
            url: url.into(),
            headers: Vec::new(),
            connect_timeout: CONNECT_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            run_timeout: RUN_TIMEOUT,
            frame_bytes: FRAME_BYTES,
            roots: Vec::new(),
        }
    }
}

impl HttpTransportBuilder {
    /// Sends this header with each run.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sends this token with each run, as `Authorization: Bearer`.
    pub fn bearer(self, token: impl fmt::Display) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// Limits the time for establishing a connection. The default is 10 s.
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect_timeout = time;
        self
    }

    /// Limits the time in which the agent sends nothing. The default is 5 min. A comment restarts the time.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.idle_timeout = time;
        self
    }

    /// Limits the time of a run, from its start to the end of its events. The default is 1 h. Waiting for the user or
    /// for a command after the events does not count.
    pub fn run_timeout(mut self, time: Duration) -> Self {
        self.run_timeout = time;
        self
    }

    /// Trusts these certificates in addition to those of the system, for example those of a company or a test: one
    /// certificate as DER, or any number as PEM.
    pub fn root_certificates(mut self, pem_or_der: impl Into<Vec<u8>>) -> Self {
        self.roots.push(pem_or_der.into());
        self
    }

    /// Limits the bytes of one frame. The default is 16 MiB. A longer frame is skipped and not stored.
    pub fn frame_bytes(mut self, bytes: NonZeroUsize) -> Self {
        self.frame_bytes = bytes;
        self
    }

    /// Builds the transport.
    ///
    /// # Errors
    /// [`TransportError`] if the URL, a header or a certificate is invalid, or TLS cannot be set up.
    pub fn build(self) -> Result<HttpTransport, TransportError> {
        let unusable = |what: &str, detail: &dyn fmt::Display| TransportError::Unusable {
            what: what.to_owned(),
            detail: detail.to_string(),
        };
        let shown = without_secrets(&self.url);
        let scheme = "the URL of an agent must start with http:// or https://";
        let url = Url::parse(&self.url).map_err(|error| match self.url.contains("://") {
            true => unusable(&shown, &error),
            // The parser's "relative URL without a base" does not say what to do.
            false => unusable(&shown, &scheme),
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(unusable(&shown, &scheme));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let key = HeaderName::try_from(name).map_err(|error| unusable(name, &error))?;
            // The value may be a secret, so no error and no log contains it.
            let mut value = HeaderValue::try_from(value).map_err(|error| unusable(name, &error))?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        let mut http = Client::builder()
            .tls_backend_preconfigured(tls(url.scheme() == "https", &self.roots)?)
            .connect_timeout(self.connect_timeout)
            .redirect(Policy::none());
        if is_this_machine(&url) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| TransportError::Tls(describe(error)))?;
        Ok(HttpTransport {
            http,
            url,
            headers,
            connect_timeout: self.connect_timeout,
            idle_timeout: self.idle_timeout,
            run_timeout: self.run_timeout,
            frame_bytes: self.frame_bytes,
        })
    }
}

impl Transport for HttpTransport {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let this = self.clone();
        Box::pin(async move { this.post(&input).await })
    }
}

impl HttpTransport {
    /// The URL as it may be shown: without the user, the password and the query.
    pub fn shown_url(&self) -> String {
        without_secrets(self.url.as_str())
    }

    async fn post(self, input: &RunAgentInput) -> Result<Frames, TransportError> {
        let body = serde_json::to_vec(input).map_err(|error| TransportError::Other(error.to_string()))?;
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(TransportError::Other(
                "the HTTP transport needs a tokio runtime: poll the client inside a runtime that has I/O and time enabled".to_owned(),
            ));
        }
        // A deadline that cannot be represented means no deadline.
        let over = Instant::now().checked_add(self.run_timeout);
        let request = self
            .http
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .headers(self.headers.clone())
            .body(body);
        let idle = self.idle_timeout;
        let patience = self.connect_timeout.saturating_add(idle);
        let sent = timeout(patience.min(self.run_timeout), request.send()).await;
        let too_late = |_elapsed| {
            if patience < self.run_timeout {
                TransportError::Idle(idle)
            } else {
                TransportError::RunTooLong(self.run_timeout)
            }
        };
        let mut response = sent.map_err(too_late)?.map_err(|error| {
            if error.is_connect() {
                TransportError::Connect(format!(
                    "{}: {}",
                    without_secrets(self.url.as_str()),
                    describe(error)
                ))
            } else {
                TransportError::Broken(describe(error))
            }
        })?;
        let status = response.status();
        if !status.is_success() {
            let excerpt = excerpt(&mut response).await;
            return Err(TransportError::Status { status: status.as_u16(), excerpt });
        }
        if let Some(content_type) = other_content_type(&response) {
            let excerpt = excerpt(&mut response).await;
            return Err(TransportError::NotAStream { content_type, excerpt });
        }
        let decoder = FrameDecoder::new(self.frame_bytes.get());
        let times = Timeouts { idle, over, run_timeout: self.run_timeout };
        let reading =
            Some(Reading { response, decoder, bytes: Bytes::new(), has_ended: false, times, run_over: None });
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

impl fmt::Debug for HttpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransport")
            .field("host", &self.url.host_str())
            .field("idle_timeout", &self.idle_timeout)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for HttpTransportBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpTransportBuilder").field("headers", &self.headers.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_used_is_named_without_what_it_says() {
        let built = [
            HttpTransport::builder("ftp://user:secret@host/?secret").build(),
            HttpTransport::builder("http://user:secret@host:port/").build(),
            HttpTransport::builder("http://host/").header("x-key", "secret\r\nx-other: 1").build(),
            HttpTransport::builder("http://host/").bearer("secret\n").build(),
            HttpTransport::builder("http://host/").header("x key: secret", "1").build().map_err(|error| {
                assert!(error.to_string().contains("x key"), "{error}");
                TransportError::Other(String::new())
            }),
            HttpTransport::builder("https://host/").root_certificates("secret").build(),
        ];
        for built in built {
            let error = built.unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let agent = HttpTransport::builder("http://user:secret@host/secret").bearer("secret").build();
        assert!(!format!("{agent:?}").contains("secret"), "{agent:?}");
    }
}
