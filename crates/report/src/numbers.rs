//! How numbers are written, everywhere the same.
//!
//! Thousands have commas, minus is a minus sign, a unit follows after a narrow
//! space that does not break, and what is not a number is a dash.

use discern_experiment::Allowance;

/// Half the width of a 95 % interval in standard errors.
const HALF_WIDTH: f64 = 1.96;

/// What stands for a value that is not known.
pub(crate) const UNKNOWN: &str = "–";

/// A space no line is broken at.
const NARROW_SPACE: char = '\u{202f}';

/// The 95 % interval of an estimate.
pub(crate) fn interval_of(value: f64, standard_error: f64) -> (f64, f64) {
    (value - HALF_WIDTH * standard_error, value + HALF_WIDTH * standard_error)
}

/// 1,234,567
pub(crate) fn count(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count that may come weighted: 1,234.5 or 1,234.
pub(crate) fn amount(number: f64) -> String {
    if !number.is_finite() {
        return UNKNOWN.to_string();
    }
    let rounded = (number.abs() * 10.0).round() / 10.0;
    let tenths = ((rounded.fract() * 10.0).round()) as u32;
    let sign = if number < 0.0 && rounded > 0.0 { "−" } else { "" };
    let whole = count(rounded.trunc() as u64);
    if tenths == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenths}") }
}

/// −0.123, with so many places. Halves are rounded away from 0.
pub fn decimal(value: f64, places: usize) -> String {
    if !value.is_finite() {
        return UNKNOWN.to_string();
    }
    // Halves are rounded up as people do it, not to even as the formatter does:
    // 55.25 is 55.3, as in the paper.
    let scale = 10f64.powi(places as i32);
    let rounded = (value * scale).round() / scale;
    let text = format!("{:.places$}", if rounded.is_finite() { rounded } else { value });
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    text.replace('-', if is_zero { "" } else { "−" })
}

/// How long something takes of which this share is done.
pub(crate) fn so_far(seconds: f64, share: f64) -> String {
    let left = seconds * (1.0 - share) / share;
    format!("{} so far, about {} left", duration(seconds), duration(left))
}

/// +0.123
pub(crate) fn signed(value: f64, places: usize) -> String {
    let text = decimal(value, places);
    if text.starts_with(['−', '–']) || text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text
    } else {
        format!("+{text}")
    }
}

/// Three digits that count: 0.00123, 1.23, 123, 12,300.
pub(crate) fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return decimal(value, 0);
    }
    // The power after rounding: 0.9999 has that of 1.
    let power = (value.abs() * (1.0 + 5e-4)).log10().floor() as i32;
    if power >= 3 {
        let step = 10f64.powi(power - 2);
        return amount((value / step).round() * step);
    }
    decimal(value, (2 - power).clamp(0, 9) as usize)
}

/// 61.8 %, of a percentage.
pub(crate) fn percentage(value: f64) -> String {
    if value.is_finite() {
        format!("{}{NARROW_SPACE}%", decimal(value, 1))
    } else {
        UNKNOWN.to_string()
    }
}

/// 61.8 %, of a share between 0 and 1.
pub(crate) fn share(value: f64) -> String {
    percentage(100.0 * value)
}

/// What share of a whole something is.
pub(crate) fn share_of(part: u64, whole: u64) -> String {
    if whole == 0 { UNKNOWN.to_string() } else { share(part as f64 / whole as f64) }
}

/// 52.1 to 62.4 %, of percentages.
pub(crate) fn percentage_range([low, high]: [f64; 2]) -> String {
    format!("{} to {}", decimal(low, 1), percentage(high))
}

/// 52.1 to 62.4 %, of shares.
pub(crate) fn share_range(low: f64, high: f64) -> String {
    percentage_range([100.0 * low, 100.0 * high])
}

/// An interval in digits that count, an end that is not known as a dash.
pub(crate) fn significant_range(low: f64, high: f64) -> String {
    format!("{} to {}", significant(low), significant(high))
}

/// An interval of factors; an end that is missing is one the data do not set.
pub fn factor_range(ends: [Option<f64>; 2]) -> String {
    match ends {
        [Some(low), Some(high)] => format!("{} to {}", decimal(low, 2), decimal(high, 2)),
        [Some(low), None] => format!("{} or more", decimal(low, 2)),
        [None, Some(high)] => format!("{} or less", decimal(high, 2)),
        [None, None] => "no limits can be set".to_string(),
    }
}

/// 0.031 or < 0.001
pub(crate) fn p_value(p: f64) -> String {
    p_value_to(3, p)
}

/// 0.0312 or < 0.0001, with so many places.
pub fn p_value_to(places: usize, p: f64) -> String {
    let least = 10f64.powi(-(places as i32));
    if p < least { format!("< {least:.places$}") } else { decimal(p, places) }
}

/// p = 0.031 or p < 0.001
pub(crate) fn p_phrase(p: f64) -> String {
    let value = p_value(p);
    if value.starts_with('<') { format!("p {value}") } else { format!("p = {value}") }
}

/// 0.312 ± 0.021: an estimate and half its 95 % interval, with two digits of
/// the uncertainty.
pub(crate) fn with_error(value: f64, standard_error: f64) -> String {
    let half = HALF_WIDTH * standard_error;
    if !(half.is_finite() && half > 0.0) {
        return significant(value);
    }
    let places = (1 - half.log10().floor() as i32).clamp(0, 9) as usize;
    format!("{} ± {}", decimal(value, places), decimal(half, places))
}

/// 12.3 % ± 0.4, of a share.
pub(crate) fn share_with_error(value: f64, standard_error: f64) -> String {
    format!("{} ± {}", share(value), decimal(100.0 * HALF_WIDTH * standard_error, 1))
}

/// 0.45 s, 12 s, 3 min 20 s, 2 h 5 min.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return UNKNOWN.to_string();
    }
    if seconds < 60.0 {
        let places = if seconds < 1.0 {
            2
        } else if seconds < 20.0 {
            1
        } else {
            0
        };
        let text = decimal(seconds, places);
        let text = if places == 1 { text.trim_end_matches(".0") } else { &text };
        return format!("{text}{NARROW_SPACE}s");
    }
    let whole = seconds.round() as u64;
    let two = |large: u64, large_unit: &str, small: u64, small_unit: &str| {
        let large = format!("{}{NARROW_SPACE}{large_unit}", count(large));
        if small == 0 {
            large
        } else {
            format!("{large}{NARROW_SPACE}{small}{NARROW_SPACE}{small_unit}")
        }
    };
    if whole < 3600 {
        two(whole / 60, "min", whole % 60, "s")
    } else {
        let minutes = whole.div_ceil(60);
        two(minutes / 60, "h", minutes % 60, "min")
    }
}

/// 0.45 s, or 1,000 nodes a move.
pub fn allowance(allowed: Allowance) -> String {
    match allowed {
        Allowance::Seconds(seconds) => duration(seconds),
        Allowance::NodesPerMove(nodes) => format!("{} nodes a move", count(nodes)),
    }
}

/// 850 thousand, 1.23 million.
pub(crate) fn large(value: f64) -> String {
    let (scaled, word) = match value.abs() {
        size if size >= 999.5e6 => (value / 1e9, "billion"),
        size if size >= 999.5e3 => (value / 1e6, "million"),
        size if size >= 10e3 => (value / 1e3, "thousand"),
        _ => return significant(value),
    };
    format!("{}{NARROW_SPACE}{word}", significant(scaled))
}

/// `26 to 30 discs`, `30 discs`.
pub(crate) fn discs([first, last]: [usize; 2]) -> String {
    match (first == last, first) {
        (true, 1) => "1 disc".to_string(),
        (true, _) => format!("{first} discs"),
        (false, _) => format!("{first} to {last} discs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped_and_small_ones_keep_their_digits() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(10_649), "10,649");
        assert_eq!(count(2_500_000), "2,500,000");
        assert_eq!(amount(1234.5), "1,234.5");
        assert_eq!(amount(1234.04), "1,234");
        assert_eq!(amount(999.96), "1,000");
        assert_eq!(significant(0.001234), "0.00123");
        assert_eq!(significant(-12.34), "−12.3");
        assert_eq!(significant(123_456.0), "123,000");
        assert_eq!(significant(0.0), "0");
        assert_eq!(large(1_234_567.0), "1.23\u{202f}million");
        assert_eq!(large(999_900.0), "1.00\u{202f}million");
        assert_eq!(large(850.0), "850");
    }

    #[test]
    fn signs_are_signs_and_zero_has_none() {
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(-1.26, 1), "−1.3");
        assert_eq!(decimal(55.25, 1), "55.3");
        assert_eq!(signed(1.26, 1), "+1.3");
        assert_eq!(signed(-1.26, 1), "−1.3");
        assert_eq!(signed(0.01, 1), "0.0");
    }

    #[test]
    fn a_range_says_which_of_its_ends_is_known() {
        assert_eq!(factor_range([Some(1.125), Some(2.0)]), "1.13 to 2.00");
        assert_eq!(factor_range([Some(1.5), None]), "1.50 or more");
        assert_eq!(factor_range([None, Some(1.5)]), "1.50 or less");
        assert!(!factor_range([None, None]).contains(char::is_numeric));
    }

    #[test]
    fn what_is_not_a_number_is_a_dash() {
        for text in [
            decimal(f64::NAN, 2),
            signed(f64::NAN, 2),
            percentage(f64::INFINITY),
            amount(f64::NAN),
            duration(f64::NAN),
            significant(f64::NAN),
            share_of(0, 0),
        ] {
            assert_eq!(text, UNKNOWN);
        }
    }

    #[test]
    fn uncertainty_decides_the_digits() {
        assert_eq!(with_error(0.31234, 0.01071), "0.312 ± 0.021");
        assert_eq!(with_error(31.234, 1.071), "31.2 ± 2.1");
        assert_eq!(with_error(0.5, 0.0), "0.500");
        assert_eq!(share_with_error(0.194, 0.002), "19.4\u{202f}% ± 0.4");
        assert_eq!(p_value(0.0004), "< 0.001");
        assert_eq!(p_value(0.0312), "0.031");
    }

    #[test]
    fn times_are_told_in_two_units() {
        let plain = |seconds| duration(seconds).replace('\u{202f}', " ");
        assert_eq!(plain(0.454), "0.45 s");
        assert_eq!(plain(6.0), "6 s");
        assert_eq!(plain(7.2), "7.2 s");
        assert_eq!(plain(59.7), "60 s");
        assert_eq!(plain(200.0), "3 min 20 s");
        assert_eq!(plain(1800.0), "30 min");
        assert_eq!(plain(7500.0), "2 h 5 min");
    }
}
