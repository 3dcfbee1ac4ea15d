//! Lints: mistakes in an application's setup that no error reports, for its developer.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use drawloom_command::{CommandArgument, CommandDeclaration, CommandId, PluginId};

use crate::permissions::capability::Capability;
use crate::workbench::Workbench;

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
        "the keys \"{keys}\" are used by the shortcuts of \"{first}\" and \"{second}\"; only the first works"
    )]
    ShortcutClaimedTwice {
        /// The keys.
        keys: Arc<str>,
        /// The command that the keys run.
        first: CommandId,
        /// The command whose shortcut has no effect.
        second: CommandId,
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
        let commands = registry.commands();
        let known: HashSet<&CommandId> = commands.iter().map(|command| command.declaration.id()).collect();
        for command in &commands {
            issues.extend(self.issues_of(&command.declaration));
        }
        for item in registry.menu_items() {
            if !known.contains(&item.command) {
                issues.push(names_nothing(&item.id, &item.command));
            }
            issues.extend(self.untranslated(&item.id, &item.title));
        }
        let mut claimed = BTreeMap::new();
        for shortcut in registry.shortcuts() {
            if !known.contains(&shortcut.command) {
                issues.push(names_nothing(&shortcut.keys, &shortcut.command));
            }
            match claimed.get(&shortcut.keys) {
                None => {
                    claimed.insert(shortcut.keys.clone(), shortcut.command.clone());
                }
                Some(first) => issues.push(CompositionIssue::ShortcutClaimedTwice {
                    keys: shortcut.keys.clone(),
                    first: first.clone(),
                    second: shortcut.command.clone(),
                }),
            }
        }
        issues
    }

    /// Logs the issues of one declaration when it is registered.
    pub(crate) fn warn_of(&self, declaration: &CommandDeclaration) {
        if cfg!(debug_assertions) {
            for issue in self.issues_of(declaration) {
                tracing::warn!(command = declaration.id().as_str(), "{issue}");
            }
        }
    }

    fn issues_of(&self, declaration: &CommandDeclaration) -> Vec<CompositionIssue> {
        let mut issues = Vec::new();
        let id: Arc<str> = declaration.id().as_str().into();
        if declaration.is_callable() && declaration.description().is_none() {
            issues.push(CompositionIssue::CallableWithoutDescription { command: declaration.id().clone() });
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
        let texts: BTreeSet<&str> =
            [Some(declaration.title()), declaration.description(), declaration.answers()]
                .into_iter()
                .flatten()
                .chain(arguments)
                .collect();
        issues.extend(texts.into_iter().filter_map(|text| self.untranslated(&id, text)));
        issues
    }

    fn untranslated(&self, used_by: &Arc<str>, text: &str) -> Option<CompositionIssue> {
        let ports = &self.inner.ports;
        let looks_like_key = text.trim_matches('.').contains('.') && !text.contains(char::is_whitespace);
        let is_missing = looks_like_key && ports.translator.is_some() && ports.translation(text).is_none();
        is_missing.then(|| CompositionIssue::UntranslatedKey { used_by: used_by.clone(), key: text.into() })
    }
}

fn names_nothing(control: &Arc<str>, command: &CommandId) -> CompositionIssue {
    CompositionIssue::ControlNamesNothing { control: control.clone(), command: command.clone() }
}
