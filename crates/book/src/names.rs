use std::sync::LazyLock;

use discern_board::{Board, Game};

use crate::hash::Table;

/// Lines with their names, as players write them: moves, a blank, the name.
const LINES: &str = include_str!("openings.txt");

/// A named opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// What players call it; several names are separated by slashes.
    pub name: &'static str,
    /// A line that leads there.
    pub moves: &'static str,
}

/// All named openings, by their moves.
pub fn openings() -> impl Iterator<Item = Opening> {
    let line = |line: &'static str| line.split_once(' ');
    LINES.lines().filter_map(line).map(|(moves, name)| Opening { name, moves })
}

/// The discs of the longest line's position: behind them nothing has a name.
static MOST_DISCS: LazyLock<u32> =
    LazyLock::new(|| NAMES.keys().map(Board::discs).max().unwrap_or(0));

static NAMES: LazyLock<Table<Board, Opening>> = LazyLock::new(|| {
    let position = |opening: Opening| {
        let game: Game = opening.moves.parse().expect("a test plays every line");
        (game.position().board.canonical(), opening)
    };
    openings().map(position).collect()
});

/// The opening that this very position is, whatever way and from whichever
/// side of the board it was reached.
pub fn opening_at(board: &Board) -> Option<Opening> {
    NAMES.get(&board.canonical()).copied()
}

/// The opening of a game: the last named position it came through.
pub fn opening_of(game: &Game) -> Option<Opening> {
    let named = game.boards().take_while(|board| board.discs() <= *MOST_DISCS);
    named.filter_map(|board| opening_at(&board)).last()
}

#[cfg(test)]
mod tests {
    use discern_board::{Move, Position, Symmetry};

    use super::*;

    #[test]
    fn at_least_eighty_openings_are_legal_lines_of_different_positions() {
        let count = openings().count();
        assert!(count >= 80, "{count}");
        assert_eq!(NAMES.len(), count, "two lines lead to one position");
        for opening in openings() {
            let game: Game = opening.moves.parse().unwrap();
            assert_eq!(opening_of(&game), Some(opening));
        }
    }

    #[test]
    fn openings_are_found_in_all_eight_images_and_stay_until_another_one_comes() {
        let name = |moves: &str| opening_of(&moves.parse().unwrap()).map(|opening| opening.name);
        assert_eq!(name(""), None);
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("c4e3f6e6f5"), Some("Tiger"));
        assert_eq!(name("d3c5f6f5e6"), Some("Tiger"));
        assert_eq!(name("f5d6c3d3c4f4f6f3"), Some("Comp'Oth"));
        assert_eq!(name("f5f6e6f4g5"), name("f5f6e6d6e7"));
        assert_eq!(name("f5d6c3d3c4f4c5b3c2e3"), Some("Rose-Bill"));
        let game: Game = "f5d6c5f4e3c6d3f6e6d7".parse().unwrap();
        for symmetry in Symmetry::ALL {
            // Colours go with the squares: only half of the images begin as games do.
            let start =
                Position { board: symmetry.board(game.start().board), mover: game.start().mover };
            let mut image = Game::new(start);
            for mv in game.moves() {
                let square = mv.square().map(|square| symmetry.square(square));
                image.play(square.map_or(Move::Pass, Move::Place)).unwrap();
            }
            assert_eq!(opening_of(&image).unwrap().name, "Rose");
        }
    }
}
