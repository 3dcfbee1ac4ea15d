//! A file as a workbench that runs: everything it names activated, granted and registered.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, PoisonError};

use drawloom::ag_ui::{CommandTools, ErrorPlacement, UnofferedCalls};
use drawloom::command::PluginId;
use drawloom::consent::{ConsentPolicy, ConsentWording};
use drawloom::workbench::{Notice, Plugin, PluginContext, Workbench, WorkbenchBuilder};

use crate::agent::Agent;
use crate::error::{FileError, FileFault};
use crate::file::{Consent, File, FilePlugin};
use crate::person::ScriptedPerson;
use crate::place::{Place, Step as To};
use crate::player::Player;
use crate::stage::{Stage, handler};
use crate::transcript::{Recorder, Step};
use crate::warning::{self, FileWarning};

/// A workbench that a file describes.
///
/// ```
/// use drawloom_replay::{FileWorkbench, Step};
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
/// let file = FileWorkbench::load(text, |_: &Step| {})?;
/// assert_eq!(file.command_tools().list()[0].name, "notes__ping");
/// # Ok::<(), drawloom_replay::FileError>(())
/// ```
///
/// What it registered is there as long as this, an [`Agent`] or a [`Player`] of it is.
pub struct FileWorkbench {
    stage: Arc<Stage>,
    plugins: BTreeMap<PluginId, PluginContext>,
    agent: Option<PluginContext>,
    consent: Option<Arc<Consent>>,
    /// As it was written, for what is looked up in it later.
    file: File,
    text: String,
}

impl FileWorkbench {
    /// Reads a file and builds what it describes. `recorder` is told of every step, also of those that no agent
    /// takes.
    ///
    /// # Errors
    /// [`FileError`], which names the place, where the text is not of the format or what it says does not hold
    /// together.
    pub fn load(text: &str, recorder: impl Recorder + 'static) -> Result<Self, FileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = File::read(text)?;
        let recorder: Arc<dyn Recorder> = Arc::new(recorder);
        let workbench = builder(&file, recorder.clone()).build();
        let stage = Arc::new(Stage::new(workbench, recorder));
        let mut plugins = BTreeMap::new();
        for (index, entry) in file.plugins.iter().enumerate() {
            let context = activate(entry, index, &stage, text)?;
            plugins.insert(entry.id.clone(), context);
        }
        let agent = match &file.agent {
            None => None,
            Some(agent) => Some(plugins.get(agent).cloned().ok_or_else(|| {
                let fault = FileFault::UnknownAgent(agent.clone());
                FileError::new(Place::of(&[To::Field("agent")], text), fault)
            })?),
        };
        let consent = file.consent.clone().map(Arc::new);
        Ok(Self { stage, plugins, agent, consent, file, text: text.to_owned() })
    }

    /// What the file gets silently wrong as it is written, in the order of its places: what runs, and hardly as
    /// meant. What commands did to the workbench since has no part in it.
    ///
    /// What any composition can get wrong is not repeated: ask the workbench for its
    /// [`composition_issues`](Workbench::composition_issues) too.
    pub fn warnings(&self) -> Vec<FileWarning> {
        warning::of(&self.file, &self.text)
    }

    /// The workbench itself.
    pub fn workbench(&self) -> &Workbench {
        &self.stage.workbench
    }

    /// The context of a plugin of the file.
    pub fn plugin(&self, id: &str) -> Option<&PluginContext> {
        self.plugins.get(id)
    }

    /// What the agent reaches.
    pub fn agent(&self) -> Agent {
        Agent { plugin: self.agent.clone(), _stage: self.stage.clone() }
    }

    /// An adapter for the agent with the options of the file and, where the file has `consent`, with the policy: one
    /// for each connection.
    pub fn command_tools(&self) -> CommandTools {
        let tools = self.tools(UnofferedCalls::default(), ErrorPlacement::default());
        match self.scripted_person() {
            Some(person) => {
                tools.before(ConsentPolicy::builder(person).wording(self.consent_wording()).build())
            }
            None => tools,
        }
    }

    /// An adapter for a live agent: with what live agents need where the file's options do not say otherwise, and
    /// without the policy, since who is asked is for the caller to say. See [`FileWorkbench::scripted_person`].
    ///
    /// Live agents are left the calls to tools they were never offered, and the words of a refusal or a failure are in
    /// `content` too.
    pub fn live_tools(&self) -> CommandTools {
        self.tools(UnofferedCalls::LeaveToBackend, ErrorPlacement::ErrorAndContent)
    }

    /// An adapter with the options of the file, and with these where it has none.
    fn tools(&self, unoffered: UnofferedCalls, error_placement: ErrorPlacement) -> CommandTools {
        let options = &self.file.options;
        CommandTools::new(self.agent())
            .unoffered_calls(options.unoffered_calls().unwrap_or(unoffered))
            .error_placement(options.error_placement().unwrap_or(error_placement))
            .null_arguments(options.null_arguments())
            .limits(options.limits())
    }

    /// The answers of the file in place of a person, where it has any.
    pub fn scripted_person(&self) -> Option<ScriptedPerson> {
        let consent = self.consent.as_ref()?;
        Some(ScriptedPerson::new(consent.clone(), self.stage.clone()))
    }

    /// How the file words what an agent is told where the person was not asked or said no.
    pub fn consent_wording(&self) -> ConsentWording {
        self.consent.as_deref().map(Consent::wording).unwrap_or_default()
    }

    /// What plays a run on this workbench, as one connection.
    pub fn player(&self) -> Player {
        Player::new(self.command_tools(), self.stage.recorder.clone())
    }
}

impl fmt::Debug for FileWorkbench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileWorkbench")
            .field("workbench", &self.stage.workbench)
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}

/// Everything that holds before the first plugin is there.
fn builder(file: &File, recorder: Arc<dyn Recorder>) -> WorkbenchBuilder {
    let mut builder = Workbench::builder().session(file.session()).window(file.window()).notifier(
        move |notice: &Notice| {
            if let Notice::MissingGrant { plugin, capability, .. } = notice {
                recorder.record(&Step::Notified { plugin: plugin.clone(), capability: *capability });
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

/// Activates the plugin that stands `index`th in the file, and registers what it contributes.
fn activate(
    entry: &FilePlugin,
    index: usize,
    stage: &Arc<Stage>,
    text: &str,
) -> Result<PluginContext, FileError> {
    let here = [To::Field("plugins"), To::Item(index)];
    let place = |field, index| Place::of(&[here[0], here[1], To::Field(field), To::Item(index)], text);
    let plugin = Plugin::new(entry.id.clone()).declares(entry.declares.iter().map(|capability| capability.0));
    let context = stage
        .workbench
        .activate(plugin)
        .map_err(|source| FileError::new(Place::of(&here, text), FileFault::Plugin(source)))?;
    for (index, command) in entry.commands.iter().enumerate() {
        let registered = context.register(command.declaration(), handler(stage, command.behaviour.clone()));
        let registration = registered.map_err(|source| {
            let (plugin, command) = (entry.id.clone(), command.id.clone());
            FileError::new(place("commands", index), FileFault::Command { plugin, command, source })
        })?;
        stage.add_command(command.id.clone(), context.clone(), registration);
    }
    for (index, item) in entry.menu_items.iter().enumerate() {
        let registered = context.register_menu_item(item.menu_item());
        let registration = registered.map_err(|source| {
            let (plugin, item) = (entry.id.clone(), item.id.as_str().into());
            FileError::new(place("menuItems", index), FileFault::MenuItem { plugin, item, source })
        })?;
        stage.controls.lock().unwrap_or_else(PoisonError::into_inner).push(registration);
    }
    Ok(context)
}

#[cfg(test)]
mod tests;
