use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use discern_board::{Bitboard, Board};

use crate::entry::Entry;
use crate::error::BookError;
use crate::file::{decode_entry, encode_entry};
use crate::judge::Deviation;

const MAGIC: &[u8; 16] = b"discern journal\n";
/// Name, identity of the book, in front of the frames.
const HEAD: usize = 16 + 32;
/// Length and checksum in front of each frame.
const FRAME: usize = 8;

const CHANGE: u8 = 1;
const JUDGED: u8 = 2;

/// What a book has gained since its file was written.
///
/// Frames are appended one behind the other, each with its length and
/// checksum. After `kill -9` the last one may be unfinished: it is dropped,
/// and its work is done again.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// A frame of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// Entries as they are from now on, and games that were entered: all of
    /// this or nothing.
    Change {
        /// The entries.
        entries: Vec<Entry>,
        /// Ids of games.
        games: Vec<u64>,
    },
    /// A search whose answer is needed soon.
    Judged(Judged),
}

/// A question to the judge, and the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// The position.
    pub board: Board,
    /// Moves not to be considered.
    pub except: Bitboard,
    /// The best other move.
    pub answer: Option<Deviation>,
}

impl Journal {
    /// Where the journal of a book lies: beside it.
    pub fn path_of(book: &Path) -> PathBuf {
        let mut name = book.as_os_str().to_owned();
        name.push(".journal");
        name.into()
    }

    /// Opens the journal of a book with this identity, or begins one, and
    /// takes its lock. Returns the frames in it and the identity of the book
    /// they belong to.
    pub fn open(path: &Path, id: &str) -> Result<(Journal, Vec<Frame>, String), BookError> {
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        discern_files::lock(&file)?;
        let mut journal = Journal { file, path: path.to_owned() };
        let mut bytes = Vec::new();
        journal.file.read_to_end(&mut bytes)?;
        if bytes.len() < HEAD && MAGIC.starts_with(&bytes[..bytes.len().min(16)]) {
            // New, or killed before the head was written.
            journal.restart(id)?;
            return Ok((journal, Vec::new(), id.to_owned()));
        }
        if bytes.len() < HEAD || &bytes[..16] != MAGIC {
            let how = "not a journal of a book";
            return Err(BookError::Damaged { what: "journal", at: 0, how });
        }
        let of = String::from_utf8_lossy(&bytes[16..HEAD]).into_owned();
        let (frames, whole) = frames(&bytes)?;
        journal.file.set_len(whole as u64)?;
        journal.file.seek(SeekFrom::End(0))?;
        Ok((journal, frames, of))
    }

    /// Begins anew for a book with this identity.
    pub fn restart(&mut self, id: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        let mut head = MAGIC.to_vec();
        head.extend(id.as_bytes());
        head.resize(HEAD, 0);
        self.file.write_all(&head)?;
        self.file.sync_data()
    }

    /// Adds a frame. A change waits for the disk; an answer does not, it can
    /// be asked for again.
    pub fn append(&mut self, frame: &Frame) -> io::Result<()> {
        let content = frame.encode();
        let mut bytes = Vec::with_capacity(FRAME + content.len());
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(&content).to_le_bytes());
        bytes.extend(content);
        self.file.write_all(&bytes)?;
        match frame {
            Frame::Change { .. } => self.file.sync_data(),
            Frame::Judged(_) => Ok(()),
        }
    }

    /// Removes the file: the book has it all.
    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// The whole frames, and how many bytes they and the head take. A frame that
/// is cut off or wrong at the very end is unfinished; one in front of others
/// is damage.
fn frames(bytes: &[u8]) -> Result<(Vec<Frame>, usize), BookError> {
    let (mut frames, mut at) = (Vec::new(), HEAD);
    loop {
        let rest = &bytes[at..];
        let word = |at: usize| {
            let bytes = rest.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(bytes))
        };
        let (Some(length), Some(crc)) = (word(0), word(4)) else { return Ok((frames, at)) };
        let Some(content) = rest[FRAME..].get(..length as usize) else { return Ok((frames, at)) };
        let damaged = |how| BookError::Damaged { what: "journal", at: at as u64, how };
        if crc32fast::hash(content) != crc {
            // Zeros after a loss of power, or the last frame half on the disk.
            let last = rest.len() == FRAME + content.len();
            match last || rest.iter().all(|&byte| byte == 0) {
                true => return Ok((frames, at)),
                false => return Err(damaged("wrong checksum")),
            }
        }
        // No frame is empty: an empty one is zeros that nobody wrote.
        if content.is_empty() {
            return Ok((frames, at));
        }
        frames.push(Frame::decode(content).map_err(damaged)?);
        at += FRAME + content.len();
    }
}

impl Frame {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Frame::Change { entries, games } => {
                out.push(CHANGE);
                out.extend((entries.len() as u32).to_le_bytes());
                entries.iter().for_each(|entry| encode_entry(&mut out, entry));
                games.iter().for_each(|id| out.extend(id.to_le_bytes()));
            }
            Frame::Judged(Judged { board, except, answer }) => {
                out.push(JUDGED);
                out.extend(except.0.to_le_bytes());
                encode_entry(&mut out, &Entry { deviation: *answer, ..Entry::new(*board) });
            }
        }
        out
    }

    fn decode(content: &[u8]) -> Result<Frame, &'static str> {
        let short = "a frame ends too early";
        let (kind, mut rest) = content.split_first().ok_or(short)?;
        match *kind {
            CHANGE => {
                let (count, tail) = rest.split_first_chunk().ok_or(short)?;
                rest = tail;
                let count = u32::from_le_bytes(*count);
                let entries: Result<_, _> = (0..count).map(|_| decode_entry(&mut rest)).collect();
                let games = rest.chunks_exact(8);
                if !games.remainder().is_empty() {
                    return Err(short);
                }
                let id = |id: &[u8]| u64::from_le_bytes(id.try_into().expect("8 bytes"));
                Ok(Frame::Change { entries: entries?, games: games.map(id).collect() })
            }
            JUDGED => {
                let (except, tail) = rest.split_first_chunk().ok_or(short)?;
                rest = tail;
                let Entry { board, deviation: answer, .. } = decode_entry(&mut rest)?;
                let except = Bitboard(u64::from_le_bytes(*except));
                Ok(Frame::Judged(Judged { board, except, answer }))
            }
            _ => Err("an unknown kind of frame"),
        }
    }
}
