use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Names of files in the making begin and end like this.
pub(crate) const PREFIX: &str = ".";
pub(crate) const SUFFIX: &str = ".part";

/// A file in the making is locked by then, if its process lives.
const YOUNG: Duration = Duration::from_secs(60);

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
    let data = fs::symlink_metadata(path)?;
    let old = data.modified()?.elapsed().is_ok_and(|age| age > YOUNG);
    if old && data.is_file() && File::open(path)?.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}
