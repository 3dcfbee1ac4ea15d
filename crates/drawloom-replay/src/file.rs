//! The workbench file as it is written: one struct for each object of the format, and nothing of what it does.
//!
//! Whatever is left out has the closed default, and whatever the format does not know is an error.

mod argument;
mod behaviour;
mod consent;
mod exact;
mod forms;
mod words;

pub(crate) use argument::FileArgument;
pub(crate) use behaviour::{Act, Behaviour};
pub(crate) use consent::{ANY, Consent, ScriptedAnswer};
pub(crate) use forms::Named;
use forms::{Access, Object, SessionForm};
pub(crate) use words::Word;

use drawloom::ag_ui::{AssemblerLimits, ErrorPlacement, UnofferedCalls};
use drawloom::command::{AccessRequirement, AgentConsent, Command, CommandId, NullArguments, PluginId};
use drawloom::workbench::{Capability, MenuItem, Session, Window};
use serde::Deserialize;

use crate::error::FileError;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) plugins: Vec<FilePlugin>,
    pub(crate) grants: Named<Vec<Word<Capability>>>,
    pub(crate) revoked: Named<Vec<Word<Capability>>>,
    session: SessionForm,
    window: Word<Window>,
    pub(crate) agent: Option<PluginId>,
    pub(crate) consent: Option<Consent>,
    pub(crate) options: Options,
    pub(crate) language: Option<String>,
    pub(crate) messages: Named<Named<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileCommand {
    pub(crate) id: CommandId,
    title: String,
    description: Option<String>,
    #[serde(default)]
    pub(crate) arguments: Vec<FileArgument>,
    pub(crate) answers: Option<String>,
    #[serde(default)]
    pub(crate) callable: bool,
    agent_consent: Option<Word<AgentConsent>>,
    access: Option<Access>,
    #[serde(default)]
    popout: bool,
    #[serde(default)]
    context_only: bool,
    #[serde(default)]
    pub(crate) behaviour: Behaviour,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileMenuItem {
    pub(crate) id: String,
    title: String,
    command: CommandId,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Options {
    unoffered: Option<Word<UnofferedCalls>>,
    errors_in_content: Option<bool>,
    null_arguments: Word<NullArguments>,
    limits: Limits,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Limits {
    argument_bytes: Option<usize>,
    open_calls: Option<usize>,
    calls_per_run: Option<usize>,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// [`FileError`], naming the place.
    pub(crate) fn read(text: &str) -> Result<Self, FileError> {
        let mut json = serde_json::Deserializer::from_str(text);
        let Object(file) =
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
    /// What it states about an agent's word.
    pub(crate) fn states(&self) -> Option<AgentConsent> {
        self.agent_consent.map(|Word(consent)| consent)
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

    /// The command as it is declared.
    pub(crate) fn declaration(&self) -> Command {
        let mut command = Command::new(self.id.clone(), &*self.title)
            .arguments(self.arguments.iter().map(|argument| argument.0.clone()));
        if let Some(description) = &self.description {
            command = command.description(&**description);
        }
        if let Some(answers) = &self.answers {
            command = command.answers(&**answers);
        }
        if let Some(consent) = self.states() {
            command = command.agent_consent(consent);
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

impl Options {
    /// What the file says of calls to tools that are not offered.
    pub(crate) fn unoffered_calls(&self) -> Option<UnofferedCalls> {
        self.unoffered.map(|unoffered| unoffered.0)
    }

    /// Where the file says the words of an error go.
    pub(crate) fn error_placement(&self) -> Option<ErrorPlacement> {
        let in_content = self.errors_in_content?;
        Some(if in_content { ErrorPlacement::ErrorAndContent } else { ErrorPlacement::ErrorOnly })
    }

    pub(crate) fn null_arguments(&self) -> NullArguments {
        self.null_arguments.0
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
