//! The commands of a workbench as tools of the protocol.

mod asking;
mod builder;
mod call;
mod hooks;
mod limits;
mod listing;
mod pending;
mod progress;
mod question;
mod result;
mod server;

pub use builder::CommandServerBuilder;
pub use limits::ServerLimits;
pub use server::CommandServer;
#[cfg(feature = "http")]
pub(crate) use server::Connection;
