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
