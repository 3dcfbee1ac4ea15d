//! One tool of a server: what it is called, what it takes and gives, and what it does.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value, json};

type Running = Pin<Box<dyn Future<Output = Result<Value, ToolFailure>> + Send>>;

/// Why a tool did not give what it was asked for, in words for the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(String);

impl ToolFailure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// A tool that a [`ToolServer`](crate::ToolServer) offers.
#[derive(Clone)]
#[must_use = "a tool does nothing until a server offers it"]
pub struct ServerTool {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
    pub(crate) output_schema: Option<Value>,
    pub(crate) read_only: bool,
    pub(crate) run: Arc<dyn Fn(Map<String, Value>) -> Running + Send + Sync>,
}

impl ServerTool {
    /// A tool of this name that runs `run`. It takes an object with any members until [`ServerTool::input_schema`] says
    /// otherwise.
    ///
    /// The function checks its arguments: the schema tells a model what to send and refuses nothing.
    pub fn new<F, Fut>(name: impl Into<String>, description: impl Into<String>, run: F) -> Self
    where
        F: Fn(Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Value, ToolFailure>> + Send + 'static,
    {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema: json!({ "type": "object" }),
            output_schema: None,
            read_only: false,
            run: Arc::new(move |arguments| Box::pin(run(arguments))),
        }
    }

    /// Sets the label of the tool for a person.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the JSON Schema of the arguments, which is that of an object.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = schema;
        self
    }

    /// Sets the JSON Schema of what the tool gives, which is that of an object.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// States that the tool changes nothing and reaches nothing outside this machine.
    pub fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }
}

impl fmt::Debug for ServerTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerTool").field("name", &self.name).finish_non_exhaustive()
    }
}
