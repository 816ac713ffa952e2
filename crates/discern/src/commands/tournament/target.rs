use std::path::Path;

use anyhow::{Context, Result, bail};
use discern_arena::tournament::{Plan, Results, ResumeError};
use discern_records::archive::ArchiveWriter;

/// Opens the archive of a tournament with the games it has already.
pub fn open(path: &Path, plan: &Plan, force: bool) -> Result<(ArchiveWriter, Results)> {
    let at = || format!("{}", path.display());
    if force && path.exists() {
        std::fs::remove_file(path).with_context(at)?;
    }
    // First the lock: nobody else is adding games while they are read.
    let archive = ArchiveWriter::open_or_create(path).with_context(at)?;
    if let Some(cut) = archive.cut() {
        eprintln!(
            "{}: the last {} bytes are unfinished; {} whole games of them count",
            path.display(),
            cut.bytes,
            cut.games
        );
    }
    match Results::load(path, plan) {
        Ok(results) => Ok((archive, results)),
        Err(error @ ResumeError::Foreign { .. }) => {
            bail!("{}: {error}; name another file, or --force replaces it", path.display())
        }
        Err(error) => Err(error).with_context(at),
    }
}
