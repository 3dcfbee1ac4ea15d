//! Choices that depend on other arguments: in which order arguments are checked, and what a source of choices gets.

use std::collections::HashMap;
use std::sync::Arc;

use super::{ArgumentProblem, ReadChoices, problem_in};
use crate::argument::CommandArgument;
use crate::value::CommandArguments;

/// Which arguments the choices of an argument depend on. It exists only if there are any.
#[derive(Clone, Debug)]
pub(crate) struct Dependencies {
    /// Every argument, by its position, after those on which it depends.
    order: Vec<usize>,
    /// By the position of an argument: the positions of those on which it depends.
    on: Vec<Vec<usize>>,
}

/// Why the choices of an argument cannot depend on what they are declared to depend on.
#[derive(Clone, Debug)]
pub(crate) enum DependencyError {
    Undeclared {
        argument: Arc<str>,
        other: Arc<str>,
    },
    /// The choices of each of these depend on each other.
    Cycle(Vec<Arc<str>>),
}

impl Dependencies {
    /// Reads the dependencies of arguments with different names. `None` if there are none.
    pub(crate) fn of(declared: &[CommandArgument]) -> Result<Option<Self>, DependencyError> {
        if declared.iter().all(|argument| argument.depends_on().is_empty()) {
            return Ok(None);
        }
        let positions: HashMap<&str, usize> =
            declared.iter().enumerate().map(|(position, argument)| (argument.name(), position)).collect();
        let mut on = Vec::with_capacity(declared.len());
        for argument in declared {
            let others = argument.depends_on().iter().map(|other| {
                positions.get(&**other).copied().ok_or_else(|| DependencyError::Undeclared {
                    argument: argument.name.clone(),
                    other: other.clone(),
                })
            });
            on.push(others.collect::<Result<Vec<usize>, _>>()?);
        }
        // Repeatedly takes the arguments of which nothing is left that they depend on.
        let mut dependents = vec![Vec::new(); declared.len()];
        let mut left: Vec<usize> = on.iter().map(Vec::len).collect();
        for (position, others) in on.iter().enumerate() {
            for other in others {
                if let Some(dependents) = dependents.get_mut(*other) {
                    dependents.push(position);
                }
            }
        }
        let mut order: Vec<usize> =
            (0..declared.len()).filter(|position| left.get(*position) == Some(&0)).collect();
        let mut next = 0;
        while let Some(position) = order.get(next).copied() {
            next += 1;
            for dependent in dependents.get(position).into_iter().flatten() {
                if let Some(left) = left.get_mut(*dependent) {
                    *left -= 1;
                    if *left == 0 {
                        order.push(*dependent);
                    }
                }
            }
        }
        if order.len() < declared.len() {
            let stuck = declared.iter().zip(&left).filter(|(_, left)| **left > 0);
            return Err(DependencyError::Cycle(stuck.map(|(argument, _)| argument.name.clone()).collect()));
        }
        Ok(Some(Self { order, on }))
    }

    /// The position of every argument, after those on which it depends.
    #[cfg(feature = "proptest")]
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The problems with the declared arguments of a call, in declared order.
    pub(super) fn problems(
        &self,
        declared: &[CommandArgument],
        given: &CommandArguments,
    ) -> Vec<ArgumentProblem> {
        self.checked(declared, given).into_iter().filter_map(|checked| checked.problem).collect()
    }

    /// The choices of the argument at this position, for a call with these arguments. `None` if an argument on which they
    /// depend does not match.
    pub(crate) fn choices(
        &self,
        declared: &[CommandArgument],
        position: usize,
        given: &CommandArguments,
    ) -> ReadChoices {
        let (argument, on) = (declared.get(position)?, self.on.get(position)?);
        let checked = self.checked(declared, given);
        let are_known = on.iter().all(|other| checked.get(*other).is_some_and(|other| other.is_settled));
        if are_known { argument.choices_given(&effective(declared, on, given)) } else { None }
    }

    /// Checks each argument, in declared order.
    ///
    /// The choices of an argument are known only if every argument on which they depend matches. Otherwise only its kind is
    /// checked: the caller first has to correct the others.
    fn checked(&self, declared: &[CommandArgument], given: &CommandArguments) -> Vec<Checked> {
        let mut checked: Vec<Checked> = Vec::new();
        checked.resize_with(declared.len(), Checked::default);
        for position in &self.order {
            let (Some(argument), Some(on)) = (declared.get(*position), self.on.get(*position)) else {
                continue;
            };
            let are_known = on.iter().all(|other| checked.get(*other).is_some_and(|other| other.is_settled));
            let choices = || -> ReadChoices {
                match (on.is_empty(), are_known) {
                    (true, _) => argument.choices(),
                    (false, true) => argument.choices_given(&effective(declared, on, given)),
                    (false, false) => None,
                }
            };
            let problem = problem_in(argument, given, choices);
            if let Some(slot) = checked.get_mut(*position) {
                *slot = Checked { is_settled: are_known && problem.is_none(), problem };
            }
        }
        checked
    }
}

/// What the check found out about one argument.
#[derive(Default)]
struct Checked {
    problem: Option<ArgumentProblem>,
    /// Whether it is known to match: a source of choices may get its value.
    is_settled: bool,
}

/// The values of the arguments at these positions: as given, or their defaults.
fn effective(
    declared: &[CommandArgument],
    positions: &[usize],
    given: &CommandArguments,
) -> CommandArguments {
    let arguments = positions.iter().filter_map(|position| declared.get(*position));
    let values = arguments.filter_map(|argument| {
        let value = given.get(&argument.name).or(argument.default.as_ref())?;
        Some((&*argument.name, value.clone()))
    });
    values.collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::argument::Argument;
    use crate::declaration::{Command, CommandDeclaration};

    thread_local! {
        static READ: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    /// `section` depends on `notebook`, which is declared after it and has a default; `page` depends on `section`.
    fn open() -> CommandDeclaration {
        let sections = |others: &CommandArguments| {
            READ.with_borrow_mut(|read| read.push(format!("{others:?}")));
            match others.text("notebook") {
                Some("work") => vec!["plans".to_owned()],
                _ => vec!["diary".to_owned()],
            }
        };
        let pages = |others: &CommandArguments| {
            READ.with_borrow_mut(|read| read.push(format!("{others:?}")));
            vec![format!("{}-1", others.text_or("section", "none"))]
        };
        Command::new("notes.open", "Open")
            .argument(Argument::choice_given("page", ["section"], pages))
            .argument(Argument::choice_given("section", ["notebook"], sections).required())
            .argument(Argument::choice("notebook", ["work", "home"]).default("home"))
            .declare()
            .unwrap()
    }

    fn problems(json: &str) -> String {
        READ.take();
        let given = CommandArguments::from_json(json).unwrap();
        open().check(&given).map_or_else(|problems| problems.to_string(), |()| String::new())
    }

    #[test]
    fn choices_are_those_that_the_other_arguments_give() {
        assert_eq!(problems(r#"{"section":"plans","notebook":"work"}"#), "");
        assert_eq!(problems(r#"{"section":"diary"}"#), "", "the default of the notebook is used");
        assert_eq!(problems(r#"{"section":"plans"}"#), r#"argument "section" takes one of "diary""#);
        assert_eq!(problems(r#"{"page":"diary-1","section":"diary"}"#), "");
        assert_eq!(
            problems(r#"{"page":"x","notebook":"work"}"#),
            r#"argument "section" is missing; it takes one of "plans""#,
            "what the page depends on comes first"
        );
        assert_eq!(
            problems(r#"{"page":"x","section":"plans","notebook":"work"}"#),
            r#"argument "page" takes one of "plans-1""#
        );
    }

    #[test]
    fn a_source_never_gets_a_value_that_does_not_match() {
        assert_eq!(
            problems(r#"{"page":7,"section":"plans","notebook":"garden"}"#),
            r#"argument "page" takes one of its choices as text, not a number; argument "notebook" takes one of "work", "home""#
        );
        assert_eq!(
            problems(r#"{"notebook":"garden"}"#),
            "argument \"section\" is missing; it takes one of the choices that its other arguments give; argument \
             \"notebook\" takes one of \"work\", \"home\""
        );
        assert!(READ.take().is_empty(), "the source of the sections was not read");
        assert_eq!(
            problems(r#"{"page":"plans-1","section":"plans","notebook":"garden"}"#),
            r#"argument "notebook" takes one of "work", "home""#,
            "neither the section nor the page can be judged"
        );
        assert!(READ.take().is_empty(), "nothing was read for the section, and nothing of it for the page");
    }

    #[test]
    fn a_form_reads_the_choices_of_one_argument() {
        let choices = |argument: &str, json: &str| {
            let given = CommandArguments::from_json(json).unwrap();
            open().choices_of(argument, &given).map(|choices| choices.to_vec())
        };
        let of = |texts: &[&str]| Some(texts.iter().map(|text| (*text).into()).collect::<Vec<_>>());
        assert_eq!(choices("notebook", "{}"), of(&["work", "home"]));
        assert_eq!(choices("section", "{}"), of(&["diary"]), "the default of the notebook is used");
        assert_eq!(choices("section", r#"{"notebook":"work"}"#), of(&["plans"]));
        assert_eq!(choices("section", r#"{"notebook":"garden"}"#), None);
        assert_eq!(choices("page", r#"{"notebook":"work","section":"diary"}"#), None);
        assert_eq!(choices("nothing", "{}"), None);
    }
}
