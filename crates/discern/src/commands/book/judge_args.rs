use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;
use discern_book::{Crew, Judge};
use discern_players::EngineJudge;
use discern_search::Limits;

use crate::engine_args::EngineArgs;

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
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub solve: u32,
}

impl JudgeArgs {
    /// What ends a search.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: Some(self.depth),
            nodes: self.nodes,
            outcome_empties: self.solve,
            score_empties: self.solve.saturating_sub(2),
            selective: !self.full_width,
            ..Limits::default()
        }
    }

    fn engine(&self) -> EngineArgs {
        let (model, weights) = (self.model.clone(), self.weights.clone());
        EngineArgs { model, weights, threads: 1, hash: self.hash }
    }

    /// One judge.
    pub fn judge(&self, limits: Limits) -> Result<EngineJudge> {
        Ok(EngineJudge::new(self.engine().engine()?, limits))
    }

    /// Judges for all threads.
    pub fn crew<'a>(&self, stop: &'a (dyn Fn() -> bool + Sync)) -> Result<Crew<'a>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, usize::from);
        let judge = |_| Ok(Box::new(self.judge(self.limits())?) as Box<dyn Judge>);
        Ok(Crew { judges: (0..threads).map(judge).collect::<Result<_>>()?, stop })
    }

    /// The judge in words, for the book's manifest.
    pub fn described(&self) -> Result<String> {
        let engine = self.engine();
        let mut text = engine.model().to_owned();
        if discern_eval::hand_set(engine.model()).is_none() {
            text += &format!(" of weights {}", &engine.weights()?.hash()[..8]);
        }
        text += &format!(", depth {}, solving at {} empties", self.depth, self.solve);
        if let Some(nodes) = self.nodes {
            text += &format!(", {nodes} nodes at most");
        }
        text += if self.full_width { ", full width" } else { ", selective" };
        Ok(text)
    }
}

/// When to stop: at a time, or when somebody presses Ctrl-C.
pub struct Stop {
    pressed: &'static AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops after this long. The first Ctrl-C finishes the searches in hand,
    /// the second ends the program at once; nothing in the journal is lost.
    pub fn after(time: Option<Duration>) -> Result<Stop> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        static PRESSED: AtomicBool = AtomicBool::new(false);
        static LISTENING: AtomicBool = AtomicBool::new(false);
        if !LISTENING.swap(true, Ordering::Relaxed) {
            let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
                .context("cannot listen for Ctrl-C")?;
            std::thread::spawn(move || {
                for _ in signals.forever() {
                    if PRESSED.swap(true, Ordering::Relaxed) {
                        eprintln!("ended; the same command resumes");
                        std::process::exit(1);
                    }
                    eprintln!("finishing the searches in hand; once more to end at once");
                }
            });
        }
        let deadline = time.map(|time| Instant::now() + time);
        Ok(Stop { pressed: &PRESSED, deadline })
    }

    /// Is it time?
    pub fn is_due(&self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.pressed.load(Ordering::Relaxed)
    }
}

/// `90`, `90s`, `30m`, `1h`, `1.5h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1.0),
        Some((at, 'm')) => (&text[..at], 60.0),
        Some((at, 'h')) => (&text[..at], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.001..=1e8).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a time like 90s, 30m or 1.5h".into())
}
