#![allow(unsafe_code, reason = "a memory map: opening takes no time at any size")]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;

use discern_board::{Bitboard, Board, Symmetry};
use memmap2::Mmap;

use super::layout::{BLOCK, HEAD, Head, INDEX_ENTRY};
use super::manifest::Manifest;
use super::record::Record;
use crate::entry::{Entry, Games};
use crate::error::BookError;
use crate::graph::{BookMove, Graph};
use crate::worth::{Grade, Worths};

/// What stands in the zeros that fill a block up.
const NO_DISCS: [Bitboard; 2] = [Bitboard::EMPTY; 2];

/// A book to look positions up in.
///
/// Opening it reads the head, the manifest and the index; a look-up reads and
/// checks one block. So a damaged block is found when it is needed, and
/// [`BookFile::verify`] finds them all.
#[derive(Debug)]
pub struct BookFile {
    bytes: Bytes,
    head: Head,
    manifest: Manifest,
    id: String,
}

#[derive(Debug)]
enum Bytes {
    Map(Mmap),
    Memory(Cow<'static, [u8]>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Map(map) => map,
            Bytes::Memory(bytes) => bytes,
        }
    }
}

/// What a book says of a position, on the board as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The value for the mover; `None` while nothing is known.
    pub worths: Option<Worths>,
    /// How reliable it is.
    pub grade: Grade,
    /// Games that came through here, for the mover.
    pub games: Games,
    /// The moves with a value, best first; of those that are the same up to
    /// symmetry only one.
    pub moves: Vec<BookMove>,
}

impl BookFile {
    /// Opens a book.
    pub fn open(path: impl AsRef<Path>) -> Result<BookFile, BookError> {
        let file = discern_files::open(path)?;
        if file.metadata()?.len() == 0 {
            return Err(BookError::Foreign);
        }
        // SAFETY: books are written beside their place and renamed, so nobody
        // of ours changes a file that is mapped. Whoever else does can make
        // look-ups fail their checksums, or the process end. The map is what
        // lets a book of any size open without being read.
        let map = unsafe { Mmap::map(&file)? };
        BookFile::new(Bytes::Map(map))
    }

    /// A book that is in memory.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<BookFile, BookError> {
        BookFile::new(Bytes::Memory(bytes.into()))
    }

    fn new(bytes: Bytes) -> Result<BookFile, BookError> {
        let file = bytes.get();
        let head = Head::from_bytes(file)?;
        let damaged = |what, at, how| BookError::Damaged { what, at: at as u64, how };
        let manifest = &file[HEAD..head.index_at()];
        if crc32fast::hash(manifest) != head.manifest_crc {
            return Err(damaged("manifest", HEAD, "wrong checksum"));
        }
        let manifest = serde_json::from_slice(manifest)
            .map_err(|_| damaged("manifest", HEAD, "not a manifest"))?;
        let index = &file[head.index_at()..head.blocks_at()];
        if crc32fast::hash(index) != head.index_crc {
            return Err(damaged("index", head.index_at(), "wrong checksum"));
        }
        // The index has the checksums of all blocks, the head that of the
        // games: together they name the whole content.
        let id = blake3::hash(&file[..head.blocks_at()]).to_hex()[..32].into();
        Ok(BookFile { bytes, head, manifest, id })
    }

    /// How many positions.
    pub fn len(&self) -> u64 {
        self.head.positions
    }

    /// No position at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it was made.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Names the content: 32 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// What the book says of a position, if it has it.
    ///
    /// # Errors
    /// If the block it would stand in is damaged.
    pub fn find(&self, board: &Board) -> Result<Option<Found>, BookError> {
        let (canonical, symmetry) = board.canonical_by();
        Ok(self.record(&canonical)?.map(|record| turned_back(&record, symmetry)))
    }

    fn record(&self, board: &Board) -> Result<Option<Record>, BookError> {
        let discs = [board.mover(), board.opponent()];
        let count = self.head.blocks as usize;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = (low + high) / 2;
            if self.first_of(middle) <= discs { low = middle + 1 } else { high = middle }
        }
        let Some(block) = low.checked_sub(1) else { return Ok(None) };
        let bytes = self.block(block)?;
        let mut rest = bytes;
        // Zeros fill the block up; no board is empty.
        while let Some(first) = Record::peek(rest).filter(|first| *first != NO_DISCS) {
            let at = bytes.len() - rest.len();
            let damaged = |how| self.damaged(block, at, how);
            match first.cmp(&discs) {
                Ordering::Less => rest = Record::skip(rest).ok_or_else(|| damaged("cut off"))?,
                Ordering::Equal => return Record::decode(&mut rest).map(Some).map_err(damaged),
                Ordering::Greater => break,
            }
        }
        Ok(None)
    }

    /// The discs of the first board of a block.
    fn first_of(&self, block: usize) -> [Bitboard; 2] {
        let entry = &self.bytes()[self.head.index_at() + block * INDEX_ENTRY..];
        Record::peek(entry).unwrap_or(NO_DISCS)
    }

    /// The bytes of a block, checked.
    fn block(&self, block: usize) -> Result<&[u8], BookError> {
        let entry = self.head.index_at() + block * INDEX_ENTRY;
        let crc = &self.bytes()[entry + 16..entry + INDEX_ENTRY];
        let bytes = &self.bytes()[self.head.blocks_at() + block * BLOCK..][..BLOCK];
        match crc32fast::hash(bytes).to_le_bytes() == crc {
            true => Ok(bytes),
            false => Err(self.damaged(block, 0, "wrong checksum")),
        }
    }

    fn damaged(&self, block: usize, at: usize, how: &'static str) -> BookError {
        let at = (self.head.blocks_at() + block * BLOCK + at) as u64;
        BookError::Damaged { what: "positions", at, how }
    }

    /// All records in the order of their boards.
    fn records(&self) -> impl Iterator<Item = Result<Record, BookError>> {
        (0..self.head.blocks as usize).flat_map(move |block| {
            let mut records = Vec::new();
            let bytes = match self.block(block) {
                Ok(bytes) => bytes,
                Err(error) => return vec![Err(error)],
            };
            let mut rest = bytes;
            while Record::peek(rest).is_some_and(|first| first != NO_DISCS) {
                let at = bytes.len() - rest.len();
                match Record::decode(&mut rest) {
                    Ok(record) => records.push(Ok(record)),
                    Err(how) => {
                        records.push(Err(self.damaged(block, at, how)));
                        break;
                    }
                }
            }
            records
        })
    }

    /// The entries: the book without what follows from them.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry, BookError>> {
        self.records().map(|record| record.map(|record| record.entry))
    }

    /// The ids of the games that were entered.
    pub fn games(&self) -> Result<Vec<u64>, BookError> {
        let at = self.head.games_at();
        let bytes = &self.bytes()[at..];
        if crc32fast::hash(bytes) != self.head.games_crc {
            let how = "wrong checksum";
            return Err(BookError::Damaged { what: "list of games", at: at as u64, how });
        }
        let ids = bytes.chunks_exact(8);
        Ok(ids.map(|id| u64::from_le_bytes(id.try_into().expect("8 bytes"))).collect())
    }

    /// The book in memory, to be changed.
    pub fn graph(&self) -> Result<Graph, BookError> {
        let mut graph = Graph::new();
        for entry in self.entries() {
            graph.put(entry?);
        }
        graph.learn_all(self.games()?);
        graph.settle();
        Ok(graph)
    }

    /// Checks every byte, and every value against NegaMax over the whole book.
    ///
    /// # Errors
    /// The first fault and its place.
    pub fn verify(&self) -> Result<(), BookError> {
        let graph = self.graph()?;
        let at = self.head.blocks_at() as u64;
        let wrong = |how| BookError::Damaged { what: "positions", at, how };
        if graph.len() as u64 != self.head.positions {
            return Err(wrong("another number of positions than the head says"));
        }
        let mut last = None;
        for record in self.records() {
            let record = record?;
            let board = record.entry.board;
            if last.is_some_and(|last| last >= board) {
                return Err(wrong("positions out of order"));
            }
            last = Some(board);
        }
        match super::to_bytes(&graph, &self.manifest) == self.bytes() {
            true => Ok(()),
            false => Err(wrong("the values are not those of NegaMax over the positions")),
        }
    }
}

/// The record on the board as it was asked for.
fn turned_back(record: &Record, symmetry: Symmetry) -> Found {
    let back = symmetry.inverse();
    let mut moves = record.moves();
    moves.iter_mut().for_each(|mv| mv.square = back.square(mv.square));
    Found {
        worths: record.value.map(|(worths, _)| worths),
        grade: record.value.map_or(Grade::Depth(0), |(_, grade)| grade),
        games: record.entry.games,
        moves,
    }
}
