//! Answers computed elsewhere with many digits, to 1e-9 relative.
//!
//! `golden-fit.*` has 60 rows of wins, draws and losses; its answers were
//! computed with 60 digits. `more-golden.json` is made by
//! `scripts/make-golden.py` with mpmath, statsmodels and scikit-learn.

use crate::common::{close, golden_rows, number, numbers};
use discern_stats::{
    Dataset, ErrorKind, Estimator, Example, Fisher, Fit, Linear, Logistic, Moments, PhaseRange,
    Predict, Quadratic, StopReason, Threads, Trials, class_shapes, compare_covariances,
    discordance, predict_all, variance_inflation,
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
    let errors = fit.standard_errors(ErrorKind::Information).unwrap();
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
    let fit = Fisher::default().fit(&data).unwrap();
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
    let fit = Quadratic::default().fit(&data).unwrap();
    close(fit.constant, &answers["c"], TOLERANCE);
    for i in 0..3 {
        close(fit.linear[i], &answers["b"][i], TOLERANCE);
        for j in 0..3 {
            close(fit.quadratic[(i, j)], &answers["A"][i][j], TOLERANCE);
        }
    }
    check_points(&fit, answers);
}

/// The rows of `more-golden.json`, as examples of some kind.
fn more_golden(
    keep: impl Fn(&Value) -> bool,
    fill: impl Fn(&Value, &mut Example),
) -> (Dataset, Value) {
    let answers: Value = serde_json::from_str(include_str!("golden/more-golden.json")).unwrap();
    let mut builder = Dataset::builder(["x1", "x2", "x3"]);
    for row in answers["rows"].as_array().unwrap().iter().filter(|row| keep(row)) {
        let features = numbers(&row["x"]);
        let mut example = Example::new(&features, row["outcome"].as_f64().unwrap());
        example.group = row["group"].as_u64().map(|group| group as u32);
        fill(row, &mut example);
        builder.push(&example).unwrap();
    }
    (builder.finish(), answers)
}

fn check_log(settings: &Logistic, data: &Dataset, answers: &Value) {
    let fit = settings.fit(data).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    let errors = |kind| fit.standard_errors(kind).unwrap();
    for j in 0..4 {
        close(fit.coefficients[j], &answers["beta"][j], TOLERANCE);
        close(errors(ErrorKind::Information)[j], &answers["se_information"][j], TOLERANCE);
        close(errors(ErrorKind::Robust)[j], &answers["se_robust"][j], TOLERANCE);
        close(errors(ErrorKind::Clustered)[j], &answers["se_clustered"][j], TOLERANCE);
    }
    close(fit.log_likelihood, &answers["log_likelihood"], TOLERANCE);
}

#[test]
fn log_with_weights_agrees_in_robust_and_clustered_errors() {
    let (data, answers) =
        more_golden(|_| true, |row, example| example.weight = row["weight"].as_f64());
    check_log(&Logistic::default(), &data, &answers["log_weighted"]);
}

#[test]
fn log_of_plain_wins_and_losses_agrees() {
    let (data, answers) = more_golden(|row| row["outcome"] != 0.5, |_, _| ());
    let settings = Logistic { trials: Trials::One, ..Logistic::default() };
    check_log(&settings, &data, &answers["log_binary"]);
}

#[test]
fn log_of_counts_of_successes_agrees() {
    let (data, answers) = more_golden(
        |_| true,
        |row, example| {
            let trials = number(&row["trials"]);
            example.trials = Some(trials);
            example.outcome = Some(number(&row["successes"]) / trials);
            example.weight = row["weight"].as_f64();
        },
    );
    check_log(&Logistic::default(), &data, &answers["log_counts"]);
}

#[test]
fn linear_regression_agrees_in_errors_and_tests() {
    let (data, answers) = more_golden(
        |_| true,
        |row, example| {
            example.score = row["score"].as_f64();
            example.weight = row["weight"].as_f64();
        },
    );
    let answers = &answers["ols"];
    let fit = Linear::default().fit(&data).unwrap();
    let table = fit.estimates(ErrorKind::Information, 0.95).unwrap();
    let robust = fit.standard_errors(ErrorKind::Robust).unwrap();
    let clustered = fit.standard_errors(ErrorKind::Clustered).unwrap();
    for j in 0..4 {
        close(table[j].value, &answers["beta"][j], TOLERANCE);
        close(table[j].standard_error, &answers["se"][j], TOLERANCE);
        close(table[j].statistic, &answers["t"][j], TOLERANCE);
        // statrs keeps about ten digits of the incomplete beta function.
        close(table[j].p_value, &answers["p"][j], 1e-7);
        close(robust[j], &answers["se_robust"][j], TOLERANCE);
        close(clustered[j], &answers["se_clustered"][j], TOLERANCE);
    }
    close(fit.r_squared, &answers["r_squared"], TOLERANCE);
    close(fit.residual_variance, &answers["residual_variance"], TOLERANCE);
    close(fit.log_likelihood, &answers["log_likelihood"], TOLERANCE);
}

#[test]
fn diagnostics_of_the_classes_agree() {
    let (data, answers) = more_golden(|row| row["outcome"] != 0.5, |_, _| ());
    let answers = &answers["diagnostics"];
    let moments = Moments::collect(&data, Threads::ONE).unwrap();
    let found = compare_covariances(&moments).unwrap();
    close(found.box_test.m, &answers["box_m"], TOLERANCE);
    close(found.box_test.chi_squared, &answers["box_chi_squared"], TOLERANCE);
    close(found.box_test.p_value, &answers["box_p"], 1e-8);
    close(found.relative_difference, &answers["relative_difference"], TOLERANCE);
    close(found.covariance_share, &answers["covariance_share"], TOLERANCE);
    let inflation = variance_inflation(&moments).unwrap();
    let shapes = class_shapes(&data, &[(PhaseRange::ALL, &moments)], Threads::ONE).unwrap();
    let shapes = &shapes[0];
    for j in 0..3 {
        close(inflation[j], &answers["inflation"][j], TOLERANCE);
        let (won, lost) = shapes[j];
        let found = [won.skewness, won.excess_kurtosis, lost.skewness, lost.excess_kurtosis];
        for (offset, value) in found.into_iter().enumerate() {
            let expected = number(&answers["shapes"][4 * j + offset]);
            assert!((value - expected).abs() < 1e-9 * expected.abs().max(1e-3));
        }
    }
}

#[test]
fn discordance_agrees_with_and_without_draws() {
    for (draws, key) in [(false, "discordance_decided"), (true, "discordance_with_draws")] {
        let (data, answers) = more_golden(|row| draws || row["outcome"] != 0.5, |_, _| ());
        let predictions = predict_all(&data, |_, x| Some(x[1])).unwrap();
        let found = discordance(&predictions).unwrap();
        close(found.value, &answers["diagnostics"][key], TOLERANCE);
    }
}
