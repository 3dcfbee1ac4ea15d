//! What the application supplies: a way to ask the user, and the answers that may come back.

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use drawloom_command::{
    BoxFuture, CommandArguments, DecisionBasis, DecisionSource, PendingCall, QuestionEnd,
};
use futures_util::FutureExt;

/// The answer to a question about a call. Everything except the first two is a no.
///
/// The enum is exhaustive: code that reads an answer must handle each variant.
///
/// A `bool` converts into one, and so does a [`Result`] of one, whose error is a no:
///
/// ```
/// use drawloom_consent::Confirmation;
///
/// assert_eq!(Confirmation::from(true), Confirmation::Yes);
/// assert_eq!(Confirmation::from(Ok::<_, String>(false)), Confirmation::No);
/// let failed: Result<bool, &str> = Err("the window is gone");
/// assert_eq!(Confirmation::from(failed), Confirmation::Errored("the window is gone".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The call may run.
    Yes,
    /// The call may run with these arguments instead. The answer is about this one call: it is not remembered, and it is
    /// not shared with other calls that wait.
    YesWith(CommandArguments),
    /// The call may not run.
    No,
    /// The call may not run, and this is the reason that the agent is told, after the wording of a no.
    NoBecause(String),
    /// Asking failed, and this is the error, as a text that the agent may read.
    Errored(String),
    /// The question was cancelled before anybody answered.
    Cancelled,
    /// Nobody answered in time.
    TimedOut,
}

impl Confirmation {
    /// Whether the call may run.
    pub fn is_yes(&self) -> bool {
        matches!(self, Self::Yes | Self::YesWith(_))
    }

    /// How the question ended, for the records.
    pub fn end(&self) -> QuestionEnd {
        match self {
            Self::Yes => QuestionEnd::Yes,
            Self::YesWith(_) => QuestionEnd::Edited,
            Self::No | Self::NoBecause(_) => QuestionEnd::No,
            Self::Errored(_) => QuestionEnd::Errored,
            Self::Cancelled => QuestionEnd::Cancelled,
            Self::TimedOut => QuestionEnd::TimedOut,
        }
    }

    /// Adds who answered, by a name that the application chooses.
    pub fn decided_by(self, user: impl Into<Arc<str>>) -> ConfirmationResponse {
        ConfirmationResponse::from(self).decided_by(user)
    }

    /// Adds the text that the user was shown.
    pub fn shown(self, words: impl Into<Arc<str>>) -> ConfirmationResponse {
        ConfirmationResponse::from(self).shown(words)
    }
}

/// An answer together with who gave it and what this user was shown. The audit records both.
///
/// A [`Confirmation`], and everything that converts into one, converts into a response without these details.
///
/// ```
/// use drawloom_command::PendingCall;
/// use drawloom_consent::{Confirmation, ConsentPolicy};
///
/// # async fn show(_: &str) -> bool { true }
/// let policy = ConsentPolicy::new(|call: PendingCall| async move {
///     let question = format!("Let the agent use {}?", call.command_id);
///     Confirmation::from(show(&question).await).decided_by("ada").shown(question)
/// });
/// # let _ = policy;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfirmationResponse {
    /// The answer.
    pub confirmation: Confirmation,
    /// Who answered, by a name that the application chooses.
    pub decided_by: Option<Arc<str>>,
    /// The text that the user was shown.
    pub shown: Option<Arc<str>>,
}

impl ConfirmationResponse {
    /// The basis of a decision that rests on this answer: how the question ended, who answered, what this person was shown,
    /// and the reason of a no. A hook that asks by itself returns it with its decision.
    pub fn basis(&self, source: DecisionSource) -> DecisionBasis {
        let mut basis = DecisionBasis::new(source).answer(self.confirmation.end());
        (basis.decided_by, basis.shown) = (self.decided_by.clone(), self.shown.clone());
        if let Confirmation::NoBecause(why) | Confirmation::Errored(why) = &self.confirmation {
            basis.reason = Some(why.as_str().into());
        }
        basis
    }

    /// Sets who answered, by a name that the application chooses.
    #[must_use]
    pub fn decided_by(mut self, user: impl Into<Arc<str>>) -> Self {
        self.decided_by = Some(user.into());
        self
    }

    /// Sets the text that the user was shown.
    #[must_use]
    pub fn shown(mut self, words: impl Into<Arc<str>>) -> Self {
        self.shown = Some(words.into());
        self
    }
}

impl From<Confirmation> for ConfirmationResponse {
    fn from(confirmation: Confirmation) -> Self {
        Self { confirmation, decided_by: None, shown: None }
    }
}

impl From<bool> for ConfirmationResponse {
    fn from(yes: bool) -> Self {
        Confirmation::from(yes).into()
    }
}

impl<T: Into<ConfirmationResponse>, E: Display> From<Result<T, E>> for ConfirmationResponse {
    fn from(answered: Result<T, E>) -> Self {
        match answered {
            Ok(answer) => answer.into(),
            Err(error) => Confirmation::Errored(error.to_string()).into(),
        }
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

/// A way to ask the user about a call.
///
/// A closure that takes the [`PendingCall`] and returns a future of a [`Confirmation`], of a [`ConfirmationResponse`], or
/// of anything that converts into one, implements it:
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
/// An application implements it for a type of its own if the question has to reach another thread first:
///
/// ```
/// use drawloom_command::{BoxFuture, PendingCall};
/// use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse, ConsentPolicy};
/// use futures::channel::{mpsc, oneshot};
///
/// /// Hands each question to the thread that shows dialogs.
/// struct Dialogs(mpsc::UnboundedSender<(PendingCall, oneshot::Sender<bool>)>);
///
/// impl Confirm for Dialogs {
///     fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
///         let (answer, answered) = oneshot::channel();
///         // If no thread shows dialogs any more, the sender is dropped, which cancels the question.
///         let _ = self.0.unbounded_send((call, answer));
///         Box::pin(async move { answered.await.map_or(Confirmation::Cancelled, Confirmation::from).into() })
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
    /// The future may outlive the call that it was made for, because other calls may wait for the same answer; each of them
    /// may poll it. It is dropped when no call waits for it any more: that is the moment to close a dialog. The policy
    /// holds no lock while the future is made, polled or dropped.
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse>;
}

impl<F, Fut> Confirm for F
where
    F: Fn(PendingCall) -> Fut + Send + Sync,
    Fut: Future<Output: Into<ConfirmationResponse>> + Send + 'static,
{
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        // Not an async block: one that unwinds drops what it awaited while it unwinds, and a second panic in that drop
        // would abort the process.
        Box::pin(self(call).map(Into::into))
    }
}

impl<T: Confirm + ?Sized> Confirm for Arc<T> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        (**self).confirm(call)
    }
}
