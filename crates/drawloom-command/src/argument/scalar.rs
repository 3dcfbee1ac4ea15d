//! The Rust types that one value of an argument may have: the closed set of scalars, and types over them.

use super::Argument;
use crate::number::{Number, NumberError};
use crate::value::CommandScalar;

/// A type that one value of an argument can have: `String`, `bool`, an integer, a float, a [`Number`], a type that
/// derives `Choice`, or a newtype over one of them.
///
/// A newtype names the scalar that represents it, and converts the scalar to its own type:
///
/// ```
/// use drawloom_command::{ArgumentField, ArgumentValue};
///
/// #[derive(Debug, PartialEq)]
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
/// assert_eq!(NotePath::from_given("path", Some("inbox".into()))?, NotePath("inbox".to_owned()));
/// # Ok::<(), drawloom_command::ArgumentProblem>(())
/// ```
///
/// It must accept every value of its scalar, because the declaration promises this to callers. The handler checks rules
/// that a declaration cannot state, such as the spelling of a path.
///
/// # Floats
/// An `f64` holds the double nearest to the number that was sent, and an `f32` the nearest `f32`: 9007199254740993 becomes
/// 9007199254740992 in an `f64`, and 16777217 becomes 16777216 and 0.1 becomes 0.100000001490116… in an `f32`. An `f32`
/// refuses a number whose nearest `f32` is infinite. Only for these two types is a number rounded: take an integer or a
/// [`Number`] for a value that has to be exact.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the value of a command's argument",
    label = "not the type of one value",
    note = "a value is a `String`, a `bool`, an integer, a float, of a type that derives `Choice`, or of a newtype \
            over one of them that implements `ArgumentValue`"
)]
pub trait ArgumentValue: Sized {
    /// The scalar that represents the value in a call.
    type Scalar: ArgumentScalar;

    /// Converts the scalar to the value.
    fn from_scalar(scalar: Self::Scalar) -> Self;
}

/// A type of the closed set that represents a value in a call. It can be implemented only through [`Choice`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not carry the value of a command's argument",
    label = "not carried by a call",
    note = "a call carries `String`, `bool`, the integers, the floats and types that derive `Choice`"
)]
pub trait ArgumentScalar: sealed::Sealed + Sized {
    /// An optional argument that accepts one such value.
    fn argument(name: &str) -> Argument;

    /// Reads one such value.
    ///
    /// # Errors
    /// Returns the scalar if it is of another type.
    fn read(scalar: CommandScalar) -> Result<Self, CommandScalar>;

    /// The value as a call carries it.
    ///
    /// # Errors
    /// [`NumberError`] for a number that no call can carry, such as a NaN.
    fn into_scalar(self) -> Result<CommandScalar, NumberError>;
}

/// A type whose values are a fixed set of texts, usually an enum with `#[derive(Choice)]`.
///
/// If a choice is implemented by hand, it is its own scalar:
///
/// ```
/// use drawloom_command::{ArgumentValue, Choice};
///
/// // What `#[derive(Choice)]` writes for this enum.
/// enum OpenMode {
///     Preview,
///     Permanent,
/// }
///
/// impl Choice for OpenMode {
///     const CHOICES: &'static [&'static str] = &["preview", "permanent"];
///
///     fn from_choice(choice: &str) -> Option<Self> {
///         match choice {
///             "preview" => Some(Self::Preview),
///             "permanent" => Some(Self::Permanent),
///             _ => None,
///         }
///     }
///
///     fn as_choice(&self) -> &'static str {
///         match self {
///             Self::Preview => "preview",
///             Self::Permanent => "permanent",
///         }
///     }
/// }
///
/// impl ArgumentValue for OpenMode {
///     type Scalar = Self;
///
///     fn from_scalar(mode: Self) -> Self {
///         mode
///     }
/// }
/// # assert_eq!(OpenMode::from_choice("permanent").map(|mode| mode.as_choice()), Some("permanent"));
/// # assert_eq!(OpenMode::from_choice("preview").map(|mode| mode.as_choice()), Some("preview"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a choice",
    label = "not a choice",
    note = "derive it: `#[derive(Choice)]` on an enum of unit variants"
)]
pub trait Choice: Sized {
    /// The texts to choose from. None is empty, and none is repeated.
    const CHOICES: &'static [&'static str];

    /// Choices and their labels: what a person reads in place of the choice, as a translation key or a literal text. A
    /// choice without a label is shown as its own text.
    const LABELS: &'static [(&'static str, &'static str)] = &[];

    /// The value of one of the texts.
    fn from_choice(choice: &str) -> Option<Self>;

    /// The value's text, to pass it on in a call or an answer.
    fn as_choice(&self) -> &'static str;
}

#[expect(unnameable_types, reason = "the set stays closed because nobody can name this")]
mod sealed {
    pub trait Sealed {}

    #[diagnostic::do_not_recommend]
    impl<T: super::Choice> Sealed for T {}
}

#[diagnostic::do_not_recommend]
impl<T: Choice> ArgumentScalar for T {
    fn argument(name: &str) -> Argument {
        let argument = Argument::choice(name, T::CHOICES.iter().copied());
        T::LABELS.iter().fold(argument, |argument, (choice, label)| argument.label(*choice, *label))
    }

    fn read(scalar: CommandScalar) -> Result<Self, CommandScalar> {
        match scalar {
            CommandScalar::Text(text) => T::from_choice(&text).ok_or(CommandScalar::Text(text)),
            other => Err(other),
        }
    }

    fn into_scalar(self) -> Result<CommandScalar, NumberError> {
        Ok(self.as_choice().into())
    }
}

/// Adds types to the set: implements the declaration and the conversion from a variant of [`CommandScalar`].
macro_rules! scalars {
    ($($type:ty: $variant:ident, $declare:expr, $read:expr, $write:expr;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl sealed::Sealed for $type {}

            #[diagnostic::do_not_recommend]
            impl ArgumentScalar for $type {
                fn argument(name: &str) -> Argument {
                    let declare: fn(&str) -> Argument = $declare;
                    declare(name)
                }

                fn read(scalar: CommandScalar) -> Result<Self, CommandScalar> {
                    let read: fn(_) -> Result<Self, _> = $read;
                    match scalar {
                        CommandScalar::$variant(value) => read(value).map_err(CommandScalar::$variant),
                        other => Err(other),
                    }
                }

                fn into_scalar(self) -> Result<CommandScalar, NumberError> {
                    let write: fn(Self) -> Result<_, NumberError> = $write;
                    write(self).map(CommandScalar::$variant)
                }
            }

            #[diagnostic::do_not_recommend]
            impl ArgumentValue for $type {
                type Scalar = Self;

                fn from_scalar(scalar: Self) -> Self {
                    scalar
                }
            }
        )*
    };
}

scalars! {
    String: Text, |name| Argument::text(name), Ok, Ok;
    bool: Boolean, |name| Argument::boolean(name), Ok, Ok;
    Number: Number, |name| Argument::number(name), Ok, Ok;
    f64: Number, |name| Argument::number(name), |number: Number| Ok(number.as_f64()), Number::try_from;
    f32: Number, |name| Argument::number_within(name, f32::MIN.into()..=f32::MAX.into()), single, shortest;
}

/// The nearest `f32`, if it is finite.
fn single(number: Number) -> Result<f32, Number> {
    let single = number.as_f64() as f32;
    if single.is_finite() { Ok(single) } else { Err(number) }
}

/// The number with the fewest digits that reads back as this `f32`.
fn shortest(single: f32) -> Result<Number, NumberError> {
    match single.is_finite() {
        true => Number::parse(&single.to_string()),
        false => Err(NumberError::NotFinite),
    }
}

macro_rules! integers {
    ($($type:ty),*) => {
        scalars! {
            $($type: Number, |name| {
                // A number that does not fit in an `i128` cannot occur in a call.
                let max = i128::try_from(<$type>::MAX).unwrap_or(i128::MAX);
                Argument::integer(name, i128::try_from(<$type>::MIN).unwrap_or(i128::MIN)..=max)
            }, |number: Number| {
                number.whole().and_then(|whole| <$type>::try_from(whole).ok()).ok_or(number)
            }, |value: $type| {
                i128::try_from(value).ok().and_then(Number::from_whole).ok_or(NumberError::IntegerOutOfRange)
            };)*
        }
    };
}

integers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::IntegerRange;

    fn number(text: &str) -> CommandScalar {
        CommandScalar::Number(Number::parse(text).unwrap())
    }

    fn read<T: ArgumentScalar>(text: &str) -> Option<T> {
        T::read(number(text)).ok()
    }

    fn range<T: ArgumentScalar>() -> (i128, i128) {
        let IntegerRange { min, max } =
            crate::argument::CommandArgument::from(T::argument("a")).integer_range().unwrap();
        (min, max)
    }

    #[test]
    fn an_integer_declares_its_range_within_what_a_call_carries() {
        assert_eq!(range::<u8>(), (0, 255));
        assert_eq!(range::<i16>(), (-32768, 32767));
        assert_eq!(range::<u64>(), (0, u64::MAX.into()));
        assert_eq!(range::<u128>(), (0, u64::MAX.into()));
        assert_eq!(range::<i128>(), (i64::MIN.into(), u64::MAX.into()));
    }

    #[test]
    fn an_integer_reads_whole_numbers_of_its_range_and_nothing_else() {
        assert_eq!((read("255"), read("255.0")), (Some(255u8), Some(255u8)));
        assert_eq!((read::<u8>("256"), read::<u8>("-1"), read::<u8>("1.5")), (None, None, None));
        assert_eq!(read("18446744073709551615"), Some(u128::from(u64::MAX)));
        assert_eq!(read("-9223372036854775808"), Some(i128::from(i64::MIN)));
        assert_eq!(read::<i64>("9223372036854775808"), None);
        assert_eq!(read::<usize>("-0"), Some(0));
    }

    #[test]
    fn a_float_reads_every_number_it_can_hold() {
        assert_eq!(read("9007199254740993"), Some(9_007_199_254_740_992.0_f64));
        assert_eq!(read("0.1"), Some(0.1f32));
        assert_eq!(read(&format!("{:?}", f32::MAX)), Some(f32::MAX));
        assert_eq!((read::<f32>("3.5e38"), read::<f32>("-3.5e38")), (None, None));
    }

    #[test]
    fn nothing_is_coerced() {
        assert!(String::read(number("1")).is_err());
        assert!(bool::read(number("1")).is_err());
        assert!(u8::read("1".into()).is_err());
        assert!(f64::read(true.into()).is_err());
    }
}
