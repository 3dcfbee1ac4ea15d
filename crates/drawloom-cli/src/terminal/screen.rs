//! The output of a live conversation for a person: the text of the agent as it comes, each call with its answer, and on a
//! terminal a spinner while nothing comes.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use drawloom::ag_ui::{Event, ProtocolBreach, ToolMessage, plain_command_id, read_arguments};
use drawloom::client::{Client, Message, Update, question_text};
use drawloom::command::CommandAccess;
use drawloom_replay::{AgentAccess, TranscriptLine, TranscriptSink};
use indicatif::{ProgressBar, ProgressStyle};

use super::events::{self, SharedState};
use super::prompt::interrupt_details;
use super::sanitize::{Sanitized, TextStream};
use super::{ConversationOutput, output, sanitize};
use crate::check::breach_text;
use crate::error::CliError;

/// Prints the conversation on standard output.
pub(crate) struct ScreenOutput {
    state: Mutex<ScreenState>,
    has_spinner: bool,
    /// Tells which arguments are secret.
    agent: OnceLock<AgentAccess>,
}

#[derive(Default)]
struct ScreenState {
    /// The message whose text is in the last line, and may be continued there.
    message_id: Option<String>,
    message: TextStream,
    /// Whether the last line has no line end yet.
    is_mid_line: bool,
    open_questions: usize,
    /// What is printed after the open questions are closed.
    deferred: Sanitized,
    /// The arguments of the calls that are running. They can differ from those that the agent sent.
    running: HashMap<Arc<str>, String>,
    /// The call that reported its progress last, and the progress in one line.
    progress: Option<(String, String)>,
    /// The commands that are running, by call.
    commands: BTreeMap<Arc<str>, String>,
    /// Whether each event is shown. The events contain the texts too.
    shows_events: bool,
    shared: SharedState,
    events: u64,
    spinner: Option<ProgressBar>,
    error: Option<io::Error>,
}

impl ScreenOutput {
    /// An output that shows each event, or not, and moves on a terminal, or not.
    pub(crate) fn new(shows_events: bool, is_plain: bool) -> Self {
        let has_spinner = !is_plain && output::is_terminal() && output::is_error_terminal();
        Self {
            state: Mutex::new(ScreenState { shows_events, ..ScreenState::default() }),
            has_spinner,
            agent: OnceLock::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, ScreenState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints complete lines.
    fn print_lines(&self, lines: &str) {
        let mut state = self.state();
        state.end_text();
        state.print(&Sanitized::text(&format!("{lines}\n")));
    }

    fn print_text(&self, message_id: &str, delta: &str) {
        if delta.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.message_id.as_deref() != Some(message_id) {
            state.end_text();
            state.message_id = Some(message_id.to_owned());
        }
        let text = state.message.push(delta);
        state.print(&text);
    }

    /// Prints a call with its answer. `ran_with` holds the arguments if the command ran.
    fn print_answer(&self, client: &Client, id: &str, ran_with: Option<&str>, answer: &str) {
        self.print_lines(&format!(
            "> {}\n  {}",
            call_line(client, self.agent.get(), id, ran_with),
            sanitize::line(answer)
        ));
    }

    fn print_backend_answer(&self, client: &Client, id: &str, answer: &str) {
        let call = call_line(client, self.agent.get(), id, None);
        self.print_lines(&format!("> {call} (the agent's own)\n  {}", sanitize::line(answer)));
    }
}

/// A call in one line: the command, and `arguments` or those that the agent sent.
pub(crate) fn call_line(
    client: &Client,
    agent: Option<&AgentAccess>,
    id: &str,
    arguments: Option<&str>,
) -> String {
    let call = client.conversation().call(id);
    let (tool, sent) = call.map_or(("", ""), |call| (&*call.name, &*call.arguments));
    let command = plain_command_id(tool).unwrap_or_else(|| tool.to_owned());
    let shown = arguments.map_or_else(|| without_secrets(agent, tool, sent), str::to_owned);
    let line = format!("{} {}", sanitize::line(&command), sanitize::line(&shown));
    line.trim_end().to_owned()
}

/// What an agent sent to a tool, without secret arguments.
fn without_secrets(agent: Option<&AgentAccess>, tool: &str, sent: &str) -> String {
    let Some(offer) = agent.and_then(|agent| agent.offer_by_tool_name(tool)) else { return sent.to_owned() };
    match read_arguments(sent) {
        Ok(mut arguments) => {
            offer.mark_secret(&mut arguments);
            match arguments.secret_names().next() {
                None => sent.to_owned(),
                Some(_) => serde_json::to_string(&arguments).unwrap_or_default(),
            }
        }
        // A secret may be anywhere in a text that cannot be read.
        Err(_) if offer.has_secrets() => "(arguments that cannot be read)".to_owned(),
        Err(_) => sent.to_owned(),
    }
}

impl TranscriptSink for ScreenOutput {
    fn write(&self, line: &TranscriptLine) {
        if let TranscriptLine::Notified { plugin, capability } = line {
            let plugin = sanitize::line(plugin.as_str());
            self.print_lines(&format!(
                "! notice to the person: plugin \"{plugin}\" lacks the capability \"{capability}\""
            ));
        }
    }
}

impl ConversationOutput for ScreenOutput {
    fn update(&self, update: &Update, client: &Client) {
        match update {
            Update::Text { .. } if self.state().shows_events => {}
            Update::Text { message_id, delta, .. } => self.print_text(message_id, delta),
            Update::CallOpened { .. } | Update::RunFinished { .. } => self.state().end_text(),
            Update::Running { call } => {
                let arguments = serde_json::to_string(&call.arguments).unwrap_or_default();
                let mut state = self.state();
                state.running.insert(call.call_id.clone(), arguments);
                state.commands.insert(call.call_id.clone(), sanitize::name(call.command_id.as_str()));
                // The line names what is running.
                state.clear_spinner();
            }
            Update::Progress { call_id, progress } => {
                let tool = client.conversation().call(call_id.as_str()).map_or("", |call| &*call.name);
                let command = plain_command_id(tool).unwrap_or_else(|| tool.to_owned());
                let line = format!("{}: {}", sanitize::line(&command), sanitize::line(&progress.to_string()));
                self.state().show_progress(call_id.as_str(), line);
            }
            Update::Answered { message } => {
                let mut state = self.state();
                let ran_with = state.running.remove(message.tool_call_id.as_str());
                state.commands.remove(message.tool_call_id.as_str());
                state.end_progress(message.tool_call_id.as_str());
                drop(state);
                self.print_answer(
                    client,
                    message.tool_call_id.as_str(),
                    ran_with.as_deref(),
                    answer_text(message),
                );
            }
            Update::AnsweredByBackend { message } => {
                if let Some(call) = message.answered_call() {
                    self.print_backend_answer(client, call, &message_text(message));
                }
            }
            Update::Interrupted { interrupt } => {
                let question = question_text(interrupt);
                let call =
                    interrupt.tool_call_id.as_deref().map(|id| call_line(client, self.agent.get(), id, None));
                let call = call.filter(|call| !call.is_empty());
                let call = call.map(|call| format!(" ({call})")).unwrap_or_default();
                let mut lines = vec![format!("? the agent asks: {}{call}", sanitize::line(&question))];
                lines.extend(interrupt_details(interrupt));
                self.print_lines(&lines.join("\n"));
            }
            Update::Resumed { resume, .. } => {
                let answer = match resume {
                    None => "the question expired before it was answered".to_owned(),
                    Some(resume) => {
                        let payload = resume.payload.as_ref().map(ToString::to_string).unwrap_or_default();
                        format!("{} {}", resume.status, sanitize::line(&payload))
                    }
                };
                self.print_lines(&format!("  {}", answer.trim_end()));
            }
            Update::Problem { frame, problem, .. } => {
                self.print_lines(&format!("! frame {frame} of the run: {}", sanitize::line(problem)));
            }
            Update::AnswerRejected { problem, .. } => {
                self.print_lines(&format!(
                    "! this answer does not fit the question: {}",
                    sanitize::line(problem)
                ));
            }
            Update::TurnEnded { .. } => {
                let mut state = self.state();
                state.open_questions = 0;
                state.end_text();
                state.print_deferred();
            }
            _ => {}
        }
    }

    fn breach(&self, breach: &ProtocolBreach) {
        self.print_lines(&format!("! {}", breach_text(breach)));
    }

    fn notice(&self, notice: String) {
        self.print_lines(&format!("! {}", sanitize::line(&notice)));
    }

    fn say(&self, text: &str) {
        self.print_lines(text);
    }

    fn toggle_events(&self) -> bool {
        let mut state = self.state();
        state.shows_events = !state.shows_events;
        state.shows_events
    }

    fn shared_state(&self) -> String {
        self.state().shared.to_string()
    }

    fn wire(&self, text: &str) {
        let mut state = self.state();
        state.end_text();
        if state.open_questions > 0 {
            state.deferred.push(&Sanitized::text(&format!("{}\n", sanitize::line(text))));
        } else {
            state.clear_spinner();
            output::print_error_whole(text);
        }
    }

    fn event(&self, event: &Event<'_>, _text: &str, at: Duration) {
        let mut state = self.state();
        state.events += 1;
        let number = state.events;
        let lines = events::lines(event, number, at, &mut state.shared);
        let shows_events = state.shows_events;
        drop(state);
        if shows_events {
            self.print_lines(&lines.join("\n"));
        }
    }

    fn hides_secrets_of(&self, agent: AgentAccess) {
        let _ = self.agent.set(agent);
    }

    fn show_waiting(&self) {
        let mut state = self.state();
        if !self.has_spinner || state.is_mid_line || state.open_questions > 0 || state.spinner.is_some() {
            return;
        }
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            spinner.set_style(style);
        }
        spinner.set_message(state.waiting_message());
        spinner.enable_steady_tick(Duration::from_millis(120));
        state.spinner = Some(spinner);
    }

    fn question_opened(&self) {
        let mut state = self.state();
        state.end_text();
        state.clear_spinner();
        state.open_questions += 1;
    }

    fn question_closed(&self) {
        let mut state = self.state();
        state.open_questions = state.open_questions.saturating_sub(1);
        state.print_deferred();
    }

    fn is_broken(&self) -> bool {
        self.state().error.is_some()
    }

    fn finish(&self) -> Result<(), CliError> {
        let mut state = self.state();
        state.clear_spinner();
        state.error.take().map_or(Ok(()), CliError::from_output)
    }
}

impl ScreenState {
    fn print(&mut self, text: &Sanitized) {
        if text.is_empty() {
            return;
        }
        self.is_mid_line = !text.as_str().ends_with('\n');
        if self.open_questions > 0 {
            self.deferred.push(text);
            return;
        }
        self.clear_spinner();
        if self.error.is_none() {
            self.error = output::write(text).err();
        }
    }

    fn waiting_message(&self) -> String {
        match (&self.progress, self.running.len()) {
            (Some((_, progress)), 0 | 1) => progress.clone(),
            (Some((_, progress)), count) => format!("{count} commands are running; {progress}"),
            (None, 0) => "waiting for the agent".to_owned(),
            (None, 1) => format!("1 command is running: {}", self.command_names()),
            (None, count) => format!("{count} commands are running: {}", self.command_names()),
        }
    }

    /// The first commands that are running.
    fn command_names(&self) -> String {
        const SHOWN: usize = 3;
        let names: Vec<_> = self.commands.values().take(SHOWN).map(String::as_str).collect();
        let more = if self.commands.len() > SHOWN { ", …" } else { "" };
        format!("{}{more}", names.join(", "))
    }

    fn show_progress(&mut self, call_id: &str, line: String) {
        self.progress = Some((call_id.to_owned(), line));
        if let Some(spinner) = &self.spinner {
            spinner.set_message(self.waiting_message());
        }
    }

    fn end_progress(&mut self, call_id: &str) {
        self.progress.take_if(|(id, _)| id == call_id);
    }

    /// Ends the text message in the last line.
    fn end_text(&mut self) {
        self.message_id = None;
        let withheld = self.message.finish();
        self.print(&withheld);
        if self.is_mid_line {
            self.print(&Sanitized::text("\n"));
        }
    }

    fn print_deferred(&mut self) {
        if self.open_questions == 0 {
            let deferred = std::mem::take(&mut self.deferred);
            self.print(&deferred);
        }
    }

    fn clear_spinner(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}

fn answer_text(message: &ToolMessage) -> &str {
    message.error.as_deref().unwrap_or(&message.content)
}

/// The text of a message of the agent's backend. Content parts are shown as JSON.
fn message_text(message: &Message) -> String {
    match (&message.error, message.text(), &message.content) {
        (Some(error), _, _) => error.to_string(),
        (None, Some(text), _) => text.to_owned(),
        (None, None, content) => serde_json::to_string(content).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_shows_the_latest_progress_until_its_call_is_answered() {
        let mut state = ScreenState::default();
        assert_eq!(state.waiting_message(), "waiting for the agent");
        let run = |state: &mut ScreenState, call: &str, command: &str| {
            state.running.insert(call.into(), "{}".to_owned());
            state.commands.insert(call.into(), command.to_owned());
        };
        run(&mut state, "a", "notes.export");
        assert_eq!(state.waiting_message(), "1 command is running: notes.export");

        state.show_progress("a", "notes.export: 12 of 30 (40 %)".to_owned());
        assert_eq!(state.waiting_message(), "notes.export: 12 of 30 (40 %)");
        run(&mut state, "b", "notes.open");
        assert_eq!(state.waiting_message(), "2 commands are running; notes.export: 12 of 30 (40 %)");

        state.end_progress("b");
        assert!(state.waiting_message().ends_with("(40 %)"), "another call was answered");
        state.end_progress("a");
        assert_eq!(state.waiting_message(), "2 commands are running: notes.export, notes.open");
    }
}
