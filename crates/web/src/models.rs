use std::io;
use std::sync::{Arc, OnceLock};

use discern_eval::Weights;
use discern_search::{AnyEvaluator, Engine, Model, Options};

use crate::refusal::Refusal;

/// The evaluation functions on offer. Each is made ready when it is first
/// used and then shared by all searches.
#[derive(Debug)]
pub struct Models {
    weights: Option<Arc<Weights>>,
    hash: String,
    /// Those that are ready, by model.
    ready: [OnceLock<AnyEvaluator>; Model::ALL.len()],
}

impl Models {
    /// The models that these weights allow.
    pub fn new(weights: Option<Arc<Weights>>) -> Models {
        let hash = |weights: &Arc<Weights>| blake3::hash(&weights.to_bytes()).to_hex().to_string();
        Models {
            hash: weights.as_ref().map(hash).unwrap_or_default(),
            weights,
            ready: Default::default(),
        }
    }

    /// The weights and the hash of their file.
    pub(crate) fn weights(&self) -> Option<(&Weights, &str)> {
        self.weights.as_deref().map(|weights| (weights, self.hash.as_str()))
    }

    /// All models on offer, the preferred one first.
    pub(crate) fn offered(&self) -> impl Iterator<Item = Model> {
        Model::ALL.into_iter().filter(|&model| self.offers(model))
    }

    fn offers(&self, model: Model) -> bool {
        match model {
            Model::Rev => true,
            // For experiments, not to play against.
            Model::RevEdges | Model::Material => false,
            Model::Direct => self.weights.as_ref().is_some_and(|w| w.direct.is_some()),
            _ => self.weights.is_some(),
        }
    }

    /// The model that a request names, or the preferred one.
    pub(crate) fn named(&self, name: Option<&str>) -> Result<Model, Refusal> {
        let mut offered = self.offered();
        match name {
            None => Ok(offered.next().unwrap_or(Model::Rev)),
            Some(name) => offered.find(|model| model.name() == name).ok_or_else(|| {
                let names: Vec<_> = self.offered().map(Model::name).collect();
                Refusal::bad(format_args!("there is no model '{name}', only {}", names.join(", ")))
            }),
        }
    }

    /// A new engine; takes a moment for a model not used before.
    pub(crate) fn engine(&self, model: Model, options: Options) -> io::Result<Box<dyn Engine>> {
        self.evaluator(model).engine(options)
    }

    fn evaluator(&self, model: Model) -> AnyEvaluator {
        let make = || model.evaluator(self.weights.as_deref()).expect("only models on offer");
        self.ready[model as usize].get_or_init(make).clone()
    }
}
