//! What a declaration adds to the arguments of a call: the defaults of those that are omitted, and which are secret.

use std::sync::Arc;

use crate::argument::CommandArgument;
use crate::value::{CommandArguments, SecretNames};

/// What is added to the arguments of each call. Clones are cheap, and most commands add nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Completion {
    defaults: Option<Arc<CommandArguments>>,
    secrets: SecretNames,
}

impl Completion {
    pub(crate) fn of(declared: &[CommandArgument]) -> Self {
        let defaults =
            declared.iter().filter_map(|argument| Some((&*argument.name, argument.default.clone()?)));
        let defaults: CommandArguments = defaults.collect();
        let secrets =
            declared.iter().filter(|argument| argument.secret).map(|argument| argument.name.clone());
        Self { defaults: (!defaults.is_empty()).then(|| Arc::new(defaults)), secrets: secrets.collect() }
    }

    pub(crate) fn apply(&self, arguments: &mut CommandArguments) {
        for (name, default) in self.defaults.iter().flat_map(|defaults| defaults.iter()) {
            if arguments.get(name).is_none() {
                // The name is free, so nothing is refused.
                let _ = arguments.add(name.to_owned(), default.clone());
            }
        }
        self.mark(arguments);
    }

    pub(crate) fn has_secrets(&self) -> bool {
        !self.secrets.is_empty()
    }

    pub(crate) fn mark(&self, arguments: &mut CommandArguments) {
        arguments.mark(&self.secrets);
    }
}
