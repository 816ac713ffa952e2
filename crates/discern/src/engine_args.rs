use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use discern_book::{BookFile, Draws};
use discern_eval::{AnyEvaluator, HAND_SET, STRONGEST, Weights, evaluator, hand_set};
use discern_learn::FITS;
pub use discern_players::seconds;
use discern_players::{BookSpec, OpenBook, WeightStore};
use discern_search::{Engine, Limits, MoveTime, Options, engine};

use crate::numbers::within;

/// Which evaluation function, with how much memory and how many threads.
#[derive(Args, Clone)]
pub struct EngineArgs {
    #[arg(long, value_name = "NAME", help = models())]
    pub model: Option<String>,
    /// Weight file of the learned models [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Threads that search one position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_usize..=256))]
    pub threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
}

/// Which opening book to play from, and how.
#[derive(Args, Clone)]
pub struct BookArgs {
    /// Opening book, or none [default: the one shipped with the program, if any]
    #[arg(long, value_name = "FILE")]
    pub book: Option<String>,
    /// What a book move may give away against the best, in percent of a won game
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = within(0.0..=100.0))]
    book_loss: f64,
    /// What a draw counts when a book move is chosen
    #[arg(long, value_enum, default_value_t = DrawsArg::Even)]
    draws: DrawsArg,
    /// Seed for the choice among book moves [default: another one every time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DrawsArg {
    /// Half a win
    Even,
    /// As good as a win
    Seek,
    /// As bad as a loss
    Avoid,
}

impl BookArgs {
    /// The file of the book, if one is named.
    pub fn file(&self) -> Option<&Path> {
        self.book.as_deref().filter(|&book| book != "none").map(Path::new)
    }

    /// The book to play from, if there is one and nobody wants to do without.
    pub fn open(&self) -> Result<Option<OpenBook>> {
        let draws = match self.draws {
            DrawsArg::Even => Draws::Even,
            DrawsArg::Seek => Draws::Seek,
            DrawsArg::Avoid => Draws::Avoid,
        };
        let loss_permille = (10.0 * self.book_loss).round() as u32;
        let spec = BookSpec { file: String::new(), loss_permille, draws };
        Ok(book(self.book.as_deref())?.map(|book| OpenBook::new(book, spec.choice())))
    }

    /// The seed asked for, or one that nobody has had yet.
    pub fn seed(&self) -> u64 {
        let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        self.seed.unwrap_or_else(|| now().map_or(0, |time| time.as_nanos() as u64))
    }
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
    /// The evaluation function asked for, or the strongest one.
    pub fn model(&self) -> &str {
        self.model.as_deref().unwrap_or(STRONGEST)
    }

    /// The weights asked for, or the shipped ones.
    pub fn weights(&self) -> Result<Weights> {
        weights(self.weights.as_deref())
    }

    /// The evaluator asked for. Weights without the strongest model play by
    /// the one that they have first.
    pub fn evaluator(&self) -> Result<AnyEvaluator> {
        if hand_set(self.model()).is_some() {
            return Ok(evaluator(self.model(), None)?);
        }
        let weights = self.weights()?;
        let model = match (&self.model, weights.strongest()) {
            (None, Some(strongest)) => strongest.name(),
            _ => self.model(),
        };
        Ok(evaluator(model, Some(&weights))?)
    }

    /// Memory and threads.
    pub fn options(&self) -> Options {
        Options { threads: self.threads, table_mebibytes: self.hash as usize }
    }

    /// The engine asked for.
    pub fn engine(&self) -> Result<Box<dyn Engine>> {
        let evaluator = self.evaluator()?;
        discern_files::check_memory(u64::from(self.hash) << 20)
            .and_then(|()| engine(evaluator, self.options()))
            .with_context(|| format!("no memory for a table of {} MiB", self.hash))
    }
}

/// The weights of a file, or the shipped ones.
pub fn weights(path: Option<&Path>) -> Result<Weights> {
    match path {
        Some(path) => Weights::load(path).with_context(|| format!("cannot use {}", path.display())),
        None => Ok(discern_data::weights().clone()),
    }
}

/// The book of this name, or the shipped one; `None` if there is none or it is
/// called none.
pub fn book(name: Option<&str>) -> Result<Option<Arc<BookFile>>> {
    match name {
        Some("none") => Ok(None),
        None if discern_data::BOOK.is_none() => Ok(None),
        name => Ok(Some(WeightStore::new().open_book(name.unwrap_or("shipped"))?)),
    }
}

/// What `--model` may be.
fn models() -> String {
    let learned: Vec<_> = FITS.iter().map(|fit| fit.name).collect();
    let hand_set: Vec<_> = HAND_SET.iter().map(|model| model.name).collect();
    format!(
        "Evaluation function: a model of the weights ({}) or one without ({}) [default: {STRONGEST}]",
        learned.join(", "),
        hand_set.join(", ")
    )
}
