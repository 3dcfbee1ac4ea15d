//! An HTTP server on the loopback interface that acts as an agent: it answers requests with prepared bytes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A server that answers one request after another with prepared bytes, piece by piece, and keeps the requests.
#[derive(Debug)]
pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
    gone: Option<oneshot::Receiver<()>>,
}

impl Server {
    /// Answers each request with the next of these answers, and then closes the connection.
    pub async fn answering(answers: Vec<Vec<Vec<u8>>>) -> Self {
        Self::start(answers, false).await
    }

    /// Answers one request, and leaves the connection open.
    pub async fn holding(answer: Vec<Vec<u8>>) -> Self {
        Self::start(vec![answer], true).await
    }

    /// Answers one request, and then sends `drip` again and again until the client closes the connection.
    pub async fn dripping(answer: Vec<Vec<u8>>, drip: &[u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let (tells_gone, gone) = oneshot::channel();
        let drip = drip.to_vec();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            request(&mut stream).await;
            for piece in answer {
                stream.write_all(&piece).await.unwrap();
            }
            while stream.write_all(&drip).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let _ = tells_gone.send(());
        });
        Self { url, requests: Arc::default(), gone: Some(gone) }
    }

    /// Answers the first request with two pieces at once and the third after a signal, and the second request with `second`.
    pub async fn waiting(
        [head, says, and_then]: [Vec<u8>; 3],
        goes_on: oneshot::Receiver<()>,
        second: [Vec<u8>; 2],
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let keeps = requests.clone();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let sent = request(&mut stream).await;
            keeps.lock().unwrap().push(sent);
            stream.write_all(&[head, says].concat()).await.unwrap();
            // Without a signal, the test has ended.
            if goes_on.await.is_err() {
                return;
            }
            stream.write_all(&and_then).await.unwrap();
            drop(stream);
            let (mut stream, _) = listener.accept().await.unwrap();
            let sent = request(&mut stream).await;
            keeps.lock().unwrap().push(sent);
            stream.write_all(&second.concat()).await.unwrap();
        });
        Self { url, requests, gone: None }
    }

    async fn start(answers: Vec<Vec<Vec<u8>>>, holds: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/agent", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let keeps = requests.clone();
        let (tells_gone, gone) = oneshot::channel();
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = request(&mut stream).await;
                keeps.lock().unwrap().push(request);
                for piece in answer {
                    if stream.write_all(&piece).await.is_err() {
                        break;
                    }
                    stream.flush().await.unwrap();
                    tokio::task::yield_now().await;
                }
                if holds {
                    // Nothing more is sent. Reading ends when the client closes the connection.
                    let _ = stream.read(&mut [0]).await;
                }
            }
            let _ = tells_gone.send(());
        });
        Self { url, requests, gone: Some(gone) }
    }

    /// The requests so far, each with head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until the client has closed the connection.
    pub async fn client_gone(&mut self) {
        self.gone.take().unwrap().await.unwrap();
    }
}

/// Reads a request, head and body.
pub async fn request(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        if stream.read_buf(&mut read).await.unwrap() == 0 {
            return text;
        }
    }
}

/// The head of a response that is a stream of events.
pub const STREAM: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n";

/// A response with this status.
pub fn status(status: &str, body: &str) -> Vec<Vec<u8>> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: text/plain\r\nconnection: close\r\n");
    vec![format!("{head}content-length: {length}\r\n\r\n{body}").into_bytes()]
}

/// Events as server-sent events.
pub fn frames(events: &[String]) -> Vec<u8> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}
