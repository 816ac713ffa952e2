use discern_board::Board;

use super::direct::{DirectSet, put_sets, sets};
use crate::bytes::{Reader, put_f64s};
use crate::{FIRST_PHASE, Features, LAST_PHASE, Phases, Stages, WeightsError};

/// What a direct model knows of the final score, from some disc count on: a
/// second weight for every configuration, whose sum g stands for the expected
/// score 64 tanh(g/2), that is for (64 + score)/128 = 1/(1 + e^−g).
///
/// Odds say little about discs once the game is decided. A solver that is to
/// find the score there goes by this.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreModel {
    /// The fewest discs of a board it knows.
    first: usize,
    /// One set per stage of the direct model; empty weights before `first`.
    sets: Vec<DirectSet>,
    /// How a sum becomes a score.
    pub phases: Phases<ScorePhase>,
}

/// One phase of the expected score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePhase {
    /// g of a board whose weights add up to nothing.
    pub intercept: f64,
    /// How far what it learned from strays from the expected score: a
    /// standard deviation in discs, on boards that taught it nothing. Near the
    /// end these are solved scores, before that searches of a few plies.
    pub error: f64,
}

impl ScoreModel {
    /// A model of boards with `first` discs or more.
    ///
    /// # Panics
    /// Without a set for each stage.
    pub fn new(
        first: usize,
        stages: Stages,
        sets: Vec<DirectSet>,
        phases: Phases<ScorePhase>,
    ) -> ScoreModel {
        assert_eq!(sets.len(), stages.count(), "one set per stage");
        ScoreModel { first, sets, phases }
    }

    /// The fewest discs of a board it knows.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The sets in the order of the stages.
    pub fn sets(&self) -> &[DirectSet] {
        &self.sets
    }

    /// The score that a sum means, in discs.
    pub fn score_of(sum: f64) -> f64 {
        64.0 * (sum / 2.0).tanh()
    }

    /// The expected score for the mover, in discs; `None` for a board with too
    /// few of them.
    pub(super) fn score(&self, features: &Features, stages: Stages, board: &Board) -> Option<f64> {
        let discs = board.discs() as usize;
        let sum = || self.sets[stages.at(discs)].sum(features, board);
        (discs >= self.first).then(|| ScoreModel::score_of(self.phases.at(discs).intercept + sum()))
    }

    /// The first disc count, then weights and phases as the odds have them.
    pub(super) fn encode(&self, features: &Features, stages: Stages) -> Vec<u8> {
        let mut out = vec![self.first as u8];
        put_sets(&mut out, features, stages, &self.sets);
        for (_, &ScorePhase { intercept, error }) in self.phases.iter() {
            put_f64s(&mut out, &[intercept, error]);
        }
        out
    }

    pub(super) fn decode(content: &[u8], features: &Features) -> Result<ScoreModel, WeightsError> {
        let mut reader = Reader(content);
        let first = usize::from(reader.u8()?);
        if !(FIRST_PHASE..=LAST_PHASE).contains(&first) {
            return Err(WeightsError::Malformed("scores from an impossible disc count on"));
        }
        let (_, sets) = sets(&mut reader, features)?;
        let phases = Phases::try_from_fn(|_| {
            let (intercept, error) = (reader.f64()?, reader.f64()?);
            if !(0.0..=128.0).contains(&error) || intercept.abs() > 30.0 {
                return Err(WeightsError::Malformed("an impossible score"));
            }
            Ok(ScorePhase { intercept, error })
        })?;
        reader.end()?;
        Ok(ScoreModel { first, sets, phases })
    }
}

#[cfg(test)]
mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::random_discs;

    use crate::weights::tests::arbitrary_weights;
    use crate::{DirectModel, Evaluator, Features, ScoreModel, ScorePhase};

    /// An arbitrary direct model whose scores have the sets of other stages.
    fn with_scores(features: Features) -> DirectModel {
        let weights = arbitrary_weights(features, 91);
        let model = weights.model("direct").unwrap().get::<DirectModel>().unwrap().clone();
        let mut sets = model.sets().to_vec();
        sets.rotate_left(3);
        let phases = model.phases.map(|discs, _| ScorePhase {
            intercept: discs as f64 / 200.0,
            error: discs as f64 / 10.0,
        });
        let scores = ScoreModel::new(36, model.stages(), sets, phases);
        model.with_scores(scores)
    }

    #[test]
    fn folded_scores_are_unfolded_ones_to_rounding_in_all_images() {
        use crate::models::Model;

        for features in [Features::default(), Features::all()] {
            let model = with_scores(features.clone());
            let basis = arbitrary_weights(features, 91).basis().clone();
            let evaluator = model.evaluator(&basis);
            for board in random_discs(92, 2000) {
                let exact = model.expected_score(&board);
                for symmetry in Symmetry::ALL {
                    let image = symmetry.board(board);
                    let state = evaluator.state(&image);
                    let score = f64::from(evaluator.expected_score(&state, &image)) / 100.0;
                    assert!((score - exact).abs() < 0.2, "{score} for {exact}: {board:?}");
                }
            }
        }
    }

    #[test]
    fn boards_with_fewer_discs_have_the_score_that_the_odds_mean() {
        let model = with_scores(Features::default());
        let plain = DirectModel::new(
            model.features().clone(),
            model.stages(),
            model.sets().to_vec(),
            model.phases.clone(),
        );
        let boards: Vec<_> = random_discs(93, 2000).collect();
        let differs = |late: bool| {
            let of_phase = boards.iter().filter(|board| (board.discs() >= 36) == late);
            of_phase.filter(|b| model.expected_score(b) != plain.expected_score(b)).count()
        };
        assert_eq!(differs(false), 0);
        assert!(differs(true) > 100);
    }

    #[test]
    fn scores_survive_a_file_and_damage_is_seen() {
        let model = with_scores(Features::default());
        let (scores, stages) = (model.scores().unwrap(), model.stages());
        let bytes = scores.encode(model.features(), stages);
        assert_eq!(&ScoreModel::decode(&bytes, model.features()).unwrap(), scores);
        assert!(ScoreModel::decode(&bytes[..bytes.len() - 1], model.features()).is_err());
        for first in [0, 3, 65, 255] {
            let mut wild = bytes.clone();
            wild[0] = first;
            assert!(ScoreModel::decode(&wild, model.features()).is_err());
        }
        let mut wild = bytes.clone();
        let last = wild.len() - 8;
        wild[last..].copy_from_slice(&1e9f64.to_le_bytes());
        assert!(ScoreModel::decode(&wild, model.features()).is_err());
    }
}
