//! The one place that fits and loads models and makes them play.

use discern_eval::{AnyEvaluator, Basis, LinearModel, Phases, QuadraticModel, Weights};
use discern_learn::{ClassifiedPosition, FitSettings, Fitted, PhaseRows, fit, fit_named};
use discern_search::{Engine, Options};
use discern_stats::{Scatter, compare_covariances};

use crate::error::{Doing, ExperimentError};
use crate::{ClassCorrelations, FittedModel, Iteration, PhaseFit, Weight};

/// The phase whose correlations are kept to be drawn.
const SHOWN_DISCS: usize = 36;

/// What the constant of a model is called.
const INTERCEPT: &str = "(intercept)";

/// Memory for the transposition table of a player.
const TABLE_MEBIBYTES: usize = 16;

/// Weights with the models of the experiment.
pub struct Models {
    weights: Weights,
    /// For each model what single disc counts have beyond the intercepts of their
    /// pools; known only of those just fitted.
    levels: Vec<Option<Phases<f64>>>,
}

impl Models {
    /// Fits all models to these positions, with what is known of each phase.
    pub fn fit(
        positions: &[ClassifiedPosition],
        command: &str,
        doing: &str,
    ) -> Result<(Models, Vec<PhaseFit>), ExperimentError> {
        let fitted = fit(positions, &FitSettings::default(), command).doing(|| doing.to_owned())?;
        let phases =
            fitted.phases.iter().enumerate().map(|(place, _)| phase_fit(&fitted, place)).collect();
        Ok((Models { weights: fitted.weights, levels: fitted.levels }, phases))
    }

    /// Weights that are there already.
    pub fn of(weights: Weights) -> Models {
        Models { weights, levels: Vec::new() }
    }

    /// The content of a weight file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Models, ExperimentError> {
        let weights = Weights::from_bytes(bytes);
        Ok(Models::of(weights.doing(|| "the weights of a former part".to_owned())?))
    }

    /// As a weight file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.weights.to_bytes()
    }

    /// The weights themselves.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Their features.
    pub fn basis(&self) -> &Basis {
        self.weights.basis()
    }

    /// The evaluator of a model.
    pub fn evaluator(&self, model: &str) -> Result<AnyEvaluator, ExperimentError> {
        let model = self.weights.model(model).doing(|| "while loading a model".to_owned())?;
        Ok(model.evaluator())
    }

    /// What single disc counts have beyond the intercepts of their pools.
    pub fn levels(&self, model: &str) -> Option<&Phases<f64>> {
        let place = self.weights.models().iter().position(|one| one.name() == model)?;
        self.levels.get(place)?.as_ref()
    }

    /// The one engine with one of the models: nothing else differs.
    pub fn engine(&self, model: &str) -> Result<Box<dyn Engine>, ExperimentError> {
        engine(self.evaluator(model)?)
    }
}

/// The one engine with any evaluator.
pub fn engine(evaluator: AnyEvaluator) -> Result<Box<dyn Engine>, ExperimentError> {
    let options = Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES };
    discern_search::engine(evaluator, options)
        .doing(|| format!("no memory for a table of {TABLE_MEBIBYTES} MiB"))
}

/// What people call a model.
pub fn title(model: &str) -> String {
    fit_named(model).map_or(model, |fit| fit.title).to_owned()
}

/// What is known of the fits of a phase.
fn phase_fit(fitted: &Fitted, place: usize) -> PhaseFit {
    let phase = &fitted.phases[place];
    let models = fitted.weights.models().iter().zip(&fitted.ends).zip(&fitted.levels);
    let linear = models.filter_map(|((model, ends), levels)| {
        let end = ends.get(place)?;
        // The constant as the model has it, not as the pool left it.
        let level = levels.as_ref().map_or(0.0, |levels| *levels.at(phase.discs));
        let estimate = |(feature, value, error): &(String, f64, f64)| Weight {
            feature: feature.clone(),
            value: *value + if feature == INTERCEPT { level } else { 0.0 },
            standard_error: Some(*error),
        };
        Some(FittedModel {
            model: model.title().to_owned(),
            weights: match model.get() {
                Some(linear) => weights(fitted, phase, linear),
                None if end.estimates.is_empty() => return None,
                None => end.estimates.iter().map(estimate).collect(),
            },
            iteration: end.stop.map(|stop| Iteration { stop, steps: end.steps + end.sample_steps }),
        })
    });
    let moments = &phase.moments;
    PhaseFit {
        discs: phase.discs,
        positions: moments.rows,
        won: moments.won.weight / moments.rows,
        drawn: moments.undecided / moments.rows,
        models: linear.collect(),
        covariances: compare_covariances(moments).ok(),
        correlations: (phase.discs == SHOWN_DISCS).then(|| ClassCorrelations {
            features: moments.features.clone(),
            won: correlations(&moments.won),
            lost: correlations(&moments.lost),
            quadratic: quadratic(fitted, phase),
        }),
    }
}

/// The quadratic terms of QUAD in units of standard deviations.
fn quadratic(fitted: &Fitted, phase: &PhaseRows) -> Vec<Vec<f64>> {
    let quad = fitted.weights.models().iter().find_map(|model| model.get::<QuadraticModel>());
    let Some(quad) = quad else { return Vec::new() };
    let terms = &quad.phases.at(phase.discs).quadratic;
    let [won, lost] = [&phase.moments.won, &phase.moments.lost];
    let deviation = |i: usize| {
        let scatter = won.scatter[(i, i)] + lost.scatter[(i, i)];
        (scatter / (won.weight + lost.weight)).sqrt()
    };
    let all = fitted.weights.basis().features();
    let used: Vec<usize> = all
        .iter()
        .enumerate()
        .filter(|(_, f)| phase.features.contains(f))
        .map(|(place, _)| place)
        .collect();
    let term = |i: usize, j: usize| {
        let both = if i == j { 1.0 } else { 2.0 };
        both * terms[used[i]][used[j]] * deviation(i) * deviation(j)
    };
    (0..used.len()).map(|i| (0..used.len()).map(|j| term(i, j)).collect()).collect()
}

fn correlations(class: &Scatter) -> Vec<Vec<f64>> {
    let (scatter, order) = (&class.scatter, class.mean.len());
    let of = |i, j| scatter[(i, j)] / (scatter[(i, i)] * scatter[(j, j)]).sqrt();
    (0..order).map(|i| (0..order).map(|j| of(i, j)).collect()).collect()
}

fn weights(fitted: &Fitted, phase: &PhaseRows, model: &LinearModel) -> Vec<Weight> {
    let model = model.phases.at(phase.discs);
    let errors = model.errors.as_ref();
    let intercept = Weight {
        feature: INTERCEPT.to_owned(),
        value: model.intercept,
        standard_error: errors.map(|errors| errors.intercept),
    };
    let places = fitted.weights.basis().features().iter().enumerate();
    let used = places.filter(|(_, feature)| phase.features.contains(feature));
    let weights = used.map(|(place, feature)| Weight {
        feature: feature.name().to_owned(),
        value: model.weights[place],
        standard_error: errors.map(|errors| errors.weights[place]),
    });
    std::iter::once(intercept).chain(weights).collect()
}
