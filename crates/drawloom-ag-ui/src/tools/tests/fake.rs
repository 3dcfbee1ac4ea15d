//! An access without a workbench: commands by their ids, each with a behaviour, all of them offered.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};

use drawloom_command::{
    BoxFuture, CallOrigin, Command, CommandAccess, CommandArguments, CommandId, CommandOffer, CommandOutcome,
    InvocableCommand, Refusal, RegistrationId,
};

#[derive(Clone, Copy)]
pub(super) enum Behaviour {
    /// Answers nothing.
    Ping,
    /// Never comes to an end.
    Never,
}

/// Clones are the same access.
#[derive(Clone, Default)]
pub(super) struct Fake(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    commands: BTreeMap<CommandId, (RegistrationId, Behaviour)>,
    ran: Vec<String>,
    refused: Vec<String>,
    panics: bool,
}

impl Fake {
    pub(super) fn offering<const N: usize>(ids: [&str; N]) -> Self {
        let fake = Self::default();
        ids.iter().for_each(|id| fake.offer(id, Behaviour::Ping));
        fake
    }

    pub(super) fn offer(&self, id: &str, behaviour: Behaviour) {
        self.0.lock().unwrap().commands.insert(id.into(), (RegistrationId::unique(), behaviour));
    }

    pub(super) fn withdraw(&self, id: &str) {
        self.0.lock().unwrap().commands.remove(id);
    }

    /// From now on every look-up and every refusal panics.
    pub(super) fn panic(&self) {
        self.0.lock().unwrap().panics = true;
    }

    fn panics(&self) -> bool {
        self.0.lock().unwrap().panics
    }

    /// What has run: the command and its arguments.
    pub(super) fn ran(&self) -> Vec<String> {
        self.0.lock().unwrap().ran.clone()
    }

    /// The ids that were asked for and are not offered.
    pub(super) fn refused(&self) -> Vec<String> {
        self.0.lock().unwrap().refused.clone()
    }
}

impl CommandAccess for Fake {
    fn invocable_commands(&self) -> Vec<InvocableCommand> {
        let describe = |(id, (registration, _)): (&CommandId, &(RegistrationId, Behaviour))| {
            let declared = Command::new(id, "Title").callable().declare().unwrap();
            declared.describe(*registration, Clone::clone).unwrap()
        };
        self.0.lock().unwrap().commands.iter().map(describe).collect()
    }

    fn offer(&self, id: &CommandId) -> Option<CommandOffer> {
        assert!(!self.panics(), "looked up");
        let state = self.0.lock().unwrap();
        let (registration, _) = state.commands.get(id)?;
        Some(CommandOffer::new(id.clone(), *registration, None))
    }

    fn review(&self, _: &CommandOffer, _: &CommandArguments, _: &CallOrigin) -> Result<(), Refusal> {
        Ok(())
    }

    fn refuse(&self, id: &CommandId, _: &CallOrigin) -> Refusal {
        assert!(!self.panics(), "refused");
        self.0.lock().unwrap().refused.push(id.to_string());
        Refusal::unavailable()
    }

    fn invoke_command(&self, _: CommandId, _: CommandArguments) -> BoxFuture<'static, CommandOutcome> {
        unreachable!("an agent's call names an offer")
    }

    fn invoke_offered(
        &self,
        offer: &CommandOffer,
        arguments: CommandArguments,
        _: CallOrigin,
    ) -> BoxFuture<'static, CommandOutcome> {
        let (id, registration) = (offer.id.clone(), offer.registration);
        let this = self.clone();
        Box::pin(async move {
            let behaviour = {
                let mut state = this.0.lock().unwrap();
                match state.commands.get(&id).copied() {
                    Some((current, behaviour)) if current == registration => {
                        state.ran.push(format!("{id} {}", serde_json::to_string(&arguments).unwrap()));
                        behaviour
                    }
                    _ => return Refusal::unavailable().into(),
                }
            };
            match behaviour {
                Behaviour::Ping => CommandOutcome::Answered { value: None },
                Behaviour::Never => pending().await,
            }
        })
    }
}
