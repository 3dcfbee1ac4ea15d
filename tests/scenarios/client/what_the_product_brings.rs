//! A panic of the product's own transport, tap, clock, dialog or command SHALL NOT affect anything else: every call
//! SHALL be answered, and the client SHALL be usable afterwards.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::SystemTime;

use drawloom::client::{
    BoxFuture, Client, Frame, Frames, RunAgentInput, Transport, TransportError, TurnEnd, Update,
};
use drawloom::command::{
    CallOrigin, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome, InvocableCommand,
    PendingCall, Refusal,
};
use drawloom::workbench::PluginContext;
use futures::stream::{self, Stream, StreamExt};
use futures::{FutureExt, future};
use serde_json::json;

use super::support::{Agent, call, ending, finished, interrupted, notes, rest, run, text, turn};
use crate::support::callable;

/// Panics without printing a message.
fn panics() -> ! {
    resume_unwind(Box::new("broken"))
}

/// Panics when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        panics();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Asked,
    WaitedFor,
    Read,
    Dropped,
}

/// Panics in its first run, and ends every other.
struct Panicking(When, AtomicUsize);

struct Broken {
    says: VecDeque<String>,
    when: When,
    _brittle: Option<Brittle>,
}

impl Stream for Broken {
    type Item = Result<Frame, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match (self.says.pop_front(), self.when) {
            (Some(event), _) => Poll::Ready(Some(Ok(Frame::Event(event)))),
            (None, When::Read) => panics(),
            (None, _) => Poll::Ready(None),
        }
    }
}

impl Transport for Panicking {
    fn start(&self, _: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        let when = self.0;
        if self.1.fetch_add(1, Ordering::SeqCst) > 0 {
            return future::ready(Ok(stream::iter([Ok(Frame::Event(finished()))]).boxed())).boxed();
        }
        if when == When::Asked {
            panics();
        }
        async move {
            if when == When::WaitedFor {
                panics();
            }
            let brittle = (when == When::Dropped).then(|| Brittle);
            let mut events = call("c", "notes__delete");
            if when == When::Dropped {
                events.push(finished());
            }
            Ok(Box::pin(Broken { says: events.into(), when, _brittle: brittle }) as Frames)
        }
        .boxed()
    }
}

/// - **GIVEN** a transport that panics when it is asked for a run, when the run is waited for, when its
///   events are read after a call of `notes.delete`, about which the person is being asked, and when it is
///   dropped.
/// - **WHEN** the person sends a message, and another one when the transport no longer panics.
/// - **THEN** the first turn ends with a failed connection, with the code `panicked`, or was completed if
///   only the drop panicked, and every call is answered.
/// - **AND** the second turn is completed.
#[tokio::test]
async fn a_transport_that_panics() {
    for when in [When::Asked, When::WaitedFor, When::Read, When::Dropped] {
        let notes = notes();
        let mut client = Client::builder(Panicking(when, AtomicUsize::new(0)), notes.bench.copilot.clone())
            .confirm(|_: PendingCall| async {
                tokio::task::yield_now().await;
                true
            })
            .build();
        let updates = turn(&mut client).await;
        if when == When::Dropped {
            assert_eq!(ending(&updates), &TurnEnd::Completed);
        } else {
            let message = "the transport panicked".to_owned();
            assert_eq!(
                ending(&updates),
                &TurnEnd::ConnectionFailed { code: "panicked", message },
                "{when:?}"
            );
        }
        assert_eq!(client.conversation().unanswered().count(), 0, "{when:?}");
        let answers = updates.iter().filter(|update| matches!(update, Update::Answered { .. })).count();
        assert_eq!(answers, usize::from(matches!(when, When::Read | When::Dropped)), "{when:?} {updates:?}");
        assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed, "{when:?}");
    }
}

/// - **GIVEN** a tap that panics at the first event.
/// - **WHEN** an agent calls `notes.open`.
/// - **THEN** the turn is completed, `notes.open` has run, and the tap received one event.
#[tokio::test]
async fn a_tap_that_panics() {
    let agent = Agent::new([run([call("c", "notes__open"), vec![text("m", "x")]])]);
    let notes = notes();
    let shown = Arc::new(AtomicUsize::new(0));
    let counts = shown.clone();
    let mut client = notes
        .client(&agent)
        .tap(move |_| {
            counts.fetch_add(1, Ordering::SeqCst);
            panics();
        })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(notes.opened.count(), 1);
    assert_eq!(shown.load(Ordering::SeqCst), 1);
}

/// - **GIVEN** a clock that panics.
/// - **WHEN** an agent asks for an approval that expires.
/// - **THEN** the next run was sent the cancellation of the question.
#[tokio::test]
async fn a_clock_that_panics() {
    let asked = json!([{"id": "i", "reason": "confirmation", "expiresAt": "2030-01-01T00:00:00Z"}]);
    let agent = Agent::new([vec![interrupted(asked)]]);
    let mut client = notes()
        .client(&agent)
        .confirm(|_: PendingCall| async { true })
        .clock(|| -> SystemTime { panics() })
        .build();
    assert_eq!(ending(&turn(&mut client).await), &TurnEnd::Completed);
    assert_eq!(agent.inputs()[1]["resume"], json!([{"interruptId": "i", "status": "cancelled"}]));
}

/// - **GIVEN** a dialog that panics when it is dropped.
/// - **WHEN** the turn is cancelled while the person is asked about `notes.delete`, and while they are asked
///   by an agent.
/// - **THEN** each turn ends as cancelled, and every call is answered.
#[tokio::test]
async fn a_dialog_that_panics_when_it_is_dropped() {
    let asks = vec![interrupted(json!([{"id": "i", "reason": "confirmation"}]))];
    for events in [run([call("c", "notes__delete")]), asks] {
        let agent = Agent::new([events]);
        let mut client = notes()
            .client(&agent)
            .confirm(|_: PendingCall| {
                let brittle = Brittle;
                async move {
                    let _brittle = brittle;
                    future::pending::<bool>().await
                }
            })
            .build();
        client.send_text("Please.");
        while !matches!(client.next().await, Some(Update::Asked { .. })) {}
        client.canceller().cancel();
        assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
        assert_eq!(client.conversation().unanswered().count(), 0);
    }
}

/// - **GIVEN** a command that panics when it is dropped.
/// - **WHEN** the turn is cancelled while it runs.
/// - **THEN** the turn ends as cancelled, and the call is answered as one that may have done a part of its
///   work.
#[tokio::test]
async fn a_command_that_panics_when_it_is_dropped() {
    let notes = notes();
    notes.bench.does(callable("notes.wait"), |_| {
        let brittle = Brittle;
        async move {
            let _brittle = brittle;
            future::pending().await
        }
    });
    let agent = Agent::new([run([call("c", "notes__wait"), vec![text("m", "x")]])]);
    let mut client = notes.client(&agent).build();
    client.send_text("Please.");
    while !matches!(client.next().await, Some(Update::Text { .. })) {}
    client.canceller().cancel();
    assert_eq!(ending(&rest(&mut client).await), &TurnEnd::Cancelled);
    let error = client.conversation().answer_to("c").unwrap().error.clone().unwrap();
    assert!(error.contains("may have done a part of its work"), "{error}");
}

/// Wraps another access, and panics when a command is invoked.
struct Refusing(PluginContext);

impl CommandAccess for Refusing {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        self.0.invocable_commands()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        self.0.offer(id)
    }

    fn offer_by_tool_name(&self, name: &str) -> Option<CommandOffer> {
        self.0.offer_by_tool_name(name)
    }

    fn review(
        &self,
        offer: &CommandOffer,
        arguments: &CommandArguments,
        origin: &CallOrigin,
    ) -> Result<(), Refusal> {
        self.0.review(offer, arguments, origin)
    }

    fn refuse(&self, id: &CommandId, origin: &CallOrigin) -> Refusal {
        self.0.refuse(id, origin)
    }

    fn invoke_command(&self, _: CommandId, _: CommandArguments) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(async { panics() })
    }

    fn invoke_offered(
        &self,
        _: &CommandOffer,
        _: CommandArguments,
        _: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        Box::pin(async { panics() })
    }
}

/// - **GIVEN** a user-supplied access to commands that panics when a command is invoked.
/// - **WHEN** an agent calls `notes.open`.
/// - **THEN** the call is answered as one that may have done a part of its work, and the turn is completed.
#[tokio::test]
async fn an_access_that_panics() {
    let agent = Agent::new([run([call("c", "notes__open")])]);
    let mut client = Client::builder(agent.transport(), Refusing(notes().bench.copilot)).build();
    client.send_text("Please.");
    let mut last = None;
    while let Some(update) = client.next().await {
        last = Some(update);
    }
    assert_eq!(last, Some(Update::TurnEnded { end: TurnEnd::Completed }));
    let [answer] = &agent.answers()[..] else { panic!("not one answer") };
    assert!(answer["error"].as_str().unwrap().contains("may have done a part of its work"), "{answer}");
}
