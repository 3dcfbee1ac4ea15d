//! The ranges of numbers, and which of their bounds are published.
//!
//! A bound limits the check in any case. It is published in a schema unless it is only the limit of a number type, such
//! as the maximum of an `i64`: the author of the command did not choose such a bound, and some model APIs reject a schema
//! with a number that a double cannot hold exactly.

use std::ops::{RangeFrom, RangeInclusive, RangeToInclusive};

use crate::number::Number;

/// The largest whole number up to which doubles are exact, 2⁵³−1.
const MAX_EXACT: i128 = (1 << 53) - 1;

/// The whole numbers that an argument takes, from `min` to `max`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntegerRange {
    /// The minimum, not below −2⁶³.
    pub min: i128,
    /// The maximum, not above 2⁶⁴−1.
    pub max: i128,
}

/// The numbers that an argument takes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    // INVARIANT: both are finite.
    min: f64,
    max: f64,
}

// Both bounds are finite, so equality is total.
impl Eq for NumberRange {}

/// The bounds of a number, both ends included: `1..=100`, `1..`, `..=0.5`.
///
/// ```
/// use drawloom_command::{Argument, CommandArgument};
///
/// let opacity = CommandArgument::from(Argument::number("opacity").range(0.0..=1.0));
/// assert_eq!(opacity.number_range().map(|range| range.max()), Some(1.0));
/// let line = CommandArgument::from(Argument::integer("line", 0..=100).range(1..));
/// assert_eq!(line.integer_range().map(|range| (range.min, range.max)), Some((1, 100)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberBounds {
    pub(super) min: Option<Bound>,
    pub(super) max: Option<Bound>,
}

/// One end, exact for a whole number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    Whole(i128),
    Float(f64),
}

impl Bound {
    fn as_f64(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Float(value) => value,
        }
    }

    /// The least whole number that is not below. A NaN is none.
    fn ceil(self) -> Option<i128> {
        match self {
            Self::Whole(whole) => Some(whole),
            // A double beyond what an `i128` holds becomes the end of the `i128` on its side.
            Self::Float(value) => (!value.is_nan()).then(|| value.ceil() as i128),
        }
    }

    /// The greatest whole number that is not above. A NaN is none.
    fn floor(self) -> Option<i128> {
        match self {
            Self::Whole(whole) => Some(whole),
            Self::Float(value) => (!value.is_nan()).then(|| value.floor() as i128),
        }
    }
}

impl From<Number> for Bound {
    fn from(number: Number) -> Self {
        number.whole().map_or_else(|| Self::Float(number.as_f64()), Self::Whole)
    }
}

macro_rules! bounds {
    ($($type:ty: $variant:ident),* $(,)?) => {
        $(
            impl From<$type> for Bound {
                fn from(value: $type) -> Self {
                    Self::$variant(value.into())
                }
            }
        )*
        bounds!(of $($type),*, Number);
    };
    (of $($type:ty),*) => {
        $(
            impl From<RangeInclusive<$type>> for NumberBounds {
                fn from(range: RangeInclusive<$type>) -> Self {
                    Self { min: Some((*range.start()).into()), max: Some((*range.end()).into()) }
                }
            }
            impl From<RangeFrom<$type>> for NumberBounds {
                fn from(range: RangeFrom<$type>) -> Self {
                    Self { min: Some(range.start.into()), max: None }
                }
            }
            impl From<RangeToInclusive<$type>> for NumberBounds {
                fn from(range: RangeToInclusive<$type>) -> Self {
                    Self { min: None, max: Some(range.end.into()) }
                }
            }
        )*
    };
}

bounds! {
    u8: Whole, u16: Whole, u32: Whole, u64: Whole, i8: Whole, i16: Whole, i32: Whole, i64: Whole, i128: Whole,
    f32: Float, f64: Float,
}

impl IntegerRange {
    /// This range, narrowed to the bounds.
    pub(super) fn narrowed(self, bounds: NumberBounds) -> Self {
        let NumberBounds { min, max } = bounds;
        // A bound that is not a number makes the range empty.
        let min = min.map_or(Some(self.min), |min| min.ceil().map(|min| min.max(self.min)));
        let max = max.map_or(Some(self.max), |max| max.floor().map(|max| max.min(self.max)));
        match (min, max) {
            (Some(min), Some(max)) => Self { min, max },
            _ => Self { min: 1, max: 0 },
        }
    }

    pub(crate) fn new(min: i128, max: i128) -> Self {
        Self { min: min.max(i64::MIN.into()), max: max.min(u64::MAX.into()) }
    }

    pub(crate) fn contains(self, whole: i128) -> bool {
        self.min <= whole && whole <= self.max
    }

    pub(crate) fn is_empty(self) -> bool {
        self.min > self.max
    }

    /// The minimum, unless it is beyond ±(2⁵³−1) and only the limit of an integer type.
    pub fn published_min(self) -> Option<i128> {
        published(self.min)
    }

    /// The maximum, unless it is beyond ±(2⁵³−1) and only the limit of an integer type.
    pub fn published_max(self) -> Option<i128> {
        published(self.max)
    }
}

fn published(bound: i128) -> Option<i128> {
    let is_exact = (-MAX_EXACT..=MAX_EXACT).contains(&bound);
    let is_limit_of_type = bound == i64::MIN.into() || bound == i64::MAX.into() || bound == u64::MAX.into();
    (is_exact || !is_limit_of_type).then_some(bound)
}

impl NumberRange {
    /// Every number that a call can carry.
    pub(super) const ALL: Self = Self { min: f64::MIN, max: f64::MAX };

    /// This range, narrowed to the bounds.
    pub(super) fn narrowed(self, bounds: NumberBounds) -> Self {
        let narrower =
            Self::new(bounds.min.map_or(self.min, Bound::as_f64), bounds.max.map_or(self.max, Bound::as_f64));
        Self { min: self.min.max(narrower.min), max: self.max.min(narrower.max) }
    }

    pub(crate) fn new(min: f64, max: f64) -> Self {
        // A bound that is not a number makes the range empty.
        if min.is_nan() || max.is_nan() {
            return Self { min: f64::MAX, max: f64::MIN };
        }
        Self { min: min.clamp(f64::MIN, f64::MAX), max: max.clamp(f64::MIN, f64::MAX) }
    }

    /// The minimum.
    pub fn min(self) -> f64 {
        self.min
    }

    /// The maximum.
    pub fn max(self) -> f64 {
        self.max
    }

    /// The minimum, unless it is only the limit of a floating-point type.
    pub fn published_min(self) -> Option<f64> {
        published_float(self.min)
    }

    /// The maximum, unless it is only the limit of a floating-point type.
    pub fn published_max(self) -> Option<f64> {
        published_float(self.max)
    }

    pub(crate) fn is_every_number(self) -> bool {
        self.min == f64::MIN && self.max == f64::MAX
    }

    /// Compared exactly: an integer that a double would round is not moved across a bound.
    pub(crate) fn contains(self, value: Number) -> bool {
        let is_between = |min, max| min <= value && value <= max;
        Number::try_from(self.min)
            .and_then(|min| Ok(is_between(min, Number::try_from(self.max)?)))
            .unwrap_or(false)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.min > self.max
    }
}

fn published_float(bound: f64) -> Option<f64> {
    let is_limit_of_type = [f64::MAX, f32::MAX.into()].contains(&bound.abs());
    (!is_limit_of_type).then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_compared_with_the_exact_value() {
        let range = NumberRange::new(0.5, 9_007_199_254_740_992.0);
        let contains = |text| range.contains(Number::parse(text).unwrap());
        assert!(contains("0.5") && contains("1") && contains("9007199254740992"));
        assert!(!contains("0.25") && !contains("9007199254740993") && !contains("1e300"));
    }

    #[test]
    fn only_a_limit_of_a_type_beyond_the_exact_doubles_is_not_published() {
        let published = |min, max| {
            let range = IntegerRange::new(min, max);
            (range.published_min(), range.published_max())
        };
        assert_eq!(published(i64::MIN.into(), i64::MAX.into()), (None, None));
        assert_eq!(published(0, u64::MAX.into()), (Some(0), None));
        assert_eq!(published(i128::MIN, i128::MAX), (None, None));
        assert_eq!(
            published(i32::MIN.into(), u32::MAX.into()),
            (Some(i32::MIN.into()), Some(u32::MAX.into()))
        );
        // Bounds that an author wrote.
        let beyond = 9_007_199_254_740_993;
        assert_eq!(published(-beyond, beyond), (Some(-beyond), Some(beyond)));
        assert_eq!(published(1, 9_007_199_254_740_991), (Some(1), Some(9_007_199_254_740_991)));
    }

    #[test]
    fn bounds_narrow_a_range_and_never_widen_it() {
        let byte = IntegerRange::new(0, 255);
        let narrowed = |bounds: NumberBounds| {
            let IntegerRange { min, max } = byte.narrowed(bounds);
            (min, max)
        };
        assert_eq!(narrowed((1..=100).into()), (1, 100));
        assert_eq!(narrowed((-5..=1000).into()), (0, 255));
        assert_eq!(narrowed((0.5..=9.5).into()), (1, 9));
        assert_eq!(narrowed((7..).into()), (7, 255));
        assert_eq!(narrowed((..=7.0).into()), (0, 7));
        assert_eq!(narrowed((f64::NEG_INFINITY..=f64::INFINITY).into()), (0, 255));
        assert!(byte.narrowed((f64::NAN..=1.0).into()).is_empty());

        let unit = NumberRange::new(0.0, 1.0);
        assert_eq!(unit.narrowed((0.25..=3.0).into()), NumberRange::new(0.25, 1.0));
        assert_eq!(unit.narrowed((-1..=1).into()), unit);
        assert!(unit.narrowed((0.0..=f64::NAN).into()).is_empty());
        assert!(unit.narrowed((2..).into()).is_empty());
    }

    #[test]
    fn the_limits_of_floats_are_not_published() {
        let published = |min, max| {
            let range = NumberRange::new(min, max);
            (range.published_min(), range.published_max())
        };
        assert_eq!(published(f32::MIN.into(), f32::MAX.into()), (None, None));
        assert_eq!(published(f64::NEG_INFINITY, 1.5), (None, Some(1.5)));
        assert_eq!(published(-1e300, 1e300), (Some(-1e300), Some(1e300)));
    }
}
