use std::ops::Neg;

use discern_board::{Board, Move};

use super::Weights;
use crate::{Feature, Instance};

/// Why a board has the value it has, for the three models side by side.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The phase.
    pub discs: usize,
    /// What the models say before any feature: LOG's and FISHER's intercept,
    /// QUAD's constant.
    pub intercept: Contribution,
    /// The features in their fixed order.
    pub features: Vec<FeatureExplanation>,
    /// The log-odds of each model: the intercept and all contributions.
    pub total: Contribution,
}

/// One feature of a board.
#[derive(Debug, Clone)]
pub struct FeatureExplanation {
    /// The feature.
    pub feature: Feature,
    /// Its value: the sum over its instances.
    pub value: f64,
    /// Its instances on the board.
    pub instances: Vec<Instance>,
    /// What it adds to each model's log-odds. QUAD's products of two features
    /// are shared equally between them.
    pub contribution: Contribution,
}

/// A part of the log-odds of each model, from the mover's view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Contribution {
    /// In LOG.
    pub log: f64,
    /// In FISHER.
    pub fisher: f64,
    /// In QUAD.
    pub quad: f64,
}

impl Neg for Contribution {
    type Output = Contribution;

    fn neg(self) -> Contribution {
        Contribution { log: -self.log, fisher: -self.fisher, quad: -self.quad }
    }
}

/// The same from the other side's view.
impl Neg for Explanation {
    type Output = Explanation;

    fn neg(mut self) -> Explanation {
        self.intercept = -self.intercept;
        self.total = -self.total;
        for feature in &mut self.features {
            feature.value = -feature.value;
            feature.contribution = -feature.contribution;
            feature.instances.iter_mut().for_each(|instance| instance.value = -instance.value);
        }
        self
    }
}

impl Weights {
    /// Takes apart what the mover of `board` thinks of it after a move. `None`
    /// if the move ends the game, which leaves nothing to estimate, or is not
    /// legal.
    pub fn explain_move(&self, board: &Board, mv: Move) -> Option<Explanation> {
        let after = board.play(mv)?;
        if after.is_over() {
            None
        } else if after.must_pass() {
            Some(self.explain(&after.pass()))
        } else {
            Some(-self.explain(&after))
        }
    }

    /// Takes the value of a board apart.
    pub fn explain(&self, board: &Board) -> Explanation {
        let discs = board.discs() as usize;
        let instances = self.tables.at(discs).instances(board);
        let x = self.tables.at(discs).features(board);
        let (log, fisher, quad) = (self.log.at(discs), self.fisher.at(discs), self.quad.at(discs));
        let parts = (log.contributions(&x), fisher.contributions(&x), quad.contributions(&x));
        let features = Feature::ALL
            .into_iter()
            .map(|feature| {
                let j = feature.index();
                FeatureExplanation {
                    feature,
                    value: x[j],
                    instances: instances.iter().filter(|i| i.feature == feature).copied().collect(),
                    contribution: Contribution {
                        log: parts.0[j],
                        fisher: parts.1[j],
                        quad: parts.2[j],
                    },
                }
            })
            .collect();
        Explanation {
            discs,
            intercept: Contribution {
                log: log.intercept,
                fisher: fisher.intercept,
                quad: quad.constant,
            },
            features,
            total: Contribution {
                log: log.value(&x),
                fisher: fisher.value(&x),
                quad: quad.value(&x),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::Evaluator;
    use crate::weights::tests::arbitrary_weights;

    #[test]
    fn evaluators_say_what_the_explanation_adds_up_to() {
        let weights = arbitrary_weights(41);
        let (log, fisher, quad) = (weights.log(), weights.fisher(), weights.quad());
        let mut clamped = 0;
        for board in random_game_boards(42, 100).chain(random_discs(43, 3000)) {
            let explanation = weights.explain(&board);
            let sum = |part: fn(&Contribution) -> f64| {
                let features = explanation.features.iter().map(|f| part(&f.contribution));
                features.sum::<f64>() + part(&explanation.intercept)
            };
            let total = explanation.total;
            assert!((sum(|c| c.log) - total.log).abs() < 1e-9);
            assert!((sum(|c| c.fisher) - total.fisher).abs() < 1e-9);
            assert!((sum(|c| c.quad) - total.quad).abs() < 1e-9);
            for (value, exact) in [
                (log.evaluate(&board), total.log),
                (fisher.evaluate(&board), total.fisher),
                (quad.evaluate(&board), total.quad),
            ] {
                let clamp = exact.clamp(-15.0, 15.0);
                clamped += usize::from(clamp != exact);
                // 42 roundings of a 16th of a thousandth at worst, and one of a half.
                assert!((value.log_odds() - clamp).abs() < 0.002, "{value} for {exact}");
            }
        }
        assert!(clamped < 5000, "too few values inside the range: {clamped} outside");
    }

    #[test]
    fn a_move_is_explained_from_the_side_of_its_player() {
        let weights = arbitrary_weights(46);
        let (log, mut passes, mut ends) = (weights.log(), 0, 0);
        for board in random_game_boards(47, 60) {
            for mv in board.moves().squares().map(Move::Place) {
                let after = board.play(mv).unwrap();
                let Some(explanation) = weights.explain_move(&board, mv) else {
                    assert!(after.is_over());
                    ends += 1;
                    continue;
                };
                let value = match after.must_pass() {
                    true => log.evaluate(&after.pass()),
                    false => -log.evaluate(&after),
                };
                passes += usize::from(after.must_pass());
                let sum: f64 = explanation.features.iter().map(|f| f.contribution.log).sum();
                let total = sum + explanation.intercept.log;
                assert!((total - explanation.total.log).abs() < 1e-9);
                assert!((value.log_odds() - total.clamp(-15.0, 15.0)).abs() < 0.002);
            }
        }
        assert!(passes > 10 && ends > 10, "{passes} passes, {ends} ends");
        assert!(weights.explain_move(&Board::START, Move::Pass).is_none());
    }

    #[test]
    fn instances_add_up_to_the_feature_and_lie_on_their_squares() {
        let weights = arbitrary_weights(44);
        for board in random_game_boards(45, 5) {
            for feature in weights.explain(&board).features {
                let sum: f64 = feature.instances.iter().map(|instance| instance.value).sum();
                assert!((sum - feature.value).abs() < 1e-9);
                let squares = feature
                    .feature
                    .pattern()
                    .map(|p| crate::patterns::PATTERNS[p].squares.len() as u32);
                assert!(feature.instances.iter().all(|instance| {
                    squares.is_none_or(|count| instance.squares.count() == count)
                }));
            }
        }
    }
}
