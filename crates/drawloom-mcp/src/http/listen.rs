//! Listening on this machine: the connections, and what bounds them.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::server::HttpServer;

/// How many connections there may be. Further ones wait.
const CONNECTIONS: usize = 128;
/// How long a client may take to send the head of a request, and how long a connection may wait for one.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// How many bytes the head of a request may have.
const HEAD_BYTES: usize = 64 << 10;
/// The path of the server in its URL. Every path leads to it.
const PATH: &str = "mcp";

/// A socket on which an [`HttpServer`] is about to listen. Only programs of this machine reach it.
#[derive(Debug)]
#[must_use = "nothing is answered until `serve` is called"]
pub struct LoopbackListener {
    server: HttpServer,
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpServer {
    /// Takes a port of this machine's own address, 127.0.0.1. With 0, the system chooses one. It must be called within a
    /// tokio runtime with its IO enabled.
    ///
    /// # Errors
    /// If the port is taken.
    pub async fn listen_on_loopback(&self, port: u16) -> io::Result<LoopbackListener> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(LoopbackListener { server: self.clone(), listener, address })
    }
}

impl LoopbackListener {
    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL for clients.
    pub fn url(&self) -> String {
        format!("http://{}/{PATH}", self.address)
    }

    /// Answers requests until the future is dropped, which closes all connections.
    pub async fn serve(self) -> Infallible {
        let free = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            // The semaphore is never closed.
            let permit = free.clone().acquire_owned().await.ok();
            while connections.try_join_next().is_some() {}
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    let connection = answer(self.server.clone(), stream);
                    connections.spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                }
                Err(error) => {
                    // The client was gone already, or there are no more file handles. Others may be freed meanwhile.
                    tracing::warn!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

fn answer(server: HttpServer, stream: TcpStream) -> impl Future<Output = ()> + Send {
    let service = service_fn(move |request| {
        let server = server.clone();
        async move { Ok::<_, Infallible>(server.handle(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke off");
        }
    }
}
