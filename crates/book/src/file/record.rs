//! One position in bytes, in blocks of the book and in its journal.

use discern_board::{Bitboard, Board, Square};

use crate::entry::{Entry, Games, Results};
use crate::graph::BookMove;
use crate::judge::Deviation;
use crate::worth::{Grade, Worth, Worths};

const DEVIATION: u8 = 1;
const HUMAN: u8 = 2;
const ENGINE: u8 = 4;
/// Draws make a difference to the position's value.
const DRAWS: u8 = 8;
/// The same of an examined move, above its square.
const LINK_DRAWS: u8 = 64;

/// A position as it stands in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub entry: Entry,
    pub value: Option<(Worths, Grade)>,
    /// The examined moves, by their squares; those whose value is unknown, too.
    pub links: Vec<(Square, Option<(Worths, Grade)>)>,
}

/// Appends what is known of a position by itself.
pub fn encode_entry(out: &mut Vec<u8>, entry: &Entry) {
    encode_with(out, entry, 0, |_| {});
}

fn encode_with(out: &mut Vec<u8>, entry: &Entry, flags: u8, value: impl FnOnce(&mut Vec<u8>)) {
    let Games { human, engine } = entry.games;
    let flags = flags
        | if entry.deviation.is_some() { DEVIATION } else { 0 }
        | if human.total() > 0 { HUMAN } else { 0 }
        | if engine.total() > 0 { ENGINE } else { 0 };
    out.extend(entry.board.mover().0.to_le_bytes());
    out.extend(entry.board.opponent().0.to_le_bytes());
    out.push(flags);
    value(out);
    if let Some(Deviation { square, worth, grade }) = entry.deviation {
        out.push(square as u8);
        out.extend(Worth::to_raw(Some(worth)).to_le_bytes());
        out.push(grade.to_raw());
    }
    for results in [human, engine].into_iter().filter(|results| results.total() > 0) {
        for count in [results.wins, results.draws, results.losses] {
            put_varint(out, count);
        }
    }
}

fn put_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn draws_matter(worths: &Worths) -> bool {
    *worths != Worths { even: worths.even, seek: worths.even, avoid: worths.even }
}

fn put_value(out: &mut Vec<u8>, value: &Option<(Worths, Grade)>) {
    out.extend(Worth::to_raw(value.map(|(worths, _)| worths.even)).to_le_bytes());
    if let Some((worths, _)) = value.as_ref().filter(|(worths, _)| draws_matter(worths)) {
        out.extend(Worth::to_raw(Some(worths.seek)).to_le_bytes());
        out.extend(Worth::to_raw(Some(worths.avoid)).to_le_bytes());
    }
    out.push(value.map_or(0, |(_, grade)| grade.to_raw()));
}

impl Record {
    /// Appends the record.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let matters = |value: &Option<(Worths, Grade)>| {
            value.as_ref().is_some_and(|(worths, _)| draws_matter(worths))
        };
        let flags = if matters(&self.value) { DRAWS } else { 0 };
        encode_with(out, &self.entry, flags, |out| put_value(out, &self.value));
        out.push(self.links.len() as u8);
        for (square, value) in &self.links {
            out.push(*square as u8 | if matters(value) { LINK_DRAWS } else { 0 });
            put_value(out, value);
        }
    }

    /// Reads a record from the front of the bytes. The error says what is
    /// wrong with it.
    pub fn decode(bytes: &mut &[u8]) -> Result<Record, &'static str> {
        let mut reader = Reader(bytes);
        let board = reader.board()?;
        let flags = reader.u8()?;
        let value = reader.value(flags & DRAWS != 0)?;
        let entry = reader.rest_of_entry(board, flags & !DRAWS)?;
        let count = reader.u8()?;
        let mut links: Vec<(Square, _)> = Vec::with_capacity(count.into());
        for _ in 0..count {
            let byte = reader.u8()?;
            let square = square(byte & !LINK_DRAWS)?;
            if links.last().is_some_and(|(last, _)| *last >= square) {
                return Err("moves out of order");
            }
            links.push((square, reader.value(byte & LINK_DRAWS != 0)?));
        }
        let Reader(rest) = reader;
        *bytes = rest;
        Ok(Record { entry, value, links })
    }

    /// The discs of the record at the front, not yet checked to be a board.
    pub fn peek(bytes: &[u8]) -> Option<[Bitboard; 2]> {
        let (mover, rest) = bytes.split_first_chunk()?;
        let opponent = rest.first_chunk()?;
        Some([mover, opponent].map(|word| Bitboard(u64::from_le_bytes(*word))))
    }

    /// What stands behind the record at the front, which is not looked at: a
    /// look-up passes over some seventy of them.
    pub fn skip(bytes: &[u8]) -> Option<&[u8]> {
        let flags = *bytes.get(16)?;
        let value = |draws: bool| if draws { 7 } else { 3 };
        let mut at = 17 + value(flags & DRAWS != 0);
        at += if flags & DEVIATION != 0 { 4 } else { 0 };
        for _ in 0..3 * (flags & (HUMAN | ENGINE)).count_ones() {
            while *bytes.get(at)? >= 128 {
                at += 1;
            }
            at += 1;
        }
        let links = *bytes.get(at)?;
        at += 1;
        for _ in 0..links {
            at += 1 + value(*bytes.get(at)? & LINK_DRAWS != 0);
        }
        bytes.get(at..)
    }

    /// The moves with a known value, best first, deviation and all.
    pub fn moves(&self) -> Vec<BookMove> {
        let known = self.links.iter().filter_map(|(square, value)| {
            let (worths, grade) = (*value)?;
            Some(BookMove { square: *square, worths, grade, examined: true })
        });
        let deviation = self.entry.deviation.map(|deviation| BookMove {
            square: deviation.square,
            worths: Worths::of(deviation.worth),
            grade: deviation.grade,
            examined: false,
        });
        let mut moves: Vec<BookMove> = known.chain(deviation).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse(mv.worths.even));
        moves
    }
}

/// Reads what [`encode_entry`] wrote from the front of the bytes.
pub fn decode_entry(bytes: &mut &[u8]) -> Result<Entry, &'static str> {
    let mut reader = Reader(bytes);
    let board = reader.board()?;
    let flags = reader.u8()?;
    let entry = reader.rest_of_entry(board, flags)?;
    let Reader(rest) = reader;
    *bytes = rest;
    Ok(entry)
}

fn square(index: u8) -> Result<Square, &'static str> {
    if index < 64 { Ok(Square::from_index(index.into())) } else { Err("a move off the board") }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], &'static str> {
        let (head, tail) = self.0.split_first_chunk().ok_or("a record ends too early")?;
        self.0 = tail;
        Ok(*head)
    }

    fn u8(&mut self) -> Result<u8, &'static str> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn board(&mut self) -> Result<Board, &'static str> {
        let mover = Bitboard(u64::from_le_bytes(self.take()?));
        let opponent = Bitboard(u64::from_le_bytes(self.take()?));
        let board = Board::new(mover, opponent).ok_or("two discs on one square")?;
        match board.moves().any() && board == board.canonical() {
            true => Ok(board),
            false => Err("not a position of a book"),
        }
    }

    fn worth(&mut self) -> Result<Option<Worth>, &'static str> {
        Worth::from_raw(i16::from_le_bytes(self.take()?)).map_err(|()| "a value out of range")
    }

    fn known_worth(&mut self) -> Result<Worth, &'static str> {
        self.worth()?.ok_or("a value is missing")
    }

    fn grade(&mut self) -> Result<Grade, &'static str> {
        Grade::from_raw(self.u8()?).map_err(|()| "a depth out of range")
    }

    fn value(&mut self, draws: bool) -> Result<Option<(Worths, Grade)>, &'static str> {
        let even = self.worth()?;
        let worths = match (even, draws) {
            (Some(even), true) => {
                Some(Worths { even, seek: self.known_worth()?, avoid: self.known_worth()? })
            }
            (Some(even), false) => Some(Worths { even, seek: even, avoid: even }),
            (None, true) => return Err("a value is missing"),
            (None, false) => None,
        };
        let grade = self.grade()?;
        Ok(worths.map(|worths| (worths, grade)))
    }

    fn rest_of_entry(&mut self, board: Board, flags: u8) -> Result<Entry, &'static str> {
        if flags & !(DEVIATION | HUMAN | ENGINE) != 0 {
            return Err("unknown flags");
        }
        let deviation = match flags & DEVIATION {
            0 => None,
            _ => {
                let (square, worth) = (square(self.u8()?)?, self.known_worth()?);
                if !board.moves().contains(square) {
                    return Err("an illegal move");
                }
                Some(Deviation { square, worth, grade: self.grade()? })
            }
        };
        let mut games = Games::default();
        for (flag, results) in [(HUMAN, &mut games.human), (ENGINE, &mut games.engine)] {
            if flags & flag != 0 {
                let (wins, draws, losses) = (self.varint()?, self.varint()?, self.varint()?);
                *results = Results { wins, draws, losses };
            }
        }
        Ok(Entry { board, deviation, games })
    }

    fn varint(&mut self) -> Result<u32, &'static str> {
        let mut number = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.u8()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return u32::try_from(number).map_err(|_| "a count out of range");
            }
        }
        Err("a count out of range")
    }
}
