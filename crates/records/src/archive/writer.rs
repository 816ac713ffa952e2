use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::{HEAD_SIZE, Head, MAX_SIZE};
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
pub struct ArchiveWriter {
    file: File,
    block: Encoder,
    compressor: zstd::bulk::Compressor<'static>,
    /// Where the next block goes; everything before is whole.
    end: u64,
    games: u64,
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
        (writer.games, writer.cut) = (games, cut);
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
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(ArchiveWriter { file, block: Encoder::default(), compressor, end, games: 0, cut: None })
    }

    /// Games in the archive, those not yet committed included.
    pub fn games(&self) -> u64 {
        self.games + u64::from(self.block.games())
    }

    /// The unfinished block that was cut off when the archive was opened.
    pub fn cut(&self) -> Option<Tail> {
        self.cut
    }

    /// Adds a game; it is safe after the next [`ArchiveWriter::commit`].
    ///
    /// A full block is written at once, so memory stays small. After an error
    /// of the disk the archive is as it was, the games since the last block
    /// are still here, and `commit` tries again.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        record.check()?;
        self.block.push(record);
        if self.block.games() >= BLOCK_GAMES || self.block.size() >= BLOCK_SIZE {
            self.write_block()?;
        }
        Ok(())
    }

    /// Ends the block and waits until the disk has it.
    pub fn commit(&mut self) -> Result<(), WriteError> {
        if self.block.games() > 0 {
            self.write_block()?;
        }
        Ok(self.file.sync_data()?)
    }

    fn write_block(&mut self) -> Result<(), WriteError> {
        let content = self.block.payload();
        let packed = self.compressor.compress(&content)?;
        let sizes = [content.len(), packed.len()].map(u32::try_from);
        let [Ok(content_size), Ok(packed_size)] = sizes else {
            return Err(WriteError::TooLarge);
        };
        if content_size.max(packed_size) > MAX_SIZE {
            return Err(WriteError::TooLarge);
        }
        let packed_crc = crc32fast::hash(&packed);
        let head = Head { games: self.block.games(), content_size, packed_size, packed_crc };
        let mut bytes = Vec::with_capacity(HEAD_SIZE + packed.len());
        bytes.extend(head.to_bytes());
        bytes.extend(packed);
        self.write_at_end(&bytes)?;
        self.games += u64::from(self.block.games());
        self.block = Encoder::default();
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
