//! The commands of a workbench file, by the crate that owns its format.

use drawloom_replay::{DeclaredCommands, FileLocation};
use serde_json::Value;

use crate::finding::{Location, Problem};
use crate::judge::{Candidate, CandidateArgument, Returns, Text};
use crate::rule::Rule;
use crate::translations::Translations;

/// What a workbench file declares.
pub(crate) struct WorkbenchFile {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) translations: Translations,
}

/// Reads a JSON file; `None` if it is not a workbench file.
pub(crate) fn read(name: &str, text: &str) -> Result<Option<WorkbenchFile>, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str::<Value>(text) {
        Ok(value) if is_workbench(&value) => {}
        Ok(_) => return Ok(None),
        // A file that breaks off may have been meant as one.
        Err(_) if text.contains("\"plugins\"") && text.contains("\"commands\"") => {}
        Err(_) => return Ok(None),
    }
    let declared = DeclaredCommands::read(text).map_err(|error| {
        let place = error.location();
        let location = Location::new(name, place.line, place.column);
        Problem::new(Rule::UnreadableFile, Some(location), format!("it is not a workbench file: {error}"))
    })?;
    let location = |place: &FileLocation| Location::new(name, place.line, place.column);
    let translations = Translations::of_messages(&declared.messages);
    let candidates = declared.commands.into_iter().map(|command| Candidate {
        location: location(&command.location),
        id: command.id.as_str().to_owned(),
        title: Text::Known(command.title),
        description: command.description.map(Text::Known),
        answers: command.answers.map(Text::Known),
        category: command.category.map(Text::Known),
        icon: command.icon.map(Text::Known),
        effects: command.effects,
        agent_consent: command.agent_consent,
        arguments: command
            .arguments
            .into_iter()
            .map(|(argument, place)| CandidateArgument { argument, location: location(&place) })
            .collect(),
        schema: None,
        callable: command.callable,
        access: command.access,
        returns: if command.gives_answer { Returns::Value } else { Returns::Nothing },
        notes: Vec::new(),
    });
    Ok(Some(WorkbenchFile { candidates: candidates.collect(), translations }))
}

/// Whether JSON is a workbench file: an object with `plugins`, a list in which an object has an `id`.
fn is_workbench(value: &Value) -> bool {
    let plugins = value.get("plugins").and_then(Value::as_array);
    plugins.is_some_and(|plugins| plugins.iter().any(|plugin| plugin.get("id").is_some_and(Value::is_string)))
}
