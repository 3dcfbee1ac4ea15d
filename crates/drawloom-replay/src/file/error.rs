//! Errors in a workbench file.

use std::error::Error;
use std::fmt;

use drawloom::command::{CommandId, PluginId};
use drawloom::workbench::{ActivateError, ControlId, RegisterError};
use serde_path_to_error::Segment;

use super::location::FileLocation;

/// An error in a workbench file, with its location.
///
/// ```
/// use drawloom_replay::{FileWorkbench, TranscriptLine};
///
/// let text = r#"{ "plugins": [ { "id": "notes", "declares": ["automaton"] } ] }"#;
/// let error = FileWorkbench::load(text, |_: &TranscriptLine| {}).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 56, plugins[0].declares[0]: unknown capability \"automaton\", \
///      expected one of \"contributions\", \"automation\", \"session\", \"ui\"",
/// );
/// ```
#[derive(Debug)]
pub struct FileError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    location: FileLocation,
    kind: FileErrorKind,
}

/// What is wrong with a workbench file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The text is not JSON, or does not match the format.
    #[error("{0}")]
    Format(String),
    /// A plugin cannot be activated.
    #[error(transparent)]
    Plugin(ActivateError),
    /// A command cannot be registered.
    #[error("command \"{command}\" of plugin \"{plugin}\": {source}")]
    Command {
        /// The plugin.
        plugin: PluginId,
        /// The command.
        command: CommandId,
        /// Why it cannot be registered.
        source: RegisterError,
    },
    /// A menu item cannot be registered.
    #[error("menu item \"{item}\" of plugin \"{plugin}\": {source}")]
    MenuItem {
        /// The plugin.
        plugin: PluginId,
        /// The menu item.
        item: ControlId,
        /// Why it cannot be registered.
        source: RegisterError,
    },
    /// The field `agent` names a plugin that is not in the file.
    #[error("there is no plugin \"{0}\" in the file")]
    UnknownAgent(PluginId),
}

impl FileError {
    pub(crate) fn new(location: FileLocation, kind: FileErrorKind) -> Self {
        Self(Box::new(Parts { location, kind }))
    }

    /// An error that was found while a field was being read.
    pub(crate) fn at_field(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = error.path().to_string();
        // serde_path_to_error writes "?" for a field whose name was not read completely, and "." for the whole.
        let path = match error.path().iter().next_back() {
            None => "",
            Some(Segment::Unknown) => path.strip_suffix(".?").unwrap_or_default(),
            Some(_) => &path,
        };
        Self::format(path, error.inner())
    }

    /// An error of serde_json at the field `path`. An empty path is the file as a whole.
    pub(crate) fn format(path: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let problem = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
        let location = FileLocation { line, column, path: path.to_owned() };
        Self::new(location, FileErrorKind::Format(problem.to_owned()))
    }

    /// A stable code for this kind of error.
    pub fn code(&self) -> &'static str {
        match &self.0.kind {
            FileErrorKind::Format(_) => "not-a-workbench-file",
            FileErrorKind::Plugin(source) => source.code(),
            FileErrorKind::Command { source, .. } | FileErrorKind::MenuItem { source, .. } => source.code(),
            FileErrorKind::UnknownAgent(_) => "unknown-agent",
        }
    }

    /// The location of the error in the file.
    pub fn location(&self) -> &FileLocation {
        &self.0.location
    }

    /// What is wrong at this location.
    pub fn kind(&self) -> &FileErrorKind {
        &self.0.kind
    }

    /// The same error in a larger file, which contains this file from `start` on.
    pub(crate) fn within(self, start: &FileLocation) -> Self {
        let Parts { location, kind } = *self.0;
        Self::new(location.within(start), kind)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.location, self.0.kind)
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.kind.source()
    }
}
