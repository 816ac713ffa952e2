use std::io;
use std::sync::Arc;

use discern_eval::{LinearEvaluator, Material, QuadEvaluator, Rev};

use crate::{Engine, Options, Searcher};

/// An evaluator chosen as the program runs.
///
/// [`AnyEvaluator::engine`] is where the search is compiled for each of them:
/// programs that go through it share that code instead of making their own.
#[derive(Debug, Clone)]
pub enum AnyEvaluator {
    /// LOG, FISHER or direct.
    Linear(Arc<LinearEvaluator>),
    /// QUAD.
    Quad(Arc<QuadEvaluator>),
    /// Hand-set heuristics.
    Rev(Rev),
    /// Counts discs.
    Material,
}

impl AnyEvaluator {
    /// An engine that plays by this evaluator; fails without memory for its
    /// table.
    pub fn engine(self, options: Options) -> io::Result<Box<dyn Engine>> {
        Ok(match self {
            AnyEvaluator::Linear(linear) => Box::new(Searcher::new(linear, options)?),
            AnyEvaluator::Quad(quad) => Box::new(Searcher::new(quad, options)?),
            AnyEvaluator::Rev(rev) => Box::new(Searcher::new(rev, options)?),
            AnyEvaluator::Material => Box::new(Searcher::new(Material, options)?),
        })
    }
}

impl From<LinearEvaluator> for AnyEvaluator {
    fn from(linear: LinearEvaluator) -> AnyEvaluator {
        AnyEvaluator::Linear(Arc::new(linear))
    }
}

impl From<QuadEvaluator> for AnyEvaluator {
    fn from(quad: QuadEvaluator) -> AnyEvaluator {
        AnyEvaluator::Quad(Arc::new(quad))
    }
}

impl From<Rev> for AnyEvaluator {
    fn from(rev: Rev) -> AnyEvaluator {
        AnyEvaluator::Rev(rev)
    }
}
