#![doc = include_str!("../README.md")]

mod commands;
#[cfg(feature = "http")]
mod http;
mod server;
mod stdio;
mod tool;
mod wire;

pub use commands::{CommandServer, CommandServerBuilder, ServerLimits};
#[cfg(feature = "http")]
pub use http::{
    AdmitError, BearerToken, HttpBody, HttpLimits, HttpServer, HttpServerBuilder, LoopbackListener,
    TokenError,
};
pub use server::{BuildError, ServeError, ToolServer, ToolServerBuilder};
pub use tool::{ServerTool, ToolFailure};
