//! The records of one workbench, numbered in the order in which they are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use drawloom_command::{CallOrigin, CommandArguments, CommandId};

use crate::audit::event::{AuditEvent, AuditRecord, AuditSink};
use crate::contain::{DropContained, contained};
use crate::ports::Ports;
use crate::principal::Caller;
use crate::session::Person;

/// Where the records of one workbench go. The sink may be shared with other workbenches, the numbers are not.
pub(crate) struct AuditStream {
    sink: DropContained<Arc<dyn AuditSink>>,
    made: AtomicU64,
}

/// What a record says, apart from its number and its time.
pub(crate) struct Entry {
    pub(crate) caller: Caller,
    pub(crate) person: Option<Person>,
    pub(crate) origin: CallOrigin,
    pub(crate) command: CommandId,
    /// Those that are marked as secret are left out of the record.
    pub(crate) arguments: CommandArguments,
    pub(crate) event: AuditEvent,
}

impl AuditStream {
    pub(crate) fn new(sink: DropContained<Arc<dyn AuditSink>>) -> Self {
        Self { sink, made: AtomicU64::new(0) }
    }

    /// Gives the sink a record of this, and gives back what happened.
    pub(crate) fn write(&self, ports: &Ports, entry: Entry) -> AuditEvent {
        let Entry { caller, person, origin, command, arguments, event } = entry;
        let time = ports.time_of_day();
        let sequence = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let left_out = arguments.secret_names().map(Arc::from).collect();
        let arguments = arguments.without_secrets();
        let record =
            AuditRecord { sequence, time, caller, person, origin, command, arguments, left_out, event };
        if let Some(sink) = self.sink.get() {
            let _ = contained("audit sink", || sink.record(&record));
        }
        record.event
    }
}
