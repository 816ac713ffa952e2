//! Where a decoder takes the fields of games from. The encoder lets the decoder
//! read the fields that it has just laid out and codes them as they are asked
//! for, so that the order of a stream is described once, in [`super::decode`].

use super::ArchiveError;
use super::bytes::Cursor;
use super::coder::{BitCoder, Chance};
use super::columns::{COLUMNS, Column};

/// The bytes of games, asked for in the order in which they are needed.
pub trait Source {
    /// The next byte of a column.
    fn byte(&mut self, column: Column) -> Result<u8, ArchiveError>;

    /// The number of the next move, one of `count`, with so many empty squares.
    fn move_number(&mut self, count: u32, empties: u32) -> Result<u8, ArchiveError>;

    /// Checks that a game was what was written.
    fn end_game(&mut self) -> Result<(), ArchiveError>;
}

/// The columns of a game that is being encoded.
pub struct Columns<'a>(pub [Cursor<'a>; COLUMNS]);

impl Source for Columns<'_> {
    fn byte(&mut self, column: Column) -> Result<u8, ArchiveError> {
        self.0[column as usize].byte()
    }

    fn move_number(&mut self, _: u32, _: u32) -> Result<u8, ArchiveError> {
        self.byte(Column::Moves)
    }

    fn end_game(&mut self) -> Result<(), ArchiveError> {
        Ok(())
    }
}

/// Bytes of a column that have chances of their own: the first ones of a game.
const FIRST_BYTES: usize = 16;
/// In a column of plies: the first byte of a number, or the one behind each of
/// the bytes that do not end a number.
const PLACES: usize = 1 + 128;
/// A number of a move has so many chances: is it the first? The second? …
const CHOICES: usize = 8;
const PHASES: usize = 4;
const COUNTS: usize = 6;

/// What a stream has taught about its bytes.
pub struct Models {
    /// For each column and place, once it is used, the eight bits of a byte,
    /// each known with those before it. Most games have few columns, and a
    /// block may be a single game.
    bytes: [Option<Box<[Chance; 256]>>; COLUMNS * PLACES],
    moves: [[[Chance; CHOICES]; COUNTS]; PHASES],
    /// Where each column is in this game.
    place: [usize; COLUMNS],
    /// Of all bytes since the beginning.
    crc: crc32fast::Hasher,
    /// How many bytes that are …
    size: u32,
    /// … and may be.
    most: u32,
}

impl Default for Models {
    fn default() -> Models {
        Models {
            bytes: [const { None }; COLUMNS * PLACES],
            moves: [[[Chance::default(); CHOICES]; COUNTS]; PHASES],
            place: [0; COLUMNS],
            crc: crc32fast::Hasher::new(),
            size: 0,
            most: u32::MAX,
        }
    }
}

impl Models {
    /// For a stream of at most this many bytes.
    pub fn up_to(most: u32) -> Models {
        Models { most, ..Models::default() }
    }

    /// How many bytes were coded.
    pub fn size(&self) -> u32 {
        self.size
    }

    fn note(&mut self, byte: u8) -> Result<u8, ArchiveError> {
        self.crc.update(&[byte]);
        self.size = self.size.saturating_add(1);
        match self.size <= self.most {
            true => Ok(byte),
            false => Err(ArchiveError::Content("more content than announced")),
        }
    }
}

/// A stream in either direction: what is written is given as columns, what is
/// read is not given.
pub struct Stream<'a, C, G> {
    pub coder: &'a mut C,
    pub models: &'a mut Models,
    pub given: G,
}

/// What a reader is given.
pub struct Nothing;

impl Source for Nothing {
    fn byte(&mut self, _: Column) -> Result<u8, ArchiveError> {
        Ok(0)
    }

    fn move_number(&mut self, _: u32, _: u32) -> Result<u8, ArchiveError> {
        Ok(0)
    }

    fn end_game(&mut self) -> Result<(), ArchiveError> {
        Ok(())
    }
}

const ENDED: ArchiveError = ArchiveError::Content("a stream that ends too early");

/// Codes the bits of a byte, the highest first.
fn code_byte(coder: &mut impl BitCoder, given: u8, chances: &mut [Chance; 256]) -> Option<u8> {
    let mut node = 1;
    for shift in (0..8).rev() {
        let bit = coder.bit(given >> shift & 1 != 0, &mut chances[node])?;
        node = node << 1 | usize::from(bit);
    }
    Some(node as u8)
}

impl<C: BitCoder, G: Source> Source for Stream<'_, C, G> {
    fn byte(&mut self, column: Column) -> Result<u8, ArchiveError> {
        let given = self.given.byte(column)?;
        let place = &mut self.models.place[column as usize];
        let chances = self.models.bytes[column as usize * PLACES + *place]
            .get_or_insert_with(|| Box::new([Chance::default(); 256]));
        let byte = code_byte(self.coder, given, chances).ok_or(ENDED)?;
        *place = match byte.checked_sub(128) {
            Some(further) if column.is_of_plies() => 1 + usize::from(further),
            None if column.is_of_plies() => 0,
            _ => (*place + 1).min(FIRST_BYTES - 1),
        };
        self.models.note(byte)
    }

    fn move_number(&mut self, count: u32, empties: u32) -> Result<u8, ArchiveError> {
        let given = self.given.move_number(count, empties)?;
        let by_count = match count {
            0..=3 => 0,
            4..=5 => 1,
            6..=7 => 2,
            8..=10 => 3,
            11..=14 => 4,
            _ => 5,
        };
        let chances = &mut self.models.moves[(empties as usize / 16).min(PHASES - 1)][by_count];
        let mut number = 0;
        while u32::from(number) + 1 < count {
            let choice = usize::from(number).min(CHOICES - 1);
            let further = self.coder.bit(given > number, &mut chances[choice]).ok_or(ENDED)?;
            if !further {
                break;
            }
            number += 1;
        }
        self.models.note(number)
    }

    /// A byte of the checksum of everything so far. It has no pattern, so it
    /// costs a byte, and the bytes of a game that was damaged pass for a game
    /// in one of 256 cases, two of them in one of 65,536.
    fn end_game(&mut self) -> Result<(), ArchiveError> {
        self.models.place = [0; COLUMNS];
        let check = self.models.crc.clone().finalize() as u8;
        let coded = code_byte(self.coder, check, &mut [Chance::default(); 256]).ok_or(ENDED)?;
        match coded == check {
            true => Ok(()),
            false => Err(ArchiveError::Content("a game with a wrong checksum")),
        }
    }
}
