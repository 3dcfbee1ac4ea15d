//! An agent over HTTP: the user writes messages on a terminal, and the agent uses the commands of the application.
//!
//! Run it with `cargo run -p drawloom --example agent --features http -- http://127.0.0.1:8000/`. Ctrl-C cancels a turn, and an
//! empty line ends the program.

use std::io::{self, Write};

use drawloom::client::{Client, Conversation, HttpTransport, Interrupt, Update, question_text};
use drawloom::prelude::*;

fn read_line(prompt: String) -> io::Result<String> {
    print!("{prompt} ");
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

/// Reads the keyboard on another thread, so that nothing else waits for it.
async fn ask(prompt: String) -> Option<String> {
    tokio::task::spawn_blocking(move || read_line(prompt)).await.ok()?.ok()
}

async fn confirm(call: PendingCall) -> bool {
    let asks = match call.approval.as_deref() {
        Some(approval) => format!("the agent asks: {}", approval.message.as_deref().unwrap_or("")),
        None => "a command:".to_owned(),
    };
    ask(format!("{asks} {} {:?} (y/n)", call.command_id, call.arguments)).await.as_deref() == Some("y")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let workbench = Workbench::builder()
        .grant("notes", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let notes = workbench.activate(Plugin::new("notes").declares([Capability::Contributions]))?;
    let delete = Command::new("notes.delete", "Delete the notes").callable().agent_consent(AgentConsent::Ask);
    let _registered = notes.register(delete, |_: Call| async { Ok(()) })?;
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;

    let agent = HttpTransport::builder(std::env::args().nth(1).ok_or("give the URL of an agent")?).build()?;
    let stored = std::fs::read_to_string("conversation.json").ok();
    let conversation =
        stored.map_or_else(|| Ok(Conversation::new()), |stored| serde_json::from_str(&stored))?;
    let mut client = Client::builder(agent, copilot)
        .confirm(confirm)
        .input(|interrupt: Interrupt| async move { ask(question_text(&interrupt)).await.map(Into::into) })
        .conversation(conversation)
        .build();
    let canceller = client.canceller();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            canceller.cancel();
        }
    });

    while let Some(text) = ask(">".to_owned()).await.filter(|text| !text.is_empty()) {
        client.send_text(text);
        while let Some(update) = client.next().await {
            match update {
                Update::Text { delta, .. } => print!("{delta}"),
                Update::Answered { message } => println!("[{}]", message.content),
                Update::TurnEnded { end } => println!("[{end}]"),
                _ => {}
            }
        }
        std::fs::write("conversation.json", serde_json::to_string(client.conversation())?)?;
    }
    Ok(())
}
