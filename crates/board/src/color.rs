use std::fmt;
use std::ops::Not;

/// The colour of a disc or a player. Black moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Written `X` on boards.
    Black,
    /// Written `O` on boards.
    White,
}

impl Color {
    /// Both colours, the one that moves first in front.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// `X` for Black, `O` for White.
    pub const fn symbol(self) -> char {
        match self {
            Color::Black => 'X',
            Color::White => 'O',
        }
    }

    /// Reads the symbols in use for discs: `X x * B b` black, `O o W w` white.
    /// Digits are refused, since programs disagree on what they mean.
    pub const fn from_symbol(symbol: char) -> Option<Color> {
        match symbol {
            'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
            'O' | 'o' | 'W' | 'w' => Some(Color::White),
            _ => None,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}
