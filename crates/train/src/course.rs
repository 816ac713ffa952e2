use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use discern_arena::stats::{Pair, Summary};
use discern_arena::tournament::{Conclusion, Resumed, Schedule, Tournament, TournamentPlan};
use discern_board::Game;
use discern_eval::Weights;
use discern_learn::{DirectSettings, JudgedPosition, Judgements, deal, fit_judged};
use discern_players::{
    Crew, Job, Openings, Plan, Rules, RunFolder, Step, WeightStore, run_missing,
};
use discern_records::Fault;
use discern_records::archive::ArchiveReader;
use discern_selfplay::{EarlyOutcome, GeneratePlan};
use discern_stats::Threads;
use serde::{Deserialize, Serialize};

use crate::{HeldOut, Settings, TrainError};

/// Deals groups to learning and test.
const HELD_OUT_SEED: u64 = 0x4e1d;
const SETTINGS: &str = "train.json";
const MOST_TEXT: u64 = 1 << 20;

/// A training in its folder: settings, the games of each generation, its
/// weights, its match, and what came of it.
pub struct Course<'a> {
    folder: PathBuf,
    settings: Settings,
    /// Weights whose other models the learned ones keep.
    keep: &'a Weights,
    openings: Vec<Game>,
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

/// What a training is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// Games of a generation, of which so many are there.
    Playing {
        /// Its number.
        generation: u32,
        /// Finished so far, in any run.
        done: u64,
        /// All of them.
        of: u64,
    },
    /// The fit to so many positions.
    Fitting {
        /// Its number.
        generation: u32,
        /// Positions.
        positions: u64,
    },
    /// The match.
    Meeting {
        /// Its number.
        generation: u32,
        /// Finished so far, in any run.
        done: u64,
        /// All of them.
        of: u64,
    },
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
        let path = self.weights_path(number);
        let halted = || crew.halt.is_finishing();
        let positions = self.learn(number, &path, crew.threads, watch)?;
        if halted() {
            return Err(TrainError::Stopped);
        }
        let load = |path: &Path| {
            Weights::load(path).map_err(|e| TrainError::File(path.to_owned(), e.to_string()))
        };
        let new = load(&path)?;
        let old = match number {
            1 => None,
            _ => Some(load(&self.weights_path(number - 1))?),
        };
        let test = self.judged(number, &[number], false)?;
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

    /// The games of a generation.
    fn play(
        &self,
        number: u32,
        crew: Crew,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<(), TrainError> {
        let settings = &self.settings;
        let store = WeightStore::new();
        let weights = match number {
            1 => None,
            _ => Some(store.read(&self.weights_path(number - 1))?.to_string()),
        };
        let player = settings.player(weights.as_deref())?;
        let plan = GeneratePlan {
            openings: Openings::Distinct {
                plies: Openings::MAX_PLIES,
                count: Some(settings.games),
            },
            rounds: 1,
            early_outcome: EarlyOutcome { empties: settings.solve, exact: false },
            evaluations: true,
            // Every generation has other openings.
            seed: settings.seed.wrapping_mul(1 << 16).wrapping_add(number.into()),
            ..GeneratePlan::between([player.clone(), player], &store)?
        }
        .in_shards_of(200);
        let folder = RunFolder::create(self.games_folder(number), plan, &store, true)?;
        let _lock = folder.lock()?;
        let mut missing = Vec::new();
        for (shard, damage) in folder.missing()? {
            if damage.is_some() {
                folder.set_aside(shard)?;
            }
            missing.push(shard);
        }
        let of = settings.games.into();
        let ahead: u64 = missing.iter().map(|&shard| folder.work().units(shard)).sum();
        let done = AtomicU64::new(of - ahead);
        run_missing(&folder, &missing, crew, &|step| {
            if let Step::Units(units) = step {
                let done = units + done.fetch_add(units, Ordering::Relaxed);
                watch(Event::Playing { generation: number, done, of });
            }
        })?;
        Ok(())
    }

    /// What the games of some generations say, for learning or for the test.
    fn judged(
        &self,
        number: u32,
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
                    found.add(&record, self.settings.result_share(generation.min(number)));
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
        path: &Path,
        threads: usize,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<u64, TrainError> {
        let first = number.saturating_sub(self.settings.memory - 1).max(1);
        let generations: Vec<u32> = (first..=number).collect();
        let positions = self.judged(number, &generations, true)?;
        let count = positions.len() as u64;
        if !path.exists() {
            watch(Event::Fitting { generation: number, positions: count });
            let settings =
                DirectSettings { threads: Threads::new(threads), ..DirectSettings::default() };
            let command = format!("discern train, generation {number}");
            let features = self.settings.features()?;
            let weights =
                fit_judged(&positions, &features, &settings, &command, self.keep, &|_| ())?;
            weights.save(path).map_err(TrainError::io(path))?;
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
            watch(Event::Meeting { generation: number, done, of });
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

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, TrainError> {
    let text = discern_files::read_text(path, MOST_TEXT).map_err(TrainError::io(path))?;
    serde_json::from_str(&text).map_err(|e| TrainError::File(path.to_owned(), e.to_string()))
}

fn write<T: Serialize>(path: &Path, value: &T) -> Result<(), TrainError> {
    let mut text = serde_json::to_string_pretty(value).expect("plain data");
    text.push('\n');
    discern_files::write(path, text.as_bytes(), true).map_err(TrainError::io(path))
}
