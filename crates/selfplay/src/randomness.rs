use discern_search::Report;
use serde::{Deserialize, Serialize};

use crate::dice::Dice;

/// How players stray from their best moves, so that games differ and errors
/// occur as the paper wants.
///
/// Before each move a die decides whether the player strays. If so, the best
/// few moves are searched, and one of those within the margin is drawn with a
/// weight that falls from the best move's to zero at the margin. Whole numbers
/// only: a softmax would need `exp`, which differs between systems in the last
/// bit, and with it the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Randomness {
    /// How often a player strays, in thousandths of its moves.
    pub chance_permille: u32,
    /// How much a move may lose, in thousandths of a logit.
    pub margin_millilogits: u32,
    /// How many of the best moves are looked at.
    pub moves: u32,
    /// Players stray only while more squares than this are empty.
    pub until_empties: u32,
}

impl Default for Randomness {
    /// Three moves in twenty lose up to one logit, until 21 squares are empty.
    fn default() -> Randomness {
        Randomness { chance_permille: 150, margin_millilogits: 1000, moves: 4, until_empties: 20 }
    }
}

impl Randomness {
    /// The best move every time.
    pub const NONE: Randomness =
        Randomness { chance_permille: 0, margin_millilogits: 0, moves: 1, until_empties: 64 };

    /// Does the player stray in a position with so many empty squares?
    pub(crate) fn strays(&self, empties: u32, dice: &mut Dice) -> bool {
        // The die is thrown in any case: a plan with other limits plays the
        // same opening moves.
        let throw = dice.below(1000);
        empties > self.until_empties && throw < u64::from(self.chance_permille)
    }

    /// One of the lines of a report.
    pub(crate) fn choose(&self, report: &Report, dice: &mut Dice) -> usize {
        let Some(best) = report.best() else { return 0 };
        let margin = i64::from(self.margin_millilogits);
        let weight = |thousandths: i32| {
            let loss = i64::from(best.value.thousandths()) - i64::from(thousandths);
            (margin + 1 - loss).clamp(0, margin + 1) as u64
        };
        let weights: Vec<u64> =
            report.lines.iter().map(|line| weight(line.value.thousandths())).collect();
        let mut throw = dice.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if throw < weight {
                return index;
            }
            throw -= weight;
        }
        0
    }

    /// For a further attempt at a game that came out like another one.
    pub(crate) fn more(&self, attempt: u32) -> Randomness {
        Randomness {
            chance_permille: (self.chance_permille + 100 * attempt).min(1000),
            margin_millilogits: self.margin_millilogits.saturating_add(250 * attempt).min(60_000),
            moves: (self.moves + attempt).min(64),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use discern_board::Square;
    use discern_eval::Value;
    use discern_search::{Certainty, Line};

    use super::*;

    fn report(values: &[i32]) -> Report {
        let line = |(index, &value): (usize, &i32)| Line {
            mv: Square::from_index(index as u32).into(),
            value: Value::from_thousandths(value),
            certainty: Certainty::Depth(1),
            pv: Vec::new(),
        };
        let lines = values.iter().enumerate().map(line).collect();
        Report { lines, nodes: 0, time: Duration::ZERO, interrupted: false }
    }

    #[test]
    fn moves_within_the_margin_are_drawn_the_better_the_more_often() {
        let randomness = Randomness::default();
        let mut dice = Dice::new(&[3]);
        let mut counts = [0; 4];
        let report = report(&[500, 0, -400, -600]);
        (0..10_000).for_each(|_| counts[randomness.choose(&report, &mut dice)] += 1);
        // Weights 1001, 501, 101, 0.
        assert!(counts[0] > 6000 && counts[1] > 2800 && counts[2] > 500, "{counts:?}");
        assert_eq!(counts[3], 0);
    }

    #[test]
    fn a_proven_win_is_never_given_up() {
        let mut dice = Dice::new(&[4]);
        let report = report(&[20_002, 14_000]);
        assert!((0..1000).all(|_| Randomness::default().choose(&report, &mut dice) == 0));
    }

    #[test]
    fn nobody_strays_near_the_end() {
        let always = Randomness { chance_permille: 1000, ..Randomness::default() };
        let mut dice = Dice::new(&[5]);
        assert!(always.strays(21, &mut dice) && !always.strays(20, &mut dice));
        let never = Randomness { chance_permille: 0, ..Randomness::default() };
        assert!((0..100).all(|_| !never.strays(50, &mut dice)));
    }
}
