use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args as ClapArgs};
use discern_arena::tournament::{Schedule, TournamentPlan};
use discern_players::{
    Job, Openings, PlayerSpec, Rules, WeightStore, clock as parse_clock, read_players, seconds,
};
use discern_records::{Clock, GameFile, Limits};

use crate::values::one_of;

/// What is played.
#[derive(ClapArgs)]
#[command(group(ArgGroup::new("who").multiple(true).args(["players", "config"])))]
pub struct PlanArgs {
    /// A player (see --help); give it at least twice
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// TOML file with players
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Which players meet
    #[arg(long, value_parser = one_of(Schedule::WORDS), default_value = "round-robin", requires = "who")]
    schedule: Schedule,
    /// File of openings in any format of games [default: the 60 positions after four plies]
    #[arg(long, value_name = "FILE", requires = "who")]
    openings: Option<PathBuf>,
    /// Pairs of games in each pairing [default: one per opening]
    #[arg(long, value_name = "N", requires = "who", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: Option<u64>,
    /// Seconds per game, and per move added: 60 or 60+0.5
    #[arg(long, value_name = "TIME", requires = "who", value_parser = parse_clock)]
    time: Option<Clock>,
    /// Seconds per move
    #[arg(long, value_name = "SECONDS", requires = "who", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Plies to look ahead
    #[arg(long, value_name = "N", requires = "who", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N", requires = "who", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Let the solver decide games from this many empty squares on
    #[arg(long, value_name = "EMPTIES", requires = "who", value_parser = clap::value_parser!(u32).range(1..=30))]
    adjudicate: Option<u32>,
    /// How late a move may be, in milliseconds, before the game is lost
    #[arg(long, value_name = "MS", default_value_t = 10, requires = "who")]
    margin: u64,
    /// Seconds a program may be silent beyond its time before it loses
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30", requires = "who")]
    patience: Duration,
    /// Seed of the bootstrap and of players that stray
    #[arg(long, value_name = "N", default_value_t = 1, requires = "who")]
    seed: u64,
}

impl PlanArgs {
    /// Is anybody named who plays?
    pub fn names_players(&self) -> bool {
        !self.players.is_empty() || self.config.is_some()
    }

    /// The plan in one shard.
    pub fn work(&self, store: &WeightStore) -> Result<TournamentPlan> {
        let mut players = match &self.config {
            Some(path) => read_players(path)?,
            None => Vec::new(),
        };
        players.extend(self.players.iter().cloned());
        if players.len() < 2 {
            bail!("a tournament needs two players: give --player twice (see --help)");
        }
        let defaults = TournamentPlan::defaults(Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_ms: self.move_time.map(|time| time.as_millis() as u64),
            clock: self.time,
        });
        store.complete(&mut players, &defaults)?;
        let openings = match &self.openings {
            Some(path) => Openings::Games(GameFile::open(path, None)?.openings()?),
            // Unselected, but at hand.
            None => Openings::Distinct { plies: 4, count: None },
        };
        let plan = TournamentPlan {
            players,
            schedule: self.schedule,
            pairs: self.pairs.unwrap_or(openings.len() as u64),
            openings,
            rules: Rules {
                margin: Duration::from_millis(self.margin),
                patience: self.patience,
                adjudicate_empties: self.adjudicate,
            },
            seed: self.seed,
            shards: 1,
        };
        plan.check()?;
        let openings = plan.openings.len();
        if plan.pairs > openings as u64 {
            eprintln!(
                "{} pairs from {openings} openings: repeated openings say less than fresh ones",
                plan.pairs
            );
        }
        Ok(plan)
    }
}
