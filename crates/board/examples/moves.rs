//! Legal moves of a position, and what a move turns over.

use discern_board::{Bitboard, Move, Position, Square};

pub(crate) fn main() {
    // As people write it: 64 squares from a1 to h8, and the side to move.
    let text = "---------------------------OX------XO--------------------------- X";
    let position: Position = text.parse().expect("a position");
    println!("{}", position.board.draw(position.mover));

    let moves = position.board.moves();
    assert_eq!(moves.count(), 4);
    assert!(moves.contains(Square::F5) && !moves.contains(Square::A1));
    assert_eq!(position.board.flips(Square::F5), Bitboard::of(Square::E5));

    // After a move the other side is the mover, so the halves change places.
    let after = position.board.play(Move::Place(Square::F5)).expect("legal");
    assert_eq!(after.discs(), 5);
    assert!(position.board.play(Move::Place(Square::A1)).is_none());
    assert!(position.board.play(Move::Pass).is_none(), "nobody may pass who can move");
}
