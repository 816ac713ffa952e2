use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use discern_eval::{Material, Rev};
use discern_search::{Engine, Options, Searcher};

/// Which evaluation function, with how much memory and how many threads.
#[derive(Args, Clone, Copy)]
pub struct EngineArgs {
    /// Evaluation function
    #[arg(long, value_enum, default_value_t = Model::Rev)]
    pub model: Model,
    /// Threads that search one position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
}

/// The evaluation functions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Hand-set heuristics: mobility, frontier, corners and edges
    Rev,
    /// The same program with a liking for edges
    RevEdges,
    /// Counts discs
    Material,
}

impl EngineArgs {
    /// The evaluation function as it is named on the command line.
    pub fn model_name(&self) -> String {
        let value = self.model.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The engine asked for.
    pub fn engine(&self) -> Result<Box<dyn Engine>> {
        let options = Options { threads: self.threads, table_mebibytes: self.hash as usize };
        let engine: std::io::Result<Box<dyn Engine>> = match self.model {
            Model::Rev => Searcher::new(Rev::default(), options).map(|s| Box::new(s) as _),
            Model::RevEdges => Searcher::new(Rev::edge_lover(), options).map(|s| Box::new(s) as _),
            Model::Material => Searcher::new(Material, options).map(|s| Box::new(s) as _),
        };
        engine.with_context(|| format!("no memory for a table of {} MiB", self.hash))
    }
}

/// A number of threads from 1 to 256.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=256) => Ok(count),
        _ => Err("from 1 to 256 threads".into()),
    }
}

/// A positive number of seconds, as for `--time`.
pub fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s));
    seconds
        .map(std::time::Duration::from_secs_f64)
        .ok_or_else(|| "a number of seconds from 0.001 to 1000000".into())
}
