//! Cutting off what a shallow look makes improbable (ProbCut, Buro 1995).
//!
//! In the midgame it buys depth for a player on the clock, if the evaluator
//! says how far deeper searches stray from its value
//! ([`Evaluator::spread`]). In the endgame it prepares the proof: a selective
//! pass visits a small part of the tree and leaves in the table the moves with
//! which the exact search then needs far fewer nodes, and what it could prove
//! without a guess; its guesses are never reported.

use discern_eval::{Evaluator, Value};

use crate::deep::{Aim, Node};
use crate::worker::Worker;

/// May a search cut off what is only probably decided? The later, the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Selectivity {
    /// Yes: a guess, as good as the depth it buys in the midgame.
    Bold,
    /// Yes, with more care.
    Probable,
    /// Yes, where it is nearly sure.
    Careful,
    /// No: every line counts.
    None,
}

impl Selectivity {
    /// How sure estimates are: the share of looks that deviate by less than
    /// the margin. Nothing if nothing is left out.
    pub fn confidence(self) -> Option<f64> {
        match self {
            Selectivity::Bold => Some(0.73),
            Selectivity::Probable => Some(0.89),
            Selectivity::Careful => Some(0.97),
            Selectivity::None => None,
        }
    }

    /// The odds, in thousandths of a logit, that an outcome guessed so is right:
    /// with 24 empty squares of human games 3.3, 2.1 and 0.9 % were wrong.
    pub fn odds(self) -> i32 {
        match self {
            Selectivity::Bold => 3400,
            Selectivity::Probable => 3850,
            _ => 4650,
        }
    }

    /// Hundredths of a standard deviation by which a look must be beyond the
    /// window to count.
    fn margin(self) -> Option<i32> {
        match self {
            Selectivity::Bold => Some(110),
            Selectivity::Probable => Some(160),
            Selectivity::Careful => Some(220),
            Selectivity::None => None,
        }
    }
}

/// A look that may make searching on unnecessary, in the units of its aim.
struct Look {
    aim: Aim,
    depth: u32,
    /// What the result must be beyond the window by.
    margin: i32,
    /// A look is tried only if the static estimate comes this near to the cut.
    near: i32,
    /// Results beyond this are not estimates.
    limit: i32,
    /// Units of the look in a unit of the search.
    scale: i32,
}

impl Look {
    /// With fewer empty squares than this, solving is cheaper than guessing.
    const MIN_EMPTIES: u32 = 13;
    /// A search less deep is cheaper than the looks it would need.
    const MIN_DEPTH: u32 = 3;

    /// Before a score is proven. The deviation of the score around the look's
    /// estimate grows with the empty squares and shrinks with the look.
    fn at_score(selectivity: Selectivity, empties: u32) -> Option<Look> {
        let margin = selectivity.margin()?;
        (empties >= Look::MIN_EMPTIES).then(|| {
            let depth = (empties - 8) / 3;
            let deviation = 400 + 10 * empties as i32 - 30 * depth as i32;
            let margin = margin * deviation / 100;
            Look { aim: Aim::Discs, depth, margin, near: 300, limit: 6400, scale: 100 }
        })
    }

    /// Before odds are searched at a depth with an evaluator of this spread.
    /// Half the depth or a little more, and of the same parity: values before
    /// one's own move and before the opponent's differ by more than chance.
    fn at_odds(selectivity: Selectivity, depth: u32, spread: i32) -> Option<Look> {
        let margin = selectivity.margin()? as f32 / 100.0;
        (depth >= Look::MIN_DEPTH).then(|| {
            let half = depth.div_ceil(2).min(depth - 2);
            let look = half - (depth - half) % 2;
            // Each two plies add the same to the variance.
            let deviation = spread as f32 * ((depth - look) as f32 / 2.0).sqrt();
            Look {
                aim: Aim::Odds(selectivity),
                depth: look,
                margin: (margin * deviation) as i32,
                near: 0,
                limit: Value::MAX_ESTIMATE.thousandths(),
                scale: 1,
            }
        })
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// A bound of a null window's value that is probably right.
    pub fn probable_cut(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
    ) -> Option<i32> {
        let Node { board, state } = node;
        let (look, estimate) = match aim {
            Aim::Score(selectivity) => {
                let look = Look::at_score(selectivity, depth)?;
                (look, self.evaluator.expected_score(state, board))
            }
            // What is searched to the end of the game is not guessed at.
            Aim::Odds(selectivity) if depth < board.empties() => {
                let spread = self.evaluator.spread(board.discs())?;
                let look = Look::at_odds(selectivity, depth, spread)?;
                (look, self.evaluator.value(state, board).thousandths())
            }
            _ => return None,
        };
        let low = look.scale * alpha - look.margin;
        let high = look.scale * (alpha + 1) + look.margin;
        // The static estimate tells which of the two cuts is worth a look.
        if estimate >= high - look.near && high < look.limit {
            let value = self.deep(look.aim, node, look.depth, high - 1, high);
            (value >= high && !self.is_over()).then_some(aim.next_above(alpha))
        } else if estimate <= low + look.near && low > -look.limit {
            let value = self.deep(look.aim, node, look.depth, low, low + 1);
            (value <= low && !self.is_over()).then_some(aim.not_above(alpha))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_shallower_and_of_the_same_parity() {
        for depth in 3..=60 {
            let look = Look::at_odds(Selectivity::Bold, depth, 200).unwrap();
            assert!(look.depth >= 1 && look.depth <= depth - 2);
            assert_eq!(look.depth % 2, depth % 2);
            assert!(look.depth <= depth.div_ceil(2));
        }
        assert!(Look::at_odds(Selectivity::Bold, 2, 200).is_none());
    }
}
