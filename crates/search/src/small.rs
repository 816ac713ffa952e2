//! The principal variation in the small endgame: exact scores where the
//! null-window code only gives bounds.

use arrayvec::ArrayVec;
use discern_board::{Board, Square};
use discern_eval::Evaluator;

use crate::worker::Worker;

impl<E: Evaluator> Worker<'_, E> {
    /// The score of a small endgame within (alpha, beta), fail-soft.
    pub fn solve_small(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        if beta - alpha == 1 {
            return self.endgame.solve(board, alpha);
        }
        self.endgame.nodes += 1;
        let moves = board.moves();
        if moves.is_empty() {
            return match board.opponent_moves().any() {
                true => -self.solve_small(board.pass(), -beta, -alpha),
                false => board.final_score().discs(),
            };
        }
        let mut successors: ArrayVec<(u32, Square, Board), 32> = moves
            .squares()
            .map(|square| {
                let next = board.play_unchecked(square, board.flips(square));
                (next.moves().count(), square, next)
            })
            .collect();
        successors.sort_by_key(|&(replies, _, _)| replies);
        let mut best = -65;
        let mut low = alpha;
        for (at, &(_, _, next)) in successors.iter().enumerate() {
            let mut score = low;
            if at > 0 {
                score = -self.endgame.solve(next, -low - 1);
            }
            if at == 0 || (score > low && score < beta) {
                score = -self.solve_small(next, -beta, -score.max(low));
            }
            best = best.max(score);
            low = low.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }
}
