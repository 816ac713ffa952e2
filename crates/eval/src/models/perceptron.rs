use std::sync::Arc;

use discern_board::Board;

use super::{Kind, Model, Parts, in_turn};
use crate::bytes::{Reader, put_f64s};
use crate::fast::perceptron_evaluator;
use crate::{AnyEvaluator, Basis, Phases, Stages, WeightsError};

pub(crate) const KIND: Kind = Kind { name: "perceptron", decode };

/// Hidden units of a [`PerceptronModel`].
pub const UNITS: usize = 16;

/// A perceptron with one hidden layer on the features of the basis:
/// f(x) = bias + Σ out_u · max(0, constant_u + Σ weight_uj xⱼ).
#[derive(Debug, Clone, PartialEq)]
pub struct PerceptronModel {
    stages: Stages,
    layers: Vec<HiddenLayer>,
    /// The bias of each phase.
    pub biases: Phases<f64>,
}

/// The hidden layer of one stage of the game, [`UNITS`] units.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenLayer {
    /// The weights of the features, unit by unit.
    pub weights: Vec<Vec<f64>>,
    /// The constant of each unit.
    pub constants: Vec<f64>,
    /// What each unit adds to the value when it is on.
    pub outs: Vec<f64>,
}

impl HiddenLayer {
    /// What the units add up to.
    pub fn value(&self, x: &[f64]) -> f64 {
        let unit = |((weights, constant), out): ((&Vec<f64>, &f64), &f64)| {
            let sum = weights.iter().zip(x).fold(*constant, |sum, (w, x)| sum + w * x);
            out * sum.max(0.0)
        };
        self.weights.iter().zip(&self.constants).zip(&self.outs).map(unit).sum()
    }
}

impl PerceptronModel {
    /// A model with one hidden layer per stage.
    ///
    /// # Panics
    /// If there are more or fewer layers than stages, or units than [`UNITS`].
    pub fn new(stages: Stages, layers: Vec<HiddenLayer>, biases: Phases<f64>) -> PerceptronModel {
        assert_eq!(layers.len(), stages.count(), "one layer per stage");
        for layer in &layers {
            let units = [layer.weights.len(), layer.constants.len(), layer.outs.len()];
            assert_eq!(units, [UNITS; 3], "all units");
        }
        PerceptronModel { stages, layers, biases }
    }

    /// The stages of the layers.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// The layers in the order of the stages.
    pub fn layers(&self) -> &[HiddenLayer] {
        &self.layers
    }

    /// f(x) with this many discs.
    pub fn value(&self, discs: usize, x: &[f64]) -> f64 {
        self.biases.at(discs) + self.layers[self.stages.at(discs)].value(x)
    }
}

impl Model for PerceptronModel {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    /// A byte with the disc counts of a stage; of each stage, unit by unit, the
    /// weights, the constant and what it adds; then the bias of each phase.
    fn encode(&self, _: &Basis) -> Vec<u8> {
        let mut out = vec![self.stages.discs() as u8];
        for layer in &self.layers {
            for unit in 0..UNITS {
                put_f64s(&mut out, &layer.weights[unit]);
                put_f64s(&mut out, &[layer.constants[unit], layer.outs[unit]]);
            }
        }
        self.biases.iter().for_each(|(_, bias)| put_f64s(&mut out, &[*bias]));
        out
    }

    fn evaluator(&self, basis: &Basis) -> AnyEvaluator {
        perceptron_evaluator(basis, self)
    }

    fn explain(&self, _: &Basis, board: &Board, x: &[f64]) -> Parts {
        let discs = board.discs() as usize;
        in_turn(x.len(), |known| {
            let x: Vec<f64> = x.iter().zip(known).map(|(x, known)| x * known).collect();
            self.value(discs, &x)
        })
    }
}

fn decode(basis: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let stages = Stages::new(reader.u8()?.into());
    let stages = stages.ok_or(WeightsError::Malformed("it has impossible stages"))?;
    let mut layers = Vec::new();
    for _ in 0..stages.count() {
        let mut layer =
            HiddenLayer { weights: Vec::new(), constants: Vec::new(), outs: Vec::new() };
        for _ in 0..UNITS {
            layer.weights.push(reader.f64s(basis.features().len())?);
            layer.constants.push(reader.f64()?);
            layer.outs.push(reader.f64()?);
        }
        layers.push(layer);
    }
    let biases = Phases::try_from_fn(|_| reader.f64())?;
    reader.end()?;
    Ok(Arc::new(PerceptronModel::new(stages, layers, biases)))
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::testing::{Seeded, random_discs, random_game_boards};

    use super::*;
    use crate::basis::tests::arbitrary_basis;
    use crate::{Evaluator, Features};

    fn arbitrary(features: &Features, seed: u64) -> PerceptronModel {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        let size = |feature: &crate::Feature| 1.0 / feature.typical();
        let stages = Stages::new(15).unwrap();
        let layers = (0..stages.count()).map(|_| HiddenLayer {
            weights: (0..UNITS)
                .map(|_| features.iter().map(|f| number(size(f))).collect())
                .collect(),
            constants: (0..UNITS).map(|_| number(0.5)).collect(),
            outs: (0..UNITS).map(|_| number(0.5)).collect(),
        });
        let layers = layers.collect();
        PerceptronModel::new(stages, layers, Phases::from_fn(|discs| discs as f64 / 100.0))
    }

    #[test]
    fn fast_is_slow_and_the_explanation_adds_up() {
        for features in [Features::default(), Features::all()] {
            let basis = arbitrary_basis(features.clone(), 81);
            let model = arbitrary(&features, 82);
            let evaluator = model.evaluator(&basis);
            for board in random_game_boards(83, 30).chain(random_discs(84, 500)) {
                let x = basis.values(&board);
                let exact = model.value(board.discs() as usize, &x);
                let parts = model.explain(&basis, &board, &x);
                assert!((parts.value() - exact).abs() < 1e-9);
                let off = evaluator.evaluate(&board).log_odds() - exact.clamp(-15.0, 15.0);
                assert!(off.abs() < 0.002, "{off} at {exact}");
            }
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let features = Features::default();
        let (basis, model) = (arbitrary_basis(features.clone(), 85), arbitrary(&features, 86));
        let bytes = model.encode(&basis);
        assert_eq!(decode(&basis, &bytes).unwrap().encode(&basis), bytes);
        for length in [0, 1, 100, bytes.len() - 1] {
            assert!(decode(&basis, &bytes[..length]).is_err());
        }
    }
}
