//! Many people over one registry, in a web server: each person has a session, a workbench and a conversation that lasts.
//!
//! Run it with `cargo run -p drawloom --example people`, then
//!
//! ```text
//! curl localhost:3000/ada/tools
//! curl localhost:3000/ada/calls -H 'content-type: application/json' \
//!     -d '{"id":"c1","name":"notes__purge","arguments":"{}"}'
//! curl localhost:3000/bob/conversation
//! ```
//!
//! Ada is an administrator and Bob is not, so the same call runs for her and is refused for him. The name in the path
//! stands for the sign-in of a real application.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use drawloom::prelude::*;
use drawloom::tools::{ErrorPlacement, ToolCallRequest, ToolExecutor};
use drawloom::workbench::{Registry, WorkbenchBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the server keeps for one person.
struct PersonState {
    tools: ToolExecutor,
    conversation: Mutex<Vec<Value>>,
}

struct Server {
    everybody: WorkbenchBuilder,
    people: Mutex<HashMap<String, Arc<PersonState>>>,
}

impl Server {
    fn person(&self, name: &str) -> Result<Arc<PersonState>, String> {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(person) = people.get(name) {
            return Ok(person.clone());
        }
        // A real server looks the session up, and forgets people after a while.
        let roles: &[&str] = if name == "ada" { &["admin"] } else { &[] };
        let session = Session::of(Person::new(name), roles.iter().copied());
        let workbench = self.everybody.clone().session(session).build();
        let copilot = workbench.context("copilot").ok_or("the assistant is not active")?;
        let tools = ToolExecutor::builder(copilot).build();
        let person = Arc::new(PersonState { tools, conversation: Mutex::default() });
        people.insert(name.to_owned(), person.clone());
        Ok(person)
    }
}

/// A tool call, as the person's assistant sends it.
#[derive(Deserialize)]
struct IncomingCall {
    id: String,
    name: String,
    arguments: String,
}

async fn list_tools(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<Value>>, String> {
    let definitions = server.person(&name)?.tools.definitions();
    Ok(Json(definitions.iter().map(|tool| tool.to_openai()).collect()))
}

async fn execute(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    Json(call): Json<IncomingCall>,
) -> Result<Json<Value>, String> {
    let person = server.person(&name)?;
    let id = call.id.clone();
    let result = person.tools.execute(ToolCallRequest::new(call.id, call.name, call.arguments)).await;
    let content = result.text(ErrorPlacement::ErrorAndContent).content;
    let message = json!({ "role": "tool", "tool_call_id": id, "content": content });
    person.conversation.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
    Ok(Json(message))
}

async fn conversation(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<Value>>, String> {
    let person = server.person(&name)?;
    let messages = person.conversation.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Json(messages))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The commands are registered once. Each call is decided with the session of the person whose workbench it uses.
    let registry = Registry::new();
    let everybody = Workbench::builder().registry(registry).grant("copilot", [Capability::Automation]);
    let first = everybody.clone().build();
    let purge = Command::new("notes.purge", "Purge notes")
        .description("Deletes all notes in the trash.")
        .callable()
        .any_role(["admin"]);
    first
        .application()
        .register(purge, |_: Call| async {
            println!("purged");
            Ok(())
        })?
        .keep();
    first.activate(Plugin::new("copilot").declares([Capability::Automation]))?;

    let server = Arc::new(Server { everybody, people: Mutex::default() });
    let routes = Router::new()
        .route("/{name}/tools", get(list_tools))
        .route("/{name}/calls", post(execute))
        .route("/{name}/conversation", get(conversation))
        .with_state(server);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("listening on {}", listener.local_addr()?);
    axum::serve(listener, routes).await?;
    Ok(())
}
