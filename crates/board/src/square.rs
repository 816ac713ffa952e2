use std::fmt;
use std::str::FromStr;

/// Declares the squares in board order, so that name, index and order agree.
macro_rules! squares {
    ($($name:ident = $index:literal),* $(,)?) => {
        /// One of the 64 squares. The index runs a1, b1, … h1, a2, … h8, with
        /// row 1 at the top as Othello players draw it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Square { $($name = $index),* }

        impl Square {
            /// All squares, a1 to h8.
            pub const ALL: [Square; 64] = [$(Square::$name),*];

            /// The square with this index; only the low six bits count.
            // A match compiles to nothing but the mask, without unsafe code.
            #[inline(always)]
            pub const fn from_index(index: u32) -> Square {
                match index & 63 {
                    $($index => Square::$name,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// Index from 0 (a1) to 63 (h8).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Column from 0 (a) to 7 (h).
    #[inline(always)]
    pub const fn column(self) -> usize {
        self as usize & 7
    }

    /// Row from 0 (row 1, at the top) to 7.
    #[inline(always)]
    pub const fn row(self) -> usize {
        self as usize >> 3
    }

    /// The square in this column and row, each 0 to 7.
    pub const fn at(column: usize, row: usize) -> Option<Square> {
        if column < 8 && row < 8 {
            Some(Square::from_index((8 * row + column) as u32))
        } else {
            None
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.column() as u8, b'1' + self.row() as u8];
        f.pad(std::str::from_utf8(&name).expect("ASCII"))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a column letter a–h followed by a row digit 1–8.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `f5` or `F5`.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            &[letter, digit @ b'1'..=b'8'] if matches!(letter | 0x20, b'a'..=b'h') => {
                let column = (letter | 0x20) - b'a';
                Ok(Square::from_index(u32::from(8 * (digit - b'1') + column)))
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}
