use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::{BLOCK_GAMES, Head, Kind, MAX_PLAN};
use super::encode::Encoder;
use super::reader::{ArchiveReader, Tail};
use super::{ArchiveError, HEADER};
use crate::output::WriteError;
use crate::record::GameRecord;

/// Content of a full block; games with notes on every move reach it first.
const BLOCK_SIZE: u32 = 1 << 20;

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
    /// Where the file is, if it has a name that must stay.
    path: Option<PathBuf>,
    block: Encoder,
    /// Blocks on their way into the file: more than one only while the disk
    /// refuses them.
    waiting: VecDeque<Packed>,
    /// Where the next block goes; everything before is whole.
    end: u64,
    games: u64,
    /// Size and games of the whole blocks when the archive was opened.
    opened: (u64, u64),
    /// The unfinished block that was found then.
    cut: Option<Tail>,
    /// Its whole games: they wait for the next commit like new ones.
    rescued: Vec<GameRecord>,
    plans: Vec<String>,
    /// How many of them there were when the archive was opened.
    opened_plans: usize,
}

impl ArchiveWriter {
    /// Makes a new archive; refuses if the file exists.
    pub fn create(path: impl AsRef<Path>) -> Result<ArchiveWriter, WriteError> {
        let path = path.as_ref();
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        ArchiveWriter::start(file)?.named(path)
    }

    /// Makes a new archive in an empty file that is already open.
    pub fn start(file: File) -> Result<ArchiveWriter, WriteError> {
        lock(&file)?;
        let mut writer = ArchiveWriter::over(file, 0)?;
        writer.write_at_end(HEADER)?;
        Ok(writer)
    }

    /// Opens an archive to add games. The whole games of an unfinished block at
    /// its end ([`ArchiveWriter::cut`] tells) are in the archive, waiting for
    /// the next commit; until then the file stays as it is. Damage anywhere
    /// else is refused, since adding to a damaged file would bury the damage.
    pub fn open(path: impl AsRef<Path>) -> Result<ArchiveWriter, WriteError> {
        let path = path.as_ref();
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let size = file.metadata()?.len();
        if size < HEADER.len() as u64 && is_start_of_header(&file)? {
            // Killed before the header was on the disk.
            file.set_len(0)?;
            (&file).rewind()?;
            return ArchiveWriter::start(file)?.named(path);
        }
        let mut reader = ArchiveReader::new(BufReader::new(&file))?;
        let mut games = 0;
        let mut rescued = Vec::new();
        while let Some(block) = reader.next_block().transpose()? {
            match reader.tail() {
                None => games += u64::from(block.len()),
                Some(_) => rescued = block.games().map_err(WriteError::Archive)?,
            }
        }
        let (end, cut, plans) = (reader.offset(), reader.tail(), reader.plans().to_vec());
        drop(reader);
        let mut writer = ArchiveWriter::over(file, end)?;
        writer.file.seek(SeekFrom::Start(end))?;
        rescued.iter().for_each(|record| writer.block.push(record));
        (writer.games, writer.opened, writer.cut) = (games, (end, games), cut);
        (writer.rescued, writer.opened_plans, writer.plans) = (rescued, plans.len(), plans);
        writer.named(path)
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

    fn named(mut self, path: &Path) -> Result<ArchiveWriter, WriteError> {
        self.path = Some(path.to_owned());
        Ok(self)
    }

    fn over(file: File, end: u64) -> io::Result<ArchiveWriter> {
        let (block, waiting) = (Encoder::default(), VecDeque::new());
        let opened = (end, 0);
        let (games, cut, rescued) = (0, None, Vec::new());
        let (plans, opened_plans) = (Vec::new(), 0);
        Ok(ArchiveWriter {
            file,
            path: None,
            block,
            waiting,
            end,
            games,
            opened,
            cut,
            rescued,
            plans,
            opened_plans,
        })
    }

    /// The plans in the archive.
    pub fn plans(&self) -> &[String] {
        &self.plans
    }

    /// Adds the plan of the games to come, unless the archive has it; it is
    /// safe after the next [`ArchiveWriter::commit`].
    ///
    /// # Errors
    /// Of the disk, and if the text is longer than a block.
    pub fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        if self.plans.iter().any(|plan| plan == text) {
            return Ok(());
        }
        if text.len() > MAX_PLAN as usize {
            return Err(ArchiveError::Content("a plan of more than 16 MiB").into());
        }
        self.end_block();
        self.waiting.push_back(pack(Kind::Plan, 0, text.len() as u32, text.as_bytes()));
        self.plans.push(text.to_owned());
        self.write_block()
    }

    /// Games in the archive, those not yet committed included.
    pub fn games(&self) -> u64 {
        let waiting: u64 = self.waiting.iter().map(|block| u64::from(block.games)).sum();
        self.games + waiting + u64::from(self.block.games())
    }

    /// The unfinished block that was found when the archive was opened.
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
            self.write_block()?;
        }
        Ok(())
    }

    /// Ends the block and waits until the disk has it.
    ///
    /// # Errors
    /// Of the disk, and if the file no longer has its name: it is whole then,
    /// with all games, wherever it went.
    pub fn commit(&mut self) -> Result<(), WriteError> {
        self.write_block()?;
        self.file.sync_data()?;
        match &self.path {
            Some(path) if !is_at(&self.file, path)? => Err(ArchiveError::Moved.into()),
            _ => Ok(()),
        }
    }

    /// Takes back everything that was added since the archive was opened,
    /// committed or not: for jobs that want all of their games or none.
    pub fn take_back(&mut self) -> Result<(), WriteError> {
        (self.block, self.waiting) = (Encoder::default(), VecDeque::new());
        (self.end, self.games) = self.opened;
        self.plans.truncate(self.opened_plans);
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.rescued.iter().for_each(|record| self.block.push(record));
        self.commit()
    }

    /// Ends the block and writes it, behind those that the disk refused before.
    fn write_block(&mut self) -> Result<(), WriteError> {
        self.end_block();
        while let Some(block) = self.waiting.pop_front() {
            if let Err(error) = self.write_at_end(&block.bytes) {
                self.waiting.push_front(block);
                return Err(error.into());
            }
            self.games += u64::from(block.games);
        }
        Ok(())
    }

    /// Puts the games in hand behind the blocks that wait.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        let (games, size) = (block.games(), block.size());
        if games > 0 {
            self.waiting.push_back(pack(Kind::Games, games, size, &block.finish()));
        }
    }

    /// Writes all bytes or leaves the file as it was. An unfinished block,
    /// whose games we have, gives way to the first block of ours.
    fn write_at_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.metadata()?.len() > self.end {
            self.file.set_len(self.end)?;
        }
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

/// Puts the head in front of a block.
fn pack(kind: Kind, games: u32, content_size: u32, packed: &[u8]) -> Packed {
    let head = Head {
        kind,
        games,
        content_size,
        // Texts and plies are bounded, so a block ends near BLOCK_SIZE.
        packed_size: packed.len() as u32,
        packed_crc: crc32fast::hash(packed),
    };
    Packed { games, bytes: [&head.to_bytes(), packed].concat() }
}

fn lock(file: &File) -> Result<(), WriteError> {
    discern_files::lock(file).map_err(|error| match error.kind() {
        io::ErrorKind::ResourceBusy => ArchiveError::Locked.into(),
        _ => error.into(),
    })
}

/// Is this the file that a path leads to?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    let ours = identity(file.metadata()?);
    Ok(std::fs::metadata(path).is_ok_and(|found| identity(found) == ours))
}

/// Is there a file where a path leads to? Other systems do not let go of a
/// file that is open.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

fn is_start_of_header(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    io::Read::read_to_end(&mut file, &mut start)?;
    Ok(HEADER.starts_with(&start))
}
