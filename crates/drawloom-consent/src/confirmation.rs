//! What the product supplies: a way to ask the person, and what may come back.

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{BoxFuture, CommandArguments, PendingCall};
use futures_util::FutureExt;

/// What came of asking the person. Everything but the first two is a no.
///
/// A `bool` is one, and so is a [`Result`] of one, whose error is a no:
///
/// ```
/// use drawloom_consent::Confirmation;
///
/// assert_eq!(Confirmation::from(true), Confirmation::Yes);
/// assert_eq!(Confirmation::from(Ok::<_, String>(false)), Confirmation::No);
/// let broken: Result<bool, &str> = Err("the window is gone");
/// assert_eq!(Confirmation::from(broken), Confirmation::Errored("the window is gone".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The call may run.
    Yes,
    /// The call may run with these arguments instead. It is a word about this one call: it is not kept, and serves
    /// no other call that waits.
    YesWith(CommandArguments),
    /// The call may not run.
    No,
    /// The call may not run, and this is what the agent is told about why, after the product's wording of a no.
    NoBecause(String),
    /// Asking went wrong, and this is how, in words the agent may read.
    Errored(String),
    /// Asking was called off before anybody answered.
    Cancelled,
    /// Nobody answered in time.
    TimedOut,
}

impl Confirmation {
    /// Whether the call may run.
    pub fn is_yes(&self) -> bool {
        matches!(self, Self::Yes | Self::YesWith(_))
    }
}

impl From<bool> for Confirmation {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl<T: Into<Confirmation>, E: Display> From<Result<T, E>> for Confirmation {
    fn from(answered: Result<T, E>) -> Self {
        match answered {
            Ok(answer) => answer.into(),
            Err(error) => Self::Errored(error.to_string()),
        }
    }
}

/// A way to ask the person about a call.
///
/// A closure that takes the [`PendingCall`] and returns a future of a [`Confirmation`], or of anything that becomes
/// one, is a way:
///
/// ```
/// use drawloom_command::PendingCall;
/// use drawloom_consent::ConsentPolicy;
///
/// # async fn show(_: String) -> Result<bool, std::io::Error> { Ok(true) }
/// let policy = ConsentPolicy::new(|call: PendingCall| show(format!("Let the agent use {}?", call.command_id)));
/// # let _ = policy;
/// ```
///
/// A type of the product's own implements it where the question has to get to somebody first:
///
/// ```
/// use drawloom_command::{BoxFuture, PendingCall};
/// use drawloom_consent::{Confirm, Confirmation, ConsentPolicy};
/// use futures::channel::{mpsc, oneshot};
///
/// /// Hands each question to the thread that shows dialogs.
/// struct Dialogs(mpsc::UnboundedSender<(PendingCall, oneshot::Sender<bool>)>);
///
/// impl Confirm for Dialogs {
///     fn confirm(&self, call: PendingCall) -> BoxFuture<'static, Confirmation> {
///         let (answer, answered) = oneshot::channel();
///         // Where nobody shows dialogs any more, the sender is dropped, which is the answer.
///         let _ = self.0.unbounded_send((call, answer));
///         Box::pin(async move { answered.await.map_or(Confirmation::Cancelled, Confirmation::from) })
///     }
/// }
///
/// let (questions, _dialogs) = mpsc::unbounded();
/// let policy = ConsentPolicy::new(Dialogs(questions));
/// # let _ = policy;
/// ```
pub trait Confirm: Send + Sync {
    /// Asks about one call.
    ///
    /// The future stands on its own, since it may outlive the call it was made for: other calls may wait for the
    /// same answer. Whichever of them is polled drives it. It is dropped once nobody waits for it any more, which is
    /// the moment to take a dialog away. No lock of the policy is held while it is made, polled or dropped.
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, Confirmation>;
}

impl<F, Fut> Confirm for F
where
    F: Fn(PendingCall) -> Fut + Send + Sync,
    Fut: Future<Output: Into<Confirmation>> + Send + 'static,
{
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, Confirmation> {
        // Not an async block: one that unwinds drops what it awaited while it does, and should that panic as well,
        // the process would abort.
        Box::pin(self(call).map(Into::into))
    }
}

impl<T: Confirm + ?Sized> Confirm for Arc<T> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, Confirmation> {
        (**self).confirm(call)
    }
}
