//! Direct: logistic regression on all configurations at once, an extension of
//! the paper. One weight per class of configurations and stage, fitted by
//! stochastic gradient descent with a step of its own per weight (AdaGrad,
//! Duchi et al. 2011) and a ridge; the parts of a configuration that little
//! is known of stay near 0.

use std::sync::Arc;

use discern_eval::patterns::{Indices, Occurrence, Orbits, PATTERNS};
use discern_eval::{DirectModel, DirectPhase, DirectSet, FIRST_PHASE, Features, Phases, Stages};
use discern_stats::{Dataset, ErrorKind, Estimator, Example, Logistic, Threads, Trials};
use serde_json::json;

use super::{Fit, FittedModel};
use crate::split::{deal, mix};
use crate::{ClassifiedPosition, LearnError, Training};

pub(super) const FIT: Fit = Fit {
    name: "direct",
    title: "DIRECT",
    description: "logistic regression on all configurations",
    usual: false,
    fit,
};

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let settings =
        DirectSettings { threads: training.settings().threads, ..DirectSettings::default() };
    let model = fit_direct(training.positions(), training.features(), &settings)?;
    let settings = json!({
        "discs_per_table_set": settings.stages.discs(),
        "margin": settings.margin,
        "epochs": settings.epochs,
        // As they are written, not the nearest 64-bit number.
        "rate": settings.rate.to_string().parse::<f64>().expect("a number"),
        "ridge": settings.ridge.to_string().parse::<f64>().expect("a number"),
        "calibration_share": settings.calibration_share,
        "features": training.features().to_string(),
    });
    Ok(FittedModel { model: Arc::new(model), settings, ends: Vec::new() })
}

/// How the direct model is fitted. The defaults are what held-out games
/// preferred.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectSettings {
    /// The stages with a set of weights each.
    pub stages: Stages,
    /// Disc counts beyond a stage on either side whose positions it also sees.
    pub margin: usize,
    /// Passes over the positions.
    pub epochs: u32,
    /// Step size.
    pub rate: f32,
    /// Penalty τ in Σ loss + τ/2 Σ weight².
    pub ridge: f32,
    /// Share of the groups kept apart to find intercept and scale of each
    /// phase.
    pub calibration_share: f64,
    /// Threads; the result does not depend on it.
    pub threads: Threads,
}

impl Default for DirectSettings {
    fn default() -> DirectSettings {
        DirectSettings {
            stages: Stages::default(),
            margin: 4,
            epochs: 4,
            rate: 0.03,
            ridge: 2.0,
            calibration_share: 0.05,
            threads: Threads::default(),
        }
    }
}

/// Deals the groups to descent and calibration.
const CALIBRATION_SEED: u64 = 0xca1b;

/// Fits the direct model.
///
/// # Errors
/// If the positions kept apart for the calibration have only one outcome.
pub fn fit_direct(
    positions: &[ClassifiedPosition],
    features: &Features,
    settings: &DirectSettings,
) -> Result<DirectModel, LearnError> {
    let apart =
        |p: &&ClassifiedPosition| deal(p.group, CALIBRATION_SEED) < settings.calibration_share;
    let usable = |p: &&ClassifiedPosition| !p.shared && !p.board.is_over();
    let stages = settings.stages;
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut sets: Vec<(usize, DirectSet)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                // The late stages first: they hold as many positions and more discs.
                let taken = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if taken >= stages.count() {
                    return done;
                }
                let stage = stages.count() - 1 - taken;
                let near = |p: &&ClassifiedPosition| {
                    let discs = p.board.discs() as usize;
                    (discs.saturating_sub(settings.margin)..=discs + settings.margin)
                        .any(|discs| stages.at(discs.max(FIRST_PHASE)) == stage)
                };
                let mine = positions.iter().filter(|p| usable(p) && !apart(p) && near(p));
                done.push((stage, Descent::new(features, mine, stage as u64).run(settings)));
            }
        };
        let handles: Vec<_> = (0..settings.threads.count()).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|h| h.join().expect("descent does not panic")).collect()
    });
    sets.sort_by_key(|(stage, _)| *stage);
    let sets: Vec<DirectSet> = sets.into_iter().map(|(_, set)| set).collect();
    let held: Vec<&ClassifiedPosition> =
        positions.iter().filter(|p| usable(p) && apart(p)).collect();
    let phases = calibrate(&held, features, stages, &sets, settings)?;
    Ok(DirectModel::new(stages, sets, phases))
}

/// The inputs of a position: where its configurations are counted.
struct Descent<'a> {
    features: &'a Features,
    /// Per position a fixed number of signed places: ±(place + 1), 0 for none.
    codes: Vec<i32>,
    width: usize,
    /// Per position the scalars, divided by their typical size to be about as
    /// large as the other inputs.
    scalars: Vec<f32>,
    outcome: Vec<f32>,
    /// Parity of the disc count, which has an intercept of its own.
    odd: Vec<bool>,
    /// Where the classes of each pattern among the features begin.
    offsets: [Option<usize>; PATTERNS.len()],
    places: usize,
    order: Vec<u32>,
}

impl<'a> Descent<'a> {
    fn new<'p>(
        features: &'a Features,
        positions: impl Iterator<Item = &'p ClassifiedPosition>,
        seed: u64,
    ) -> Descent<'a> {
        let mut offsets = [None; PATTERNS.len()];
        let mut places = 0;
        for pattern in features.patterns() {
            offsets[pattern] = Some(places);
            places += Orbits::of(pattern).classes();
        }
        let mut descent = Descent {
            features,
            codes: Vec::new(),
            width: 0,
            scalars: Vec::new(),
            outcome: Vec::new(),
            odd: Vec::new(),
            offsets,
            places,
            order: Vec::new(),
        };
        for position in positions {
            descent.push(position);
        }
        descent.shuffle(seed);
        descent
    }

    fn push(&mut self, position: &ClassifiedPosition) {
        let indices = Indices::of(&position.board);
        let (offsets, before) = (self.offsets, self.codes.len());
        indices.occurrences(|Occurrence { pattern, configuration }| {
            let Some(offset) = offsets[pattern] else { return };
            let code = Orbits::of(pattern).class(configuration).map_or(0, |signed| {
                let code = (offset + signed.class) as i32 + 1;
                if signed.swapped { -code } else { code }
            });
            self.codes.push(code);
        });
        self.width = self.codes.len() - before;
        let lines = indices.mobility();
        self.scalars.extend(self.features.scalars().map(|scalar| {
            let value = scalar.value(&position.board, &lines).expect("a scalar");
            value as f32 / scalar.typical() as f32
        }));
        self.outcome.push(position.points() as f32);
        self.odd.push(position.board.discs() % 2 == 1);
    }

    /// A fixed random order, so that neighbours of one game do not follow each
    /// other.
    fn shuffle(&mut self, seed: u64) {
        self.order = (0..self.outcome.len() as u32).collect();
        self.order.sort_by_cached_key(|&row| mix(row, seed));
    }

    fn run(&self, settings: &DirectSettings) -> DirectSet {
        // Places, then the scalars, then the two intercepts.
        let (dense, scalars) = (self.places, self.features.scalars().count());
        let mut weights = vec![Weight::default(); dense + scalars + 2];
        for code in &self.codes {
            if *code != 0 {
                weights[code.unsigned_abs() as usize - 1].seen += 1.0;
            }
        }
        for weight in &mut weights[dense..] {
            weight.seen = self.outcome.len() as f32;
        }
        for epoch in 0..settings.epochs {
            // Halved towards the end, so that the last steps average out.
            let rate = settings.rate / (1.0 + epoch as f32 / 3.0);
            for &row in &self.order {
                let row = row as usize;
                let codes = &self.codes[row * self.width..][..self.width];
                let inputs = &self.scalars[row * scalars..][..scalars];
                let intercept = dense + scalars + usize::from(self.odd[row]);
                let dense_weights = &weights[dense..][..scalars];
                let mut sum: f32 = inputs.iter().zip(dense_weights).map(|(x, w)| x * w.value).sum();
                sum += weights[intercept].value;
                for &code in codes {
                    if code > 0 {
                        sum += weights[code as usize - 1].value;
                    } else if code < 0 {
                        sum -= weights[(-code) as usize - 1].value;
                    }
                }
                let error = 1.0 / (1.0 + (-sum).exp()) - self.outcome[row];
                for (x, weight) in inputs.iter().zip(&mut weights[dense..][..scalars]) {
                    weight.step(error * x, rate, settings.ridge);
                }
                weights[intercept].step(error, rate, settings.ridge);
                for &code in codes {
                    if code > 0 {
                        weights[code as usize - 1].step(error, rate, settings.ridge);
                    } else if code < 0 {
                        weights[(-code) as usize - 1].step(-error, rate, settings.ridge);
                    }
                }
            }
        }
        let scalar = |(place, scalar): (usize, discern_eval::Feature)| {
            f64::from(weights[place].value) / scalar.typical()
        };
        let scalars = (dense..).zip(self.features.scalars()).map(scalar).collect();
        DirectSet::new(self.features, scalars, |pattern, class| {
            let offset = self.offsets[pattern].expect("one of the features");
            f64::from(weights[offset + class].value)
        })
    }
}

/// A weight under descent.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    value: f32,
    /// Sum of the squared gradients so far.
    squares: f32,
    /// Occurrences, over which the ridge is spread.
    seen: f32,
}

impl Weight {
    #[inline(always)]
    fn step(&mut self, gradient: f32, rate: f32, ridge: f32) {
        let gradient = gradient + ridge / self.seen * self.value;
        self.squares += gradient * gradient;
        self.value -= rate * gradient / (self.squares + 1.0).sqrt();
    }
}

/// Intercept and scale of each phase: LOG with the sum as its only feature,
/// on positions the descent has not seen, pooled over ±2 discs of the same
/// parity.
fn calibrate(
    held: &[&ClassifiedPosition],
    features: &Features,
    stages: Stages,
    sets: &[DirectSet],
    settings: &DirectSettings,
) -> Result<Phases<DirectPhase>, LearnError> {
    let sums: Vec<(usize, f64, f64)> = held
        .iter()
        .map(|position| {
            let discs = position.board.discs() as usize;
            (discs, sets[stages.at(discs)].sum(features, &position.board), position.points())
        })
        .collect();
    let logistic = Logistic {
        trials: Trials::One,
        threads: settings.threads,
        errors: ErrorKind::Information,
        ..Logistic::default()
    };
    let mut last = None;
    let mut failed = None;
    let phases = Phases::from_fn(|discs| {
        // Widened until there are enough of both outcomes.
        for reach in (2..=LARGEST_REACH).step_by(2) {
            let mut data = Dataset::builder(["sum"]);
            let mut rows = 0;
            for &(other, sum, points) in &sums {
                if other.abs_diff(discs) <= reach && other % 2 == discs % 2 {
                    data.push(&Example::new(&[sum], points)).expect("finite numbers");
                    rows += 1;
                }
            }
            if rows < LEAST_ROWS && reach < LARGEST_REACH {
                continue;
            }
            match logistic.fit(&data.finish()) {
                Ok(fit) => {
                    let [intercept, scale] = [fit.coefficients[0], fit.coefficients[1]];
                    last = Some(DirectPhase { intercept, scale });
                    return last;
                }
                Err(error) => failed = Some(error),
            }
        }
        last
    });
    match failed {
        Some(error) if phases.iter().any(|(_, phase)| phase.is_none()) => {
            Err(LearnError::TooFew(error))
        }
        _ => Ok(phases.map(|_, phase| phase.unwrap_or(DirectPhase { intercept: 0.0, scale: 1.0 }))),
    }
}

/// Positions from which a phase is calibrated on its own.
const LEAST_ROWS: usize = 1000;
/// Beyond the last phase from the first one.
const LARGEST_REACH: usize = 62;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::classified_random_games;
    use crate::{FitSettings, Split, fit, fit_named, quality};

    #[test]
    fn weights_of_configurations_tell_won_from_lost_in_games_not_seen() {
        let positions = classified_random_games(51, 3000);
        let split = Split::by_group(&positions, 0.3, 1);
        let models = vec![fit_named("direct").unwrap()];
        let settings = FitSettings { models, ..FitSettings::default() };
        let fitted = fit(&split.training, &settings, "test").unwrap();
        let evaluator = fitted.weights.model("direct").unwrap().evaluator();
        let quality = quality("DIRECT", &evaluator, &split.test, &[54..=58]);
        let late = &quality.phases[0];
        let discordance = late.metrics.discordance.as_ref().unwrap().value;
        assert!(discordance < 0.2, "{discordance}");
        assert!(late.worst_calibration(0.02) < 0.1, "{}", late.worst_calibration(0.02));
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let positions = classified_random_games(52, 200);
        let with = |threads| {
            let settings =
                DirectSettings { threads: Threads::new(threads), ..DirectSettings::default() };
            fit_direct(&positions, &Features::default(), &settings).unwrap()
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn without_positions_there_is_no_model() {
        assert!(fit_direct(&[], &Features::default(), &DirectSettings::default()).is_err());
    }
}
