#![doc = include_str!("../../../README.md")]
//!
//! # The modules
//!
//! This crate holds no code of its own: it gathers the layers, so that an application names one dependency. An author
//! who needs less depends on less: `drawloom-command` alone to declare commands in a library, `drawloom-workbench`
//! without any protocol, `drawloom-ag-ui` over an access of one's own.

/// The command model: declarations, arguments, answers, outcomes.
pub mod command {
    pub use drawloom_command::*;
    #[cfg(feature = "derive")]
    pub use drawloom_derive::{Choice, CommandArguments};
}

/// The seam: registry, plugins, grants, sessions, windows, dispatch.
pub mod workbench {
    pub use drawloom_workbench::*;
}

/// AG-UI: an agent's calls assembled, run and answered.
pub mod ag_ui {
    pub use drawloom_ag_ui::*;
}

/// A live agent: transports, the run loop, the conversation.
///
/// A [`Client`](client::Client) is a conversation with an agent. Something is said, and its updates are taken until there
/// are none: the agent runs, its calls run while it speaks, and the answers go back until it comes to rest. Nothing runs by
/// itself; dropping the client drops all of it.
///
/// ```no_run
/// use drawloom::client::{Client, HttpTransport, Update};
/// use drawloom::prelude::*;
///
/// # async fn ask_the_person(_: PendingCall) -> bool { false }
/// # async fn converse(copilot: PluginContext) -> Result<(), Box<dyn std::error::Error>> {
/// let agent = HttpTransport::builder("https://agent.example/ag-ui").bearer("a token").build()?;
/// let mut client = Client::new(agent, copilot).confirm(ask_the_person);
/// client.send_text("Open my inbox, please.");
/// while let Some(update) = client.next().await {
///     match update {
///         Update::Text { delta, .. } => print!("{delta}"),
///         Update::Ended { ending } => println!("[{ending}]"),
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// The examples below name the layers by their own crates: `drawloom_client` is this module, `drawloom_command` is
/// [`command`], `drawloom_consent` is [`consent`].
#[cfg(feature = "client")]
pub mod client {
    pub use drawloom_client::*;
}

/// Commands as the tools of a model: names, definitions, and one call to one outcome.
pub mod tools {
    pub use drawloom_tools::*;
}

/// The consent policy.
pub mod consent {
    pub use drawloom_consent::*;
}

/// What most applications use, under the names they are used by.
pub mod prelude {
    pub use drawloom_ag_ui::CommandTools;
    pub use drawloom_command::{
        AccessRequirement, AgentConsent, Argument, ArgumentValue, BeforeCall, Choice, Command, CommandAccess,
        CommandAnswer, CommandArguments, CommandId, CommandOutcome, Decision, Number, PendingCall, PluginId,
        RefusalReason,
    };
    pub use drawloom_consent::{Confirm, Confirmation, ConfirmationResponse, ConsentPolicy, ConsentWording};
    #[cfg(feature = "derive")]
    pub use drawloom_derive::{Choice, CommandArguments};
    pub use drawloom_workbench::{
        AuditRecord, AuditSink, Call, Caller, Capability, HandlerError, MenuItem, Notice, Notifier, Plugin,
        PluginContext, Registration, Session, Shortcut, Window, Workbench,
    };
}

/// The guides, so that their code is compiled and run.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/guides/declaring-commands.md")]
    mod declaring_commands {}

    #[doc = include_str!("../../../docs/guides/handlers-on-one-thread.md")]
    mod handlers_on_one_thread {}

    #[cfg(feature = "client")]
    #[doc = include_str!("../../../docs/guides/connect-an-agent.md")]
    mod connect_an_agent {}

    #[doc = include_str!("../../../docs/guides/wiring-an-application.md")]
    mod wiring_an_application {}
}
