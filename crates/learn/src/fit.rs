use discern_eval::{
    FEATURES, FIRST_PHASE, Feature, FeatureSet, LAST_PHASE, LinearErrors, LinearModel, Manifest,
    Phases, QuadraticModel, Weights,
};
use discern_stats::{
    Fisher, FisherFit, FitError, Logistic, LogisticFit, Moments, PhaseMoments, PhaseRange, Pooling,
    Prior, Quadratic, QuadraticFit, StopReason, standard_errors,
};

use crate::rows::{Rows, learn};
use crate::{ClassifiedPosition, FitSettings, Window};

/// Why nothing could be learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// No phase has enough positions of both outcomes.
    #[error("the positions are not enough to fit any phase: {0}")]
    TooFew(FitError),
    /// The statistics failed as a whole.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// The models of one phase and the positions behind them.
#[derive(Debug, Clone)]
pub struct PhaseFit {
    /// Number of discs.
    pub discs: usize,
    /// The window that was used.
    pub window: Window,
    /// The features that vary enough to be used.
    pub features: FeatureSet,
    /// Means and covariances of the classes.
    pub moments: Moments,
    /// Logistic regression.
    pub log: LogisticFit,
    /// Fisher's discriminant.
    pub fisher: FisherFit,
    /// The quadratic discriminant.
    pub quad: QuadraticFit,
}

/// Everything learned: the weights, and how each phase was fitted.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Tables and models for the evaluators.
    pub weights: Weights,
    /// The fits of the phases in order.
    pub phases: Vec<PhaseFit>,
}

/// Makes tables and the three models of every phase from classified
/// positions.
///
/// A phase whose own window has too few positions, or features that do not
/// vary in it (the first moves of a game), takes the smallest wider window
/// that will do; features that never vary get weight 0.
///
/// # Errors
/// If not even all positions together suffice.
pub fn fit(
    positions: &[ClassifiedPosition],
    settings: &FitSettings,
    command: &str,
) -> Result<Fitted, LearnError> {
    let learned = learn(positions, settings);
    let moments = PhaseMoments::collect(
        &learned.rows.part(PhaseRange::ALL, settings.features),
        settings.threads,
    )?;
    let mut phases = Vec::new();
    let mut ready = fit_regular(&learned.rows, &moments, settings)?;
    for discs in FIRST_PHASE..=LAST_PHASE {
        let regular = ready.iter().position(|phase| phase.discs == discs);
        phases.push(match regular {
            Some(place) => ready.swap_remove(place),
            None => fit_wider(&learned.rows, &moments, settings, discs)?,
        });
    }
    let weights = Weights {
        manifest: manifest(positions, settings, command, &phases),
        tables: learned.tables,
        log: models(&phases, log_model),
        fisher: models(&phases, fisher_model),
        quad: models(&phases, quad_model),
        direct: None,
    };
    Ok(Fitted { weights, phases })
}

/// The phases that need nothing special, LOG of all of them in lockstep.
fn fit_regular(
    rows: &Rows,
    moments: &PhaseMoments,
    settings: &FitSettings,
) -> Result<Vec<PhaseFit>, FitError> {
    let part = rows.part(PhaseRange::ALL, settings.features);
    let logs = logistic(settings).fit_phases(&part, moments, Pooling(settings.window.reach))?;
    let mut fits = Vec::new();
    for (key, log) in logs {
        let (discs, window) = (settings.window.discs(key), settings.window);
        let Some(pooled) = moments.pooled(window.around(discs)) else { continue };
        if pooled.rows < settings.least_rows {
            continue;
        }
        let (Ok(log), Ok(fisher), Ok(quad)) =
            (log, fisher(settings).fit(&pooled), quadratic(settings).fit(&pooled))
        else {
            continue;
        };
        let features = settings.features;
        fits.push(PhaseFit { discs, window, features, moments: pooled, log, fisher, quad });
    }
    Ok(fits)
}

/// One phase with the smallest window that gives all three models.
fn fit_wider(
    rows: &Rows,
    moments: &PhaseMoments,
    settings: &FitSettings,
    discs: usize,
) -> Result<PhaseFit, LearnError> {
    let mut why = FitError::NoRows;
    for reach in settings.window.reach..=LAST_PHASE as u32 {
        let window = Window { reach, ..settings.window };
        let enough = |moments: &Moments| moments.rows >= settings.least_rows;
        if !moments.pooled(window.around(discs)).as_ref().is_some_and(enough)
            && reach < LAST_PHASE as u32
        {
            continue;
        }
        match fit_window(rows, settings, discs, window) {
            Ok(fit) => return Ok(fit),
            Err(error) => why = error,
        }
    }
    Err(LearnError::TooFew(why))
}

/// One phase with this window; features that do not vary there are left out.
fn fit_window(
    rows: &Rows,
    settings: &FitSettings,
    discs: usize,
    window: Window,
) -> Result<PhaseFit, FitError> {
    let mut features = settings.features;
    loop {
        let part = rows.part(window.around(discs), features);
        let moments = PhaseMoments::collect(&part, settings.threads)?;
        let pooled = moments.pooled(PhaseRange::ALL).ok_or(FitError::NoRows)?;
        let fits = (|| {
            let fisher = fisher(settings).fit(&pooled)?;
            let quad = quadratic(settings).fit(&pooled)?;
            let log = logistic(settings).fit_with(&part, &moments)?;
            Ok((log, fisher, quad))
        })();
        let useless = match &fits {
            Ok(_) => None,
            Err(FitError::Constant { feature, .. }) => Some(feature.clone()),
            Err(FitError::Collinear { features, .. }) => features.first().cloned(),
            Err(_) => None,
        };
        match (fits, useless) {
            (Ok((log, fisher, quad)), _) => {
                let moments = pooled;
                return Ok(PhaseFit { discs, window, features, moments, log, fisher, quad });
            }
            (Err(error), Some(name)) => {
                let named = features.features().find(|feature| feature.name() == name);
                match named {
                    Some(feature) if features.features().count() > 1 => {
                        features = features.without(feature);
                    }
                    _ => return Err(error),
                }
            }
            (Err(error), None) => return Err(error),
        }
    }
}

fn fisher(settings: &FitSettings) -> Fisher {
    Fisher { prior: settings.prior }
}

fn quadratic(settings: &FitSettings) -> Quadratic {
    Quadratic { prior: settings.prior }
}

fn logistic(settings: &FitSettings) -> Logistic {
    Logistic { trials: settings.trials, threads: settings.threads, ..Logistic::default() }
}

fn models<T>(phases: &[PhaseFit], model: impl Fn(&PhaseFit) -> T) -> Phases<T> {
    Phases::from_fn(|discs| model(&phases[discs - FIRST_PHASE]))
}

/// The numbers of the features in use, spread over all features.
fn spread(features: FeatureSet, values: &[f64]) -> [f64; FEATURES] {
    let mut all = [0.0; FEATURES];
    features.features().zip(values).for_each(|(feature, &value)| all[feature.index()] = value);
    all
}

fn log_model(phase: &PhaseFit) -> LinearModel {
    let errors = phase.log.covariance_by(phase.log.best_errors());
    linear_model(phase.features, &phase.log.coefficients, errors.as_ref())
}

fn fisher_model(phase: &PhaseFit) -> LinearModel {
    linear_model(phase.features, &phase.fisher.coefficients, Some(&phase.fisher.covariance))
}

fn linear_model(
    features: FeatureSet,
    coefficients: &[f64],
    covariance: Option<&discern_stats::Matrix>,
) -> LinearModel {
    let errors = covariance.map(|covariance| {
        let errors = standard_errors(covariance);
        LinearErrors { intercept: errors[0], weights: spread(features, &errors[1..]) }
    });
    LinearModel {
        intercept: coefficients[0],
        weights: spread(features, &coefficients[1..]),
        errors,
    }
}

fn quad_model(phase: &PhaseFit) -> QuadraticModel {
    let mut quadratic = [[0.0; FEATURES]; FEATURES];
    let place = |feature: Feature| phase.features.features().position(|f| f == feature);
    for a in phase.features.features() {
        for b in phase.features.features() {
            if let (Some(row), Some(column)) = (place(a), place(b)) {
                quadratic[a.index()][b.index()] = phase.quad.quadratic[(row, column)];
            }
        }
    }
    QuadraticModel {
        constant: phase.quad.constant,
        linear: spread(phase.features, &phase.quad.linear),
        quadratic,
    }
}

fn manifest(
    positions: &[ClassifiedPosition],
    settings: &FitSettings,
    command: &str,
    phases: &[PhaseFit],
) -> Manifest {
    let mut hash = blake3::Hasher::new();
    let mut groups: Vec<u32> = Vec::with_capacity(positions.len());
    for position in positions {
        hash.update(&position.board.mover.0.to_le_bytes());
        hash.update(&position.board.opponent.0.to_le_bytes());
        hash.update(&position.group.to_le_bytes());
        hash.update(&[position.balance() as u8]);
        groups.push(position.group);
    }
    groups.sort_unstable();
    groups.dedup();
    let mut remarks = Vec::new();
    let shared = positions.iter().filter(|position| position.shared).count();
    if shared > 0 {
        remarks.push(format!("{shared} positions are shared by groups and were left out"));
    }
    for phase in phases {
        let discs = phase.discs;
        if phase.window != settings.window {
            let pooled = phase.window.pooled(discs);
            let (first, last) = (pooled[0], pooled[pooled.len() - 1]);
            remarks.push(format!("{discs} discs: fitted to positions of {first} to {last} discs"));
        }
        for feature in settings.features.features().filter(|f| !phase.features.contains(*f)) {
            remarks.push(format!("{discs} discs: {feature} does not vary and has no weight"));
        }
        if phase.log.stop != StopReason::Converged {
            remarks.push(format!("{discs} discs: LOG stopped with '{}'", phase.log.stop.word()));
        }
    }
    Manifest {
        data: hash.finalize().to_hex().to_string(),
        positions: positions.len() as u64,
        groups: groups.len() as u64,
        settings: settings.to_json(),
        remarks,
        ..Manifest::new(command)
    }
}

impl FitSettings {
    fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "discs_per_table_set": self.tables.stages.discs(),
            "kernel": self.tables.kernel,
            "back_off": self.tables.back_off,
            "evidence": self.evidence,
            "window": self.window,
            "least_rows": self.least_rows,
            "features": self.features.to_string(),
            "trials": self.trials.count(),
            "prior": match self.prior {
                Prior::Equal => "equal",
                Prior::FromData => "data",
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use discern_board::Outcome;
    use discern_eval::Evaluator;
    use discern_stats::Threads;

    use super::*;
    use crate::testing::classified_random_games;
    use crate::{Evidence, Split, compare};

    #[test]
    fn models_learned_from_random_games_know_more_than_nothing() {
        let positions = classified_random_games(11, 3000);
        let split = Split::by_group(&positions, 0.3, 1);
        let fitted = fit(&split.training, &FitSettings::default(), "test").unwrap();
        for model in compare(&fitted.weights, &split.test, &[44..=48, 54..=58]).models {
            let discordance: Vec<f64> = model
                .phases
                .iter()
                .map(|phase| phase.metrics.discordance.as_ref().unwrap().value)
                .collect();
            assert!(
                discordance[0] < 0.40 && discordance[1] < 0.22,
                "{} {discordance:?}",
                model.name
            );
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let positions = classified_random_games(12, 200);
        let with = |threads| {
            let settings = FitSettings {
                threads: Threads::new(threads),
                least_rows: 500.0,
                ..FitSettings::default()
            };
            fit(&positions, &settings, "test").unwrap().weights.to_bytes()
        };
        assert!(with(1) == with(3));
    }

    #[test]
    fn features_left_out_have_no_weight_in_any_model() {
        let positions = classified_random_games(13, 150);
        let features = FeatureSet::ALL.without(Feature::MOBILITY);
        let settings = FitSettings { features, least_rows: 500.0, ..FitSettings::default() };
        let weights = fit(&positions, &settings, "test").unwrap().weights;
        let j = Feature::MOBILITY.index();
        for discs in FIRST_PHASE..=LAST_PHASE {
            assert_eq!(weights.log.at(discs).weights[j], 0.0);
            assert_eq!(weights.fisher.at(discs).weights[j], 0.0);
            assert_eq!(weights.quad.at(discs).linear[j], 0.0);
            assert_eq!(weights.quad.at(discs).quadratic[j], [0.0; FEATURES]);
        }
    }

    #[test]
    fn swapped_outcomes_negate_the_weights_of_mobility() {
        let positions = classified_random_games(14, 300);
        let swapped: Vec<_> =
            positions.iter().map(|p| ClassifiedPosition { outcome: -p.outcome, ..*p }).collect();
        let fit = |positions: &[_]| fit(positions, &FitSettings::default(), "test").unwrap();
        let (a, b) = (fit(&positions).weights, fit(&swapped).weights);
        for discs in [20, 40, 58] {
            let (a, b) = (a.log.at(discs), b.log.at(discs));
            // Table values change sign, so that their weights keep theirs.
            for (j, sign) in [(0, -1.0), (1, -1.0), (2, 1.0), (12, 1.0)] {
                assert!((a.weights[j] - sign * b.weights[j]).abs() < 1e-5, "{discs} {j}");
            }
            assert!((a.intercept + b.intercept).abs() < 1e-5);
        }
    }

    #[test]
    fn every_phase_gets_weights_and_the_manifest_says_how() {
        let positions = classified_random_games(15, 150);
        let settings = FitSettings { evidence: Evidence::LeaveGroupOut, ..FitSettings::default() };
        let fitted = fit(&positions, &settings, "discern test").unwrap();
        assert_eq!(fitted.phases.len(), discern_eval::PHASES);
        let manifest = &fitted.weights.manifest;
        assert_eq!((manifest.positions, manifest.groups), (positions.len() as u64, 150));
        assert_eq!(manifest.settings["evidence"], "leave_group_out");
        assert!(manifest.remarks.iter().any(|remark| remark.starts_with("4 discs: fitted to")));
        let start = fitted.weights.log().evaluate(&discern_board::Board::START);
        assert!(start.log_odds().abs() < 1.0);
    }

    #[test]
    fn priors_from_the_data_move_the_values_of_the_discriminants_only() {
        let positions = classified_random_games(18, 150);
        let with = |prior| {
            let settings = FitSettings { prior, least_rows: 500.0, ..FitSettings::default() };
            fit(&positions, &settings, "test").unwrap()
        };
        let (equal, data) = (with(Prior::Equal), with(Prior::FromData));
        assert_eq!(equal.weights.log, data.weights.log);
        for (a, b) in equal.phases.iter().zip(&data.phases) {
            let shift = (a.moments.won.weight / a.moments.lost.weight).ln();
            let fisher = b.fisher.coefficients[0] - a.fisher.coefficients[0];
            assert!((fisher - shift).abs() < 1e-9, "{} discs", a.discs);
            assert!((b.quad.constant - a.quad.constant - shift).abs() < 1e-9);
            assert_eq!(a.fisher.coefficients[1..], b.fisher.coefficients[1..]);
        }
    }

    #[test]
    fn positions_that_groups_share_teach_nothing() {
        let mut positions = classified_random_games(17, 150);
        let settings = FitSettings { least_rows: 500.0, ..FitSettings::default() };
        let own: Vec<_> = positions.iter().copied().filter(|p| p.group % 10 != 0).collect();
        for position in positions.iter_mut().filter(|p| p.group % 10 == 0) {
            position.shared = true;
        }
        let (all, own) =
            (fit(&positions, &settings, "test").unwrap(), fit(&own, &settings, "test").unwrap());
        assert_eq!(all.weights.tables, own.weights.tables);
        assert_eq!(all.weights.log, own.weights.log);
        assert_eq!(all.weights.quad, own.weights.quad);
        let left_out = positions.iter().filter(|p| p.shared).count();
        let remark = format!("{left_out} positions are shared by groups and were left out");
        assert!(all.weights.manifest.remarks.contains(&remark));
        let direct = |positions: &[_]| {
            let settings = crate::DirectSettings {
                epochs: 1,
                calibration_share: 0.3,
                ..crate::DirectSettings::default()
            };
            crate::fit_direct(positions, &settings).unwrap()
        };
        let kept: Vec<_> = positions.iter().copied().filter(|p| !p.shared).collect();
        assert_eq!(direct(&positions), direct(&kept));
    }

    #[test]
    fn too_few_positions_are_an_error_with_the_reason() {
        let mut positions = classified_random_games(16, 2);
        let reason = fit(&[], &FitSettings::default(), "test").unwrap_err().to_string();
        assert!(reason.contains("not enough"), "{reason}");
        positions.iter_mut().for_each(|position| position.outcome = Outcome::Win);
        let reason = fit(&positions, &FitSettings::default(), "test").unwrap_err().to_string();
        assert!(reason.contains("no lost rows"), "{reason}");
    }
}
