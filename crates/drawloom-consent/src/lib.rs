#![doc = include_str!("../README.md")]
//!
//! # What is asked, and how often
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicUsize, Ordering};
//!
//! use drawloom_command::{
//!     AgentConsent, BeforeCall, CommandArguments, CommandOffer, Decision, PendingCall, RegistrationId,
//! };
//! use drawloom_consent::{Confirmation, ConsentPolicy, ConsentWording};
//!
//! // How the person is asked: here somebody who lets notes be opened, and nothing else.
//! let asked = Arc::new(AtomicUsize::new(0));
//! let count = asked.clone();
//! let policy = ConsentPolicy::new(move |call: PendingCall| {
//!     count.fetch_add(1, Ordering::Relaxed);
//!     async move {
//!         match call.command_id.as_str() {
//!             "notes.open" => Confirmation::Yes,
//!             _ => Confirmation::NoBecause("only reading today".into()),
//!         }
//!     }
//! })
//! .wording(ConsentWording::default().never("agents cannot do this"));
//!
//! let call = |id: &str, states| {
//!     let offer = CommandOffer::new(id.into(), RegistrationId::unique(), states);
//!     PendingCall::new("call-1", &offer, CommandArguments::new())
//! };
//! let declined = |reason: &str| Decision::Decline { reason: reason.into() };
//!
//! # futures::executor::block_on(async {
//! // A yes to `ask` is kept: the person is asked once.
//! let open = call("notes.open", Some(AgentConsent::Ask));
//! assert_eq!(policy.before(&open).await, Decision::Run);
//! assert_eq!(policy.before(&open).await, Decision::Run);
//! assert_eq!(asked.load(Ordering::Relaxed), 1);
//!
//! // Declared anew, it is another registration, and the yes was not for it.
//! assert_eq!(policy.before(&call("notes.open", Some(AgentConsent::Ask))).await, Decision::Run);
//! assert_eq!(asked.load(Ordering::Relaxed), 2);
//!
//! // A no declines, with what the person said.
//! let delete = call("notes.delete", Some(AgentConsent::AskAlways));
//! assert_eq!(policy.before(&delete).await, declined("the person said no: only reading today"));
//! assert_eq!(asked.load(Ordering::Relaxed), 3);
//!
//! // Nobody is asked about the rest.
//! assert_eq!(policy.before(&call("notes.list", None)).await, Decision::Run);
//! let wipe = call("notes.wipe", Some(AgentConsent::Never));
//! assert_eq!(policy.before(&wipe).await, declined("agents cannot do this"));
//! assert_eq!(asked.load(Ordering::Relaxed), 3);
//! # });
//! ```

mod asking;
mod confirmation;
mod memory;
mod policy;
mod question;
#[cfg(test)]
mod tests;
mod wording;

pub use confirmation::{Confirm, Confirmation};
pub use policy::ConsentPolicy;
pub use wording::ConsentWording;
