//! Arguments declared as a Rust type: one struct both declares them and receives their values.
//!
//! A struct's fields are [`ArgumentField`]s, a field holds [`ArgumentValue`]s, and a value is represented by one of the
//! closed set of [`ArgumentScalar`](crate::ArgumentScalar)s. `#[derive(CommandArguments)]` of the crate
//! `drawloom-derive` implements the trait for a struct.

use super::{Argument, ArgumentScalar, ArgumentValue, CommandArgument};
use crate::check::{self, ArgumentProblem};
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// A struct that declares the arguments of a command and receives their values, usually with
/// `#[derive(CommandArguments)]`.
///
/// ```
/// use drawloom_command::{
///     ArgumentField, ArgumentProblem, Argument, CommandArguments, TypedArguments,
/// };
///
/// // What `#[derive(CommandArguments)]` writes for this struct.
/// struct OpenNote {
///     path: String,
///     line: Option<u32>,
/// }
///
/// impl TypedArguments for OpenNote {
///     fn declare() -> Vec<Argument> {
///         vec![String::declare("path"), Option::<u32>::declare("line")]
///     }
///
///     fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
///         Ok(Self {
///             path: ArgumentField::from_given("path", arguments.remove("path"))?,
///             line: ArgumentField::from_given("line", arguments.remove("line"))?,
///         })
///     }
/// }
///
/// let mut arguments = CommandArguments::new().with("path", "inbox").with("line", 12);
/// let open = OpenNote::take_from(&mut arguments)?;
/// assert_eq!((&*open.path, open.line), ("inbox", Some(12)));
/// # Ok::<(), ArgumentProblem>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arguments of a command",
    label = "does not declare arguments",
    note = "derive it: `#[derive(CommandArguments)]` on a struct with named fields"
)]
pub trait TypedArguments: Sized {
    /// The arguments, in the order of the fields.
    fn declare() -> Vec<Argument>;

    /// Removes the values of the fields from the arguments of a call. Other arguments stay.
    ///
    /// # Errors
    /// The problem of the first field whose value does not match. There is no error if the check against the
    /// declaration passed.
    fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem>;
}

/// The type of a field of a [`TypedArguments`] struct: `T`, `Option<T>`, `Vec<T>` or `Option<Vec<T>>`, where `T` is an
/// [`ArgumentValue`].
///
/// A plain field is a required argument and an `Option` an optional one; a `Vec` is a list, possibly empty.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a command",
    label = "not an argument type",
    note = "an argument is `T`, `Option<T>`, `Vec<T>` or `Option<Vec<T>>`, where `T` is `String`, `bool`, an integer, \
            a float, a type that derives `Choice`, or a newtype over one of them that implements `ArgumentValue`"
)]
pub trait ArgumentField: Sized {
    /// The argument, without a description.
    fn declare(name: &str) -> Argument;

    /// Creates the field from the value in a call, if there is one.
    ///
    /// # Errors
    /// If the value does not match the declaration of the field.
    fn from_given(name: &str, given: Option<CommandArgumentValue>) -> Result<Self, ArgumentProblem>;
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for T {
    fn declare(name: &str) -> Argument {
        T::Scalar::argument(name).required()
    }

    fn from_given(name: &str, given: Option<CommandArgumentValue>) -> Result<Self, ArgumentProblem> {
        let given = Option::<T>::from_given(name, given)?;
        given.ok_or_else(|| missing::<Self>(name))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for Option<T> {
    fn declare(name: &str) -> Argument {
        T::Scalar::argument(name)
    }

    fn from_given(name: &str, given: Option<CommandArgumentValue>) -> Result<Self, ArgumentProblem> {
        match given {
            None => Ok(None),
            Some(CommandArgumentValue::Single(scalar)) => {
                read(scalar).map(Some).map_err(|scalar| problem::<Self>(name, scalar.into()))
            }
            Some(list) => Err(problem::<Self>(name, list)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for Vec<T> {
    fn declare(name: &str) -> Argument {
        Option::<Self>::declare(name).required()
    }

    fn from_given(name: &str, given: Option<CommandArgumentValue>) -> Result<Self, ArgumentProblem> {
        let given = Option::<Self>::from_given(name, given)?;
        given.ok_or_else(|| missing::<Self>(name))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for Option<Vec<T>> {
    fn declare(name: &str) -> Argument {
        T::Scalar::argument(name).list()
    }

    fn from_given(name: &str, given: Option<CommandArgumentValue>) -> Result<Self, ArgumentProblem> {
        match given {
            None => Ok(None),
            Some(CommandArgumentValue::List(scalars)) => {
                let values: Result<Vec<T>, CommandScalar> = scalars.into_iter().map(read).collect();
                values.map(Some).map_err(|scalar| problem::<Self>(name, vec![scalar].into()))
            }
            Some(single) => Err(problem::<Self>(name, single)),
        }
    }
}

/// Reads one value. Returns the scalar if it does not match.
fn read<T: ArgumentValue>(scalar: CommandScalar) -> Result<T, CommandScalar> {
    T::Scalar::read(scalar).map(T::from_scalar)
}

/// The problem with a value that does not match the field, as the check reports it.
#[cold]
fn problem<F: ArgumentField>(name: &str, value: CommandArgumentValue) -> ArgumentProblem {
    let argument = CommandArgument::from(F::declare(name));
    check::problem_with(&argument, &value, || argument.choices()).unwrap_or_else(|| {
        // Reached only by a hand-written `Choice` that does not accept its own choices.
        let choices = argument.choices().unwrap_or_default();
        ArgumentProblem::OutsideChoices { argument: argument.name.clone(), choices }
    })
}

/// The problem with a field that a call does not give.
#[cold]
fn missing<F: ArgumentField>(name: &str) -> ArgumentProblem {
    let argument = CommandArgument::from(F::declare(name));
    let choices = argument.choices();
    ArgumentProblem::missing(&argument, choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::ArgumentKind;
    use crate::declaration::Command;
    use crate::number::Number;

    fn declared<F: ArgumentField>() -> (ArgumentKind, bool, bool) {
        let argument = CommandArgument::from(F::declare("a"));
        (argument.kind(), argument.is_required(), argument.is_list())
    }

    fn made<F: ArgumentField>(given: impl Into<CommandArgumentValue>) -> Result<F, String> {
        F::from_given("a", Some(given.into())).map_err(|problem| problem.to_string())
    }

    #[test]
    fn each_shape_of_field_declares_what_it_is() {
        assert_eq!(declared::<String>(), (ArgumentKind::Text, true, false));
        assert_eq!(declared::<Option<bool>>(), (ArgumentKind::Boolean, false, false));
        assert_eq!(declared::<Vec<f64>>(), (ArgumentKind::Number, true, true));
        assert_eq!(declared::<Option<Vec<u8>>>(), (ArgumentKind::Number, false, true));
    }

    #[test]
    fn each_shape_of_field_is_made_of_what_it_declares() {
        assert_eq!(made::<String>("x"), Ok("x".to_owned()));
        assert_eq!(made::<Option<bool>>(false), Ok(Some(false)));
        assert_eq!(made::<Vec<u8>>(vec![0, 255]), Ok(vec![0, 255]));
        assert_eq!(made::<Option<Vec<u8>>>(Vec::<u8>::new()), Ok(Some(Vec::new())));
        assert_eq!(Option::<bool>::from_given("a", None), Ok(None));
        assert_eq!(Option::<Vec<bool>>::from_given("a", None), Ok(None));
    }

    #[test]
    fn what_a_field_cannot_be_made_of_is_the_problem_the_check_finds() {
        fn same<F: ArgumentField + std::fmt::Debug>(value: impl Into<CommandArgumentValue> + Clone) {
            let command = Command::new("c", "C").argument(F::declare("a")).declare().unwrap();
            let problems = command.check(&CommandArguments::new().with("a", value.clone())).unwrap_err();
            assert_eq!(made::<F>(value).unwrap_err(), problems.to_string());
        }
        same::<u8>(300);
        same::<u8>("12");
        same::<Option<bool>>(vec![true]);
        same::<Vec<i8>>(vec![1, -129]);
        same::<Option<Vec<i8>>>(-3);
        same::<f32>(CommandScalar::Number(Number::try_from(1e39).unwrap()));
        let missing = |problem: ArgumentProblem| problem.to_string();
        assert_eq!(
            u8::from_given("a", None).map_err(missing),
            Err("argument \"a\" is missing; it takes a whole number from 0 to 255".to_owned())
        );
        assert_eq!(
            Vec::<bool>::from_given("a", None).map_err(missing),
            Err("argument \"a\" is missing; it takes a list in which each entry is true or false".to_owned())
        );
    }
}
