use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::Serialize;

use super::block::{HEAD_SIZE, Head, Kind, MAX_PLAN, PackedBlock};
use super::locate::changed_byte;
use super::{ArchiveError, FORMAT_NAME, HEADER};
use crate::fault::{Fault, Place};
use crate::record::GameRecord;

/// Streams the games of an archive, one block in memory at a time.
///
/// After a fault the next call goes on with the next whole block.
pub struct ArchiveReader<R> {
    input: R,
    offset: u64,
    /// Games in the blocks before `offset`, damaged ones included.
    games_before: u64,
    ready: VecDeque<GameRecord>,
    /// The plans met so far.
    plans: Vec<String>,
    plan_bytes: u64,
    /// The first block, which was read to come to the plan before it.
    first: Option<Option<Result<PackedBlock, Fault>>>,
    /// The head of the next block, if looking for it has already read it.
    found: Option<[u8; HEAD_SIZE]>,
    tail: Option<Tail>,
    ended: bool,
}

/// The beginning of a block that was never finished, at the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Tail {
    /// Where it begins; everything before is whole.
    pub offset: u64,
    /// How many bytes there are.
    pub bytes: u64,
    /// How many whole games they begin with. They are read like all others.
    pub games: u32,
}

impl fmt::Display for Tail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tail { offset, bytes, games } = self;
        write!(
            out,
            "byte {offset}: the last {bytes} bytes are unfinished; {games} whole games of them count"
        )
    }
}

impl ArchiveReader<BufReader<File>> {
    /// Opens an archive.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Fault> {
        let file =
            discern_files::open(path).map_err(|error| Fault::new(Place::default(), error))?;
        ArchiveReader::new(BufReader::with_capacity(1 << 16, file))
    }
}

impl<R: BufRead> ArchiveReader<R> {
    /// Reads an archive from its first byte on.
    pub fn new(mut input: R) -> Result<ArchiveReader<R>, Fault> {
        let header = read_up_to(&mut input, HEADER.len())
            .map_err(|error| Fault::new(Place::default(), error))?;
        if header != HEADER {
            let error = match header.strip_prefix(FORMAT_NAME) {
                Some(version) => {
                    ArchiveError::Version(String::from_utf8_lossy(version).trim_end().to_owned())
                }
                None => ArchiveError::NotAnArchive,
            };
            return Err(Fault::new(Place::default(), error));
        }
        let mut reader = ArchiveReader {
            input,
            offset: HEADER.len() as u64,
            games_before: 0,
            ready: VecDeque::new(),
            plans: Vec::new(),
            plan_bytes: 0,
            first: None,
            found: None,
            tail: None,
            ended: false,
        };
        reader.first = Some(reader.next_block());
        Ok(reader)
    }

    /// The plan that the archive begins with.
    pub fn plan(&self) -> Option<&str> {
        self.plans.first().map(String::as_str)
    }

    /// All plans that reading has come to: an archive put together of several
    /// has several, each before its games.
    pub fn plans(&self) -> &[String] {
        &self.plans
    }

    /// The unfinished block at the end of the file, known once reading has
    /// come to it.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    /// Where the last whole block ends, as far as reading has come.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next whole block, still packed; `None` at the end of the file. If
    /// the file was cut, what is left of its last block is the last one.
    pub fn next_block(&mut self) -> Option<Result<PackedBlock, Fault>> {
        if let Some(first) = self.first.take() {
            return first;
        }
        if self.ended {
            return None;
        }
        let block = loop {
            match self.read_block() {
                Ok(Some(block)) if block.head.kind == Kind::Plan => match block.into_plan() {
                    Ok(plan) => {
                        self.plan_bytes += plan.len() as u64;
                        if self.plan_bytes > u64::from(MAX_PLAN) {
                            let what = ArchiveError::Content("plans of more than 16 MiB in all");
                            let place = Place::offset(self.games_before + 1, self.offset);
                            break Err(Fault::new(place, what));
                        }
                        self.plans.push(plan);
                    }
                    Err(fault) => break Err(fault),
                },
                other => break other,
            }
        };
        if !matches!(block, Ok(Some(_))) {
            // Only damage has something readable behind it.
            self.ended = !matches!(&block, Err(fault) if is_damage(fault));
        }
        block.transpose()
    }

    fn read_block(&mut self) -> Result<Option<PackedBlock>, Fault> {
        let start = self.offset;
        let bytes = match self.found.take() {
            Some(bytes) => bytes.to_vec(),
            None => self.read(HEAD_SIZE)?,
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let Ok(bytes) = <[u8; HEAD_SIZE]>::try_from(bytes.as_slice()) else {
            self.tail = Some(Tail { offset: start, bytes: bytes.len() as u64, games: 0 });
            return Ok(None);
        };
        let (head, changed) = match Head::from_bytes(&bytes) {
            Some(head) => (head, None),
            None => match Head::before_change(&bytes) {
                Some((head, index)) => (head, Some(start + index as u64)),
                None => return self.look_for_next_block(bytes),
            },
        };
        let packed = self.read(head.packed_size as usize)?;
        let size = (HEAD_SIZE + packed.len()) as u64;
        let first_game = self.games_before + 1;
        if packed.len() < head.packed_size as usize {
            let rescued = PackedBlock::rescue(head, packed);
            let games = rescued.as_ref().map_or(0, PackedBlock::len);
            self.tail = Some(Tail { offset: start, bytes: size, games });
            self.ended = true;
            return Ok(rescued.map(|block| PackedBlock { offset: start, first_game, ..block }));
        }
        self.offset += size;
        self.games_before += u64::from(head.games);
        let wrong_content = crc32fast::hash(&packed) != head.packed_crc;
        if wrong_content || changed.is_some() {
            let in_content = || {
                let change = changed_byte(&packed, head.packed_crc)?;
                Some(start + (HEAD_SIZE + change.index) as u64)
            };
            // Two wrong places cannot be named as one.
            let byte =
                if wrong_content && changed.is_some() { None } else { changed.or_else(in_content) };
            let games = Some(head.games);
            let damage = ArchiveError::Damaged { byte, start, end: self.offset, games };
            return Err(Fault::new(Place::game(first_game), damage));
        }
        Ok(Some(PackedBlock { head, packed, offset: start, first_game, cut: false }))
    }

    /// The head is beyond recognition, so nobody knows how long the block is:
    /// look for the next head byte by byte.
    fn look_for_next_block(
        &mut self,
        mut window: [u8; HEAD_SIZE],
    ) -> Result<Option<PackedBlock>, Fault> {
        let start = self.offset;
        let mut only_zeros = window == [0; HEAD_SIZE];
        let mut end = start + HEAD_SIZE as u64;
        while let Some(&next) = self.read(1)?.first() {
            end += 1;
            only_zeros &= next == 0;
            window.copy_within(1.., 0);
            window[HEAD_SIZE - 1] = next;
            if Head::from_bytes(&window).is_some() {
                self.found = Some(window);
                end -= HEAD_SIZE as u64;
                break;
            }
        }
        if only_zeros {
            // A file system that lost power gives zeros where nothing was written.
            self.tail = Some(Tail { offset: start, bytes: end - start, games: 0 });
            return Ok(None);
        }
        self.offset = end;
        let damage = ArchiveError::Damaged { byte: None, start, end, games: None };
        Err(Fault::new(Place::game(self.games_before + 1), damage))
    }

    fn read(&mut self, size: usize) -> Result<Vec<u8>, Fault> {
        read_up_to(&mut self.input, size).map_err(|error| self.io_fault(error))
    }

    fn io_fault(&self, error: io::Error) -> Fault {
        Fault::new(Place::offset(self.games_before + 1, self.offset), error)
    }
}

fn is_damage(fault: &Fault) -> bool {
    matches!(fault.reason, crate::fault::Reason::Archive(ArchiveError::Damaged { .. }))
}

impl<R: BufRead> Iterator for ArchiveReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return Some(Ok(game));
            }
            let block = match self.next_block()? {
                Ok(block) => block,
                Err(fault) => return Some(Err(fault)),
            };
            match block.games() {
                Ok(games) => self.ready = games.into(),
                Err(error) => {
                    let place = Place::offset(block.first_game, block.offset);
                    return Some(Err(Fault::new(place, error)));
                }
            }
        }
    }
}

/// Reads `size` bytes, or what there is before the end.
fn read_up_to(input: &mut impl Read, size: usize) -> io::Result<Vec<u8>> {
    // Sizes come from the file: let the memory grow with what is really there.
    let mut bytes = Vec::with_capacity(size.min(1 << 16));
    input.take(size as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
