//! The default of an argument: which Rust values can be published as one.

use super::{ArgumentScalar, ArgumentValue};
use crate::number::NumberError;
use crate::value::{CommandArgumentValue, CommandScalar};

/// A value that a declaration can publish as the default of an argument: text, a number, a boolean, a type that derives
/// `Choice`, a newtype that converts into its scalar, or a list of them.
///
/// ```
/// use drawloom_command::{Argument, ArgumentValue};
///
/// struct NotePath(String);
///
/// impl ArgumentValue for NotePath {
///     type Scalar = String;
///
///     fn from_scalar(path: String) -> Self {
///         Self(path)
///     }
/// }
///
/// // With this conversion, a `NotePath` can be a default.
/// impl From<NotePath> for String {
///     fn from(path: NotePath) -> Self {
///         path.0
///     }
/// }
///
/// let path = Argument::text("path").default(NotePath("inbox".to_owned()));
/// let limit = Argument::integer("limit", 1..=100).default(20);
/// let tags = Argument::text("tags").list().default(vec!["new", "mine"]);
/// # let _ = (path, limit, tags);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the default of a command's argument",
    label = "its values cannot be published as a default",
    note = "a newtype implements `From<{Self}>` for the scalar that represents it, so that its default can be published"
)]
pub trait ArgumentDefault {
    /// The value as a call carries it.
    ///
    /// # Errors
    /// [`NumberError`] for a number that no call can carry, such as a NaN.
    fn into_value(self) -> Result<CommandArgumentValue, NumberError>;
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue + Into<T::Scalar>> ArgumentDefault for T {
    fn into_value(self) -> Result<CommandArgumentValue, NumberError> {
        let scalar: T::Scalar = self.into();
        scalar.into_scalar().map(CommandArgumentValue::Single)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ArgumentValue + Into<T::Scalar>> ArgumentDefault for Vec<T> {
    fn into_value(self) -> Result<CommandArgumentValue, NumberError> {
        let scalars = self.into_iter().map(|value| {
            let scalar: T::Scalar = value.into();
            scalar.into_scalar()
        });
        scalars.collect::<Result<_, _>>().map(CommandArgumentValue::List)
    }
}

/// Values that convert without an error, and that are not the type of an argument themselves.
macro_rules! convertible {
    ($($type:ty),* $(,)?) => {
        $(
            #[diagnostic::do_not_recommend]
            impl ArgumentDefault for $type {
                fn into_value(self) -> Result<CommandArgumentValue, NumberError> {
                    Ok(self.into())
                }
            }
        )*
    };
}

convertible!(&str, Vec<&str>, CommandScalar, Vec<CommandScalar>, CommandArgumentValue);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_no_call_carries_is_no_default() {
        assert_eq!(f64::NAN.into_value(), Err(NumberError::NotFinite));
        assert_eq!(vec![1.5, f64::INFINITY].into_value(), Err(NumberError::NotFinite));
        assert_eq!(u128::MAX.into_value(), Err(NumberError::IntegerOutOfRange));
        assert_eq!(i128::from(u64::MAX).into_value(), Ok(u64::MAX.into()));
        assert_eq!((-3_i128).into_value(), Ok((-3).into()));
        // The shortest number that reads back as the same single.
        assert_eq!(serde_json::to_string(&0.1_f32.into_value().unwrap()).unwrap(), "0.1");
        assert_eq!(f32::NEG_INFINITY.into_value(), Err(NumberError::NotFinite));
    }
}
