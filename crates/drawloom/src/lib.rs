#![doc = include_str!("../README.md")]
//!
//! # The modules
//!
//! This crate has no code of its own. It re-exports the layers, so that an application needs one dependency. If you need
//! less, depend on less: on `drawloom-command` to declare commands in a library, on `drawloom-workbench` without any
//! protocol, on `drawloom-tools` to call the API of a model directly.

/// The command model: declarations, arguments, answers, outcomes.
pub mod command {
    pub use drawloom_command::*;
    #[cfg(feature = "derive")]
    pub use drawloom_derive::{Choice, CommandArguments};
}

/// The workbench: registry, plugins, grants, sessions, windows, and the decision whether a command may run.
pub mod workbench {
    pub use drawloom_workbench::*;
}

/// AG-UI: the calls of an agent, assembled, executed and answered.
pub mod ag_ui {
    pub use drawloom_ag_ui::*;
}

/// A live agent: transports, the run loop, the conversation.
///
/// A [`Client`](client::Client) is a conversation with an agent. Send a message, and take updates until there are none: the
/// client runs the agent's calls while the agent still sends, and returns the answers until the turn is complete. Nothing
/// runs in the background. Dropping the client drops the connection and all running calls.
///
/// ```
/// use drawloom::client::{Client, Transport, Update};
/// use drawloom::prelude::*;
///
/// async fn converse(agent: impl Transport + 'static, copilot: PluginContext) {
///     // With the feature `http`, the agent is HttpTransport::builder("https://agent.example/ag-ui").build()?
///     let ask_the_user = |call: PendingCall| async move { call.command_id == "notes.open" };
///     let mut client = Client::builder(agent, copilot).confirm(ask_the_user).build();
///     client.send_text("Open my inbox, please.");
///     while let Some(update) = client.next().await {
///         match update {
///             Update::Text { delta, .. } => print!("{delta}"),
///             Update::TurnEnded { end } => println!("[{end}]"),
///             _ => {}
///         }
///     }
/// }
/// ```
///
/// The examples of this module name the layers by their own crates: `drawloom_client` is this module, `drawloom_command`
/// is [`command`], and `drawloom_consent` is [`consent`].
#[cfg(feature = "client")]
pub mod client {
    pub use drawloom_client::*;
}

/// A server that offers commands over the Model Context Protocol.
#[cfg(feature = "mcp")]
pub mod mcp {
    pub use drawloom_mcp::*;
}

/// Commands as the tools of a model: names, definitions, and one call to one outcome.
pub mod tools {
    pub use drawloom_tools::*;
}

/// The consent policy.
pub mod consent {
    pub use drawloom_consent::*;
}

/// What most applications use, under the names of the crates.
pub mod prelude {
    pub use drawloom_ag_ui::CommandTools;
    pub use drawloom_command::{
        AccessRequirement, AgentConsent, Argument, ArgumentValue, BeforeCall, Choice, Command, CommandAccess,
        CommandAnswer, CommandArguments, CommandId, CommandOutcome, Decision, EffectKind, Effects, Failure,
        Number, PendingCall, PluginId, Progress, RefusalReason,
    };
    pub use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse, ConsentPolicy, ConsentWording};
    #[cfg(feature = "derive")]
    pub use drawloom_derive::{Choice, CommandArguments};
    pub use drawloom_workbench::{
        AuditEvent, AuditRecord, AuditSink, Call, Caller, Capability, HandlerError, MenuItem, Notice,
        Notifier, Person, Plugin, PluginContext, Registration, Session, Shortcut, Window, Workbench,
    };
}

/// The guides, so that their code is compiled and run.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../guides/declaring-commands.md")]
    mod declaring_commands {}

    #[cfg(feature = "proptest")]
    #[doc = include_str!("../guides/property-test-your-commands.md")]
    mod property_test_your_commands {}

    #[doc = include_str!("../guides/handlers-on-one-thread.md")]
    mod handlers_on_one_thread {}

    #[doc = include_str!("../guides/handlers-with-state.md")]
    mod handlers_with_state {}

    #[cfg(feature = "client")]
    #[doc = include_str!("../guides/many-people.md")]
    mod many_people {}

    #[doc = include_str!("../guides/palette.md")]
    mod palette {}

    #[doc = include_str!("../guides/permissions-page.md")]
    mod permissions_page {}

    #[doc = include_str!("../guides/translations.md")]
    mod translations {}

    #[cfg(feature = "http")]
    #[doc = include_str!("../guides/connect-an-agent.md")]
    mod connect_an_agent {}

    #[doc = include_str!("../guides/long-work-and-undo.md")]
    mod long_work_and_undo {}

    #[cfg(feature = "mcp")]
    #[doc = include_str!("../guides/connect-over-mcp.md")]
    mod connect_over_mcp {}

    #[doc = include_str!("../guides/wiring-an-application.md")]
    mod wiring_an_application {}
}
