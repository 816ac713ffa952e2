use std::fmt;
use std::str::FromStr;

use discern_eval::{Rev, Weights};

use crate::AnyEvaluator;

/// The evaluation functions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Logistic regression on the 13 features.
    Log,
    /// Fisher's linear discriminant.
    Fisher,
    /// The quadratic discriminant.
    Quad,
    /// Logistic regression on all configurations, the strongest.
    Direct,
    /// Hand-set heuristics.
    Rev,
    /// The same with a liking for edges.
    RevEdges,
    /// Counts discs.
    Material,
}

impl Model {
    /// All of them, the preferred one first.
    pub const ALL: [Model; 7] = [
        Model::Log,
        Model::Fisher,
        Model::Quad,
        Model::Direct,
        Model::Rev,
        Model::RevEdges,
        Model::Material,
    ];

    /// What commands, plans and requests call it.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Log => "log",
            Model::Fisher => "fisher",
            Model::Quad => "quad",
            Model::Direct => "direct",
            Model::Rev => "rev",
            Model::RevEdges => "rev-edges",
            Model::Material => "material",
        }
    }

    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Model::Log => "LOG",
            Model::Fisher => "FISHER",
            Model::Quad => "QUAD",
            Model::Direct => "DIRECT",
            other => other.name(),
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
            Model::RevEdges => "the same program with a liking for edges",
            Model::Material => "counts discs",
        }
    }

    /// Has weights.
    pub const fn is_learned(self) -> bool {
        matches!(self, Model::Log | Model::Fisher | Model::Quad | Model::Direct)
    }

    /// Its evaluator, for a learned model from these weights.
    ///
    /// # Errors
    /// If they do not have it.
    pub fn evaluator(self, weights: Option<&Weights>) -> Result<AnyEvaluator, MissingModel> {
        let missing = || MissingModel(self);
        let weights = || weights.ok_or_else(missing);
        Ok(match self {
            Model::Log => weights()?.log().into(),
            Model::Fisher => weights()?.fisher().into(),
            Model::Quad => weights()?.quad().into(),
            Model::Direct => weights()?.direct().ok_or_else(missing)?.into(),
            Model::Rev => Rev::default().into(),
            Model::RevEdges => Rev::edge_lover().into(),
            Model::Material => AnyEvaluator::Material,
        })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name of no model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownModel(String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Model::ALL.map(Model::name).join(", ");
        write!(f, "'{}' is not a model ({names})", self.0)
    }
}

impl std::error::Error for UnknownModel {}

/// Weights without this model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingModel(Model);

impl fmt::Display for MissingModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the weights have no {} model", self.0)
    }
}

impl std::error::Error for MissingModel {}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Model, UnknownModel> {
        let named = |model: &Model| model.name() == name;
        Model::ALL.into_iter().find(named).ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for model in Model::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        let refused = "edax".parse::<Model>().unwrap_err().to_string();
        assert!(refused.starts_with("'edax' is not a model (log, "), "{refused}");
    }

    #[test]
    fn learned_models_need_weights_and_the_others_do_not() {
        for model in Model::ALL {
            assert_eq!(model.evaluator(None).is_err(), model.is_learned());
            assert!(model.evaluator(Some(Weights::shipped())).is_ok());
        }
    }
}
