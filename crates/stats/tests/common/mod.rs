//! What several test files share.
#![allow(dead_code)] // each test file uses its own part

use serde_json::Value;

/// Features and outcome of the rows of `golden-fit.csv`.
pub fn golden_rows() -> Vec<([f64; 3], f64)> {
    include_str!("../golden/golden-fit.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let outcome = match cells[3] {
                "W" => 1.0,
                "D" => 0.5,
                "L" => 0.0,
                other => panic!("result {other}"),
            };
            ([0, 1, 2].map(|j| cells[j].parse().unwrap()), outcome)
        })
        .collect()
}

/// A number of a golden file, written as a number or as many digits in text.
pub fn number(value: &Value) -> f64 {
    match value {
        Value::String(digits) => digits.parse().unwrap(),
        other => other.as_f64().unwrap(),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// Asserts that two numbers agree relative to the expected one.
#[track_caller]
pub fn close(found: f64, expected: &Value, tolerance: f64) {
    near(found, number(expected), tolerance);
}

/// Asserts that two numbers agree relative to the expected one.
#[track_caller]
pub fn near(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
    assert!(error <= tolerance, "{found} is not {expected} (relative error {error:.1e})");
}
