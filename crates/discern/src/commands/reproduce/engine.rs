use anyhow::{Context, Result};
use discern_eval::Weights;
use discern_search::{AnyEvaluator, Engine, Options};

use super::paper::Model;

/// Memory for the transposition table of a player.
const TABLE_MEBIBYTES: usize = 16;

/// The one engine with one of the three models: nothing else differs.
pub fn engine(model: Model, weights: &Weights) -> Result<Box<dyn Engine>> {
    let evaluator: AnyEvaluator = match model {
        Model::Log => weights.log().into(),
        Model::Fisher => weights.fisher().into(),
        Model::Quad => weights.quad().into(),
    };
    evaluator
        .engine(Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES })
        .with_context(|| format!("no memory for a table of {TABLE_MEBIBYTES} MiB"))
}
