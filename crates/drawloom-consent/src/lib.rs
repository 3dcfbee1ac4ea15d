#![doc = include_str!("../README.md")]
//!
//! # What is asked, and how often
//!
//! A command may state whether an agent may run it without asking the user
//! ([`AgentConsent`](drawloom_command::AgentConsent)). The workbench publishes the statement and does not enforce it.
//! [`ConsentPolicy`] is the hook that acts on it. The application supplies one thing, the way to ask the user
//! ([`Confirm`]):
//!
//! | the command states | the policy |
//! | --- | --- |
//! | `allow`, or nothing | lets the call through without asking |
//! | `ask` | asks, and remembers an approval for the lifetime of the policy |
//! | `ask-always` | asks about every call |
//! | `never` | declines without asking |
//!
//! A [`rule`](ConsentPolicyBuilder::rule) of the application may be stricter than this table, for example about commands that
//! destroy something, and never less strict.
//!
//! Make one policy for each connection: two policies never share an answer, and what a policy remembers ends with it. The
//! policy knows no protocol and no workbench, and contains no executor and no clock.
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
//! // How the user is asked: this user lets notes be opened, and nothing else.
//! let asked = Arc::new(AtomicUsize::new(0));
//! let count = asked.clone();
//! let policy = ConsentPolicy::builder(move |call: PendingCall| {
//!     count.fetch_add(1, Ordering::Relaxed);
//!     async move {
//!         match call.command_id.as_str() {
//!             "notes.open" => Confirmation::Yes,
//!             _ => Confirmation::NoBecause("only reading today".into()),
//!         }
//!     }
//! })
//! .wording(ConsentWording::default().never("agents cannot do this"))
//! .build();
//!
//! let call = |id: &str, states| {
//!     let offer = CommandOffer::new(id.into(), RegistrationId::unique(), states);
//!     PendingCall::new("call-1", &offer, CommandArguments::new())
//! };
//! let declined = |reason: &str| Decision::Decline { reason: reason.into() };
//!
//! # futures::executor::block_on(async {
//! // An approval of an `ask` command is remembered: the user is asked once.
//! let open = call("notes.open", Some(AgentConsent::Ask));
//! assert_eq!(policy.before(&open).await, Decision::Run);
//! assert_eq!(policy.before(&open).await, Decision::Run);
//! assert_eq!(asked.load(Ordering::Relaxed), 1);
//!
//! // Registered again, it is another registration, to which the approval does not apply.
//! assert_eq!(policy.before(&call("notes.open", Some(AgentConsent::Ask))).await, Decision::Run);
//! assert_eq!(asked.load(Ordering::Relaxed), 2);
//!
//! // A no declines, with the reason that the user gave.
//! let delete = call("notes.delete", Some(AgentConsent::AskAlways));
//! assert_eq!(policy.before(&delete).await, declined("the user declined the call: only reading today"));
//! assert_eq!(asked.load(Ordering::Relaxed), 3);
//!
//! // The user is not asked about these.
//! assert_eq!(policy.before(&call("notes.list", None)).await, Decision::Run);
//! let wipe = call("notes.wipe", Some(AgentConsent::Never));
//! assert_eq!(policy.before(&wipe).await, declined("agents cannot do this"));
//! assert_eq!(asked.load(Ordering::Relaxed), 3);
//! # });
//! ```

mod approvals;
mod confirm;
mod policy;
mod question;
mod rule;
#[cfg(test)]
mod tests;
mod wording;

pub use approvals::{Approvals, RememberedApproval};
pub use confirm::{Confirm, Confirmation, ConfirmationResponse};
pub use policy::{ConsentPolicy, ConsentPolicyBuilder};
pub use wording::ConsentWording;
