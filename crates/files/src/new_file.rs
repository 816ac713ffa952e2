use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::lock::refuse_written;
use crate::sweep::{PREFIX, SUFFIX, sweep_beginning};

/// A file that takes its name only when it is complete. Dropped before
/// [`NewFile::finish`], it leaves nothing behind.
///
/// It is written beside its place, where a rename cannot fail half-way. A pipe
/// or device is written as it is, since a rename would replace it. A link is
/// followed, and refused if it leads nowhere.
#[derive(Debug)]
pub struct NewFile {
    output: BufWriter<Output>,
    place: PathBuf,
    replace: bool,
}

#[derive(Debug)]
enum Output {
    Aside(NamedTempFile),
    Direct(File),
}

impl NewFile {
    /// Begins a file. One that exists is replaced at the end, if `replace`
    /// allows it; otherwise it is an error now (`AlreadyExists`) or then.
    pub fn create(path: impl AsRef<Path>, replace: bool) -> io::Result<NewFile> {
        let (place, output) = match place(path.as_ref(), replace)? {
            Place::Special => {
                let file = File::options().write(true).open(&path)?;
                (path.as_ref().to_owned(), Output::Direct(file))
            }
            Place::File(place) => {
                let file = aside(&place)?;
                (place, Output::Aside(file))
            }
        };
        Ok(NewFile { output: BufWriter::new(output), place, replace })
    }

    /// Another handle on the file, for writers that want one. What was written
    /// through the other way before must have been flushed.
    pub fn file(&self) -> io::Result<File> {
        match self.output.get_ref() {
            Output::Aside(file) => file.as_file().try_clone(),
            Output::Direct(file) => file.try_clone(),
        }
    }

    /// Waits for the disk and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        finish_together([self])
    }

    /// Everything is on the disk; only the name is missing.
    fn complete(&mut self) -> io::Result<()> {
        self.output.flush()?;
        match self.output.get_ref() {
            Output::Aside(file) => file.as_file().sync_all(),
            Output::Direct(_) => Ok(()),
        }
    }

    fn take_name(self) -> io::Result<()> {
        let (output, _) = self.output.into_parts();
        let Output::Aside(file) = output else { return Ok(()) };
        let _unwritten = refuse_written(&self.place)?;
        let named = match self.replace {
            true => file.persist(&self.place),
            false => file.persist_noclobber(&self.place),
        };
        named.map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => exists(),
            _ => error.error,
        })?;
        // The name, too, shall outlive a loss of power; not every file system
        // can promise that.
        let _ = File::open(folder_of(&self.place)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            // The file itself: the wrapper would name a path nobody gave.
            Output::Aside(file) => file.as_file_mut().write(bytes),
            Output::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Finishes files that belong together: none takes its name before all are on
/// the disk, and if one cannot have its name, the new ones go away again.
pub fn finish_together(files: impl IntoIterator<Item = NewFile>) -> io::Result<()> {
    let mut files: Vec<NewFile> = files.into_iter().collect();
    files.iter_mut().try_for_each(NewFile::complete)?;
    let mut new = Vec::new();
    for file in files {
        let is_new = !file.place.exists();
        let place = file.place.clone();
        if let Err(error) = file.take_name() {
            new.iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(error);
        }
        new.extend(is_new.then_some(place));
    }
    Ok(())
}

/// Writes a file whole or not at all.
pub fn write(path: impl AsRef<Path>, bytes: &[u8], replace: bool) -> io::Result<()> {
    let mut file = NewFile::create(path, replace)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Would [`NewFile::create`] be refused? Asked before long work.
pub fn check_free(path: impl AsRef<Path>, replace: bool) -> io::Result<()> {
    place(path.as_ref(), replace).map(drop)
}

/// Where the bytes for a path go.
enum Place {
    /// Into a new file with this name.
    File(PathBuf),
    /// Into the pipe or device itself.
    Special,
}

fn place(path: &Path, replace: bool) -> io::Result<Place> {
    let link = fs::symlink_metadata(path).ok();
    let place = match fs::metadata(path) {
        Ok(data) if data.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => return Ok(Place::Special),
        Ok(_) if !replace => return Err(exists()),
        Ok(_) if link.as_ref().is_some_and(|link| link.is_symlink()) => fs::canonicalize(path)?,
        Err(_) if link.is_some() => {
            let what = "a link to a file that does not exist";
            return Err(io::Error::new(ErrorKind::InvalidInput, what));
        }
        _ => path.to_owned(),
    };
    refuse_written(&place)?;
    Ok(Place::File(place))
}

fn exists() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "the file exists")
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Being swept once is rare already.
const ATTEMPTS: usize = 100;

/// A file in the same folder with a name that says what it will be, locked as
/// long as it is being written. Those of processes that were killed go.
fn aside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(path);
    // The folder's own error is clearer than one about a name nobody gave.
    fs::metadata(folder)?;
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    let mut prefix = OsString::from(PREFIX);
    prefix.push(name);
    prefix.push(".");
    let _ = sweep_beginning(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    // Temporary files are private; ours becomes an ordinary one.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    for _ in 0..ATTEMPTS {
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        match file.as_file().try_lock() {
            Ok(()) if file.path().exists() => return Ok(file),
            // Swept by somebody before it was locked.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Where there are no locks, nobody sweeps.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(ErrorKind::ResourceBusy.into())
}
