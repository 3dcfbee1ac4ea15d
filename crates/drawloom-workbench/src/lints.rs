//! Lints: mistakes in an application's setup that no error reports, for its developer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use drawloom_command::{
    AgentConsent, CommandArgument, CommandArguments, CommandDeclaration, CommandId, EffectKind, Effects,
    PluginId,
};

use crate::contain::logging;
use crate::permissions::capability::Capability;
use crate::registry::Control;
use crate::workbench::{Registered, Workbench};

/// Something that is valid, but probably not intended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompositionIssue {
    /// A callable command has no description.
    #[error(
        "command \"{command}\" is callable but has no description, so callers see only its title; add `.description(…)`"
    )]
    CallableWithoutDescription {
        /// The command.
        command: CommandId,
    },
    /// An argument of a callable command has no description.
    #[error(
        "argument \"{argument}\" of command \"{command}\" has no description, so callers see only its name; \
         add `.description(…)`"
    )]
    ArgumentWithoutDescription {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// A grant has no effect: its plugin does not declare the capability, or is not active.
    #[error(
        "the grant of \"{capability}\" to \"{plugin}\" has no effect: no active plugin with this id declares it"
    )]
    InertGrant {
        /// The plugin.
        plugin: PluginId,
        /// The capability that is granted.
        capability: Capability,
    },
    /// A plugin declares `automation` and is not granted it, so it reaches no command of another plugin.
    #[error(
        "plugin \"{plugin}\" declares \"automation\" but is not granted it, so it reaches no command of another plugin; \
         grant it, or do not declare it"
    )]
    AutomationNotGranted {
        /// The plugin.
        plugin: PluginId,
    },
    /// A command states what an agent may do, but no agent can call it.
    #[error(
        "command \"{command}\" states `agent_consent` but is not callable, so no agent can run it; add `.callable()`, or \
         remove the statement"
    )]
    ConsentOnClosedCommand {
        /// The command.
        command: CommandId,
    },
    /// A command states that it destroys something or cannot be undone, and lets agents run it without asking.
    #[error(
        "command \"{command}\" states that it {effects}, and `AgentConsent::Allow`, so an agent runs it without asking the \
         person; state `Ask` or `AskAlways`, or correct the effects"
    )]
    HarmWithoutAsking {
        /// The command.
        command: CommandId,
        /// What it states that it does.
        effects: Effects,
    },
    /// A command states that its answer must not be trusted, but it declares no answer.
    #[error(
        "command \"{command}\" states that its answer must not be trusted, but it declares no answer; add `.answers(…)`, or \
         remove `untrusted_answer`"
    )]
    UntrustedWithoutAnswer {
        /// The command.
        command: CommandId,
    },
    /// The handler of a command returns a value, but the command declares no answer, so the value is dropped.
    #[error(
        "the handler of command \"{command}\" returns a value, which is dropped because the command declares no answer; \
         add `.answers(…)`, or return `()`"
    )]
    AnswerDropped {
        /// The command.
        command: CommandId,
    },
    /// A control names a command of another plugin.
    #[error(
        "control \"{control}\" of plugin \"{owner}\" names command \"{command}\" of plugin \"{command_owner}\"{}",
        if *.is_allowed { "; check that this is intended" } else {
            ", which it may not, so it is not offered; make the command callable, or let its own plugin register the control"
        }
    )]
    ForeignControl {
        /// The menu item's id, or the shortcut's keys.
        control: Arc<str>,
        /// The plugin that registered the control.
        owner: PluginId,
        /// The command that it names.
        command: CommandId,
        /// The plugin that registered the command.
        command_owner: PluginId,
        /// Whether the control may name the command; see [`ForeignControls`](crate::ForeignControls).
        is_allowed: bool,
    },
    /// The arguments of a control do not match what its command declares, so the control is not offered. Choices that are
    /// read from a source are those of this moment.
    #[error(
        "control \"{control}\" is not offered, because command \"{command}\" would refuse its arguments: {problems}; \
         change the arguments of the control"
    )]
    ControlCannotMatch {
        /// The menu item's id, or the shortcut's keys.
        control: Arc<str>,
        /// The command that it names.
        command: CommandId,
        /// What is wrong with the arguments.
        problems: Arc<str>,
    },
    /// A control names a command that is not registered.
    #[error("control \"{control}\" names command \"{command}\", which is not registered")]
    ControlNamesNothing {
        /// The menu item's id, or the shortcut's keys.
        control: Arc<str>,
        /// The command that it names.
        command: CommandId,
    },
    /// Two shortcuts have the same keys.
    #[error(
        "the keys \"{keys}\" are used by the shortcuts of \"{first}\" (plugin \"{first_owner}\") and \"{second}\" (plugin \
         \"{second_owner}\"); \"{first}\" wins because its shortcut was registered first; change the keys of one of them"
    )]
    ShortcutClaimedTwice {
        /// The keys.
        keys: Arc<str>,
        /// The command that the keys run: its shortcut was registered first.
        first: CommandId,
        /// The plugin that registered the first shortcut.
        first_owner: PluginId,
        /// The command whose shortcut has no effect.
        second: CommandId,
        /// The plugin that registered the second shortcut.
        second_owner: PluginId,
    },
    /// A text looks like a translation key, but the translator has no translation for it.
    #[error("the translation key \"{key}\" of \"{used_by}\" has no translation")]
    UntranslatedKey {
        /// The command or control that uses it.
        used_by: Arc<str>,
        /// The key.
        key: Arc<str>,
    },
}

impl Workbench {
    /// Mistakes in the current composition of plugins, grants, commands and controls, in a stable order. It is meant for
    /// development: call it when everything is registered, and show or log what it finds.
    ///
    /// A text counts as a translation key if it contains a dot and no white space, and only if there is a translator.
    pub fn composition_issues(&self) -> Vec<CompositionIssue> {
        let mut issues = Vec::new();
        let registry = self.registry();
        let plugins: BTreeMap<_, _> = registry.plugins().into_iter().collect();
        for (plugin, granted) in self.inner.grants.iter() {
            let declares = plugins.get(plugin).map(|activation| activation.declares).unwrap_or_default();
            issues.extend(
                granted
                    .iter()
                    .filter(|capability| !declares.contains(*capability))
                    .map(|capability| CompositionIssue::InertGrant { plugin: plugin.clone(), capability }),
            );
        }
        for (plugin, activation) in &plugins {
            let granted = self.inner.grants.of(plugin);
            if activation.declares.difference(granted).contains(Capability::Automation) {
                issues.push(CompositionIssue::AutomationNotGranted { plugin: plugin.clone() });
            }
        }
        let commands = registry.commands();
        for command in &commands {
            issues.extend(self.issues_of(&command.declaration));
            if command.drops_value {
                let command = command.declaration.id().clone();
                issues.push(CompositionIssue::AnswerDropped { command });
            }
        }
        let known: HashMap<&CommandId, &Registered> =
            commands.iter().map(|command| (command.declaration.id(), &**command)).collect();
        for Control { owner, item } in registry.menu_items() {
            issues.extend(self.control_issue(&known, &item.id, &owner, &item.command, &item.arguments));
            issues.extend(self.untranslated(&item.id, &item.title));
        }
        let mut claimed = HashMap::new();
        for Control { owner, item } in registry.shortcuts() {
            issues.extend(self.control_issue(&known, &item.keys, &owner, &item.command, &item.arguments));
            match claimed.get(&item.keys) {
                None => {
                    claimed.insert(item.keys.clone(), (item.command.clone(), owner));
                }
                Some((first, first_owner)) => issues.push(CompositionIssue::ShortcutClaimedTwice {
                    keys: item.keys.clone(),
                    first: first.clone(),
                    first_owner: first_owner.clone(),
                    second: item.command.clone(),
                    second_owner: owner,
                }),
            }
        }
        issues
    }

    fn control_issue(
        &self,
        known: &HashMap<&CommandId, &Registered>,
        control: &Arc<str>,
        owner: &PluginId,
        command: &CommandId,
        arguments: &CommandArguments,
    ) -> Vec<CompositionIssue> {
        let (control, owner, id) = (control.clone(), owner.clone(), command.clone());
        let Some(command) = known.get(command) else {
            return vec![CompositionIssue::ControlNamesNothing { control, command: id }];
        };
        let mut issues = Vec::new();
        if let Err(problems) = command.declaration.check(arguments) {
            let problems = problems.to_string().into();
            let (control, command) = (control.clone(), id.clone());
            issues.push(CompositionIssue::ControlCannotMatch { control, command, problems });
        }
        if command.owner != owner {
            issues.push(CompositionIssue::ForeignControl {
                control,
                owner,
                command: id,
                command_owner: command.owner.clone(),
                is_allowed: self.inner.foreign_controls.allow(&command.declaration),
            });
        }
        issues
    }

    /// Logs the issues of one declaration when it is registered.
    pub(crate) fn warn_of(&self, declaration: &CommandDeclaration) {
        if cfg!(debug_assertions) {
            for issue in self.issues_of(declaration) {
                logging(|| tracing::warn!(command = declaration.id().as_str(), "{issue}"));
            }
        }
    }

    fn issues_of(&self, declaration: &CommandDeclaration) -> Vec<CompositionIssue> {
        let mut issues = Vec::new();
        let id: Arc<str> = declaration.id().as_str().into();
        if declaration.is_callable() && declaration.description().is_none() {
            issues.push(CompositionIssue::CallableWithoutDescription { command: declaration.id().clone() });
        }
        if declaration.agent_consent().is_some() && !declaration.is_callable() {
            issues.push(CompositionIssue::ConsentOnClosedCommand { command: declaration.id().clone() });
        }
        if let Some(effects) = declaration.effects() {
            let command = declaration.id().clone();
            let does_harm = effects.kind() == EffectKind::Destroys || effects.is_irreversible();
            if does_harm
                && declaration.is_callable()
                && declaration.agent_consent() == Some(AgentConsent::Allow)
            {
                issues.push(CompositionIssue::HarmWithoutAsking { command: command.clone(), effects });
            }
            if effects.has_untrusted_answer() && declaration.answers().is_none() {
                issues.push(CompositionIssue::UntrustedWithoutAnswer { command });
            }
        }
        let undescribed = |argument: &&CommandArgument| argument.description().is_none();
        issues.extend(
            declaration.arguments().iter().filter(|_| declaration.is_callable()).filter(undescribed).map(
                |argument| CompositionIssue::ArgumentWithoutDescription {
                    command: declaration.id().clone(),
                    argument: argument.name().into(),
                },
            ),
        );
        let arguments = declaration.arguments().iter().filter_map(|argument| argument.description());
        let texts: BTreeSet<&str> = [
            Some(declaration.title()),
            declaration.description(),
            declaration.answers(),
            declaration.category(),
        ]
        .into_iter()
        .flatten()
        .chain(declaration.keywords())
        .chain(declaration.unavailable_reasons())
        .chain(arguments)
        .collect();
        issues.extend(texts.into_iter().filter_map(|text| self.untranslated(&id, text)));
        issues
    }

    fn untranslated(&self, used_by: &Arc<str>, text: &str) -> Option<CompositionIssue> {
        let ports = &self.inner.ports;
        let looks_like_key = text.trim_matches('.').contains('.') && !text.contains(char::is_whitespace);
        let is_missing = looks_like_key && ports.has_translator() && ports.translation(text).is_none();
        is_missing.then(|| CompositionIssue::UntranslatedKey { used_by: used_by.clone(), key: text.into() })
    }
}
