//! The text for the agent if a call does not run.

use drawloom_command::Decision;

use crate::confirm::Confirmation;
use crate::question::Answer;

/// The application's own texts for the agent.
///
/// Each text continues a sentence which says that the command did not run: it gives the reason and starts in lower case.
///
/// ```
/// use drawloom_consent::ConsentWording;
///
/// let wording = ConsentWording::default().refused("Ada declined");
/// assert_eq!(wording.never, "agents may not run this command");
/// assert_eq!(wording.refused, "Ada declined");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConsentWording {
    /// Why a command that states `never` did not run.
    pub never: String,
    /// Why a call that the user declined did not run. If the user gave a reason, a colon and the reason follow.
    pub refused: String,
    /// Why a call did not run if asking failed. A colon and the error follow.
    pub errored: String,
    /// Why a call did not run if the question was cancelled.
    pub cancelled: String,
    /// Why a call did not run if nobody answered in time.
    pub timed_out: String,
    /// Why a call did not run if the code that asks panicked.
    pub panicked: String,
}

impl Default for ConsentWording {
    fn default() -> Self {
        Self {
            never: "agents may not run this command".into(),
            refused: "the user declined the call".into(),
            errored: "the confirmation failed".into(),
            cancelled: "the confirmation was cancelled".into(),
            timed_out: "the confirmation timed out".into(),
            panicked: "the confirmation panicked".into(),
        }
    }
}

impl ConsentWording {
    /// The default texts. The same as [`ConsentWording::default`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets why a command that states `never` did not run.
    #[must_use]
    pub fn never(mut self, never: impl Into<String>) -> Self {
        self.never = never.into();
        self
    }

    /// Sets why a call that the user declined did not run.
    #[must_use]
    pub fn refused(mut self, refused: impl Into<String>) -> Self {
        self.refused = refused.into();
        self
    }

    /// Sets why a call did not run if asking failed.
    #[must_use]
    pub fn errored(mut self, errored: impl Into<String>) -> Self {
        self.errored = errored.into();
        self
    }

    /// Sets why a call did not run if the question was cancelled.
    #[must_use]
    pub fn cancelled(mut self, cancelled: impl Into<String>) -> Self {
        self.cancelled = cancelled.into();
        self
    }

    /// Sets why a call did not run if nobody answered in time.
    #[must_use]
    pub fn timed_out(mut self, timed_out: impl Into<String>) -> Self {
        self.timed_out = timed_out.into();
        self
    }

    /// Sets why a call did not run if the code that asks panicked.
    #[must_use]
    pub fn panicked(mut self, panicked: impl Into<String>) -> Self {
        self.panicked = panicked.into();
        self
    }

    /// The decision about a command that states `never`.
    pub(crate) fn decide_never(&self) -> Decision {
        Decision::Decline { reason: self.never.clone() }
    }

    /// The decision about a call for which the application's rule panicked.
    pub(crate) fn decide_rule_panicked(&self) -> Decision {
        Decision::Decline { reason: "the consent rule panicked".into() }
    }

    /// The decision that an answer leads to.
    pub(crate) fn decide(&self, answer: Answer) -> Decision {
        match answer {
            Answer::Panicked => Decision::Decline { reason: self.panicked.clone() },
            Answer::Given(response) => self.decision(response.confirmation),
        }
    }

    /// The decision that a confirmation leads to, in these words. The policy uses it; a hook that asks by itself may use it too.
    ///
    /// ```
    /// use drawloom_command::Decision;
    /// use drawloom_consent::{Confirmation, ConsentWording};
    ///
    /// let decision = ConsentWording::default().decision(Confirmation::NoBecause("not today".into()));
    /// assert_eq!(decision, Decision::Decline { reason: "the user declined the call: not today".into() });
    /// ```
    pub fn decision(&self, confirmation: Confirmation) -> Decision {
        let reason = match confirmation {
            Confirmation::Yes => return Decision::Run,
            Confirmation::YesWith(arguments) => return Decision::RunWith(arguments),
            Confirmation::No => self.refused.clone(),
            Confirmation::NoBecause(why) => followed_by(&self.refused, &why),
            Confirmation::Errored(error) => followed_by(&self.errored, &error),
            Confirmation::Cancelled => self.cancelled.clone(),
            Confirmation::TimedOut => self.timed_out.clone(),
        };
        Decision::Decline { reason }
    }
}

fn followed_by(start: &str, why: &str) -> String {
    match why.trim() {
        "" => start.to_owned(),
        why => format!("{start}: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(wording: &ConsentWording, confirmation: Confirmation) -> String {
        match wording.decide(Answer::Given(confirmation.into())) {
            Decision::Decline { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_no_is_worded_by_the_application_and_the_reason_follows() {
        let wording = ConsentWording::new().refused("Ada declined");
        assert_eq!(told(&wording, Confirmation::No), "Ada declined");
        assert_eq!(told(&wording, Confirmation::NoBecause("not today".into())), "Ada declined: not today");
    }

    #[test]
    fn a_blank_reason_adds_nothing() {
        let wording = ConsentWording::new();
        assert_eq!(told(&wording, Confirmation::NoBecause(" ".into())), "the user declined the call");
        assert_eq!(told(&wording, Confirmation::Errored(String::new())), "the confirmation failed");
    }

    #[test]
    fn what_happened_to_a_confirmation_is_worded() {
        let wording = ConsentWording::new().refused("Ada declined");
        assert_eq!(
            told(&wording, Confirmation::Errored("no window".into())),
            "the confirmation failed: no window"
        );
        assert_eq!(told(&wording, Confirmation::Cancelled), "the confirmation was cancelled");
        assert_eq!(told(&wording, Confirmation::TimedOut), "the confirmation timed out");
        assert_eq!(
            wording.decide(Answer::Panicked),
            Decision::Decline { reason: "the confirmation panicked".into() }
        );
    }

    #[test]
    fn every_text_is_the_applications_to_choose() {
        let wording = ConsentWording::new()
            .errored("die Rückfrage schlug fehl")
            .cancelled("die Rückfrage wurde abgebrochen")
            .timed_out("niemand hat geantwortet")
            .panicked("die Rückfrage stürzte ab");
        assert_eq!(
            told(&wording, Confirmation::Errored("kein Fenster".into())),
            "die Rückfrage schlug fehl: kein Fenster"
        );
        assert_eq!(told(&wording, Confirmation::Cancelled), "die Rückfrage wurde abgebrochen");
        assert_eq!(told(&wording, Confirmation::TimedOut), "niemand hat geantwortet");
        assert_eq!(
            wording.decide(Answer::Panicked),
            Decision::Decline { reason: "die Rückfrage stürzte ab".into() }
        );
    }
}
