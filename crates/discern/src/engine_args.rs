use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use discern_book::Draws;
use discern_eval::{HAND_SET, STRONGEST};
use discern_learn::fit_names;
pub use discern_players::seconds;
use discern_players::{BookSpec, NamedEngine, OpenBook, WeightStore};
use discern_search::{Engine, Limits, MoveTime, Options};

use crate::values::{one_of, within};

/// Which evaluation function, with how much memory and how many threads.
#[derive(Args, Clone)]
pub struct EngineArgs {
    #[arg(long, value_name = "NAME", help = models())]
    pub model: Option<String>,
    /// Weight file of the learned models [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Threads that search one position, as far as there are processors for them
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
    #[arg(long, value_parser = one_of(Draws::WORDS), default_value = "even")]
    draws: Draws,
    /// Seed for the choice among book moves [default: another one every time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl BookArgs {
    /// The file of the book, if one is named.
    pub fn file(&self) -> Option<&Path> {
        self.book.as_deref().filter(|&book| book != "none").map(Path::new)
    }

    /// The book to play from, if there is one and nobody wants to do without.
    pub fn open(&self) -> Result<Option<OpenBook>> {
        let book = WeightStore::new().book_if_any(self.book.as_deref())?;
        Ok(book.map(|book| OpenBook::new(book, self.spec().choice())))
    }

    /// How moves are chosen from it.
    pub fn spec(&self) -> BookSpec {
        let loss_permille = (10.0 * self.book_loss).round() as u32;
        BookSpec { file: String::new(), loss_permille, draws: self.draws }
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
    /// The engine asked for, by name.
    pub fn named(&self) -> NamedEngine {
        let options = Options { threads: self.threads, table_mebibytes: self.hash as usize };
        NamedEngine { model: self.model.clone(), weights: self.weights.clone(), options }
    }

    /// The engine asked for.
    pub fn engine(&self) -> Result<Box<dyn Engine>> {
        Ok(self.named().engine()?)
    }
}

/// What `--model` may be.
fn models() -> String {
    let hand_set: Vec<_> = HAND_SET.iter().map(|model| model.name).collect();
    format!(
        "Evaluation function: a model of the weights ({}) or one without ({}) [default: {STRONGEST}]",
        fit_names(),
        hand_set.join(", ")
    )
}
