use std::fmt;

use discern_board::{Color, Game};

use crate::evaluation::{Evaluation, Verdict};
use crate::record::Name;

/// Names a game by its content, so that links survive merging and sorting.
///
/// It is the 64-bit FNV-1a hash of the start (Black's and White's discs, eight
/// little-endian bytes each, and 0 or 1 for the mover) and of one byte per ply
/// (the square's index, 64 for a pass). Among a million games the chance that
/// any two different ones share a name is about 3 in 100 million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub u64);

impl GameId {
    /// The name of this game.
    pub fn of(game: &Game) -> GameId {
        let start = game.start();
        let mut hash = 0xcbf2_9ce4_8422_2325;
        let mut feed = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        for color in Color::BOTH {
            start.discs_of(color).0.to_le_bytes().into_iter().for_each(&mut feed);
        }
        feed(start.mover as u8);
        game.moves().for_each(|mv| feed(mv.square().map_or(64, |square| square as u8)));
        GameId(hash)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Which piece of planned work a game came from. With the plan it also gives
/// the seed, which then need not be stored.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// Names the plan, usually by its hash.
    pub plan: Name,
    /// The shard.
    pub shard: u64,
    /// The game's number within the shard.
    pub game: u64,
}

/// A position of the game that was searched to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Solved {
    /// The position after this many plies, passes counted.
    pub ply: usize,
    /// Its result from the view of the side to move there.
    pub verdict: Verdict,
}

/// Says that a game is another game corrected: the same up to `ply`, then the
/// better move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Correction {
    /// The game with the error.
    pub parent: GameId,
    /// Plies before the error; the move of the parent at this ply is the error.
    pub ply: usize,
    /// The move played in the parent, as the search that found the error saw it.
    pub played: Evaluation,
    /// The better move as the same search saw it.
    pub better: Evaluation,
    /// Plies of that search.
    pub depth: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_games_have_different_names_and_the_name_never_changes() {
        let id = |text: &str| GameId::of(&text.parse().unwrap());
        assert_eq!(id("f5d6c3"), id("F5 D6 C3"));
        assert_ne!(id("f5d6c3"), id("f5d6"));
        assert_ne!(id("f5d6c3"), id("f5d6c4"));
        // Links in shipped archives depend on this value.
        assert_eq!(id("f5d6c3").to_string(), "acf93f38f6a5f8e7");
    }
}
