//! Who plays, as data: printed, parsed, hashed, stored and sent elsewhere.

mod file;
mod grammar;
mod settings;

use std::path::PathBuf;

use discern_records::{Limits, Player as RecordedPlayer};
use discern_search::{Engine, Limits as SearchLimits, Options, Timing, plain_engine};

pub use file::{PlayersFileError, read_players};
pub use grammar::{GRAMMAR, ParsePlayerError, clock, seconds, time_span};

use crate::book::{BookSpec, OpenBook};
use crate::error::JobError;
use crate::player::{Command, EnginePlayer, GtpPlayer, NBoardPlayer, Player};
use crate::randomness::Randomness;
use crate::store::WeightStore;

/// A player: our engine or another program, what it may use, and how it strays
/// from its best moves.
///
/// The text form ([`GRAMMAR`]) and the serialised form have the same settings
/// by the same names. As typed, much may be left out; [`PlayerSpec::fill`] and
/// [`WeightStore::settle`] make a player complete, and only complete players
/// stand in plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// What games call it; empty until [`WeightStore::settle`] if not given.
    pub name: String,
    /// Who chooses the moves.
    pub who: Who,
    /// What it may use.
    pub limits: Limits,
    /// How it strays; not at all if not given.
    pub randomness: Option<Randomness>,
}

/// Who chooses the moves of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// Our engine in this process.
    Engine(EngineSpec),
    /// Another program.
    Program(ProgramSpec),
}

/// Our engine with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// The evaluation function.
    pub model: String,
    /// The weights of a learned one: a file as typed, the hash of its content
    /// once settled. The shipped ones if not given.
    pub weights: Option<String>,
    /// Threads that search one position.
    pub threads: usize,
    /// Size of the transposition table. It is part of what makes games
    /// reproducible, since searches remember.
    pub hash_mebibytes: Option<u32>,
    /// Proves win, draw or loss from this many empty squares on; where the
    /// search finds it wise if not given.
    pub outcome_empties: Option<u32>,
    /// Proves the score from this many empty squares on.
    pub score_empties: Option<u32>,
    /// Cuts off what a shallow look makes improbable.
    pub selective: bool,
    /// Which search it has.
    pub search: Search,
    /// The clock it is charged by.
    pub timing: Timing,
    /// The opening book it plays from; none if not given.
    pub book: Option<BookSpec>,
}

/// The searches of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Search {
    /// The engine's.
    #[default]
    Usual,
    /// A second program's, without a table and with other depths
    /// ([`discern_search::PlainSearcher`]).
    Plain,
}

/// Another program and what it speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSpec {
    /// Program and arguments, as a shell would split them.
    pub command: String,
    /// What it speaks.
    pub protocol: Protocol,
    /// The folder to run it in; ours if not given.
    pub folder: Option<PathBuf>,
    /// The clock it is charged by.
    pub timing: Timing,
}

/// A protocol between a match and a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol, version 2.
    Gtp,
    /// NBoard's, version 2.
    NBoard,
}

/// What a plan gives to players that do not say otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// Limits of players without any of their own.
    pub limits: Limits,
    /// Size of the transposition table of our engine.
    pub hash_mebibytes: u32,
    /// Empty squares from which our engine proves outcome and score.
    pub endgame: Option<[u32; 2]>,
    /// How our engine strays.
    pub randomness: Option<Randomness>,
}

impl Default for EngineSpec {
    /// LOG with the shipped weights.
    fn default() -> EngineSpec {
        EngineSpec {
            model: "log".into(),
            weights: None,
            threads: 1,
            hash_mebibytes: None,
            outcome_empties: None,
            score_empties: None,
            selective: false,
            search: Search::Usual,
            timing: Timing::Wall,
            book: None,
        }
    }
}

impl PlayerSpec {
    /// Our engine under this name.
    pub fn engine(name: &str, engine: EngineSpec, limits: Limits) -> PlayerSpec {
        PlayerSpec { name: name.into(), who: Who::Engine(engine), limits, randomness: None }
    }

    /// Completes what was not said.
    pub fn fill(&mut self, defaults: &Defaults) {
        if self.limits.is_unknown() {
            self.limits = defaults.limits;
        }
        let Who::Engine(engine) = &mut self.who else { return };
        engine.hash_mebibytes.get_or_insert(defaults.hash_mebibytes);
        if let Some([outcome, score]) = defaults.endgame {
            engine.outcome_empties.get_or_insert(outcome);
            engine.score_empties.get_or_insert(score);
        }
        self.randomness = self.randomness.or(defaults.randomness);
    }

    /// Can it play?
    ///
    /// # Errors
    /// What is wrong, with the player's name in front.
    pub fn check(&self) -> Result<(), JobError> {
        let fault = match &self.who {
            Who::Engine(engine) => engine.fault(&self.limits),
            Who::Program(program) => program.fault(self),
        };
        let strays = self.randomness.and_then(|randomness| randomness.fault());
        match fault.or(strays) {
            Some(what) => Err(JobError::Plan(format!("{}: {what}", self.name))),
            None => Ok(()),
        }
    }

    /// Our engine's settings.
    ///
    /// # Errors
    /// If it is another program.
    pub fn as_engine(&self) -> Result<&EngineSpec, JobError> {
        match &self.who {
            Who::Engine(engine) => Ok(engine),
            Who::Program(_) => {
                let name = &self.name;
                Err(JobError::Plan(format!("{name}: only our own engine can do this")))
            }
        }
    }

    /// Do its moves depend on nothing but the position? Not by the clock, not
    /// with several threads, and nobody knows what other programs do.
    pub fn is_repeatable(&self) -> bool {
        let untimed = self.limits.clock.is_none() && self.limits.move_ms.is_none();
        matches!(&self.who, Who::Engine(engine) if engine.threads == 1) && untimed
    }

    /// Threads it searches with, as far as we know.
    pub fn threads(&self) -> usize {
        match &self.who {
            Who::Engine(engine) => engine.threads,
            Who::Program(_) => 1,
        }
    }

    /// The player as records describe it.
    pub fn recorded(&self) -> RecordedPlayer {
        RecordedPlayer { limits: self.limits, ..RecordedPlayer::named(&self.name) }
    }

    /// What ends the searches of our engine as this player; no other program's.
    pub fn search_limits(&self) -> Result<SearchLimits, JobError> {
        self.as_engine().map(|engine| engine.search_limits(&self.limits))
    }

    /// Somebody who plays like this.
    ///
    /// # Errors
    /// If the weights are not at hand, there is no memory, or the program does
    /// not start.
    pub fn player(&self, store: &WeightStore) -> Result<Box<dyn Player>, JobError> {
        Ok(match &self.who {
            Who::Engine(engine) => {
                let player = EnginePlayer::new(engine.engine(store)?, engine.clone())
                    .with_book(engine.book(store)?);
                Box::new(player.straying(self.randomness))
            }
            Who::Program(program) => {
                let command = program.command().map_err(|what| JobError::Plan(what.to_string()))?;
                match program.protocol {
                    Protocol::Gtp => Box::new(GtpPlayer::start(&command, program.timing)?),
                    Protocol::NBoard => Box::new(NBoardPlayer::start(&command, program.timing)?),
                }
            }
        })
    }
}

impl EngineSpec {
    /// A searcher with these settings.
    ///
    /// # Errors
    /// If the weights are not at hand or do not have the model, or without
    /// memory for the table.
    pub fn engine(&self, store: &WeightStore) -> Result<Box<dyn Engine>, JobError> {
        let mebibytes = self.hash_mebibytes.unwrap_or(DEFAULT_HASH) as usize;
        let options = Options { threads: self.threads, table_mebibytes: mebibytes };
        let weights = self.weights.as_deref();
        match self.search {
            Search::Usual => store.engine(&self.model, weights, options),
            Search::Plain => Ok(plain_engine(store.evaluator(&self.model, weights)?)),
        }
    }

    /// Its opening book, if it has one.
    ///
    /// # Errors
    /// If the book is not at hand.
    pub fn book(&self, store: &WeightStore) -> Result<Option<OpenBook>, JobError> {
        let open = |book: &BookSpec| Ok(OpenBook::new(store.book(&book.file)?, book.choice()));
        self.book.as_ref().map(open).transpose()
    }

    /// What ends its searches, times aside.
    pub fn search_limits(&self, limits: &Limits) -> SearchLimits {
        let usual = match limits.depth {
            Some(depth) => SearchLimits::depth(depth),
            // Whoever plays as well as it can proves whatever its time allows.
            None if self.selective => SearchLimits::STRONGEST,
            None => SearchLimits::default(),
        };
        SearchLimits {
            nodes: limits.nodes,
            timing: self.timing,
            selective: self.selective,
            outcome_empties: self.outcome_empties.unwrap_or(usual.outcome_empties),
            score_empties: self.score_empties.unwrap_or(usual.score_empties),
            ..usual
        }
    }

    fn fault(&self, limits: &Limits) -> Option<String> {
        let endgame = self.outcome_empties.max(self.score_empties);
        let what = if limits.is_unknown() {
            "no limit: give time, move-time, depth or nodes"
        } else if limits.depth == Some(0) || limits.nodes == Some(0) {
            "a limit of 0"
        } else if !(1..=256).contains(&self.threads) || self.hash_mebibytes == Some(0) {
            "threads from 1 to 256, hash from 1 MiB"
        } else if self.search == Search::Plain && (self.selective || self.threads > 1) {
            "search=plain has one thread and leaves nothing out"
        } else if endgame > Some(MOST_PROVEN) {
            return Some(format!(
                "endgames of more than {MOST_PROVEN} empty squares take too long to prove"
            ));
        } else {
            return None;
        };
        Some(what.into())
    }
}

/// A small table: games are short searches, and every worker has one per
/// player.
const DEFAULT_HASH: u32 = 16;

/// Endgames beyond this are not proven in reasonable time.
const MOST_PROVEN: u32 = 30;

impl ProgramSpec {
    /// The command in words.
    pub fn command(&self) -> Result<Command, crate::player::ParseCommandError> {
        let mut command = Command::parse(&self.command)?;
        command.folder = self.folder.clone();
        Ok(command)
    }

    fn fault(&self, player: &PlayerSpec) -> Option<String> {
        let limits = &player.limits;
        if let Err(error) = self.command() {
            return Some(format!("cmd: {error}"));
        }
        match self.protocol {
            Protocol::Gtp if limits.depth.is_some() || limits.nodes.is_some() => {
                Some("GTP cannot limit depth or nodes; put them into cmd".into())
            }
            Protocol::NBoard if limits.nodes.is_some() => {
                Some("NBoard cannot limit nodes; put them into cmd".into())
            }
            _ if player.randomness.is_some() => {
                Some("only our own engine can be made to stray".into())
            }
            _ => None,
        }
    }
}
