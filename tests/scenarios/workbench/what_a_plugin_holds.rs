//! A plugin SHALL hold exactly the capabilities that it declares, that the composition grants and that the person has
//! not revoked.

use drawloom::workbench::{Capability, Notice, Plugin, Session, Workbench};

use crate::support::{
    assert_answered, assert_names, bench, bench_on, callable, has, trigger, triggerable, usual,
};

/// - **GIVEN** a composition that grants `copilot` `contributions` in one place and `automation` in
///   another.
/// - **WHEN** what `copilot`, which declares both, holds is read.
/// - **THEN** it holds both.
#[test]
fn grants_add_up() {
    let workbench = Workbench::builder()
        .grant("copilot", [Capability::Contributions])
        .grant("copilot", [Capability::Automation])
        .build();
    let declares = [Capability::Contributions, Capability::Automation];
    let copilot = workbench.activate(Plugin::new("copilot").declares(declares)).unwrap();

    assert!(copilot.holds(Capability::Contributions));
    assert!(copilot.holds(Capability::Automation));
}

/// - **GIVEN** `copilot`, which does not hold `contributions`.
/// - **WHEN** it registers `copilot.chat`.
/// - **THEN** the registration is an error that names `contributions`.
#[test]
fn registering_needs_contributions() {
    let bench = bench();

    let registered = bench.copilot.register(callable("copilot.chat"), |_| async { Ok(()) });

    assert_names(registered.unwrap_err(), &["contributions"]);
    assert!(triggerable(&bench.workbench).is_empty());
}

/// - **GIVEN** a workbench that grants nothing.
/// - **WHEN** a command is registered through the context of the application, and the person triggers it.
/// - **THEN** it runs, and the application holds `contributions` and no other capability.
/// - **AND** activating a plugin with the id `application` is an error.
#[test]
fn the_application_itself() {
    let workbench = Workbench::builder().build();
    let application = workbench.application();

    let quits = has(&application, callable("app.quit"));
    assert_answered(&trigger(&workbench, "app.quit"));

    assert_eq!(quits.count(), 1);
    let held: Vec<_> =
        Capability::ALL.into_iter().filter(|capability| application.holds(*capability)).collect();
    assert_eq!(held, [Capability::Contributions]);
    assert!(workbench.activate(Plugin::new("application")).is_err());
}

/// - **GIVEN** `mail`, which holds `session` and `ui`, and `copilot`, which holds neither.
/// - **WHEN** both read the session and tell the person `done`.
/// - **THEN** `mail` is given the session, and the person is told `done` by `mail`.
/// - **AND** both are errors for `copilot`, and the person is told once of each capability that it lacks.
#[test]
fn session_and_words_to_the_person() {
    let editor = Session::authenticated(["editor"]);
    let both = [Capability::Session, Capability::Ui];
    let bench = bench_on(usual().grant("mail", both).session(editor.clone()));
    let mail = bench.plugin("mail", both);

    assert_eq!(mail.session().as_deref(), Ok(&editor));
    assert_eq!(mail.tell("done"), Ok(()));
    let said = Notice::Message { plugin: "mail".into(), text: "done".into() };
    assert_eq!(bench.told.only(), said);

    assert!(bench.copilot.session().is_err());
    assert!(bench.copilot.tell("done").is_err());
    let lacks = |capability| Notice::MissingGrant { plugin: "copilot".into(), capability, command: None };
    assert_eq!(bench.told.all(), [said, lacks(Capability::Session), lacks(Capability::Ui)]);
}
