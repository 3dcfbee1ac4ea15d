//! An agent over HTTP: a conversation in a terminal with any AG-UI agent behind a URL.
//!
//! ```console
//! cargo run -p drawloom --features http --example agent_http -- http://127.0.0.1:8000/
//! ```
//!
//! The agent may write notes. Before it deletes one, you are asked. An empty line ends the program.

use std::error::Error;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use drawloom::client::{Client, HttpTransport, Interrupt, Update, question_text};
use drawloom::prelude::*;

/// Reads a line on a thread of its own, so that nothing else waits for it.
async fn ask(prompt: String) -> Option<String> {
    let read = move || -> io::Result<String> {
        print!("{prompt} ");
        io::stdout().flush()?;
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        Ok(line.trim().to_owned())
    };
    tokio::task::spawn_blocking(read).await.ok()?.ok().filter(|line| !line.is_empty())
}

async fn confirm(call: PendingCall) -> bool {
    let question = match call.approval.as_deref() {
        Some(approval) => approval.message.clone().unwrap_or_default(),
        None => format!("Run {} with {:?}?", call.command_id, call.arguments),
    };
    ask(format!("{question} (y/n)")).await.as_deref() == Some("y")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8000/".to_owned());
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions]))?;
    let kept: Arc<Mutex<Vec<String>>> = Arc::default();
    let (added, deleted) = (kept.clone(), kept);
    let _add = notes.register(
        Command::new("notes.add", "Add a note")
            .description("Adds a note.")
            .argument(Argument::text("text").description("What it says").required())
            .answers("How many notes there are")
            .callable(),
        move |call: Call| {
            let added = added.clone();
            async move {
                let mut notes = added.lock().unwrap_or_else(PoisonError::into_inner);
                notes.push(call.text("text")?.to_owned());
                Ok(notes.len())
            }
        },
    )?;
    let _delete = notes.register(
        Command::new("notes.delete", "Delete all notes")
            .description("Deletes every note.")
            .callable()
            .agent_consent(AgentConsent::Ask),
        move |_: Call| {
            deleted.lock().unwrap_or_else(PoisonError::into_inner).clear();
            async { Ok(()) }
        },
    )?;

    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;
    let agent = HttpTransport::builder(url).build()?;
    let mut client = Client::builder(agent, copilot)
        .confirm(confirm)
        .input(|asked: Interrupt| async move { ask(question_text(&asked)).await.map(Into::into) })
        .build();
    let canceller = client.canceller();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            canceller.cancel();
        }
    });

    while let Some(text) = ask(">".to_owned()).await {
        client.send_text(text);
        while let Some(update) = client.next().await {
            match update {
                Update::Text { delta, .. } => print!("{delta}"),
                Update::Running { call } => println!("[{} runs]", call.command_id),
                Update::Problem { problem, .. } => eprintln!("[{problem}]"),
                Update::TurnEnded { end } => println!("[{end}]"),
                _ => {}
            }
        }
    }
    Ok(())
}
