use discern_board::Board;

use crate::patterns::{Indices, Occurrence, Orbits, PATTERNS};
use crate::{Phases, Stages};

/// A weight of its own for every configuration of every pattern, an extension
/// of the paper: f = intercept + scale · (Σ weights of the configurations on
/// the board + mobility terms). It folds into the same tables as LOG.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectModel {
    stages: Stages,
    sets: Vec<DirectSet>,
    /// How the sum becomes log-odds in each phase.
    pub phases: Phases<DirectPhase>,
}

/// The weights of one stage of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectSet {
    /// Of a move on a line, mine less his.
    pub mobility: f64,
    /// Of a potential move.
    pub potential: f64,
    /// For each pattern the weight of each class of its configurations, in
    /// steps of 1/[`DirectSet::STEPS`] logit; none if it is not scored.
    steps: Vec<Vec<i16>>,
}

/// How the sum of weights becomes log-odds in one phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectPhase {
    /// Log-odds of a board that is worth nothing.
    pub intercept: f64,
    /// Below 1 where the weights are too sure of themselves.
    pub scale: f64,
}

impl DirectSet {
    /// Steps in a logit.
    pub const STEPS: f64 = 4096.0;

    /// Asks for the weight of every class of configurations, in logits:
    /// `weight(pattern, class)`.
    pub fn new(
        mobility: f64,
        potential: f64,
        mut weight: impl FnMut(usize, usize) -> f64,
    ) -> DirectSet {
        let steps = PATTERNS.iter().enumerate().map(|(number, pattern)| {
            let classes = if pattern.scored { Orbits::of(number).classes() } else { 0 };
            // The cast saturates at ±8 logits.
            (0..classes).map(|c| (weight(number, c) * DirectSet::STEPS).round() as i16).collect()
        });
        DirectSet { mobility, potential, steps: steps.collect() }
    }

    /// A set with the steps of each class of each pattern.
    pub(crate) fn from_steps(mobility: f64, potential: f64, steps: Vec<Vec<i16>>) -> DirectSet {
        DirectSet { mobility, potential, steps }
    }

    /// The steps of each class of a pattern's configurations.
    pub fn classes(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }

    /// The weight of every configuration of a pattern in steps.
    pub(crate) fn expanded(&self, pattern: usize) -> Vec<i16> {
        if PATTERNS[pattern].scored {
            Orbits::of(pattern).expand(&self.steps[pattern])
        } else {
            vec![0; PATTERNS[pattern].configurations()]
        }
    }

    /// The sum of the weights on a board.
    pub fn sum(&self, board: &Board) -> f64 {
        let indices = Indices::of(board);
        let mut steps = 0;
        indices.occurrences(|Occurrence { pattern, configuration }| {
            if let Some(signed) = Orbits::of(pattern).class(configuration) {
                let own = i32::from(self.steps[pattern][signed.class]);
                steps += if signed.swapped { -own } else { own };
            }
        });
        let mobility = indices.mobility();
        f64::from(steps) / DirectSet::STEPS
            + self.mobility * f64::from(mobility.moves)
            + self.potential * f64::from(mobility.potential)
    }
}

impl DirectModel {
    /// A model with one set of weights per stage.
    ///
    /// # Panics
    /// If there are more or fewer sets than stages.
    pub fn new(stages: Stages, sets: Vec<DirectSet>, phases: Phases<DirectPhase>) -> DirectModel {
        assert_eq!(sets.len(), stages.count(), "one set per stage");
        DirectModel { stages, sets, phases }
    }

    /// The stages of the sets.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// The sets in the order of the stages.
    pub fn sets(&self) -> &[DirectSet] {
        &self.sets
    }

    /// f, the log-odds of a win for the mover.
    pub fn value(&self, board: &Board) -> f64 {
        let discs = board.discs() as usize;
        let DirectPhase { intercept, scale } = *self.phases.at(discs);
        intercept + scale * self.sets[self.stages.at(discs)].sum(board)
    }
}

#[cfg(test)]
mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::{random_discs, random_game_boards};

    use crate::Evaluator;
    use crate::weights::tests::arbitrary_weights;

    #[test]
    fn folded_is_unfolded_to_rounding_in_all_images() {
        let weights = arbitrary_weights(71);
        let model = weights.direct.as_ref().unwrap();
        let evaluator = weights.direct().unwrap();
        for board in random_game_boards(72, 60).chain(random_discs(73, 1000)) {
            let exact = model.value(&board).clamp(-15.0, 15.0);
            for symmetry in Symmetry::ALL {
                let value = evaluator.evaluate(&symmetry.board(board)).log_odds();
                assert!((value - exact).abs() < 0.003, "{value} for {exact}");
            }
        }
    }

    #[test]
    fn swapping_the_colours_negates_the_sum() {
        let weights = arbitrary_weights(74);
        let set = &weights.direct.as_ref().unwrap().sets()[5];
        for board in random_game_boards(75, 20) {
            assert!((set.sum(&board) + set.sum(&board.pass())).abs() < 1e-9);
        }
    }
}
