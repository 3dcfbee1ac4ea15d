//! The records that a product keeps: what a hook decided about a call, and what became of each invocation.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use drawloom_command::{CallOrigin, CommandArguments, CommandId, CommandOutcome, Decision, PendingCall};
use serde::{Serialize, Serializer};

use crate::authorize::Cause;
use crate::principal::Caller;
use crate::session::Person;

/// Takes the records of a workbench. A closure that takes an `&AuditRecord` is an audit sink.
///
/// There is a record of each decision of a hook about a call, and one of each invocation, also of those that were refused.
/// A workbench numbers its records; see [`AuditRecord::sequence`].
///
/// ```
/// use drawloom_command::Decision;
/// use drawloom_workbench::{AuditEvent, AuditRecord, SystemClock, Workbench};
///
/// let builder = Workbench::builder().clock(SystemClock::new()).audit(|record: &AuditRecord| {
///     let person = record.person.as_ref().map_or("nobody", |person| person.id.as_str());
///     let call = record.origin.call_id.as_deref().unwrap_or("no call");
///     match &record.event {
///         AuditEvent::Decision { decision: Some(Decision::Decline { reason }), .. } => {
///             println!("{} {person} {call}: {} was declined: {reason}", record.sequence, record.command);
///         }
///         AuditEvent::Decision { .. } => println!("{} {person} {call}: decided", record.sequence),
///         AuditEvent::Invocation { outcome, .. } => {
///             println!("{} {person} {call}: {} {outcome:?}", record.sequence, record.command);
///         }
///         // More kinds of events may be added.
///         _ => {}
///     }
/// });
/// # let _ = builder;
/// ```
pub trait AuditSink: Send + Sync {
    /// Takes one record. It is called where the record is made, so slow work belongs behind a channel. Several threads may
    /// call it at once.
    fn record(&self, record: &AuditRecord);
}

impl<F: Fn(&AuditRecord) + Send + Sync> AuditSink for F {
    fn record(&self, record: &AuditRecord) {
        self(record);
    }
}

/// One record: when and for whom something happened to a call of a command, and what.
///
/// Its serialized form is one flat object, except for the origin and the outcome. `event` is `decision` or `invocation`:
///
/// ```
/// # use std::sync::Mutex;
/// use drawloom_workbench::{AuditRecord, Workbench};
///
/// # static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// # let write = |line: String| WRITTEN.lock().unwrap().push(line);
/// let workbench = Workbench::builder()
///     .audit(move |record: &AuditRecord| write(serde_json::to_string(record).unwrap_or_default()))
///     .build();
/// futures::executor::block_on(workbench.trigger("notes.ghost"));
/// # let written = WRITTEN.lock().unwrap().pop().unwrap();
/// assert_eq!(
///     written,
///     concat!(
///         r#"{"sequence":1,"caller":"person","command":"notes.ghost","arguments":{},"event":"invocation","#,
///         r#""outcome":{"outcome":"refused","reason":"unavailable","message":"no such command is available"},"#,
///         r#""cause":"unknown","depth":1}"#,
///     ),
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditRecord {
    /// The number of the record: 1 for the first one of the workbench, and one more for each record after it. A number that
    /// is missing is a record that was lost.
    ///
    /// The record of a decision has a smaller number than the record of the invocation that followed it. Numbers are given out
    /// by each workbench, from 1 after each start.
    pub sequence: u64,
    /// When the record was made. `None` if the workbench has no clock that tells the time of day.
    ///
    /// Its serialized form is `timeMs`: milliseconds since 1970-01-01 00:00 UTC.
    #[serde(
        rename = "timeMs",
        serialize_with = "unix_milliseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub time: Option<SystemTime>,
    /// Who asked.
    pub caller: Caller,
    /// The person whom the call serves. `None` if nobody is signed in, or if the session does not say who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// Where the call comes from, and the basis of the hook's decision: how it was decided, who approved or declined it, which
    /// text this person was shown, and why. Empty for triggers of the person and for invocations by plugins.
    #[serde(skip_serializing_if = "is_empty")]
    pub origin: CallOrigin,
    /// The command. If a call names something that is not offered, the name as far as it can be read.
    pub command: CommandId,
    /// The arguments. Those of a decision are the ones that were asked for, those of an invocation the ones with which the command
    /// ran (with the defaults of what was omitted), or would have run. Secret ones are left out.
    pub arguments: CommandArguments,
    /// The names of the secret arguments that were given. Their values are not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Arc<str>>,
    /// What happened.
    #[serde(flatten)]
    pub event: AuditEvent,
}

/// What happened to a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AuditEvent {
    /// The hook before the call decided, or the call was cancelled before it did. The invocation, if there is one, has a record
    /// of its own with the same call id.
    #[non_exhaustive]
    Decision {
        /// What the decision was about.
        subject: DecisionSubject,
        /// The decision. `None` if the call was cancelled before the hook decided.
        ///
        /// Its serialized form is a name, `run`, `run-with`, `decline`, `answer` or `cancelled`, together with `edited` (the
        /// arguments of `run-with`), `reason` (of `decline`) or `content` (of `answer`).
        #[serde(flatten, serialize_with = "flat_decision")]
        decision: Option<Decision>,
    },
    /// The workbench decided about an invocation, and the command ran if it was not refused.
    #[non_exhaustive]
    Invocation {
        /// The outcome, as the caller was told. A command that was cancelled is serialized with the outcome `cancelled`, so that a
        /// record tells it from one that failed.
        #[serde(serialize_with = "outcome_name_and_parts")]
        outcome: CommandOutcome,
        /// Why the call was refused, which the caller is not told. `None` if it was not refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
        /// The depth in a chain of commands: 1 for the first.
        depth: u32,
        /// How long the call took. `None` if the workbench was not given a clock.
        ///
        /// Its serialized form is `durationUs`, in microseconds.
        #[serde(
            rename = "durationUs",
            serialize_with = "microseconds",
            skip_serializing_if = "Option::is_none"
        )]
        duration: Option<Duration>,
    },
}

/// What a hook decided about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DecisionSubject {
    /// A call to a command that is offered.
    Command,
    /// A call to something that is not offered. It never runs.
    NotOffered,
    /// A call of the agent to a tool of its own, about which the agent asked. It runs no command of the workbench.
    Approval,
}

impl DecisionSubject {
    pub(crate) fn of(call: &PendingCall) -> Self {
        match (&call.approval, call.registration) {
            (Some(_), _) => Self::Approval,
            (None, Some(_)) => Self::Command,
            (None, None) => Self::NotOffered,
        }
    }

    /// The name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::NotOffered => "not-offered",
            Self::Approval => "approval",
        }
    }
}

impl AuditRecord {
    /// The outcome, if this is the record of an invocation.
    pub fn outcome(&self) -> Option<&CommandOutcome> {
        match &self.event {
            AuditEvent::Invocation { outcome, .. } => Some(outcome),
            AuditEvent::Decision { .. } => None,
        }
    }

    /// Why an invocation was refused, if this is the record of one that was.
    pub fn cause(&self) -> Option<Cause> {
        match &self.event {
            AuditEvent::Invocation { cause, .. } => *cause,
            AuditEvent::Decision { .. } => None,
        }
    }

    /// The depth of an invocation in a chain of commands, 1 for the first, if this is the record of one.
    pub fn depth(&self) -> Option<u32> {
        match &self.event {
            AuditEvent::Invocation { depth, .. } => Some(*depth),
            AuditEvent::Decision { .. } => None,
        }
    }

    /// How long an invocation took, if this is the record of one and the workbench has a clock.
    pub fn duration(&self) -> Option<Duration> {
        match &self.event {
            AuditEvent::Invocation { duration, .. } => *duration,
            AuditEvent::Decision { .. } => None,
        }
    }

    /// The decision of the hook, if this is the record of one.
    pub fn decision(&self) -> Option<&Decision> {
        match &self.event {
            AuditEvent::Decision { decision, .. } => decision.as_ref(),
            AuditEvent::Invocation { .. } => None,
        }
    }
}

fn is_empty(origin: &CallOrigin) -> bool {
    *origin == CallOrigin::default()
}

/// As on the wire, but a command that was cancelled has its own name.
fn outcome_name_and_parts<S: Serializer>(outcome: &CommandOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Cancelled<'a> {
        outcome: &'static str,
        message: &'a str,
    }

    match outcome {
        CommandOutcome::Failed(failure) if failure.is_cancelled() => {
            Cancelled { outcome: outcome.name(), message: &failure.message }.serialize(serializer)
        }
        _ => outcome.serialize(serializer),
    }
}

fn unix_milliseconds<S: Serializer>(time: &Option<SystemTime>, serializer: S) -> Result<S::Ok, S::Error> {
    let milliseconds = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    let time = time.map(|time| match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => milliseconds(since),
        Err(before) => -milliseconds(before.duration()),
    });
    time.serialize(serializer)
}

fn microseconds<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    let microseconds = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    duration.map(microseconds).serialize(serializer)
}

fn flat_decision<S: Serializer>(decision: &Option<Decision>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Flat<'a> {
        decision: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        edited: Option<&'a CommandArguments>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a str>,
    }

    let mut flat = Flat {
        decision: decision.as_ref().map_or("cancelled", Decision::as_str),
        edited: None,
        reason: None,
        content: None,
    };
    match decision {
        Some(Decision::RunWith(arguments)) => flat.edited = Some(arguments),
        Some(Decision::Decline { reason }) => flat.reason = Some(reason),
        Some(Decision::Answer { content }) => flat.content = Some(content),
        Some(Decision::Run) | None => {}
    }
    flat.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(time: Option<SystemTime>, event: AuditEvent) -> serde_json::Value {
        let record = AuditRecord {
            sequence: 7,
            time,
            caller: Caller::Person,
            person: Some(Person::new("ada").name("Ada")),
            origin: CallOrigin::default(),
            command: "notes.open".into(),
            arguments: CommandArguments::new().with("path", "inbox"),
            left_out: Vec::new(),
            event,
        };
        serde_json::to_value(&record).unwrap()
    }

    #[test]
    fn a_decision_is_written_as_its_name_and_its_parts() {
        let other = CommandArguments::new().with("path", "drafts");
        let decisions = [
            (None, serde_json::json!({ "decision": "cancelled" })),
            (Some(Decision::Run), serde_json::json!({ "decision": "run" })),
            (
                Some(Decision::RunWith(other)),
                serde_json::json!({ "decision": "run-with", "edited": { "path": "drafts" } }),
            ),
            (
                Some(Decision::Decline { reason: "no".into() }),
                serde_json::json!({ "decision": "decline", "reason": "no" }),
            ),
            (
                Some(Decision::Answer { content: "42".into() }),
                serde_json::json!({ "decision": "answer", "content": "42" }),
            ),
        ];
        for (decision, expected) in decisions {
            let mut written =
                record(None, AuditEvent::Decision { subject: DecisionSubject::NotOffered, decision });
            let object = written.as_object_mut().unwrap();
            let shared: Vec<_> = ["sequence", "caller", "person", "command", "arguments", "event", "subject"]
                .iter()
                .filter_map(|name| object.remove(*name))
                .collect();
            assert_eq!(
                shared,
                [
                    serde_json::json!(7),
                    serde_json::json!("person"),
                    serde_json::json!({ "id": "ada", "name": "Ada" }),
                    serde_json::json!("notes.open"),
                    serde_json::json!({ "path": "inbox" }),
                    serde_json::json!("decision"),
                    serde_json::json!("not-offered"),
                ]
            );
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn times_are_whole_numbers_with_their_unit_in_the_name() {
        let after = SystemTime::UNIX_EPOCH + Duration::from_millis(1_500);
        let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1_500);
        for (time, expected) in [(after, 1_500), (before, -1_500)] {
            let invocation = AuditEvent::Invocation {
                outcome: CommandOutcome::Answered { value: None },
                cause: None,
                depth: 1,
                duration: Some(Duration::from_micros(250)),
            };
            let written = record(Some(time), invocation);
            assert_eq!(written["timeMs"], expected);
            assert_eq!(written["durationUs"], 250);
            assert_eq!(written["event"], "invocation");
        }
    }
}
