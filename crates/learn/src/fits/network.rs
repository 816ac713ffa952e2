//! A network on the patterns themselves: a few numbers for every configuration,
//! added up, and two dense layers. Trained like the direct model, which it is
//! without its dense layers.

use std::sync::Arc;

use discern_eval::network::{FIRST, LANES, ODD, SECOND};
use discern_eval::patterns::{Indices, Occurrence, Orbits, PATTERNS};
use discern_eval::{
    Dense, FIRST_PHASE, Feature, Features, NetworkModel, NetworkSet, PHASES, Phases, Stages,
};
use serde_json::json;

use super::descent::{Weight, by_stage, noise, shuffled};
use super::{Fit, FittedModel};
use crate::levels::{LogisticMap, Valued};
use crate::split::deal;
use crate::{ClassifiedPosition, LearnError, Levels, Training};

pub(super) const FIT: Fit = Fit {
    name: "network",
    title: "NETWORK",
    description: "a network on the patterns: eight numbers a configuration, two dense layers",
    usual: false,
    fit,
};

/// Disc counts of a stage with a network of its own, and beyond it on either
/// side.
const STAGE: usize = 15;
const MARGIN: usize = 4;
const EPOCHS: u32 = 4;
const RATE: f32 = 0.03;
/// Penalty τ in Σ loss + τ/2 Σ number².
const RIDGE: f32 = 2.0;
/// Share of the groups kept apart to find scale and biases.
const APART: f64 = 0.05;
const APART_SEED: u64 = 0x0a9a_127e;

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let stages = Stages::new(STAGE).expect("fewer than all disc counts");
    let features = training.features();
    let settings = training.settings();
    let usable = |p: &&ClassifiedPosition| !p.shared && !p.board.is_over();
    let apart = |p: &ClassifiedPosition| deal(p.group, APART_SEED) < APART;
    let held: Vec<&ClassifiedPosition> =
        training.positions().iter().filter(usable).filter(|p| apart(p)).collect();
    let sets = by_stage(stages.count(), settings.threads.count(), |stage| {
        let near = |p: &&ClassifiedPosition| {
            let discs = p.board.discs() as usize;
            (discs.saturating_sub(MARGIN).max(FIRST_PHASE)..=discs + MARGIN)
                .any(|discs| stages.at(discs) == stage)
        };
        let positions = training.positions().iter().filter(usable);
        let mine = positions.filter(|p| !apart(p) && near(p));
        let set = Descent::new(features, mine).run(features, stage as u64);
        let own = held.iter().filter(|p| stages.at(p.board.discs() as usize) == stage);
        scaled(set, features, own.copied())
    });
    let mut model = NetworkModel::new(stages, sets, Phases::from_fn(|_| 0.0));
    let mut values = vec![Vec::new(); PHASES];
    for position in &held {
        let value = model.value(features, &position.board) as f32;
        let outcome = position.points() as f32;
        values[position.board.discs() as usize - FIRST_PHASE].push(Valued { value, outcome });
    }
    let biases = settings.levels.unwrap_or(Levels { smoothing: 1.0 }).of(
        &values,
        &Phases::from_fn(|discs| model.sets()[stages.at(discs)].dense.value(&[0.0; LANES])),
    );
    let settings = json!({
        "numbers_per_configuration": LANES, "units": [FIRST, SECOND], "discs_per_stage": STAGE,
        "margin": MARGIN, "epochs": EPOCHS, "rate": RATE.to_string(), "ridge": RIDGE.to_string(),
        "apart": APART, "features": features.to_string(),
    });
    model.biases = biases;
    Ok(FittedModel { model: Arc::new(model), settings, ends: Vec::new(), levels: None })
}

/// As sure of itself as positions that it has not seen allow.
fn scaled<'p>(
    mut set: NetworkSet,
    features: &Features,
    held: impl Iterator<Item = &'p ClassifiedPosition>,
) -> NetworkSet {
    let values: Vec<Valued> = held
        .map(|p| Valued { value: set.value(features, &p.board) as f32, outcome: p.points() as f32 })
        .collect();
    if let Some(map) = LogisticMap::fit(values.iter())
        && map.slope > 0.0
    {
        let by = map.slope as f32;
        set.dense.third.iter_mut().for_each(|weight| *weight *= by);
        set.dense.straight *= by;
    }
    set
}

/// The inputs of the positions of a stage.
struct Descent {
    /// Per position a fixed number of signed places: ±(place + 1), 0 for none.
    codes: Vec<i32>,
    width: usize,
    /// Per position the scalars, divided by their typical size.
    scalars: Vec<f32>,
    outcomes: Vec<f32>,
    /// Where the classes of each pattern among the features begin.
    offsets: [Option<usize>; PATTERNS.len()],
    places: usize,
}

impl Descent {
    fn new<'p>(
        features: &Features,
        positions: impl Iterator<Item = &'p ClassifiedPosition>,
    ) -> Descent {
        let (mut offsets, mut places) = ([None; PATTERNS.len()], 0);
        for pattern in features.patterns() {
            offsets[pattern] = Some(places);
            places += Orbits::of(pattern).classes();
        }
        let (codes, scalars, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut descent = Descent { codes, width: 0, scalars, outcomes, offsets, places };
        for position in positions {
            descent.push(features, position);
        }
        descent
    }

    fn push(&mut self, features: &Features, position: &ClassifiedPosition) {
        let indices = Indices::of(&position.board);
        let before = self.codes.len();
        indices.occurrences(|Occurrence { pattern, configuration }| {
            let Some(offset) = self.offsets[pattern] else { return };
            let code = Orbits::of(pattern).class(configuration).map_or(0, |signed| {
                let code = (offset + signed.class) as i32 + 1;
                if signed.swapped { -code } else { code }
            });
            self.codes.push(code);
        });
        self.width = self.codes.len() - before;
        let lines = indices.mobility();
        self.scalars.extend(features.scalars().map(|scalar| {
            let value = scalar.value(&position.board, &lines).expect("a scalar");
            (value / scalar.typical()) as f32
        }));
        self.outcomes.push(position.points() as f32);
    }

    fn run(&self, features: &Features, seed: u64) -> NetworkSet {
        let scalars = features.scalars().count();
        let mut net = Net::new(self.places, scalars, seed);
        for code in &self.codes {
            if *code != 0 {
                net.seen[code.unsigned_abs() as usize - 1] += 1.0;
            }
        }
        let order = shuffled(self.outcomes.len(), seed);
        for epoch in 0..EPOCHS {
            let rate = RATE / (1.0 + epoch as f32 / 2.0);
            for &row in &order {
                let row = row as usize;
                let codes = &self.codes[row * self.width..][..self.width];
                net.learn(
                    codes,
                    &self.scalars[row * scalars..][..scalars],
                    self.outcomes[row],
                    rate,
                );
            }
        }
        net.set(features, &self.offsets)
    }
}

/// A network under training.
struct Net {
    /// The numbers of every place.
    table: Vec<[Weight; LANES]>,
    /// Occurrences of every place, over which the ridge is spread.
    seen: Vec<f32>,
    scalars: Vec<[Weight; LANES]>,
    /// Unit by unit the weights of the sums, the constant last.
    first: [[Weight; LANES + 1]; FIRST],
    /// The same of the first layer.
    second: [[Weight; FIRST + 1]; SECOND],
    third: [Weight; SECOND],
    bias: Weight,
}

/// What the layers say on the way to a value.
struct Forward {
    sums: [f32; LANES],
    first: [f32; FIRST],
    second: [f32; SECOND],
    value: f32,
}

impl Net {
    fn new(places: usize, scalars: usize, seed: u64) -> Net {
        let mut noise = noise(seed ^ 0x4e74_0217);
        let mut weight = move |size: f32| Weight::new(size * noise());
        // The first lane goes straight to the value and begins as nothing.
        let mut numbers =
            |size| std::array::from_fn(|lane| weight(if lane > 0 { size } else { 0.0 }));
        let table = (0..places).map(|_| numbers(0.1)).collect();
        let scalars = (0..scalars).map(|_| numbers(0.1)).collect();
        Net {
            table,
            seen: vec![0.0; places],
            scalars,
            first: std::array::from_fn(|_| std::array::from_fn(|_| weight(0.5))),
            second: std::array::from_fn(|_| std::array::from_fn(|_| weight(0.35))),
            third: std::array::from_fn(|_| weight(0.35)),
            bias: Weight::default(),
        }
    }

    fn forward(&self, codes: &[i32], scalars: &[f32]) -> Forward {
        let mut sums = [0.0; LANES];
        for &code in codes.iter().filter(|code| **code != 0) {
            let signs = signs(code);
            let numbers = &self.table[code.unsigned_abs() as usize - 1];
            for lane in 0..LANES {
                sums[lane] += signs[lane] * numbers[lane].value;
            }
        }
        for (x, weights) in scalars.iter().zip(&self.scalars) {
            for lane in 0..LANES {
                sums[lane] += x * weights[lane].value;
            }
        }
        let first = self.first.each_ref().map(|unit| rectified(unit, &sums));
        let second = self.second.each_ref().map(|unit| rectified(unit, &first));
        let third = second.iter().zip(&self.third).map(|(unit, weight)| unit * weight.value);
        let value = self.bias.value + sums[0] + third.sum::<f32>();
        Forward { sums, first, second, value }
    }

    fn learn(&mut self, codes: &[i32], scalars: &[f32], outcome: f32, rate: f32) {
        self.gradient(codes, scalars, outcome, RIDGE, |weight, gradient| {
            weight.step(gradient, rate)
        });
    }

    /// Hands over the weights that this row has to do with, and the gradient of
    /// the log loss and the row's share of the penalty.
    fn gradient(
        &mut self,
        codes: &[i32],
        scalars: &[f32],
        outcome: f32,
        ridge: f32,
        mut visit: impl FnMut(&mut Weight, f32),
    ) {
        let Forward { sums, first, second, value } = self.forward(codes, scalars);
        let error = 1.0 / (1.0 + (-value).exp()) - outcome;
        let mut to_first = [0.0; FIRST];
        for ((unit, weights), third) in second.iter().zip(&mut self.second).zip(&mut self.third) {
            if *unit > 0.0 {
                let pull = error * third.value;
                for (to, weight) in to_first.iter_mut().zip(weights.iter()) {
                    *to += pull * weight.value;
                }
                for (weight, x) in weights.iter_mut().zip(first.iter().chain(&[1.0])) {
                    visit(weight, pull * x);
                }
                visit(third, error * unit);
            }
        }
        let mut to_sums = [0.0; LANES];
        to_sums[0] = error;
        for ((unit, weights), pull) in first.iter().zip(&mut self.first).zip(to_first) {
            if *unit > 0.0 {
                for (to, weight) in to_sums.iter_mut().zip(weights.iter()) {
                    *to += pull * weight.value;
                }
                for (weight, x) in weights.iter_mut().zip(sums.iter().chain(&[1.0])) {
                    visit(weight, pull * x);
                }
            }
        }
        visit(&mut self.bias, error);
        for (x, weights) in scalars.iter().zip(&mut self.scalars) {
            for (weight, to) in weights.iter_mut().zip(to_sums) {
                visit(weight, x * to);
            }
        }
        for &code in codes.iter().filter(|code| **code != 0) {
            let (signs, place) = (signs(code), code.unsigned_abs() as usize - 1);
            let penalty = ridge / self.seen[place].max(1.0);
            let numbers = &mut self.table[place];
            for lane in 0..LANES {
                let number = numbers[lane].value;
                visit(&mut numbers[lane], signs[lane] * to_sums[lane] + penalty * number);
            }
        }
    }

    fn set(&self, features: &Features, offsets: &[Option<usize>; PATTERNS.len()]) -> NetworkSet {
        let mut dense = Dense::nothing();
        for (unit, weights) in self.first.iter().enumerate() {
            dense.first[unit] = std::array::from_fn(|lane| weights[lane].value);
            dense.first_constants[unit] = weights[LANES].value;
        }
        for (unit, weights) in self.second.iter().enumerate() {
            dense.second[unit] = std::array::from_fn(|x| weights[x].value);
            dense.second_constants[unit] = weights[FIRST].value;
        }
        dense.third = self.third.map(|weight| weight.value);
        let scalar = |(weights, scalar): (&[Weight; LANES], Feature)| {
            weights.map(|weight| f64::from(weight.value) / scalar.typical())
        };
        let scalars = self.scalars.iter().zip(features.scalars()).map(scalar).collect();
        NetworkSet::new(features, scalars, dense, |lane, pattern, class| {
            let place = offsets[pattern].expect("one of the features") + class;
            // What never occurred stays nothing.
            match self.seen[place] > 0.0 {
                true => self.table[place][lane].value.into(),
                false => 0.0,
            }
        })
    }
}

/// What a place counts in each lane: swapped colours turn the odd ones round.
#[inline(always)]
fn signs(code: i32) -> [f32; LANES] {
    let odd = if code < 0 { -1.0 } else { 1.0 };
    std::array::from_fn(|lane| if lane < ODD { odd } else { 1.0 })
}

/// A unit: the constant is its last weight.
#[inline(always)]
fn rectified(weights: &[Weight], inputs: &[f32]) -> f32 {
    let sum = inputs.iter().zip(weights).map(|(x, weight)| x * weight.value).sum::<f32>();
    (sum + weights[inputs.len()].value).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::classified_random_games;

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (codes, scalars) = ([1, -3, 0, 2, -3], [0.4]);
        let mut net = Net::new(3, 1, 5);
        net.table.iter_mut().for_each(|numbers| numbers[0] = Weight::new(0.2));
        let loss = |net: &Net| {
            let value = f64::from(net.forward(&codes, &scalars).value);
            (1.0 + (-value).exp()).ln()
        };
        // The gradients by the address of their weight: the net does not move.
        let mut gradients: Vec<(usize, f32)> = Vec::new();
        net.gradient(&codes, &scalars, 1.0, 0.0, |weight, gradient| {
            gradients.push((std::ptr::from_mut(weight).addr(), gradient));
        });
        fn all(net: &mut Net) -> Vec<&mut Weight> {
            let Net { table, scalars, first, second, third, bias, .. } = net;
            let tables = table.iter_mut().chain(scalars).flatten();
            let dense = first.iter_mut().flatten().chain(second.iter_mut().flatten());
            tables.chain(dense).chain(third).chain([bias]).collect()
        }
        let (mut checked, count) = (0, all(&mut net).len());
        for place in 0..count {
            let address = std::ptr::from_mut(&mut *all(&mut net)[place]).addr();
            let found: f32 = gradients.iter().filter(|g| g.0 == address).map(|g| g.1).sum();
            let mut moved = |by: f32| {
                all(&mut net)[place].value += by;
                loss(&net)
            };
            let (up, down) = (moved(1e-3), moved(-2e-3));
            moved(1e-3);
            let slope = (up - down) / 2e-3;
            assert!((slope - f64::from(found)).abs() < 3e-3, "{place}: {slope} {found}");
            checked += usize::from(found.abs() > 1e-3);
        }
        assert!(checked > 30, "{checked}");
    }

    #[test]
    fn the_model_says_what_the_net_says() {
        let positions = classified_random_games(62, 20);
        let features = Features::default();
        let late: Vec<_> = positions.iter().filter(|p| p.board.discs() >= 50).collect();
        let descent = Descent::new(&features, late.iter().copied());
        let mut net = Net::new(descent.places, 2, 7);
        net.seen.fill(1.0);
        let set = net.set(&features, &descent.offsets);
        for (row, position) in late.iter().enumerate() {
            let codes = &descent.codes[row * descent.width..][..descent.width];
            let value = net.forward(codes, &descent.scalars[2 * row..][..2]).value;
            let theirs = set.value(&features, &position.board);
            // Rounded to steps in some 58 places.
            assert!((f64::from(value) - theirs).abs() < 0.03, "{value} {theirs}");
        }
    }
}
