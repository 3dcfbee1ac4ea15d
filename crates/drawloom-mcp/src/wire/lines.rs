//! A connection on which each line is one message: standard input and output, or any pair of streams.
//!
//! It is bounded where the client decides: the bytes of a line, and the number of requests that are answered at the same
//! time. While that many are under way, nothing more is read.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, GetExtensions, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use super::arguments::{Separated, separate};

/// How many bytes a line may have.
pub(crate) const LINE_BYTES: usize = 4 << 20;
/// How many requests of one connection are answered at the same time. It must be greater than the number of requests that
/// may wait for a message of the client, because that message would not be read.
pub(crate) const REQUESTS: usize = 64;

/// The connection of a server.
#[derive(Debug)]
pub(crate) struct LineTransport<R, W> {
    read: BufReader<R>,
    /// What has been read of the current line. It stays when a read is cancelled.
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    is_skipping: bool,
    write: Arc<Mutex<Option<W>>>,
    requests: Arc<Semaphore>,
    /// The permit for the next request.
    permit: Option<OwnedSemaphorePermit>,
}

/// Held while a request is under way.
#[derive(Clone, Debug)]
struct UnderWay(#[expect(dead_code, reason = "released on drop")] Arc<OwnedSemaphorePermit>);

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    pub(crate) fn new(read: R, write: W) -> Self {
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            is_skipping: false,
            write: Arc::new(Mutex::new(Some(write))),
            requests: Arc::new(Semaphore::new(REQUESTS)),
            permit: None,
        }
    }

    /// Reads one line into `self.line`. `None` at the end of the stream. Cancelling it loses nothing.
    async fn read_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let (taken, is_end) = match available.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (available.len(), false),
            };
            let was_skipping = self.is_skipping;
            if !was_skipping {
                if self.line.len() + taken > LINE_BYTES {
                    self.line = Vec::new();
                    self.is_skipping = true;
                } else {
                    self.line.extend_from_slice(available.get(..taken).unwrap_or_default());
                }
            }
            self.read.consume(taken);
            if is_end {
                let line = if self.is_skipping { Line::TooLong } else { Line::Whole };
                self.is_skipping = false;
                return Ok(Some(line));
            }
        }
    }
}

enum Line {
    Whole,
    TooLong,
}

/// A message that is answered with an error, because it is not one of the protocol.
struct Invalid {
    id: Option<RequestId>,
    why: String,
}

/// Reads a message. `None` if it needs no answer.
fn read_message(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Invalid> {
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(Invalid { id: None, why: "the message is not UTF-8".to_owned() });
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    let invalid = |why: String| Invalid { id: id_of(text), why };
    let Separated { message, arguments } = separate(text).map_err(|error| invalid(error.to_string()))?;
    match serde_json::from_str::<ClientJsonRpcMessage>(&message) {
        Ok(mut read) => {
            if let (Some(arguments), ClientJsonRpcMessage::Request(request)) = (arguments, &mut read) {
                request.request.extensions_mut().insert(arguments);
            }
            Ok(Some(read))
        }
        // A notification of a later revision, or of an extension, concerns nobody here.
        Err(_) if id_of(text).is_none() && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() => {
            Ok(None)
        }
        Err(_) => Err(invalid("the message is not a request or a notification of the protocol".to_owned())),
    }
}

/// The answer to a message that is not one of the protocol.
#[cfg(feature = "http")]
pub(crate) fn invalid_request(text: &str, why: String) -> ServerJsonRpcMessage {
    ServerJsonRpcMessage::error(ErrorData::invalid_request(why, None), id_of(text))
}

/// Whether a message opens a session.
#[cfg(feature = "http")]
pub(crate) fn is_initialize(text: &str) -> bool {
    #[derive(Deserialize)]
    struct WithMethod {
        method: String,
    }
    serde_json::from_str::<WithMethod>(text).is_ok_and(|message| message.method == "initialize")
}

fn id_of(text: &str) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct WithId {
        id: RequestId,
    }
    serde_json::from_str::<WithId>(text).ok().map(|message| message.id)
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        send(self.write.clone(), message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.permit.is_none() {
                // The semaphore is never closed.
                self.permit = self.requests.clone().acquire_owned().await.ok();
            }
            let read = match self.read_line().await {
                Ok(Some(Line::Whole)) => {
                    let read = read_message(&self.line);
                    self.line.clear();
                    read
                }
                Ok(Some(Line::TooLong)) => {
                    Err(Invalid { id: None, why: format!("a message may have at most {LINE_BYTES} bytes") })
                }
                Ok(None) => return None,
                Err(error) => {
                    tracing::warn!(%error, "the connection cannot be read");
                    return None;
                }
            };
            match read {
                Ok(Some(mut message)) => {
                    if let ClientJsonRpcMessage::Request(request) = &mut message
                        && let Some(permit) = self.permit.take()
                    {
                        request.request.extensions_mut().insert(UnderWay(Arc::new(permit)));
                    }
                    return Some(message);
                }
                Ok(None) => {}
                Err(Invalid { id, why }) => {
                    let answer = ServerJsonRpcMessage::error(ErrorData::invalid_request(why, None), id);
                    let (write, permit) = (self.write.clone(), self.permit.take());
                    // A task of its own, because what is half written must not be cancelled with this read.
                    tokio::spawn(async move {
                        let _permit = permit;
                        let _ = send(write, answer).await;
                    });
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        match self.write.lock().await.take() {
            Some(mut write) => write.shutdown().await,
            None => Ok(()),
        }
    }
}

async fn send<W: AsyncWrite + Unpin>(
    write: Arc<Mutex<Option<W>>>,
    message: ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut write = write.lock().await;
    let Some(write) = write.as_mut() else { return Err(io::ErrorKind::NotConnected.into()) };
    write.write_all(&line).await?;
    write.flush().await
}
