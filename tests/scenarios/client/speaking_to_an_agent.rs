//! A run SHALL be posted to the URL of an agent, and its events SHALL be read from the response as server-sent
//! events, with a limit on each frame and on the time without data. A frame that cannot be read SHALL be reported
//! with its number and skipped. Any other problem that ends a run SHALL be reported as what it was.

use std::time::Duration;

use drawloom::client::{Client, HttpTransport, RecordedAgent, TurnEnd, Update};

use super::support::{STREAM, Server, call, ending, finished, frames, notes, rest, run, status, text, turn};

/// - **GIVEN** a server that answers with a byte order mark, comments, fields other than `data`, lines that
///   end in CRLF, and texts that are split inside characters.
/// - **WHEN** the person sends it a message, with a header and a bearer token set.
/// - **THEN** it received one `POST` with both that accepts `text/event-stream`.
/// - **AND** every event has arrived, and the texts are complete.
#[tokio::test]
async fn a_run_is_posted_and_its_events_are_read() {
    let events = format!(
        "\u{feff}: hello\r\n\r\nevent: x\r\nid: 7\r\ndata: {}\r\n\r\n:\r\n\r\ndata: {}\r\n\r\n",
        text("m", "日本🙂"),
        finished()
    );
    let mut answer = vec![STREAM.to_vec()];
    answer.extend(events.as_bytes().chunks(3).map(<[u8]>::to_vec));
    let server = Server::answering(vec![answer]).await;
    let agent = HttpTransport::builder(&server.url).header("x-tenant", "7").bearer("secret").build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(client.conversation().message("m").unwrap().text(), Some("日本🙂"));
    let [request] = &server.requests()[..] else { panic!("not one request") };
    let request = request.to_lowercase();
    assert!(request.starts_with("post /agent http/1.1\r\n"), "{request}");
    for header in ["x-tenant: 7", "authorization: bearer secret", "accept: text/event-stream"] {
        assert!(request.contains(&format!("\r\n{header}\r\n")), "{header}");
    }
}

/// - **GIVEN** a stream whose second frame is not a JSON object.
/// - **WHEN** it is read.
/// - **THEN** the second frame is reported with its number, and the events after it have arrived.
#[tokio::test]
async fn a_frame_that_cannot_be_read_is_reported_and_skipped() {
    let events = [text("m", "a"), "{\"type\":".to_owned(), text("m", "b"), finished()];
    let server = Server::answering(vec![vec![STREAM.to_vec(), frames(&events)]]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let unreadable: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            Update::Problem { frame, code: "frame-lost", .. } => Some(*frame),
            _ => None,
        })
        .collect();
    assert_eq!(unreadable, [2]);
    assert_eq!(client.conversation().message("m").unwrap().text(), Some("ab"));
    assert_eq!(ending(&updates), &TurnEnd::Completed);
}

/// - **GIVEN** a limit of 1,000 bytes for a frame, and a stream with a frame of a million bytes.
/// - **WHEN** it is read.
/// - **THEN** the frame is reported with its number and the limit, and the events after it have arrived.
#[tokio::test]
async fn a_frame_over_the_limit_is_skipped() {
    let events = [text("m", &"x".repeat(1_000_000)), text("m", "b"), finished()];
    let server = Server::answering(vec![vec![STREAM.to_vec(), frames(&events)]]).await;
    let limit = 1000.try_into().unwrap();
    let agent = HttpTransport::builder(&server.url).frame_bytes(limit).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let is_reported = |update: &Update| {
        matches!(update, Update::Problem { frame: 1, code: "frame-lost", problem }
            if problem.contains("the frame is longer than 1000 bytes"))
    };
    assert!(updates.iter().any(is_reported), "{updates:?}");
    assert_eq!(client.conversation().message("m").unwrap().text(), Some("b"));
    assert_eq!(ending(&updates), &TurnEnd::Completed);
}

/// - **GIVEN** a server that starts a stream and then sends nothing, and an idle timeout of 50 ms.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `idle`.
#[tokio::test]
async fn silence_ends_a_run() {
    let server = Server::holding(vec![STREAM.to_vec(), frames(&[text("m", "a")])]).await;
    let agent = HttpTransport::builder(&server.url).idle_timeout(Duration::from_millis(50)).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "idle", .. }), "{updates:?}");
}

/// - **GIVEN** a URL where no server listens.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `connect`.
#[tokio::test]
async fn no_server_listens() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let agent = HttpTransport::builder(url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    assert!(matches!(ending(&updates), TurnEnd::ConnectionFailed { code: "connect", .. }), "{updates:?}");
}

/// - **GIVEN** a server that answers with status 503 and a text of 100,000 bytes, and one that answers with
///   401.
/// - **WHEN** the person sends a message to each.
/// - **THEN** each turn ends with a failed connection, naming the status and the beginning of the text.
/// - **AND** each was sent one request.
#[tokio::test]
async fn an_error_status_is_reported_with_its_text() {
    for (line, told) in [
        ("503 Service Unavailable", "HTTP status 503: out of"),
        ("401 Unauthorized", "HTTP status 401: out of"),
    ] {
        let body = format!("out of order{}", ".".repeat(100_000));
        let server = Server::answering(vec![status(line, &body), status(line, &body)]).await;
        let agent = HttpTransport::builder(&server.url).build().unwrap();
        let mut client = Client::builder(agent, notes().bench.copilot).build();

        let updates = turn(&mut client).await;
        let TurnEnd::ConnectionFailed { code: "status", message } = ending(&updates) else {
            panic!("{updates:?}")
        };
        assert!(message.contains(told) && message.len() < 1000, "{message}");
        assert_eq!(server.requests().len(), 1);
    }
}

/// - **GIVEN** a server that answers with a web page.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn ends with a failed connection, with the code `not-a-stream`, naming the content type
///   that it has instead.
#[tokio::test]
async fn a_response_that_is_not_a_stream() {
    let server = Server::answering(vec![status("200 OK", "<html>Log in</html>")]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    let updates = turn(&mut client).await;
    let TurnEnd::ConnectionFailed { code: "not-a-stream", message } = ending(&updates) else {
        panic!("{updates:?}")
    };
    assert!(message.contains("text/plain") && message.contains("Log in"), "{message}");
}

/// - **GIVEN** a server that ends the run and keeps the connection open.
/// - **WHEN** the person sends it a message.
/// - **THEN** the turn is completed, and the client closes the connection.
#[tokio::test]
async fn a_connection_left_open_after_the_run() {
    let mut server = Server::holding(vec![STREAM.to_vec(), frames(&[finished()])]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();

    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    server.client_gone().await;
}

/// - **GIVEN** a server in the middle of a run.
/// - **WHEN** the turn is cancelled.
/// - **THEN** the turn ends as cancelled, and the client closes the connection.
#[tokio::test]
async fn cancelling_closes_the_connection() {
    let mut server = Server::holding(vec![STREAM.to_vec(), frames(&[text("m", "a")])]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();
    let canceller = client.canceller();

    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Text { .. })) {}
    let cancels = tokio::spawn(async move { canceller.cancel() });
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
    server.client_gone().await;
    cancels.await.unwrap();
}

/// - **GIVEN** a recording of two runs as JSON lines, and the same as server-sent events, the first of which
///   calls `notes.open`.
/// - **WHEN** each is played as an agent.
/// - **THEN** `notes.open` has run once, the second run followed the first, and no run is left.
#[tokio::test]
async fn a_recording_as_an_agent() {
    let events = run([call("c", "notes__open"), vec![]]).into_iter().chain([text("m", "Done."), finished()]);
    let events: Vec<_> = events.collect();
    for recording in [events.join("\n"), String::from_utf8(frames(&events)).unwrap()] {
        let notes = notes();
        let recorded = std::sync::Arc::new(RecordedAgent::from_text(&recording).unwrap());
        let mut client = Client::builder(recorded.clone(), notes.bench.copilot.clone()).build();

        assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
        assert_eq!(notes.opened.count(), 1);
        assert_eq!(client.conversation().message("m").unwrap().text(), Some("Done."));
        assert_eq!(recorded.runs_left(), 0);
    }
}

/// - **GIVEN** recordings of live LangGraph and pydantic-ai agents that call `notes.open`, once or twice in
///   parallel, or together with a tool of their own.
/// - **WHEN** each is played as an agent.
/// - **THEN** `notes.open` has run as often as it was called, and every call has one answer.
#[tokio::test]
async fn recordings_of_real_agents() {
    let streams = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/streams");
    for (kind, runs) in [("1-call", 1), ("6-parallel-setup", 2), ("8-mixed-setup", 1)] {
        for agent in ["langgraph", "pydantic-ai"] {
            let notes = notes();
            let recorded = RecordedAgent::from_file(streams.join(format!("{agent}-{kind}.sse"))).unwrap();
            let mut client = Client::builder(recorded, notes.bench.copilot.clone()).build();

            let updates = turn(&mut client).await;
            assert_eq!(notes.opened.count(), runs, "{agent} {kind}");
            assert_eq!(client.conversation().unanswered().count(), 0, "{agent} {kind}");
            let answers = updates.iter().filter(|update| matches!(update, Update::Answered { .. })).count();
            assert_eq!(answers, runs, "{agent} {kind}");
        }
    }
}

/// - **GIVEN** a server in the middle of a run, and a client that nobody polls any more.
/// - **WHEN** the turn is cancelled.
/// - **THEN** the client closes the connection, and when it is polled again the turn ends as cancelled.
#[tokio::test]
async fn cancelling_closes_the_connection_of_a_client_that_is_not_polled() {
    let mut server = Server::holding(vec![STREAM.to_vec(), frames(&[text("m", "a")])]).await;
    let agent = HttpTransport::builder(&server.url).build().unwrap();
    let mut client = Client::builder(agent, notes().bench.copilot).build();
    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Text { .. })) {}
    client.canceller().cancel();
    // Its socket sees the end while nothing polls the client.
    server.client_gone().await;
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
}
