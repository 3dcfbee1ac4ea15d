//! The events of a run, its steps and its subagents.

use std::borrow::Cow;

use serde::ser::SerializeMap;

use crate::protocol::decode::{Read, Reader};
use crate::protocol::member::{IntoOwned, Member, Members, members, read_list};
use crate::protocol::outcome::{ReadOutcome, WrittenOutcome};
use crate::protocol::{Json, Message, RunOutcome, SubagentOutcome, TokenUsage};

members! {
    /// A run begins.
    pub struct RunStarted<'a> {
        /// The conversation that the run belongs to; empty where the agent does not say.
        thread_id: Cow<'a, str> = "threadId",
        /// The run; empty where the agent does not say.
        run_id: Cow<'a, str> = "runId",
        /// The version of the protocol that the agent speaks.
        protocol_version: Option<Cow<'a, str>> = "protocolVersion",
        /// The run that this one continues.
        parent_run_id: Option<Cow<'a, str>> = "parentRunId",
        /// The input of the run, as raw text.
        input: Option<Json<'a>> = "input",
    }
}

impl RunStarted<'_> {
    /// The messages of the run's input, read from its raw text. Empty where the agent did not send them.
    pub fn input_messages(&self) -> Vec<Message<'_>> {
        let Some(input) = &self.input else { return Vec::new() };
        read_messages(&mut Reader::new(input.get())).unwrap_or_default()
    }
}

fn read_messages<'a>(reader: &mut Reader<'a>) -> Read<Vec<Message<'a>>> {
    let mut messages = Vec::new();
    let mut inside = reader.object()?;
    while let Some(name) = reader.key(&mut inside)? {
        if name == "messages" {
            messages = read_list(reader, Message::read)?;
        } else {
            reader.skip()?;
        }
    }
    Ok(messages)
}

/// A run ended, and not in an error.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunFinished<'a> {
    /// The conversation that the run belongs to, unless it is absent, null or empty.
    pub thread_id: Option<Cow<'a, str>>,
    /// The run, unless it is absent, null or empty.
    pub run_id: Option<Cow<'a, str>>,
    /// How it ended.
    pub outcome: RunOutcome<'a>,
    /// Members of the outcome that this version does not know, in order.
    pub outcome_extra: Vec<(Cow<'a, str>, Json<'a>)>,
    /// What came out of it.
    pub result: Option<Json<'a>>,
    /// How many tokens it took.
    pub usage: Vec<TokenUsage<'a>>,
}

impl<'a> Members<'a> for RunFinished<'a> {
    fn read_member(&mut self, name: &str, reader: &mut Reader<'a>) -> Read<bool> {
        match name {
            "threadId" => self.thread_id = Member::read(reader)?,
            "runId" => self.run_id = Member::read(reader)?,
            "outcome" => {
                let ReadOutcome { outcome, extra } = ReadOutcome::read(reader)?;
                (self.outcome, self.outcome_extra) = (outcome, extra);
            }
            "result" => self.result = Member::read(reader)?,
            "usage" => self.usage = Member::read(reader)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn write_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        Member::write(&self.thread_id, "threadId", map)?;
        Member::write(&self.run_id, "runId", map)?;
        let outcome = WrittenOutcome { outcome: &self.outcome, extra: &self.outcome_extra };
        if !outcome.is_plain() {
            map.serialize_entry("outcome", &outcome)?;
        }
        Member::write(&self.result, "result", map)?;
        Member::write(&self.usage, "usage", map)
    }
}

impl RunFinished<'_> {
    /// The value on its own, which borrows nothing.
    pub fn into_owned(self) -> RunFinished<'static> {
        IntoOwned::into_owned(self)
    }
}

impl IntoOwned for RunFinished<'_> {
    type Owned = RunFinished<'static>;
    fn into_owned(self) -> RunFinished<'static> {
        RunFinished {
            thread_id: IntoOwned::into_owned(self.thread_id),
            run_id: IntoOwned::into_owned(self.run_id),
            outcome: IntoOwned::into_owned(self.outcome),
            outcome_extra: IntoOwned::into_owned(self.outcome_extra),
            result: IntoOwned::into_owned(self.result),
            usage: IntoOwned::into_owned(self.usage),
        }
    }
}

members! {
    /// A run failed.
    pub struct RunError<'a> {
        /// Why.
        message: Cow<'a, str> = "message",
        /// The agent's code of the error.
        code: Option<Cow<'a, str>> = "code",
        /// How many tokens the run took.
        usage: Vec<TokenUsage<'a>> = "usage",
    }
}

members! {
    /// A named step of a run begins.
    pub struct StepStarted<'a> {
        /// The step.
        step_name: Cow<'a, str> = "stepName",
    }
}

members! {
    /// A named step of a run ended.
    pub struct StepFinished<'a> {
        /// The step.
        step_name: Cow<'a, str> = "stepName",
    }
}

members! {
    /// A subagent begins. Its run is the event's `subagent_run_id`.
    pub struct SubagentStarted<'a> {
        /// The name of the subagent.
        name: Cow<'a, str> = "name",
        /// What it does.
        description: Option<Cow<'a, str>> = "description",
        /// The subagent that started it.
        parent_subagent_run_id: Option<Cow<'a, str>> = "parentSubagentRunId",
        /// The call that started it.
        parent_tool_call_id: Option<Cow<'a, str>> = "parentToolCallId",
        /// The message that it belongs to.
        parent_message_id: Option<Cow<'a, str>> = "parentMessageId",
    }
}

members! {
    /// A subagent's part of the run ended. Its run is the event's `subagent_run_id`; without one, the event is about no
    /// subagent, and not about the agent itself.
    pub struct SubagentFinished<'a> {
        /// How it ended.
        outcome: SubagentOutcome<'a> = "outcome",
        /// What came out of it.
        result: Option<Json<'a>> = "result",
    }
}

members! {
    /// A subagent failed; the run may continue. Its run is the event's `subagent_run_id`; without one, the event is
    /// about no subagent, and not about the agent itself.
    pub struct SubagentError<'a> {
        /// Why.
        message: Cow<'a, str> = "message",
        /// The agent's code of the error.
        code: Option<Cow<'a, str>> = "code",
    }
}
