//! Translations in a directory: a JSON file for each language, and the keys of declarations that none of them has.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::finding::{Location, Problem};
use crate::judge::{Candidate, Text};
use crate::limits::ValidationLimits;
use crate::rule::Rule;
use drawloom_command::{ChoiceLabels, CommandArgument};

/// The languages of an application, and the keys that each one has.
#[derive(Debug, Default)]
pub(crate) struct Translations(BTreeMap<String, HashSet<String>>);

/// How deep the objects of a translation file may nest.
const DEPTH: usize = 64;

impl Translations {
    /// Reads `de.json`, `fr.json`, … of a directory, and the files of its folders `de`, `fr`, …. What cannot be read is
    /// added to the problems.
    ///
    /// # Errors
    /// The directory itself cannot be read.
    pub(crate) fn read(
        directory: &Path,
        limits: &ValidationLimits,
        problems: &mut Vec<Problem>,
    ) -> std::io::Result<Self> {
        fs::read_dir(directory)?;
        let walk = crate::walk::walk(directory, limits)?;
        problems.extend(walk.problems);
        let mut translations = Self::default();
        for file in walk.files {
            let Some(name) = file.name.strip_suffix(".json") else { continue };
            let language = name.split('/').next().unwrap_or(name).to_owned();
            let keys = translations.0.entry(language).or_default();
            let read = file.read(limits).map_err(|(_, message)| message).and_then(|text| {
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
                serde_json::from_str::<Value>(&text).map_err(|error| format!("it is not JSON: {error}"))
            });
            match read {
                Ok(Value::Object(members)) => add(keys, "", &Value::Object(members), DEPTH),
                Ok(_) => problems.push(unreadable(&file.name, "it is not an object of keys and texts")),
                Err(message) => problems.push(unreadable(&file.name, &message)),
            }
        }
        Ok(translations)
    }

    /// The keys of one command that do not resolve.
    pub(crate) fn missing(&self, candidate: &Candidate, own: Option<&Self>) -> Vec<Problem> {
        let mut texts = vec![("title", &candidate.title, &candidate.location)];
        texts.extend(candidate.description.as_ref().map(|text| ("description", text, &candidate.location)));
        texts.extend(candidate.answers.as_ref().map(|text| ("answers", text, &candidate.location)));
        texts.extend(candidate.category.as_ref().map(|text| ("category", text, &candidate.location)));
        let mut problems = Vec::new();
        for (part, text, location) in texts {
            if let Text::Known(text) = text {
                problems.extend(self.of_text(part, text, location, own));
            }
        }
        for argument in &candidate.arguments {
            let declared = CommandArgument::from(argument.argument.clone());
            if let Some(text) = declared.description() {
                let part = format!("description of argument \"{}\"", declared.name());
                problems.extend(self.of_text(&part, text, &argument.location, own));
            }
            for (choice, label) in declared.labels().into_iter().flat_map(ChoiceLabels::iter) {
                let part = format!("label of choice \"{choice}\" in argument \"{}\"", declared.name());
                problems.extend(self.of_text(&part, label, &argument.location, own));
            }
        }
        problems
    }

    fn of_text(&self, part: &str, text: &str, location: &Location, own: Option<&Self>) -> Option<Problem> {
        if !reads_as_key(text) {
            return None;
        }
        let has = |language: &String, keys: &HashSet<String>| {
            keys.contains(text)
                || own.and_then(|own| own.0.get(language)).is_some_and(|keys| keys.contains(text))
        };
        let without: Vec<&str> = self
            .0
            .iter()
            .filter(|(language, keys)| !has(language, keys))
            .map(|(language, _)| language.as_str())
            .collect();
        if without.is_empty() {
            return None;
        }
        let languages = without.join(", ");
        let message = format!(
            "the key \"{text}\" of its {part} has no translation in {languages}, so the key itself is shown there"
        );
        Some(Problem::new(Rule::MissingTranslation, Some(location.clone()), message))
    }
}

/// The same rule by which the report of a composition takes a text for a key.
fn reads_as_key(text: &str) -> bool {
    text.trim_matches('.').contains('.') && !text.contains(char::is_whitespace)
}

/// Adds the keys of an object; an object inside it continues its key with a dot.
fn add(keys: &mut HashSet<String>, prefix: &str, value: &Value, left: usize) {
    match value {
        Value::Object(members) if left > 0 => {
            for (name, value) in members {
                let dot = if prefix.is_empty() { "" } else { "." };
                add(keys, &format!("{prefix}{dot}{name}"), value, left - 1);
            }
        }
        Value::String(_) => {
            keys.insert(prefix.to_owned());
        }
        _ => {}
    }
}

fn unreadable(name: &str, message: &str) -> Problem {
    Problem::new(Rule::UnreadableFile, Some(Location::of_file(format!("translations/{name}"))), message)
}

#[cfg(feature = "workbench-files")]
impl Translations {
    /// The messages of a workbench file.
    pub(crate) fn of_messages(messages: &BTreeMap<String, BTreeMap<String, String>>) -> Self {
        Self(
            messages
                .iter()
                .map(|(language, keys)| (language.clone(), keys.keys().cloned().collect()))
                .collect(),
        )
    }
}
