//! A sparse fit as plain data: the form of `discern fit --sparse --json`.

use discern_stats::StopReason;
use discern_stats::sparse::Intercept;
use serde::Serialize;

use super::report::SparseReport;
use crate::line::{Bin, HeldOut};

/// A fit, to be serialised.
#[derive(Clone, Debug, Serialize)]
pub struct SparseLine<'a> {
    model: &'static str,
    /// The constant; null where there is none, or one for each phase.
    intercept: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    intercepts: Vec<PhaseIntercept>,
    /// By index; null stands for an infinite error.
    weights: &'a [f64],
    standard_errors: &'a [f64],
    /// `joint` if the errors allow for all other weights, else `conditional`.
    errors: &'static str,
    counts: &'a [f64],
    stop: StopReason,
    iterations: u32,
    passes: f64,
    gradient: f64,
    log_likelihood: f64,
    penalty: f64,
    rows: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<HeldOut>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calibration: Vec<Bin>,
}

#[derive(Clone, Debug, Serialize)]
struct PhaseIntercept {
    phase: i32,
    intercept: f64,
    standard_error: f64,
    count: f64,
}

impl<'a> SparseLine<'a> {
    /// The fit of a report.
    #[must_use]
    pub fn new(report: &'a SparseReport) -> Self {
        let fit = &report.fit;
        let one = |intercept: &&Intercept| intercept.phase.is_none();
        let of_phase = |intercept: &Intercept| {
            Some(PhaseIntercept {
                phase: intercept.phase?,
                intercept: intercept.value,
                standard_error: intercept.error,
                count: intercept.count,
            })
        };
        let (metrics, bins) = report.held_out.as_ref().map(|(m, bins)| (m, &bins[..])).unzip();
        Self {
            model: "sparse",
            intercept: fit.intercepts.iter().find(one).map(|intercept| intercept.value),
            intercepts: fit.intercepts.iter().filter_map(of_phase).collect(),
            weights: &fit.weights,
            standard_errors: &fit.errors,
            errors: fit.error_kind.word(),
            counts: &fit.counts,
            stop: fit.stop,
            iterations: fit.steps,
            passes: fit.passes,
            gradient: fit.gradient,
            log_likelihood: fit.log_likelihood,
            penalty: fit.penalty,
            rows: fit.rows,
            held_out: metrics.map(HeldOut::new),
            calibration: bins.unwrap_or_default().iter().map(Bin::new).collect(),
        }
    }
}
