use std::collections::VecDeque;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread::{self, JoinHandle};

use super::block::{HEAD_SIZE, Head};
use super::encode::Encoder;
use super::reader::{ArchiveReader, Tail};
use super::{ArchiveError, HEADER};
use crate::output::WriteError;
use crate::record::GameRecord;

/// Games in a full block. Larger blocks compress little better (2048: −0.6 %)
/// and lose more when they are damaged.
pub const BLOCK_GAMES: u32 = 1024;

/// Content of a full block; games with notes on every move reach it first.
const BLOCK_SIZE: usize = 1 << 20;

/// The compression level: half the time of level 19 for 0.1 % more bytes.
const LEVEL: i32 = 18;

/// Adds games to an archive. It holds the lock on the file: a second writer is
/// refused as long as this one lives.
///
/// Dropping the writer drops the games that were not committed.
///
/// A job that must give the same bytes after it was killed and resumed commits
/// at fixed numbers of games ([`ArchiveWriter::games`]), not at times, and goes
/// on behind the games that it finds.
pub struct ArchiveWriter {
    file: File,
    block: Encoder,
    /// Full blocks in order, on their way into the file. Compression takes
    /// most of the time of writing, so every core works on one.
    waiting: VecDeque<Packing>,
    threads: usize,
    /// Where the next block goes; everything before is whole.
    end: u64,
    games: u64,
    /// Size and games of the archive when it was opened.
    opened: (u64, u64),
    cut: Option<Tail>,
}

impl ArchiveWriter {
    /// Makes a new archive; refuses if the file exists.
    pub fn create(path: impl AsRef<Path>) -> Result<ArchiveWriter, WriteError> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        ArchiveWriter::start(file)
    }

    /// Makes a new archive in an empty file that is already open.
    pub fn start(file: File) -> Result<ArchiveWriter, WriteError> {
        lock(&file)?;
        let mut writer = ArchiveWriter::over(file, 0)?;
        writer.write_at_end(HEADER)?;
        Ok(writer)
    }

    /// Opens an archive to add games. An unfinished block at its end is cut
    /// off ([`ArchiveWriter::cut`] tells); damage anywhere else is refused,
    /// since adding to a damaged file would bury the damage.
    pub fn open(path: impl AsRef<Path>) -> Result<ArchiveWriter, WriteError> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let size = file.metadata()?.len();
        if size < HEADER.len() as u64 && is_start_of_header(&file)? {
            // Killed before the header was on the disk.
            file.set_len(0)?;
            (&file).rewind()?;
            return ArchiveWriter::start(file);
        }
        let mut reader = ArchiveReader::new(BufReader::new(&file))?;
        let mut games = 0;
        while let Some(block) = reader.next_block() {
            games += u64::from(block?.len());
        }
        let (end, cut) = (reader.offset(), reader.tail());
        drop(reader);
        if cut.is_some() {
            file.set_len(end)?;
            file.sync_all()?;
        }
        let mut writer = ArchiveWriter::over(file, end)?;
        writer.file.seek(SeekFrom::Start(end))?;
        (writer.games, writer.opened, writer.cut) = (games, (end, games), cut);
        Ok(writer)
    }

    /// Opens an archive to add games, or makes a new one.
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<ArchiveWriter, WriteError> {
        match ArchiveWriter::create(&path) {
            Err(WriteError::Io(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                ArchiveWriter::open(path)
            }
            other => other,
        }
    }

    fn over(file: File, end: u64) -> io::Result<ArchiveWriter> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let (block, waiting) = (Encoder::default(), VecDeque::new());
        let opened = (end, 0);
        Ok(ArchiveWriter { file, block, waiting, threads, end, games: 0, opened, cut: None })
    }

    /// Games in the archive, those not yet committed included.
    pub fn games(&self) -> u64 {
        let waiting: u64 = self.waiting.iter().map(|packing| u64::from(packing.games())).sum();
        self.games + waiting + u64::from(self.block.games())
    }

    /// The unfinished block that was cut off when the archive was opened.
    pub fn cut(&self) -> Option<Tail> {
        self.cut
    }

    /// Adds a game; it is safe after the next [`ArchiveWriter::commit`].
    ///
    /// Full blocks are written on the way, so memory stays small. After an
    /// error of the disk the file ends with the last whole block, the games
    /// behind it are still here, and `commit` tries again.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        record.check()?;
        self.block.push(record);
        if self.block.games() >= BLOCK_GAMES || self.block.size() >= BLOCK_SIZE {
            let block = std::mem::take(&mut self.block);
            self.waiting.push_back(Packing::start(block));
            while self.waiting.len() > self.threads {
                self.write_next()?;
            }
        }
        Ok(())
    }

    /// Ends the block and waits until the disk has it.
    pub fn commit(&mut self) -> Result<(), WriteError> {
        if self.block.games() > 0 {
            let block = std::mem::take(&mut self.block);
            self.waiting.push_back(Packing::Done(pack(&block)?));
        }
        while !self.waiting.is_empty() {
            self.write_next()?;
        }
        Ok(self.file.sync_data()?)
    }

    /// Takes back everything that was added since the archive was opened,
    /// committed or not: for jobs that want all of their games or none.
    pub fn take_back(&mut self) -> Result<(), WriteError> {
        (self.block, self.waiting) = (Encoder::default(), VecDeque::new());
        (self.end, self.games) = self.opened;
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(self.file.sync_data()?)
    }

    /// Writes the first of the waiting blocks; it stays the first one if that
    /// fails.
    fn write_next(&mut self) -> Result<(), WriteError> {
        let Some(packing) = self.waiting.pop_front() else { return Ok(()) };
        let packed = packing.finish()?;
        if let Err(error) = self.write_at_end(&packed.bytes) {
            self.waiting.push_front(Packing::Done(packed));
            return Err(error.into());
        }
        self.games += u64::from(packed.games);
        Ok(())
    }

    /// Writes all bytes or leaves the file as it was.
    fn write_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // Should this fail too, the next writer cuts the tail off.
            let _ = self.file.set_len(self.end);
            let _ = self.file.seek(SeekFrom::Start(self.end));
            return Err(error);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }
}

/// A block ready to be written.
struct Packed {
    games: u32,
    bytes: Vec<u8>,
}

/// A block that is being compressed, or has been.
enum Packing {
    Running { games: u32, thread: JoinHandle<io::Result<Packed>> },
    Done(Packed),
}

impl Packing {
    fn start(block: Encoder) -> Packing {
        Packing::Running { games: block.games(), thread: thread::spawn(move || pack(&block)) }
    }

    fn games(&self) -> u32 {
        match self {
            Packing::Running { games, .. } => *games,
            Packing::Done(packed) => packed.games,
        }
    }

    fn finish(self) -> io::Result<Packed> {
        match self {
            Packing::Running { thread, .. } => thread.join().expect("packing does not panic"),
            Packing::Done(packed) => Ok(packed),
        }
    }
}

/// Compresses a block and puts its head in front.
fn pack(block: &Encoder) -> io::Result<Packed> {
    let content = block.payload();
    let packed = zstd::bulk::compress(&content, LEVEL)?;
    // Texts and plies are bounded, so a block ends near BLOCK_SIZE.
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(io::Error::other);
    let head = Head {
        games: block.games(),
        content_size: size(&content)?,
        packed_size: size(&packed)?,
        packed_crc: crc32fast::hash(&packed),
    };
    let mut bytes = Vec::with_capacity(HEAD_SIZE + packed.len());
    bytes.extend(head.to_bytes());
    bytes.extend(packed);
    Ok(Packed { games: block.games(), bytes })
}

fn lock(file: &File) -> Result<(), WriteError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(ArchiveError::Locked.into()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn is_start_of_header(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    io::Read::read_to_end(&mut file, &mut start)?;
    Ok(HEADER.starts_with(&start))
}
