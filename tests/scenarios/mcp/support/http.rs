//! A client over HTTP that hands its requests to the server directly, so that a scenario decides about every header.

use drawloom_mcp::{BearerToken, CommandServer, HttpBody, HttpServer};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};

use super::{can_ask, introduction, meta};

/// A response whose messages arrive one after another.
pub(crate) struct Messages {
    pub(crate) status: StatusCode,
    response: Response<HttpBody>,
    text: String,
}

/// A client with a token.
#[derive(Clone)]
pub(crate) struct HttpClient {
    server: HttpServer,
    token: String,
    pub(crate) session: Option<String>,
    requests: u64,
}

/// A server that knows one person, and the token of this person.
pub(crate) fn http_server(commands: CommandServer) -> (HttpServer, BearerToken) {
    let server = HttpServer::builder().build().unwrap();
    let token = admitted(&server, commands);
    (server, token)
}

pub(crate) fn admitted(server: &HttpServer, commands: CommandServer) -> BearerToken {
    let token = BearerToken::generate().unwrap();
    server.admit(&token, commands).unwrap();
    token
}

/// A request with the headers that every client sends, and a token.
pub(crate) fn post(token: &str, body: &Value) -> Request<Full<bytes::Bytes>> {
    with_headers(Request::post("/mcp"), token).body(Full::new(body.to_string().into())).unwrap()
}

pub(crate) fn with_headers(request: http::request::Builder, token: &str) -> http::request::Builder {
    request
        .header("host", "127.0.0.1:4000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("authorization", format!("Bearer {token}"))
}

/// The request that introduces a client.
pub(crate) fn introduces() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": introduction(&can_ask()) })
}

/// The status and the whole body.
pub(crate) async fn status_and_body(response: Response<HttpBody>) -> (u16, String) {
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

impl HttpClient {
    pub(crate) fn new(server: &HttpServer, token: &BearerToken) -> Self {
        Self { server: server.clone(), token: token.as_str().to_owned(), session: None, requests: 0 }
    }

    /// A client with a session.
    pub(crate) async fn connect(server: &HttpServer, token: &BearerToken) -> Self {
        let mut client = Self::new(server, token);
        let mut introduced = client.send(&introduces()).await;
        let session = introduced.response.headers().get("mcp-session-id").expect("a session");
        client.session = Some(session.to_str().unwrap().to_owned());
        assert_eq!(introduced.message().await["result"]["protocolVersion"], "2025-11-25");
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(client.send(&initialized).await.status, 202);
        client
    }

    /// Sends a message.
    pub(crate) async fn send(&self, message: &Value) -> Messages {
        self.send_text(message.to_string()).await
    }

    async fn send_text(&self, message: String) -> Messages {
        let mut request = self.request(Method::POST).header("content-type", "application/json");
        if let Some(method) = serde_json::from_str::<Value>(&message).unwrap()["method"].as_str()
            && self.session.is_none()
        {
            request = request.header("mcp-method", method);
        }
        Messages::of(self.server.handle(request.body(Full::new(bytes::Bytes::from(message))).unwrap()).await)
    }

    /// Sends a request without a body.
    pub(crate) async fn send_empty(&self, method: Method) -> Messages {
        Messages::of(
            self.server.handle(self.request(method).body(Full::<bytes::Bytes>::default()).unwrap()).await,
        )
    }

    fn request(&self, method: Method) -> http::request::Builder {
        let mut request = with_headers(Request::builder().method(method).uri("/mcp"), &self.token);
        request.headers_mut().unwrap().remove("content-type");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session).header("mcp-protocol-version", "2025-11-25");
        }
        request
    }

    /// Starts a request in the session.
    pub(crate) async fn start(&mut self, method: &str, params: Value) -> Messages {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params })).await
    }

    pub(crate) async fn request_in_session(&mut self, method: &str, params: Value) -> Value {
        let mut messages = self.start(method, params).await;
        assert_eq!(messages.status, 200);
        messages.response().await
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request_in_session("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// A call in the session of which the text of the arguments matters.
    pub(crate) async fn call_text(&mut self, tool: &str, arguments: &str) -> Messages {
        self.requests += 1;
        let (id, params) = (self.requests, format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#));
        let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#);
        let request = self.request(Method::POST).header("content-type", "application/json");
        Messages::of(self.server.handle(request.body(Full::new(bytes::Bytes::from(message))).unwrap()).await)
    }

    /// A request of a client without a connection.
    pub(crate) async fn request_returning(&mut self, method: &str, mut params: Value) -> Value {
        self.requests += 1;
        params["_meta"] = meta(&can_ask());
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let message = json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params });
        let request = self
            .request(Method::POST)
            .header("content-type", "application/json")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method)
            .header("mcp-name", name);
        let response = self
            .server
            .handle(request.body(Full::new(bytes::Bytes::from(message.to_string()))).unwrap())
            .await;
        Messages::of(response).response().await
    }
}

impl Messages {
    fn of(response: Response<HttpBody>) -> Self {
        Self { status: response.status(), response, text: String::new() }
    }

    /// The next message. `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let is_json =
            self.response.headers().get("content-type").is_some_and(|kind| kind == "application/json");
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let data: String =
                    event.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim).collect();
                self.text = rest.to_owned();
                if !data.is_empty() {
                    return Some(serde_json::from_str(&data).unwrap());
                }
            }
            match self.response.body_mut().frame().await {
                Some(frame) => {
                    let data = frame.unwrap().into_data().unwrap();
                    self.text.push_str(std::str::from_utf8(&data).unwrap());
                }
                None if is_json && !self.text.is_empty() => {
                    return Some(serde_json::from_str(&std::mem::take(&mut self.text)).unwrap());
                }
                None => return None,
            }
        }
    }

    pub(crate) async fn message(&mut self) -> Value {
        self.next().await.unwrap_or_else(|| panic!("no message: {} {}", self.status, self.text))
    }

    /// The response, after whatever else comes.
    pub(crate) async fn response(&mut self) -> Value {
        loop {
            let message = self.message().await;
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// The whole body.
    pub(crate) async fn body(self) -> (u16, String) {
        status_and_body(self.response).await
    }
}
