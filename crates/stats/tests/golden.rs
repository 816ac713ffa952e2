//! Answers computed elsewhere with many digits, to 1e-9 relative.
//!
//! `golden-fit.*` has 60 rows of wins, draws and losses; its answers were
//! computed with 60 digits. `more-golden.json` is made by
//! `scripts/make-golden.py` with mpmath, statsmodels and scikit-learn.

mod common;

use common::{close, golden_rows, numbers};
use discern_stats::{
    Dataset, ErrorKind, Example, Fisher, Logistic, Moments, Predict, Quadratic, StopReason,
    Threads, standard_errors,
};
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

fn golden() -> (Dataset, Value) {
    let mut builder = Dataset::builder(["x1", "x2", "x3"]);
    for (features, outcome) in golden_rows() {
        builder.push(&Example::new(&features, outcome)).unwrap();
    }
    let answers = include_str!("golden/golden-fit.json");
    (builder.finish(), serde_json::from_str(answers).unwrap())
}

fn check_points(model: &dyn Predict, answers: &Value) {
    for point in answers["points"].as_array().unwrap() {
        let x = numbers(&point["x"]);
        close(model.log_odds(&x), &point["f"], TOLERANCE);
    }
}

#[test]
fn log_agrees_in_coefficients_errors_and_likelihood() {
    let (data, answers) = golden();
    let answers = &answers["log"];
    let fit = Logistic::default().fit(&data).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    assert!(fit.steps <= 10, "{} steps", fit.steps);
    let errors = standard_errors(&fit.covariance);
    for j in 0..4 {
        close(fit.coefficients[j], &answers["beta"][j], TOLERANCE);
        close(errors[j], &answers["se_information"][j], TOLERANCE);
    }
    close(fit.deviance, &answers["deviance"], TOLERANCE);
    close(fit.log_likelihood, &answers["loglik_kernel"], TOLERANCE);
    check_points(&fit, answers);
    for point in answers["points"].as_array().unwrap() {
        let x = numbers(&point["x"]);
        close(fit.probability(&x), &point["p"], TOLERANCE);
        let error = fit.log_odds_error(&x, ErrorKind::Information).unwrap();
        close(error, &point["se_f"], TOLERANCE);
    }
}

#[test]
fn fisher_agrees_in_weights_covariance_and_value() {
    let (data, answers) = golden();
    let answers = &answers["fisher"];
    let moments = Moments::collect(&data, Threads::ONE).unwrap();
    let fit = Fisher::default().fit(&moments).unwrap();
    let sigma = moments.pooled_covariance();
    close(fit.coefficients[0], &answers["intercept"], TOLERANCE);
    for i in 0..3 {
        close(fit.coefficients[i + 1], &answers["w"][i], TOLERANCE);
        for j in 0..3 {
            close(sigma[(i, j)], &answers["sigma"][i][j], TOLERANCE);
        }
    }
    check_points(&fit, answers);
}

#[test]
fn quad_agrees_in_every_coefficient_and_value() {
    let (data, answers) = golden();
    let answers = &answers["quad"];
    let moments = Moments::collect(&data, Threads::ONE).unwrap();
    let fit = Quadratic::default().fit(&moments).unwrap();
    close(fit.constant, &answers["c"], TOLERANCE);
    for i in 0..3 {
        close(fit.linear[i], &answers["b"][i], TOLERANCE);
        for j in 0..3 {
            close(fit.quadratic[(i, j)], &answers["A"][i][j], TOLERANCE);
        }
    }
    check_points(&fit, answers);
}
