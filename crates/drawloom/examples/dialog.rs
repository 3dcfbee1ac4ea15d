//! Consent in a dialog: the agent works on its own thread, and the thread of the user interface asks the person.
//!
//! Run it with `cargo run -p drawloom --example dialog`, and answer `y` or `n`.

use std::error::Error;
use std::io::{self, BufRead};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use drawloom::prelude::*;
use drawloom::tools::{ErrorPlacement, ToolCallRequest, ToolExecutor};
use futures::channel::oneshot;
use futures::executor::block_on;

/// What the thread of the user interface is asked, and where the answer goes.
struct Question {
    call: PendingCall,
    answer: oneshot::Sender<bool>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let workbench = Workbench::builder().grant("copilot", [Capability::Automation]).build();
    let delete = Command::new("notes.delete", "Delete note")
        .description("Deletes a note for good.")
        .argument(Argument::text("path").description("Where the note is").required())
        .callable()
        .agent_consent(AgentConsent::AskAlways);
    workbench
        .application()
        .register(delete, |call: Call| async move {
            println!("deleted {}", call.text("path")?);
            Ok(())
        })?
        .keep();

    let (questions, asked) = channel();
    let copilot = workbench.activate(Plugin::new("copilot").declares([Capability::Automation]))?;
    let agent = thread::spawn(move || agent(copilot, questions));

    // The event loop of the user interface. It ends when the agent, which holds the sender, has ended.
    for Question { call, answer } in asked {
        let arguments = serde_json::to_string(&call.arguments)?;
        println!("The assistant wants to run {} with {arguments}. Allow it? [y/n]", call.command_id);
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        // An error means that the call was cancelled, and nobody waits for the answer.
        let _ = answer.send(line.trim() == "y");
    }
    agent.join().map_err(|_| "the agent panicked")?;
    Ok(())
}

/// Plays an agent that makes one call.
fn agent(copilot: PluginContext, questions: Sender<Question>) {
    let confirm = move |call: PendingCall| {
        let questions = questions.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            // If the user interface is gone, nobody can agree.
            questions.send(Question { call, answer }).is_ok() && answered.await.unwrap_or(false)
        }
    };
    let tools = ToolExecutor::builder(copilot).before(ConsentPolicy::new(confirm)).build();
    let call = ToolCallRequest::new("call-1", "notes__delete", r#"{"path":"inbox/today"}"#);
    let told = block_on(tools.execute(call)).text(ErrorPlacement::ErrorAndContent);
    println!("The assistant is told: {}", told.content);
}
