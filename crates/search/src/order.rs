//! Which move first? Good guesses make the difference between minutes and
//! hours: known best moves of the table, then the evaluator's opinion after a
//! shallow search, then few replies for the opponent.

use discern_board::{Bitboard, Board, Square};
use discern_eval::Evaluator;

use crate::deep::{Aim, Candidate};
use crate::endgame::Parity;
use crate::worker::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// Sorts the moves of a node, the most promising first.
    pub fn order(
        &mut self,
        aim: Aim,
        board: &Board,
        candidates: &mut [Candidate<E::State>],
        depth: u32,
        known: [Option<Square>; 2],
    ) {
        if candidates.len() <= 1 {
            return;
        }
        match aim {
            Aim::Score(_) => self.rate_for_score(board, candidates, depth),
            _ => self.rate_by_value(aim, candidates, depth),
        }
        for candidate in candidates.iter_mut() {
            if known[0] == Some(candidate.square) {
                candidate.key = i32::MAX;
            } else if known[1] == Some(candidate.square) {
                candidate.key = i32::MAX - 1;
            }
        }
        // Stable: equal keys stay in board order, so the tree is the same
        // every time.
        candidates.sort_by_key(|candidate| -i64::from(candidate.key));
    }

    /// In the midgame: the opponent's value of the successor.
    fn rate_by_value(&mut self, aim: Aim, candidates: &mut [Candidate<E::State>], depth: u32) {
        let look = match depth {
            0..=5 => 0,
            6..=8 => 1,
            _ => 2,
        };
        let infinity = aim.infinity();
        for candidate in candidates {
            candidate.key = -self.shallow(aim, &candidate.next, look, -infinity, infinity);
        }
    }

    /// In the endgame: the opponent's expected score, in hundredths of a disc,
    /// his replies now and later, and parity.
    fn rate_for_score(
        &mut self,
        board: &Board,
        candidates: &mut [Candidate<E::State>],
        empties: u32,
    ) {
        let look = (empties.saturating_sub(16) / 2).min(4);
        let parity = Parity::of(board.empty());
        let infinity = Aim::Discs.infinity();
        for candidate in candidates {
            let next = &candidate.next.board;
            let value = match look {
                0 => -self.evaluator.expected_score(&candidate.next.state, next),
                _ => -self.deep(Aim::Discs, &candidate.next, look, -infinity, infinity),
            };
            let replies = next.moves();
            let mobility = (replies.count() + (replies & Bitboard::CORNERS).count()) as i32;
            let potential = (next.opponent().grown() & next.empty()).count() as i32;
            let odd = i32::from(parity.is_odd(candidate.square));
            candidate.key = value - 400 * mobility - 120 * potential + 160 * odd;
        }
    }
}
