use anyhow::{Context, Result};
use discern_eval::{Evaluator, Weights};
use discern_search::{Engine, Options, Searcher};

use super::paper::Model;

/// Memory for the transposition table of a player.
const TABLE_MEBIBYTES: usize = 16;

/// The one engine with one of the three models: nothing else differs.
pub fn engine(model: Model, weights: &Weights) -> Result<Box<dyn Engine>> {
    match model {
        Model::Log => searcher(weights.log()),
        Model::Fisher => searcher(weights.fisher()),
        Model::Quad => searcher(weights.quad()),
    }
}

fn searcher<E: Evaluator + 'static>(evaluator: E) -> Result<Box<dyn Engine>> {
    let options = Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES };
    Searcher::boxed(evaluator, options)
        .with_context(|| format!("no memory for a table of {TABLE_MEBIBYTES} MiB"))
}
