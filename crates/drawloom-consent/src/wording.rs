//! What the agent is told where a call does not run.

use drawloom_command::Decision;

use crate::asking::Answer;
use crate::confirmation::Confirmation;

/// The product's words for what the agent is told.
///
/// Each continues a sentence which says that the command did not run, and so starts in lower case and says why.
///
/// ```
/// use drawloom_consent::ConsentWording;
///
/// let wording = ConsentWording::default().refused("Ada said no");
/// assert_eq!(wording.never, "this command does not act on an agent's word");
/// assert_eq!(wording.refused, "Ada said no");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConsentWording {
    /// Why a command that states `never` did not run.
    pub never: String,
    /// Why a call the person said no to did not run. Where the person gave a reason, a colon and the reason follow.
    pub refused: String,
}

impl Default for ConsentWording {
    fn default() -> Self {
        Self {
            never: "this command does not act on an agent's word".into(),
            refused: "the person said no".into(),
        }
    }
}

impl ConsentWording {
    /// The default words. The same as [`ConsentWording::default`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Words a `never`.
    #[must_use]
    pub fn never(mut self, never: impl Into<String>) -> Self {
        self.never = never.into();
        self
    }

    /// Words a no.
    #[must_use]
    pub fn refused(mut self, refused: impl Into<String>) -> Self {
        self.refused = refused.into();
        self
    }

    /// The decision about a command that states `never`.
    pub(crate) fn decide_never(&self) -> Decision {
        Decision::Decline { reason: self.never.clone() }
    }

    /// The decision an answer comes to.
    pub(crate) fn decide(&self, answer: Answer) -> Decision {
        let reason = match answer {
            Answer::Given(Confirmation::Yes) => return Decision::Run,
            Answer::Given(Confirmation::YesWith(arguments)) => return Decision::RunWith(arguments),
            Answer::Given(Confirmation::No) => self.refused.clone(),
            Answer::Given(Confirmation::NoBecause(why)) => followed_by(&self.refused, &why),
            Answer::Given(Confirmation::Errored(how)) => followed_by("the confirmation failed", &how),
            Answer::Given(Confirmation::Cancelled) => "the confirmation was cancelled".into(),
            Answer::Given(Confirmation::TimedOut) => "the confirmation timed out".into(),
            Answer::Broke => "the confirmation broke".into(),
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
        match wording.decide(Answer::Given(confirmation)) {
            Decision::Decline { reason } => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_no_is_worded_by_the_product_and_the_reason_follows() {
        let wording = ConsentWording::new().refused("Ada said no");
        assert_eq!(told(&wording, Confirmation::No), "Ada said no");
        assert_eq!(told(&wording, Confirmation::NoBecause("not today".into())), "Ada said no: not today");
    }

    #[test]
    fn a_reason_of_nothing_adds_nothing() {
        let wording = ConsentWording::new();
        assert_eq!(told(&wording, Confirmation::NoBecause(" ".into())), "the person said no");
        assert_eq!(told(&wording, Confirmation::Errored(String::new())), "the confirmation failed");
    }

    #[test]
    fn what_went_wrong_is_worded_as_what_it_was() {
        let wording = ConsentWording::new().refused("Ada said no");
        assert_eq!(
            told(&wording, Confirmation::Errored("no window".into())),
            "the confirmation failed: no window"
        );
        assert_eq!(told(&wording, Confirmation::Cancelled), "the confirmation was cancelled");
        assert_eq!(told(&wording, Confirmation::TimedOut), "the confirmation timed out");
        assert_eq!(
            wording.decide(Answer::Broke),
            Decision::Decline { reason: "the confirmation broke".into() }
        );
    }
}
