//! The answers to questions: given before, from the command line, from the file, from the terminal, or none.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use drawloom::ag_ui::recording::RecordedNote;
use drawloom::client::{AskForInput, BoxFuture, Interrupt, PlainAnswer, plain_answer, question_text};
use drawloom::command::{CommandAccess, Decision, PendingCall};
use drawloom::consent::{Confirm, Confirmation, ConfirmationResponse};
use drawloom_replay::{AgentAccess, ScriptedConsent, TranscriptLine};
use futures_util::lock::Mutex as AsyncMutex;
use serde_json::Value;

use super::ctrl_c::CtrlC;
use super::given::{self, Given};
use super::playback::Playback;
use super::recorder::EventRecorder;
use crate::input;
use crate::terminal::output::{self, QuestionTerminal};
use crate::terminal::sanitize::{self, Sanitized};
use crate::terminal::{ConversationOutput, Question, SingleKeyMode, Withdrawal, ask_for_input, confirm};

/// The answer to every question that has a plain yes and no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Yes,
    No,
}

/// Where the answers come from, in this order: those of the turn and those given for the conversation, the plain yes or no,
/// the file, the terminal.
#[derive(Default)]
pub(super) struct Sources {
    /// Given on the command line, and then in the script.
    pub(super) given: Vec<Given>,
    pub(super) plain: Option<Plain>,
    /// The file, which writes its questions to the transcript itself.
    pub(super) file: Option<ScriptedConsent>,
    /// A recorded conversation, which has all answers.
    pub(super) playback: Option<Playback>,
}

/// What became of the questions.
#[derive(Debug, Default)]
struct Tally {
    /// Questions that nobody could answer.
    unanswered: u64,
    /// The commands that the person declined.
    declined: HashSet<String>,
}

/// Answers the questions of one conversation. Clones share the terminal.
pub(super) struct Answers<O>(Arc<Shared<O>>);

struct Shared<O> {
    sources: Sources,
    /// Held by the question that reads the keyboard, even after the question was withdrawn: no key may answer the next
    /// question.
    keyboard: Arc<AsyncMutex<()>>,
    ctrl_c: CtrlC,
    output: Arc<O>,
    recorder: Option<Arc<EventRecorder>>,
    /// What the agent can reach, for questions about commands.
    agent: AgentAccess,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The answers that are given for the current turn.
    turn: Given,
    /// The open questions of the agent, by their ids and those of their calls, with the call as it is shown.
    questions: HashMap<String, (Interrupt, Option<String>)>,
    tally: Tally,
}

impl<O> Clone for Answers<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

fn has_terminal() -> bool {
    input::is_terminal() && output::is_error_terminal()
}

impl<O: ConversationOutput + 'static> Answers<O> {
    pub(super) fn new(
        sources: Sources,
        ctrl_c: CtrlC,
        output: Arc<O>,
        recorder: Option<Arc<EventRecorder>>,
        agent: AgentAccess,
    ) -> Self {
        let (keyboard, state) = (Arc::default(), Mutex::default());
        Self(Arc::new(Shared { sources, keyboard, ctrl_c, output, recorder, agent, state }))
    }

    /// What the agent can reach.
    pub(super) fn agent(&self) -> &AgentAccess {
        &self.0.agent
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn begins, for which these answers are given.
    pub(super) fn begin_turn(&self, answers: Given) {
        let mut state = self.state();
        state.turn = answers;
        state.questions.clear();
    }

    /// The agent asks a question about this call, as it is shown.
    pub(super) fn interrupted(&self, interrupt: &Interrupt, call: Option<String>) {
        let mut state = self.state();
        let ids = [Some(&interrupt.id), interrupt.tool_call_id.as_ref()];
        for id in ids.into_iter().flatten() {
            state.questions.insert(id.to_string(), (interrupt.clone(), call.clone()));
        }
    }

    /// How many questions nobody could answer.
    pub(super) fn unanswered(&self) -> u64 {
        self.state().tally.unanswered
    }

    /// Whether the person declined a call of this command.
    pub(super) fn was_declined(&self, command: &str) -> bool {
        self.state().tally.declined.contains(command)
    }

    /// The given answer under one of these names, and whether it was named rather than given for everything.
    fn given(&self, names: &[&str]) -> Option<Value> {
        let turn = self.state().turn.clone();
        let given = &self.0.sources.given;
        let all = || std::iter::once(&turn).chain(given);
        all()
            .find_map(|given| given.named(names))
            .or_else(|| all().find_map(|given| given.find(&[])))
            .cloned()
    }

    fn named(&self, names: &[&str]) -> Option<Value> {
        let turn = self.state().turn.clone();
        let mut given = std::iter::once(&turn).chain(&self.0.sources.given);
        let given = given.find_map(|given| given.named(names)).cloned();
        given.or_else(|| self.0.sources.file.as_ref()?.named_answer(names))
    }

    fn note(&self, note: &RecordedNote) {
        if let Some(recorder) = &self.0.recorder {
            recorder.note(note);
        }
    }

    async fn decide(self, call: PendingCall) -> Confirmation {
        let confirmation = self.decide_unrecorded(&call).await;
        let answer = given::as_answer(&confirmation);
        let (call_id, command_id) = (call.call_id.to_string(), call.command_id.to_string());
        if matches!(confirmation, Confirmation::No | Confirmation::NoBecause(_)) && call.approval.is_none() {
            self.state().tally.declined.insert(call.command_id.to_string());
        }
        self.note(&RecordedNote::Decision { call_id: call_id.clone(), command_id, answer: answer.clone() });
        self.0.output.write(&TranscriptLine::Decided { call_id, answer });
        confirmation
    }

    async fn decide_unrecorded(&self, call: &PendingCall) -> Confirmation {
        let Shared { sources, output, .. } = &*self.0;
        let question =
            self.state().questions.get(&*call.call_id).cloned().filter(|_| call.approval.is_some());
        let (id, reason) = question.as_ref().map_or(("", ""), |(it, _)| (&*it.id, &*it.reason));
        let tool = drawloom::tools::tool_name(call.command_id.as_str());
        let names = [id, &*call.call_id, call.command_id.as_str(), &tool, reason];
        let asked = || output.write(&TranscriptLine::Asked(call.clone()));
        if let Some(playback) = &sources.playback {
            asked();
            let answer = playback.decision(&call.call_id, call.command_id.as_str()).await;
            let unknown = || Confirmation::Errored("the recording has no answer to this question".to_owned());
            return answer.map_or_else(unknown, |answer| {
                if call.approval.is_some() && answer.get("error").is_some() {
                    return Confirmation::Cancelled;
                }
                given::confirmation(&answer)
            });
        }
        if let Some(answer) = self.given(&names) {
            asked();
            return given::confirmation(&answer);
        }
        match sources.plain {
            Some(Plain::Yes) => {
                asked();
                return Confirmation::Yes;
            }
            Some(Plain::No) => {
                asked();
                return Confirmation::No;
            }
            None => {}
        }
        if let Some(file) = &sources.file {
            if file.has_answer(&call.command_id) {
                return file.confirm(call.clone()).await.confirmation;
            }
            if let Some(answer) = file.named_answer(&names) {
                asked();
                return given::confirmation(&answer);
            }
            if !has_terminal() {
                return file.confirm(call.clone()).await.confirmation;
            }
        }
        asked();
        if has_terminal() {
            let call = call.clone();
            // What is asked about an agent's own call is none of the commands.
            let is_approval = call.approval.is_some();
            let listed = if is_approval { Vec::new() } else { self.0.agent.invocable_commands() };
            let command = listed.into_iter().find(|command| command.id == call.command_id);
            let ask = move |term: &QuestionTerminal, withdrawal: &Withdrawal| {
                confirm(term, withdrawal, &call, command.as_ref())
            };
            let answer = self.ask_on_terminal(ask).await;
            return answer.unwrap_or_else(|error| Confirmation::Errored(error.to_string()));
        }
        self.state().tally.unanswered += 1;
        // A question of the agent is cancelled. A command does not run, and the agent is told why.
        if call.approval.is_some() {
            Confirmation::Cancelled
        } else {
            Confirmation::Errored("there is nobody to ask".to_owned())
        }
    }

    /// Asks a question on the terminal, on a thread of its own. Nothing else is shown meanwhile.
    async fn ask_on_terminal<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&QuestionTerminal, &Withdrawal) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let keyboard = self.0.keyboard.clone().lock_owned().await;
        let mut question = OpenQuestion::new(&*self.0.output, &self.0.ctrl_c);
        let withdrawal = question.withdrawal.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let _keyboard = keyboard;
            let _mode = SingleKeyMode::new();
            ask(&QuestionTerminal::new(), &withdrawal)
        });
        match reading.await.unwrap_or_else(|panicked| Err(io::Error::other(panicked))) {
            // Ctrl-C was pressed at the question. Its signal cancels the conversation, and this question with it.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => std::future::pending().await,
            answer => {
                question.is_answered = true;
                answer
            }
        }
    }

    async fn put_in(self, interrupt: Interrupt) -> Option<Value> {
        let answer = self.put_in_unrecorded(&interrupt).await;
        let interrupt_id = interrupt.id.to_string();
        self.note(&RecordedNote::Input { interrupt_id, answer: answer.clone().unwrap_or_default() });
        answer
    }

    async fn put_in_unrecorded(&self, interrupt: &Interrupt) -> Option<Value> {
        let sources = &self.0.sources;
        if let Some(playback) = &sources.playback {
            return playback.input(&interrupt.id).await.filter(|answer| !answer.is_null());
        }
        let call = self.state().questions.get(&*interrupt.id).and_then(|(_, call)| call.clone());
        let tool = call.as_deref().and_then(|call| call.split(' ').next()).unwrap_or_default().to_owned();
        let tool_name = drawloom::tools::tool_name(&tool);
        let call_id = interrupt.tool_call_id.as_deref().unwrap_or_default();
        let names = [&*interrupt.id, call_id, &tool, &tool_name, &*interrupt.reason];
        if let Some(answer) = self.given(&names) {
            return given::payload(interrupt, &answer);
        }
        let plain = match sources.plain {
            Some(Plain::Yes) => Some(PlainAnswer::Yes),
            Some(Plain::No) => Some(PlainAnswer::No(None)),
            None => None,
        };
        if let Some(answer) = plain.and_then(|plain| plain_answer(interrupt, plain)) {
            return Some(answer);
        }
        if let Some(file) = sources.file.as_ref().filter(|_| plain.is_none()) {
            if let Some(answer) = file.named_answer(&names) {
                return given::payload(interrupt, &answer);
            }
            let any = file.any_answer().and_then(|answer| match answer.as_bool()? {
                true => plain_answer(interrupt, PlainAnswer::Yes),
                false => plain_answer(interrupt, PlainAnswer::No(None)),
            });
            if any.is_some() {
                return any;
            }
        }
        if sources.plain != Some(Plain::No) && has_terminal() {
            let question = Question { interrupt: interrupt.clone(), call };
            let ask = move |term: &QuestionTerminal, withdrawal: &Withdrawal| {
                ask_for_input(term, withdrawal, &question)
            };
            return self.ask_on_terminal(ask).await.ok().flatten();
        }
        self.state().tally.unanswered += 1;
        let option = match sources.plain {
            Some(Plain::Yes) => "--yes",
            Some(Plain::No) => "--no",
            None => return None,
        };
        let (id, asked) = (sanitize::name(&interrupt.id), sanitize::line(&question_text(interrupt)));
        self.0.output.notice(format!(
            "{option} does not answer question {id}, which needs more than yes or no: {asked} (answer it with \
             --answer NAME=JSON)"
        ));
        None
    }

    /// Answers a call that was left to the agent and has no result: a tool that the agent paused. Only an answer with the
    /// call's id or the tool's name counts, because most such calls wait for nothing.
    pub(super) fn reply(&self, call: &PendingCall) -> BoxFuture<'static, Decision> {
        let this = self.clone();
        let (id, tool) = (call.call_id.to_string(), call.command_id.to_string());
        Box::pin(async move {
            let content = match &this.0.sources.playback {
                Some(playback) => match playback.reply(&id).await {
                    Some(Value::String(content)) => Some(content),
                    _ => None,
                },
                None => this.named(&[&id, &tool]).map(|answer| given::reply(&answer)),
            };
            this.note(&RecordedNote::Reply { call_id: id, content: content.clone() });
            content.map_or(Decision::Run, |content| Decision::Answer { content })
        })
    }
}

/// A question on the terminal. Dropping it before it is answered withdraws it.
struct OpenQuestion<'a, O: ConversationOutput> {
    output: &'a O,
    ctrl_c: &'a CtrlC,
    withdrawal: Arc<Withdrawal>,
    is_answered: bool,
}

impl<'a, O: ConversationOutput> OpenQuestion<'a, O> {
    fn new(output: &'a O, ctrl_c: &'a CtrlC) -> Self {
        output.question_opened();
        Self { output, ctrl_c, withdrawal: Arc::default(), is_answered: false }
    }
}

impl<O: ConversationOutput> Drop for OpenQuestion<'_, O> {
    fn drop(&mut self) {
        if !self.is_answered {
            self.withdrawal.withdraw();
            // The thread still waits for a key, and the next question waits for the thread. After Ctrl-C there is no
            // next question.
            let notice = if self.ctrl_c.was_pressed() {
                ""
            } else {
                "  the agent withdrew the question; press Enter to continue"
            };
            output::print_error_text(&Sanitized::text(&format!("\n{notice}")));
        }
        self.output.question_closed();
    }
}

impl<O: ConversationOutput + 'static> Confirm for Answers<O> {
    fn confirm(&self, call: PendingCall) -> BoxFuture<'static, ConfirmationResponse> {
        let answers = self.clone();
        Box::pin(async move { answers.decide(call).await.into() })
    }
}

impl<O: ConversationOutput + 'static> AskForInput for Answers<O> {
    fn input(&self, interrupt: Interrupt) -> BoxFuture<'static, Option<Value>> {
        Box::pin(self.clone().put_in(interrupt))
    }
}
