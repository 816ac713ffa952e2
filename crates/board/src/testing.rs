//! Seeded boards and games for the tests and benchmarks of this workspace.

use crate::{Bitboard, Board, Game, Move};

/// A small generator (SplitMix64), so that test data need no dependency and
/// are the same everywhere.
#[derive(Debug, Clone)]
pub struct Seeded(u64);

impl Seeded {
    /// A stream of numbers that depends only on `seed`.
    pub fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }
}

/// Games of random legal moves from the start to the end.
pub fn random_games(seed: u64, count: usize) -> impl Iterator<Item = Game> {
    let mut random = Seeded::new(seed);
    (0..count).map(move |_| {
        let mut game = Game::default();
        while !game.is_over() {
            let moves: Vec<_> = game.position().board.moves().squares().collect();
            let mv = match moves.len() {
                0 => Move::Pass,
                n => Move::Place(moves[random.below(n)]),
            };
            game.play(mv).expect("chosen among the legal moves");
        }
        game
    })
}

/// All boards of `games` random games.
pub fn random_game_boards(seed: u64, games: usize) -> impl Iterator<Item = Board> {
    random_games(seed, games).flat_map(|game| game.boards().collect::<Vec<_>>())
}

/// Boards of random games with exactly this many empty squares.
pub fn random_boards_with_empties(
    seed: u64,
    empties: u32,
    count: usize,
) -> impl Iterator<Item = Board> {
    random_games(seed, usize::MAX)
        .filter_map(move |game| game.boards().find(|board| board.empties() == empties))
        .take(count)
}

/// Arbitrary disjoint discs, from nearly empty to full boards.
pub fn random_discs(seed: u64, count: usize) -> impl Iterator<Item = Board> {
    let mut random = Seeded::new(seed);
    (0..count).map(move |i| {
        let [a, b, c] = std::array::from_fn(|_| random.next_u64());
        // Three densities: about a half, three quarters and all squares full.
        let filled = [a, a | b, !0][i % 3];
        Board::new_unchecked(Bitboard(filled & c), Bitboard(filled & !c))
    })
}
