//! One pass over a file that was read, which collects the warnings about it.

use std::collections::HashSet;

use drawloom::command::{AgentConsent, CommandId, PluginId};
use drawloom::workbench::Capability;

use super::{FileWarning, FileWarningKind, MissingAutomation};
use crate::file::location::{Locator, Segment};
use crate::file::schema::{
    ANY_COMMAND, Action, Behaviour, FileArgument, FileCommand, FilePlugin, ScriptedAnswer, Word,
    WorkbenchFile,
};
use drawloom::command::CommandArgument;

/// The warnings about `file`, which was read from `text`, in the order of their locations.
pub(crate) fn lint(file: &WorkbenchFile, text: &str) -> Vec<FileWarning> {
    let commands = file.plugins.iter().flat_map(|plugin| &plugin.commands);
    let mut linter = Linter {
        file,
        locator: Locator::new(text),
        plugins: file.plugins.iter().map(|plugin| &plugin.id).collect(),
        commands: commands.map(|command| &command.id).collect(),
        warnings: Vec::new(),
    };
    linter.agent();
    for (index, plugin) in file.plugins.iter().enumerate() {
        for (number, command) in plugin.commands.iter().enumerate() {
            linter.command(
                command,
                &[
                    Segment::Field("plugins"),
                    Segment::Item(index),
                    Segment::Field("commands"),
                    Segment::Item(number),
                ],
            );
        }
    }
    linter.consent();
    linter.permissions();
    linter.warnings.sort_by_key(|warning| (warning.location.line, warning.location.column));
    linter.warnings
}

struct Linter<'a> {
    file: &'a WorkbenchFile,
    locator: Locator<'a>,
    plugins: HashSet<&'a PluginId>,
    commands: HashSet<&'a CommandId>,
    warnings: Vec<FileWarning>,
}

impl Linter<'_> {
    fn warn(&mut self, path: &[Segment<'_>], kind: FileWarningKind) {
        self.warnings.push(FileWarning { location: self.locator.of(path), kind });
    }

    /// The agent needs `automation` only for the commands of other plugins.
    fn agent(&mut self) {
        let file = self.file;
        let has_callable = |plugin: &FilePlugin| plugin.commands.iter().any(|command| command.callable);
        let Some(agent) = &file.agent else {
            if file.plugins.iter().any(has_callable) {
                self.warn(&[], FileWarningKind::NoAgent);
            }
            return;
        };
        if !file.plugins.iter().any(|plugin| plugin.id != *agent && has_callable(plugin)) {
            return;
        }
        let name = Segment::Field(agent.as_str());
        let plugins = file.plugins.iter().enumerate();
        for (index, plugin) in plugins.filter(|(_, plugin)| plugin.id == *agent) {
            if !has_automation(Some(&plugin.declares)) {
                let path = [Segment::Field("plugins"), Segment::Item(index), Segment::Field("declares")];
                self.agent_without_automation(&path, agent, MissingAutomation::NotDeclared);
            }
        }
        if !has_automation(file.grants.0.get(agent.as_str())) {
            self.agent_without_automation(
                &[Segment::Field("grants"), name],
                agent,
                MissingAutomation::NotGranted,
            );
        }
        if has_automation(file.revoked.0.get(agent.as_str())) {
            self.agent_without_automation(
                &[Segment::Field("revoked"), name],
                agent,
                MissingAutomation::Revoked,
            );
        }
    }

    fn agent_without_automation(&mut self, path: &[Segment<'_>], agent: &PluginId, cause: MissingAutomation) {
        self.warn(path, FileWarningKind::AgentWithoutAutomation { agent: agent.clone(), cause });
    }

    fn command(&mut self, command: &FileCommand, here: &[Segment<'_>]) {
        let id = &command.id;
        let returns_answer = matches!(
            command.behaviour.action,
            Action::Answer(_) | Action::Echo | Action::Invoke(..) | Action::NotANumber
        );
        if returns_answer && command.answers_text().is_none() {
            let kind = FileWarningKind::AnswerDropped { command: id.clone() };
            self.warn(&within(here, &[Segment::Field("behaviour")]), kind);
        }
        let statement = command.consent_statement().filter(|statement| *statement != AgentConsent::Allow);
        if let (true, None, Some(statement)) = (command.callable, &self.file.consent, statement) {
            let kind = FileWarningKind::ConsentNotAsked { command: id.clone(), statement };
            self.warn(&within(here, &[Segment::Field("agentConsent")]), kind);
        }
        for (index, FileArgument(argument)) in command.arguments.iter().enumerate() {
            if CommandArgument::from(argument.clone()).choices().is_some_and(|choices| choices.is_empty()) {
                let argument = CommandArgument::from(argument.clone()).name().to_owned();
                let path = [Segment::Field("arguments"), Segment::Item(index), Segment::Field("choices")];
                self.warn(&within(here, &path), FileWarningKind::NoChoices { command: id.clone(), argument });
            }
        }
        self.behaviour(&command.behaviour, &within(here, &[Segment::Field("behaviour")]));
    }

    fn behaviour(&mut self, behaviour: &Behaviour, here: &[Segment<'_>]) {
        let (path, command) = match &behaviour.action {
            Action::Invoke(command, _) => (&[Segment::Field("invoke"), Segment::Field("id")][..], command),
            Action::Unregister(command) => (&[Segment::Field("unregister")][..], command),
            Action::Revoke(plugin, _) => {
                return self
                    .plugin(plugin, &within(here, &[Segment::Field("revoke"), Segment::Field("plugin")]));
            }
            Action::Nothing
            | Action::Answer(_)
            | Action::Echo
            | Action::Fail(_)
            | Action::Panic(_)
            | Action::NotANumber => {
                return;
            }
        };
        if !self.commands.contains(command) {
            self.warn(&within(here, path), FileWarningKind::UnknownCommand { command: command.clone() });
        }
    }

    fn consent(&mut self) {
        let file = self.file;
        for (name, answer) in file.consent.iter().flat_map(|consent| &consent.answers.0) {
            let here = [Segment::Field("consent"), Segment::Field("answers"), Segment::Field(name)];
            // An answer can also be for a question of a live agent, by its reason.
            let is_for_question = matches!(answer, ScriptedAnswer::Payload(_))
                || matches!(&**name, "tool_call" | "confirmation" | "input_required");
            if name != ANY_COMMAND
                && !is_for_question
                && !self.commands.contains(&CommandId::from(name.as_str()))
            {
                self.warn(&here, FileWarningKind::AnswerForUnknownCommand { name: name.clone() });
            }
            if let ScriptedAnswer::During(behaviour) = answer {
                self.behaviour(behaviour, &within(&here, &[Segment::Field("during")]));
            }
        }
    }

    /// The workbench's own composition issues report a grant of a capability to an unknown plugin.
    fn permissions(&mut self) {
        let file = self.file;
        let empty_grants = file.grants.0.iter().filter(|(_, capabilities)| capabilities.is_empty());
        let granted = empty_grants.map(|(plugin, _)| ("grants", plugin));
        for (field, plugin) in granted.chain(file.revoked.0.keys().map(|plugin| ("revoked", plugin))) {
            self.plugin(&plugin.as_str().into(), &[Segment::Field(field), Segment::Field(plugin)]);
        }
    }

    /// Warns if a plugin is not in the file.
    fn plugin(&mut self, plugin: &PluginId, path: &[Segment<'_>]) {
        if !self.plugins.contains(plugin) {
            self.warn(path, FileWarningKind::UnknownPlugin { plugin: plugin.clone() });
        }
    }
}

fn has_automation(words: Option<&Vec<Word<Capability>>>) -> bool {
    words.is_some_and(|words| words.iter().any(|Word(capability)| *capability == Capability::Automation))
}

fn within<'a>(here: &[Segment<'a>], path: &[Segment<'a>]) -> Vec<Segment<'a>> {
    [here, path].concat()
}
