use discern_board::Board;
use discern_records::GameRecord;

/// Discs on the board after an opening of length seven.
pub(crate) const OPENING_DISCS: u32 = 11;

/// The group of a game: a hash of its position with 11 discs, up to symmetry.
///
/// Games from one opening are played by the same programs and share many
/// positions or nearly so; with their groups kept apart, none of them is
/// learned from and tested on. Grouping whole games by any shared position
/// would leave a single group: openings transpose into each other, and all
/// games begin alike. A game that begins later is grouped by its start, one
/// that ends earlier by its end.
pub(crate) fn group_of(record: &GameRecord) -> u32 {
    let mut boards = record.game.boards();
    let opening = boards.find(|board| board.discs() >= OPENING_DISCS);
    let board = opening.unwrap_or(record.game.position().board);
    number(board.canonical())
}

fn number(board: Board) -> u32 {
    let product = u128::from(board.mover().0 ^ 0xa076_1d64_78bd_642f)
        * u128::from(board.opponent().0 ^ 0xe703_7ed1_a0b4_28db);
    let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}
