use std::sync::Arc;

use discern_board::{Board, Dice};
use discern_book::{BookError, BookFile, BookMove, Choice, Draws, Found, Worth};
use discern_records::{Evaluation, Verdict};

/// A book a player looks its moves up in.
#[derive(Debug, Clone)]
pub struct OpenBook {
    file: Arc<BookFile>,
    choice: Choice,
}

/// The book of a player as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookSpec {
    /// A file as typed, the id of its content once settled.
    pub file: String,
    /// What a move may give away, in thousandths of a won game.
    pub loss_permille: u32,
    /// What a draw counts for the player.
    pub draws: Draws,
}

impl Default for BookSpec {
    /// The shipped book, if there is one; one game in a hundred.
    fn default() -> BookSpec {
        BookSpec { file: "shipped".into(), loss_permille: 10, draws: Draws::Even }
    }
}

impl BookSpec {
    /// How moves are chosen.
    pub fn choice(&self) -> Choice {
        Choice { loss: self.loss_permille.saturating_mul(100), draws: self.draws }
    }
}

impl OpenBook {
    /// This book, from which moves are chosen like this.
    pub fn new(file: Arc<BookFile>, choice: Choice) -> OpenBook {
        OpenBook { file, choice }
    }

    /// The file.
    pub fn file(&self) -> &BookFile {
        &self.file
    }

    /// What the book says of a position.
    ///
    /// # Errors
    /// If it is damaged there. Nobody plays on without a book unasked.
    pub fn find(&self, board: &Board) -> Result<Option<Found>, BookError> {
        self.file.find(board)
    }

    /// A move from the book, if it has any.
    ///
    /// # Errors
    /// As [`OpenBook::find`].
    pub fn choose(&self, board: &Board, dice: &mut Dice) -> Result<Option<BookMove>, BookError> {
        let found = self.find(board)?;
        Ok(found.and_then(|found| self.choice.choose(&found.moves, dice)))
    }
}

/// The value of a book move as records keep it.
pub fn evaluation_of(worth: Worth) -> Evaluation {
    match worth.outcome() {
        Some(outcome) => Evaluation::Proven(Verdict::Outcome(outcome)),
        None => Evaluation::LogOdds(worth.value().thousandths()),
    }
}
