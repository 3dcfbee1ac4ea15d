//! Generators that several properties share: declarations, and calls that match them.

use drawloom::command::{ArgumentKind, Command, CommandArgument, CommandArgumentValue, CommandArguments, CommandScalar, Number};
use proptest::prelude::*;

/// A declared argument, as plain as a test can hold it.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) kind: ArgumentKind,
    pub(crate) required: bool,
    pub(crate) list: bool,
    pub(crate) choices: Vec<String>,
    pub(crate) range: Option<(i64, i64)>,
}

impl Declared {
    pub(crate) fn argument(&self) -> CommandArgument {
        let name = self.name.as_str();
        let argument = match (self.kind, self.range) {
            (ArgumentKind::Text, _) => CommandArgument::text(name),
            (ArgumentKind::Number, None) => CommandArgument::number(name),
            (ArgumentKind::Number, Some((min, max))) => CommandArgument::integer(name, min.into()..=max.into()),
            (ArgumentKind::Boolean, _) => CommandArgument::boolean(name),
            (ArgumentKind::Choice, _) => CommandArgument::choice(name, self.choices.iter().map(String::as_str)),
        };
        let argument = if self.required { argument.required() } else { argument };
        if self.list { argument.list() } else { argument }
    }

    /// A value that matches.
    fn matching(&self) -> BoxedStrategy<CommandArgumentValue> {
        let single = match (self.kind, self.range) {
            (ArgumentKind::Text, _) => any::<String>().prop_map(CommandScalar::Text).boxed(),
            (ArgumentKind::Number, None) => number().prop_map(CommandScalar::Number).boxed(),
            (ArgumentKind::Number, Some((min, max))) => (min..=max).prop_map(CommandScalar::from).boxed(),
            (ArgumentKind::Boolean, _) => any::<bool>().prop_map(CommandScalar::Boolean).boxed(),
            (ArgumentKind::Choice, _) => {
                prop::sample::select(self.choices.clone()).prop_map(CommandScalar::Text).boxed()
            }
        };
        if self.list {
            prop::collection::vec(single, 0..4).prop_map(CommandArgumentValue::List).boxed()
        } else {
            single.prop_map(CommandArgumentValue::Single).boxed()
        }
    }
}

pub(crate) fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("finite", |value| Number::try_from(value).ok()),
    ]
}

pub(crate) fn scalar() -> impl Strategy<Value = CommandScalar> {
    prop_oneof![
        prop_oneof![any::<String>(), "[a-c]"].prop_map(CommandScalar::Text),
        number().prop_map(CommandScalar::Number),
        any::<bool>().prop_map(CommandScalar::Boolean),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = CommandArgumentValue> {
    prop_oneof![
        scalar().prop_map(CommandArgumentValue::Single),
        prop::collection::vec(scalar(), 0..4).prop_map(CommandArgumentValue::List),
    ]
}

/// Up to five arguments with different names.
pub(crate) fn declared() -> impl Strategy<Value = Vec<Declared>> {
    let kind = prop::sample::select(vec![
        ArgumentKind::Text,
        ArgumentKind::Number,
        ArgumentKind::Boolean,
        ArgumentKind::Choice,
    ]);
    let range = prop::option::of((any::<i64>(), any::<i64>()).prop_map(|(a, b)| (a.min(b), a.max(b))));
    let choices = prop::collection::btree_set("[a-d]{1,2}", 1..4);
    let one = (kind, any::<bool>(), any::<bool>(), choices, range);
    prop::collection::btree_map("[a-e]{1,2}", one, 0..6).prop_map(|all| {
        all.into_iter()
            .map(|(name, (kind, required, list, choices, range))| Declared {
                name,
                kind,
                required,
                list,
                choices: choices.into_iter().collect(),
                range: range.filter(|_| kind == ArgumentKind::Number),
            })
            .collect()
    })
}

/// The command that declares these.
pub(crate) fn command(declared: &[Declared]) -> Command {
    Command::new("notes.open", "Open note").arguments(declared.iter().map(Declared::argument)).callable()
}

/// Declarations and a call that matches them: every required argument, and some of the others.
pub(crate) fn matching_call() -> impl Strategy<Value = (Vec<Declared>, CommandArguments)> {
    declared().prop_flat_map(|declared| {
        let values: Vec<_> = declared
            .iter()
            .map(|one| (any::<bool>(), one.matching()).prop_map({
                let required = one.required;
                move |(given, value)| (required || given).then_some(value)
            }))
            .collect();
        (Just(declared), values).prop_map(|(declared, values)| {
            let given = declared
                .iter()
                .zip(values)
                .filter_map(|(one, value)| value.map(|value| (one.name.clone(), value)))
                .collect();
            (declared, given)
        })
    })
}
