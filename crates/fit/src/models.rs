//! Every fit that was asked for, with its diagnostics.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::str::FromStr;

use discern_stats::{
    Bins, CalibrationBin, ClassShape, CovarianceComparison, ErrorKind, Estimator, Examples, Fisher,
    FisherFit, Fit, FitError, Fits, Linear, LinearFit, Logistic, LogisticFit, Metrics, Moments,
    PhaseModel, PhaseMoments, PhaseRange, Pooling, Prediction, Prior, Quadratic, QuadraticFit,
    StopReason, Threads, Trials, WithMoments, calibration, class_shapes, compare_covariances,
    cross_validate, metrics, variance_inflation,
};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::model_file::{Entry, Equation, Named};

/// The models that can be fitted to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// Logistic regression.
    Log,
    /// Fisher's linear discriminant.
    Fisher,
    /// The quadratic discriminant.
    Quad,
    /// Linear regression on a numeric result.
    Ols,
}

impl ModelKind {
    /// All of them.
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

impl FromStr for ModelKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || format!("the models are {}", Self::ALL.map(Self::name).join(", "));
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(names)
    }
}

/// What to fit, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The models.
    pub models: Vec<ModelKind>,
    /// One fit per phase with the rows of its window; one for all rows if not.
    pub pooling: Option<Pooling>,
    /// Trials behind each row of LOG.
    pub trials: Trials,
    /// Ridge penalty of LOG on squared standardised coefficients.
    pub ridge: f64,
    /// Take LOG's Newton steps as the paper prints them, without samples.
    pub plain_newton: bool,
    /// A priori probabilities of FISHER and QUAD.
    pub prior: Prior,
    /// Standard errors to show; the best there are if not said.
    pub errors: Option<ErrorKind>,
    /// Level of confidence intervals.
    pub confidence: f64,
    /// Folds of cross-validation by group; 0 for none.
    pub folds: u32,
    /// Whether to compare the classes.
    pub diagnostics: bool,
    /// Threads; the result does not depend on it.
    pub threads: Threads,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            models: vec![ModelKind::Log, ModelKind::Fisher, ModelKind::Quad],
            pooling: None,
            trials: Trials::default(),
            ridge: 0.0,
            plain_newton: false,
            prior: Prior::default(),
            errors: None,
            confidence: 0.95,
            folds: 0,
            diagnostics: false,
            threads: Threads::default(),
        }
    }
}

/// Reads a number of trials behind each row.
///
/// # Errors
/// Which numbers there are.
pub fn trials_of(text: &str) -> Result<u32, &'static str> {
    let trials = text.parse().ok().filter(|&n| n == 1 || n > 2);
    trials.ok_or("give 1, or at least 3 so that n − 1 and 1 differ")
}

/// Reads a number of folds.
///
/// # Errors
/// Which numbers there are.
pub fn folds_of(text: &str) -> Result<u32, &'static str> {
    text.parse().ok().filter(|&folds| folds != 1).ok_or("give at least 2, or 0 for none")
}

/// Can the rows or groups of a table be dealt to this many folds?
///
/// # Errors
/// How many there may be.
pub fn check_folds(folds: u32, rows: u64, groups: Option<usize>) -> Result<(), Error> {
    let (dealt, most) = match groups {
        Some(groups) => ("groups", groups as u64),
        None => ("rows", rows),
    };
    if u64::from(folds) > most {
        let sentence = format!("{folds} folds of {most} {dealt}: give at most that many");
        return Err(Error::Asked(sentence));
    }
    Ok(())
}

/// A fitted model of any kind.
#[derive(Clone, Debug)]
pub enum Fitted {
    /// Logistic regression.
    Log(LogisticFit),
    /// Fisher's linear discriminant.
    Fisher(FisherFit),
    /// The quadratic discriminant.
    Quad(QuadraticFit),
    /// Linear regression.
    Ols(LinearFit),
}

impl Deref for Fitted {
    type Target = dyn Fit;

    fn deref(&self) -> &(dyn Fit + 'static) {
        match self {
            Self::Log(fit) => fit,
            Self::Fisher(fit) => fit,
            Self::Quad(fit) => fit,
            Self::Ols(fit) => fit,
        }
    }
}

impl Fitted {
    fn equation(&self) -> Equation {
        let coefficients = || Named::new(self.names(), &self.coefficients());
        match self {
            Self::Log(_) => Equation::Log { coefficients: coefficients() },
            Self::Fisher(_) => Equation::Fisher { coefficients: coefficients() },
            Self::Quad(fit) => Equation::Quad {
                quadratic: fit.quadratic.clone(),
                linear: fit.linear.clone(),
                constant: fit.constant,
            },
            Self::Ols(fit) => Equation::Ols {
                coefficients: coefficients(),
                residual_deviation: fit.residual_variance.sqrt(),
            },
        }
    }

    /// What is doubtful about the fit.
    fn doubt(&self) -> Option<String> {
        let Self::Log(fit) = self else { return None };
        let features = fit.separating_features().join(", ");
        match fit.stop {
            StopReason::Converged if fit.separated => Some(format!(
                "perfect separation ({features}): every row is on its right side, so that the \
                 size of the coefficients comes from --trials and not from the data"
            )),
            StopReason::Converged => None,
            StopReason::Separated => Some(format!(
                "perfect separation ({features}): no finite estimates exist; use --trials 100 or \
                 --ridge"
            )),
            StopReason::StepLimit => Some(format!(
                "no convergence within {} steps: these are not the estimates",
                fit.steps
            )),
            StopReason::Stalled => Some(
                "the likelihood cannot be raised any further, yet the steps stay large".to_string(),
            ),
        }
    }
}

/// One model of one phase.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelReport {
    /// Which model.
    pub kind: ModelKind,
    /// The model, or why there is none.
    pub fitted: Result<Fitted, FitError>,
    /// Metrics of rows held out by cross-validation.
    pub held_out: Option<Metrics>,
    /// Calibration of the same rows.
    pub calibration: Vec<CalibrationBin>,
}

/// Everything about one phase.
#[derive(Debug)]
#[non_exhaustive]
pub struct PhaseReport {
    /// `None` if there is no phase column.
    pub phase: Option<i32>,
    /// The phases whose rows were used.
    pub range: PhaseRange,
    /// `None` if there is no label.
    pub moments: Option<Moments>,
    /// One entry per model.
    pub models: Vec<ModelReport>,
    /// How the classes compare, if asked for.
    pub diagnostics: Option<Diagnostics>,
}

/// How the classes compare.
#[derive(Debug)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Their covariances.
    pub covariances: Result<CovarianceComparison, FitError>,
    /// Variance inflation of each feature.
    pub inflation: Result<Vec<f64>, FitError>,
    /// Shape of each feature among won and lost rows.
    pub shapes: Vec<(ClassShape, ClassShape)>,
}

/// All fits of a table.
#[derive(Debug)]
#[non_exhaustive]
pub struct FitReport {
    /// Phase by phase.
    pub phases: Vec<PhaseReport>,
    /// Held-out metrics and calibration over all phases, by model.
    pub overall: Vec<(ModelKind, Metrics, Vec<CalibrationBin>)>,
    /// Why there are no held-out metrics of a model, though asked for.
    pub unvalidated: Vec<String>,
}

impl FitReport {
    /// Fits everything that was asked for.
    ///
    /// # Errors
    /// If the data as a whole cannot be used, or not one model can be fitted.
    pub fn fit(settings: &Settings, examples: &dyn Examples) -> Result<Self, Error> {
        let mut phases = fit_models(settings, examples, ErrorKind::Clustered)?;
        if settings.diagnostics {
            add_diagnostics(settings, examples, &mut phases)?;
        }
        let labelled = phases.iter().any(|phase| phase.moments.is_some());
        let mut report = Self::of(phases)?;
        if settings.folds > 1 && labelled {
            for &kind in &settings.models {
                if let Err(why) = report.validate(settings, examples, kind) {
                    let name = kind.name();
                    report.unvalidated.push(format!("no held-out metrics of {name}: {why}"));
                }
            }
        }
        Ok(report)
    }

    /// A report of these phases, without held-out metrics.
    ///
    /// # Errors
    /// If not one model could be fitted.
    pub(crate) fn of(phases: Vec<PhaseReport>) -> Result<Self, Error> {
        let report = Self { phases, overall: Vec::new(), unvalidated: Vec::new() };
        if !report.models().any(|(_, model)| model.fitted.is_ok()) {
            let first =
                report.failures().next().map_or(String::new(), |first| format!(": {first}"));
            return Err(Error::Asked(format!("no model could be fitted{first}")));
        }
        Ok(report)
    }

    /// Every model with its phase.
    pub fn models(&self) -> impl Iterator<Item = (&PhaseReport, &ModelReport)> {
        self.phases.iter().flat_map(|phase| phase.models.iter().map(move |model| (phase, model)))
    }

    /// From the first to the last phase with rows of its own: the window of a
    /// phase may reach beyond.
    #[must_use]
    pub fn present(&self) -> PhaseRange {
        let phases = || self.phases.iter().filter_map(|phase| phase.phase);
        PhaseRange {
            first: phases().min().unwrap_or_default(),
            last: phases().max().unwrap_or_default(),
        }
    }

    /// Why models could not be fitted, a sentence each.
    pub fn failures(&self) -> impl Iterator<Item = String> + '_ {
        self.sentences(|model| model.fitted.as_ref().err().map(ToString::to_string))
    }

    /// What is doubtful about models that were fitted.
    pub fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        let doubts = self.sentences(|model| model.fitted.as_ref().ok()?.doubt());
        doubts.chain(self.unvalidated.iter().cloned())
    }

    fn sentences<'a>(
        &'a self,
        sentence: impl Fn(&ModelReport) -> Option<String> + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        self.models().filter_map(move |(phase, model)| {
            let name = model.kind.name();
            let sentence = sentence(model)?;
            Some(match phase.phase {
                Some(phase) => format!("phase {phase}, {name}: {sentence}"),
                None => format!("{name}: {sentence}"),
            })
        })
    }

    /// The models for a model file.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        self.models()
            .filter_map(|(phase, model)| {
                let equation = model.fitted.as_ref().ok()?.equation();
                Some(Entry { phase: phase.phase, equation })
            })
            .collect()
    }

    /// Cross-validates one model, for each phase and over all.
    fn validate(
        &mut self,
        settings: &Settings,
        examples: &dyn Examples,
        kind: ModelKind,
    ) -> Result<(), String> {
        let by_phase = settings.pooling.is_some();
        let only = Settings { models: vec![kind], ..settings.clone() };
        let predictions = cross_validate(examples, settings.folds, |fold| {
            let fits: BTreeMap<Option<i32>, Fitted> =
                fit_models(&only, fold, ErrorKind::Information)?
                    .into_iter()
                    .filter_map(|phase| {
                        let model = phase.models.into_iter().next()?;
                        Some((phase.phase, model.fitted.ok()?))
                    })
                    .collect();
            let model: PhaseModel = Box::new(move |phase, features| {
                Some(fits.get(&by_phase.then_some(phase))?.log_odds(features))
            });
            Ok(model)
        })
        .map_err(|error| error.to_string())?;
        let overall = metrics(&predictions).ok_or("no fold could be fitted")?;
        let bins = |predictions: &[Prediction]| {
            calibration(predictions, Bins::EqualWeight(BINS), settings.confidence)
        };
        self.overall.push((kind, overall, bins(&predictions)));
        for phase in &mut self.phases {
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
        Ok(())
    }
}

/// Bins of a calibration curve.
const BINS: usize = 10;

/// Fits the models of every phase.
fn fit_models(
    settings: &Settings,
    examples: &dyn Examples,
    errors: ErrorKind,
) -> Result<Vec<PhaseReport>, FitError> {
    let &Settings { trials, ridge, prior, threads, pooling, .. } = settings;
    let moments = match settings.models[..] {
        [ModelKind::Ols] => None,
        _ => Some(PhaseMoments::collect(examples, threads)?),
    };
    let known = moments.as_ref().map(|moments| WithMoments::new(examples, moments));
    let examples = known.as_ref().map_or(examples, |known| known as &dyn Examples);
    let mut phases: BTreeMap<Option<i32>, PhaseReport> = BTreeMap::new();
    for &kind in &settings.models {
        let fits = match kind {
            ModelKind::Log => {
                let sampling = !settings.plain_newton;
                let log =
                    Logistic { trials, ridge, sampling, errors, threads, ..Logistic::default() };
                collect(&log, examples, pooling, Fitted::Log)?
            }
            ModelKind::Fisher => {
                collect(&Fisher { prior, errors, threads }, examples, pooling, Fitted::Fisher)?
            }
            ModelKind::Quad => {
                // Others take k² sums per row: only where they are shown.
                let errors = settings.errors.unwrap_or(ErrorKind::Corrected).min(errors);
                collect(&Quadratic { prior, errors, threads }, examples, pooling, Fitted::Quad)?
            }
            ModelKind::Ols => collect(&Linear { errors, threads }, examples, pooling, Fitted::Ols)?,
        };
        for (phase, fitted) in fits {
            let range = match (phase, pooling) {
                (Some(phase), Some(pooling)) => pooling.around(phase),
                _ => PhaseRange::ALL,
            };
            let report = phases.entry(phase).or_insert_with(|| PhaseReport {
                phase,
                range,
                moments: moments.as_ref().and_then(|moments| moments.pooled(range)),
                models: Vec::new(),
                diagnostics: None,
            });
            let (held_out, calibration) = Default::default();
            report.models.push(ModelReport { kind, fitted, held_out, calibration });
        }
    }
    Ok(phases.into_values().collect())
}

fn collect<E: Estimator>(
    estimator: &E,
    examples: &dyn Examples,
    pooling: Option<Pooling>,
    fitted: impl Fn(E::Fit) -> Fitted,
) -> Result<Fits<Option<i32>, Fitted>, FitError> {
    if pooling.is_none() {
        // What is wrong with the rows is then wrong with this model only.
        return Ok(vec![(None, estimator.fit(examples).map(fitted))]);
    }
    let fits = estimator.fit_windows(examples, pooling)?;
    Ok(fits.into_iter().map(|(phase, fit)| (phase, fit.map(&fitted))).collect())
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
