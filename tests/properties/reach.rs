//! The seam over random compositions: what is listed runs, what is left out is refused, and both are what a plain
//! reading of the rules says.

use drawloom::command::{AccessRequirement, Role};
use drawloom::prelude::*;
use futures::executor::block_on;
use proptest::prelude::*;

const PLUGINS: [&str; 3] = ["notes", "mail", "copilot"];
const ROLES: [&str; 3] = ["editor", "admin", "guest"];

#[derive(Clone, Debug)]
struct Declared {
    owner: usize,
    callable: bool,
    popout: bool,
    access: AccessRequirement,
    // Whether it requires a choice that has no choices, so that no call could match.
    impossible: bool,
}

#[derive(Clone, Debug)]
struct Composition {
    commands: Vec<Declared>,
    declares: [bool; 3],
    grants: [bool; 3],
    revoked: [bool; 3],
    session: Session,
    window: Window,
}

fn composition() -> impl Strategy<Value = Composition> {
    let roles =
        || prop::collection::btree_set(prop::sample::select(ROLES.to_vec()).prop_map(Role::from), 1..3);
    let access = prop_oneof![
        3 => Just(AccessRequirement::Anyone),
        1 => Just(AccessRequirement::Authenticated),
        1 => Just(AccessRequirement::Anonymous),
        1 => roles().prop_map(AccessRequirement::AnyRole),
        1 => roles().prop_map(AccessRequirement::AllRoles),
    ];
    let command = (0..3_usize, prop::bool::weighted(0.7), any::<bool>(), access, prop::bool::weighted(0.1))
        .prop_map(|(owner, callable, popout, access, impossible)| Declared {
            owner,
            callable,
            popout,
            access,
            impossible,
        });
    let session = prop_oneof![
        Just(Session::anonymous()),
        prop::collection::btree_set(prop::sample::select(ROLES.to_vec()).prop_map(Role::from), 0..3)
            .prop_map(Session::authenticated),
    ];
    (
        prop::collection::vec(command, 0..12),
        any::<[bool; 3]>(),
        any::<[bool; 3]>(),
        any::<[bool; 3]>(),
        session,
        prop::sample::select(vec![Window::Main, Window::Popout]),
    )
        .prop_map(|(commands, declares, grants, revoked, session, window)| Composition {
            commands,
            declares,
            grants,
            revoked,
            session,
            window,
        })
}

fn build(composition: &Composition) -> (Workbench, Vec<PluginContext>) {
    let capabilities = |automation: bool| {
        let automation = automation.then_some(Capability::Automation);
        [Capability::Contributions].into_iter().chain(automation)
    };
    let mut builder = Workbench::builder().session(composition.session.clone()).window(composition.window);
    for (plugin, granted) in PLUGINS.into_iter().zip(composition.grants) {
        builder = builder.grant(plugin, capabilities(granted));
    }
    let workbench = builder.build();
    let contexts: Vec<_> = PLUGINS
        .into_iter()
        .zip(composition.declares)
        .map(|(plugin, declared)| {
            workbench.activate(Plugin::new(plugin).declares(capabilities(declared))).unwrap()
        })
        .collect();
    for (plugin, revoked) in PLUGINS.into_iter().zip(composition.revoked) {
        if revoked {
            workbench.revoke(&plugin.into(), Capability::Automation).unwrap();
        }
    }
    for (number, declared) in composition.commands.iter().enumerate() {
        let mut command =
            Command::new(format!("command-{number:02}"), "A command").access(declared.access.clone());
        if declared.callable {
            command = command.callable();
        }
        if declared.popout {
            command = command.popout();
        }
        if declared.impossible {
            command = command.argument(Argument::choice_from("none", Vec::new).required());
        }
        contexts[declared.owner].register(command, |_: Call| async { Ok(()) }).unwrap().keep();
    }
    (workbench, contexts)
}

/// What the person could run, read off the rules.
fn person_may(composition: &Composition, command: &Declared) -> bool {
    let session = &composition.session;
    let has = |role| session.roles().contains(role);
    let meets = match &command.access {
        AccessRequirement::Anyone => true,
        AccessRequirement::Anonymous => !session.is_authenticated(),
        _ if !session.is_authenticated() => false,
        AccessRequirement::Authenticated => true,
        AccessRequirement::AnyRole(wanted) => wanted.iter().any(has),
        AccessRequirement::AllRoles(wanted) => wanted.iter().all(has),
    };
    meets && (composition.window == Window::Main || command.popout) && !command.impossible
}

fn plugin_may(composition: &Composition, plugin: usize, command: &Declared) -> bool {
    let automation =
        composition.declares[plugin] && composition.grants[plugin] && !composition.revoked[plugin];
    person_may(composition, command) && (command.owner == plugin || (command.callable && automation))
}

fn ids(commands: &[drawloom::command::InvocableCommand]) -> Vec<String> {
    commands.iter().map(|command| command.id.to_string()).collect()
}

fn runs(outcome: &CommandOutcome) -> bool {
    match outcome {
        CommandOutcome::Answered { .. } => true,
        CommandOutcome::Refused(_) => false,
        CommandOutcome::Failed(failure) => panic!("{failure}"),
    }
}

proptest! {
    #[test]
    fn what_is_listed_runs_and_what_is_left_out_is_refused(composition in composition()) {
        let (workbench, contexts) = build(&composition);
        for (plugin, context) in contexts.iter().enumerate() {
            let listed = ids(&context.invocable_commands());
            let mut sorted = listed.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&listed, &sorted);
            for (number, command) in composition.commands.iter().enumerate() {
                let id = format!("command-{number:02}");
                let may = plugin_may(&composition, plugin, command);
                prop_assert_eq!(listed.contains(&id), may && command.callable);
                let outcome = block_on(context.invoke(id.as_str(), CommandArguments::new()));
                prop_assert_eq!(runs(&outcome), may);
                // The rule under everything.
                let triggered = block_on(workbench.trigger(id.as_str()));
                prop_assert!(runs(&triggered) || !may);
            }
        }
    }

    #[test]
    fn the_person_runs_what_session_and_window_allow(composition in composition()) {
        let (workbench, _contexts) = build(&composition);
        let entries = workbench.triggerable_commands();
        let listed = ids(&entries.into_iter().map(|entry| entry.command).collect::<Vec<_>>());
        for (number, command) in composition.commands.iter().enumerate() {
            let id = format!("command-{number:02}");
            let may = person_may(&composition, command);
            prop_assert_eq!(listed.contains(&id), may);
            prop_assert_eq!(runs(&block_on(workbench.trigger(id.as_str()))), may);
        }
    }

    #[test]
    fn unreachable_and_unknown_read_the_same_to_the_byte(composition in composition()) {
        let (_workbench, contexts) = build(&composition);
        let arguments = CommandArguments::new().with("undeclared", 1);
        for (plugin, context) in contexts.iter().enumerate() {
            let unknown = block_on(context.invoke("command-99", arguments.clone()));
            for (number, command) in composition.commands.iter().enumerate() {
                if !plugin_may(&composition, plugin, command) && !command.impossible {
                    let refused = block_on(context.invoke(format!("command-{number:02}"), arguments.clone()));
                    prop_assert_eq!(
                        serde_json::to_vec(&refused).unwrap(),
                        serde_json::to_vec(&unknown).unwrap()
                    );
                }
            }
        }
    }
}
