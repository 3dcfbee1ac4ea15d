//! Ids for the messages that answer calls.
//!
//! A conversation may hold no id twice: some backends keep only the last message of an id. The ids a product, an agent
//! and its backend choose are not enough for that, since runs may repeat their calls' ids, and a run its own. So an id
//! is a digest of everything that tells one run from another, made once a run, and the call's own id; and the same run
//! played again gives the same ids.

use sha2::{Digest, Sha256};

use crate::protocol::ToolCallId;

/// The longest call id that is a part of its message's id as it is, in bytes.
const PLAIN_BYTES: usize = 64;

/// The ids of the messages of one adapter.
#[derive(Debug)]
pub(crate) struct MessageIds {
    runs: u64,
    /// The start of every id of the run.
    start: String,
}

impl MessageIds {
    /// For calls that come before any run.
    pub(crate) fn new() -> Self {
        Self { runs: 0, start: start_of(Sha256::new()) }
    }

    /// For the calls of a run that began.
    pub(crate) fn run_began(&mut self, thread_id: &str, run_id: &str) {
        self.runs += 1;
        let mut run = Sha256::new_with_prefix(self.runs.to_be_bytes());
        for id in [thread_id, run_id] {
            // With its length, so that no two pairs of ids read as one text.
            run.update((id.len() as u64).to_be_bytes());
            run.update(id);
        }
        self.start = start_of(run);
    }

    /// The id of the message that answers a call of this run.
    pub(crate) fn of(&self, call: &ToolCallId) -> String {
        let call = call.as_str();
        if call.len() <= PLAIN_BYTES {
            [&self.start, "-", call].concat()
        } else {
            // Another character where the call's own id would begin: no id of a call reads as the digest of another.
            let digest = Sha256::digest(call);
            format!("{}~{:016x}{:016x}", self.start, digits(&digest, 0), digits(&digest, 8))
        }
    }
}

fn start_of(run: Sha256) -> String {
    format!("result-{:016x}", digits(&run.finalize(), 0))
}

/// Eight bytes of a digest.
fn digits(digest: &[u8], from: usize) -> u64 {
    digest.iter().skip(from).take(8).fold(0, |digits, byte| digits << 8 | u64::from(*byte))
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
            // A long id, another that differs in its last byte, and one that spells the digest of the first.
            id(&[("t", "r")], &"x".repeat(65)),
            id(&[("t", "r")], &format!("{}y", "x".repeat(64))),
            id(&[("t", "r")], &"x".repeat(64)),
            id(&[("t", "r")], id(&[("t", "r")], &"x".repeat(65)).rsplit('~').next().unwrap()),
        ];
        assert_eq!(HashSet::from(ids.clone()).len(), ids.len(), "{ids:?}");
    }

    #[test]
    fn the_same_run_has_the_same_ids_and_none_is_long() {
        let long = "x".repeat(100_000);
        let runs = [(long.as_str(), long.as_str())];
        assert_eq!(id(&runs, &long), id(&runs, &long));
        assert_eq!(id(&runs, &long).len(), "result-".len() + 16 + 1 + 32);
    }
}
