//! Studies beside Table 1: what each step of Section 3 is worth, and how the
//! rivals that the paper names do on the same features, data and search.
//!
//! Both ask the same of a list of candidates: how good is each on held-out
//! positions, and how does it play against the one they are measured by? A
//! finished candidate and every finished game are kept, as in the experiment
//! itself.

mod candidates;
mod labels;
mod rivals;

use std::time::Instant;

use discern_arena::openings::Selection;
use discern_arena::stats::Summary;
use discern_board::{Board, Position};
use discern_eval::{Evaluator, Weights};
use discern_learn::Fit;
use discern_players::{Halt, WeightStore};
use discern_stats::Measured;
use serde::{Deserialize, Serialize};

use crate::error::{Doing, ExperimentError};
use crate::event::{Event, Facts, Step};
use crate::learning::classify;
use crate::matches::{self, Contest, Contestant, Hall};
use crate::models::Models;
use crate::{
    Allowance, Experiment, FORMAT, Folder, Run, Settings, Speed, learning, machine, moment,
    openings, speed,
};
use candidates::Candidate;
pub use candidates::StudyQuality;

type Result<T> = std::result::Result<T, ExperimentError>;

/// A question beside Table 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Study {
    /// What is each step of Section 3 worth?
    Labels,
    /// How do the rivals named in the paper do?
    Rivals,
}

impl Study {
    /// The word for it, which is also the name of its file.
    pub fn word(self) -> &'static str {
        match self {
            Study::Labels => "labels",
            Study::Rivals => "rivals",
        }
    }

    /// The file of its results.
    pub fn file(self) -> String {
        format!("{}.json", self.word())
    }
}

/// Everything a study found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyResults {
    /// [`FORMAT`] at the time of writing.
    pub format: u32,
    /// What was asked.
    pub study: Study,
    /// What was run, where and when.
    pub run: Run,
    /// Positions of the held-out test.
    pub test_positions: usize,
    /// What kind of positions they are.
    pub test: String,
    /// Title of the candidate that the others are measured by.
    pub yardstick: String,
    /// All candidates in order.
    pub candidates: Vec<Studied>,
}

/// What a study found about one candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Studied {
    /// What people call it.
    pub title: String,
    /// What it is.
    pub description: String,
    /// Positions it was fitted to for the test.
    pub training_positions: usize,
    /// How good it is on held-out positions.
    pub quality: StudyQuality,
    /// Its discordance less that of the yardstick on the same positions, above 0
    /// if it is worse; none for the yardstick itself.
    pub gap: Option<Measured>,
    /// Nanoseconds of an evaluation, indices kept up to date; none if all
    /// candidates cost the same.
    pub nanoseconds: Option<f64>,
    /// Speed of the search; none if all candidates cost the same.
    pub speed: Option<Speed>,
    /// Its matches against the yardstick, seen from its side.
    pub matches: Vec<StudyMatch>,
}

/// A match of a candidate against the yardstick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyMatch {
    /// What both had.
    pub allowed: Allowance,
    /// What came out.
    pub ours: Summary,
    /// Mean nodes a game, the candidate's and the yardstick's.
    pub nodes_per_game: [f64; 2],
}

impl StudyResults {
    /// The content of its file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and words") + "\n"
    }
}

/// A study to be made: an [`Experiment`] and what is asked.
#[derive(Debug, Clone)]
pub struct StudyPlan {
    /// Games, openings, pace, seed: as for Table 1.
    pub experiment: Experiment,
    /// What is asked.
    pub study: Study,
    /// Nodes of each move in the matches at equal nodes.
    pub nodes_per_move: u64,
    /// The rivals, of which the first is the yardstick.
    pub rivals: Vec<&'static Fit>,
}

/// What is kept of a finished study.
const DONE: &str = "study-done.json";
const SPEED: &str = "study-speed.json";

impl StudyPlan {
    /// Everything the results depend on.
    pub fn settings(&self) -> Settings {
        let rivals: Vec<_> = self.rivals.iter().map(|fit| fit.name).collect();
        let details = match self.study {
            Study::Labels => format!("{} nodes", self.nodes_per_move),
            Study::Rivals => format!("{} nodes, {}", self.nodes_per_move, rivals.join(",")),
        };
        Settings { study: Some(self.study), details, ..self.experiment.settings() }
    }

    /// Does what is missing and writes the results into the folder.
    ///
    /// # Errors
    /// As [`Experiment::run`].
    pub fn run(
        &self,
        folder: &mut Folder,
        halt: &Halt,
        watch: &mut dyn FnMut(Event),
    ) -> Result<StudyResults> {
        if let Some(done) = folder.load::<StudyResults>(DONE)? {
            return Ok(done);
        }
        let experiment = &self.experiment;
        watch(Event::Begun(Step::Positions));
        let (labelled, database) = classify(&experiment.games, watch)?;
        let (games, positions) = (database.games, database.all.positions);
        watch(Event::Done(Facts::Positions { games, positions }));

        watch(Event::Begun(Step::Models));
        let seed = experiment.seed;
        let found = match self.study {
            Study::Labels => labels::candidates(&labelled, seed, folder, watch)?,
            Study::Rivals => rivals::candidates(&self.rivals, &labelled, seed, folder, watch)?,
        };
        let probes = learning::probes(labelled.iter().map(|l| &l.position), seed);
        drop(labelled);
        watch(Event::Done(Facts::Models(found.test_positions)));

        let (all, yardstick) = (&found.candidates, &found.candidates[found.yardstick]);
        let costs = match self.study {
            Study::Labels => vec![None; all.len()],
            Study::Rivals => self.costs(all, &probes, folder, watch)?,
        };

        watch(Event::Begun(Step::Matches));
        let selection = Selection { count: experiment.openings, seed, ..Selection::default() };
        let yard = Models::of(yardstick.weights.clone());
        let (given, threads) = (&experiment.given, experiment.concurrency);
        let openings = openings::openings(given, selection, &yard, threads, folder, watch)?;
        let store = WeightStore::new();
        let plans_only = experiment.plans_only;
        let hall = Hall { store: &store, openings, concurrency: threads, plans_only, halt };
        let (mut contests, mut of) = (Vec::new(), Vec::new());
        for (place, candidate) in all.iter().enumerate() {
            if place == found.yardstick {
                continue;
            }
            for allowed in self.allowances() {
                let weights = [candidate, yardstick].map(|c| store.add(c.weights.clone()));
                contests.push(contest(candidate, yardstick, weights, allowed));
                of.push(place);
            }
        }
        let played = matches::play(&hall, &contests, folder, watch)?;
        let games = 2 * experiment.openings * played.len();
        watch(Event::Done(Facts::Matches(games as u64)));

        watch(Event::Begun(Step::Report));
        let mut candidates: Vec<Studied> = Vec::new();
        for (place, (candidate, costs)) in all.iter().zip(costs).enumerate() {
            let mine = of.iter().zip(&played).filter(|(other, _)| **other == place);
            let matches = mine.map(|(_, played)| StudyMatch {
                allowed: played.allowed[0],
                ours: Summary::new(&played.pairs, seed),
                nodes_per_game: played.nodes,
            });
            let (nanoseconds, speed) = costs.unzip();
            candidates.push(Studied {
                title: candidate.title.clone(),
                description: candidate.description.clone(),
                training_positions: candidate.training_positions,
                quality: candidate.quality.clone(),
                gap: candidate.gap,
                nanoseconds,
                speed,
                matches: matches.collect(),
            });
        }
        folder.save_time()?;
        let results = StudyResults {
            format: FORMAT,
            study: self.study,
            run: self.facts(folder),
            test_positions: found.test_positions,
            test: found.test,
            yardstick: yardstick.title.clone(),
            candidates,
        };
        let path = folder.result(&self.study.file());
        discern_files::write(&path, results.to_json().as_bytes(), true).to_file(&path)?;
        folder.save(DONE, &results)?;
        watch(Event::Done(Facts::Report(results.run.seconds)));
        Ok(results)
    }

    /// What both sides of a match have: equal nodes, and where the candidates do
    /// not cost the same, equal time as well.
    fn allowances(&self) -> Vec<Allowance> {
        let nodes = Allowance::NodesPerMove(self.nodes_per_move);
        match (self.study, self.experiment.pace) {
            (Study::Rivals, crate::Pace::Seconds(seconds)) => {
                vec![nodes, Allowance::Seconds(seconds)]
            }
            _ => vec![nodes],
        }
    }

    /// Nanoseconds of an evaluation and the speed of the search of each
    /// candidate, or what was measured before.
    fn costs(
        &self,
        candidates: &[Candidate],
        probes: &[String],
        folder: &mut Folder,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Vec<Option<(f64, Speed)>>> {
        if let Some(measured) = folder.load(SPEED)? {
            watch(Event::Kept(Step::Speed));
            return Ok(measured);
        }
        watch(Event::Begun(Step::Speed));
        let boards = probes.iter().map(|text| text.parse::<Position>().map(|p| p.board));
        let boards: std::result::Result<Vec<Board>, _> = boards.collect();
        let boards = boards.doing(|| "a position to measure the speed on".to_owned())?;
        let players: Vec<(String, discern_eval::AnyEvaluator)> =
            candidates.iter().map(|c| (c.title.clone(), c.evaluator())).collect();
        let speeds = speed::speeds_of(&players, &boards, self.experiment.speed_nodes, watch)?;
        let costs: Vec<Option<(f64, Speed)>> = players
            .iter()
            .zip(speeds)
            .map(|((_, evaluator), speed)| Some((nanoseconds(evaluator, &boards), speed)))
            .collect();
        folder.save(SPEED, &costs)?;
        let speeds: Vec<Speed> = costs.iter().flatten().map(|(_, speed)| speed.clone()).collect();
        watch(Event::Done(Facts::Speed(&speeds)));
        Ok(costs)
    }

    fn facts(&self, folder: &Folder) -> Run {
        let experiment = &self.experiment;
        Run {
            command: experiment.command.clone(),
            program: experiment.program.clone(),
            preset: experiment.pace.preset(),
            thirty_minutes: experiment.pace.allowance(1e6),
            openings: experiment.openings,
            started: folder.started().to_owned(),
            finished: moment::now(),
            seconds: folder.seconds(),
            machine: machine::machine(experiment.concurrency),
            load: folder.load_of_machine(),
            concurrency: experiment.concurrency,
            seed: experiment.seed,
            files: vec![experiment.games.fact(), experiment.given.fact()],
        }
    }
}

fn contest(
    candidate: &Candidate,
    yardstick: &Candidate,
    [weights, theirs]: [String; 2],
    allowed: Allowance,
) -> Contest {
    let (kind, words) = match allowed {
        Allowance::NodesPerMove(nodes) => ("nodes", format!("{nodes} nodes a move")),
        Allowance::Seconds(seconds) => ("time", format!("{seconds} s a game")),
    };
    let player = |of: &Candidate, weights: String| Contestant {
        title: of.title.clone(),
        model: of.model.clone(),
        weights,
        allowed,
    };
    Contest {
        name: format!("{}–{}, {words}", candidate.title, yardstick.title),
        file: format!("{}-{kind}", candidate.name),
        players: [player(candidate, weights), player(yardstick, theirs)],
    }
}

/// Rounds over all positions; some milliseconds.
const ROUNDS: usize = 2000;

/// Nanoseconds of an evaluation of indices that are there already, the least of
/// three attempts.
fn nanoseconds(evaluator: &discern_eval::AnyEvaluator, boards: &[Board]) -> f64 {
    let states: Vec<_> = boards.iter().map(|board| (evaluator.state(board), board)).collect();
    let attempt = || {
        let start = Instant::now();
        let mut sum = 0i64;
        for _ in 0..ROUNDS {
            for (state, board) in std::hint::black_box(&states) {
                sum += i64::from(evaluator.value(state, board).thousandths());
            }
        }
        std::hint::black_box(sum);
        start.elapsed().as_secs_f64() * 1e9 / (ROUNDS * states.len().max(1)) as f64
    };
    (0..3).map(|_| attempt()).fold(f64::INFINITY, f64::min)
}

/// The weights of a candidate from a former part of the run, if they are whole.
fn kept(folder: &Folder, name: &str, hash: &str) -> Option<Weights> {
    Weights::from_bytes(&folder.kept(name, hash)?).ok()
}
