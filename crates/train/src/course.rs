use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use discern_arena::stats::{Pair, Summary};
use discern_arena::tournament::{Conclusion, Resumed, Schedule, Tournament, TournamentPlan};
use discern_board::Game;
use discern_eval::Weights;
use discern_learn::{DirectSettings, GameTree, JudgedPosition, Judgements, deal, fit_judged};
use discern_players::{Crew, Openings, Plan, Rules, RunFolder, Step, WeightStore, run_missing};
use discern_records::Fault;
use discern_records::archive::ArchiveReader;
use discern_selfplay::{EarlyOutcome, GeneratePlan};
use discern_stats::Threads;
use serde::{Deserialize, Serialize};

use crate::{HeldOut, Settings, TrainError, calibrate, with_odds};

/// Deals groups to learning and test.
const HELD_OUT_SEED: u64 = 0x4e1d;
const SETTINGS: &str = "train.json";
const MOST_TEXT: u64 = 1 << 20;
/// Positions of each disc count from which the spread is measured.
const MEASURED: usize = 60;

/// A training in its folder: settings, the games of each generation, its
/// weights, its match, and what came of it.
pub struct Course<'a> {
    folder: PathBuf,
    settings: Settings,
    /// Weights whose other models the learned ones keep.
    keep: &'a Weights,
    openings: Vec<Game>,
}

/// Games of the model with itself.
struct Batch {
    folder: PathBuf,
    /// Of the model; the hand-set heuristics without any.
    weights: Option<PathBuf>,
    games: u32,
    /// Without blind moves.
    calm: bool,
}

/// What came of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// Its weights by content.
    pub weights: String,
    /// Positions that taught it.
    pub positions: u64,
    /// On held-out games of this generation: the model, and the one before it.
    pub held_out: Option<HeldOut>,
    /// The one before.
    pub held_out_before: Option<HeldOut>,
    /// Against the one before.
    pub versus: Option<Summary>,
}

/// How far a training is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The number of the generation.
    pub generation: u32,
    /// What is being done.
    pub doing: Doing,
    /// Finished so far, in any run.
    pub done: u64,
    /// All games, positions or searches.
    pub of: u64,
}

/// What a training is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Games of a generation.
    Playing,
    /// The fit to positions; it is heard of once, at its beginning.
    Fitting,
    /// Games without blind moves, with the model just fitted.
    Calming,
    /// Searches that measure how far values stray.
    Measuring,
    /// The match with the generation before.
    Meeting,
}

impl Doing {
    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Doing::Playing => "playing",
            Doing::Fitting => "fitting",
            Doing::Calming => "calm games",
            Doing::Measuring => "measuring",
            Doing::Meeting => "match",
        }
    }
}

impl<'a> Course<'a> {
    /// Begins a training in a folder, or opens the one there. The matches
    /// begin from these openings.
    ///
    /// # Errors
    /// If the folder has another training, or a setting makes no sense.
    pub fn open(
        folder: &Path,
        settings: Settings,
        keep: &'a Weights,
        openings: Vec<Game>,
    ) -> Result<Course<'a>, TrainError> {
        settings.check()?;
        let path = folder.join(SETTINGS);
        fs::create_dir_all(folder).map_err(TrainError::io(folder))?;
        if path.exists() {
            let there: Settings = read(&path)?;
            if there != settings {
                return Err(TrainError::Differs(path));
            }
        } else {
            write(&path, &settings)?;
        }
        Ok(Course { folder: folder.to_owned(), settings, keep, openings })
    }

    /// The settings of the training in a folder, if there is one.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn settings_of(folder: &Path) -> Result<Option<Settings>, TrainError> {
        let path = folder.join(SETTINGS);
        if path.exists() { read(&path).map(Some) } else { Ok(None) }
    }

    /// Where the weights of a generation are.
    pub fn weights_path(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation}.weights"))
    }

    /// Where the weights are before their odds are calibrated.
    fn fitted_path(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation}-fitted.weights"))
    }

    fn result_path(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation}.json"))
    }

    /// The generations that are finished.
    ///
    /// # Errors
    /// If a result cannot be read.
    pub fn finished(&self) -> Result<Vec<Generation>, TrainError> {
        let there = (1..).map(|number| self.result_path(number)).take_while(|path| path.exists());
        there.map(|path| read(&path)).collect()
    }

    /// Makes what is missing of the next generation. `watch` hears of every
    /// step; `crew` says how many games are played at a time, and its halt ends
    /// the work.
    ///
    /// # Errors
    /// If something cannot be read, made or written, or the work was halted.
    pub fn advance(
        &self,
        crew: Crew,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<Generation, TrainError> {
        let number = self.finished()?.len() as u32 + 1;
        self.play(number, crew, watch)?;
        let positions = self.learn(number, crew.threads, watch)?;
        if crew.halt.is_finishing() {
            return Err(TrainError::Stopped);
        }
        let new = self.calibrated(number, crew, watch)?;
        let old = match number {
            1 => None,
            _ => Some(load(&self.weights_path(number - 1))?),
        };
        let test = self.judged(&[number], false)?;
        let quality = |weights: &Weights| {
            let evaluator = weights.model("direct").ok()?.evaluator();
            HeldOut::of(&evaluator, &test)
        };
        let versus = match self.settings.pairs {
            0 => None,
            _ => Some(self.meet(number, &new, old.as_ref(), crew, watch)?),
        };
        let generation = Generation {
            number,
            weights: new.hash().to_owned(),
            positions,
            held_out: quality(&new),
            held_out_before: old.as_ref().and_then(quality),
            versus,
        };
        write(&self.result_path(number), &generation)?;
        Ok(generation)
    }

    fn games_folder(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation}"))
    }

    fn calm_folder(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation}-calm"))
    }

    /// The games of a generation.
    fn play(
        &self,
        number: u32,
        crew: Crew,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<(), TrainError> {
        let before = match number {
            1 => None,
            _ => Some(self.weights_path(number - 1)),
        };
        let of = self.settings.games;
        let batch =
            Batch { folder: self.games_folder(number), weights: before, games: of, calm: false };
        self.play_batch(batch, number, crew, &|done| {
            watch(Event { generation: number, doing: Doing::Playing, done, of: of.into() });
        })?;
        Ok(())
    }

    /// The model of a generation with odds that its own calm games bear out.
    fn calibrated(
        &self,
        number: u32,
        crew: Crew,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<Weights, TrainError> {
        let path = self.weights_path(number);
        if path.exists() {
            return load(&path);
        }
        let (fitted, of) = (self.fitted_path(number), self.settings.calm_games);
        let folder = self.calm_folder(number);
        let batch = Batch { folder, weights: Some(fitted.clone()), games: of, calm: true };
        let games = self.play_batch(batch, number, crew, &|done| {
            watch(Event { generation: number, doing: Doing::Calming, done, of: of.into() });
        })?;
        let mut tree = GameTree::default();
        for shard in 0..games.work().shards {
            let path = games.games_path(shard);
            let fault = |fault: Fault| TrainError::Games(path.clone(), fault.into());
            for record in ArchiveReader::open(&path).map_err(fault)? {
                tree.add(&record.map_err(fault)?);
            }
        }
        let (labelled, _) = tree.classify();
        let positions: Vec<_> = labelled.iter().map(|labelled| labelled.position).collect();
        let odds = with_odds(&load(&fitted)?, &positions, crew.threads)?;
        let weights = calibrate(&odds, &positions, MEASURED, crew.threads, &|done, of| {
            let (done, of) = (done as u64, of as u64);
            watch(Event { generation: number, doing: Doing::Measuring, done, of });
        })?;
        weights.save(&path).map_err(TrainError::io(&path))?;
        Ok(weights)
    }

    /// Plays what is missing of some games; `watch` hears how many are there.
    fn play_batch(
        &self,
        batch: Batch,
        number: u32,
        crew: Crew,
        watch: &(dyn Fn(u64) + Sync),
    ) -> Result<RunFolder<GeneratePlan>, TrainError> {
        let Batch { folder, weights, games, calm } = batch;
        let store = WeightStore::new();
        let weights = weights.map(|path| store.read(&path)).transpose()?;
        let player = self.settings.player(weights.map(|hash| hash.to_string()).as_deref(), calm);
        // Every generation has other openings, and so have its calm games.
        let seed = 2 * u64::from(number) + u64::from(calm);
        let plan = GeneratePlan {
            openings: Openings::Distinct { plies: Openings::MAX_PLIES, count: Some(games) },
            rounds: 1,
            early_outcome: EarlyOutcome { empties: self.settings.solve, exact: false },
            evaluations: !calm,
            seed: self.settings.seed.wrapping_mul(1 << 16).wrapping_add(seed),
            ..GeneratePlan::between([player.clone(), player], &store)?
        }
        .in_shards_of(200);
        let folder = RunFolder::create(folder, plan, &store, true)?;
        let _lock = folder.lock()?;
        let missing = folder.take_missing(None, &mut |_| {})?;
        let ahead: u64 = missing.iter().map(|&shard| folder.units(shard)).sum();
        let done = AtomicU64::new(u64::from(games) - ahead);
        run_missing(&folder, &missing, crew, &|step| {
            if let Step::Units(units) = step {
                watch(units + done.fetch_add(units, Ordering::Relaxed));
            }
        })?;
        Ok(folder)
    }

    /// What the games of some generations say, for learning or for the test.
    fn judged(
        &self,
        generations: &[u32],
        learning: bool,
    ) -> Result<Vec<JudgedPosition>, TrainError> {
        let mut found = Judgements::default();
        for &generation in generations {
            let folder: RunFolder<GeneratePlan> = RunFolder::open(self.games_folder(generation))?;
            for shard in 0..folder.work().shards {
                let path = folder.games_path(shard);
                let games = |fault: Fault| TrainError::Games(path.clone(), fault.into());
                for record in ArchiveReader::open(&path).map_err(games)? {
                    let record = record.map_err(games)?;
                    found.add(&record, &self.settings.hindsight(generation));
                }
            }
        }
        let share = f64::from(self.settings.held_out_permille) / 1000.0;
        let mut all = found.finish();
        all.retain(|position| (deal(position.group, HELD_OUT_SEED) < share) != learning);
        Ok(all)
    }

    /// Fits a generation, unless its weights are there, and says to how many
    /// positions.
    fn learn(
        &self,
        number: u32,
        threads: usize,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<u64, TrainError> {
        let path = self.fitted_path(number);
        let first = number.saturating_sub(self.settings.memory - 1).max(1);
        let generations: Vec<u32> = (first..=number).collect();
        let positions = self.judged(&generations, true)?;
        let count = positions.len() as u64;
        if !path.exists() {
            watch(Event { generation: number, doing: Doing::Fitting, done: 0, of: count });
            let settings =
                DirectSettings { threads: Threads::new(threads), ..DirectSettings::default() };
            let command = format!("discern train, generation {number}");
            let features = self.settings.features()?;
            let weights =
                fit_judged(&positions, &features, &settings, &command, self.keep, &|_| ())?;
            weights.save(&path).map_err(TrainError::io(&path))?;
        }
        Ok(count)
    }

    /// The match against the generation before.
    fn meet(
        &self,
        number: u32,
        new: &Weights,
        old: Option<&Weights>,
        crew: Crew,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<Summary, TrainError> {
        let store = WeightStore::new();
        let nodes = self.settings.nodes;
        let player = |weights: Option<&Weights>, number: u32| {
            let text = match weights.map(|weights| store.add(weights.clone())) {
                None => format!("rev,name=rev,hash=4,nodes={nodes}"),
                Some(hash) => format!(
                    "direct,name=generation-{number},weights={hash},hash=4,selective=true,nodes={nodes}"
                ),
            };
            text.parse().expect("a player")
        };
        let plan = Plan::new(TournamentPlan {
            players: vec![player(Some(new), number), player(old, number - 1)],
            schedule: Schedule::RoundRobin,
            openings: Openings::Games(self.openings.clone()),
            pairs: self.settings.pairs.into(),
            rules: Rules::default(),
            seed: self.settings.seed,
            shards: 1,
        });
        let path = self.folder.join(format!("generation-{number}.games"));
        let Resumed { mut archive, plan, mut results } = Resumed::open(&path, &plan, true)
            .map_err(|error| TrainError::Resume(path.clone(), error.into()))?;
        let of = plan.work.number_of_games();
        let mut done = results.len();
        let mut tournament = Tournament {
            plan: &plan,
            store: &store,
            concurrency: crew.threads,
            restart: false,
            sprt: None,
            archive: Some(&mut archive),
            halt: crew.halt,
        };
        let end = tournament.run(&mut results, |_| {
            done += 1;
            watch(Event { generation: number, doing: Doing::Meeting, done, of });
        });
        match end.map_err(|error| TrainError::Match(path, error.into()))? {
            Conclusion::Complete => {}
            _ => return Err(TrainError::Stopped),
        }
        let pairs: Option<Vec<Pair>> =
            (0..plan.work.pairs).map(|pair| results.pair(&plan.work, 0, pair)).collect();
        Ok(Summary::new(&pairs.expect("a complete match has all pairs"), 1))
    }
}

fn load(path: &Path) -> Result<Weights, TrainError> {
    Weights::load(path).map_err(|error| TrainError::File(path.to_owned(), error.to_string()))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, TrainError> {
    let text = discern_files::read_text(path, MOST_TEXT).map_err(TrainError::io(path))?;
    serde_json::from_str(&text).map_err(|e| TrainError::File(path.to_owned(), e.to_string()))
}

fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), TrainError> {
    let mut text = serde_json::to_string_pretty(value).expect("plain data");
    text.push('\n');
    discern_files::write(path, text.as_bytes(), true).map_err(TrainError::io(path))
}
