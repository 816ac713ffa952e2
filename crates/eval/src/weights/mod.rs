//! Fitted weights: features, tables and models, and their file.

mod explain;
mod file;
mod manifest;
mod named;

use std::path::Path;
use std::sync::{Arc, OnceLock};

pub use explain::{Explanation, FeatureExplanation, ModelExplanation, Named, NamedParts};
pub use file::WeightsError;
pub(crate) use file::{Steps, put_steps, steps};
pub use manifest::{HeldOut, Manifest};
pub use named::NamedModel;

use crate::{AnyEvaluator, Basis, MissingModel, evaluator};

/// The kind of model that plays best, wherever it was fitted.
pub const STRONGEST: &str = "direct";

/// A model that cannot stand beside models of other tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model '{0}' looks at the tables of its own file, which cannot be kept beside others")]
pub struct OtherTables(String);

/// A list of features, the tables of those that are patterns, and any number
/// of models made of them.
#[derive(Debug, Clone)]
pub struct Weights {
    basis: Arc<Basis>,
    models: Vec<NamedModel>,
    hash: OnceLock<String>,
}

impl Weights {
    /// Weights with these models.
    ///
    /// # Panics
    /// If a model was made for another basis or two have the same name.
    pub fn new(basis: Arc<Basis>, models: Vec<NamedModel>) -> Weights {
        for (place, model) in models.iter().enumerate() {
            assert!(Arc::ptr_eq(model.basis(), &basis), "one basis for all models");
            let again = models[..place].iter().any(|other| other.name() == model.name());
            assert!(!again, "two models are called {}", model.name());
        }
        Weights { basis, models, hash: OnceLock::new() }
    }

    /// These models and those of `others` that have other names: new tables and
    /// models, say, with the direct model as it was.
    ///
    /// # Errors
    /// If one of them needs the tables of `others`.
    pub fn keeping(&self, others: &Weights) -> Result<Weights, OtherTables> {
        let mut models = self.models.clone();
        for other in &others.models {
            if models.iter().any(|model| model.name() == other.name()) {
                continue;
            }
            if !other.has_own_features() {
                return Err(OtherTables(other.name().to_owned()));
            }
            models.push(other.beside(&self.basis));
        }
        Ok(Weights::new(self.basis.clone(), models))
    }

    /// Reads a weight file.
    ///
    /// # Errors
    /// If it cannot be read, is not a weight file, is damaged, or has features
    /// or kinds of models that this program does not know.
    pub fn load(path: impl AsRef<Path>) -> Result<Weights, WeightsError> {
        Weights::from_bytes(&discern_files::read(path, file::MAX_UNPACKED as u64)?)
    }

    /// Writes a weight file, whole or not at all, in place of any other.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        discern_files::write(path, &self.to_bytes(), true)
    }

    /// The content of a weight file.
    ///
    /// # Errors
    /// As [`load`](Weights::load).
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let weights = file::decode(bytes)?;
        Ok(Weights { hash: OnceLock::from(hash(bytes)), ..weights })
    }

    /// The content of the weight file: the same for equal weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::encode(self)
    }

    /// What tells these weights from others: the first 32 hexadecimal digits
    /// of the BLAKE3 hash of their file.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| hash(&self.to_bytes()))
    }

    /// The features and their tables.
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// All models, in the order of their file.
    pub fn models(&self) -> &[NamedModel] {
        &self.models
    }

    /// The model that plays best, [`STRONGEST`] or else the first; `None` if
    /// there are none.
    pub fn strongest(&self) -> Option<&NamedModel> {
        self.model(STRONGEST).ok().or(self.models.first())
    }

    /// The evaluators of these names, hand-set ones among them, or of all
    /// models.
    ///
    /// # Errors
    /// If there is none of some name.
    pub fn evaluators(
        &self,
        names: &[String],
    ) -> Result<Vec<(String, AnyEvaluator)>, MissingModel> {
        let all = || self.models.iter().map(|model| model.name().to_owned()).collect();
        let names: Vec<String> = if names.is_empty() { all() } else { names.to_vec() };
        let named = |name: String| Ok((name.clone(), evaluator(&name, Some(self))?));
        names.into_iter().map(named).collect()
    }

    /// The model of this name.
    ///
    /// # Errors
    /// If there is none; the error lists those there are.
    pub fn model(&self, name: &str) -> Result<&NamedModel, MissingModel> {
        let found = self.models.iter().find(|model| model.name() == name);
        found.ok_or_else(|| MissingModel::new(name, Some(self)))
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

impl PartialEq for Weights {
    fn eq(&self, other: &Weights) -> bool {
        self.basis == other.basis && self.models == other.models
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::testing::Seeded;

    use super::*;
    use crate::basis::tests::arbitrary_basis;
    use crate::{
        DirectModel, DirectPhase, DirectSet, Features, LinearErrors, LinearModel, LinearPhase,
        Model, Phases, QuadraticModel, QuadraticPhase, Stages,
    };

    /// Weights of arbitrary numbers, about as large as fitted ones.
    pub(crate) fn arbitrary_weights(features: Features, seed: u64) -> Weights {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        // Mobility counts moves; the tables give fractions.
        let size: Vec<f64> =
            features.iter().map(|f| if f.pattern().is_none() { 0.1 } else { 2.0 }).collect();
        let mut linear = || LinearPhase {
            intercept: number(0.3),
            weights: size.iter().map(|&size| number(size)).collect(),
            errors: Some(LinearErrors {
                intercept: number(0.01),
                weights: size.iter().map(|_| number(0.01)).collect(),
            }),
        };
        let log = Phases::from_fn(|_| linear());
        let fisher = Phases::from_fn(|_| LinearPhase { errors: None, ..linear() });
        let quad = Phases::from_fn(|_| {
            let model = linear();
            let mut quadratic = vec![vec![0.0; size.len()]; size.len()];
            for a in 0..size.len() {
                let row = linear().weights;
                for b in 0..=a {
                    let scale = if size[a] < 1.0 { 0.01 } else { 0.1 };
                    quadratic[a][b] = row[b] * scale;
                    quadratic[b][a] = row[b] * scale;
                }
            }
            QuadraticPhase { constant: model.intercept, linear: model.weights, quadratic }
        });
        let basis = Arc::new(arbitrary_basis(features, seed));
        let named = |name: &str, model: Arc<dyn Model>| {
            let words = [name, &name.to_uppercase(), "a model"];
            NamedModel::new(words, Manifest::new("test"), basis.clone(), model)
        };
        let models = vec![
            named("log", Arc::new(LinearModel { phases: log })),
            named("fisher", Arc::new(LinearModel { phases: fisher })),
            named("quad", Arc::new(QuadraticModel { phases: quad })),
            named("direct", Arc::new(arbitrary_direct(basis.features(), seed))),
        ];
        Weights::new(basis.clone(), models)
    }

    fn arbitrary_direct(features: &Features, seed: u64) -> DirectModel {
        let mut random = Seeded::new(seed);
        let mut number = move |scale: f64| scale * (random.below(2001) as f64 / 1000.0 - 1.0);
        let stages = Stages::default();
        let mut set = |_| {
            let mut weights = |levels: usize| (0..levels).map(|_| number(0.05)).collect();
            let scalars = features.scalars().map(|scalar| weights(scalar.levels())).collect();
            let set = DirectSet::new(features, scalars, |_, _| number(0.5));
            set.with_tempo(features, |_, _| number(0.2))
        };
        let sets = (0..stages.count()).map(&mut set).collect();
        let phases = Phases::from_fn(|discs| {
            DirectPhase::new(discs, discs as f64 / 100.0, 1.0 - discs as f64 / 200.0)
        });
        DirectModel::new(features.clone(), stages, sets, phases)
    }
}
