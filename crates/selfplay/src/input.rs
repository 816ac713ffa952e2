//! The archive that a plan works on: named by its content, copied into the
//! folder of the run, cut into shards by the numbers of its games.

use std::ops::Range;
use std::path::{Path, PathBuf};

use discern_players::{Fingerprint, JobError, Shard, Site, fingerprint_of_file};
use discern_records::archive::{ArchiveReader, PackedBlock};
use discern_records::{FileFault, GameRecord};

/// The content of an archive, and how many games are in it.
pub(crate) fn measure(path: &Path) -> Result<(Fingerprint, u64), JobError> {
    let failed = |error| JobError::Io(path.to_owned(), error);
    discern_files::open(path).map_err(failed)?;
    let archive = fingerprint_of_file(path).map_err(failed)?;
    let mut games = 0;
    for block in blocks(path)? {
        games += u64::from(block?.len());
    }
    Ok((archive, games))
}

/// Shards of about 100 games.
pub(crate) fn usual_shards(games: u64) -> u32 {
    games.div_ceil(100).clamp(1, 10_000) as u32
}

/// Are there as many shards as games can be cut into?
pub(crate) fn check_shards(shards: u32, games: u64) -> Result<(), JobError> {
    let most = games.clamp(1, Shard::MOST.into());
    if !(1..=most).contains(&shards.into()) {
        return Err(JobError::Plan(format!("{shards} shards for {games} games, at most {most}")));
    }
    Ok(())
}

/// Where the copy of an archive is in a run's folder.
pub(crate) fn path_in(folder: &Path, archive: &Fingerprint) -> PathBuf {
    folder.join(format!("{archive}.games"))
}

/// Puts an archive into the run's folder, unless it is there.
pub(crate) fn copy(archive: &Fingerprint, path: &Path, folder: &Path) -> Result<(), JobError> {
    let copy = path_in(folder, archive);
    if !copy.exists() {
        let failed = |error| JobError::Io(path.to_owned(), error);
        let mut source = discern_files::open(path).map_err(failed)?;
        let written = |error| JobError::Io(copy.clone(), error);
        let mut file = discern_files::NewFile::create(&copy, true).map_err(written)?;
        std::io::copy(&mut source, &mut file).map_err(written)?;
        file.finish().map_err(written)?;
    }
    Ok(())
}

/// The copy in the run's folder, if it is the plan's archive.
pub(crate) fn checked(archive: &Fingerprint, folder: &Path) -> Result<PathBuf, JobError> {
    let path = path_in(folder, archive);
    let found = fingerprint_of_file(&path).map_err(|error| JobError::Io(path.clone(), error))?;
    if found != *archive {
        return Err(JobError::File(path, format!("this is not the plan's archive, but {found}")));
    }
    Ok(path)
}

/// Hands over the games with these numbers. A halt ends it.
pub(crate) fn for_each(
    path: &Path,
    range: Range<usize>,
    site: &Site,
    mut work: impl FnMut(GameRecord),
) -> Result<(), JobError> {
    let mut before = 0;
    for block in blocks(path)? {
        let block = block?;
        let end = before + block.len() as usize;
        // Blocks without a game of this shard need not be unpacked.
        if end > range.start && before < range.end {
            for (index, record) in (before..).zip(records(path, &block)?) {
                if site.halt.is_aborting() {
                    return Err(JobError::Halted);
                }
                if range.contains(&index) {
                    work(record);
                }
            }
        }
        before = end;
    }
    Ok(())
}

/// All games.
pub(crate) fn all(path: &Path, mut work: impl FnMut(GameRecord)) -> Result<(), JobError> {
    for block in blocks(path)? {
        records(path, &block?)?.into_iter().for_each(&mut work);
    }
    Ok(())
}

/// The blocks of an archive, whole or with what is wrong.
fn blocks(path: &Path) -> Result<impl Iterator<Item = Result<PackedBlock, JobError>>, JobError> {
    let owned = path.to_owned();
    let fault = move |fault| JobError::Games(FileFault { path: owned.clone(), fault });
    let mut reader = ArchiveReader::open(path).map_err(&fault)?;
    Ok(std::iter::from_fn(move || reader.next_block().map(|block| block.map_err(&fault))))
}

fn records(path: &Path, block: &PackedBlock) -> Result<Vec<GameRecord>, JobError> {
    block.games().map_err(|error| JobError::File(path.to_owned(), error.to_string()))
}
