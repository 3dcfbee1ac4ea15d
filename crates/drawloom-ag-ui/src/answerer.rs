//! One assembled call on its way to the message that answers it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drawloom_command::{BeforeCall, CommandAccess, NullArguments};
use drawloom_tools::{ErrorPlacement, ExecutionStage, ToolCallRequest, ToolExecutor, ToolResult};

use crate::assembler::AssembledCall;
use crate::result::message_for;
use crate::wire::{ToolCallId, ToolMessage};

/// What answers calls: every call that is being answered has a clone.
#[derive(Clone)]
pub(crate) struct Answerer {
    pub(crate) access: Arc<dyn CommandAccess>,
    pub(crate) settings: Arc<Settings>,
}

/// How calls are answered.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) hook: Option<Arc<dyn BeforeCall>>,
    pub(crate) errors: ErrorPlacement,
    pub(crate) nulls: NullArguments,
}

/// Whether a call has been handed to the seam, where it may have run.
#[derive(Debug, Default)]
pub(crate) struct Progress(AtomicBool);

impl Progress {
    pub(crate) fn has_reached_seam(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What a call may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// What is offered at the moment it is answered.
    WhatIsOffered,
    /// Nothing: it was found to be a call to something that is not offered.
    Nothing,
}

impl Answerer {
    pub(crate) fn new(access: impl CommandAccess + 'static) -> Self {
        Self { access: Arc::new(access), settings: Arc::default() }
    }

    pub(crate) fn executor(&self) -> ToolExecutor {
        let builder = ToolExecutor::builder(self.access.clone()).null_arguments(self.settings.nulls);
        match &self.settings.hook {
            Some(hook) => builder.before(hook.clone()).build(),
            None => builder.build(),
        }
    }

    pub(crate) fn is_offered(&self, name: &str) -> bool {
        self.access.offer_by_tool_name(name).is_some()
    }

    /// Answers a call; the message's id is the caller's to set. Dropping the future leaves in `progress` how far it came.
    pub(crate) async fn answer(&self, call: AssembledCall, reach: Reach, progress: &Progress) -> ToolMessage {
        let AssembledCall { id, name, arguments } = call;
        let text = match arguments {
            Ok(text) => text,
            Err(incomplete) => {
                tracing::info!(call = %id, tool = %name, reason = incomplete.code(), "call refused");
                return message_for(id, &ToolResult::not_run(incomplete.to_string()), self.settings.errors);
            }
        };
        let call = ToolCallRequest::new(id.as_str(), name, text);
        let mut execution = match reach {
            Reach::WhatIsOffered => self.executor().execute(call),
            Reach::Nothing => self.executor().execute_not_offered(call),
        };
        let result = std::future::poll_fn(|cx| {
            let polled = std::pin::Pin::new(&mut execution).poll(cx);
            if execution.stage() == ExecutionStage::Running {
                progress.0.store(true, Ordering::Release);
            }
            polled
        })
        .await;
        message_for(id, &result, self.settings.errors)
    }

    /// The answer to a call whose own answer was given up on.
    pub(crate) fn abandoned(&self, id: ToolCallId, progress: &Progress) -> ToolMessage {
        let stage =
            if progress.has_reached_seam() { ExecutionStage::Running } else { ExecutionStage::Deciding };
        message_for(id, &ToolResult::cancelled(stage), self.settings.errors)
    }
}
