use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Names of files in the making begin and end like this.
pub(crate) const PREFIX: &str = ".";
pub(crate) const SUFFIX: &str = ".part";

/// Removes what killed processes left half-written in a folder: files in the
/// making that nobody holds any more.
pub fn sweep(folder: impl AsRef<Path>) -> io::Result<()> {
    sweep_beginning(folder.as_ref(), OsStr::new(PREFIX))
}

/// Those whose names begin like this.
pub(crate) fn sweep_beginning(folder: &Path, beginning: &OsStr) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.file_name();
        let found = found.as_encoded_bytes();
        if found.starts_with(beginning.as_encoded_bytes()) && found.ends_with(SUFFIX.as_bytes()) {
            // Somebody else may have swept it; a leftover does no harm.
            let _ = remove_abandoned(&entry.path());
        }
    }
    Ok(())
}

fn remove_abandoned(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_file() {
        let file = File::open(path)?;
        // Held until the file is gone: whoever has just made it and wants the
        // lock now makes another one.
        if file.try_lock().is_ok() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
