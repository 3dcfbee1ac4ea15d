//! A command palette in a terminal, with the standard library alone.
//!
//! Run it with `cargo run -p drawloom --example palette`. Type a part of a title to filter, a number to run a command, and
//! nothing to leave.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex};

use drawloom::command::InvocableCommand;
use drawloom::prelude::*;
use futures::executor::block_on;

#[derive(Default)]
struct Notebook {
    notes: Mutex<Vec<String>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let workbench = Workbench::builder().notifier(|notice: &Notice| println!("! {notice}")).build();
    register(&workbench.application())?;

    let mut filter = String::new();
    loop {
        // A list is valid for one moment, so it is read again each time it is shown.
        let shown: Vec<_> = workbench
            .triggerable_commands()
            .into_iter()
            .filter(|entry| entry.command.title.to_lowercase().contains(&filter.to_lowercase()))
            .collect();
        for (number, entry) in shown.iter().enumerate() {
            let check = if entry.state.on == Some(true) { "[x] " } else { "" };
            match &entry.state.disabled {
                None => println!("{number}  {check}{}", entry.command.title),
                Some(reason) => println!("-  {check}{} ({reason})", entry.command.title),
            }
        }
        let Some(line) = ask("> ")? else { return Ok(()) };
        match line.parse::<usize>().ok().and_then(|number| shown.get(number)) {
            Some(entry) => run(&workbench, &entry.command)?,
            None => filter = line,
        }
    }
}

fn register(application: &PluginContext) -> Result<(), Box<dyn Error>> {
    let notes = Arc::new(Notebook::default());
    let notebook = application.with_state(notes.clone());
    let add = Command::new("notes.add", "Add a note")
        .argument(Argument::text("text").description("What to write down").required());
    notebook
        .register(add, |call: Call<Arc<Notebook>>| async move {
            let text = call.text("text")?.to_owned();
            call.state().notes.lock()?.push(text);
            Ok(())
        })?
        .keep();
    notebook
        .register(
            Command::new("notes.list", "List all notes")
                .answers("The notes")
                .available_when("There are no notes", move || {
                    notes.notes.lock().is_ok_and(|all| !all.is_empty())
                }),
            |call: Call<Arc<Notebook>>| async move { Ok(call.state().notes.lock()?.clone()) },
        )?
        .keep();
    Ok(())
}

/// Asks for each required argument, and runs the command as the person's own trigger.
fn run(workbench: &Workbench, command: &InvocableCommand) -> io::Result<()> {
    let mut arguments = CommandArguments::new();
    for argument in command.arguments.iter().filter(|argument| argument.required) {
        let label = argument.description.as_ref().unwrap_or(&argument.name);
        let Some(text) = ask(&format!("{label}: "))? else { return Ok(()) };
        arguments = arguments.with(&*argument.name, text);
    }
    // The notifier has already told the person about a refusal or a failure.
    if let CommandOutcome::Answered { value } = block_on(workbench.trigger_with(&command.id, arguments)) {
        println!("{}", value.map_or_else(|| "done".to_owned(), |answer| answer.to_string()));
    }
    Ok(())
}

/// A line of input. `None` if it is empty.
fn ask(prompt: &str) -> io::Result<Option<String>> {
    print!("{prompt}");
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(Some(line.trim().to_owned()).filter(|line| !line.is_empty()))
}
