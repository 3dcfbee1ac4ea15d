//! Generators that several properties share: declarations, and calls that match them.

use drawloom::command::{
    Argument, ArgumentKind, Command, CommandArgumentValue, CommandArguments, CommandScalar, Number,
};
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
    pub(crate) fn argument(&self) -> Argument {
        let name = self.name.as_str();
        let argument = match (self.kind, self.range) {
            (ArgumentKind::Text, _) => Argument::text(name),
            (ArgumentKind::Number, None) => Argument::number(name),
            (ArgumentKind::Number, Some((min, max))) => Argument::integer(name, min.into()..=max.into()),
            (ArgumentKind::Boolean, _) => Argument::boolean(name),
            (ArgumentKind::Choice, _) => Argument::choice(name, self.choices.iter().map(String::as_str)),
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

impl Declared {
    /// A value that may well match: mostly of the right kind and shape, within the limits or not.
    fn near(&self) -> BoxedStrategy<CommandArgumentValue> {
        let single = match self.kind {
            ArgumentKind::Number => number().prop_map(CommandScalar::Number).boxed(),
            ArgumentKind::Choice => choice().prop_map(CommandScalar::Text).boxed(),
            ArgumentKind::Text | ArgumentKind::Boolean => scalar().boxed(),
        };
        let shaped = if self.list {
            prop::collection::vec(single, 0..3).prop_map(CommandArgumentValue::List).boxed()
        } else {
            single.prop_map(CommandArgumentValue::Single).boxed()
        };
        prop_oneof![4 => shaped, 1 => value()].boxed()
    }
}

/// Declarations and a call that may well match them: each argument given or not, and perhaps one that is not declared.
pub(crate) fn near_call() -> impl Strategy<Value = (Vec<Declared>, CommandArguments)> {
    declared().prop_flat_map(|declared| {
        let values: Vec<_> = declared.iter().map(|one| prop::option::weighted(0.8, one.near())).collect();
        (Just(declared), values, prop::option::weighted(0.2, value())).prop_map(
            |(declared, values, undeclared)| {
                let given = declared.iter().map(|one| one.name.clone()).zip(values);
                let given = given.chain([("undeclared".to_owned(), undeclared)]);
                let given = given.filter_map(|(name, value)| value.map(|value| (name, value))).collect();
                (declared, given)
            },
        )
    })
}

pub(crate) fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        // Small ones and their halves meet the ends of small ranges.
        (-4..5_i64).prop_map(Number::from),
        (-8..9_i32).prop_filter_map("finite", |halves| Number::try_from(f64::from(halves) / 2.0).ok()),
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("finite", |value| Number::try_from(value).ok()),
    ]
}

pub(crate) fn scalar() -> impl Strategy<Value = CommandScalar> {
    prop_oneof![
        prop_oneof![any::<String>(), choice()].prop_map(CommandScalar::Text),
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

/// What choices are made of: few enough for a value to be one of them by chance.
fn choice() -> impl Strategy<Value = String> {
    "[a-d]"
}

/// Up to five arguments with different names.
pub(crate) fn declared() -> impl Strategy<Value = Vec<Declared>> {
    let kind = prop::sample::select(vec![
        ArgumentKind::Text,
        ArgumentKind::Number,
        ArgumentKind::Boolean,
        ArgumentKind::Choice,
    ]);
    let ends = prop_oneof![(-4..5_i64, -4..5_i64), (any::<i64>(), any::<i64>())];
    let range = prop::option::of(ends.prop_map(|(a, b)| (a.min(b), a.max(b))));
    let choices = prop::collection::btree_set(choice(), 1..4);
    let one = (kind, any::<bool>(), any::<bool>(), choices, range);
    prop::collection::btree_map("[a-h]", one, 0..6).prop_map(|all| {
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
            .map(|one| {
                (any::<bool>(), one.matching()).prop_map({
                    let required = one.required;
                    move |(given, value)| (required || given).then_some(value)
                })
            })
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
