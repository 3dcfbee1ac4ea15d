//! The state of one run, except for its calls, which are in the ledger of the adapter.

use std::collections::{HashMap, HashSet};

use drawloom_ag_ui::Tool;

use crate::conversation::Interrupt;
use crate::limits::Usage;
use crate::update::RunEnd;

/// The limit on lanes for which the last text is remembered, so that a chunk without an id can continue it.
const LANES: usize = 128;

/// The current run, or the state before the first run.
#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) id: String,
    /// The tools in its input.
    offered: HashSet<String>,
    texts: TextLanes,
    /// The closed calls of which an event was lost or damaged.
    torn: HashSet<String>,
    /// The questions asked outside the protocol. They count if the end of the run asks nothing.
    pub(crate) asked_by_dialect: Vec<Interrupt>,
    /// What the run has sent so far, and the number of messages before it.
    pub(crate) usage: Usage,
    messages_before: usize,
    /// How the run ended, if it has ended.
    pub(crate) end: Option<RunEnd>,
    /// The number of answers that were not sent to the agent yet.
    pub(crate) pending_answers: usize,
}

/// The message that the last text of the agent, and of each subagent, belongs to.
#[derive(Debug, Default)]
struct TextLanes {
    last: HashMap<String, String>,
    /// The number of lanes that began a text without an id.
    nameless: usize,
}

impl Run {
    pub(crate) fn new(id: String, tools: &[Tool], messages_before: usize) -> Self {
        let offered = tools.iter().map(|tool| tool.name.clone()).collect();
        Self { id, offered, messages_before, ..Self::default() }
    }

    /// Records the number of messages in the conversation.
    pub(crate) fn note_messages(&mut self, messages: usize) {
        self.usage.messages = messages.saturating_sub(self.messages_before);
    }

    /// Another run begins in the same stream.
    pub(crate) fn begin_another(&mut self) {
        self.asked_by_dialect.clear();
        self.texts.last.clear();
        self.end = None;
    }

    /// Marks a closed call as incomplete.
    pub(crate) fn note_torn(&mut self, call: &str) {
        self.torn.insert(call.to_owned());
    }

    /// A call begins. It is complete so far.
    pub(crate) fn note_opened(&mut self, call: &str) {
        self.torn.remove(call);
    }

    pub(crate) fn is_torn(&self, call: &str) -> bool {
        self.torn.contains(call)
    }

    pub(crate) fn offers(&self, tool: &str) -> bool {
        self.offered.contains(tool)
    }

    /// The message that a text belongs to: the one that it names, or the last one of its lane.
    pub(crate) fn text_message(&mut self, named: Option<&str>, subagent: Option<&str>) -> String {
        let lane = subagent.unwrap_or_default();
        match (named, self.texts.last.get_mut(lane)) {
            (Some(named), Some(last)) => {
                if last != named {
                    named.clone_into(last);
                }
                named.to_owned()
            }
            (None, Some(last)) => last.clone(),
            (named, None) => {
                let id = named.map_or_else(
                    || {
                        self.texts.nameless += 1;
                        format!("{}-text-{}", self.id, self.texts.nameless)
                    },
                    ToOwned::to_owned,
                );
                if self.texts.last.len() >= LANES {
                    self.texts.last.clear();
                }
                self.texts.last.insert(lane.to_owned(), id.clone());
                id
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_an_id_continues_the_last_text_of_its_lane() {
        let mut run = Run::default();
        assert_eq!(run.text_message(Some("m1"), None), "m1");
        assert_eq!(run.text_message(Some("m2"), Some("s")), "m2");
        assert_eq!(run.text_message(None, None), "m1");
        assert_eq!(run.text_message(None, Some("s")), "m2");
        let (third, fourth) = (run.text_message(None, Some("t")), run.text_message(None, Some("u")));
        assert_ne!(third, fourth);
        assert_eq!(run.text_message(None, Some("t")), third);
        run.begin_another();
        assert_ne!(run.text_message(None, None), "m1");
        assert_ne!(run.text_message(None, Some("t")), third);
    }

    #[test]
    fn the_number_of_lanes_is_bounded() {
        let mut run = Run::default();
        for lane in 0..10_000 {
            run.text_message(None, Some(&lane.to_string()));
        }
        assert!(run.texts.last.len() <= LANES);
    }
}
