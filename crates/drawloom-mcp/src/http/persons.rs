//! The persons whose clients a server knows, each with sessions of its own: the id of a session leads nowhere for a client
//! of another person.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::server::HttpLimits;
use crate::commands::CommandServer;
use crate::commands::Connection;

/// One person: the commands, the sessions of this person's clients, and their end.
pub(crate) struct Person {
    pub(crate) service: StreamableHttpService<Connection, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    /// When each session was used last.
    used: Mutex<HashMap<SessionId, Instant>>,
    /// Held while a session is made, so that two of them do not take the last place.
    pub(crate) opening: tokio::sync::Mutex<()>,
    limit: usize,
    end: CancellationToken,
}

impl Person {
    pub(crate) fn new(
        server: CommandServer,
        hosts: &[String],
        origins: &[String],
        limits: &HttpLimits,
    ) -> Arc<Self> {
        let end = CancellationToken::new();
        let mut sessions = LocalSessionManager::default();
        // A session is also idle while a call runs that reports nothing.
        sessions.session_config.keep_alive = Some(server.longest_silence().max(limits.session_idle));
        let sessions = Arc::new(sessions);
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation()
            .with_max_request_body_bytes(limits.body_bytes)
            .with_cancellation_token(end.clone());
        let service = StreamableHttpService::new(move || Ok(server.connection()), sessions.clone(), config);
        Arc::new(Self {
            service,
            sessions,
            used: Mutex::default(),
            opening: tokio::sync::Mutex::new(()),
            limit: limits.sessions.max(1),
            end,
        })
    }

    /// Notes that a session is used.
    pub(crate) fn note_use(&self, session: &str) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        // Only sessions that were opened here are noted, so that made-up ids take no memory.
        if let Some(time) = used.get_mut(session) {
            *time = Instant::now();
        }
    }

    /// Notes a new session.
    pub(crate) fn note_opened(&self, session: &str) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(session.into(), Instant::now());
    }

    /// Makes room for one more session, by closing the ones that were not used for the longest time.
    pub(crate) async fn make_room(&self) {
        let open: Vec<SessionId> = self.sessions.sessions.read().await.keys().cloned().collect();
        let mut by_use: Vec<(Option<Instant>, SessionId)> = {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            used.retain(|session, _| open.contains(session));
            open.into_iter().map(|session| (used.get(&session).copied(), session)).collect()
        };
        by_use.sort();
        let surplus = (by_use.len() + 1).saturating_sub(self.limit);
        for (_, session) in by_use.into_iter().take(surplus) {
            tracing::info!("a session was closed to make room for another");
            if let Err(error) = self.sessions.close_session(&session).await {
                tracing::warn!(%error, "a session cannot be closed");
            }
        }
    }
}

impl Person {
    /// Ends the sessions and their streams.
    pub(crate) fn end(&self) {
        self.end.cancel();
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        self.end();
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Person").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// The least time after which a session that nobody uses is closed.
pub(crate) const SESSION_IDLE: Duration = Duration::from_secs(1800);
