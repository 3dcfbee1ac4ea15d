//! Arguments that match a declaration.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::argument::{CommandArgument, Domain, TextLength};
use crate::declaration::CommandDeclaration;
use crate::number::Number;
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// How many entries a generated list has at most.
const ENTRIES: usize = 4;
/// How many characters a generated text has at most, unless the argument requires more.
const CHARACTERS: u32 = 16;

/// Any number that a call can carry, small ones and halves of them more often.
pub fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        (-4..5_i64).prop_map(Number::from),
        (-8..9_i32)
            .prop_map(|halves| Number::try_from(f64::from(halves) / 2.0).unwrap_or_else(|_| 0_u8.into())),
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("finite", |value| Number::try_from(value).ok()),
    ]
}

/// Arguments that match the declaration: every required argument, and some of the others. Defaults are not filled in.
///
/// Choices are read when the strategy is made, except those that depend on other arguments. Arguments that could not match,
/// because a required argument has no choices for the values of the others, are rejected.
///
/// ```
/// use drawloom_command::property::matching_arguments;
/// use drawloom_command::{Argument, Command};
/// use proptest::prelude::*;
///
/// let open = Command::new("notes.open", "Open note")
///     .argument(Argument::text("path").length(1..=200).required())
///     .argument(Argument::integer("line", 1..=1_000_000))
///     .declare()?;
/// proptest!(|(arguments in matching_arguments(&open))| {
///     prop_assert!(open.check(&arguments).is_ok());
/// });
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
pub fn matching_arguments(declaration: &CommandDeclaration) -> BoxedStrategy<CommandArguments> {
    let independent: Vec<_> = declaration
        .arguments()
        .iter()
        .filter(|argument| argument.depends_on().is_empty())
        .map(|argument| {
            let name = argument.name().to_owned();
            optional(argument).prop_map(move |value| value.map(|value| (name.clone(), value)))
        })
        .collect();
    let dependent: Vec<CommandArgument> = declaration
        .arguments_in_order()
        .filter(|argument| !argument.depends_on().is_empty())
        .cloned()
        .collect();
    // Drawn before the values on which the choices depend are known, so that everything shrinks independently.
    let drawn = (any::<bool>(), prop::collection::vec(any::<Index>(), 0..ENTRIES), any::<Index>());
    let drawn = prop::collection::vec(drawn, dependent.len());
    let declaration = declaration.clone();
    (independent, drawn)
        .prop_filter_map("a required argument has no choices", move |(given, drawn)| {
            let mut given: CommandArguments = given.into_iter().flatten().collect();
            for (argument, (is_given, entries, single)) in dependent.iter().zip(&drawn) {
                let mut effective = given.clone();
                declaration.complete(&mut effective);
                let choices = argument.choices_given(&effective).unwrap_or_default();
                if choices.is_empty() && argument.is_required() {
                    return None;
                }
                if choices.is_empty() || !(*is_given || argument.is_required()) {
                    continue;
                }
                let choose = |at: &Index| CommandScalar::from(&**at.get(&choices));
                let value = match argument.is_list() {
                    true => CommandArgumentValue::List(entries.iter().map(choose).collect()),
                    false => choose(single).into(),
                };
                given = given.with(argument.name(), value);
            }
            Some(given)
        })
        .boxed()
}

/// A value, if the argument is required; otherwise a value or none.
fn optional(argument: &CommandArgument) -> BoxedStrategy<Option<CommandArgumentValue>> {
    let Some(scalar) = scalar(argument) else {
        // A choice without choices matches only if it is omitted, or as an empty list if that is allowed.
        let is_required = argument.is_required();
        return Just(None).prop_filter("a required argument has no choices", move |_| !is_required).boxed();
    };
    let value = match argument.is_list() {
        true => prop::collection::vec(scalar, 0..ENTRIES).prop_map(CommandArgumentValue::List).boxed(),
        false => scalar.prop_map(CommandArgumentValue::Single).boxed(),
    };
    match argument.is_required() {
        true => value.prop_map(Some).boxed(),
        false => prop::option::of(value).boxed(),
    }
}

/// One value that matches. `None` if there is none.
fn scalar(argument: &CommandArgument) -> Option<BoxedStrategy<CommandScalar>> {
    Some(match &argument.domain {
        Domain::Text(length) => text(*length),
        Domain::Boolean => any::<bool>().prop_map(CommandScalar::Boolean).boxed(),
        Domain::Number => any_number().prop_map(CommandScalar::Number).boxed(),
        Domain::Integer(range) => (range.min..=range.max)
            .prop_filter_map("in a call", |whole| Number::from_whole(whole).map(CommandScalar::Number))
            .boxed(),
        Domain::Within(range) => {
            let (min, max) = (range.min(), range.max());
            // The difference of the ends may be too large for a double, so it is not computed.
            let between =
                (0.0..=1.0_f64).prop_map(move |share| (min * (1.0 - share) + max * share).clamp(min, max));
            prop_oneof![1 => Just(min), 1 => Just(max), 8 => between]
                .prop_filter_map("finite", |value| Number::try_from(value).ok().map(CommandScalar::Number))
                .boxed()
        }
        Domain::Choice(_) => {
            let choices = argument.choices().filter(|choices| !choices.is_empty())?;
            prop::sample::select(choices.to_vec()).prop_map(|choice| CommandScalar::from(&*choice)).boxed()
        }
    })
}

fn text(length: TextLength) -> BoxedStrategy<CommandScalar> {
    let most = length.min().saturating_add(CHARACTERS);
    let most = length.max().map_or(most, |max| max.min(most));
    let size = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
    prop::collection::vec(any::<char>(), size(length.min())..=size(most))
        .prop_map(|characters| CommandScalar::Text(characters.into_iter().collect()))
        .boxed()
}
