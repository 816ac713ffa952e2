//! Our archive of games: append-only, compressed, checked.
//!
//! A file is a 16-byte header and a row of blocks, which do not depend on each
//! other: each has its own checksums and names, and is written in one go. The
//! games of a block are coded one behind the other, so that a file that was cut
//! anywhere has all games that end before the cut. The plan that games belong to
//! stands before them in a block of its own, as text this crate does not read.
//!
//! * [`ArchiveWriter::append`] collects games, [`ArchiveWriter::commit`] puts
//!   them on the disk as a block and returns when the disk has them. What was
//!   committed survives `kill -9` and loss of power. What is whole of an
//!   unfinished block at the end is found by the next writer, which replaces it
//!   by a whole one.
//! * [`ArchiveReader`] streams games and holds one block at a time. A damaged
//!   block is reported with the place of the damage, and reading goes on
//!   behind it. An unfinished block at the end is no error for a reader, since
//!   a writer may be at work; its whole games are read, and
//!   [`ArchiveReader::tail`] tells.
//! * The same games with commits at the same places give the same bytes.
//!
//! ```
//! use discern_records::GameRecord;
//! use discern_records::archive::{ArchiveReader, ArchiveWriter};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("my.games");
//! let mut writer = ArchiveWriter::create(&path)?;
//! writer.append(&GameRecord::new("f5d6c3d3c4".parse()?))?;
//! writer.commit()?;
//!
//! let games: Vec<GameRecord> = ArchiveReader::open(&path)?.collect::<Result<_, _>>()?;
//! assert_eq!(games[0].game.transcript(), "f5d6c3d3c4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod bytes;
mod coder;
mod columns;
mod decode;
mod encode;
mod file;
mod locate;
mod order;
mod reader;
mod source;
mod writer;

pub use block::{BLOCK_GAMES, PackedBlock};
pub(crate) use file::FORMAT;
pub use reader::{ArchiveReader, Tail};
pub use writer::ArchiveWriter;

/// The first 16 bytes of an archive: format name and version, readable with
/// `head -c 16`.
pub const HEADER: &[u8; 16] = b"discern games 3\n";

/// What all versions begin with.
const FORMAT_NAME: &[u8] = b"discern games ";

/// What can be wrong with an archive.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Something else entirely.
    #[error("not an archive of games: it does not begin with 'discern games'")]
    NotAnArchive,
    /// Written by a program newer than this one.
    #[error("an archive of version '{0}', this program reads version 2")]
    Version(String),
    /// The bytes are not those that were written.
    #[error("damaged: {}, in the {} at bytes {start} to {end}",
        byte.map_or("checksum wrong".to_owned(), |at| format!("byte {at} was changed")),
        match games {
            None => "block of unknown size".to_owned(),
            Some(0) => "plan".to_owned(),
            Some(games) => format!("block of {games} games"),
        })]
    Damaged {
        /// The one wrong byte, if a single byte explains the checksum.
        byte: Option<u64>,
        /// Where the damaged block begins.
        start: u64,
        /// Where the next one begins.
        end: u64,
        /// How many games it holds; a plan has none.
        games: Option<u32>,
    },
    /// The checksums are right but the content makes no sense: the writer was
    /// wrong, not the disk.
    #[error("a block with {0}")]
    Content(&'static str),
    /// Another process has the archive open for writing.
    #[error("another process is writing to this archive")]
    Locked,
    /// The file was moved, removed or replaced while games were added to it.
    #[error("the archive was moved away or replaced while games were added to it")]
    Moved,
}

/// Blocks without head and checksum, for tests and fuzz targets that want to
/// reach the decoders.
#[doc(hidden)]
pub mod testing {
    use super::encode::Encoder;
    use crate::record::GameRecord;

    /// The stream of a block with these games.
    pub fn stream(records: &[GameRecord]) -> Vec<u8> {
        let mut block = Encoder::default();
        records.iter().for_each(|record| block.push(record));
        block.finish()
    }

    /// The games of a stream, as far as it goes.
    pub fn games_of_stream(stream: &[u8], count: u32) -> Vec<GameRecord> {
        super::decode::games_of_stream(stream, count, super::block::MAX_CONTENT).0
    }
}
