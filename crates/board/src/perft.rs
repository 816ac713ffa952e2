use crate::Board;

/// The number of move paths of this length; a pass counts as a move, and a
/// game that ends earlier as one path.
///
/// Nothing is hashed. The last ply is counted, not played.
pub fn perft(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves();
    if moves.is_empty() {
        return if board.opponent_moves().any() { perft(board.pass(), depth - 1) } else { 1 };
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    moves
        .squares()
        .map(|square| perft(board.play_unchecked(square, board.flips(square)), depth - 1))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Symmetry};

    /// The known counts for depths 1 to 11.
    const START: [u64; 11] =
        [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288, 24_571_284, 212_258_800];

    #[test]
    fn start_position_has_the_known_counts() {
        assert_eq!(perft(Board::START, 0), 1);
        for (depth, &expected) in (1..).zip(&START) {
            assert_eq!(perft(Board::START, depth), expected, "depth {depth}");
        }
    }

    #[test]
    fn passes_count_and_finished_games_are_one_path() {
        let text = "OX--------------------------------------------------------------  X";
        let blocked = text.parse::<Position>().unwrap().board;
        // Pass, c1, and the game is over.
        assert_eq!([1, 2, 3, 4].map(|depth| perft(blocked, depth)), [1, 1, 1, 1]);
    }

    #[test]
    fn all_images_have_the_same_count() {
        let board = Position::START.board.play("f5".parse().unwrap()).unwrap();
        for symmetry in Symmetry::ALL {
            assert_eq!(perft(symmetry.board(board), 6), perft(board, 6));
        }
    }
}
