//! One assembled call on its way to an answer: is it offered, do its arguments read, do they match, what does the
//! hook say, and only then the seam.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use drawloom_command::{
    BeforeCall, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome, Contained,
    Decision, NullArguments, Panicked, PendingCall,
};

use crate::arguments::read_arguments_with;
use crate::assembler::AssembledCall;
use crate::result::{ErrorWords, answered, did_not_run, message_for};
use crate::tool_name::{is_digest_name, is_digest_name_of, plain_command_id};
use crate::wire::{ToolCallId, ToolMessage};

/// What answers calls: every call that is being answered has a clone.
pub(crate) struct Answerer<A> {
    pub(crate) access: Arc<A>,
    pub(crate) settings: Arc<Settings>,
    // Digest names that were resolved. Only the name of a command that is there gets in, so commands bound it.
    digests: Arc<Mutex<HashMap<String, CommandId>>>,
}

/// How calls are answered.
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) hook: Option<Arc<dyn BeforeCall>>,
    pub(crate) errors: ErrorWords,
    pub(crate) nulls: NullArguments,
}

impl<A> Clone for Answerer<A> {
    fn clone(&self) -> Self {
        Self { access: self.access.clone(), settings: self.settings.clone(), digests: self.digests.clone() }
    }
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

impl<A: CommandAccess> Answerer<A> {
    pub(crate) fn new(access: A) -> Self {
        Self { access: Arc::new(access), settings: Arc::default(), digests: Arc::default() }
    }

    /// The command a tool's name stands for, where it is offered at this moment.
    pub(crate) fn offer(&self, name: &str) -> Option<CommandOffer> {
        if let Some(id) = plain_command_id(name) {
            return self.access.offer(&id.into());
        }
        if !is_digest_name(name) {
            return None;
        }
        let digests = || self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        let known = digests().get(name).cloned();
        if let Some(id) = known {
            return self.access.offer(&id);
        }
        let offer = self.access.find(&|id| is_digest_name_of(name, id.as_str()))?;
        digests().insert(name.to_owned(), offer.id.clone());
        Some(offer)
    }

    /// Answers a call; the message's id is the caller's to set. Dropping the future leaves in `progress` how far it came.
    pub(crate) async fn answer(&self, call: AssembledCall, reach: Reach, progress: &Progress) -> ToolMessage {
        let AssembledCall { id, name, arguments } = call;
        let text = match arguments {
            Ok(text) => text,
            Err(unfinished) => {
                tracing::info!(call = %id, tool = %name, reason = unfinished.code(), "call refused");
                return did_not_run(id, &unfinished.to_string(), self.settings.errors);
            }
        };
        let offer = match reach {
            Reach::WhatIsOffered => self.offer(&name),
            Reach::Nothing => None,
        };
        let Some(offer) = offer else {
            // Recorded under the id the agent meant, as far as a name tells.
            let command = plain_command_id(&name).map_or_else(|| CommandId::from(name), CommandId::from);
            return did_not_run(id, &self.access.refuse(&command).message, self.settings.errors);
        };
        let arguments = match read_arguments_with(&text, self.settings.nulls) {
            Ok(arguments) => arguments,
            Err(error) => {
                tracing::info!(call = %id, command = %offer.id, reason = error.code(), "call refused");
                return did_not_run(id, &error.to_string(), self.settings.errors);
            }
        };
        // The text may be large, and what was read of it is all that is needed from here on.
        drop(text);
        match self.decide(&id, &offer, arguments).await {
            Ok(arguments) => {
                progress.0.store(true, Ordering::Release);
                let outcome = self.access.invoke_offered(&offer, arguments).await;
                message_for(id, &outcome, self.settings.errors)
            }
            Err(Instead::Refuse(why)) => did_not_run(id, &why, self.settings.errors),
            Err(Instead::Answer(content)) => answered(id, content),
        }
    }

    /// What the hook makes of the call: the arguments to run with, or what happens instead.
    async fn decide(
        &self,
        id: &ToolCallId,
        offer: &CommandOffer,
        arguments: CommandArguments,
    ) -> Result<CommandArguments, Instead> {
        let Some(hook) = &self.settings.hook else { return Ok(arguments) };
        // Nobody is asked about a call that would be refused anyway.
        self.access.review(offer, &arguments).map_err(|refusal| Instead::Refuse(refusal.message))?;
        let call = PendingCall::new(id.as_str(), offer, arguments);
        let Some(decision) = Contained::start(log_panic, || hook.before(&call)).await else {
            tracing::error!(call = %id, command = %offer.id, "call refused: its hook panicked");
            return Err(Instead::Refuse("what decides about it broke".to_owned()));
        };
        match decision {
            Decision::Run => Ok(call.arguments),
            Decision::RunWith(arguments) => Ok(arguments),
            Decision::Decline { reason } => {
                tracing::info!(call = %id, command = %offer.id, %reason, "call declined");
                Err(Instead::Refuse(reason))
            }
            Decision::Answer { content } => {
                tracing::info!(call = %id, command = %offer.id, "call answered by the hook");
                Err(Instead::Answer(content))
            }
        }
    }

    /// The answer to a call whose own answer was given up on.
    pub(crate) fn abandoned(&self, id: ToolCallId, progress: &Progress) -> ToolMessage {
        if progress.has_reached_seam() {
            let message = "it was cancelled and may have done a part of its work".to_owned();
            message_for(id, &CommandOutcome::Failed { message }, self.settings.errors)
        } else {
            did_not_run(id, "the call was cancelled", self.settings.errors)
        }
    }
}

fn log_panic(panicked: &Panicked) {
    tracing::error!(panic = panicked.message().unwrap_or("not a text"), "the hook before a call panicked");
}

/// What happens instead of the call.
enum Instead {
    Refuse(String),
    Answer(String),
}
