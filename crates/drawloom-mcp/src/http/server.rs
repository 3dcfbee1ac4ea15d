//! The HTTP server as a function from a request to a response, for any HTTP stack.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};

use super::persons::{Person, SESSION_IDLE};
use super::token::{BearerToken, TokenDigest, TokenKey};
use crate::commands::CommandServer;
use crate::server::BuildError;
use crate::wire::arguments::separate;
use crate::wire::lines::{invalid_request, is_initialize};

/// The body of a response.
pub type HttpBody = BoxBody<Bytes, Infallible>;

/// The header that names the session of a client of revision 2025-11-25.
const SESSION: &str = "mcp-session-id";

/// What bounds a client before its message is read. What bounds it afterwards is in
/// [`ServerLimits`](crate::ServerLimits).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpLimits {
    /// How many bytes the body of a request may have. By default 4 MiB.
    pub body_bytes: usize,
    /// How long a client may take to send a body. By default 30 seconds.
    pub body_time: Duration,
    /// How many sessions a person may have. A further one closes the one that was not used for the longest time. By default
    /// 32.
    pub sessions: usize,
    /// After which time without use a session is closed, if no call may still be under way. By default 30 minutes.
    pub session_idle: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            body_time: Duration::from_secs(30),
            sessions: 32,
            session_idle: SESSION_IDLE,
        }
    }
}

/// Builder for an [`HttpServer`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it builds"]
pub struct HttpServerBuilder {
    hosts: Vec<String>,
    origins: Vec<String>,
    limits: HttpLimits,
}

/// A server for the Model Context Protocol over streamable HTTP. Clones are the same server.
///
/// Each request carries a [`BearerToken`], which leads to the commands of one person. A request without a known token is
/// refused before anything of it is read. The request must name this machine as its host, unless
/// [`HttpServerBuilder::host`] allows another, and a request that a web page made is refused unless
/// [`HttpServerBuilder::origin`] allows the page.
///
/// ```no_run
/// use drawloom_mcp::{BearerToken, CommandServer, HttpServer};
/// # use drawloom_command::CommandAccess;
///
/// # async fn serve(copilot_of_ada: impl CommandAccess + 'static) -> Result<(), Box<dyn std::error::Error>> {
/// let server = HttpServer::builder().build()?;
/// let token = BearerToken::generate()?;
/// server.admit(&token, CommandServer::builder(copilot_of_ada).person("ada").build()?)?;
/// let listener = server.listen_on_loopback(0).await?;
/// eprintln!("listening on {}; the token is {}", listener.url(), token.as_str());
/// listener.serve().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpServer(Arc<Inner>);

struct Inner {
    key: TokenKey,
    hosts: Vec<String>,
    origins: Vec<String>,
    limits: HttpLimits,
    persons: RwLock<HashMap<TokenDigest, Arc<Person>>>,
}

/// Why a person is not admitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdmitError {
    /// A token leads to one person.
    #[error("the token belongs to a person who is admitted already; generate another")]
    KnownToken,
}

impl HttpServerBuilder {
    /// Allows requests to a host of this name, such as `app.example` or `app.example:8443`, besides those to this machine.
    /// For an application that is behind a proxy.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Allows requests of web pages of this origin, such as `http://localhost:6274`. By default no page may use the server.
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Sets what bounds a client.
    pub fn limits(mut self, limits: HttpLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Builds the server.
    ///
    /// # Errors
    /// [`BuildError::Randomness`] if the system gives no random numbers.
    pub fn build(self) -> Result<HttpServer, BuildError> {
        let Self { hosts, origins, limits } = self;
        let key = TokenKey::generate()?;
        Ok(HttpServer(Arc::new(Inner { key, hosts, origins, limits, persons: RwLock::default() })))
    }
}

impl HttpServer {
    /// Starts to build a server that knows nobody.
    pub fn builder() -> HttpServerBuilder {
        let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
        HttpServerBuilder { hosts, origins: Vec::new(), limits: HttpLimits::default() }
    }

    /// Admits the clients that have a token to the commands of a person. A person with several clients may have several
    /// tokens for one server.
    ///
    /// # Errors
    /// [`AdmitError::KnownToken`] if the token is in use.
    pub fn admit(&self, token: &BearerToken, server: CommandServer) -> Result<(), AdmitError> {
        let Inner { key, hosts, origins, limits, .. } = &*self.0;
        let person = Person::new(server, hosts, origins, limits);
        let mut persons = self.0.persons.write().unwrap_or_else(PoisonError::into_inner);
        match persons.entry(key.digest(token.as_str())) {
            std::collections::hash_map::Entry::Occupied(_) => Err(AdmitError::KnownToken),
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(person);
                Ok(())
            }
        }
    }

    /// Stops to admit the clients that have a token, and ends their sessions. A token that is not known changes nothing.
    pub fn dismiss(&self, token: &BearerToken) {
        let digest = self.0.key.digest(token.as_str());
        let dismissed = self.0.persons.write().unwrap_or_else(PoisonError::into_inner).remove(&digest);
        if let Some(person) = dismissed {
            person.end();
        }
    }

    /// Answers one request. The application may mount it in its own HTTP server, at any path; it must then bound
    /// connections and the time for headers itself.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<HttpBody>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let Some(person) = self.person(request.headers()) else {
            let mut response =
                plain(StatusCode::UNAUTHORIZED, "a request needs the token that the application printed");
            response.headers_mut().insert(WWW_AUTHENTICATE, http::HeaderValue::from_static("Bearer"));
            return response;
        };
        let (mut parts, body) = request.into_parts();
        // Nobody needs the secret from here on.
        parts.headers.remove(AUTHORIZATION);
        let session = parts.headers.get(SESSION).and_then(|session| session.to_str().ok());
        session.inspect(|session| person.note_use(session));
        if parts.method != Method::POST {
            return person.service.handle(Request::from_parts(parts, Full::<Bytes>::default())).await;
        }
        let text = match self.read(body).await {
            Ok(text) => text,
            Err(response) => return *response,
        };
        let is_opening = session.is_none() && is_initialize(&text);
        let message = match separate(&text) {
            Ok(separated) => {
                if let Some(arguments) = separated.arguments {
                    parts.extensions.insert(arguments);
                }
                separated.message.into_owned()
            }
            Err(error) => return json(StatusCode::BAD_REQUEST, &invalid_request(&text, error.to_string())),
        };
        parts.headers.remove(CONTENT_LENGTH);
        let request = Request::from_parts(parts, Full::new(Bytes::from(message)));
        if !is_opening {
            return person.service.handle(request).await;
        }
        let _opening = person.opening.lock().await;
        person.make_room().await;
        let response = person.service.handle(request).await;
        let opened = response.headers().get(SESSION).and_then(|session| session.to_str().ok());
        opened.inspect(|session| person.note_opened(session));
        response
    }

    /// The person whose client sent these headers.
    fn person(&self, headers: &HeaderMap) -> Option<Arc<Person>> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(given), None) = (given.next(), given.next()) else { return None };
        let (scheme, token) = given.to_str().ok()?.split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let digest = self.0.key.digest(token.trim());
        self.0.persons.read().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned()
    }

    /// Reads the body of a request.
    async fn read<B>(&self, body: B) -> Result<String, Box<Response<HttpBody>>>
    where
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let HttpLimits { body_bytes, body_time, .. } = self.0.limits;
        let refused = |status, why: &str| Box::new(plain(status, why));
        let collected = tokio::time::timeout(body_time, Limited::new(body, body_bytes).collect()).await;
        let bytes = match collected {
            Ok(Ok(collected)) => collected.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                let why = format!("the body has more than {body_bytes} bytes, the most it may have");
                return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, &why));
            }
            Ok(Err(_)) => return Err(refused(StatusCode::BAD_REQUEST, "the body broke off")),
            Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, "the body took too long")),
        };
        String::from_utf8(bytes.into()).map_err(|_| refused(StatusCode::BAD_REQUEST, "the body is not UTF-8"))
    }
}

fn plain(status: StatusCode, text: &str) -> Response<HttpBody> {
    with_body(status, "text/plain; charset=utf-8", text.to_owned())
}

fn json(status: StatusCode, message: &impl serde::Serialize) -> Response<HttpBody> {
    // A message of the protocol is always JSON.
    with_body(status, "application/json", serde_json::to_string(message).unwrap_or_default())
}

fn with_body(status: StatusCode, kind: &'static str, text: String) -> Response<HttpBody> {
    let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, http::HeaderValue::from_static(kind));
    response
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let persons = self.0.persons.read().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("HttpServer")
            .field("hosts", &self.0.hosts)
            .field("origins", &self.0.origins)
            .field("persons", &persons)
            .finish_non_exhaustive()
    }
}
