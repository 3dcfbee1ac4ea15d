//! Commands, menu items and shortcuts that come and go, while others stay.

use drawloom::prelude::*;

use crate::Stage;

pub(crate) struct Commands {
    notes: PluginContext,
    copilot: PluginContext,
    command: u64,
}

impl Commands {
    pub(crate) fn new(stage: &Stage) -> Self {
        Self { notes: stage.notes.clone(), copilot: stage.copilot.clone(), command: 0 }
    }

    /// Registers so many commands, each under an id that was never used, and removes them again.
    pub(crate) fn round(&mut self, commands: u64) {
        let registrations: Vec<_> = (0..commands)
            .flat_map(|_| {
                self.command += 1;
                let id = format!("notes.number-{}", self.command);
                let command = Command::new(id.as_str(), "Number").callable();
                [
                    self.notes.register(command, |_: Call| async { Ok(()) }).unwrap(),
                    self.notes.register_menu_item(MenuItem::new(id.clone(), "Number", id.as_str())).unwrap(),
                    self.notes.register_shortcut(Shortcut::new(id.clone(), id.as_str())).unwrap(),
                ]
            })
            .collect();
        let listed = self.copilot.invocable_commands().len();
        assert!(listed as u64 > commands, "{listed} are listed");
        drop(registrations);
        assert_eq!(self.copilot.invocable_commands().len(), 2);
    }
}
