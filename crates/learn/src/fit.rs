use discern_eval::{Manifest, NamedModel, Phases, Weights};
use discern_stats::{FitError, Prior, StopReason};
use serde_json::{Value, json};

use crate::compare::held_out;
use crate::{ClassifiedPosition, FitEnd, FitSettings, PhaseRows, Training};

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

/// Everything learned: the weights, and how each phase was fitted.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Features, tables and models.
    pub weights: Weights,
    /// The positions behind the phases in order.
    pub phases: Vec<PhaseRows>,
    /// For each model of the weights how its phases were fitted.
    pub ends: Vec<Vec<FitEnd>>,
    /// For each model what single disc counts have beyond the intercept of their
    /// pool, where that is known.
    pub levels: Vec<Option<Phases<f64>>>,
}

/// Makes tables and models of every phase from classified positions; which
/// models is a matter of the settings.
///
/// # Errors
/// If not even all positions together suffice.
pub fn fit(
    positions: &[ClassifiedPosition],
    settings: &FitSettings,
    command: &str,
) -> Result<Fitted, LearnError> {
    let training = Training::new(positions, settings)?;
    let shared = manifest(&training, command);
    let (mut models, mut ends, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    for fit in &settings.models {
        let fitted = (fit.fit)(&training)?;
        let mut manifest = Manifest { settings: fitted.settings, ..shared.clone() };
        if !fitted.ends.is_empty() {
            manifest.remarks.extend(remarks(&training, fit.title, &fitted.ends));
        }
        let words = [fit.name, fit.title, fit.description];
        models.push(NamedModel::new(words, manifest, training.basis().clone(), fitted.model));
        ends.push(fitted.ends);
        levels.push(fitted.levels);
    }
    let weights = Weights::new(training.basis().clone(), models);
    Ok(Fitted { weights, phases: training.into_phases(), ends, levels })
}

impl Fitted {
    /// One object per phase and model, in the form of `discern fit --json`.
    pub fn phase_objects(&self) -> Vec<Value> {
        let mut objects = Vec::new();
        for (place, phase) in self.phases.iter().enumerate() {
            for (model, ends) in self.weights.models().iter().zip(&self.ends) {
                let Some(end) = ends.get(place) else { continue };
                let mut object = json!({
                    "phase": phase.discs,
                    "model": model.name(),
                    "rows": phase.moments.rows,
                });
                let mut add = |more: Value| {
                    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
                        object.extend(more);
                    }
                };
                add(model.describe(phase.discs));
                if let Some(stop) = end.stop {
                    add(json!({ "stop": stop.word(), "iterations": end.steps }));
                }
                if let Some(log_likelihood) = end.log_likelihood {
                    add(json!({ "log_likelihood": log_likelihood }));
                }
                objects.push(object);
            }
        }
        objects
    }

    /// Notes in the manifests how models that were fitted to other games do on
    /// `test`, model by model.
    pub fn note_held_out(&mut self, others: &Weights, test: &[ClassifiedPosition]) {
        let found = others.models().iter().map(|model| held_out(&model.evaluator(), test));
        let mut models = self.weights.models().to_vec();
        for (model, found) in models.iter_mut().zip(found) {
            model.manifest.held_out = found;
        }
        self.weights = Weights::new(self.weights.basis().clone(), models);
    }
}

/// What the manifests of all models have in common.
fn manifest(training: &Training, command: &str) -> Manifest {
    let positions = training.positions();
    let mut hash = blake3::Hasher::new();
    let mut groups: Vec<u32> = Vec::with_capacity(positions.len());
    for position in positions {
        hash.update(&position.board.mover().0.to_le_bytes());
        hash.update(&position.board.opponent().0.to_le_bytes());
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
    Manifest {
        data: hash.finalize().to_hex().to_string(),
        positions: positions.len() as u64,
        groups: groups.len() as u64,
        remarks,
        ..Manifest::new(command)
    }
}

/// What is special about the phases of a model.
fn remarks(training: &Training, title: &str, ends: &[FitEnd]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (phase, end) in training.phases().iter().zip(ends) {
        let discs = phase.discs;
        if phase.window != training.settings().window {
            let pooled = phase.window.pooled(discs);
            let (first, last) = (pooled[0], pooled[pooled.len() - 1]);
            remarks.push(format!("{discs} discs: fitted to positions of {first} to {last} discs"));
        }
        for feature in training.features().iter().filter(|f| !phase.features.contains(f)) {
            remarks.push(format!("{discs} discs: {feature} does not vary and has no weight"));
        }
        if let Some(stop) = end.stop.filter(|&stop| stop != StopReason::Converged) {
            remarks.push(format!("{discs} discs: {title} stopped with '{}'", stop.word()));
        }
    }
    remarks
}

impl FitSettings {
    /// Everything but the threads, on which nothing depends.
    pub(crate) fn to_json(&self) -> Value {
        serde_json::json!({
            "discs_per_table_set": self.tables.stages.discs(),
            "kernel": self.tables.kernel,
            "back_off": self.tables.back_off,
            "evidence": self.evidence,
            "window": self.window,
            "least_rows": self.least_rows,
            "imbalance": self.imbalance,
            "levels": self.levels,
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
    use discern_eval::{Evaluator, Features, LinearModel, QuadraticModel};
    use discern_stats::Threads;

    use super::*;
    use crate::testing::classified_random_games;
    use crate::{Evidence, Split, compare, held_out};

    fn linear<'a>(weights: &'a Weights, name: &str) -> &'a LinearModel {
        weights.model(name).unwrap().get().unwrap()
    }

    fn quad(weights: &Weights) -> &QuadraticModel {
        weights.model("quad").unwrap().get().unwrap()
    }

    #[test]
    fn models_learned_from_random_games_know_more_than_nothing() {
        let positions = classified_random_games(11, 3000);
        let split = Split::by_group(&positions, 0.3, 1);
        let fitted = fit(&split.training, &FitSettings::default(), "test").unwrap();
        let models = fitted.weights.models().iter();
        let models: Vec<_> = models.map(|m| (m.title().to_owned(), m.evaluator())).collect();
        for model in compare(&models, &split.test, &[44..=48, 54..=58]) {
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
    fn weights_of_fewer_features_play_beside_others() {
        let positions = classified_random_games(13, 150);
        let fit = |features: &str| {
            let features: Features = features.parse().unwrap();
            let settings = FitSettings {
                features,
                least_rows: 500.0,
                models: crate::FITS.iter().collect(),
                ..FitSettings::default()
            };
            let weights = fit(&positions, &settings, "test").unwrap().weights;
            Weights::from_bytes(&weights.to_bytes()).unwrap()
        };
        let (all, fewer) = (fit(Features::PAPER), fit("-MOB,-R3,-C2x4"));
        assert_eq!(fewer.basis().features().len(), 10);
        assert_eq!(linear(&fewer, "log").phases.at(40).weights.len(), 10);
        let late: Vec<_> = positions.iter().filter(|p| p.board.discs() == 56).copied().collect();
        for model in all.models().iter().chain(fewer.models()) {
            let found = held_out(&model.evaluator(), &late).unwrap();
            // Random players choose no move, and there is nothing to adapt to.
            let adapted = model.name().starts_with("moves");
            assert!(adapted || found.discordance.unwrap()[0] < 0.25, "{} {found:?}", model.name());
            assert_eq!(model.manifest.data, all.models()[0].manifest.data);
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
            let [a, b] = [&a, &b].map(|weights| linear(weights, "log").phases.at(discs));
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
        let log = fitted.weights.model("log").unwrap();
        let manifest = &log.manifest;
        assert_eq!((manifest.positions, manifest.groups), (positions.len() as u64, 150));
        assert_eq!(manifest.settings["evidence"], "leave_group_out");
        assert!(manifest.remarks.iter().any(|remark| remark.starts_with("4 discs: fitted to")));
        let start = log.evaluator().evaluate(&discern_board::Board::START);
        assert!(start.log_odds().abs() < 1.0);
    }

    #[test]
    fn priors_from_the_data_move_the_values_of_the_discriminants_only() {
        let positions = classified_random_games(18, 150);
        let with = |prior| {
            let defaults = FitSettings::default();
            let settings = FitSettings { prior, least_rows: 500.0, levels: None, ..defaults };
            fit(&positions, &settings, "test").unwrap()
        };
        let (equal, data) = (with(Prior::Equal), with(Prior::FromData));
        assert_eq!(linear(&equal.weights, "log"), linear(&data.weights, "log"));
        for phase in &equal.phases {
            let (discs, moments) = (phase.discs, &phase.moments);
            let shift = (moments.won.weight / moments.lost.weight).ln();
            let [a, b] = [&equal, &data].map(|f| linear(&f.weights, "fisher").phases.at(discs));
            assert!((b.intercept - a.intercept - shift).abs() < 1e-9, "{discs} discs");
            assert_eq!(a.weights, b.weights);
            let [a, b] = [&equal, &data].map(|f| quad(&f.weights).phases.at(discs).constant);
            assert!((b - a - shift).abs() < 1e-9);
        }
    }

    #[test]
    fn without_its_levels_a_model_is_the_one_of_the_pool() {
        let positions = classified_random_games(19, 150);
        let with = |levels| {
            let settings = FitSettings { levels, least_rows: 500.0, ..FitSettings::default() };
            fit(&positions, &settings, "test").unwrap()
        };
        let (own, pooled) = (with(FitSettings::default().levels), with(None));
        assert!(pooled.levels.iter().all(Option::is_none));
        for (name, levels) in ["log", "fisher", "quad"].into_iter().zip(&own.levels) {
            let value = |fitted: &Fitted, board| {
                fitted.weights.model(name).unwrap().evaluator().evaluate(board).log_odds()
            };
            for position in positions.iter().step_by(97).filter(|p| !p.board.is_over()) {
                let (a, b) = (value(&own, &position.board), value(&pooled, &position.board));
                let level = levels.as_ref().unwrap().at(position.board.discs() as usize);
                // Values are whole thousandths.
                assert!((a - level - b).abs() < 0.002, "{name} {a} {level} {b}");
            }
        }
    }

    #[test]
    fn positions_that_groups_share_teach_nothing() {
        // The first moves aside, which the intercepts hear although all share them.
        let mut positions = classified_random_games(17, 150);
        positions.retain(|position| position.board.discs() >= 11);
        let settings = FitSettings { least_rows: 500.0, ..FitSettings::default() };
        let own: Vec<_> = positions.iter().copied().filter(|p| p.group % 10 != 0).collect();
        for position in positions.iter_mut().filter(|p| p.group % 10 == 0) {
            position.shared = true;
        }
        let (all, own) =
            (fit(&positions, &settings, "test").unwrap(), fit(&own, &settings, "test").unwrap());
        assert_eq!(all.weights.basis(), own.weights.basis());
        assert_eq!(linear(&all.weights, "log"), linear(&own.weights, "log"));
        assert_eq!(quad(&all.weights), quad(&own.weights));
        let left_out = positions.iter().filter(|p| p.shared).count();
        let remark = format!("{left_out} positions are shared by groups and were left out");
        assert!(all.weights.models()[2].manifest.remarks.contains(&remark));
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
