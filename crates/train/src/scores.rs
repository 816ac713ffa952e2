//! Expected scores, learned backwards from the end of the game: the last
//! positions are solved, each earlier stage is labelled by short searches that
//! reach the stage behind it, which is fitted already.

use std::collections::HashSet;
use std::path::Path;

use discern_board::{Board, Dice};
use discern_eval::{
    AnyEvaluator, DirectModel, DirectPhase, DirectSet, LAST_PHASE, NamedModel, Phases, ScoreModel,
    ScorePhase, Weights,
};
use discern_learn::{JudgedPosition, fit_scores};
use discern_records::archive::ArchiveReader;
use discern_records::{Fault, GameRecord};
use discern_search::{Limits, Options, StopFlag};
use discern_stats::Threads;

use crate::TrainError;
use crate::calibrate::with_model;
use crate::searched::searched;

/// How expected scores are learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSettings {
    /// The fewest discs of a board whose score is expected.
    pub first: usize,
    /// With this many empty squares a score is solved.
    pub exact: u32,
    /// Plies of the searches that stand for the scores of other boards: enough
    /// to leave a stage.
    pub depth: u32,
    /// Disc counts behind a stage from which it learns, too.
    pub margin: usize,
    /// The penalty on differences from a multiple of the odds' weights.
    pub ridge: f64,
    /// Threads; the result does not depend on it.
    pub threads: usize,
}

impl Default for ScoreSettings {
    fn default() -> ScoreSettings {
        ScoreSettings { first: 32, exact: 13, depth: 4, margin: 6, ridge: 8.0, threads: 1 }
    }
}

/// Boards of games, so many of each disc count: half of them as they were
/// played, half after one more move of any kind, since searches meet bad moves
/// all the time.
#[derive(Debug)]
pub struct ScoreSample {
    dice: Dice,
    one_in: u64,
    boards: Vec<HashSet<Board>>,
}

impl ScoreSample {
    /// About `boards` boards of each disc count of so many games.
    pub fn new(boards: u64, games: u64, seed: u64) -> ScoreSample {
        let one_in = games.div_ceil(boards.max(1)).max(1);
        ScoreSample {
            dice: Dice::new(&[seed]),
            one_in,
            boards: vec![HashSet::new(); LAST_PHASE + 1],
        }
    }

    /// Boards of the games of an archive, which is read twice.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path, boards: u64, seed: u64) -> Result<ScoreSample, Fault> {
        let mut games = 0;
        for record in ArchiveReader::open(path)? {
            record?;
            games += 1;
        }
        let mut sample = ScoreSample::new(boards, games, seed);
        for record in ArchiveReader::open(path)? {
            sample.add(&record?);
        }
        Ok(sample)
    }

    /// Takes boards of a game.
    pub fn add(&mut self, record: &GameRecord) {
        for ply in record.game.plies() {
            if self.dice.below(self.one_in) > 0 {
                continue;
            }
            let mut board = ply.before.board;
            if self.dice.below(2) == 0 {
                let moves: Vec<_> = board.moves().squares().collect();
                if !moves.is_empty() {
                    let square = moves[self.dice.below(moves.len() as u64) as usize];
                    board = board.play_unchecked(square, board.flips(square));
                }
            }
            if board.moves().any() {
                self.boards[board.discs() as usize].insert(board.canonical());
            }
        }
    }

    /// The boards of a disc count, in the order of boards.
    fn of(&self, discs: usize) -> Vec<Board> {
        let mut boards: Vec<Board> = self.boards[discs].iter().copied().collect();
        boards.sort_unstable();
        boards
    }
}

/// A disc count has been labelled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreStep {
    /// The disc count.
    pub discs: usize,
    /// Boards that were labelled.
    pub boards: usize,
    /// How far labels stray from the model's scores, in discs: a standard
    /// deviation on boards that it has not learned from.
    pub error: f64,
    /// Share of the work that is done.
    pub done: f64,
}

/// One board of so many is kept apart to measure the error.
const APART: usize = 20;

/// Adds expected scores to the direct model; `watch` hears of each disc count.
///
/// # Errors
/// If there is no direct model or too few boards.
pub fn with_scores(
    weights: &Weights,
    sample: &ScoreSample,
    settings: &ScoreSettings,
    watch: &mut dyn FnMut(ScoreStep),
) -> Result<Weights, TrainError> {
    let named = weights.model("direct")?;
    let missing = || TrainError::Setting("the model 'direct' is of another kind".into());
    let model = named.get::<DirectModel>().ok_or_else(missing)?;
    let mut chain = Chain::new(weights, named, model, settings);
    let (first, last) = (model.stages().at(settings.first), model.stages().count() - 1);
    for stage in (first..=last).rev() {
        let own = |discs: &usize| model.stages().at(*discs) == stage;
        for discs in (settings.first..LAST_PHASE).filter(own).rev() {
            chain.label(discs, &sample.of(discs))?;
        }
        chain.fit(stage)?;
        for discs in (settings.first..LAST_PHASE).filter(own).rev() {
            let done = (LAST_PHASE - discs) as f64 / (LAST_PHASE - settings.first) as f64;
            watch(chain.measure(discs, done));
        }
    }
    let scores = chain.finish();
    Ok(with_model(weights, named, model.clone().with_scores(scores)))
}

/// The stages that are fitted, from the last one on.
struct Chain<'a> {
    weights: &'a Weights,
    named: &'a NamedModel,
    model: &'a DirectModel,
    settings: &'a ScoreSettings,
    /// Boards with (64 + score)/128, by discs.
    learned: Vec<Vec<JudgedPosition>>,
    apart: Vec<Vec<JudgedPosition>>,
    sets: Vec<DirectSet>,
    phases: Phases<ScorePhase>,
}

impl<'a> Chain<'a> {
    fn new(
        weights: &'a Weights,
        named: &'a NamedModel,
        model: &'a DirectModel,
        settings: &'a ScoreSettings,
    ) -> Chain<'a> {
        let nothing = || {
            let scalars = model.features().scalars();
            let scalars = scalars.map(|scalar| vec![0.0; scalar.levels()]).collect();
            let set = DirectSet::new(model.features(), scalars, |_, _| 0.0);
            match model.sets().iter().all(DirectSet::knows_tempo) {
                true => set.with_tempo(model.features(), |_, _| 0.0),
                false => set,
            }
        };
        Chain {
            weights,
            named,
            model,
            settings,
            learned: vec![Vec::new(); LAST_PHASE + 1],
            apart: vec![Vec::new(); LAST_PHASE + 1],
            sets: (0..model.stages().count()).map(|_| nothing()).collect(),
            phases: Phases::from_fn(|_| ScorePhase { intercept: 0.0, error: 0.0 }),
        }
    }

    /// An evaluator whose log-odds are g of the scores known so far.
    fn evaluator(&self) -> Result<AnyEvaluator, TrainError> {
        let phases = self.phases.map(|discs, phase| DirectPhase::new(discs, phase.intercept, 1.0));
        let (features, stages) = (self.model.features().clone(), self.model.stages());
        let model = DirectModel::new(features, stages, self.sets.clone(), phases);
        Ok(with_model(self.weights, self.named, model).model("direct")?.evaluator())
    }

    /// Labels boards of this disc count.
    fn label(&mut self, discs: usize, boards: &[Board]) -> Result<(), TrainError> {
        let limits = match LAST_PHASE - discs <= self.settings.exact as usize {
            true => Limits::SOLVE,
            false => Limits::depth(self.settings.depth),
        };
        let shares = labels(&self.evaluator()?, boards, &limits, self.settings.threads)?;
        for (number, (&board, probability)) in boards.iter().zip(shares).enumerate() {
            let position = JudgedPosition { board, probability, group: number as u32 };
            match number % APART {
                0 => self.apart[discs].push(position),
                _ => self.learned[discs].push(position),
            }
        }
        Ok(())
    }

    /// Fits a stage to its own boards and those behind it.
    fn fit(&mut self, stage: usize) -> Result<(), TrainError> {
        let stages = self.model.stages();
        let own: Vec<usize> = (0..=LAST_PHASE).filter(|&d| stages.at(d) == stage).collect();
        let last = own.last().copied().unwrap_or(LAST_PHASE) + self.settings.margin;
        let counts = own[0]..=last.min(LAST_PHASE);
        let examples: Vec<&JudgedPosition> = counts.flat_map(|d| &self.learned[d]).collect();
        let threads = Threads::new(self.settings.threads);
        let (features, ridge) = (self.model.features(), self.settings.ridge);
        let odds = &self.model.sets()[stage];
        let fitted = fit_scores(&examples, features, odds, ridge, threads)?;
        self.phases = self.phases.map(|discs, phase| {
            let own = stages.at(discs) == stage;
            let found = fitted.intercepts.iter().find(|(other, _)| own && *other == discs);
            ScorePhase { intercept: found.map_or(phase.intercept, |(_, value)| *value), ..*phase }
        });
        self.sets[stage] = fitted.set;
        Ok(())
    }

    /// The error at this disc count.
    fn measure(&mut self, discs: usize, done: f64) -> ScoreStep {
        let phase = self.phases.at(discs);
        let set = &self.sets[self.model.stages().at(discs)];
        let apart = &self.apart[discs];
        let square = |position: &JudgedPosition| {
            let sum = phase.intercept + set.sum(self.model.features(), &position.board);
            let label = 128.0 * f64::from(position.probability) - 64.0;
            (label - ScoreModel::score_of(sum)).powi(2)
        };
        let error = (apart.iter().map(square).sum::<f64>() / apart.len().max(1) as f64).sqrt();
        self.phases = self.phases.map(|other, phase| match other == discs {
            true => ScorePhase { error, ..*phase },
            false => *phase,
        });
        ScoreStep { discs, boards: self.learned[discs].len() + apart.len(), error, done }
    }

    fn finish(self) -> ScoreModel {
        ScoreModel::new(self.settings.first, self.model.stages(), self.sets, self.phases)
    }
}

/// (64 + score)/128 of each board, as a search sees it.
fn labels(
    evaluator: &AnyEvaluator,
    boards: &[Board],
    limits: &Limits,
    threads: usize,
) -> Result<Vec<f32>, TrainError> {
    const BATCH: usize = 256;
    let options = Options { threads: 1, table_mebibytes: 1 };
    searched(evaluator, options, boards, BATCH, threads, &|engine, board| {
        let report = engine.search(board, limits, &StopFlag::new(), &mut |_| {});
        let value = report.best().expect("boards with moves").value;
        // A proven draw is an even value, which means the same here.
        let proven = value.proven_score().map(|score| (64 + score.discs()) as f32 / 128.0);
        proven.unwrap_or(value.probability() as f32)
    })
}

#[cfg(test)]
mod tests {
    use discern_board::testing::random_games;
    use discern_eval::Evaluator;
    use discern_search::engine;

    use super::*;

    fn learned(threads: usize) -> Weights {
        let mut sample = ScoreSample::new(400, 400, 7);
        random_games(81, 400).for_each(|game| sample.add(&GameRecord::new(game)));
        let settings = ScoreSettings { first: 53, exact: 5, threads, ..ScoreSettings::default() };
        with_scores(discern_data::weights(), &sample, &settings, &mut |_| {}).unwrap()
    }

    #[test]
    fn scores_learned_from_random_games_are_nearer_than_those_of_the_odds() {
        let weights = learned(2);
        let evaluators = [&weights, discern_data::weights()].map(|weights| {
            let model = weights.model("direct").unwrap().get::<DirectModel>().unwrap();
            let plain = DirectModel::new(
                model.features().clone(),
                model.stages(),
                model.sets().to_vec(),
                model.phases.clone(),
            );
            (model.clone(), plain)
        });
        let ([(with, _), (_, without)], mut squares) = (evaluators, [0.0; 2]);
        let mut engine = engine(
            weights.model("log").unwrap().evaluator(),
            Options { threads: 1, table_mebibytes: 1 },
        )
        .unwrap();
        for game in random_games(82, 300) {
            let late = game.plies().iter().map(|ply| ply.before.board);
            let Some(board) = late.clone().find(|b| b.empties() == 8 && b.moves().any()) else {
                continue;
            };
            let report = engine.search(&board, &Limits::SOLVE, &StopFlag::new(), &mut |_| {});
            let score = f64::from(report.best().unwrap().score().unwrap().discs());
            for (sum, model) in squares.iter_mut().zip([&with, &without]) {
                *sum += (model.expected_score(&board) - score).powi(2);
            }
        }
        assert!(squares[0] < 0.9 * squares[1], "{squares:?}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_the_odds_stay() {
        let [one, three] = [1, 3].map(learned);
        assert_eq!(one, three);
        let [new, old] =
            [&one, discern_data::weights()].map(|w| w.model("direct").unwrap().evaluator());
        for board in random_games(83, 50).map(|game| game.plies()[30].before.board) {
            assert_eq!(new.evaluate(&board), old.evaluate(&board));
        }
    }

    #[test]
    fn without_boards_there_are_no_scores() {
        let sample = ScoreSample::new(10, 10, 1);
        let settings = ScoreSettings::default();
        assert!(with_scores(discern_data::weights(), &sample, &settings, &mut |_| {}).is_err());
    }
}
