use discern_board::{Game, Move};

use crate::entry::Games;
use crate::error::BookError;
use crate::file::BookFile;
use crate::graph::BookMove;
use crate::names::opening_of;
use crate::steps::{Step, step};

/// What lies behind a move of the book.
#[derive(Debug, Clone)]
pub struct Explored {
    /// The game after the move, and after a pass that must follow.
    pub next: Game,
    /// Games that came through it, for the side that makes the move.
    pub games: Games,
    /// The name of an opening that the move reaches.
    pub opening: Option<&'static str>,
}

impl BookFile {
    /// Looks behind a legal move of the last position of `game`.
    ///
    /// # Errors
    /// If the book is damaged there.
    pub fn explore(&self, game: &Game, mv: &BookMove) -> Result<Explored, BookError> {
        let games = match step(&game.position().board, mv.square) {
            Step::Position { board, same_side } => {
                let games = self.find(&board)?.map_or(Games::default(), |found| found.games);
                if same_side { games } else { games.turned() }
            }
            Step::Over(_) => Games::default(),
        };
        let mut next = game.clone();
        // A damaged book may hold any move; then nothing lies behind it.
        let played = next.play(mv.square.into()).is_ok();
        let name = |game: &Game| opening_of(game).map(|opening| opening.name);
        let opening = name(&next).filter(|&new| played && Some(new) != name(game));
        if next.position().board.must_pass() {
            let _ = next.play(Move::Pass);
        }
        Ok(Explored { next, games, opening })
    }
}
