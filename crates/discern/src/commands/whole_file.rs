//! Output files that appear whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file that takes its name only once it is complete.
pub struct WholeFile {
    path: PathBuf,
    force: bool,
    file: std::io::BufWriter<tempfile::NamedTempFile>,
}

impl WholeFile {
    /// Begins a temporary sibling of `path`.
    ///
    /// # Errors
    /// If `path` exists and `force` is not set, or its directory cannot be
    /// written to.
    pub fn create(path: &Path, force: bool) -> Result<Self> {
        check_free(path, force)?;
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let file = tempfile::NamedTempFile::new_in(directory)
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        Ok(Self { path: path.to_path_buf(), force, file: std::io::BufWriter::new(file) })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If writing fails, or the name was taken in the meantime.
    pub fn finish(self) -> Result<()> {
        let shown = self.path.display().to_string();
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        let file = file.with_context(|| format!("{shown}: cannot be written"))?;
        allow_others_to_read(file.as_file())
            .and_then(|()| file.as_file().sync_all())
            .with_context(|| format!("{shown}: cannot be written"))?;
        let persisted =
            if self.force { file.persist(&self.path) } else { file.persist_noclobber(&self.path) };
        persisted
            .map_err(|error| error.error)
            .with_context(|| format!("{shown}: cannot be written"))?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Refuses a path that exists unless it may be overwritten.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    if !force && path.exists() {
        bail!("{}: exists already; give --force to overwrite it", path.display());
    }
    Ok(())
}

/// Temporary files are private; results are not.
#[cfg(unix)]
fn allow_others_to_read(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn allow_others_to_read(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
