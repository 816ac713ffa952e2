//! The exact endgame without an evaluator: from a dozen empty squares down.

mod last;
mod memo;
mod middle;
mod parity;

pub use memo::Memo;
pub use middle::{Endgame, stability_cut};
pub use parity::Parity;

#[cfg(test)]
mod tests {
    use discern_board::testing::random_boards_with_empties;
    use discern_board::{Board, Symmetry};

    use super::*;

    /// Plain minimax: slow, and plainly right.
    fn minimax(board: &Board) -> i32 {
        let moves = board.moves();
        if moves.is_empty() {
            if board.opponent_moves().is_empty() {
                return board.final_score().discs();
            }
            return -minimax(&board.pass());
        }
        let next = |square| board.play_unchecked(square, board.flips(square));
        moves.squares().map(|square| -minimax(&next(square))).max().expect("a move")
    }

    #[test]
    fn null_windows_around_the_score_prove_what_minimax_finds() {
        let mut endgame = Endgame::new();
        for (empties, count) in [
            (0, 50),
            (1, 300),
            (2, 500),
            (3, 500),
            (4, 500),
            (5, 500),
            (6, 500),
            (7, 300),
            (8, 100),
            (9, 20),
        ] {
            for board in random_boards_with_empties(empties.into(), empties, count) {
                let score = minimax(&board);
                for image in [board, Symmetry::QuarterTurn.board(board)] {
                    let low = endgame.solve(image, score - 1);
                    assert!(low == score, "{low} is not {score}: {board:?}");
                    let high = endgame.solve(image, score);
                    assert!(high == score, "{high} is not {score}: {board:?}");
                    for alpha in [-64, -20, -1, 0, 20, 63] {
                        let bound = endgame.solve(image, alpha);
                        if bound > alpha {
                            assert!(bound <= score, "{bound} > {score}: {board:?}");
                        } else {
                            assert!(bound >= score, "{bound} < {score}: {board:?}");
                        }
                    }
                }
            }
        }
    }
}
