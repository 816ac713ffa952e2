use std::fmt;
use std::str::FromStr;

use crate::{Game, IllegalMove, Move, Position};

/// Why a text is not a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseTranscriptError {
    /// Two characters that are no move.
    #[error("column {column}: '{found}' is not a move")]
    Syntax {
        /// Where they stand, in characters from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A move against the rules.
    #[error("move {number}, column {column}: {illegal}")]
    Illegal {
        /// The how-manieth move of the transcript it is, from 1.
        number: usize,
        /// Where it stands, in characters from 1.
        column: usize,
        /// The move and who tried it.
        illegal: IllegalMove,
    },
}

impl Game {
    /// Plays a transcript from `start`: moves of two characters, blanks and
    /// case free, passes (`pa`, `ps`, `--`, `pass`) written or left out.
    pub fn from_transcript(start: Position, text: &str) -> Result<Game, ParseTranscriptError> {
        let symbols: Vec<(usize, char)> =
            text.chars().enumerate().filter(|(_, symbol)| !symbol.is_whitespace()).collect();
        let mut game = Game::new(start);
        let mut rest = symbols.as_slice();
        let mut number = 0;
        while let Some(&(index, _)) = rest.first() {
            let column = index + 1;
            number += 1;
            let word =
                |length: usize| rest.iter().take(length).map(|&(_, symbol)| symbol).collect();
            let four: String = word(4);
            let (length, found) =
                if four.eq_ignore_ascii_case("pass") { (4, four) } else { (2, word(2)) };
            let mv: Move =
                found.parse().map_err(|_| ParseTranscriptError::Syntax { column, found })?;
            game.play_after_pass(mv).map_err(|illegal| ParseTranscriptError::Illegal {
                number,
                column,
                illegal,
            })?;
            rest = &rest[length..];
        }
        Ok(game)
    }

    /// The moves as a transcript, passes left out.
    pub fn transcript(&self) -> String {
        self.moves().filter_map(Move::square).map(|square| square.to_string()).collect()
    }
}

impl FromStr for Game {
    type Err = ParseTranscriptError;

    /// Reads a transcript that begins at the usual start.
    fn from_str(text: &str) -> Result<Game, ParseTranscriptError> {
        Game::from_transcript(Position::START, text)
    }
}

impl fmt::Display for Game {
    /// The transcript, passes left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.transcript())
    }
}
