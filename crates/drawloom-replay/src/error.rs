//! What can be wrong with a workbench file.

use std::error::Error;
use std::fmt;

use drawloom::command::{CommandId, PluginId};
use drawloom::workbench::{ActivateError, ControlId, RegisterError};
use serde_path_to_error::Segment;

use crate::place::Place;

/// Why a workbench file is not one, and where.
///
/// ```
/// use drawloom_replay::{FileWorkbench, Step};
///
/// let text = r#"{ "plugins": [ { "id": "notes", "declares": ["automaton"] } ] }"#;
/// let error = FileWorkbench::load(text, |_: &Step| {}).unwrap_err();
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
    place: Place,
    fault: FileFault,
}

/// What is wrong with a workbench file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It is not JSON, or says something that the format does not know.
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
        /// Why not.
        source: RegisterError,
    },
    /// A menu item cannot be registered.
    #[error("menu item \"{item}\" of plugin \"{plugin}\": {source}")]
    MenuItem {
        /// The plugin.
        plugin: PluginId,
        /// The menu item.
        item: ControlId,
        /// Why not.
        source: RegisterError,
    },
    /// The agent is no plugin of the file.
    #[error("there is no plugin \"{0}\" in the file")]
    UnknownAgent(PluginId),
}

impl FileError {
    pub(crate) fn new(place: Place, fault: FileFault) -> Self {
        Self(Box::new(Parts { place, fault }))
    }

    /// What was found wrong on the way to a field.
    pub(crate) fn at_field(error: &serde_path_to_error::Error<serde_json::Error>) -> Self {
        let path = error.path().to_string();
        // A field whose name was not read to its end is called a question mark, and the whole a dot.
        let path = match error.path().iter().next_back() {
            None => "",
            Some(Segment::Unknown) => path.strip_suffix(".?").unwrap_or_default(),
            Some(_) => &path,
        };
        Self::format(path, error.inner())
    }

    /// What serde_json found wrong at a field, or where none is named, with the whole.
    pub(crate) fn format(path: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let words = error.to_string();
        let problem = words.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&words);
        Self::new(Place { line, column, path: path.to_owned() }, FileFault::Format(problem.to_owned()))
    }

    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match &self.0.fault {
            FileFault::Format(_) => "not-a-workbench-file",
            FileFault::Plugin(source) => source.code(),
            FileFault::Command { source, .. } | FileFault::MenuItem { source, .. } => source.code(),
            FileFault::UnknownAgent(_) => "unknown-agent",
        }
    }

    /// Where in the file it is.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// What is wrong there.
    pub fn fault(&self) -> &FileFault {
        &self.0.fault
    }

    /// The same error in a larger file, in which the file begins at `start`.
    pub(crate) fn within(self, start: &Place) -> Self {
        let Parts { place, fault } = *self.0;
        Self::new(place.within(start), fault)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.place, self.0.fault)
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.fault.source()
    }
}
