//! A network on the patterns, and the sizes of its layers.

use std::sync::Arc;

use discern_board::Board;

use super::{Kind, Model, Parts, in_turn};
use crate::bytes::{Reader, put_f64s};
use crate::fast::network_evaluator;
use crate::patterns::{Indices, Occurrence, Orbits, PATTERNS};
use crate::tables::class_steps;
use crate::weights::{put_steps, steps};
use crate::{AnyEvaluator, Basis, Feature, Features, Phases, Stages, WeightsError};

pub(crate) const KIND: Kind = Kind { name: "network", decode };

/// Numbers of each configuration in a [`NetworkModel`]. The first half change
/// their sign when the colours are swapped, the others do not.
pub const LANES: usize = 8;
/// Those that change their sign.
pub const ODD: usize = LANES / 2;
/// Units of the first dense layer.
pub const FIRST: usize = 16;
/// Units of the second dense layer.
pub const SECOND: usize = 8;

/// A network on the patterns: every configuration has [`LANES`] numbers, those
/// of the board are added up, scalars join them, and two dense layers of
/// rectified units make a value of the sums:
/// f = bias + a₀ + third · relu(second · relu(first · a)).
///
/// The first sum also goes straight to the value, so that a network without
/// dense layers is the direct model.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkModel {
    stages: Stages,
    sets: Vec<NetworkSet>,
    /// The bias of each phase.
    pub biases: Phases<f64>,
}

/// The network of one stage of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkSet {
    /// The weights of each scalar among the features, lane by lane.
    pub scalars: Vec<[f64; LANES]>,
    /// The dense layers.
    pub dense: Dense,
    /// For each lane and pattern the number of each class of its configurations,
    /// in steps of 1/[`NetworkSet::STEPS`]; none if it is not a feature.
    steps: Vec<Vec<Vec<i16>>>,
}

/// Two layers of rectified units and what the second adds to the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense {
    /// Weights of the sums in each unit of the first layer.
    pub first: [[f32; LANES]; FIRST],
    /// Constants of the first layer.
    pub first_constants: [f32; FIRST],
    /// Weights of the first layer in each unit of the second.
    pub second: [[f32; FIRST]; SECOND],
    /// Constants of the second layer.
    pub second_constants: [f32; SECOND],
    /// Weights of the second layer in the value.
    pub third: [f32; SECOND],
    /// Weight of the first sum in the value.
    pub straight: f32,
}

impl Dense {
    /// Numbers of the layers.
    pub const SIZE: usize = FIRST * (LANES + 1) + SECOND * (FIRST + 1) + SECOND + 1;

    /// Nothing but the first sum.
    pub fn nothing() -> Dense {
        Dense {
            first: [[0.0; LANES]; FIRST],
            first_constants: [0.0; FIRST],
            second: [[0.0; FIRST]; SECOND],
            second_constants: [0.0; SECOND],
            third: [0.0; SECOND],
            straight: 1.0,
        }
    }

    /// Every number in the order of the file, to be read or changed.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.first
            .as_flattened_mut()
            .iter_mut()
            .chain(&mut self.first_constants)
            .chain(self.second.as_flattened_mut())
            .chain(&mut self.second_constants)
            .chain(&mut self.third)
            .chain(std::iter::once(&mut self.straight))
    }

    /// The value of these sums: the reference for everything fast.
    pub fn value(&self, sums: &[f64; LANES]) -> f64 {
        let layer = |rows: &[&[f32]], constants: &[f32], inputs: &[f64]| -> Vec<f64> {
            let unit = |(row, constant): (&&[f32], &f32)| {
                let inputs = row.iter().zip(inputs);
                let sum = inputs.fold(f64::from(*constant), |s, (w, x)| s + f64::from(*w) * x);
                sum.max(0.0)
            };
            rows.iter().zip(constants).map(unit).collect()
        };
        let rows: Vec<&[f32]> = self.first.iter().map(|row| &row[..]).collect();
        let first = layer(&rows, &self.first_constants, sums);
        let rows: Vec<&[f32]> = self.second.iter().map(|row| &row[..]).collect();
        let second = layer(&rows, &self.second_constants, &first);
        let third = second.iter().zip(&self.third).map(|(unit, w)| unit * f64::from(*w));
        f64::from(self.straight) * sums[0] + third.sum::<f64>()
    }
}

impl NetworkSet {
    /// Steps in 1.
    pub const STEPS: f64 = 512.0;

    /// Asks for the numbers of every class of configurations of the patterns
    /// among the features: `number(lane, pattern, class)`.
    pub fn new(
        features: &Features,
        scalars: Vec<[f64; LANES]>,
        dense: Dense,
        mut number: impl FnMut(usize, usize, usize) -> f64,
    ) -> NetworkSet {
        assert_eq!(scalars.len(), features.scalars().count(), "weights of every scalar");
        let mut lane = |lane| {
            class_steps(features, Orbits::classes, |pattern, class| {
                (number(lane, pattern, class) * NetworkSet::STEPS).round() as i16
            })
        };
        NetworkSet { scalars, dense, steps: (0..LANES).map(&mut lane).collect() }
    }

    /// The steps of each class of a pattern's configurations in a lane.
    pub fn classes(&self, lane: usize, pattern: usize) -> &[i16] {
        &self.steps[lane][pattern]
    }

    /// The value of a board without the bias.
    pub fn value(&self, features: &Features, board: &Board) -> f64 {
        let mut sums = [0.0; LANES];
        for part in self.sums(features, board) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        self.dense.value(&sums)
    }

    /// What each feature adds to the sums on a board.
    fn sums(&self, features: &Features, board: &Board) -> Vec<[f64; LANES]> {
        let indices = Indices::of(board);
        let mut by_pattern = [[0i32; LANES]; PATTERNS.len()];
        indices.occurrences(|Occurrence { pattern, configuration }| {
            let Some(signed) = Orbits::of(pattern).class(configuration) else { return };
            for (lane, sum) in by_pattern[pattern].iter_mut().enumerate() {
                let steps = self.steps[lane][pattern].get(signed.class).copied().unwrap_or(0);
                let turned = signed.swapped && lane < ODD;
                *sum += i32::from(if turned { -steps } else { steps });
            }
        });
        let lines = indices.mobility();
        let mut scalars = self.scalars.iter();
        let sum = |feature: &Feature| match feature.pattern() {
            Some(pattern) => by_pattern[pattern].map(|sum| f64::from(sum) / NetworkSet::STEPS),
            None => {
                let value = feature.value(board, &lines).unwrap_or(0.0);
                scalars.next().expect("weights of every scalar").map(|weight| weight * value)
            }
        };
        features.iter().map(sum).collect()
    }
}

impl NetworkModel {
    /// A model with one network per stage.
    ///
    /// # Panics
    /// If there are more or fewer networks than stages.
    pub fn new(stages: Stages, sets: Vec<NetworkSet>, biases: Phases<f64>) -> NetworkModel {
        assert_eq!(sets.len(), stages.count(), "one network per stage");
        NetworkModel { stages, sets, biases }
    }

    /// The stages of the networks.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// The networks in the order of the stages.
    pub fn sets(&self) -> &[NetworkSet] {
        &self.sets
    }

    /// f, the log-odds of a win for the mover: the reference for everything
    /// fast.
    pub fn value(&self, features: &Features, board: &Board) -> f64 {
        let discs = board.discs() as usize;
        self.biases.at(discs) + self.sets[self.stages.at(discs)].value(features, board)
    }
}

impl Model for NetworkModel {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    /// Lane by lane the stages and numbers as the tables of the file; of each
    /// stage the weights of the scalars and the dense layers; then the bias of
    /// each phase.
    fn encode(&self, basis: &Basis) -> Vec<u8> {
        let mut out = Vec::new();
        for lane in 0..LANES {
            let sets: Vec<_> = self.sets.iter().map(|set| &set.steps[lane][..]).collect();
            put_steps(&mut out, basis.features(), self.stages, Orbits::classes, &sets);
        }
        for set in &self.sets {
            set.scalars.iter().for_each(|weights| put_f64s(&mut out, weights));
            let mut dense = set.dense.clone();
            dense.numbers().for_each(|number| put_f64s(&mut out, &[f64::from(*number)]));
        }
        self.biases.iter().for_each(|(_, bias)| put_f64s(&mut out, &[*bias]));
        out
    }

    fn evaluator(&self, basis: &Basis) -> AnyEvaluator {
        network_evaluator(basis, self)
    }

    fn explain(&self, basis: &Basis, board: &Board, x: &[f64]) -> Parts {
        let discs = board.discs() as usize;
        let set = &self.sets[self.stages.at(discs)];
        let parts = set.sums(basis.features(), board);
        in_turn(x.len(), |known| {
            let mut sums = [0.0; LANES];
            for (part, known) in parts.iter().zip(known) {
                sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += known * part);
            }
            self.biases.at(discs) + set.dense.value(&sums)
        })
    }
}

fn decode(basis: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let features = basis.features();
    let mut by_stage: Vec<Vec<Vec<Vec<i16>>>> = Vec::new();
    let mut of_all = None;
    for _ in 0..LANES {
        let (stages, lane) = steps(&mut reader, features, Orbits::classes)?;
        if of_all.is_some_and(|known| known != stages) {
            return Err(WeightsError::Malformed("its lanes have different stages"));
        }
        of_all = Some(stages);
        by_stage.resize_with(lane.len(), Vec::new);
        by_stage.iter_mut().zip(lane).for_each(|(stage, lane)| stage.push(lane));
    }
    let stages = of_all.expect("there are lanes");
    let mut sets = Vec::new();
    for steps in by_stage {
        let mut scalars = Vec::new();
        for _ in features.scalars() {
            let weights = reader.f64s(LANES)?;
            scalars.push(weights.try_into().expect("as many as asked for"));
        }
        let mut dense = Dense::nothing();
        for number in dense.numbers() {
            *number = reader.f64()? as f32;
        }
        if dense.numbers().any(|number| !number.is_finite()) {
            return Err(WeightsError::Malformed("a weight is not a finite number"));
        }
        sets.push(NetworkSet { scalars, dense, steps });
    }
    let biases = Phases::try_from_fn(|_| reader.f64())?;
    reader.end()?;
    Ok(Arc::new(NetworkModel::new(stages, sets, biases)))
}

#[cfg(test)]
mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::{Seeded, random_discs, random_game_boards};

    use super::*;
    use crate::Evaluator;
    use crate::basis::tests::arbitrary_basis;

    fn arbitrary(features: &Features, seed: u64) -> NetworkModel {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        let stages = Stages::new(16).unwrap();
        let mut set = |_| {
            let scalar = |_| std::array::from_fn(|_| number(0.02));
            let scalars = features.scalars().map(scalar).collect();
            let mut dense = Dense::nothing();
            dense.numbers().for_each(|weight| *weight = number(0.4) as f32);
            NetworkSet::new(features, scalars, dense, |_, _, _| number(0.3))
        };
        let sets = (0..stages.count()).map(&mut set).collect();
        NetworkModel::new(stages, sets, Phases::from_fn(|discs| discs as f64 / 100.0 - 0.3))
    }

    #[test]
    fn fast_is_slow_in_all_images_and_the_explanation_adds_up() {
        for features in [Features::default(), Features::all(), "R2,MOB,E2X".parse().unwrap()] {
            let basis = arbitrary_basis(features.clone(), 91);
            let model = arbitrary(&features, 92);
            let evaluator = model.evaluator(&basis);
            for board in random_game_boards(93, 20).chain(random_discs(94, 300)) {
                let exact = model.value(&features, &board);
                let parts = model.explain(&basis, &board, &basis.values(&board));
                assert!((parts.value() - exact).abs() < 1e-9);
                for symmetry in [Symmetry::ALL[0], Symmetry::ALL[3], Symmetry::ALL[6]] {
                    let value = evaluator.evaluate(&symmetry.board(board)).log_odds();
                    let off = value - exact.clamp(-15.0, 15.0);
                    // Line scalars are rounded to a step in each of 34 lookups.
                    assert!(off.abs() < 0.05, "{off} at {exact}");
                }
            }
        }
    }

    #[test]
    fn without_dense_layers_it_is_a_sum_that_swapping_the_colours_negates() {
        let features = Features::default();
        let mut model = arbitrary(&features, 95);
        model.sets.iter_mut().for_each(|set| set.dense = Dense::nothing());
        model.biases = Phases::from_fn(|_| 0.0);
        for board in random_game_boards(96, 20) {
            let both = model.value(&features, &board) + model.value(&features, &board.pass());
            assert!(both.abs() < 1e-9);
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let features: Features = "MOB,R1,D5".parse().unwrap();
        let (basis, model) = (arbitrary_basis(features.clone(), 97), arbitrary(&features, 98));
        let bytes = model.encode(&basis);
        assert_eq!(decode(&basis, &bytes).unwrap().encode(&basis), bytes);
        for length in [0, 1, 1000, bytes.len() - 1] {
            assert!(decode(&basis, &bytes[..length]).is_err());
        }
    }
}
