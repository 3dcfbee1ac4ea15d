//! Arguments that are wrong in exactly one way.

use proptest::prelude::*;
use proptest::sample::Index;

use super::matching::matching_arguments;
use crate::argument::{ArgumentKind, CommandArgument, Domain};
use crate::declaration::CommandDeclaration;
use crate::number::Number;
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// The longest text that is generated to be too long.
const TOO_LONG: u32 = 10_000;

/// Arguments that do not match a declaration, in exactly one way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongArguments {
    /// The arguments.
    pub arguments: CommandArguments,
    /// The argument that is wrong.
    pub argument: String,
    /// In which way: the [`code`](crate::ArgumentProblem::code) of the only problem that the check finds.
    pub code: &'static str,
}

/// One way to make an argument wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Missing,
    Kind,
    Shape,
    Range,
    Length,
    Choices,
    Undeclared,
}

/// Arguments that match the declaration in everything but one way, and that way. It covers every way in which arguments of
/// this declaration can be wrong.
///
/// ```
/// use drawloom_command::property::wrong_arguments;
/// use drawloom_command::{Argument, Command};
/// use proptest::prelude::*;
///
/// let open = Command::new("notes.open", "Open note")
///     .argument(Argument::text("path").required())
///     .argument(Argument::choice("mode", ["preview", "permanent"]))
///     .declare()?;
/// proptest!(|(wrong in wrong_arguments(&open))| {
///     let problems = open.check(&wrong.arguments).unwrap_err();
///     let found: Vec<_> = problems.iter().map(|problem| (problem.argument(), problem.code())).collect();
///     prop_assert_eq!(found, [(&*wrong.argument, wrong.code)]);
/// });
/// # Ok::<(), drawloom_command::DeclarationError>(())
/// ```
pub fn wrong_arguments(declaration: &CommandDeclaration) -> BoxedStrategy<WrongArguments> {
    let mut ways: Vec<(usize, Way)> = Vec::new();
    for (position, argument) in declaration.arguments().iter().enumerate() {
        ways.extend(ways_of(argument).into_iter().map(|way| (position, way)));
    }
    ways.push((0, Way::Undeclared));
    let declaration = declaration.clone();
    let drawn = (prop::sample::select(ways), any::<bool>(), any::<Index>());
    (matching_arguments(&declaration), drawn)
        .prop_map(move |(arguments, ((position, way), flip, at))| {
            match declaration.arguments().get(position).filter(|_| way != Way::Undeclared) {
                Some(argument) => spoiled(&declaration, argument, arguments, way, flip, at),
                None => undeclared(&declaration, arguments),
            }
        })
        .boxed()
}

fn ways_of(argument: &CommandArgument) -> Vec<Way> {
    let mut ways = vec![Way::Kind, Way::Shape];
    ways.extend(argument.is_required().then_some(Way::Missing));
    ways.extend(match &argument.domain {
        Domain::Text(length) if length.min() > 0 || length.max().is_some_and(|max| max < TOO_LONG) => {
            Some(Way::Length)
        }
        Domain::Integer(_) | Domain::Within(_) => Some(Way::Range),
        Domain::Choice(_) => Some(Way::Choices),
        Domain::Text(_) | Domain::Number | Domain::Boolean => None,
    });
    ways
}

fn spoiled(
    declaration: &CommandDeclaration,
    argument: &CommandArgument,
    mut arguments: CommandArguments,
    way: Way,
    flip: bool,
    at: Index,
) -> WrongArguments {
    let name = argument.name().to_owned();
    let (wrong, code): (CommandScalar, _) = match way {
        Way::Missing => {
            arguments.remove(&name);
            return WrongArguments { arguments, argument: name, code: "missing" };
        }
        Way::Shape => {
            let (value, code) = match argument.is_list() {
                true => (CommandArgumentValue::Single("a".into()), "single-for-list"),
                false => (CommandArgumentValue::List(Vec::new()), "list-for-single"),
            };
            return WrongArguments { arguments: arguments.with(&*name, value), argument: name, code };
        }
        Way::Kind => (of_another_kind(argument.kind(), flip), "wrong-kind"),
        Way::Range => {
            let is_whole = matches!(argument.domain, Domain::Integer(_));
            (outside_range(argument, flip), if is_whole { "outside-range" } else { "outside-number-range" })
        }
        Way::Length => (outside_length(argument, flip), "outside-length"),
        Way::Choices | Way::Undeclared => {
            let mut effective = arguments.clone();
            declaration.complete(&mut effective);
            let choices = argument.choices_given(&effective).unwrap_or_default();
            // No choice is empty, and this one is longer than each of them.
            let longer: String = choices.iter().map(|choice| &**choice).chain(["x"]).collect();
            let code = if choices.is_empty() { "no-choices" } else { "outside-choices" };
            (if flip { "".into() } else { longer.into() }, code)
        }
    };
    // One entry of a list is enough.
    let value = match (argument.is_list(), arguments.remove(&name)) {
        (false, _) => CommandArgumentValue::Single(wrong),
        (true, Some(CommandArgumentValue::List(mut entries))) => {
            entries.insert(at.index(entries.len() + 1), wrong);
            CommandArgumentValue::List(entries)
        }
        (true, _) => CommandArgumentValue::List(vec![wrong]),
    };
    WrongArguments { arguments: arguments.with(&*name, value), argument: name, code }
}

fn of_another_kind(kind: ArgumentKind, flip: bool) -> CommandScalar {
    match (kind, flip) {
        (ArgumentKind::Text | ArgumentKind::Choice, true) | (ArgumentKind::Boolean, true) => 1_u8.into(),
        (ArgumentKind::Text | ArgumentKind::Choice, false) | (ArgumentKind::Number, true) => true.into(),
        // Nothing is coerced.
        (ArgumentKind::Number, false) => "1".into(),
        (ArgumentKind::Boolean, false) => "true".into(),
    }
}

fn outside_range(argument: &CommandArgument, flip: bool) -> CommandScalar {
    let float = |value: f64| Number::try_from(value).ok();
    let number = match &argument.domain {
        Domain::Integer(range) => {
            let above = Number::from_whole(range.max.saturating_add(1));
            let below = Number::from_whole(range.min.saturating_sub(1));
            let outside = if flip { above.or(below) } else { below.or(above) };
            // The whole range of a call is taken: only what is not whole is outside.
            outside.or_else(|| float(0.5))
        }
        Domain::Within(range) => {
            let (above, below) = (float(range.max().next_up()), float(range.min().next_down()));
            if flip { above.or(below) } else { below.or(above) }
        }
        _ => None,
    };
    number.unwrap_or_else(|| 0_u8.into()).into()
}

fn outside_length(argument: &CommandArgument, flip: bool) -> CommandScalar {
    let Domain::Text(length) = &argument.domain else { return "".into() };
    let long = length.max().filter(|max| *max < TOO_LONG).map(|max| max.saturating_add(1));
    let short = length.min().checked_sub(1);
    let count = if flip { long.or(short) } else { short.or(long) };
    // Two bytes for one character: it is characters that count.
    "ä".repeat(usize::try_from(count.unwrap_or(0)).unwrap_or(0)).into()
}

fn undeclared(declaration: &CommandDeclaration, arguments: CommandArguments) -> WrongArguments {
    let longest = declaration.arguments().iter().map(|argument| argument.name().len()).max().unwrap_or(0);
    let argument = "z".repeat(longest + 1);
    WrongArguments { arguments: arguments.with(&*argument, 1), argument, code: "undeclared" }
}
