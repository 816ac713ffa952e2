//! Values of the command line: numbers within bounds, and words.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

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

/// Parses one of these words: the word, what it means, its value.
pub fn one_of<T, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let known = words.each_ref().map(|&(word, help, _)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(known).map(move |text| {
        let found = words.iter().find(|(word, ..)| *word == text);
        found.expect("it is one of them").2.clone()
    })
}
