use std::borrow::Cow;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use discern_board::Game;
use discern_records::GameFile;
use discern_report::reproduction::FileFact;

/// A file to read from: one that was named, or one the program brings along.
pub struct Source {
    role: &'static str,
    /// What messages call it.
    path: PathBuf,
    bytes: Cow<'static, [u8]>,
}

impl Source {
    pub fn new(role: &'static str, named: Option<&Path>, shipped: &'static [u8]) -> Result<Source> {
        let (path, bytes) = match named {
            Some(path) => {
                let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
                (path.to_owned(), Cow::Owned(bytes))
            }
            None => (PathBuf::from(role), Cow::Borrowed(shipped)),
        };
        Ok(Source { role, path, bytes })
    }

    /// Its games, whatever the format.
    pub fn games(&self) -> Result<GameFile> {
        Ok(GameFile::from_reader(Cursor::new(self.bytes.clone()), &self.path, None)?)
    }

    /// Its games as openings.
    pub fn openings(&self) -> Result<Vec<Game>> {
        let mut openings = Vec::new();
        for record in self.games()? {
            let game = record?.game;
            if game.is_over() {
                let number = openings.len() + 1;
                bail!("{}: opening {number} is a finished game", self.path.display());
            }
            openings.push(game);
        }
        if openings.is_empty() {
            bail!("{}: there is no opening in it", self.path.display());
        }
        Ok(openings)
    }

    /// Its name, size and hash.
    pub fn fact(&self) -> FileFact {
        file_fact(self.role, &self.bytes)
    }
}

/// Role, size and hash of a content.
pub fn file_fact(role: &str, bytes: &[u8]) -> FileFact {
    FileFact {
        role: role.to_owned(),
        bytes: bytes.len() as u64,
        blake3: blake3::hash(bytes).to_hex().to_string(),
    }
}
