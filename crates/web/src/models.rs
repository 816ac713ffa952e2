use std::io;
use std::sync::{Arc, OnceLock};

use discern_eval::{Rev, Weights};
use discern_search::{AnyEvaluator, Engine, Options};
use serde::Serialize;

use crate::refusal::Refusal;

/// The evaluation functions on offer. Each is made ready when it is first
/// used and then shared by all searches.
#[derive(Debug)]
pub struct Models {
    weights: Option<Arc<Weights>>,
    hash: String,
    log: OnceLock<AnyEvaluator>,
    fisher: OnceLock<AnyEvaluator>,
    quad: OnceLock<AnyEvaluator>,
    direct: OnceLock<AnyEvaluator>,
}

/// An evaluation function by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Logistic regression.
    Log,
    /// Fisher's linear discriminant.
    Fisher,
    /// The quadratic discriminant.
    Quad,
    /// A weight for every configuration.
    Direct,
    /// Hand-set heuristics.
    Rev,
}

impl Model {
    const ALL: [Model; 5] = [Model::Log, Model::Fisher, Model::Quad, Model::Direct, Model::Rev];

    /// What requests call it.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Log => "log",
            Model::Fisher => "fisher",
            Model::Quad => "quad",
            Model::Direct => "direct",
            Model::Rev => "rev",
        }
    }

    /// What people call it.
    pub const fn label(self) -> &'static str {
        match self {
            Model::Log => "LOG",
            Model::Fisher => "FISHER",
            Model::Quad => "QUAD",
            Model::Direct => "DIRECT",
            Model::Rev => "rev",
        }
    }

    /// What it is.
    pub const fn description(self) -> &'static str {
        match self {
            Model::Log => "logistic regression on the 13 features",
            Model::Fisher => "Fisher's linear discriminant",
            Model::Quad => "the quadratic discriminant",
            Model::Direct => "logistic regression on all configurations",
            Model::Rev => "hand-set heuristics: mobility, frontier, corners and edges",
        }
    }
}

impl Models {
    /// The models that these weights allow.
    pub fn new(weights: Option<Arc<Weights>>) -> Models {
        let hash = |weights: &Arc<Weights>| blake3::hash(&weights.to_bytes()).to_hex().to_string();
        Models {
            hash: weights.as_ref().map(hash).unwrap_or_default(),
            weights,
            log: OnceLock::new(),
            fisher: OnceLock::new(),
            quad: OnceLock::new(),
            direct: OnceLock::new(),
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
        let Some(weights) = self.weights.as_deref() else { return Rev::default().into() };
        let ready = |cell: &OnceLock<AnyEvaluator>, make: fn(&Weights) -> AnyEvaluator| {
            cell.get_or_init(|| make(weights)).clone()
        };
        match model {
            Model::Log => ready(&self.log, |weights| weights.log().into()),
            Model::Fisher => ready(&self.fisher, |weights| weights.fisher().into()),
            Model::Quad => ready(&self.quad, |weights| weights.quad().into()),
            Model::Direct => ready(&self.direct, |weights| {
                weights.direct().expect("offered only where there is one").into()
            }),
            Model::Rev => Rev::default().into(),
        }
    }
}
