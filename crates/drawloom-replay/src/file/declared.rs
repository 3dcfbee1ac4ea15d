//! The commands of a workbench file as they are declared, without a workbench: for tools that judge declarations.

use std::collections::BTreeMap;

use drawloom::command::{AccessRequirement, AgentConsent, Argument, CommandId, Effects};

use super::error::FileError;
use super::location::{FileLocation, Locator, Segment};
use super::schema::{Action, WorkbenchFile};

/// What a workbench file declares.
///
/// ```
/// use drawloom_replay::DeclaredCommands;
///
/// let declared = DeclaredCommands::read(r#"{ "plugins": [ { "id": "notes", "commands": [
///     { "id": "notes.open", "title": "Open note", "callable": true } ] } ] }"#)?;
/// let open = &declared.commands[0];
/// assert_eq!((open.id.as_str(), open.location.line, open.callable), ("notes.open", 2, true));
/// # Ok::<(), drawloom_replay::FileError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeclaredCommands {
    /// The commands of all plugins, in the order of the file.
    pub commands: Vec<DeclaredCommand>,
    /// The messages of each language.
    pub messages: BTreeMap<String, BTreeMap<String, String>>,
}

/// One command of a workbench file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeclaredCommand {
    /// Where it is.
    pub location: FileLocation,
    /// Its id.
    pub id: CommandId,
    /// Its title, as declared.
    pub title: String,
    /// Its description, as declared.
    pub description: Option<String>,
    /// Its arguments, each with its location.
    pub arguments: Vec<(Argument, FileLocation)>,
    /// What it answers, as declared.
    pub answers: Option<String>,
    /// Its category, as declared.
    pub category: Option<String>,
    /// The name of its icon.
    pub icon: Option<String>,
    /// What it does, as declared.
    pub effects: Option<Effects>,
    /// Whether an agent may run it without asking the person, as declared.
    pub agent_consent: Option<AgentConsent>,
    /// Whether it is callable.
    pub callable: bool,
    /// What it requires of the session.
    pub access: AccessRequirement,
    /// Whether its behaviour gives an answer.
    pub gives_answer: bool,
}

impl DeclaredCommands {
    /// Reads a workbench file. Nothing is registered, so what registration refuses is read all the same.
    ///
    /// # Errors
    /// [`FileError`], which names the location, if the text is not of the format.
    pub fn read(text: &str) -> Result<Self, FileError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file = WorkbenchFile::read(text)?;
        let mut locations = Locator::new(text);
        let mut commands = Vec::new();
        for (index, plugin) in file.plugins.iter().enumerate() {
            for (number, command) in plugin.commands.iter().enumerate() {
                let here = [
                    Segment::Field("plugins"),
                    Segment::Item(index),
                    Segment::Field("commands"),
                    Segment::Item(number),
                ];
                let arguments = command.arguments.iter().enumerate().map(|(argument, declared)| {
                    let path = [&here[..], &[Segment::Field("arguments"), Segment::Item(argument)]].concat();
                    (declared.0.clone(), locations.of(&path))
                });
                let arguments = arguments.collect();
                commands.push(DeclaredCommand {
                    location: locations.of(&here),
                    id: command.id.clone(),
                    title: command.title().to_owned(),
                    description: command.description().map(str::to_owned),
                    arguments,
                    answers: command.answers_text(),
                    category: command.category.clone(),
                    icon: command.icon.clone(),
                    effects: command.effects(),
                    agent_consent: command.consent_statement(),
                    callable: command.callable,
                    access: command.access(),
                    gives_answer: matches!(
                        command.behaviour.action,
                        Action::Answer(_) | Action::Echo | Action::Invoke(..)
                    ),
                });
            }
        }
        let messages =
            file.messages.0.into_iter().map(|(language, messages)| (language, messages.0)).collect();
        Ok(Self { commands, messages })
    }
}
