//! Every fit that was asked for, with its diagnostics.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::ValueEnum;
use discern_stats::{
    Bins, CalibrationBin, ClassShape, CovarianceComparison, ErrorKind, Examples, Fisher, FisherFit,
    FitError, Linear, LinearFit, LogisticFit, Metrics, Moments, PhaseModel, PhaseMoments,
    PhaseRange, Predict, Prediction, Quadratic, QuadraticFit, StopReason, add_fisher_errors,
    calibration, class_shapes, compare_covariances, cross_validate, metrics, variance_inflation,
};

use super::Settings;
use crate::commands::model_file::{Coefficients, Entry, Equation};

/// The models of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum ModelKind {
    /// Logistic regression
    Log,
    /// Fisher's linear discriminant
    Fisher,
    /// Quadratic discriminant
    Quad,
    /// Linear regression on --score
    Ols,
}

impl ModelKind {
    pub const ALL: [Self; 4] = [Self::Log, Self::Fisher, Self::Quad, Self::Ols];

    /// The word used everywhere.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Fisher => "fisher",
            Self::Quad => "quad",
            Self::Ols => "ols",
        }
    }
}

/// A fitted model of any kind.
pub enum Fitted {
    Log(LogisticFit),
    Fisher(FisherFit),
    Quad(QuadraticFit),
    Ols(LinearFit),
}

impl Fitted {
    /// Log-odds of a win.
    pub fn log_odds(&self, features: &[f64]) -> f64 {
        match self {
            Self::Log(fit) => fit.log_odds(features),
            Self::Fisher(fit) => fit.log_odds(features),
            Self::Quad(fit) => fit.log_odds(features),
            Self::Ols(fit) => fit.log_odds(features),
        }
    }

    fn equation(&self) -> Equation {
        match self {
            Self::Log(fit) => {
                Equation::Log { coefficients: Coefficients::new(fit.names(), &fit.coefficients) }
            }
            Self::Fisher(fit) => {
                Equation::Fisher { coefficients: Coefficients::new(fit.names(), &fit.coefficients) }
            }
            Self::Quad(fit) => Equation::Quad {
                quadratic: fit.quadratic.clone(),
                linear: fit.linear.clone(),
                constant: fit.constant,
            },
            Self::Ols(fit) => Equation::Ols {
                coefficients: Coefficients::new(fit.names(), &fit.coefficients),
                residual_deviation: fit.residual_variance.sqrt(),
            },
        }
    }
}

/// One model of one phase.
pub struct ModelReport {
    pub kind: ModelKind,
    pub fitted: Result<Fitted, FitError>,
    /// Metrics of rows held out by cross-validation.
    pub held_out: Option<Metrics>,
    pub calibration: Vec<CalibrationBin>,
}

/// Everything about one phase.
pub struct PhaseReport {
    /// `None` if there is no phase column.
    pub phase: Option<i32>,
    /// The phases whose rows were used.
    pub range: PhaseRange,
    /// `None` if there is no label.
    pub moments: Option<Moments>,
    pub models: Vec<ModelReport>,
    /// What only `--diagnostics` asks for.
    pub diagnostics: Option<Diagnostics>,
}

/// How the classes compare.
pub struct Diagnostics {
    pub covariances: Result<CovarianceComparison, FitError>,
    pub inflation: Result<Vec<f64>, FitError>,
    pub shapes: Vec<(ClassShape, ClassShape)>,
}

/// The result of the command.
pub struct FitReport {
    pub phases: Vec<PhaseReport>,
    /// Held-out metrics over all phases, by model.
    pub overall: BTreeMap<&'static str, Metrics>,
    pub overall_calibration: Vec<(String, Vec<CalibrationBin>)>,
    /// Why there are no held-out metrics of a model, though asked for.
    pub unvalidated: Vec<String>,
}

impl FitReport {
    /// From the first to the last phase with rows of its own: the window of a
    /// phase may reach beyond.
    pub fn present(&self) -> PhaseRange {
        let phases = || self.phases.iter().filter_map(|phase| phase.phase);
        PhaseRange {
            first: phases().min().unwrap_or_default(),
            last: phases().max().unwrap_or_default(),
        }
    }

    /// Number of models that could be fitted.
    pub fn succeeded(&self) -> usize {
        let models = self.phases.iter().flat_map(|phase| &phase.models);
        models.filter(|model| model.fitted.is_ok()).count()
    }

    /// Why models could not be fitted, a sentence each.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        self.sentences(|model| model.fitted.as_ref().err().map(ToString::to_string))
    }

    /// What is doubtful about models that were fitted.
    pub fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        let doubts = self.sentences(|model| match &model.fitted {
            Ok(Fitted::Log(fit)) => doubt(fit),
            _ => None,
        });
        doubts.chain(self.unvalidated.iter().cloned())
    }

    fn sentences<'a>(
        &'a self,
        sentence: impl Fn(&ModelReport) -> Option<String> + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        self.phases
            .iter()
            .flat_map(|phase| phase.models.iter().map(move |model| (phase.phase, model)))
            .filter_map(move |(phase, model)| {
                let name = model.kind.name();
                let place = match phase {
                    Some(phase) => format!("phase {phase}, {name}"),
                    None => name.to_string(),
                };
                Some(format!("{place}: {}", sentence(model)?))
            })
    }

    /// The models for the model file.
    pub fn entries(&self) -> Vec<Entry> {
        self.phases
            .iter()
            .flat_map(|phase| {
                phase.models.iter().filter_map(|model| {
                    let equation = model.fitted.as_ref().ok()?.equation();
                    Some(Entry { phase: phase.phase, equation })
                })
            })
            .collect()
    }
}

fn doubt(fit: &LogisticFit) -> Option<String> {
    let features = fit.separating_features().join(", ");
    match fit.stop {
        StopReason::Converged if fit.separated => Some(format!(
            "perfect separation ({features}): every row is on its right side, so that the size of \
             the coefficients comes from --trials and not from the data"
        )),
        StopReason::Converged => None,
        StopReason::Separated => Some(format!(
            "perfect separation ({features}): no finite estimates exist; use --trials 100 or --ridge"
        )),
        StopReason::StepLimit => {
            Some(format!("no convergence within {} steps: these are not the estimates", fit.steps))
        }
        StopReason::Stalled => Some(
            "the likelihood cannot be raised any further, yet the steps stay large".to_string(),
        ),
    }
}

/// Bins of a calibration curve.
const BINS: usize = 10;

/// Fits everything that was asked for.
pub fn fit_all(settings: &Settings, examples: &dyn Examples) -> Result<FitReport> {
    let mut phases = fit_models(settings, examples)?;
    if settings.diagnostics {
        add_diagnostics(settings, examples, &mut phases)?;
    }
    let mut report = FitReport {
        phases,
        overall: BTreeMap::new(),
        overall_calibration: Vec::new(),
        unvalidated: Vec::new(),
    };
    let labelled = report.phases.iter().any(|phase| phase.moments.is_some());
    if settings.folds > 1 && labelled {
        for &kind in &settings.models {
            validate(settings, examples, kind, &mut report);
        }
    }
    Ok(report)
}

/// Fits the models of every phase.
fn fit_models(settings: &Settings, examples: &dyn Examples) -> Result<Vec<PhaseReport>, FitError> {
    let wants = |kind| settings.models.contains(&kind);
    let mut phases: BTreeMap<Option<i32>, PhaseReport> = BTreeMap::new();
    let mut slot = |phase: Option<i32>, kind: ModelKind, fitted: Result<Fitted, FitError>| {
        let range = phase.map_or(PhaseRange::ALL, |phase| settings.pooling.around(phase));
        let report = phases.entry(phase).or_insert_with(|| PhaseReport {
            phase,
            range,
            moments: None,
            models: Vec::new(),
            diagnostics: None,
        });
        let model = ModelReport { kind, fitted, held_out: None, calibration: Vec::new() };
        report.models.push(model);
    };
    let mut by_phase = None;
    if settings.models.iter().any(|kind| *kind != ModelKind::Ols) {
        let moments = PhaseMoments::collect(examples, settings.threads)?;
        if wants(ModelKind::Log) {
            if settings.by_phase {
                let fits = settings.logistic.fit_phases(examples, &moments, settings.pooling)?;
                for (phase, fit) in fits {
                    slot(Some(phase), ModelKind::Log, fit.map(Fitted::Log));
                }
            } else {
                let fit = settings.logistic.fit_with(examples, &moments);
                slot(None, ModelKind::Log, fit.map(Fitted::Log));
            }
        }
        let windows: Vec<(Option<i32>, PhaseRange, Moments)> = if settings.by_phase {
            moments
                .windows(settings.pooling)
                .map(|(phase, moments)| (Some(phase), settings.pooling.around(phase), moments))
                .collect()
        } else {
            let all = moments.pooled(PhaseRange::ALL).ok_or(FitError::NoRows)?;
            vec![(None, PhaseRange::ALL, all)]
        };
        if wants(ModelKind::Fisher) {
            let fisher = Fisher { prior: settings.prior };
            let mut fits: Vec<_> =
                windows.iter().map(|(_, _, moments)| fisher.fit(moments)).collect();
            let mut fitted: Vec<(PhaseRange, &mut FisherFit)> = fits
                .iter_mut()
                .zip(&windows)
                .filter_map(|(fit, (_, range, _))| Some((*range, fit.as_mut().ok()?)))
                .collect();
            add_fisher_errors(examples, settings.threads, &mut fitted)?;
            for (fit, (phase, _, _)) in fits.into_iter().zip(&windows) {
                slot(*phase, ModelKind::Fisher, fit.map(Fitted::Fisher));
            }
        }
        if wants(ModelKind::Quad) {
            let quadratic = Quadratic { prior: settings.prior };
            for (phase, _, moments) in &windows {
                slot(*phase, ModelKind::Quad, quadratic.fit(moments).map(Fitted::Quad));
            }
        }
        by_phase = Some(windows);
    }
    if wants(ModelKind::Ols) {
        let linear = Linear { robust: true, threads: settings.threads };
        if settings.by_phase {
            for (phase, fit) in linear.fit_phases(examples, settings.pooling)? {
                slot(Some(phase), ModelKind::Ols, fit.map(Fitted::Ols));
            }
        } else {
            slot(None, ModelKind::Ols, linear.fit(examples).map(Fitted::Ols));
        }
    }
    for (phase, _, moments) in by_phase.into_iter().flatten() {
        if let Some(report) = phases.get_mut(&phase) {
            report.moments = Some(moments);
        }
    }
    Ok(phases.into_values().collect())
}

fn add_diagnostics(
    settings: &Settings,
    examples: &dyn Examples,
    phases: &mut [PhaseReport],
) -> Result<(), FitError> {
    let parts: Vec<(PhaseRange, &Moments)> =
        phases.iter().filter_map(|phase| Some((phase.range, phase.moments.as_ref()?))).collect();
    let shapes = class_shapes(examples, &parts, settings.threads)?;
    let labelled = phases.iter_mut().filter(|phase| phase.moments.is_some());
    for (phase, shapes) in labelled.zip(shapes) {
        if let Some(moments) = &phase.moments {
            phase.diagnostics = Some(Diagnostics {
                covariances: compare_covariances(moments),
                inflation: variance_inflation(moments),
                shapes,
            });
        }
    }
    Ok(())
}

/// Cross-validates one model, for each phase and over all.
fn validate(settings: &Settings, examples: &dyn Examples, kind: ModelKind, report: &mut FitReport) {
    let fast = Settings {
        models: vec![kind],
        logistic: discern_stats::Logistic { robust: false, ..settings.logistic.clone() },
        diagnostics: false,
        ..*settings
    };
    let predictions = cross_validate(examples, settings.folds, |fold| {
        let fits: BTreeMap<Option<i32>, Fitted> = fit_models(&fast, fold)?
            .into_iter()
            .filter_map(|phase| {
                let model = phase.models.into_iter().next()?;
                Some((phase.phase, model.fitted.ok()?))
            })
            .collect();
        let by_phase = settings.by_phase;
        let model: PhaseModel = Box::new(move |phase, features| {
            let fit = fits.get(&by_phase.then_some(phase))?;
            Some(fit.log_odds(features))
        });
        Ok(model)
    });
    let name = kind.name();
    let predictions = match predictions {
        Ok(predictions) => predictions,
        Err(error) => {
            report.unvalidated.push(format!("no held-out metrics of {name}: {error}"));
            return;
        }
    };
    let Some(overall) = metrics(&predictions) else {
        report.unvalidated.push(format!("no held-out metrics of {name}: no fold could be fitted"));
        return;
    };
    let bins = |predictions: &[Prediction]| {
        calibration(predictions, Bins::EqualWeight(BINS), settings.confidence)
    };
    report.overall.insert(name, overall);
    report.overall_calibration.push((name.to_uppercase(), bins(&predictions)));
    for phase in &mut report.phases {
        let Some(model) = phase.models.iter_mut().find(|model| model.kind == kind) else {
            continue;
        };
        let own: Vec<Prediction> = predictions
            .iter()
            .filter(|p| phase.phase.is_none_or(|phase| p.phase == phase))
            .copied()
            .collect();
        model.held_out = metrics(&own);
        model.calibration = bins(&own);
    }
}

/// The kind of errors to show for a model: as asked, or the best there is.
pub fn shown_errors(asked: Option<ErrorKind>, clustered: bool) -> ErrorKind {
    asked.unwrap_or(if clustered { ErrorKind::Clustered } else { ErrorKind::Corrected })
}
