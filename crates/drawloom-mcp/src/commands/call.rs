//! One call of a client, from its start to its result: asking the person on the way, by the revision of the client, and
//! ending early if the client cancels or the time is over.

use std::sync::Arc;
use std::time::Duration;

use drawloom_command::InvocableCommand;
use drawloom_consent::{Confirmation, ConfirmationResponse};
use drawloom_tools::ToolResult;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, ServiceError};
use tokio_util::sync::CancellationToken;

use super::asking::{CallEvent, Question, RunningCall};
use super::pending::{PendingCalls, Place};
use super::progress::Reporter;
use super::question::{CannotAsk, confirmation, elicitation, question_text};

/// What a call needs to know of its client and its server.
pub(crate) struct CallContext<'a> {
    /// Cancelled when the client cancels the call or is gone.
    pub(crate) cancelled: &'a CancellationToken,
    pub(crate) can_ask: bool,
    pub(crate) call_time: Duration,
    pub(crate) question_time: Duration,
    /// Who uses the client, by the name that the application gave.
    pub(crate) person: Option<Arc<str>>,
    /// How the command is described now, if it is offered.
    pub(crate) command: Option<&'a InvocableCommand>,
}

/// How far a call came in one request of a client that has to return with the answer.
#[derive(Debug)]
pub(crate) enum UntilAsked {
    Done(ToolResult),
    Asks { running: RunningCall, question: Box<Question>, text: String, place: Place },
}

impl CallContext<'_> {
    /// The text of a question that can be asked. Any other is answered here.
    fn to_ask(&self, question: Question) -> Option<(Question, String)> {
        let text = if self.can_ask {
            question_text(&question.call, self.command)
        } else {
            Err(CannotAsk::NoElicitation)
        };
        match text {
            Ok(text) => Some((question, text)),
            Err(error) => {
                let _ = question.answer.send(Confirmation::Errored(error.to_string()).into());
                None
            }
        }
    }

    /// An answer with who gave it and what this person was shown.
    pub(crate) fn response(&self, confirmation: Confirmation, shown: &str) -> ConfirmationResponse {
        let response = confirmation.shown(shown);
        match &self.person {
            Some(person) => response.decided_by(person.clone()),
            None => response,
        }
    }

    /// Runs a call to its end, and asks the person through the connection meanwhile (revision 2025-11-25).
    pub(crate) async fn run_asking(
        &self,
        mut running: RunningCall,
        peer: &Peer<RoleServer>,
        mut reporter: Reporter<'_>,
    ) -> ToolResult {
        let mut asking = FuturesUnordered::new();
        let mut deadline = std::pin::pin!(tokio::time::sleep(self.call_time));
        let result = loop {
            tokio::select! {
                biased;
                event = running.next(reporter.is_ready()) => match event {
                    CallEvent::Reports(progress) => reporter.report(&progress),
                    CallEvent::Done(result) => break result,
                    CallEvent::Asks(question) => {
                        asking.extend(self.to_ask(*question).map(|(question, text)| self.ask(peer, question, text)));
                    }
                },
                Some(()) = asking.next() => {}
                () = reporter.ready() => {}
                () = self.cancelled.cancelled() => break running.cancel(),
                () = &mut deadline => break running.cancel(),
            }
        };
        // What is still asked is withdrawn.
        while asking.next().await.is_some() {}
        result
    }

    /// Runs a call to its end, or until the client has to ask the person (revision 2026-07-28).
    pub(crate) async fn run_until_asked(
        &self,
        mut running: RunningCall,
        pending: &PendingCalls,
        mut reporter: Reporter<'_>,
    ) -> UntilAsked {
        let mut deadline = std::pin::pin!(tokio::time::sleep(self.call_time));
        loop {
            tokio::select! {
                biased;
                event = running.next(reporter.is_ready()) => match event {
                    CallEvent::Reports(progress) => reporter.report(&progress),
                    CallEvent::Done(result) => return UntilAsked::Done(result),
                    CallEvent::Asks(question) => {
                        let Some((question, text)) = self.to_ask(*question) else { continue };
                        let Some(place) = pending.reserve() else {
                            let full = "too many calls wait for an answer of the person".to_owned();
                            let _ = question.answer.send(Confirmation::Errored(full).into());
                            continue;
                        };
                        return UntilAsked::Asks { running, question: Box::new(question), text, place };
                    }
                },
                () = reporter.ready() => {}
                () = self.cancelled.cancelled() => return UntilAsked::Done(running.cancel()),
                () = &mut deadline => return UntilAsked::Done(running.cancel()),
            }
        }
    }

    /// Asks through the connection, until there is an answer or nobody waits for one.
    async fn ask(&self, peer: &Peer<RoleServer>, question: Question, text: String) {
        let Question { mut answer, .. } = question;
        let request = ServerRequest::ElicitRequest(elicitation(&text));
        let confirmation = match peer
            .send_request_with_option(request, PeerRequestOptions::no_options())
            .await
        {
            Err(error) => failed(&error),
            Ok(mut request) => {
                let (ended, why) = tokio::select! {
                    response = &mut request.rx => (Some(read(response.unwrap_or(Err(ServiceError::TransportClosed)))), None),
                    () = answer.closed() => (None, Some("the answer is no longer needed")),
                    () = tokio::time::sleep(self.question_time) => (Some(Confirmation::TimedOut), Some("nobody answered in time")),
                };
                if let Some(why) = why {
                    // The client closes its dialog. If it is gone, there is none.
                    let _ = request.cancel(Some(why.to_owned())).await;
                }
                let Some(confirmation) = ended else { return };
                confirmation
            }
        };
        let _ = answer.send(self.response(confirmation, &text));
    }
}

fn read(response: Result<ClientResult, ServiceError>) -> Confirmation {
    match response {
        Ok(ClientResult::ElicitResult(answer)) => confirmation(&answer),
        Ok(_) => Confirmation::Errored("the client sent something else than an answer".to_owned()),
        Err(error) => failed(&error),
    }
}

fn failed(error: &ServiceError) -> Confirmation {
    match error {
        ServiceError::Cancelled { .. } => Confirmation::Cancelled,
        ServiceError::Timeout { .. } => Confirmation::TimedOut,
        // The client's own words could be anything.
        ServiceError::McpError(error) => {
            Confirmation::Errored(format!("the client refused to ask the person (code {})", error.code.0))
        }
        _ => Confirmation::Errored("the client cannot be reached".to_owned()),
    }
}
