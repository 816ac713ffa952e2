//! Output files that appear whole or not at all, with sentences for people.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use discern_files::NewFile;

/// A file that takes its name only once it is complete.
pub struct WholeFile {
    path: PathBuf,
    file: NewFile,
}

impl WholeFile {
    /// Begins a file; one that exists needs `force`.
    pub fn create(path: &Path, force: bool) -> Result<WholeFile> {
        let file = NewFile::create(path, force).map_err(|error| refused(path, error))?;
        Ok(WholeFile { path: path.to_owned(), file })
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.file.finish().map_err(|error| refused(&self.path, error))
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file in one go.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    discern_files::write(path, bytes, force).map_err(|error| refused(path, error))
}

/// Refuses a path that exists unless it may be replaced.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    discern_files::check_free(path, force).map_err(|error| refused(path, error))
}

/// Why a file is not written, and what the user can do.
pub fn refused(path: &Path, error: io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!("{}: the file exists; --force replaces it", path.display())
        }
        _ => Err::<(), _>(error).with_context(|| path.display().to_string()).unwrap_err(),
    }
}
