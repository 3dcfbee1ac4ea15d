//! The workbench file as it is written: one struct for each object of the format. What a file does is in `runtime`.
//!
//! A field that is absent has the closed default. A field or word that the format does not know is an error.

mod argument;
mod behaviour;
mod consent;
mod effects;
mod exact;
mod objects;
mod words;

pub(crate) use argument::FileArgument;
pub(crate) use behaviour::{Action, Behaviour};
pub(crate) use consent::{ANY_COMMAND, Consent, ScriptedAnswer};
use effects::FileEffects;
pub(crate) use objects::Named;
pub(crate) use objects::objects_only;
use objects::{Access, FileSession};
pub(crate) use words::Word;
use words::word;

use drawloom::ag_ui::{AssemblerLimits, ErrorPlacement, UnofferedCalls};
use drawloom::command::{
    AccessRequirement, AgentConsent, Command, CommandId, Effects, NullArguments, PluginId,
};
use drawloom::workbench::{Capability, MenuItem, Session, Window};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::error::FileError;

#[derive(Debug, Default, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct WorkbenchFile {
    pub(crate) plugins: Vec<FilePlugin>,
    pub(crate) grants: Named<Vec<Word<Capability>>>,
    pub(crate) revoked: Named<Vec<Word<Capability>>>,
    session: FileSession,
    window: Word<Window>,
    pub(crate) agent: Option<PluginId>,
    pub(crate) consent: Option<Consent>,
    pub(crate) options: FileOptions,
    pub(crate) language: Option<String>,
    pub(crate) messages: Named<Named<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FilePlugin {
    pub(crate) id: PluginId,
    #[serde(default)]
    pub(crate) declares: Vec<Word<Capability>>,
    #[serde(default)]
    pub(crate) commands: Vec<FileCommand>,
    #[serde(default)]
    pub(crate) menu_items: Vec<FileMenuItem>,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileCommand {
    pub(crate) id: CommandId,
    title: String,
    description: Option<String>,
    #[serde(default)]
    pub(crate) arguments: Vec<FileArgument>,
    answers: Option<String>,
    #[serde(default)]
    pub(crate) callable: bool,
    agent_consent: Option<Word<AgentConsent>>,
    effects: Option<FileEffects>,
    answer_schema: Option<Value>,
    pub(crate) category: Option<String>,
    pub(crate) icon: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    unavailable: Option<String>,
    on: Option<bool>,
    access: Option<Access>,
    #[serde(default)]
    popout: bool,
    #[serde(default)]
    context_only: bool,
    #[serde(default)]
    pub(crate) behaviour: Behaviour,
}

#[derive(Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(crate) struct FileMenuItem {
    pub(crate) id: String,
    title: String,
    command: CommandId,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct FileOptions {
    unoffered: Option<Word<UnofferedCalls>>,
    errors_in_content: Option<bool>,
    null_arguments: Option<Word<NullArguments>>,
    limits: FileLimits,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
struct FileLimits {
    argument_bytes: Option<usize>,
    open_calls: Option<usize>,
    calls_per_run: Option<usize>,
}

objects_only!(WorkbenchFile, FilePlugin, FileCommand, FileMenuItem, FileOptions, FileLimits);

impl WorkbenchFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`] with the location, if the text is not JSON or does not match the format.
    pub(crate) fn read(text: &str) -> Result<Self, FileError> {
        let mut json = serde_json::Deserializer::from_str(text);
        let file: Self =
            serde_path_to_error::deserialize(&mut json).map_err(|error| FileError::at_field(&error))?;
        json.end().map_err(|error| FileError::format("", &error))?;
        Ok(file)
    }

    pub(crate) fn session(&self) -> Session {
        self.session.0.clone()
    }

    pub(crate) fn window(&self) -> Window {
        self.window.0
    }
}

impl FileCommand {
    /// What the command states about the consent of the person.
    pub(crate) fn consent_statement(&self) -> Option<AgentConsent> {
        self.agent_consent.map(|Word(consent)| consent)
    }

    /// What the command states that it does.
    pub(crate) fn effects(&self) -> Option<Effects> {
        self.effects.as_ref().map(FileEffects::stated)
    }

    /// The description of the answer: its own, or that of its schema.
    pub(crate) fn answers_text(&self) -> Option<String> {
        let of_schema = || self.answer_schema.as_ref()?.get("description")?.as_str().map(str::to_owned);
        self.answers.clone().or_else(of_schema)
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// What it requires of the session.
    pub(crate) fn access(&self) -> AccessRequirement {
        self.access.as_ref().map(|Access(access)| access.clone()).unwrap_or_default()
    }

    /// The declaration that the file describes.
    pub(crate) fn declaration(&self) -> Command {
        let mut command = Command::new(self.id.clone(), &*self.title)
            .arguments(self.arguments.iter().map(|argument| argument.0.clone()));
        if let Some(description) = &self.description {
            command = command.description(&**description);
        }
        if let Some(answers) = &self.answers {
            command = command.answers(&**answers);
        }
        if let Some(consent) = self.consent_statement() {
            command = command.agent_consent(consent);
        }
        if let Some(schema) = &self.answer_schema {
            command = command.answer_schema(schema);
        }
        if let Some(effects) = self.effects() {
            command = command.effects(effects);
        }
        if let Some(category) = &self.category {
            command = command.category(&**category);
        }
        if let Some(icon) = &self.icon {
            command = command.icon(&**icon);
        }
        command = command.keywords(self.keywords.iter().map(String::as_str));
        if let Some(reason) = &self.unavailable {
            command = command.available_when(&**reason, || false);
        }
        if let Some(on) = self.on {
            command = command.on_when(move || on);
        }
        if let Some(Access(access)) = &self.access {
            command = command.access(access.clone());
        }
        if self.callable {
            command = command.callable();
        }
        if self.popout {
            command = command.popout();
        }
        if self.context_only {
            command = command.context_only();
        }
        command
    }
}

impl FileMenuItem {
    pub(crate) fn menu_item(&self) -> MenuItem {
        MenuItem::new(&*self.id, &*self.title, self.command.clone())
    }
}

impl FileOptions {
    /// The option `unoffered`, if the file sets it.
    pub(crate) fn unoffered_calls(&self) -> Option<UnofferedCalls> {
        self.unoffered.map(|unoffered| unoffered.0)
    }

    /// The option `errorsInContent`, if the file sets it.
    pub(crate) fn error_placement(&self) -> Option<ErrorPlacement> {
        let in_content = self.errors_in_content?;
        Some(if in_content { ErrorPlacement::ErrorAndContent } else { ErrorPlacement::ErrorOnly })
    }

    /// The option `nullArguments`, if the file sets it.
    pub(crate) fn null_arguments(&self) -> Option<NullArguments> {
        self.null_arguments.map(|nulls| nulls.0)
    }

    /// All options as the file writes them, with these values for those that the file does not set.
    pub(crate) fn to_json(
        &self,
        unoffered: UnofferedCalls,
        errors: ErrorPlacement,
        nulls: NullArguments,
    ) -> Map<String, Value> {
        let (unoffered, nulls) =
            (self.unoffered_calls().unwrap_or(unoffered), self.null_arguments().unwrap_or(nulls));
        let in_content = self.error_placement().unwrap_or(errors) == ErrorPlacement::ErrorAndContent;
        let limits = self.limits();
        let limits = json!({ "argumentBytes": limits.argument_bytes, "openCalls": limits.open_calls,
            "callsPerRun": limits.calls_per_run });
        Map::from_iter([
            ("unoffered".to_owned(), word(unoffered).into()),
            ("errorsInContent".to_owned(), in_content.into()),
            ("nullArguments".to_owned(), word(nulls).into()),
            ("limits".to_owned(), limits),
        ])
    }

    pub(crate) fn limits(&self) -> AssemblerLimits {
        let mut limits = AssemblerLimits::default();
        if let Some(bytes) = self.limits.argument_bytes {
            limits = limits.with_argument_bytes(bytes);
        }
        if let Some(calls) = self.limits.open_calls {
            limits = limits.with_open_calls(calls);
        }
        if let Some(calls) = self.limits.calls_per_run {
            limits = limits.with_calls_per_run(calls);
        }
        limits
    }
}
