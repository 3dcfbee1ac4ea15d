//! Numbers that keep the value that was sent.
//!
//! JSON has one kind of number and Rust has many. A [`Number`] keeps integers from −2⁶³ to 2⁶⁴−1 exactly, and a number with
//! a fraction or an exponent as the nearest double.
//!
//! If the feature `arbitrary_precision` of `serde_json` is on anywhere in a program, `serde_json` passes on the text of a
//! number, in a map with one private key. That form is known here, so that numbers are read as without the feature.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{self, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A finite JSON number, equal to another when it has the same value: `14380.0` equals `14380`. Numbers are ordered by value.
///
/// # What is exact
/// An integer from −2⁶³ to 2⁶⁴−1 is exact, and so is such an integer that is written with a point and zeros. A number with
/// another fraction, or with an exponent, is the nearest double, which is what JSON's own readers make of it.
///
/// [`Number::parse`] refuses an integer beyond this range and a value beyond the largest double, and so does everything
/// that reads the arguments of a call. A `Number` that is *deserialized* is what the reader of the format passes on:
/// `serde_json` passes on an integer beyond the range as the nearest double, unless its feature `arbitrary_precision` is
/// on; then it is an error here.
///
/// ```
/// use drawloom_command::Number;
///
/// assert_eq!(Number::parse("14380.0"), Ok(Number::from(14380)));
/// assert_ne!(Number::parse("9007199254740993"), Number::parse("9007199254740992"));
/// assert!(Number::parse("1e400").is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Number(Repr);

#[derive(Clone, Copy)]
enum Repr {
    Unsigned(u64),
    // INVARIANT: below zero; what is not is `Unsigned`.
    Negative(i64),
    // INVARIANT: finite.
    Float(f64),
}

/// Up to here, every whole number has a double of its own. `powi` would not do: its precision is not specified.
const TWO_TO_THE_53: f64 = 9_007_199_254_740_992.0;
/// Above the largest `i128`.
const TWO_TO_THE_127: f64 = 1.701_411_834_604_692_3e38;

/// With `arbitrary_precision`, `serde_json` passes on a number as a struct with this name, or a map with this key, and the
/// text of the number as the only value.
pub(crate) const JSON_NUMBER: &str = "$serde_json::private::Number";

/// Why a number is out of range or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// An integer outside −2⁶³ to 2⁶⁴−1.
    #[error("an integer must lie between {} and {}", i64::MIN, u64::MAX)]
    IntegerOutOfRange,
    /// A value beyond the largest double, a NaN or an infinity.
    #[error("a number must be finite and at most about 1.8e308")]
    NotFinite,
    /// The text is not a JSON number.
    #[error("not a number")]
    NotANumber,
}

impl Number {
    /// Reads the text of a JSON number.
    ///
    /// # Errors
    /// [`NumberError`] for text that is no number, an integer that cannot be carried exactly, or a value past the
    /// largest double.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        // A JSON number starts with a digit or a minus: this keeps out the other spellings Rust reads (`inf`, `+1`).
        if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return Err(NumberError::NotANumber);
        }
        if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) {
            let value: f64 = text.parse().map_err(|_| NumberError::NotANumber)?;
            // A whole number that is written with a point stays exact; up to 2⁵³ every double is exact. An exponent is how
            // doubles are written, in digits that name the nearest one and not its value.
            if value.abs() >= TWO_TO_THE_53
                && let Some((whole, zeros)) = text.split_once('.')
                && zeros.bytes().all(|b| b == b'0')
                && let Ok(number) = Self::parse(whole)
            {
                return Ok(number);
            }
            return Self::try_from(value);
        }
        if let Ok(value) = text.parse::<u64>() {
            return Ok(Self(Repr::Unsigned(value)));
        }
        if let Ok(value) = text.parse::<i64>() {
            return Ok(Self::from(value));
        }
        if text.strip_prefix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit()) && text != "-" {
            return Err(NumberError::IntegerOutOfRange);
        }
        Err(NumberError::NotANumber)
    }

    /// The value as an `i64`, if it is a whole number that fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.whole().and_then(|whole| i64::try_from(whole).ok())
    }

    /// The value as a `u64`, if it is a whole number that fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.whole().and_then(|whole| u64::try_from(whole).ok())
    }

    /// The value as the nearest double.
    pub fn as_f64(&self) -> f64 {
        match self.0 {
            Repr::Unsigned(value) => value as f64,
            Repr::Negative(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// A whole number, if a call can carry it.
    pub(crate) fn from_whole(whole: i128) -> Option<Self> {
        let unsigned = u64::try_from(whole).ok().map(Self::from);
        unsigned.or_else(|| i64::try_from(whole).ok().map(Self::from))
    }

    /// The value if it is a whole number, however it was written: `14380.0` is one.
    pub(crate) fn whole(&self) -> Option<i128> {
        match self.0 {
            Repr::Unsigned(value) => Some(value.into()),
            Repr::Negative(value) => Some(value.into()),
            // Past 2¹²⁷ the cast would saturate, and nothing compared here reaches that far.
            Repr::Float(value) if value.fract() == 0.0 && value.abs() < TWO_TO_THE_127 => Some(value as i128),
            Repr::Float(_) => None,
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Repr::Float(a), Repr::Float(b)) => a == b,
            _ => self.whole().is_some_and(|whole| Some(whole) == other.whole()),
        }
    }
}

// No NaN is ever inside, so equality is total.
impl Eq for Number {}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.whole(), other.whole()) {
            (Some(one), Some(other)) => one.cmp(&other),
            // A number with a fraction is less than 2⁵³. A whole one that is rounded here is not, and stays on its side.
            _ => self.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! from_integers {
    ($($unsigned:ty),*; $($signed:ty),*) => {
        $(impl From<$unsigned> for Number {
            fn from(value: $unsigned) -> Self {
                Self(Repr::Unsigned(value.into()))
            }
        })*
        $(impl From<$signed> for Number {
            fn from(value: $signed) -> Self {
                let value = i64::from(value);
                Self(u64::try_from(value).map_or(Repr::Negative(value), Repr::Unsigned))
            }
        })*
    };
}

from_integers!(u8, u16, u32, u64; i8, i16, i32, i64);

impl TryFrom<f64> for Number {
    type Error = NumberError;

    fn try_from(value: f64) -> Result<Self, NumberError> {
        if value.is_finite() { Ok(Self(Repr::Float(value))) } else { Err(NumberError::NotFinite) }
    }
}

/// Takes a number of `serde_json` over, whether it keeps the text of numbers or not.
impl TryFrom<&serde_json::Number> for Number {
    type Error = NumberError;

    fn try_from(number: &serde_json::Number) -> Result<Self, NumberError> {
        Self::parse(&number.to_string())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Unsigned(value) => value.fmt(f),
            Repr::Negative(value) => value.fmt(f),
            Repr::Float(value) => value.fmt(f),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Repr::Unsigned(value) => serializer.serialize_u64(value),
            Repr::Negative(value) => serializer.serialize_i64(value),
            Repr::Float(value) => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;

        impl<'de> Visitor<'de> for NumberVisitor {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number::from(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number::from(value))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
                Number::try_from(value).map_err(E::custom)
            }

            fn visit_u128<E: de::Error>(self, value: u128) -> Result<Number, E> {
                u64::try_from(value).map(Number::from).map_err(|_| E::custom(NumberError::IntegerOutOfRange))
            }

            fn visit_i128<E: de::Error>(self, value: i128) -> Result<Number, E> {
                let signed = |_| i64::try_from(value).map(Number::from);
                u64::try_from(value)
                    .map(Number::from)
                    .or_else(signed)
                    .map_err(|_| E::custom(NumberError::IntegerOutOfRange))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Number, A::Error> {
                match map.next_key::<String>()? {
                    Some(key) if key == JSON_NUMBER => number_of(&mut map),
                    _ => Err(de::Error::invalid_type(Unexpected::Map, &self)),
                }
            }
        }

        deserializer.deserialize_any(NumberVisitor)
    }
}

/// The number in a map whose key [`JSON_NUMBER`] was read.
pub(crate) fn number_of<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Number, A::Error> {
    let number = Number::parse(&map.next_value::<String>()?).map_err(de::Error::custom)?;
    match map.next_key::<de::IgnoredAny>()? {
        None => Ok(number),
        Some(_) => Err(de::Error::invalid_type(Unexpected::Map, &"a number")),
    }
}

/// Whether the `serde_json` of this program keeps the text of numbers.
pub(crate) fn keeps_text_of_numbers() -> bool {
    serde_json::from_str::<serde_json::Number>("1.00").is_ok_and(|number| number.to_string() == "1.00")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::value::{Error as ValueError, MapDeserializer, StrDeserializer, U128Deserializer};

    #[test]
    fn powers_of_two_are_what_they_are_called() {
        assert_eq!(TWO_TO_THE_53, (1_u64 << 53) as f64);
        assert_eq!(TWO_TO_THE_127, (1_u128 << 127) as f64);
    }

    #[test]
    fn numbers_are_ordered_by_value() {
        let ordered = [
            "-1e300",
            "-9223372036854775808",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "0.5",
            "1",
            "9007199254740991.0",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551615",
            "18446744073709551616.0",
            "1e300",
        ];
        for (index, one) in ordered.iter().enumerate() {
            for (other_index, other) in ordered.iter().enumerate() {
                assert_eq!(number(one).cmp(&number(other)), index.cmp(&other_index), "{one} {other}");
            }
        }
        assert_eq!(number("14380.0").cmp(&number("14380")), Ordering::Equal);
        assert_eq!(number("-0.0").cmp(&number("0")), Ordering::Equal);
    }

    /// A number as `serde_json` passes it on with `arbitrary_precision`.
    fn with_text(key: &str, texts: &[&'static str]) -> Result<Number, ValueError> {
        let entries = texts.iter().map(|text| (key.to_owned(), StrDeserializer::<ValueError>::new(text)));
        Number::deserialize(MapDeserializer::new(entries))
    }

    #[test]
    fn the_text_of_a_number_is_read_as_the_number() {
        for text in ["9007199254740993", "14380.0", "-1.5e3", "18446744073709551615"] {
            assert_eq!(with_text(JSON_NUMBER, &[text]), Ok(number(text)));
        }
        for texts in [&["18446744073709551616"][..], &["1e400"], &["NaN"], &["1", "2"], &[]] {
            assert!(with_text(JSON_NUMBER, texts).is_err(), "{texts:?}");
        }
        assert!(with_text("number", &["1"]).is_err());
        let wide = |value| Number::deserialize(U128Deserializer::<ValueError>::new(value));
        assert_eq!((wide(7), wide(1 << 64).is_err()), (Ok(Number::from(7)), true));
    }

    #[test]
    fn a_number_of_serde_json_is_read_in_text_and_in_a_value() {
        for text in ["9007199254740993", "2512292042121000001", "-2", "2.5", "14380.0", "1e2"] {
            assert_eq!(serde_json::from_str::<Number>(text).unwrap(), number(text), "{text}");
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::from_value::<Number>(value.clone()).unwrap(), number(text), "{text}");
            assert_eq!(Number::try_from(value.as_number().unwrap()), Ok(number(text)), "{text}");
        }
        assert!(serde_json::from_str::<Number>("{\"a\":1}").is_err());
        assert!(serde_json::from_str::<Number>("\"1\"").is_err());
    }

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn integers_past_two_to_the_53_stay_exact() {
        for text in
            ["9007199254740993", "2512292042121000001", "18446744073709551615", "-9223372036854775808"]
        {
            assert_eq!(number(text).to_string(), text);
            assert_eq!(serde_json::to_string(&number(text)).unwrap(), text);
        }
    }

    #[test]
    fn what_cannot_be_carried_is_an_error() {
        for text in ["18446744073709551616", "-9223372036854775809"] {
            assert_eq!(Number::parse(text), Err(NumberError::IntegerOutOfRange), "{text}");
        }
        assert_eq!(Number::parse("1e400"), Err(NumberError::NotFinite));
        for text in ["", "-", "NaN", "inf", "+1", "1 ", "0x1", "one", "1.2.3"] {
            assert_eq!(Number::parse(text), Err(NumberError::NotANumber), "{text}");
        }
        assert_eq!(Number::try_from(f64::NAN), Err(NumberError::NotFinite));
    }

    #[test]
    fn equality_is_of_the_value() {
        assert_eq!(number("14380.0"), number("14380"));
        assert_eq!(number("1e2"), number("100"));
        assert_eq!(number("-0"), number("0"));
        assert_eq!(number("9007199254740993.0"), number("9007199254740993"));
        assert_eq!(number("-1.50e1"), number("-15"));
        assert_ne!(number("1.4467771840314954e17"), number("144677718403149540"));
        // 2⁵³+1 has no double: the nearest one is a different value.
        assert_ne!(number("9007199254740993"), number("9007199254740992.0"));
        assert_ne!(number("1e300"), number("18446744073709551615"));
        assert_ne!(number("0.5"), number("0"));
        assert!(number("-0.0").as_f64().is_sign_negative());
    }

    #[test]
    fn whole_floats_read_as_integers_and_others_do_not() {
        assert_eq!(number("3.0").as_u64(), Some(3));
        assert_eq!(number("-3.0").as_i64(), Some(-3));
        assert_eq!(number("-3").as_u64(), None);
        assert_eq!(number("3.5").as_i64(), None);
        assert_eq!(number("1e300").as_i64(), None);
    }
}
