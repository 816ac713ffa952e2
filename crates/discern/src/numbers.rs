//! Numbers of the command line within their bounds.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses a number of this range; the error names it.
pub fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("a number from {} to {}", range.start(), range.end()))
    }
}

/// Parses a number of at least 0.
pub fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "a number of at least 0".into())
}
