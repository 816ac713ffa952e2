use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use discern_eval::Weights;
use discern_search::{AnyEvaluator, Engine, Limits, Model, MoveTime, Options};
use discern_selfplay::{fingerprint_of_bytes, fingerprint_of_file};

/// Which evaluation function, with how much memory and how many threads.
#[derive(Args, Clone)]
pub struct EngineArgs {
    /// Evaluation function [default: log]
    #[arg(long, value_parser = models())]
    pub model: Option<Model>,
    /// Weight file of the learned models [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Threads that search one position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
}

/// How long the engine thinks about a move: a time, or a depth at full width.
#[derive(Args, Clone)]
pub struct ThinkArgs {
    /// Time for a move in seconds; what is improbable is cut off to look deeper [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "depth")]
    time: Option<Duration>,
    /// Plies to look ahead, at full width
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
}

impl ThinkArgs {
    /// The limits asked for.
    pub fn limits(&self) -> Limits {
        match self.depth {
            Some(depth) => Limits::depth(depth),
            None => Limits::within(MoveTime::fixed(self.time.unwrap_or(Duration::from_secs(1)))),
        }
    }
}

impl EngineArgs {
    /// The evaluation function asked for, or the one that plays.
    pub fn model(&self) -> Model {
        self.model.unwrap_or(Model::Log)
    }

    /// The weights asked for, or the shipped ones.
    pub fn weights(&self) -> Result<Cow<'static, Weights>> {
        match &self.weights {
            Some(path) => Weights::load(path)
                .map(Cow::Owned)
                .with_context(|| format!("cannot use {}", path.display())),
            None => Ok(Cow::Borrowed(Weights::shipped())),
        }
    }

    /// What tells the weights of the model from others, whatever their file is
    /// called; `None` if it has none.
    pub fn weights_fingerprint(&self) -> io::Result<Option<String>> {
        match &self.weights {
            Some(path) => fingerprint_of_file(path).map(Some),
            None if self.model().is_learned() => {
                Ok(Some(fingerprint_of_bytes(Weights::shipped_file())))
            }
            None => Ok(None),
        }
    }

    /// The engine asked for.
    pub fn engine(&self) -> Result<Box<dyn Engine>> {
        let options = Options { threads: self.threads, table_mebibytes: self.hash as usize };
        self.evaluator()?
            .engine(options)
            .with_context(|| format!("no memory for a table of {} MiB", self.hash))
    }

    fn evaluator(&self) -> Result<AnyEvaluator> {
        let model = self.model();
        let weights = model.is_learned().then(|| self.weights()).transpose()?;
        Ok(model.evaluator(weights.as_deref())?)
    }

    /// The engine to prove endgames with: unless a model is asked for, the one
    /// that orders moves best, direct if the weights have it.
    pub fn prover(&self) -> Result<Box<dyn Engine>> {
        match self.model {
            None if self.weights()?.direct.is_some() => {
                EngineArgs { model: Some(Model::Direct), ..self.clone() }.engine()
            }
            _ => self.engine(),
        }
    }
}

/// The models by name, with what they are in the help text.
fn models() -> impl TypedValueParser<Value = Model> {
    let value = |model: Model| PossibleValue::new(model.name()).help(model.description());
    PossibleValuesParser::new(Model::ALL.map(value)).try_map(|name| name.parse::<Model>())
}

/// A number of threads from 1 to 256.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=256) => Ok(count),
        _ => Err("from 1 to 256 threads".into()),
    }
}

/// A positive number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "a number of seconds from 0.001 to 1000000".into())
}
