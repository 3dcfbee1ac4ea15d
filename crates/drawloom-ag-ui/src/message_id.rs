//! Ids for the messages that answer calls.
//!
//! A conversation may hold no id twice: some backends keep only the last message of an id. The ids a product, an agent
//! and its backend choose are not enough for that, since runs may repeat their calls' ids, and a run its own. So an id
//! is a digest of everything that tells one call from another, and the same run played again gives the same ids.

use sha2::{Digest, Sha256};

use crate::wire::ToolCallId;

/// The ids of the messages of one adapter.
pub(crate) struct MessageIds {
    runs: u64,
    /// Over everything but the call.
    run: Sha256,
}

impl MessageIds {
    /// For calls that come before any run.
    pub(crate) fn new() -> Self {
        Self { runs: 0, run: Sha256::new() }
    }

    /// For the calls of a run that began.
    pub(crate) fn run_began(&mut self, thread_id: &str, run_id: &str) {
        self.runs += 1;
        self.run = Sha256::new_with_prefix(self.runs.to_be_bytes());
        for id in [thread_id, run_id] {
            // With its length, so that no two pairs of ids read as one text.
            self.run.update((id.len() as u64).to_be_bytes());
            self.run.update(id);
        }
    }

    /// The id of the message that answers a call of this run.
    pub(crate) fn of(&self, call: &ToolCallId) -> String {
        let digest = self.run.clone().chain_update(call.as_str()).finalize();
        let digits = digest.iter().take(16).fold(0_u128, |digits, byte| digits << 8 | u128::from(*byte));
        format!("result-{digits:032x}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn id(runs: &[(&str, &str)], call: &str) -> String {
        let mut ids = MessageIds::new();
        for (thread, run) in runs {
            ids.run_began(thread, run);
        }
        ids.of(&call.into())
    }

    #[test]
    fn whatever_tells_two_calls_apart_tells_their_messages_apart() {
        let ids = [
            id(&[], "c"),
            id(&[("t", "r")], "c"),
            id(&[("t", "r")], "d"),
            id(&[("t", "r"), ("t", "r")], "c"),
            id(&[("t", "s")], "c"),
            id(&[("u", "r")], "c"),
            // Where one id ends and the next begins counts too.
            id(&[("tr", "")], "c"),
            id(&[("", "tr")], "c"),
            id(&[("t", "rc")], ""),
            id(&[("t", "r-1")], "c"),
            id(&[("t", "r")], "1-c"),
        ];
        assert_eq!(HashSet::from(ids.clone()).len(), ids.len(), "{ids:?}");
    }

    #[test]
    fn the_same_run_has_the_same_ids_and_none_is_long() {
        let long = "x".repeat(100_000);
        let runs = [(long.as_str(), long.as_str())];
        assert_eq!(id(&runs, &long), id(&runs, &long));
        assert_eq!(id(&runs, &long).len(), "result-".len() + 32);
    }
}
