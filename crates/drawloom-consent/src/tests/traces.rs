//! The records in the developer's log.

use std::collections::BTreeMap;
use std::fmt;
use std::future::{poll_fn, ready};

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context as LayerContext, Layer, SubscriberExt};

use super::*;

type Fields = BTreeMap<String, String>;

/// Stores the records of the policy.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Fields>>>);

impl<S: Subscriber> Layer<S> for Log {
    fn on_event(&self, event: &Event<'_>, _: LayerContext<'_, S>) {
        struct Reader(Fields);
        impl Visit for Reader {
            fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
                self.0.insert(field.name().into(), format!("{value:?}"));
            }
            fn record_str(&mut self, field: &Field, value: &str) {
                self.0.insert(field.name().into(), value.into());
            }
        }
        if event.metadata().target() == "drawloom_consent" {
            let mut fields = Reader(Fields::new());
            event.record(&mut fields);
            self.0.lock().unwrap().push(fields.0);
        }
    }
}

/// The records that are logged for decisions about these calls.
fn logged(policy: &ConsentPolicy, calls: &[PendingCall]) -> Vec<Fields> {
    let log = Log::default();
    tracing::subscriber::with_default(tracing_subscriber::registry().with(log.clone()), || {
        for call in calls {
            decide(policy, call);
        }
    });
    std::mem::take(&mut *log.0.lock().unwrap())
}

fn decision(statement: &str, decision: &str, source: &str, answer: &str) -> Fields {
    [
        ("call", "call-1"),
        ("command", "notes.open"),
        ("statement", statement),
        ("applied", statement),
        ("decision", decision),
        ("source", source),
        ("answer", answer),
        ("message", "decided"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into()
}

#[test]
fn each_decision_is_logged_with_its_reason() {
    let policy = ConsentPolicy::new(|_: PendingCall| ready(true));
    let asked = ask("notes.open");
    let calls = [
        call("notes.open", None),
        call("notes.open", AgentConsent::Allow),
        call("notes.open", AgentConsent::Never),
        asked.clone(),
        asked,
        call("notes.open", AgentConsent::AskAlways),
    ];
    assert_eq!(
        logged(&policy, &calls),
        [
            decision("none", "run", "rule", "none"),
            decision("allow", "run", "rule", "none"),
            decision("never", "decline", "rule", "none"),
            decision("ask", "run", "asked", "yes"),
            decision("ask", "run", "remembered", "none"),
            decision("ask-always", "run", "asked", "yes"),
        ]
    );
}

#[test]
fn each_kind_of_answer_is_logged() {
    for (answer, expected, basis) in [
        (Confirmation::YesWith(CommandArguments::new()), "run-with", "edited"),
        (Confirmation::No, "decline", "no"),
        (Confirmation::NoBecause("not today".into()), "decline", "no"),
        (Confirmation::Errored("no window".into()), "decline", "errored"),
        (Confirmation::Cancelled, "decline", "cancelled"),
        (Confirmation::TimedOut, "decline", "timed-out"),
    ] {
        let policy = ConsentPolicy::new(move |_: PendingCall| ready(answer.clone()));
        assert_eq!(logged(&policy, &[ask("notes.open")]), [decision("ask", expected, "asked", basis)]);
    }
}

#[test]
fn the_message_of_a_panic_is_logged() {
    let policy = ConsentPolicy::new(|_: PendingCall| poll_fn(|_| -> Poll<bool> { panic!("secret {}", 1) }));
    let log = logged(&policy, &[ask("notes.open")]);
    assert_eq!(log[0]["panic"], "secret 1");
    assert_eq!(log[0]["command"], "notes.open");
    assert_eq!(log[0]["call"], "call-1");
    assert_eq!(log[1], decision("ask", "decline", "asked", "panicked"));
}

#[test]
fn what_a_rule_adds_is_logged_beside_the_statement() {
    let policy = ConsentPolicy::builder(|_: PendingCall| ready(true)).rule(|_| AgentConsent::Ask).build();
    let log = logged(&policy, &[call("notes.open", None), call("notes.open", AgentConsent::AskAlways)]);
    let words = |fields: &Fields| (fields["statement"].clone(), fields["applied"].clone());
    assert_eq!(words(&log[0]), ("none".to_owned(), "ask".to_owned()));
    assert_eq!(words(&log[1]), ("ask-always".to_owned(), "ask-always".to_owned()));
}
