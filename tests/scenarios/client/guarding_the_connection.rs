//! A connection SHALL trust only certificates that the system or the product trusts, SHALL send the conversation only
//! to the agent, SHALL have a limit on every wait, and SHALL reveal no secret.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use drawloom::client::{Client, HttpTransport, TurnEnd};
use rcgen::{CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::support::{STREAM, Server, ending, finished, frames, notes, request, text, turn};

/// A test authority, and a TLS server with a certificate from it for this name.
struct Guarded {
    pem: String,
    der: Vec<u8>,
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Guarded {
    async fn named(name: &str) -> Self {
        let mut authority = CertificateParams::new([]).unwrap();
        authority.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, &authority).unwrap();
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("https://127.0.0.1:{}/agent", listener.local_addr().unwrap().port());
        let requests = Arc::new(AtomicUsize::new(0));
        let counts = requests.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                // Whoever does not trust it goes away in the middle of the handshake, and has sent nothing.
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                request(&mut stream).await;
                counts.fetch_add(1, Ordering::SeqCst);
                stream.write_all(STREAM).await.unwrap();
                stream.write_all(&frames(&[text("m", "Hello."), finished()])).await.unwrap();
                stream.shutdown().await.unwrap();
            }
        });
        Self { pem: authority.pem(), der: authority.der().to_vec(), url, requests }
    }
}

/// - **GIVEN** a server behind TLS whose certificate was issued by its own authority.
/// - **WHEN** the person sends it a message without further trust, then with the certificate of the authority
///   trusted as PEM, and then as DER.
/// - **THEN** the first turn ends with a failed connection, with the code `connect`, saying that the issuer
///   is unknown, and the server was sent nothing.
/// - **AND** the other two are completed.
#[tokio::test]
async fn a_certificate_of_an_unknown_issuer() {
    let server = Guarded::named("127.0.0.1").await;
    let agent = HttpTransport::builder(&server.url);
    let Ok(agent) = agent.build() else {
        // A machine without any certificates says so at once.
        return;
    };
    let mut client = Client::builder(agent, notes().bench.copilot).build();
    let updates = turn(&mut client).await;
    let TurnEnd::ConnectionFailed { code: "connect", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("UnknownIssuer"), "{message}");
    assert_eq!(server.requests.load(Ordering::SeqCst), 0);

    for root in [server.pem.clone().into_bytes(), server.der.clone()] {
        let agent = HttpTransport::builder(&server.url).root_certificates(root).build().unwrap();
        let mut client = Client::builder(agent, notes().bench.copilot).build();
        assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
        assert_eq!(client.conversation().message("m").unwrap().text(), Some("Hello."));
    }
}

/// - **GIVEN** a server behind TLS whose certificate is for another name, and whose authority is trusted.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `connect`, and the server was sent
///   nothing.
#[tokio::test]
async fn a_certificate_for_another_name() {
    let server = Guarded::named("agent.example").await;
    let agent = HttpTransport::builder(&server.url).root_certificates(server.pem).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();
    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "connect", .. }), "{updates:?}");
    assert_eq!(server.requests.load(Ordering::SeqCst), 0);
}

/// - **GIVEN** a server that answers with status 307 and the URL of another server.
/// - **WHEN** the person sends it a message, with a bearer token set.
/// - **THEN** the turn ends with a failed connection, naming the status, and the other server was sent
///   nothing.
#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::answering(vec![vec![STREAM.to_vec(), frames(&[finished()])]]).await;
    let head = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        other.url
    );
    let server = Server::answering(vec![vec![head.into_bytes()]]).await;
    let agent = HttpTransport::builder(&server.url).bearer("secret").build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let TurnEnd::ConnectionFailed { code: "status", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("307"), "{message}");
    assert_eq!(other.requests(), [] as [String; 0]);
}

/// - **GIVEN** a server that answers with a stream of events whose encoding is `gzip`.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `not-a-stream`, naming the encoding.
#[tokio::test]
async fn a_compressed_response_is_not_read() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let server = Server::answering(vec![vec![head.into(), b"\x1f\x8b\x08\0\0\0\0\0".to_vec()]]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let TurnEnd::ConnectionFailed { code: "not-a-stream", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("gzip"), "{message}");
    let request = server.requests().pop().unwrap().to_lowercase();
    assert!(!request.contains("accept-encoding"), "{request}");
}

/// - **GIVEN** a server that sends comments endlessly, and a limit of 200 ms for a run.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `run-too-long`, and the client closes the
///   connection.
#[tokio::test]
async fn a_stream_that_never_ends() {
    let mut server = Server::dripping(vec![STREAM.to_vec(), frames(&[text("m", "a")])], b":\n\n").await;
    let limit = Duration::from_millis(200);
    let agent = HttpTransport::builder(&server.url).run_timeout(limit).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    assert!(
        matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "run-too-long", .. }),
        "{updates:?}"
    );
    server.client_gone().await;
}

/// - **GIVEN** a server that ends the run and then sends comments endlessly.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn is completed, and the client closes the connection.
#[tokio::test]
async fn bytes_after_the_end_of_the_run() {
    let mut server = Server::dripping(vec![STREAM.to_vec(), frames(&[finished()])], b":\n\n").await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    server.client_gone().await;
}

/// - **GIVEN** a server that answers with status 500 and an endless text that contains terminal control
///   characters.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, naming the beginning of the text without these
///   characters, and the client closes the connection.
#[tokio::test]
async fn an_error_response_that_never_ends() {
    let head = "HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n";
    let mut server = Server::dripping(vec![head.into()], &b"\x1b[31mout of order\x07 ".repeat(100)).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let TurnEnd::ConnectionFailed { code: "status", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("[31mout of order") && message.len() < 1000, "{message}");
    assert!(!message.contains(char::is_control), "{message:?}");
    server.client_gone().await;
}

/// - **GIVEN** a URL with a user name, a password and a query, where no server listens.
/// - **WHEN** the person sends it a message, with a bearer token set.
/// - **THEN** neither the end of the turn nor the debug output of the client contains any of them.
#[tokio::test]
async fn an_error_contains_no_secret() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("http://hidden-user:hidden-word@{address}/agent?key=hidden-key");
    let agent = HttpTransport::builder(url).bearer("hidden-token").build().unwrap();
    assert!(!format!("{agent:?}").contains("hidden"), "{agent:?}");
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "connect", .. }), "{updates:?}");
    assert!(!format!("{updates:?} {} {client:?}", ending(&updates)).contains("hidden"), "{updates:?}");
}

/// - **GIVEN** an environment that names a proxy, an agent on this machine and one elsewhere.
/// - **WHEN** the person sends a message to each.
/// - **THEN** the first was reached directly, and the second through the proxy.
#[tokio::test]
async fn a_proxy_of_the_environment() {
    // The environment is a process's own, so the client runs in another one: this test again, told where the agent is.
    const AGENT_HERE: &str = "DRAWLOOM_SCENARIO_AGENT_HERE";
    if let Ok(here) = std::env::var(AGENT_HERE) {
        for url in [here, "http://agent.invalid/agent".to_owned()] {
            let agent = HttpTransport::builder(url).build().unwrap();
            let mut client = Client::builder(agent, notes().bench.copilot).build();
            assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
        }
        return;
    }
    let here = Server::answering(vec![vec![STREAM.to_vec(), frames(&[finished()])]]).await;
    let proxy = Server::answering(vec![vec![STREAM.to_vec(), frames(&[finished()])]]).await;
    let proxy_url = proxy.url.trim_end_matches("/agent").to_owned();
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "client::guarding_the_connection::a_proxy_of_the_environment"]);
    for name in ["NO_PROXY", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        again.env_remove(name);
    }
    again.env(AGENT_HERE, &here.url).env("http_proxy", proxy_url);
    let done = tokio::task::spawn_blocking(move || again.output()).await.unwrap().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert!(here.requests()[0].starts_with("POST /agent HTTP/1.1\r\n"));
    assert!(proxy.requests()[0].starts_with("POST http://agent.invalid/agent HTTP/1.1\r\n"));
    assert_eq!((here.requests().len(), proxy.requests().len()), (1, 1));
}

/// - **GIVEN** an executor other than tokio.
/// - **WHEN** a client with an agent at an HTTP URL is polled on it.
/// - **THEN** the turn ends with a failed connection, and says that tokio is needed.
#[test]
fn an_executor_other_than_tokio() {
    let agent = HttpTransport::builder("http://127.0.0.1:9/agent").build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();
    let updates = futures::executor::block_on(turn(&mut client));
    let TurnEnd::ConnectionFailed { code: "other", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("tokio"), "{message}");
}
