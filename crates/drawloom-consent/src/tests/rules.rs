//! A rule of the application beside what commands state.

use drawloom_command::Approval;

use super::*;

const STATEMENTS: [Option<AgentConsent>; 5] = [
    None,
    Some(AgentConsent::Allow),
    Some(AgentConsent::Ask),
    Some(AgentConsent::AskAlways),
    Some(AgentConsent::Never),
];

/// What happens to three calls to one command with this rule while the person says yes: how often the person is asked,
/// and whether the calls run.
fn treatment(states: Option<AgentConsent>, rule: AgentConsent) -> (usize, bool) {
    let asked = Arc::new(Mutex::new(0));
    let count = asked.clone();
    let policy = ConsentPolicy::builder(move |_: PendingCall| {
        *count.lock().unwrap() += 1;
        std::future::ready(true)
    });
    let (policy, open) = (policy.rule(move |_| rule).build(), call("notes.open", states));
    let runs = (0..3).all(|_| decide(&policy, &open) == Decision::Run);
    (*asked.lock().unwrap(), runs)
}

/// By hand from K2: the strictest of statement and rule decides. Nothing, `allow`, `ask`, `ask-always` and `never` are
/// treated as 0, 0, 1, 3 questions for three calls, and no run.
#[test]
fn the_stricter_of_statement_and_rule_applies() {
    let strictness = |states: Option<AgentConsent>| match states {
        None | Some(AgentConsent::Allow) => 0,
        Some(AgentConsent::Ask) => 1,
        Some(AgentConsent::AskAlways) => 2,
        Some(AgentConsent::Never) => 3,
    };
    let expected = [(0, true), (1, true), (3, true), (0, false)];
    for rule in STATEMENTS.into_iter().flatten() {
        for states in STATEMENTS {
            let stricter = strictness(states).max(strictness(Some(rule)));
            assert_eq!(treatment(states, rule), expected[stricter], "{states:?} with rule {rule:?}");
        }
    }
}

#[test]
fn a_rule_that_panics_declines_the_call() {
    let policy = ConsentPolicy::builder(|_: PendingCall| async { true }).rule(|_| panic!("no rule")).build();
    for states in [None, Some(AgentConsent::Ask)] {
        assert_eq!(decide(&policy, &call("notes.open", states)), declined("the consent rule panicked"));
    }
    assert_eq!(
        decide(&policy, &call("notes.wipe", AgentConsent::Never)),
        declined("agents may not run this command")
    );
}

#[test]
fn a_rule_whose_drop_panics_ends_with_its_policy() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("again");
        }
    }
    let held = Panics;
    let policy = ConsentPolicy::builder(|_: PendingCall| async { true }).rule(move |_| {
        let _ = &held;
        AgentConsent::Allow
    });
    drop(policy.build());
}

#[test]
fn a_rule_is_not_read_for_a_call_that_cannot_run() {
    let policy =
        ConsentPolicy::builder(|_: PendingCall| async { false }).rule(|_| AgentConsent::Never).build();
    let unknown = PendingCall::not_offered("call-1", "notes.gone".into(), CommandArguments::new());
    assert_eq!(decide(&policy, &unknown), Decision::Run, "the workbench refuses it");
    let approval = Approval::new(None, false);
    let of_the_agent = PendingCall::to_approve("call-1", "search", CommandArguments::new(), approval);
    assert_eq!(decide(&policy, &of_the_agent), declined("agents may not run this command"));
}

#[test]
fn the_person_sees_the_statement_that_applies() {
    let (desk, builder) = Desk::builder();
    let policy = builder.rule(|call| match call.command_id.as_str() {
        "notes.wipe" => AgentConsent::AskAlways,
        _ => AgentConsent::Ask,
    });
    let policy = policy.build();
    let (open, wipe) = (call("notes.open", None), call("notes.wipe", AgentConsent::Ask));
    let _tasks = (Task::waiting(&policy, &open), Task::waiting(&policy, &wipe));
    assert_eq!(desk.call(0).agent_consent, Some(AgentConsent::Ask));
    assert_eq!(desk.call(1).agent_consent, Some(AgentConsent::AskAlways));
}
