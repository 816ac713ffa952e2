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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_games;

    #[test]
    fn games_survive_printing_and_parsing() {
        let mut passes = 0;
        for game in random_games(5, 500) {
            passes += game.moves().filter(|&mv| mv == Move::Pass).count();
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        assert!(passes > 0, "some games should have passes");
    }

    #[test]
    fn case_blanks_and_written_passes_are_free() {
        let plain: Game = "f5d6c3d3".parse().unwrap();
        assert_eq!(" F5 d6\tC3\nd3 ".parse(), Ok(plain));
        let blocked = "OX--------------------------------------------------------------  X";
        let start = blocked.parse().unwrap();
        let left_out = Game::from_transcript(start, "c1").unwrap();
        for written in ["pac1", "PASS c1", "--c1", "ps C1"] {
            assert_eq!(Game::from_transcript(start, written), Ok(left_out.clone()));
        }
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let error = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        assert_eq!(error("f5d6 k9"), "column 6: 'k9' is not a move");
        assert_eq!(error("f5d"), "column 3: 'd' is not a move");
        assert_eq!(error("f5 f5"), "move 2, column 4: f5 is not a legal move for white");
        assert_eq!(error("f5pa"), "move 2, column 3: pass is not a legal move for white");
        assert_eq!(error("é"), "column 1: 'é' is not a move");
    }
}
