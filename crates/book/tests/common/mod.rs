//! A judge that needs no search, and books it makes.
#![allow(dead_code, reason = "each test uses a part")]

use discern_board::testing::{Seeded, random_games};
use discern_board::{Bitboard, Board, Dice, Score, Square};
use discern_book::{Deviation, Entry, Grade, Graph, Worth};

/// Opinions that depend on nothing but the question: estimates, and proven
/// results of all three kinds where few squares are empty.
pub fn opinion(board: &Board, except: Bitboard) -> Option<Deviation> {
    let moves: Vec<Square> = (board.moves() - except).squares().collect();
    let mut dice = Dice::new(&[board.mover().0, board.opponent().0, except.0]);
    let square = *moves.get(dice.below(moves.len().max(1) as u64) as usize)?;
    let proven = board.empties() < 20 || dice.below(12) == 0;
    let (worth, grade) = match proven {
        true => (Score::new(2 * dice.below(5) as i32 - 4).map(Worth::proven)?, Grade::Score),
        false => (Worth::estimate(dice.below(4001) as i32 - 2000), Grade::Depth(6)),
    };
    Some(Deviation { square, worth, grade })
}

/// The entries of random games, each position with an opinion.
pub fn random_entries(seed: u64, games: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut dice = Seeded::new(seed);
    for game in random_games(seed, games) {
        let depth = 4 + dice.below(56);
        for board in game.boards().take(depth).filter(|board| board.moves().any()) {
            let board = board.canonical();
            if entries.iter().all(|entry| entry.board != board) {
                let deviation = opinion(&board, Bitboard::EMPTY).filter(|_| dice.below(8) != 0);
                entries.push(Entry { deviation, ..Entry::new(board) });
            }
        }
    }
    entries
}

/// The book of these entries.
pub fn graph_of(entries: &[Entry]) -> Graph {
    let mut graph = Graph::new();
    entries.iter().for_each(|&entry| assert!(graph.put(entry)));
    graph.settle();
    graph
}
