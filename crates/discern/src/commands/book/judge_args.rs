use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use discern_book::Judge;
use discern_players::{EngineJudge, NamedEngine, cores, described_judge};
use discern_search::{Limits, Options};

use crate::values::within;

/// Who searches for the book, and how far.
#[derive(Args, Clone)]
pub struct JudgeArgs {
    /// Evaluation function of the search [default: the one that plays]
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Weight file of the learned models [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Positions searched at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of each transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,
    /// Plies to look ahead
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Nodes per search at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Look at every move; otherwise what is improbable is cut off
    #[arg(long)]
    full_width: bool,
    /// Empty squares from which endings are solved
    #[arg(long, value_name = "N", default_value_t = EngineJudge::SOLVED,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    pub solve: u32,
}

impl JudgeArgs {
    /// What ends a search.
    pub fn limits(&self) -> Limits {
        EngineJudge::limits(self.depth, self.nodes, self.solve, !self.full_width)
    }

    fn named(&self) -> NamedEngine {
        let options = Options { threads: 1, table_mebibytes: self.hash as usize };
        NamedEngine { model: self.model.clone(), weights: self.weights.clone(), options }
    }

    /// One judge.
    pub fn judge(&self, limits: Limits) -> Result<EngineJudge> {
        Ok(EngineJudge::new(self.named().engine()?, limits))
    }

    /// Judges for all threads.
    pub fn judges(&self) -> Result<Vec<Box<dyn Judge>>> {
        let threads = self.threads.map_or_else(cores, usize::from);
        let judge = |_| Ok(Box::new(self.judge(self.limits())?) as Box<dyn Judge>);
        (0..threads).map(judge).collect()
    }

    /// The judge in words, for the book's manifest.
    pub fn described(&self) -> Result<String> {
        Ok(described_judge(&self.named(), &self.limits())?)
    }
}

/// What a ply costs, from percent to what a book counts in.
pub fn toll(text: &str) -> Result<u32, String> {
    Ok((within(0.0..=100.0)(text)? * 1000.0_f64).round() as u32)
}
