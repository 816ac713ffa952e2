use std::fmt;
use std::str::FromStr;

use crate::{Bitboard, Board, Color, Square};

/// A board and the colour that is to move: what people write down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The discs as the mover sees them.
    pub board: Board,
    /// The colour to move.
    pub mover: Color,
}

impl Position {
    /// The start of a game.
    pub const START: Position = Position { board: Board::START, mover: Color::Black };

    /// The discs of one colour.
    pub fn discs_of(&self, color: Color) -> Bitboard {
        if color == self.mover { self.board.mover() } else { self.board.opponent() }
    }
}

impl fmt::Display for Position {
    /// 64 characters from a1 to h8, a blank, and the mover:
    /// `---------------------------OX------XO--------------------------- X`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(66);
        for square in Square::ALL {
            text.push(self.board.disc(square, self.mover).map_or('-', Color::symbol));
        }
        text.push(' ');
        text.push(self.mover.symbol());
        f.pad(&text)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n{}", self.board.draw(self.mover))
    }
}

/// Why a text is not a position. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// The board ends too early or goes on too long.
    #[error("a board has 64 squares, this one has {found}")]
    Length {
        /// Squares before the blank.
        found: usize,
    },
    /// A character that stands for no disc.
    #[error("column {column}: '{symbol}' is not a square's content (X black, O white, - empty)")]
    Symbol {
        /// Where it stands.
        column: usize,
        /// What stands there.
        symbol: char,
    },
    /// Nothing after the board.
    #[error("the side to move (X or O) is missing after the board")]
    NoMover,
    /// Something after the board that is not a colour.
    #[error("column {column}: '{found}' is not a side to move (X or O)")]
    Mover {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: String,
    },
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Reads 64 squares (`X x * b` black, `O o w` white, `- .` empty), blanks
    /// and the mover.
    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let text = text.trim();
        let (squares, mover) = match text.find(char::is_whitespace) {
            Some(end) => (&text[..end], text[end..].trim_start()),
            None => (text, ""),
        };
        let mut discs = [Bitboard::EMPTY; 2];
        let mut found = 0;
        for (index, symbol) in squares.chars().enumerate() {
            let color = match symbol {
                '-' | '.' => None,
                _ => Some(
                    Color::from_symbol(symbol)
                        .ok_or(ParsePositionError::Symbol { column: index + 1, symbol })?,
                ),
            };
            if let (Some(color), true) = (color, index < 64) {
                discs[color as usize] |= Bitboard(1 << index);
            }
            found += 1;
        }
        if found != 64 {
            return Err(ParsePositionError::Length { found });
        }
        let mut symbols = mover.chars();
        let color = match (symbols.next(), symbols.next()) {
            (None, _) => return Err(ParsePositionError::NoMover),
            (Some(symbol), None) => Color::from_symbol(symbol),
            _ => None,
        };
        let [black, white] = discs;
        match color {
            Some(color @ Color::Black) => {
                Ok(Position { board: Board::new_unchecked(black, white), mover: color })
            }
            Some(color @ Color::White) => {
                Ok(Position { board: Board::new_unchecked(white, black), mover: color })
            }
            None => Err(ParsePositionError::Mover {
                column: text.chars().count() - mover.chars().count() + 1,
                found: mover.to_owned(),
            }),
        }
    }
}
