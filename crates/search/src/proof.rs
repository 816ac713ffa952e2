use std::ops::Neg;

use discern_board::{Board, Move, Outcome, Score};

use crate::Certainty;
use crate::deep::Aim;
use crate::table::Table;

/// What is proven of a score: it lies between these two, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
}

impl Bounds {
    /// Nothing is proven.
    pub const NONE: Bounds = Bounds { lower: Score::MIN, upper: Score::MAX };

    /// The score is proven.
    pub fn exactly(score: Score) -> Bounds {
        Bounds { lower: score, upper: score }
    }

    /// What both of these prove together.
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }

    /// The score, if it is proven.
    pub fn score(self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The outcome, if the bounds prove it.
    pub fn outcome(self) -> Option<Outcome> {
        let [lowest, highest] = self.outcomes();
        (lowest == highest).then_some(lowest)
    }

    /// The worst and the best outcome within the bounds.
    pub fn outcomes(self) -> [Outcome; 2] {
        [self.lower.outcome(), self.upper.outcome()]
    }

    /// The bounds of a position, from those of its moves.
    fn of_best(moves: impl Iterator<Item = Bounds>) -> Bounds {
        let worst = Bounds::exactly(Score::MIN);
        moves.fold(worst, |best, other| Bounds {
            lower: best.lower.max(other.lower),
            upper: best.upper.max(other.upper),
        })
    }
}

impl Neg for Bounds {
    type Output = Bounds;

    fn neg(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }
}

/// How far the proof of a score or an outcome has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// What is to be proven: the outcome or the score.
    pub goal: Certainty,
    /// Plies of the pass under way, which is to the end of the game.
    pub depth: u32,
    /// Does the pass under way only prepare the proof? Then it leaves out what
    /// a shallow look makes improbable, and proves nothing.
    pub selective: bool,
    /// The score that the search expects, in discs.
    pub expected: i32,
    /// What is proven of each legal move.
    pub moves: Vec<(Move, Bounds)>,
}

impl Proof {
    /// What is proven of the position.
    pub fn bounds(&self) -> Bounds {
        Bounds::of_best(self.moves.iter().map(|&(_, bounds)| bounds))
    }

    /// What is proven of a move.
    pub fn bounds_of(&self, mv: Move) -> Bounds {
        let known = self.moves.iter().find(|known| known.0 == mv);
        known.map_or(Bounds::NONE, |&(_, bounds)| bounds)
    }

    /// The proof of the position before a pass that led to this one.
    pub(crate) fn before_pass(&self) -> Proof {
        let moves = vec![(Move::Pass, -self.bounds())];
        Proof { expected: -self.expected, moves, ..self.clone() }
    }
}

/// How many plies below a move the table is asked for proofs. Those that an
/// interrupted search has finished lie there.
const PLIES: u32 = 2;

/// What the table proves of each move of a board.
pub(crate) fn proven_moves(table: &Table, board: &Board) -> Vec<(Move, Bounds)> {
    let of_move = |square| {
        let next = board.play_unchecked(square, board.flips(square));
        (Move::Place(square), -proven(table, &next, PLIES))
    };
    board.moves().squares().map(of_move).collect()
}

/// What the table proves of a board and of those up to `plies` below it.
fn proven(table: &Table, board: &Board, plies: u32) -> Bounds {
    let moves = board.moves();
    if moves.is_empty() {
        return match board.opponent_moves().any() {
            true => -proven(table, &board.pass(), plies),
            false => Bounds::exactly(board.final_score()),
        };
    }
    let score = |bound: i16| Score::new(i32::from(bound).clamp(-64, 64)).expect("clamped");
    let known = table.probe(board).filter(|entry| Aim::EXACT.trusts(entry, board.empties()));
    let known = known.map_or(Bounds::NONE, |entry| Bounds {
        lower: score(entry.lower),
        upper: score(entry.upper),
    });
    if plies == 0 || known.score().is_some() {
        return known;
    }
    let next = |square| board.play_unchecked(square, board.flips(square));
    let below = moves.squares().map(|square| -proven(table, &next(square), plies - 1));
    known.and(Bounds::of_best(below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Entry;

    fn bounds(lower: i32, upper: i32) -> Bounds {
        Bounds { lower: Score::new(lower).unwrap(), upper: Score::new(upper).unwrap() }
    }

    #[test]
    fn bounds_of_moves_bound_the_position() {
        let of_best = |moves: &[Bounds]| Bounds::of_best(moves.iter().copied());
        assert_eq!(of_best(&[bounds(-4, 6), bounds(2, 4), bounds(-64, 0)]), bounds(2, 6));
        assert_eq!(-bounds(2, 6), bounds(-6, -2));
        assert_eq!(bounds(2, 64).outcome(), Some(Outcome::Win));
        assert_eq!(bounds(0, 64).outcomes(), [Outcome::Draw, Outcome::Win]);
        assert_eq!(bounds(0, 64).outcome(), None);
    }

    #[test]
    fn proofs_below_a_move_count_and_guesses_do_not() {
        let table = Table::with_mebibytes(1).unwrap();
        let board = Board::START;
        assert!(proven_moves(&table, &board).iter().all(|&(_, known)| known == Bounds::NONE));
        let next = board.play("d3".parse().unwrap()).unwrap();
        let draft = Aim::EXACT.draft(0);
        let exact = |lower, upper| Entry { lower, upper, draft, moves: [None, None] };
        for square in next.moves().squares() {
            let below = next.play_unchecked(square, next.flips(square));
            table.store(&below, Entry { draft: draft - 1, ..exact(60, 65) });
        }
        let d3 = |table: &Table| {
            let moves = proven_moves(table, &board);
            moves.iter().find(|known| known.0.to_string() == "d3").unwrap().1
        };
        assert_eq!(d3(&table), Bounds::NONE);
        for (at, square) in next.moves().squares().enumerate() {
            let below = next.play_unchecked(square, next.flips(square));
            table.store(&below, exact(-2 * at as i16, 65));
        }
        // The opponent picks the least of them.
        let least = -2 * (next.moves().count() as i32 - 1);
        assert_eq!(d3(&table), bounds(least, 64));
        table.store(&next, exact(-10, 65));
        assert_eq!(d3(&table), bounds(least, 10));
    }
}
