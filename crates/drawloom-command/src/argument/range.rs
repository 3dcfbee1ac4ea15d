//! The ranges of numbers, and which of their bounds are published.
//!
//! A bound limits the check in any case. It is published in a schema unless it is only the limit of a number type, such
//! as the maximum of an `i64`: the author of the command did not choose such a bound, and some model APIs reject a schema
//! with a number that a double cannot hold exactly.

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

impl IntegerRange {
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
