//! Axes: what is measured, from where to where, and the ticks.

use crate::numbers;

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// 0.25
    #[default]
    Plain,
    /// 25 %
    Percent,
    /// No numbers at all, as for densities.
    None,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: String,
    range: (f64, f64),
    numbers: Numbers,
}

impl Axis {
    /// An axis over a range; an empty or broken range becomes one around it.
    pub fn new(label: impl Into<String>, range: (f64, f64)) -> Self {
        let (low, high) = range;
        let range = if low.is_finite() && high.is_finite() && high > low {
            range
        } else if low.is_finite() {
            (low - 0.5, low + 0.5)
        } else {
            (0.0, 1.0)
        };
        Self { label: label.into(), range, numbers: Numbers::Plain }
    }

    /// Adds a unit to the label.
    pub fn unit(mut self, unit: &str) -> Self {
        self.label = format!("{} [{unit}]", self.label);
        self
    }

    /// Chooses how numbers are written.
    pub fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    pub(super) fn has_numbers(&self) -> bool {
        self.numbers != Numbers::None
    }

    /// Where a value lies, 0 at the beginning and 1 at the end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (value - self.range.0) / (self.range.1 - self.range.0)
    }

    /// Is a value on the axis?
    pub(super) fn covers(&self, value: f64) -> bool {
        (-0.01..=1.01).contains(&self.share(value))
    }

    /// One value, finer than the ticks.
    pub(super) fn say(&self, value: f64) -> String {
        match self.numbers {
            Numbers::Plain => numbers::significant(value),
            Numbers::Percent => numbers::share(value),
            Numbers::None => String::new(),
        }
    }

    /// About `count` round values within the range, with their text.
    pub(crate) fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let (low, high) = self.range;
        let step = round_step((high - low) / count as f64);
        let decimals = match self.numbers {
            Numbers::Percent => (-(step * 100.0).log10().floor()).max(0.0) as usize,
            _ => (-step.log10().floor()).max(0.0) as usize,
        };
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|index| {
                let value = index as f64 * step;
                let text = match self.numbers {
                    Numbers::Plain if decimals == 0 => numbers::amount(value),
                    Numbers::Plain => numbers::decimal(value, decimals),
                    Numbers::Percent => format!("{} %", numbers::decimal(100.0 * value, decimals)),
                    Numbers::None => String::new(),
                };
                (value, text)
            })
            .collect()
    }
}

/// The next of 1, 2, 5, 10, … times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let lead = step / power;
    let round = if lead <= 1.0 {
        1.0
    } else if lead <= 2.0 {
        2.0
    } else if lead <= 5.0 {
        5.0
    } else {
        10.0
    };
    round * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks(5).into_iter().map(|tick| tick.1).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(texts(&Axis::new("x", (0.0, 1.0))), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&Axis::new("x", (-3.2, 3.9))), ["−2", "0", "2"]);
        assert_eq!(texts(&Axis::new("x", (997.0, 1003.0))), ["998", "1,000", "1,002"]);
        let percent = Axis::new("p", (0.0, 1.0)).numbers(Numbers::Percent);
        assert_eq!(texts(&percent)[..2], ["0 %", "20 %"]);
        let fine = Axis::new("p", (0.5, 0.502)).numbers(Numbers::Percent);
        assert_eq!(texts(&fine)[0], "50.00 %");
    }

    #[test]
    fn a_broken_range_still_makes_an_axis() {
        for range in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            let axis = Axis::new("x", range);
            assert!(axis.share(0.0).is_finite());
            assert!(!axis.ticks(5).is_empty());
        }
    }
}
