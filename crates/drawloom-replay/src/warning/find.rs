//! One walk through a file that has been read, for what it gets silently wrong.

use std::collections::HashSet;

use drawloom::command::{AgentConsent, CommandId, PluginId};
use drawloom::workbench::Capability;

use super::{FileConcern, FileWarning, Lack};
use crate::file::{ANY, Act, Behaviour, File, FileArgument, FileCommand, FilePlugin, ScriptedAnswer, Word};
use crate::place::{Places, Step as To};
use drawloom::command::CommandArgument;

/// What a file that reads as `text` gets silently wrong, in the order of the places.
pub(crate) fn of(file: &File, text: &str) -> Vec<FileWarning> {
    let commands = file.plugins.iter().flat_map(|plugin| &plugin.commands);
    let mut walk = Walk {
        file,
        places: Places::new(text),
        plugins: file.plugins.iter().map(|plugin| &plugin.id).collect(),
        commands: commands.map(|command| &command.id).collect(),
        found: Vec::new(),
    };
    walk.agent();
    for (index, plugin) in file.plugins.iter().enumerate() {
        for (number, command) in plugin.commands.iter().enumerate() {
            walk.command(
                command,
                &[To::Field("plugins"), To::Item(index), To::Field("commands"), To::Item(number)],
            );
        }
    }
    walk.consent();
    walk.permissions();
    walk.found.sort_by_key(|warning| (warning.place.line, warning.place.column));
    walk.found
}

struct Walk<'a> {
    file: &'a File,
    places: Places<'a>,
    plugins: HashSet<&'a PluginId>,
    commands: HashSet<&'a CommandId>,
    found: Vec<FileWarning>,
}

impl Walk<'_> {
    fn warn(&mut self, path: &[To<'_>], concern: FileConcern) {
        self.found.push(FileWarning { place: self.places.of(path), concern });
    }

    /// An agent reaches its own commands without `automation`, so only those of others are missed.
    fn agent(&mut self) {
        let file = self.file;
        let has_callable = |plugin: &FilePlugin| plugin.commands.iter().any(|command| command.callable);
        let Some(agent) = &file.agent else {
            if file.plugins.iter().any(has_callable) {
                self.warn(&[], FileConcern::NoAgent);
            }
            return;
        };
        if !file.plugins.iter().any(|plugin| plugin.id != *agent && has_callable(plugin)) {
            return;
        }
        let name = To::Field(agent.as_str());
        let plugins = file.plugins.iter().enumerate();
        for (index, plugin) in plugins.filter(|(_, plugin)| plugin.id == *agent) {
            if !has_automation(Some(&plugin.declares)) {
                let path = [To::Field("plugins"), To::Item(index), To::Field("declares")];
                self.without_automation(&path, agent, Lack::Undeclared);
            }
        }
        if !has_automation(file.grants.0.get(agent.as_str())) {
            self.without_automation(&[To::Field("grants"), name], agent, Lack::Ungranted);
        }
        if has_automation(file.revoked.0.get(agent.as_str())) {
            self.without_automation(&[To::Field("revoked"), name], agent, Lack::Revoked);
        }
    }

    fn without_automation(&mut self, path: &[To<'_>], agent: &PluginId, lack: Lack) {
        self.warn(path, FileConcern::AgentWithoutAutomation { agent: agent.clone(), lack });
    }

    fn command(&mut self, command: &FileCommand, here: &[To<'_>]) {
        let id = &command.id;
        let answers =
            matches!(command.behaviour.act, Act::Answer(_) | Act::Echo | Act::Invoke(..) | Act::NotANumber);
        if answers && command.answers.is_none() {
            let concern = FileConcern::AnswerDropped { command: id.clone() };
            self.warn(&within(here, &[To::Field("behaviour")]), concern);
        }
        let states = command.states().filter(|states| *states != AgentConsent::Allow);
        if let (true, None, Some(states)) = (command.callable, &self.file.consent, states) {
            let concern = FileConcern::NobodyAsks { command: id.clone(), states };
            self.warn(&within(here, &[To::Field("agentConsent")]), concern);
        }
        for (index, FileArgument(argument)) in command.arguments.iter().enumerate() {
            if CommandArgument::from(argument.clone()).choices().is_some_and(|choices| choices.is_empty()) {
                let argument = CommandArgument::from(argument.clone()).name().to_owned();
                let path = [To::Field("arguments"), To::Item(index), To::Field("choices")];
                self.warn(&within(here, &path), FileConcern::NoChoices { command: id.clone(), argument });
            }
        }
        self.behaviour(&command.behaviour, &within(here, &[To::Field("behaviour")]));
    }

    fn behaviour(&mut self, behaviour: &Behaviour, here: &[To<'_>]) {
        let (path, command) = match &behaviour.act {
            Act::Invoke(command, _) => (&[To::Field("invoke"), To::Field("id")][..], command),
            Act::Unregister(command) => (&[To::Field("unregister")][..], command),
            Act::Revoke(plugin, _) => {
                return self.plugin(plugin, &within(here, &[To::Field("revoke"), To::Field("plugin")]));
            }
            Act::Nothing | Act::Answer(_) | Act::Echo | Act::Fail(_) | Act::Panic(_) | Act::NotANumber => {
                return;
            }
        };
        if !self.commands.contains(command) {
            self.warn(&within(here, path), FileConcern::UnknownCommand { command: command.clone() });
        }
    }

    fn consent(&mut self) {
        let file = self.file;
        for (name, answer) in file.consent.iter().flat_map(|consent| &consent.answers.0) {
            let here = [To::Field("consent"), To::Field("answers"), To::Field(name)];
            if name != ANY && !self.commands.contains(&CommandId::from(name.as_str())) {
                self.warn(&here, FileConcern::AnswerForNoCommand { name: name.clone() });
            }
            if let ScriptedAnswer::During(behaviour) = answer {
                self.behaviour(behaviour, &within(&here, &[To::Field("during")]));
            }
        }
    }

    /// A grant of something to a plugin that is not there is among the workbench's own issues.
    fn permissions(&mut self) {
        let file = self.file;
        let empty_grants = file.grants.0.iter().filter(|(_, capabilities)| capabilities.is_empty());
        let granted = empty_grants.map(|(plugin, _)| ("grants", plugin));
        for (field, plugin) in granted.chain(file.revoked.0.keys().map(|plugin| ("revoked", plugin))) {
            self.plugin(&plugin.as_str().into(), &[To::Field(field), To::Field(plugin)]);
        }
    }

    /// Warns of a plugin that is not there.
    fn plugin(&mut self, plugin: &PluginId, path: &[To<'_>]) {
        if !self.plugins.contains(plugin) {
            self.warn(path, FileConcern::UnknownPlugin { plugin: plugin.clone() });
        }
    }
}

fn has_automation(words: Option<&Vec<Word<Capability>>>) -> bool {
    words.is_some_and(|words| words.iter().any(|Word(capability)| *capability == Capability::Automation))
}

fn within<'a>(here: &[To<'a>], path: &[To<'a>]) -> Vec<To<'a>> {
    [here, path].concat()
}
