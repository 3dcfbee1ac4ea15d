//! Arguments declared as a Rust type: one struct both declares them and receives their values.
//!
//! A struct's fields are [`ArgumentField`]s, a field holds [`ArgumentValue`]s, and a value is carried by one of the
//! closed set of [`ArgumentScalar`](crate::ArgumentScalar)s. `#[derive(CommandArguments)]` of the crate
//! `drawloom-derive` writes the struct's part.

use crate::argument::CommandArgument;
use crate::check::{self, ArgumentProblem};
use crate::scalar::{ArgumentScalar, ArgumentValue};
use crate::value::{CommandArgumentValue, CommandArguments, CommandScalar};

/// A struct that declares a command's arguments and is made of their values, usually by
/// `#[derive(CommandArguments)]`.
///
/// ```
/// use drawloom_command::{
///     ArgumentField, ArgumentProblem, CommandArgument, CommandArguments, TypedArguments,
/// };
///
/// // What `#[derive(CommandArguments)]` writes for this struct.
/// struct OpenNote {
///     path: String,
///     line: Option<u32>,
/// }
///
/// impl TypedArguments for OpenNote {
///     fn declare() -> Vec<CommandArgument> {
///         vec![String::declare("path"), Option::<u32>::declare("line")]
///     }
///
///     fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
///         Ok(Self {
///             path: ArgumentField::take_from("path", arguments)?,
///             line: ArgumentField::take_from("line", arguments)?,
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
    message = "`{Self}` declares no arguments of a command",
    label = "not made of a command's arguments",
    note = "derive it: `#[derive(CommandArguments)]` on a struct with named fields"
)]
pub trait TypedArguments: Sized {
    /// The arguments, in the order of the fields.
    fn declare() -> Vec<CommandArgument>;

    /// Takes the values out of a call's arguments; what belongs to no field stays.
    ///
    /// # Errors
    /// The first field whose value does not match. There is none where the declaration found no problem with the
    /// call.
    fn take_from(arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem>;
}

/// What a field of a [`TypedArguments`] struct may be: `T`, `Option<T>`, `Vec<T>` or `Option<Vec<T>>`, where `T` is
/// an [`ArgumentValue`].
///
/// A plain field is a required argument and an `Option` an optional one; a `Vec` is a list, possibly empty.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a command",
    label = "not a type of argument",
    note = "an argument is `T`, `Option<T>`, `Vec<T>` or `Option<Vec<T>>`, where `T` is `String`, `bool`, an integer, \
            a float, a type that derives `Choice`, or a newtype over one of them that implements `ArgumentValue`"
)]
pub trait ArgumentField: Sized {
    /// The argument, without a description.
    fn declare(name: &str) -> CommandArgument;

    /// Takes the field's value out of a call's arguments.
    ///
    /// # Errors
    /// Where the call does not give the field what it declares.
    fn take_from(name: &str, arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem>;
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for T {
    fn declare(name: &str) -> CommandArgument {
        T::Scalar::argument(name).required()
    }

    fn take_from(name: &str, arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
        let given = Option::<T>::take_from(name, arguments)?;
        given.ok_or_else(|| ArgumentProblem::Missing(name.into()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for Option<T> {
    fn declare(name: &str) -> CommandArgument {
        T::Scalar::argument(name)
    }

    fn take_from(name: &str, arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
        match arguments.remove(name) {
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
    fn declare(name: &str) -> CommandArgument {
        Option::<Self>::declare(name).required()
    }

    fn take_from(name: &str, arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
        let given = Option::<Self>::take_from(name, arguments)?;
        given.ok_or_else(|| ArgumentProblem::Missing(name.into()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue> ArgumentField for Option<Vec<T>> {
    fn declare(name: &str) -> CommandArgument {
        T::Scalar::argument(name).list()
    }

    fn take_from(name: &str, arguments: &mut CommandArguments) -> Result<Self, ArgumentProblem> {
        match arguments.remove(name) {
            None => Ok(None),
            Some(CommandArgumentValue::List(scalars)) => {
                let values: Result<Vec<T>, CommandScalar> = scalars.into_iter().map(read).collect();
                values.map(Some).map_err(|scalar| problem::<Self>(name, vec![scalar].into()))
            }
            Some(single) => Err(problem::<Self>(name, single)),
        }
    }
}

/// Reads one value; gives back a scalar that is not one.
fn read<T: ArgumentValue>(scalar: CommandScalar) -> Result<T, CommandScalar> {
    T::Scalar::read(scalar).map(T::from_scalar)
}

/// What is wrong with a value that a field could not be made of, in the words of the check.
#[cold]
fn problem<F: ArgumentField>(name: &str, value: CommandArgumentValue) -> ArgumentProblem {
    let argument = F::declare(name);
    check::problem_with(&argument, &value).unwrap_or_else(|| {
        // Only a hand-written `Choice` that does not read what it offers comes here.
        let choices = argument.choices().unwrap_or_default();
        ArgumentProblem::OutsideChoices { argument: argument.name.clone(), choices }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::ArgumentKind;
    use crate::declaration::Command;
    use crate::number::Number;

    fn declared<F: ArgumentField>() -> (ArgumentKind, bool, bool) {
        let argument = F::declare("a");
        (argument.kind(), argument.is_required(), argument.is_list())
    }

    fn taken<F: ArgumentField>(value: impl Into<CommandArgumentValue>) -> Result<F, String> {
        let mut arguments = CommandArguments::new().with("a", value).with("b", true);
        let taken = F::take_from("a", &mut arguments).map_err(|problem| problem.to_string());
        assert_eq!(arguments, CommandArguments::new().with("b", true), "only the field's own value is taken");
        taken
    }

    #[test]
    fn each_shape_of_field_declares_what_it_is() {
        assert_eq!(declared::<String>(), (ArgumentKind::Text, true, false));
        assert_eq!(declared::<Option<bool>>(), (ArgumentKind::Boolean, false, false));
        assert_eq!(declared::<Vec<f64>>(), (ArgumentKind::Number, true, true));
        assert_eq!(declared::<Option<Vec<u8>>>(), (ArgumentKind::Number, false, true));
    }

    #[test]
    fn each_shape_of_field_takes_what_it_declares() {
        assert_eq!(taken::<String>("x"), Ok("x".to_owned()));
        assert_eq!(taken::<Option<bool>>(false), Ok(Some(false)));
        assert_eq!(taken::<Vec<u8>>(vec![0, 255]), Ok(vec![0, 255]));
        assert_eq!(taken::<Option<Vec<u8>>>(Vec::<u8>::new()), Ok(Some(Vec::new())));
        let mut none = CommandArguments::new();
        assert_eq!(Option::<bool>::take_from("a", &mut none), Ok(None));
        assert_eq!(Option::<Vec<bool>>::take_from("a", &mut none), Ok(None));
    }

    #[test]
    fn what_a_field_cannot_be_made_of_is_the_problem_the_check_finds() {
        fn same<F: ArgumentField + std::fmt::Debug>(value: impl Into<CommandArgumentValue> + Clone) {
            let command = Command::new("c", "C").argument(F::declare("a")).declare().unwrap();
            let problems = command.check(&CommandArguments::new().with("a", value.clone())).unwrap_err();
            assert_eq!(taken::<F>(value).unwrap_err(), problems.to_string());
        }
        same::<u8>(300);
        same::<u8>("12");
        same::<Option<bool>>(vec![true]);
        same::<Vec<i8>>(vec![1, -129]);
        same::<Option<Vec<i8>>>(-3);
        same::<f32>(CommandScalar::Number(Number::try_from(1e39).unwrap()));
        let missing = u8::take_from("a", &mut CommandArguments::new());
        assert_eq!(missing, Err(ArgumentProblem::Missing("a".into())));
    }
}
