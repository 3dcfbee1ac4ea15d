//! What a composition gets silently wrong, told to its developer.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use drawloom_command::{CommandArgument, CommandDeclaration, CommandId, PluginId};

use crate::capability::Capability;
use crate::workbench::Workbench;

/// Something that works as written and hardly as meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompositionIssue {
    /// A callable command has no description.
    #[error(
        "command \"{command}\" is callable and has no description: a caller has nothing but its title to go on"
    )]
    CallableWithoutDescription {
        /// The command.
        command: CommandId,
    },
    /// An argument of a callable command has no description.
    #[error(
        "argument \"{argument}\" of command \"{command}\" has no description: a caller has nothing but its name \
         to go on"
    )]
    ArgumentWithoutDescription {
        /// The command.
        command: CommandId,
        /// The argument.
        argument: Arc<str>,
    },
    /// A grant names what its plugin does not declare, or a plugin that is not active.
    #[error(
        "granting \"{capability}\" to \"{plugin}\" does nothing: no active plugin of that id declares it"
    )]
    InertGrant {
        /// The plugin.
        plugin: PluginId,
        /// What is granted.
        capability: Capability,
    },
    /// A control names a command that is not registered.
    #[error("control \"{control}\" names command \"{command}\", which is not registered")]
    ControlNamesNothing {
        /// The menu item's id, or the shortcut's keys.
        control: Arc<str>,
        /// What it names.
        command: CommandId,
    },
    /// Two shortcuts claim the same keys.
    #[error("the keys \"{keys}\" are claimed by \"{first}\" and again by \"{second}\"")]
    ShortcutClaimedTwice {
        /// The keys.
        keys: Arc<str>,
        /// What has them.
        first: CommandId,
        /// What does not get them.
        second: CommandId,
    },
    /// A text reads as a translation key, and the translator has nothing for it.
    #[error("the key \"{key}\" in \"{place}\" has no translation")]
    UntranslatedKey {
        /// The command or control that uses it.
        place: Arc<str>,
        /// The key.
        key: Arc<str>,
    },
}

impl Workbench {
    /// Everything the composition gets silently wrong right now, in a stable order. Meant for development: call it
    /// once everything is registered, and show or log what it finds.
    ///
    /// A text is taken for a key where it has a dot within and no white space, and only where there is a translator.
    pub fn composition_issues(&self) -> Vec<CompositionIssue> {
        let mut issues = Vec::new();
        let registry = &self.inner.registry.0;
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

    /// Logs what is wrong with one declaration as it is registered.
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

    fn untranslated(&self, place: &Arc<str>, text: &str) -> Option<CompositionIssue> {
        let reads_as_key = text.trim_matches('.').contains('.') && !text.contains(char::is_whitespace);
        let is_missing =
            reads_as_key && self.inner.ports.translator.is_some() && self.translated(text).is_none();
        is_missing.then(|| CompositionIssue::UntranslatedKey { place: place.clone(), key: text.into() })
    }
}

fn names_nothing(control: &Arc<str>, command: &CommandId) -> CompositionIssue {
    CompositionIssue::ControlNamesNothing { control: control.clone(), command: command.clone() }
}
