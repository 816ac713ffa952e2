use std::borrow::Cow;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use discern_board::Game;
use discern_records::GameFile;

use crate::FileFact;
use crate::error::{Doing, ExperimentError};

/// No games to learn from are larger.
const MOST_BYTES: u64 = 1 << 30;

/// Games to read from: a file that was named, or bytes that the program brings
/// along.
#[derive(Debug, Clone)]
pub struct Source {
    role: &'static str,
    /// What messages call it.
    path: PathBuf,
    bytes: Cow<'static, [u8]>,
}

impl Source {
    /// The content of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(role: &'static str, path: &Path) -> Result<Source, ExperimentError> {
        let bytes = discern_files::read(path, MOST_BYTES).to_file(path)?;
        Ok(Source { role, path: path.to_owned(), bytes: Cow::Owned(bytes) })
    }

    /// What the program brings along.
    pub fn shipped(role: &'static str, bytes: &'static [u8]) -> Source {
        Source { role, path: PathBuf::from(role), bytes: Cow::Borrowed(bytes) }
    }

    /// Its games, whatever the format.
    ///
    /// # Errors
    /// If there are none to be read.
    pub fn games(&self) -> Result<GameFile, ExperimentError> {
        Ok(GameFile::from_reader(Cursor::new(self.bytes.clone()), &self.path, None)?)
    }

    /// Its games as openings.
    ///
    /// # Errors
    /// If there are none, or one of them is a finished game.
    pub fn openings(&self) -> Result<Vec<Game>, ExperimentError> {
        Ok(self.games()?.openings()?)
    }

    /// Its name, size and hash.
    pub fn fact(&self) -> FileFact {
        FileFact::new(self.role, &self.bytes)
    }
}

impl FileFact {
    /// Role, size and hash of a content.
    pub fn new(role: impl Into<String>, bytes: &[u8]) -> FileFact {
        FileFact { role: role.into(), bytes: bytes.len() as u64, blake3: hash(bytes) }
    }
}

/// BLAKE3 in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
