#![doc = include_str!("../README.md")]

mod server;
mod stdio;
mod tool;

pub use server::{BuildError, ServeError, ToolServer, ToolServerBuilder};
pub use tool::{ServerTool, ToolFailure};
