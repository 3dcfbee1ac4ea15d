//! `drawloom drive`: lets a live agent use the workbench of a file.
//!
//! This file sets up the conversation. [`turns`] runs it turn by turn, the answers to questions are in [`answers`], what is
//! seen of the connection is in [`observed`], and the built-in agent is in [`stand_in`].

mod answers;
mod chat;
mod checking;
mod ctrl_c;
mod given;
mod observed;
mod options;
pub(crate) mod playback;
mod recorder;
mod script;
mod stand_in;
mod thread;
mod turns;
mod viewer;
mod wire;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use drawloom::ag_ui::recording::RecordedNote;
use drawloom::client::{Client, ClientBuilder, Conversation, HttpTransport, TransportError};
use drawloom::command::PendingCall;
use drawloom_replay::{FileWorkbench, TranscriptContent};

use crate::error::CliError;
use crate::terminal::{ConversationOutput, LinesOutput, ScreenOutput, TerminalSettings};
use crate::{input, terminal};
use answers::{Answers, Plain, Sources};
use checking::LiveCheck;
use ctrl_c::CtrlC;
use observed::{ObservedTransport, Observer};
pub(crate) use options::DriveOptions;
use playback::Playback;
use recorder::EventRecorder;
use script::{Script, Turn};
use turns::{Strictness, Turns};
use viewer::EventViewer;
use wire::Wire;

/// The value of --agent that means the built-in script.
const STAND_IN: &str = "stand-in";
/// How long establishing a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn run(options: &DriveOptions) -> Result<(), CliError> {
    let headers = options.all_headers()?;
    let script = options.script.as_deref().map(Script::read).transpose()?;
    let mut prompts: Vec<_> =
        options.prompts.iter().map(|prompt| Turn { prompt: prompt.clone(), ..Turn::default() }).collect();
    prompts.extend(script.iter().flat_map(Script::turns));
    let is_chat = prompts.is_empty()
        && !options.transcript
        && input::is_terminal()
        && terminal::output::is_terminal()
        && terminal::output::is_error_terminal();
    if prompts.is_empty() && !is_chat {
        return Err(CliError::NoPrompt);
    }
    let setup = Setup { options, headers: &headers, script: script.as_ref(), prompts };
    with_terminal(|runtime, settings| {
        runtime.block_on(async {
            if options.transcript {
                let output = Arc::new(LinesOutput::new(TranscriptContent::AllLines, options.events));
                setup.drive(output, settings).await
            } else {
                let output = Arc::new(ScreenOutput::new(options.events, options.plain));
                setup.drive(output, settings).await
            }
        })
    })
}

/// Plays a recorded conversation on a workbench file, with the answers of then.
pub(crate) fn play(workbench: &Path, playback: Playback, content: TranscriptContent) -> Result<(), CliError> {
    with_terminal(|runtime, settings| {
        runtime.block_on(async {
            let output = Arc::new(LinesOutput::new(content, false));
            let file = crate::load(workbench, output.clone())?;
            let failed = |problem: String| CliError::Playback { path: workbench.to_owned(), problem };
            let mut options = playback.options();
            let follow_ups = options.remove("followUps").and_then(|it| it.as_u64()).unwrap_or(8);
            let tools = file.live_tools_with(&options).map_err(failed)?;
            let sources = Sources { playback: Some(playback.clone()), ..Sources::default() };
            let ctrl_c = CtrlC::default();
            let answers = Answers::new(sources, ctrl_c.clone(), output.clone(), None, file.agent());
            let conversation = match playback.conversation() {
                Some(kept) => serde_json::from_value(kept).map_err(|error| failed(error.to_string()))?,
                None => playback.thread_id().map_or_else(Conversation::new, Conversation::in_thread),
            };
            let run_ids = playback.clone();
            let client = configure(ClientBuilder::over(playback.clone(), tools), &file, &answers)
                .follow_ups(u32::try_from(follow_ups).unwrap_or(u32::MAX))
                .run_ids(move || run_ids.next_run_id().unwrap_or_default())
                .conversation(conversation)
                .build();
            let mut turns = Turns::new(client, output.clone(), answers, ctrl_c, settings.clone(), None)?;
            turns.set_playback(playback.clone());
            if playback.prompts() > 1 {
                turns.show_prompts();
            }
            while let Some(prompt) = playback.next_prompt() {
                turns.turn(Turn { prompt, ..Turn::default() }).await;
                if turns.is_over() {
                    break;
                }
            }
            output.finish()
        })
    })
}

/// Runs with a runtime and the settings of the terminal, which are restored however it ends.
fn with_terminal(
    run: impl FnOnce(&tokio::runtime::Runtime, &TerminalSettings) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let settings = TerminalSettings::current();
    let _restored = RestoredTerminal(settings.clone());
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CliError::Start)?;
    let result = run(&runtime, &settings);
    // The thread of a withdrawn question may still wait for a key.
    runtime.shutdown_background();
    result
}

/// Restores the settings of the terminal when it is dropped, also by a panic.
struct RestoredTerminal(TerminalSettings);

impl Drop for RestoredTerminal {
    fn drop(&mut self) {
        self.0.restore();
    }
}

/// What a live and a played conversation have in common.
fn configure<O: ConversationOutput + 'static>(
    client: ClientBuilder,
    file: &FileWorkbench,
    answers: &Answers<O>,
) -> ClientBuilder {
    let (wording, replies) = (file.consent_wording(), answers.clone());
    client
        .confirm_with(answers.clone(), |policy| policy.wording(wording))
        .input(answers.clone())
        .answer_unoffered(move |call: PendingCall| replies.reply(&call))
}

struct Setup<'a> {
    options: &'a DriveOptions,
    headers: &'a [(String, String)],
    script: Option<&'a Script>,
    prompts: Vec<Turn>,
}

impl Setup<'_> {
    async fn drive<O: ConversationOutput + 'static>(
        self,
        output: Arc<O>,
        settings: &TerminalSettings,
    ) -> Result<(), CliError> {
        let options = self.options;
        let file = crate::load(&options.workbench, output.clone())?;
        let conversation = self.conversation()?;
        let transport = self.transport()?;
        let sources = Sources {
            given: std::iter::once(options.given()?).chain(self.script.map(Script::answers)).collect(),
            plain: match (options.yes, options.no) {
                (true, _) => Some(Plain::Yes),
                (_, true) => Some(Plain::No),
                _ => None,
            },
            file: file.scripted_consent(),
            playback: None,
        };
        let recorder = match &options.record {
            Some(path) => Some(Arc::new(EventRecorder::create(path, &options.workbench)?)),
            None => None,
        };
        if let Some(recorder) = &recorder {
            let mut in_force = file.live_options();
            in_force.insert("followUps".to_owned(), (options.max_runs.get() - 1).into());
            recorder.note(&RecordedNote::Options(in_force));
            if options.thread.is_some() && !conversation.messages().is_empty() {
                let kept = serde_json::to_value(&conversation).unwrap_or_default();
                recorder.note(&RecordedNote::Conversation(kept));
            }
        }
        let check = options.check.then(|| Arc::new(LiveCheck::new(output.clone())));
        let mut observers: Vec<Arc<dyn Observer>> = Vec::new();
        observers.extend(recorder.clone().map(|recorder| recorder as Arc<dyn Observer>));
        if options.wire {
            let url = transport.url();
            observers.push(Arc::new(Wire::new(output.clone(), &url, self.headers)));
        }
        // On the screen, the shared state is known even if the events are not shown.
        if options.events || !options.transcript {
            observers.push(Arc::new(EventViewer::new(output.clone())));
        }
        observers.extend(check.clone().map(|check| check as Arc<dyn Observer>));

        let ctrl_c = CtrlC::default();
        let answers = Answers::new(sources, ctrl_c.clone(), output.clone(), recorder.clone(), file.agent());
        output.hides_secrets_of(file.agent());
        let tools = file.live_tools();
        let client = match transport {
            Agent::StandIn => {
                ClientBuilder::over(ObservedTransport::new(stand_in::agent(), observers), tools)
            }
            Agent::Http(http) => ClientBuilder::over(ObservedTransport::new(*http, observers), tools),
        };
        let client: Client = configure(client, &file, &answers)
            .follow_ups(options.max_runs.get() - 1)
            .conversation(conversation)
            .build();
        let mut turns =
            Turns::new(client, output.clone(), answers, ctrl_c, settings.clone(), recorder.clone())?;
        turns.set_thread(options.thread.clone());
        if self.prompts.len() > 1 {
            turns.show_prompts();
        }
        if self.prompts.is_empty() {
            turns.chat().await?;
        }
        for turn in self.prompts {
            turns.turn(turn).await;
            if turns.is_over() {
                break;
            }
        }
        output.finish()?;
        recorder.map_or(Ok(()), |recorder| recorder.finish())?;
        let strictness = if options.strict { Strictness::Strict } else { Strictness::Usual };
        turns.result(options.max_runs, strictness, check.map_or(0, |check| check.breaches()))
    }

    /// The conversation to begin with, with what is sent besides messages.
    fn conversation(&self) -> Result<Conversation, CliError> {
        let options = self.options;
        let mut conversation = match &options.thread {
            Some(path) => thread::load(path)?.unwrap_or_default(),
            None => Conversation::new(),
        };
        if let Some(state) = options.shared_state()? {
            conversation.state = state;
        }
        if let Some(props) = options.props()? {
            conversation.forwarded_props = props;
        }
        conversation.context.extend(options.context()?);
        Ok(conversation)
    }

    fn transport(&self) -> Result<Agent, CliError> {
        let options = self.options;
        if options.agent == STAND_IN {
            return Ok(Agent::StandIn);
        }
        let url = options.url();
        let agent = || {
            HttpTransport::builder(&url)
                .connect_timeout(options.timeout.min(CONNECT_TIMEOUT))
                .idle_timeout(options.timeout)
        };
        let built =
            self.headers.iter().fold(agent(), |agent, (name, value)| agent.header(name, value)).build();
        built.map(|http| Agent::Http(Box::new(http))).map_err(|error| match error {
            // If the URL alone is valid, the error is about a header.
            TransportError::Unusable { .. } if agent().build().is_ok() => CliError::Header(error),
            TransportError::Unusable { .. } => CliError::Agent(error),
            other => CliError::Conversation(other.to_string()),
        })
    }
}

/// The agent that is driven.
enum Agent {
    StandIn,
    Http(Box<HttpTransport>),
}

impl Agent {
    /// The URL as it may be shown.
    fn url(&self) -> String {
        match self {
            Self::StandIn => STAND_IN.to_owned(),
            Self::Http(http) => http.shown_url(),
        }
    }
}
