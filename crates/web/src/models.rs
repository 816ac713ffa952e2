use std::io;
use std::sync::Arc;

use discern_eval::{HAND_SET, NamedModel, Weights, evaluator};
use discern_search::{Engine, Options, engine};

use crate::refusal::Refusal;

/// The evaluation functions on offer. Each is made ready when it is first
/// used and then shared by all searches.
#[derive(Debug)]
pub struct Models {
    weights: Option<Arc<Weights>>,
}

/// What people should know of a model.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// What requests call it.
    pub name: &'a str,
    /// What people call it.
    pub title: &'a str,
    /// What it is.
    pub description: &'a str,
}

impl Models {
    /// The models that these weights allow.
    pub fn new(weights: Option<Arc<Weights>>) -> Models {
        Models { weights }
    }

    /// The weights.
    pub(crate) fn weights(&self) -> Option<&Weights> {
        self.weights.as_deref()
    }

    /// All models on offer, the strongest one first: those of the weights and
    /// those without that are worth playing against.
    pub(crate) fn offered(&self) -> impl Iterator<Item = Offer<'_>> {
        let strongest = self.weights().and_then(Weights::strongest);
        let is_other =
            move |model: &&NamedModel| Some(model.name()) != strongest.map(NamedModel::name);
        let all = self.weights.iter().flat_map(|weights| weights.models()).filter(is_other);
        let learned = strongest.into_iter().chain(all).map(|model| Offer {
            name: model.name(),
            title: model.title(),
            description: model.description(),
        });
        let others = HAND_SET.iter().filter(|model| model.opponent).map(|model| Offer {
            name: model.name,
            title: model.name,
            description: model.description,
        });
        learned.chain(others)
    }

    /// The model that a request names, or the preferred one.
    pub(crate) fn named(&self, name: Option<&str>) -> Result<String, Refusal> {
        let mut offered = self.offered();
        let found = match name {
            None => offered.next(),
            Some(name) => offered.find(|model| model.name == name),
        };
        found.map(|model| model.name.to_owned()).ok_or_else(|| {
            let names: Vec<_> = self.offered().map(|model| model.name).collect();
            let name = name.unwrap_or_default();
            Refusal::bad(format_args!("there is no model '{name}', only {}", names.join(", ")))
        })
    }

    /// A new engine; takes a moment for a model not used before.
    pub(crate) fn engine(&self, model: &str, options: Options) -> io::Result<Box<dyn Engine>> {
        let evaluator = evaluator(model, self.weights());
        engine(evaluator.map_err(io::Error::other)?, options)
    }
}
