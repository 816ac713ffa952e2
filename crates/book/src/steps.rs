//! Moves between positions of the book: canonical, up to symmetry, passes
//! passed over.

use discern_board::{Bitboard, Board, Score, Square};

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A position in which somebody can move, in canonical form.
    Position {
        /// The position.
        board: Board,
        /// Does the same side move again, because the other one must pass?
        same_side: bool,
    },
    /// The end of the game, with the result for the side that made the move.
    Over(Score),
}

/// What the legal move on `square` leads to.
pub fn step(board: &Board, square: Square) -> Step {
    let next = board.play_unchecked(square, board.flips(square));
    if next.moves().any() {
        Step::Position { board: next.canonical(), same_side: false }
    } else if next.opponent_moves().any() {
        Step::Position { board: next.pass().canonical(), same_side: true }
    } else {
        Step::Over(-next.final_score())
    }
}

/// A legal move that stands for all that lead to the same position up to
/// symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveClass {
    /// The first of its squares.
    pub square: Square,
    /// All of its squares.
    pub squares: Bitboard,
    /// Where it leads.
    pub step: Step,
}

/// The moves of a position up to symmetry, in the order of their squares.
pub fn move_classes(board: &Board) -> Vec<MoveClass> {
    let mut classes: Vec<MoveClass> = Vec::new();
    for square in board.moves().squares() {
        let step = step(board, square);
        // Two ends of a game are different moves, whatever their score.
        let known = classes
            .iter_mut()
            .find(|class| class.step == step && matches!(step, Step::Position { .. }));
        match known {
            Some(class) => class.squares |= Bitboard::of(square),
            None => classes.push(MoveClass { square, squares: Bitboard::of(square), step }),
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_one_move_and_its_answers_are_three() {
        let classes = move_classes(&Board::START);
        assert_eq!(classes.len(), 1);
        assert_eq!(classes[0].squares, Board::START.moves());
        let Step::Position { board, same_side: false } = classes[0].step else { panic!() };
        assert_eq!(move_classes(&board).len(), 3);
    }

    #[test]
    fn every_move_is_in_exactly_one_class_that_leads_where_it_leads() {
        for seed in 0..60 {
            for board in discern_board::testing::random_boards_with_empties(seed, 4, 20) {
                let classes = move_classes(&board);
                let mut seen = Bitboard::EMPTY;
                for class in &classes {
                    assert!(!(seen & class.squares).any());
                    seen |= class.squares;
                    assert!(class.squares.squares().all(|at| step(&board, at) == class.step));
                }
                assert_eq!(seen, board.moves());
            }
        }
    }
}
