//! Calls that wait for a client to return with an answer of the person (revision 2026-07-28).
//!
//! The call itself stays here, at the point at which the policy asked. The client gets a sealed key. It returns the key with
//! the answer, and gets the call that was asked about or nothing: the seal holds for one server, one person and one tool,
//! the arguments must be the same, and a key is good for one answer.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use drawloom_command::{CommandArguments, NullArguments, ReadArgumentsError};
use drawloom_consent::{Confirmation, ConfirmationResponse};
use drawloom_tools::read_arguments_with;
use rmcp::model::{RequestStateCodec, RequestStateError, SealOptions};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use uuid::Uuid;

use super::asking::RunningCall;

/// The calls of one server that wait.
pub(crate) struct PendingCalls {
    codec: RequestStateCodec,
    person: Option<Arc<str>>,
    nulls: NullArguments,
    time: Duration,
    started: Instant,
    free: Arc<Semaphore>,
    calls: Mutex<Calls>,
}

type Calls = HashMap<Uuid, Entry>;

/// What a client has to send again, unchanged: the name of the tool, and the arguments by their values.
#[derive(PartialEq)]
pub(crate) struct SentCall {
    name: String,
    arguments: Result<CommandArguments, ReadArgumentsError>,
}

/// A call that waits for an answer.
#[derive(Debug)]
pub(crate) struct PendingQuestion {
    pub(crate) running: RunningCall,
    pub(crate) answer: oneshot::Sender<ConfirmationResponse>,
    /// The text that the client was given for the person.
    pub(crate) shown: String,
}

struct Entry {
    question: PendingQuestion,
    sent: SentCall,
    timer: AbortHandle,
    _place: Place,
}

/// A place among the calls that wait.
#[derive(Debug)]
pub(crate) struct Place(#[expect(dead_code, reason = "released on drop")] OwnedSemaphorePermit);

/// Why a state that a client returned leads to no call. The texts are for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StateError {
    /// It is not known: sealed by nobody, for another person, another tool or other arguments, or used before.
    #[error("its request state belongs to no open question about this call; call the tool again without it")]
    Unknown,
    /// Nobody answered in time.
    #[error("the confirmation timed out")]
    TimedOut,
}

impl StateError {
    /// A stable name for this kind of error.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Unknown => "unknown-state",
            Self::TimedOut => "timed-out",
        }
    }
}

impl PendingCalls {
    /// No calls. At most `limit` wait, each for at most `time`.
    pub(crate) fn new(
        key: [u8; 32],
        person: Option<Arc<str>>,
        nulls: NullArguments,
        limit: usize,
        time: Duration,
    ) -> Result<Arc<Self>, RequestStateError> {
        Ok(Arc::new(Self {
            codec: RequestStateCodec::try_new(key)?,
            person,
            nulls,
            time,
            started: Instant::now(),
            free: Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS))),
            calls: Mutex::default(),
        }))
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        // The map is whole after every statement that changes it.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is compared when a client returns.
    pub(crate) fn sent(&self, name: &str, arguments: &str) -> SentCall {
        SentCall { name: name.to_owned(), arguments: read_arguments_with(arguments, self.nulls) }
    }

    /// A place for one more call. `None` if too many wait.
    pub(crate) fn reserve(&self) -> Option<Place> {
        self.free.clone().try_acquire_owned().ok().map(Place)
    }

    /// Keeps a call until its client returns, and gives the state for the client. It must be called within a tokio runtime.
    pub(crate) fn keep(self: &Arc<Self>, place: Place, sent: SentCall, question: PendingQuestion) -> String {
        let key = Uuid::new_v4();
        let expires = Instant::now() + self.time;
        let seal = self.seal(key, expires, &sent.name);
        let timer = tokio::spawn(expire(Arc::downgrade(self), key, expires)).abort_handle();
        self.calls().insert(key, Entry { question, sent, timer, _place: place });
        seal
    }

    /// The call that a client returns for. It is no longer kept.
    pub(crate) fn take(&self, state: &str, sent: &SentCall) -> Result<PendingQuestion, StateError> {
        let opened =
            self.codec.open_with(state, &self.binding(&sent.name)).map_err(|_| StateError::Unknown)?;
        let (key, expires) = self.read(&opened).ok_or(StateError::Unknown)?;
        let entry = {
            let mut calls = self.calls();
            match calls.get(&key) {
                Some(entry) if entry.sent == *sent => calls.remove(&key),
                Some(_) => return Err(StateError::Unknown),
                None => None,
            }
        };
        match entry {
            Some(entry) => {
                entry.timer.abort();
                Ok(entry.question)
            }
            None if Instant::now() >= expires => Err(StateError::TimedOut),
            None => Err(StateError::Unknown),
        }
    }

    fn seal(&self, key: Uuid, expires: Instant, name: &str) -> String {
        // Milliseconds since the start do not exceed 64 bits.
        let milliseconds = u64::try_from((expires - self.started).as_millis()).unwrap_or(u64::MAX);
        let payload = [&key.as_bytes()[..], &milliseconds.to_be_bytes()].concat();
        self.codec.seal_with(&payload, &SealOptions::new().associated_data(&self.binding(name)))
    }

    fn read(&self, payload: &[u8]) -> Option<(Uuid, Instant)> {
        let (key, milliseconds) = payload.split_first_chunk::<16>()?;
        let milliseconds = u64::from_be_bytes(milliseconds.try_into().ok()?);
        Some((Uuid::from_bytes(*key), self.started + Duration::from_millis(milliseconds)))
    }

    /// What a state is sealed for. The lengths keep two pairs of texts apart.
    fn binding(&self, name: &str) -> Vec<u8> {
        let person = self.person.as_deref().unwrap_or_default();
        format!("tools/call {}:{person} {}:{name}", person.len(), name.len()).into_bytes()
    }

    /// How many calls wait.
    pub(crate) fn len(&self) -> usize {
        self.calls().len()
    }
}

/// Drops a call whose client did not return.
async fn expire(calls: Weak<PendingCalls>, key: Uuid, expires: Instant) {
    tokio::time::sleep_until(expires).await;
    let Some(calls) = calls.upgrade() else { return };
    // Dropped after the lock is released: it runs code of the application.
    let expired = calls.calls().remove(&key);
    if let Some(entry) = expired {
        tracing::info!(tool = entry.sent.name, "nobody answered the question about a call in time");
        // Other calls may wait for the same answer.
        let _ = entry.question.answer.send(Confirmation::TimedOut.into());
    }
}

impl Drop for PendingCalls {
    fn drop(&mut self) {
        for entry in self.calls().values() {
            entry.timer.abort();
        }
    }
}

impl fmt::Debug for PendingCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingCalls").field("calls", &self.calls().len()).finish_non_exhaustive()
    }
}
