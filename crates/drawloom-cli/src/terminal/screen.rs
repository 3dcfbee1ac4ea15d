//! The conversation as a person reads it: the agent's text as it comes, each call with what became of it, and on a
//! terminal a spinner while nothing comes.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use drawloom::ag_ui::{ToolCallId, ToolMessage, plain_command_id};
use drawloom::client::{Client, Message, Update};
use drawloom_replay::{Agent, Recorder, Step};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Output, visible};
use crate::failure::Failure;

/// Prints the conversation on standard output.
pub(crate) struct Screen {
    state: Mutex<State>,
    has_spinner: bool,
}

#[derive(Default)]
struct State {
    /// The message whose text stands in the last line, which may go on.
    message: Option<String>,
    /// Whether the last line is not at its end.
    is_mid_line: bool,
    /// How many questions are open: what comes meanwhile is kept, and shown after.
    questions: usize,
    kept: String,
    /// The calls that run, and the arguments they run with, which the person may have changed.
    running: HashMap<Arc<str>, String>,
    spinner: Option<ProgressBar>,
    error: Option<io::Error>,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let has_spinner = io::stdout().is_terminal() && io::stderr().is_terminal();
        Self { state: Mutex::default(), has_spinner }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints lines of its own.
    fn block(&self, lines: &str) {
        let mut state = self.state();
        state.end_text();
        state.print(&format!("{lines}\n"));
    }

    fn text(&self, message: &str, delta: &str) {
        if delta.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.message.as_deref() != Some(message) {
            state.end_text();
            state.message = Some(message.to_owned());
        }
        state.print(&visible::text(delta));
    }

    /// A call, with the arguments it ran with where it ran, and what it came to.
    fn answered(&self, client: &Client, id: &ToolCallId, ran_with: Option<&str>, answer: &str) {
        self.block(&format!("> {}\n  {}", head(client, id, ran_with), visible::line(answer)));
    }

    fn answered_by_agent(&self, client: &Client, id: &ToolCallId, answer: &str) {
        let head = head(client, id, None);
        self.block(&format!("> {head} (the agent's own)\n  {}", visible::line(answer)));
    }
}

/// A call in a line: its command, and these arguments or those the agent sent.
fn head(client: &Client, id: &ToolCallId, arguments: Option<&str>) -> String {
    let call = client.conversation().call(id.as_str());
    let (tool, sent) = call.map_or(("", ""), |call| (&*call.function.name, &*call.function.arguments));
    let command = plain_command_id(tool).unwrap_or_else(|| tool.to_owned());
    let line = format!("{} {}", visible::line(&command), visible::line(arguments.unwrap_or(sent)));
    line.trim_end().to_owned()
}

impl Recorder for Screen {
    fn record(&self, step: &Step) {
        if let Step::Notified { plugin, capability } = step {
            let plugin = visible::line(plugin.as_str());
            self.block(&format!("! the person is told that plugin \"{plugin}\" lacks \"{capability}\""));
        }
    }
}

impl Output for Screen {
    fn update(&self, update: &Update, client: &Client) {
        match update {
            Update::Text { message_id, delta, .. } => self.text(message_id, delta),
            Update::CallOpened { .. } | Update::RunFinished { .. } => self.state().end_text(),
            Update::Running { call } => {
                let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
                self.state().running.insert(call.call_id.clone(), arguments);
            }
            Update::Answered { message } => {
                let ran_with = self.state().running.remove(message.tool_call_id.as_str());
                self.answered(client, &message.tool_call_id, ran_with.as_deref(), words(message));
            }
            Update::AnsweredByBackend { message } => {
                if let Some(call) = message.answers() {
                    self.answered_by_agent(client, call, &said(message));
                }
            }
            Update::Interrupted { interrupt } => {
                let asked = interrupt.message.as_deref().unwrap_or(&interrupt.reason);
                let about = interrupt.tool_call_id.as_ref().map(|id| head(client, id, None));
                let about = about.filter(|about| !about.is_empty());
                let about = about.map(|about| format!(" ({about})")).unwrap_or_default();
                self.block(&format!("? the agent asks: {}{about}", visible::line(asked)));
            }
            Update::Resumed { resume, .. } => {
                let answer = match resume {
                    None => "it came too late".to_owned(),
                    Some(resume) => {
                        let payload = resume.payload.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!("{} {}", resume.status, visible::line(&payload))
                    }
                };
                self.block(&format!("  {}", answer.trim_end()));
            }
            Update::Unreadable { frame, problem } => {
                self.block(&format!("! frame {frame} of the run: {}, passed over", visible::line(problem)));
            }
            Update::Ended { .. } => {
                let mut state = self.state();
                state.questions = 0;
                state.end_text();
                state.show_kept();
            }
            _ => {}
        }
    }

    fn wait(&self) {
        let mut state = self.state();
        if !self.has_spinner || state.is_mid_line || state.questions > 0 || state.spinner.is_some() {
            return;
        }
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            spinner.set_style(style);
        }
        let many = state.running.len();
        spinner.set_message(match many {
            0 => "waiting for the agent".to_owned(),
            1 => "a command runs".to_owned(),
            many => format!("{many} commands run"),
        });
        spinner.enable_steady_tick(Duration::from_millis(120));
        state.spinner = Some(spinner);
    }

    fn hold(&self) {
        let mut state = self.state();
        state.end_text();
        state.clear_spinner();
        state.questions += 1;
    }

    fn release(&self) {
        let mut state = self.state();
        state.questions = state.questions.saturating_sub(1);
        state.show_kept();
    }

    fn is_broken(&self) -> bool {
        self.state().error.is_some()
    }

    fn end(&self) -> Result<(), Failure> {
        let mut state = self.state();
        state.clear_spinner();
        state.error.take().map_or(Ok(()), Failure::of_output)
    }
}

impl State {
    fn print(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.is_mid_line = !text.ends_with('\n');
        if self.questions > 0 {
            self.kept.push_str(text);
            return;
        }
        self.clear_spinner();
        if self.error.is_none() {
            let mut output = io::stdout().lock();
            self.error = output.write_all(text.as_bytes()).and_then(|()| output.flush()).err();
        }
    }

    /// Nothing goes on in the line that stands there.
    fn end_text(&mut self) {
        self.message = None;
        if self.is_mid_line {
            self.print("\n");
        }
    }

    fn show_kept(&mut self) {
        if self.questions == 0 {
            let kept = std::mem::take(&mut self.kept);
            self.print(&kept);
        }
    }

    fn clear_spinner(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}

fn words(message: &ToolMessage) -> &str {
    message.error.as_deref().unwrap_or(&message.content)
}

/// What a message of the agent's own backend says. Parts are shown as they are.
fn said(message: &Message) -> String {
    match (&message.error, message.text(), &message.content) {
        (Some(error), _, _) => error.clone(),
        (None, Some(text), _) => text.to_owned(),
        (None, None, content) => content.as_ref().map(ToString::to_string).unwrap_or_default(),
    }
}
