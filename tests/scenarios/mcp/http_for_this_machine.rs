//! The server SHALL listen on this machine alone. It SHALL answer only requests that carry a known token, that
//! name an allowed host, and that no web page made unless its origin is allowed. The token SHALL decide whose
//! commands a client reaches.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use drawloom::command::{AccessRequirement, AgentConsent, Argument};
use drawloom::workbench::{Call, HandlerError, Session};
use drawloom_mcp::HttpServer;
use http::{Method, Request, Response};
use http_body_util::{Full, StreamBody};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::support::http::{
    HttpClient, admitted, http_server, introduces, post, status_and_body, with_headers,
};
use super::support::{answered, assert_unknown, not_run, returned, state, until};
use crate::support::{assert_names, bench, callable, usual};

type Body = Full<bytes::Bytes>;

/// - **WHEN** requests come without a token, with an unknown one, with two, with another scheme, and with a token
///   that was dismissed.
/// - **THEN** each is answered with 401 and the same bytes, and nothing of its body is read.
#[tokio::test(start_paused = true)]
async fn a_request_without_a_known_token() {
    let bench = bench();
    let (server, token) = http_server(bench.mcp());
    let dismissed = admitted(&server, bench.mcp());
    server.dismiss(&dismissed);
    let plain = |authorization: &[String]| {
        let mut request = with_headers(Request::post("/mcp"), "");
        request.headers_mut().unwrap().remove("authorization");
        for value in authorization {
            request = request.header("authorization", value);
        }
        // Whoever reads this body waits for ever.
        let body =
            StreamBody::new(futures::stream::pending::<Result<http_body::Frame<bytes::Bytes>, Infallible>>());
        request.body(body).unwrap()
    };
    let known = format!("Bearer {}", token.as_str());
    let mut answers = Vec::new();
    for authorization in [
        vec![],
        vec![format!("Bearer {}", "0".repeat(64))],
        vec!["Bearer ".to_owned()],
        vec![known.clone(), known],
        vec![format!("Basic {}", token.as_str())],
        vec![format!("Bearer {}x", token.as_str())],
        vec![format!("Bearer {}", dismissed.as_str())],
    ] {
        let response = server.handle(plain(&authorization)).await;
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        answers.push(status_and_body(response).await);
    }
    assert_eq!(answers[0].0, 401);
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(server.handle(post(token.as_str(), &introduces())).await.status(), 200);
}

/// No page may read what the server answered.
fn assert_not_for_pages(response: &Response<impl Sized>) {
    assert!(
        response.headers().keys().all(|name| !name.as_str().starts_with("access-control-")),
        "{:?}",
        response.headers()
    );
}

/// - **GIVEN** a request with a valid token.
/// - **WHEN** it carries the origin of a page: of another site, of this machine, or `null`.
/// - **THEN** it is answered with 403, unless the application allowed exactly this origin, and no answer allows a
///   page to read it.
#[tokio::test(start_paused = true)]
async fn a_web_page() {
    let bench = bench();
    let allowing = HttpServer::builder().origin("http://localhost:6274").build().unwrap();
    let closed = HttpServer::builder().build().unwrap();
    for (server, origin, status) in [
        (&closed, "https://attacker.example", 403),
        (&closed, "http://localhost:4000", 403),
        (&closed, "http://127.0.0.1:4000", 403),
        (&closed, "null", 403),
        (&closed, "", 403),
        (&allowing, "http://localhost:6274", 200),
        (&allowing, "http://localhost:6275", 403),
        (&allowing, "https://localhost:6274", 403),
        (&allowing, "http://localhost:6274.attacker.example", 403),
    ] {
        let token = admitted(server, bench.mcp());
        let mut request = post(token.as_str(), &introduces());
        request.headers_mut().insert("origin", origin.parse().unwrap());
        let response = server.handle(request).await;
        assert_not_for_pages(&response);
        assert_eq!(response.status(), status, "{origin}");
        // What a browser asks before it sends a page's own request.
        let ask = with_headers(Request::options("/mcp"), token.as_str())
            .header("origin", origin)
            .header("access-control-request-method", "POST");
        let response = server.handle(ask.body(Body::default()).unwrap()).await;
        assert_not_for_pages(&response);
        assert!(!response.status().is_success(), "{origin}");
    }
}

/// - **GIVEN** a request with a valid token.
/// - **WHEN** it names `attacker.example` as its host, or no host.
/// - **THEN** it is refused, and one that names this machine is answered.
#[tokio::test(start_paused = true)]
async fn a_host_name_that_was_bound_to_this_machine() {
    let bench = bench();
    let (server, token) = http_server(bench.mcp());
    for (host, is_answered) in [
        (Some("attacker.example"), false),
        (Some("attacker.example:4000"), false),
        (Some("127.0.0.1.attacker.example"), false),
        (Some("localhost.attacker.example"), false),
        (None, false),
        (Some("localhost:4000"), true),
        (Some("127.0.0.1:4000"), true),
        (Some("[::1]:4000"), true),
    ] {
        let mut request = post(token.as_str(), &introduces());
        request.headers_mut().remove("host");
        if let Some(host) = host {
            request.headers_mut().insert("host", host.parse().unwrap());
        }
        let status = server.handle(request).await.status();
        assert_eq!(status.is_success(), is_answered, "{host:?} {status}");
        assert!(is_answered || status.is_client_error(), "{host:?} {status}");
    }
}

/// - **GIVEN** two persons who share a registry, of whom one is signed in, and a command that requires a session.
/// - **WHEN** a client of each lists the tools and calls the command.
/// - **THEN** only the client of the person who is signed in is offered it, and the other is answered like for an
///   unknown tool.
#[tokio::test(start_paused = true)]
async fn each_person_has_their_own_commands() {
    let bench = bench();
    let runs = bench.has(callable("notes.open").access(AccessRequirement::Authenticated));
    let beside = bench.beside(usual());
    bench.workbench.set_session(Session::authenticated(["editor"]));
    let server = HttpServer::builder().build().unwrap();
    let ada = admitted(&server, bench.mcp_with(|server| server.person("ada")));
    let bob = admitted(&server, beside.mcp_with(|server| server.person("bob")));
    let mut ada = HttpClient::connect(&server, &ada).await;
    let mut bob = HttpClient::connect(&server, &bob).await;
    let listed = async |client: &mut HttpClient| {
        let listed = client.request_in_session("tools/list", json!({})).await;
        listed["result"]["tools"].as_array().unwrap().len()
    };
    assert_eq!((listed(&mut ada).await, listed(&mut bob).await), (1, 0));
    answered(&ada.call("notes__open", json!({})).await);
    assert_unknown(&bob.call("notes__open", json!({})).await);
    assert_eq!(runs.count(), 1);
}

/// - **GIVEN** a client of `ada` with a session.
/// - **WHEN** a client of `bob` sends a call, a cancellation, a request for the stream and the end of the session,
///   with the id of that session and his own token.
/// - **THEN** each is answered as for a session that does not exist, and the session of `ada` goes on.
#[tokio::test(start_paused = true)]
async fn the_session_of_another_person() {
    let bench = bench();
    let (runs, is_dropped) = bench.has_waiting(callable("notes.wait"));
    bench.has(callable("notes.ping"));
    let server = HttpServer::builder().build().unwrap();
    let (ada, bob) = (admitted(&server, bench.mcp()), admitted(&server, bench.mcp()));
    let mut ada = HttpClient::connect(&server, &ada).await;
    let _waiting = ada.start("tools/call", json!({ "name": "notes__wait" })).await;
    until(|| runs.count() == 1).await;

    let bob = |session: &str| {
        let mut client = HttpClient::new(&server, &bob);
        client.session = Some(session.to_owned());
        client
    };
    for (hers, made_up) in [(bob(ada.session.as_deref().unwrap()), bob("made-up"))] {
        let call =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "notes__ping" } });
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        let answers = async |client: &HttpClient| {
            [
                client.send(&call).await.body().await,
                client.send(&cancel).await.body().await,
                client.send_empty(Method::GET).await.body().await,
                client.send_empty(Method::DELETE).await.body().await,
            ]
        };
        let (of_hers, of_made_up) = (answers(&hers).await, answers(&made_up).await);
        assert_eq!(of_hers, of_made_up);
        assert_eq!(of_hers.each_ref().map(|(status, _)| *status)[..3], [404, 404, 404]);
    }
    assert!(!is_dropped.load(Ordering::SeqCst));
    assert_eq!(answered(&ada.call("notes__ping", json!({})).await), "The command ran.");
}

/// - **GIVEN** a returning client of `ada` that was asked about a call.
/// - **WHEN** a client of `bob` returns with her state and his own token, accepted.
/// - **THEN** nothing runs.
#[tokio::test(start_paused = true)]
async fn the_state_of_another_person() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let server = HttpServer::builder().build().unwrap();
    let of = |person: &str| admitted(&server, bench.mcp_with(|server| server.person(person)));
    let (mut ada, mut bob) = (HttpClient::new(&server, &of("ada")), HttpClient::new(&server, &of("bob")));
    let call = json!({ "name": "notes__delete", "arguments": { "path": "inbox" } });
    let state = state(&ada.request_returning("tools/call", call).await);
    let back = || returned("notes__delete", json!({ "path": "inbox" }), &state, Some("accept"));
    assert_names(not_run(&bob.request_returning("tools/call", back()).await), &["no open question"]);
    assert_eq!(deleted.all(), [""; 0]);
    answered(&ada.request_returning("tools/call", back()).await);
    assert_eq!(deleted.only(), "inbox");
}

/// - **GIVEN** a client with a session, and a command that states `ask`.
/// - **WHEN** it calls the command, and accepts the question that comes in the response.
/// - **THEN** the command runs, and the same response carries the result.
#[tokio::test(start_paused = true)]
async fn asking_over_http() {
    let bench = bench();
    let deleted = bench.has_path_command("notes.delete", AgentConsent::Ask);
    let (server, token) = http_server(bench.mcp());
    let mut client = HttpClient::connect(&server, &token).await;
    let call = json!({ "name": "notes__delete", "arguments": { "path": "inbox" } });
    let mut messages = client.start("tools/call", call).await;
    let question = messages.message().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let answer =
        json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": {} } });
    assert_eq!(client.send(&answer).await.status, 202);
    assert_eq!(answered(&messages.response().await), "inbox");
    assert_eq!(deleted.only(), "inbox");
}

/// - **GIVEN** a command with a number `count` that answers what it is given.
/// - **WHEN** a client sends 2512292042121000001, and two members `count`.
/// - **THEN** the first is answered as it was sent, and the second is not run.
#[tokio::test(start_paused = true)]
async fn exact_arguments_over_http() {
    let bench = bench();
    let command = callable("notes.count").argument(Argument::number("count").required()).answers("The count");
    let counts = |call: Call| async move { Ok::<_, HandlerError>(call.number("count")?.to_string()) };
    bench.notes.register(command, counts).unwrap().keep();
    let (server, token) = http_server(bench.mcp());
    let mut client = HttpClient::connect(&server, &token).await;
    let exact = client.call_text("notes__count", r#"{"count":2512292042121000001}"#).await.response().await;
    assert_eq!(answered(&exact), "2512292042121000001");
    not_run(&client.call_text("notes__count", r#"{"count":1,"count":2}"#).await.response().await);
    let twice = client.call_text("notes__count", r#"{"count":1},"arguments":{"count":2}"#).await;
    assert_eq!(twice.body().await.0, 400);
}

/// - **WHEN** a client sends a body that is too large, one that never ends, and one that is not UTF-8.
/// - **THEN** each is refused, the first as too large and the second after the time for a body.
#[tokio::test(start_paused = true)]
async fn bounds_of_a_request() {
    let bench = bench();
    let (server, token) = http_server(bench.mcp());
    let large =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "x": "x".repeat(5 << 20) } });
    assert_eq!(server.handle(post(token.as_str(), &large)).await.status(), 413);
    let endless =
        StreamBody::new(futures::stream::pending::<Result<http_body::Frame<bytes::Bytes>, Infallible>>());
    let request = with_headers(Request::post("/mcp"), token.as_str()).body(endless).unwrap();
    let started = tokio::time::Instant::now();
    assert_eq!(server.handle(request).await.status(), 408);
    assert!(started.elapsed() >= Duration::from_secs(30));
    let unreadable = Full::new(bytes::Bytes::from_static(b"{\"\xff\":1}"));
    let request = with_headers(Request::post("/mcp"), token.as_str()).body(unreadable).unwrap();
    assert_eq!(server.handle(request).await.status(), 400);
}

/// - **GIVEN** a server with at most two sessions for a person.
/// - **WHEN** a client opens three, and uses the first before it opens the third.
/// - **THEN** the second is closed, and the first and the third go on.
#[tokio::test(start_paused = true)]
async fn bounds_of_sessions() {
    let bench = bench();
    let mut limits = drawloom_mcp::HttpLimits::default();
    limits.sessions = 2;
    let server = HttpServer::builder().limits(limits).build().unwrap();
    let token = admitted(&server, bench.mcp());
    let mut first = HttpClient::connect(&server, &token).await;
    tokio::time::advance(Duration::from_secs(1)).await;
    let mut second = HttpClient::connect(&server, &token).await;
    tokio::time::advance(Duration::from_secs(1)).await;
    first.request_in_session("tools/list", json!({})).await;
    tokio::time::advance(Duration::from_secs(1)).await;
    let mut third = HttpClient::connect(&server, &token).await;
    assert_eq!(second.start("tools/list", json!({})).await.status, 404);
    first.request_in_session("tools/list", json!({})).await;
    third.request_in_session("tools/list", json!({})).await;
}

/// - **GIVEN** a client that waits for the end of a call.
/// - **WHEN** the application dismisses its token.
/// - **THEN** the stream ends, the handler is dropped, and the token is answered with 401.
#[tokio::test(start_paused = true)]
async fn a_token_that_is_dismissed() {
    let bench = bench();
    let (runs, is_dropped) = bench.has_waiting(callable("notes.wait"));
    let (server, token) = http_server(bench.mcp());
    let mut client = HttpClient::connect(&server, &token).await;
    let mut messages = client.start("tools/call", json!({ "name": "notes__wait" })).await;
    until(|| runs.count() == 1).await;
    server.dismiss(&token);
    while messages.next().await.is_some() {}
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(is_dropped.load(Ordering::SeqCst));
    assert_eq!(client.start("tools/list", json!({})).await.status, 401);
}

/// One request on a connection that stays open.
async fn exchange(
    stream: &mut BufReader<TcpStream>,
    token: &str,
    session: Option<&str>,
    message: &Value,
) -> (String, Value) {
    let body = message.to_string();
    let session = session.map_or_else(String::new, |session| format!("mcp-session-id: {session}\r\n"));
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\n\
         accept: application/json, text/event-stream\r\n{session}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(stream.read_line(&mut head).await.unwrap(), 0, "{head}");
    }
    let mut text = String::new();
    if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        loop {
            let mut size = String::new();
            stream.read_line(&mut size).await.unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            let mut chunk = vec![0; size + 2];
            stream.read_exact(&mut chunk).await.unwrap();
            if size == 0 {
                break;
            }
            text.push_str(std::str::from_utf8(&chunk[..size]).unwrap());
        }
    }
    let data = text
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(str::trim)
        .find(|data| !data.is_empty());
    (head, data.map_or(Value::Null, |data| serde_json::from_str(data).unwrap()))
}

/// - **GIVEN** a listening server.
/// - **WHEN** a client introduces itself, lists the tools and calls one, over one TCP connection.
/// - **THEN** it is answered, and the address of the server is that of this machine.
#[tokio::test]
async fn a_connection_on_this_machine() {
    let bench = bench();
    bench.has(callable("notes.ping"));
    let (server, token) = http_server(bench.mcp());
    let listener = server.listen_on_loopback(0).await.unwrap();
    let address = listener.address();
    assert!(address.ip().is_loopback());
    assert_eq!(listener.url(), format!("http://{address}/mcp"));
    let listening = tokio::spawn(listener.serve());
    let mut stream = BufReader::new(TcpStream::connect(address).await.unwrap());
    let (head, introduced) = exchange(&mut stream, token.as_str(), None, &introduces()).await;
    assert_eq!(introduced["result"]["serverInfo"]["name"], "drawloom", "{introduced}");
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().to_owned();
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (head, _) = exchange(&mut stream, token.as_str(), Some(&session), &initialized).await;
    assert!(head.starts_with("HTTP/1.1 202"), "{head}");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let (_, listed) = exchange(&mut stream, token.as_str(), Some(&session), &list).await;
    assert_eq!(listed["result"]["tools"][0]["name"], "notes__ping", "{listed}");
    let call =
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "notes__ping" } });
    let (_, called) = exchange(&mut stream, token.as_str(), Some(&session), &call).await;
    assert_eq!(answered(&called), "The command ran.");
    listening.abort();
}
