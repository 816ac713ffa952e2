//! The last plies before the horizon, and what happens there.

use discern_board::{Bitboard, Square};
use discern_eval::Evaluator;

use crate::deep::{Aim, Node};
use crate::worker::Worker;

/// The move that was last good enough for a cut-off at each of the small
/// depths, none at first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Killers([Bitboard; 3]);

impl Killers {
    pub const NONE: Killers = Killers([Bitboard::EMPTY; 3]);
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value at a small depth, in thousandths of a logit: plain NegaScout
    /// without the table.
    pub fn shallow(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 0 {
            return self.quiescence(aim, node, alpha, beta);
        }
        self.endgame.nodes += 1;
        let board = &node.board;
        let moves = board.moves();
        if moves.is_empty() {
            if board.opponent_moves().is_empty() {
                return aim.final_value(board);
            }
            let passed = Node { board: board.pass(), state: self.evaluator.pass(&node.state) };
            return -self.shallow(aim, &passed, depth, -beta, -alpha);
        }
        let mut best = -aim.infinity();
        let mut alpha = alpha;
        // What was good enough next door often is here, too.
        let killer = moves & self.killers.0[depth as usize];
        let others = moves - killer;
        let corners = others & Bitboard::CORNERS;
        let dangers = others & Bitboard::X_SQUARES;
        for set in [killer, corners, others - corners - dangers, dangers] {
            for square in set {
                let next = self.place(node, square);
                let mut value;
                if best > -aim.infinity() && beta - alpha > 1 {
                    value = -self.shallow(aim, &next, depth - 1, -alpha - 1, -alpha);
                    if value > alpha && value < beta {
                        value = -self.shallow(aim, &next, depth - 1, -beta, -value);
                    }
                } else {
                    value = -self.shallow(aim, &next, depth - 1, -beta, -alpha);
                }
                if value > best {
                    best = value;
                    alpha = alpha.max(best);
                    if best >= beta {
                        self.killers.0[depth as usize] = Bitboard::of(square);
                        return best;
                    }
                }
            }
        }
        best
    }

    /// The value at the horizon. The mover may stand pat on the static value;
    /// if that does not cut off and he can take a corner, each capture is
    /// searched in the same way (paper, Section 4).
    fn quiescence(&mut self, aim: Aim, node: &Node<E::State>, alpha: i32, beta: i32) -> i32 {
        self.endgame.nodes += 1;
        let board = &node.board;
        if board.mover().is_empty() || board.opponent().is_empty() || board.empty().is_empty() {
            return aim.final_value(board);
        }
        let mut best = match aim {
            Aim::Odds(_) => self.evaluator.value(&node.state, board).thousandths(),
            _ => self.evaluator.expected_score(&node.state, board),
        };
        if best >= beta {
            return best;
        }
        // A corner is taken across a neighbour.
        for corner in board.empty() & Bitboard::CORNERS & board.opponent().grown() {
            if board.flips(corner).any() {
                let next = self.place(node, corner);
                let value = -self.quiescence(aim, &next, -beta, -alpha.max(best));
                best = best.max(value);
                if best >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The node after a legal move.
    #[inline(always)]
    pub fn place(&self, node: &Node<E::State>, square: Square) -> Node<E::State> {
        let flips = node.board.flips(square);
        Node {
            board: node.board.play_unchecked(square, flips),
            state: self.evaluator.play(&node.state, square, flips),
        }
    }
}
