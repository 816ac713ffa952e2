//! The eight images of a position are one: its canonical form.

use std::collections::HashSet;

use discern_board::{Board, Square, Symmetry};

pub(crate) fn main() {
    let firsts: Vec<Board> = Board::START
        .moves()
        .squares()
        .map(|square| Board::START.play(square.into()).expect("legal"))
        .collect();
    let boards: HashSet<Board> = firsts.iter().copied().collect();
    let canonical: HashSet<Board> = firsts.iter().map(|board| board.canonical()).collect();
    assert_eq!((boards.len(), canonical.len()), (4, 1), "all first moves are the same");

    // A move found on the canonical board goes back to the board at hand.
    let board = firsts[0];
    let (image, symmetry) = board.canonical_by();
    assert_eq!(symmetry.board(board), image);
    for square in image.moves().squares() {
        let back = symmetry.inverse().square(square);
        assert!(board.moves().contains(back));
    }
    assert_eq!(Symmetry::QuarterTurn.square(Square::A1), Square::H1);
}
