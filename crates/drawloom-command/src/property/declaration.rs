//! Any declaration.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::argument::Argument;
use crate::declaration::{AgentConsent, Command, CommandDeclaration};
use crate::value::CommandArguments;

/// What an argument takes, as plain data, so that it shrinks.
#[derive(Clone, Debug)]
enum Takes {
    Text,
    TextOf { min: u32, more: Option<u32> },
    Number,
    Within(f64, f64),
    Integer(i128, i128),
    Boolean,
    Choice(Vec<String>),
}

/// Whether a call has to give an argument, and what happens if it does not.
#[derive(Clone, Copy, Debug)]
enum Presence {
    Optional,
    Required,
    Default,
}

/// Any argument of this name: of each kind, single or a list, limited or not, required, with a default, or secret.
/// The default matches. The choices are fixed.
pub fn any_argument(name: impl Into<String>) -> impl Strategy<Value = Argument> {
    let name = name.into();
    let presence = prop_oneof![Just(Presence::Optional), Just(Presence::Required), Just(Presence::Default)];
    let text = prop::option::of("[ -~]{0,12}|\\PC{0,6}");
    (takes(), presence, any::<bool>(), prop::bool::weighted(0.1), text, any::<Index>()).prop_map(
        move |(takes, presence, list, secret, description, at)| {
            let (mut argument, default) = built(&name, &takes, at);
            if list {
                argument = argument.list();
            }
            if let Some(description) = description {
                argument = argument.description(description);
            }
            match presence {
                Presence::Optional => {}
                Presence::Required => argument = argument.required(),
                // A default is published, so a secret argument has none.
                Presence::Default if secret => {}
                Presence::Default => {
                    argument = match list {
                        true => argument.default(vec![default]),
                        false => argument.default(default),
                    };
                }
            }
            if secret { argument.secret() } else { argument }
        },
    )
}

fn takes() -> impl Strategy<Value = Takes> {
    let whole = prop_oneof![-4..5_i128, any::<i64>().prop_map(i128::from), any::<u64>().prop_map(i128::from)];
    let float = prop_oneof![-4.0..4.0_f64, any::<f64>().prop_filter("finite", |value| value.is_finite())];
    let choices = prop::collection::hash_set("[a-e]{1,2}", 1..4);
    prop_oneof![
        Just(Takes::Text),
        (0..4_u32, prop::option::of(0..6_u32)).prop_map(|(min, more)| Takes::TextOf { min, more }),
        Just(Takes::Boolean),
        Just(Takes::Number),
        (whole.clone(), whole).prop_map(|(a, b)| Takes::Integer(a.min(b), a.max(b))),
        (float.clone(), float).prop_map(|(a, b)| Takes::Within(a.min(b), a.max(b))),
        choices.prop_map(|choices| {
            let mut choices: Vec<String> = choices.into_iter().collect();
            choices.sort();
            Takes::Choice(choices)
        }),
    ]
}

/// The argument, and a value that it can have as its default.
fn built(name: &str, takes: &Takes, at: Index) -> (Argument, crate::value::CommandScalar) {
    use crate::number::Number;

    let number = |number: Option<Number>| number.unwrap_or_else(|| 0_u8.into()).into();
    match takes {
        Takes::Text => (Argument::text(name), "".into()),
        Takes::TextOf { min, more } => {
            let text = Argument::text(name);
            let text = match more {
                Some(more) => text.length(*min..=min.saturating_add(*more)),
                None => text.length(*min..),
            };
            (text, "a".repeat(usize::try_from(*min).unwrap_or(0)).into())
        }
        Takes::Boolean => (Argument::boolean(name), true.into()),
        Takes::Number => (Argument::number(name), 7_u8.into()),
        Takes::Within(min, max) => {
            (Argument::number_within(name, *min..=*max), number(Number::try_from(*min).ok()))
        }
        Takes::Integer(min, max) => (Argument::integer(name, *min..=*max), number(Number::from_whole(*max))),
        Takes::Choice(choices) => {
            let choice = at.get(choices).as_str();
            let argument = Argument::choice(name, choices.iter().map(String::as_str));
            (argument.label(choice, format!("Label of {choice}")), choice.into())
        }
    }
}

/// Any command with up to six arguments, ready to be registered. The choices of one of them may depend on another.
pub fn any_command() -> impl Strategy<Value = Command> {
    let argument = "[a-h]".prop_flat_map(|name| (Just(name.clone()), any_argument(name)));
    let arguments = prop::collection::vec(argument, 0..6);
    let dependent = prop::option::weighted(0.3, (any::<Index>(), any::<bool>()));
    let consent = prop::option::of(prop::sample::select(vec![
        AgentConsent::Allow,
        AgentConsent::Ask,
        AgentConsent::AskAlways,
        AgentConsent::Never,
    ]));
    let texts = (prop::option::of("\\PC{0,12}"), prop::option::of("\\PC{0,12}"));
    (arguments, dependent, consent, texts, any::<bool>(), any::<bool>()).prop_map(
        |(arguments, dependent, consent, (description, answers), callable, popout)| {
            let mut names = HashSet::new();
            let arguments: Vec<(String, Argument)> =
                arguments.into_iter().filter(|(name, _)| names.insert(name.clone())).collect();
            let mut command = Command::new("notes.open", "Open note");
            if let Some((on, required)) = dependent.filter(|_| !arguments.is_empty()) {
                let argument = depending("given", &on.get(&arguments).0);
                command = command.argument(if required { argument.required() } else { argument });
            }
            command = command.arguments(arguments.into_iter().map(|(_, argument)| argument));
            if let Some(consent) = consent {
                command = command.agent_consent(consent);
            }
            if let Some(description) = description {
                command = command.description(description);
            }
            if let Some(answers) = answers {
                command = command.answers(answers);
            }
            command = if callable { command.callable() } else { command };
            if popout { command.popout() } else { command }
        },
    )
}

/// Any declaration of a command: that of [`any_command`].
///
/// ```
/// use drawloom_command::property::any_declaration;
/// use proptest::prelude::*;
///
/// proptest!(|(declaration in any_declaration())| {
///     prop_assert!(declaration.arguments().len() <= 6);
/// });
/// ```
pub fn any_declaration() -> impl Strategy<Value = CommandDeclaration> {
    any_command().prop_map(|command| match command.declare() {
        Ok(declaration) => declaration,
        Err(error) => unreachable!("the strategy makes valid declarations: {error}"),
    })
}

/// A choice whose choices depend on whether the other argument is given, and on its first value.
fn depending(name: &str, other: &str) -> Argument {
    let on = other.to_owned();
    Argument::choice_given(name, [other], move |others: &CommandArguments| match others.get(&on) {
        None => vec!["without".to_owned()],
        Some(value) => {
            let written = serde_json::to_string(value).unwrap_or_default();
            vec!["with".to_owned(), format!("{} bytes", written.len())]
        }
    })
}
