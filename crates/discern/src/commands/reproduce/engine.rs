use anyhow::{Context, Result};
use discern_eval::Weights;
use discern_search::{Engine, Model, Options};

/// Memory for the transposition table of a player.
const TABLE_MEBIBYTES: usize = 16;

/// The one engine with one of the three models: nothing else differs.
pub fn engine(model: Model, weights: &Weights) -> Result<Box<dyn Engine>> {
    model
        .evaluator(Some(weights))?
        .engine(Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES })
        .with_context(|| format!("no memory for a table of {TABLE_MEBIBYTES} MiB"))
}
