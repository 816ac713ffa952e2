//! Fitted weights: tables and models of all phases, and their file.

mod bytes;
mod expanded;
mod explain;
mod file;
mod manifest;
mod shipped;

use std::path::Path;

pub(crate) use expanded::Expanded;
pub use explain::{Contribution, Explanation, FeatureExplanation};
pub use file::{WeightsError, WriteWeightsError};
pub use manifest::Manifest;

use crate::{
    DirectModel, LinearEvaluator, LinearModel, Phases, QuadEvaluator, QuadraticModel, Tables,
};

/// Everything learned from one set of classified positions: the tables, and
/// the models LOG, FISHER and QUAD of every phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Where they come from.
    pub manifest: Manifest,
    /// Table values of the pattern features.
    pub tables: Tables,
    /// Logistic regression.
    pub log: Phases<LinearModel>,
    /// Fisher's linear discriminant.
    pub fisher: Phases<LinearModel>,
    /// The quadratic discriminant.
    pub quad: Phases<QuadraticModel>,
    /// A weight for every configuration, if it was fitted.
    pub direct: Option<DirectModel>,
}

impl Weights {
    /// Reads a weight file.
    ///
    /// # Errors
    /// If it cannot be read, is not a weight file, is damaged, or was made
    /// for other features.
    pub fn load(path: impl AsRef<Path>) -> Result<Weights, WeightsError> {
        Weights::from_bytes(&std::fs::read(path)?)
    }

    /// Writes a weight file: whole or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteWeightsError> {
        file::write_whole(path.as_ref(), &self.to_bytes())
    }

    /// The content of a weight file.
    ///
    /// # Errors
    /// As [`load`](Weights::load).
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        file::decode(bytes)
    }

    /// The content of the weight file: the same for equal weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::encode(self)
    }

    /// The evaluator of LOG, folded.
    pub fn log(&self) -> LinearEvaluator {
        LinearEvaluator::new(&self.tables, &self.log)
    }

    /// The evaluator of FISHER, folded.
    pub fn fisher(&self) -> LinearEvaluator {
        LinearEvaluator::new(&self.tables, &self.fisher)
    }

    /// The evaluator of QUAD.
    pub fn quad(&self) -> QuadEvaluator {
        QuadEvaluator::new(&self.tables, &self.quad)
    }

    /// The evaluator of the direct model, folded, if there is one: the
    /// strongest, for move ordering and play outside the paper's experiment.
    pub fn direct(&self) -> Option<LinearEvaluator> {
        self.direct.as_ref().map(LinearEvaluator::direct)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::testing::Seeded;

    use super::*;
    use crate::tables::tests::arbitrary;
    use crate::{DirectPhase, DirectSet, LinearErrors, Stages};

    /// Weights of arbitrary numbers, about as large as fitted ones.
    pub(crate) fn arbitrary_weights(seed: u64) -> Weights {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        let mut linear = || LinearModel {
            intercept: number(0.3),
            // Mobility counts moves; the tables give fractions.
            weights: std::array::from_fn(|j| number(if j < 2 { 0.1 } else { 2.0 })),
            errors: Some(LinearErrors {
                intercept: number(0.01),
                weights: std::array::from_fn(|_| number(0.01)),
            }),
        };
        let log = Phases::from_fn(|_| linear());
        let fisher = Phases::from_fn(|_| LinearModel { errors: None, ..linear() });
        let quad = Phases::from_fn(|_| {
            let model = linear();
            let mut quadratic = [[0.0; crate::FEATURES]; crate::FEATURES];
            for (a, row) in
                std::iter::repeat_with(|| linear().weights).take(crate::FEATURES).enumerate()
            {
                for b in 0..=a {
                    let scale = if a < 2 { 0.01 } else { 0.1 };
                    quadratic[a][b] = row[b] * scale;
                    quadratic[b][a] = row[b] * scale;
                }
            }
            QuadraticModel { constant: model.intercept, linear: model.weights, quadratic }
        });
        let stages = Stages::default();
        let sets = (0..stages.count() as u64).map(|stage| arbitrary(seed + stage)).collect();
        Weights {
            manifest: Manifest::new("test"),
            tables: Tables::new(stages, sets),
            log,
            fisher,
            quad,
            direct: Some(arbitrary_direct(seed)),
        }
    }

    fn arbitrary_direct(seed: u64) -> DirectModel {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        let stages = Stages::default();
        let mut set = |_| DirectSet::new(number(0.05), number(0.02), |_, _| number(0.5));
        let sets = (0..stages.count()).map(&mut set).collect();
        let phases = Phases::from_fn(|discs| DirectPhase {
            intercept: discs as f64 / 100.0,
            scale: 1.0 - discs as f64 / 200.0,
        });
        DirectModel::new(stages, sets, phases)
    }
}
