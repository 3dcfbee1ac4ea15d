//! A workbench that a file describes, built and ready to run.

mod agent;
mod behaviour;
mod consent;

pub use agent::AgentAccess;
pub use consent::ScriptedConsent;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use drawloom::ag_ui::{CommandTools, CommandToolsBuilder, ErrorPlacement, UnofferedCalls};
use drawloom::command::{NullArguments, PluginId};
use drawloom::consent::{ConsentPolicy, ConsentWording};
use drawloom::workbench::{Notice, Plugin, PluginContext, Workbench, WorkbenchBuilder};
use serde_json::{Map, Value};

use crate::file::{
    Consent, FileError, FileErrorKind, FileLocation, FileOptions, FilePlugin, FileWarning, Segment,
    WorkbenchFile, lint,
};
use crate::player::Player;
use crate::transcript::{TranscriptLine, TranscriptSink};
use behaviour::{CommandRuntime, handler};

/// What a live agent's adapter does unless the file states otherwise.
const LIVE_DEFAULTS: (UnofferedCalls, ErrorPlacement, NullArguments) =
    (UnofferedCalls::LeaveToBackend, ErrorPlacement::ErrorAndContent, NullArguments::TreatAsAbsent);

/// A workbench that a file describes.
///
/// ```
/// use drawloom_replay::{FileWorkbench, TranscriptLine};
///
/// let text = r#"{
///     "plugins": [
///         { "id": "notes", "declares": ["contributions"],
///           "commands": [{ "id": "notes.ping", "title": "Ping", "callable": true }] },
///         { "id": "copilot", "declares": ["automation"] }
///     ],
///     "grants": { "notes": ["contributions"], "copilot": ["automation"] },
///     "agent": "copilot"
/// }"#;
/// let file = FileWorkbench::load(text, |_: &TranscriptLine| {})?;
/// assert_eq!(file.command_tools().list()[0].name, "notes__ping");
/// # Ok::<(), drawloom_replay::FileError>(())
/// ```
///
/// The commands of the file stay registered as long as this value, or an [`AgentAccess`] or a [`Player`] made from it,
/// exists.
pub struct FileWorkbench {
    runtime: Arc<CommandRuntime>,
    plugins: BTreeMap<PluginId, PluginContext>,
    agent: Option<PluginContext>,
    consent: Option<Arc<Consent>>,
    /// The file as it was read, and its text: for the options and the warnings.
    file: WorkbenchFile,
    text: String,
}

impl FileWorkbench {
    /// Reads a file and builds the workbench that it describes. `sink` receives each line of the transcript, also those
    /// that no agent causes.
    ///
    /// # Errors
    /// [`FileError`] with the location, if the text does not match the format or its parts contradict each other.
    pub fn load(text: &str, sink: impl TranscriptSink + 'static) -> Result<Self, FileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = WorkbenchFile::read(text)?;
        let sink: Arc<dyn TranscriptSink> = Arc::new(sink);
        let workbench = builder(&file, sink.clone()).build();
        let runtime = Arc::new(CommandRuntime::new(workbench, sink));
        let mut plugins = BTreeMap::new();
        for (index, plugin) in file.plugins.iter().enumerate() {
            let context = activate(plugin, index, &runtime, text)?;
            plugins.insert(plugin.id.clone(), context);
        }
        let agent = match &file.agent {
            None => None,
            Some(agent) => Some(plugins.get(agent).cloned().ok_or_else(|| {
                let location = FileLocation::of(&[Segment::Field("agent")], text);
                FileError::new(location, FileErrorKind::UnknownAgent(agent.clone()))
            })?),
        };
        let consent = file.consent.clone().map(Arc::new);
        Ok(Self { runtime, plugins, agent, consent, file, text: text.to_owned() })
    }

    /// Warnings about parts of the file that are valid, but probably not intended, in the order of their locations. They
    /// concern the file as it was written, not what commands changed in the workbench since.
    ///
    /// Mistakes that every composition can contain are not repeated here: see
    /// [`Workbench::composition_issues`].
    pub fn warnings(&self) -> Vec<FileWarning> {
        lint(&self.file, &self.text)
    }

    /// The workbench.
    pub fn workbench(&self) -> &Workbench {
        &self.runtime.workbench
    }

    /// The context of a plugin of the file.
    pub fn plugin(&self, id: &str) -> Option<&PluginContext> {
        self.plugins.get(id)
    }

    /// What the agent can reach.
    pub fn agent(&self) -> AgentAccess {
        AgentAccess { plugin: self.agent.clone(), _runtime: self.runtime.clone() }
    }

    /// An adapter for one connection of the agent, with the options of the file. If the file has `consent`, the consent
    /// policy decides before each call.
    pub fn command_tools(&self) -> CommandTools {
        let options = &self.file.options;
        let tools =
            self.tools(options, UnofferedCalls::Refuse, ErrorPlacement::ErrorOnly, NullArguments::Refuse);
        match self.scripted_consent() {
            Some(consent) => {
                tools.before(ConsentPolicy::builder(consent).wording(self.consent_wording()).build())
            }
            None => tools,
        }
        .build()
    }

    /// The builder of an adapter for a live agent. Options that the file does not set have the values that suit live agents: calls to
    /// tools that were never offered are left to the agent's backend, the text of a refusal or a failure is also in
    /// `content`, and a null is read as an omitted argument.
    ///
    /// It has no consent policy, because the caller decides who is asked. See [`FileWorkbench::scripted_consent`].
    pub fn live_tools(&self) -> CommandToolsBuilder {
        let (unoffered, errors, nulls) = LIVE_DEFAULTS;
        self.tools(&self.file.options, unoffered, errors, nulls)
    }

    /// The options that [`live_tools`](Self::live_tools) has, all of them, in the form of `options` in the file.
    pub fn live_options(&self) -> Map<String, Value> {
        let (unoffered, errors, nulls) = LIVE_DEFAULTS;
        self.file.options.to_json(unoffered, errors, nulls)
    }

    /// Like [`live_tools`](Self::live_tools), with these options instead of those of the file.
    ///
    /// # Errors
    /// A text that names the option that is unknown or has a wrong value.
    pub fn live_tools_with(&self, options: &Map<String, Value>) -> Result<CommandToolsBuilder, String> {
        let (unoffered, errors, nulls) = LIVE_DEFAULTS;
        let options = FileOptions::deserialize(options).map_err(|error| error.to_string())?;
        Ok(self.tools(&options, unoffered, errors, nulls))
    }

    /// An adapter with these options, and these values for options that are not set.
    fn tools(
        &self,
        options: &FileOptions,
        unoffered: UnofferedCalls,
        error_placement: ErrorPlacement,
        nulls: NullArguments,
    ) -> CommandToolsBuilder {
        CommandTools::builder(self.agent())
            .unoffered_calls(options.unoffered_calls().unwrap_or(unoffered))
            .error_placement(options.error_placement().unwrap_or(error_placement))
            .null_arguments(options.null_arguments().unwrap_or(nulls))
            .limits(options.limits())
    }

    /// How the file says that a null among the arguments is read. `None` if it does not say.
    pub fn null_arguments(&self) -> Option<NullArguments> {
        self.file.options.null_arguments()
    }

    /// The scripted answers of the file, if it has `consent`.
    pub fn scripted_consent(&self) -> Option<ScriptedConsent> {
        let consent = self.consent.as_ref()?;
        Some(ScriptedConsent::new(consent.clone(), self.runtime.clone()))
    }

    /// The texts of the file that an agent receives when the person was not asked or answered no.
    pub fn consent_wording(&self) -> ConsentWording {
        self.consent.as_deref().map(Consent::wording).unwrap_or_default()
    }

    /// A player for one recorded connection of the agent.
    pub fn player(&self) -> Player {
        Player::new(self.command_tools(), self.runtime.sink.clone())
    }
}

impl fmt::Debug for FileWorkbench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileWorkbench")
            .field("workbench", &self.runtime.workbench)
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// A builder with everything that must be set before the first plugin is activated.
fn builder(file: &WorkbenchFile, sink: Arc<dyn TranscriptSink>) -> WorkbenchBuilder {
    let mut builder = Workbench::builder().session(file.session()).window(file.window()).notifier(
        move |notice: &Notice| {
            if let Notice::MissingGrant { plugin, capability, .. } = notice {
                sink.write(&TranscriptLine::Notified { plugin: plugin.clone(), capability: *capability });
            }
        },
    );
    for (plugin, capabilities) in &file.grants.0 {
        builder = builder.grant(plugin.as_str(), capabilities.iter().map(|capability| capability.0));
    }
    for (plugin, capabilities) in &file.revoked.0 {
        builder = builder.revoked(plugin.as_str(), capabilities.iter().map(|capability| capability.0));
    }
    if let Some(language) = &file.language {
        let messages = file.messages.0.get(language).cloned().unwrap_or_default();
        builder = builder.translator(move |key: &str| messages.0.get(key).cloned());
    }
    builder
}

/// Activates the plugin at `index` in the file, and registers its commands and menu items.
fn activate(
    plugin: &FilePlugin,
    index: usize,
    runtime: &Arc<CommandRuntime>,
    text: &str,
) -> Result<PluginContext, FileError> {
    let path = [Segment::Field("plugins"), Segment::Item(index)];
    let location = |field, index| {
        FileLocation::of(&[path[0], path[1], Segment::Field(field), Segment::Item(index)], text)
    };
    let declared =
        Plugin::new(plugin.id.clone()).declares(plugin.declares.iter().map(|capability| capability.0));
    let context = runtime
        .workbench
        .activate(declared)
        .map_err(|source| FileError::new(FileLocation::of(&path, text), FileErrorKind::Plugin(source)))?;
    for (index, command) in plugin.commands.iter().enumerate() {
        let run = handler(runtime, command.behaviour.clone());
        let registered = match command.answers_text() {
            Some(_) => context.register(command.declaration(), run),
            // The lints of the file say, with a location, that the result of a behaviour is dropped.
            None => context.register(command.declaration(), move |call| {
                let run = run(call);
                async move { run.await.map(drop) }
            }),
        };
        let registration = registered.map_err(|source| {
            let (plugin, command) = (plugin.id.clone(), command.id.clone());
            FileError::new(location("commands", index), FileErrorKind::Command { plugin, command, source })
        })?;
        runtime.add_command(command.id.clone(), context.clone(), registration);
    }
    for (index, item) in plugin.menu_items.iter().enumerate() {
        let registered = context.register_menu_item(item.menu_item());
        let registration = registered.map_err(|source| {
            let (plugin, item) = (plugin.id.clone(), item.id.as_str().into());
            FileError::new(location("menuItems", index), FileErrorKind::MenuItem { plugin, item, source })
        })?;
        runtime.add_menu_item(registration);
    }
    Ok(context)
}

#[cfg(test)]
mod tests;
