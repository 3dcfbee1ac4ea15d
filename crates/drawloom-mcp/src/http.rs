//! Streamable HTTP: who may speak to the server, and what bounds a client before its message is read.

mod listen;
mod persons;
mod server;
mod token;

pub use listen::LoopbackListener;
pub use server::{AdmitError, HttpBody, HttpLimits, HttpServer, HttpServerBuilder};
pub use token::{BearerToken, TokenError};
