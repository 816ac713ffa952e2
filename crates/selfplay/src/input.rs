//! The archive that a plan works on: named by its content, copied into the
//! folder of the run, cut into shards by the numbers of its games.

use std::ops::Range;
use std::path::{Path, PathBuf};

use discern_players::{
    Cut, Defaults, Fingerprint, Job, JobError, RunFolder, Site, WeightStore, fingerprint_of_file,
};
use discern_records::archive::{ArchiveReader, PackedBlock, Tail};
use discern_records::{FileFault, GameRecord};
use serde::{Deserialize, Serialize};

use crate::generate::GeneratePlan;

/// The games that a plan works on, and how they are cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputGames {
    /// The content of their archive, which the run's folder has a copy of.
    pub archive: Fingerprint,
    /// How many there are.
    pub games: u64,
    /// The number of parts; what is done to a game does not depend on it.
    pub shards: u32,
}

impl InputGames {
    /// What a player who works on them is given that does not say otherwise.
    pub const DEFAULTS: Defaults = Defaults { randomness: None, ..GeneratePlan::DEFAULTS };

    /// The games of an archive in shards of about 100, and what is missing at
    /// its end if it was cut.
    ///
    /// # Errors
    /// If the archive cannot be read.
    pub fn of(path: &Path) -> Result<(InputGames, Option<Tail>), JobError> {
        let failed = |error| JobError::Io(path.to_owned(), error);
        discern_files::open(path).map_err(failed)?;
        let archive = fingerprint_of_file(path).map_err(failed)?;
        let fault = |fault| JobError::Games(FileFault { path: path.to_owned(), fault });
        let mut reader = ArchiveReader::open(path).map_err(fault)?;
        let mut games = 0;
        while let Some(block) = reader.next_block() {
            games += u64::from(block.map_err(fault)?.len());
        }
        let shards = games.div_ceil(100).clamp(1, 10_000) as u32;
        Ok((InputGames { archive, games, shards }, reader.tail()))
    }

    /// How the games are cut.
    pub fn cut(&self) -> Cut {
        Cut { things: self.games as usize, shards: self.shards }
    }

    /// Begins or opens the run of a plan for the games of this archive, with a
    /// copy of it.
    ///
    /// # Errors
    /// If the folder has another plan, or cannot be written.
    pub fn begin<J: Job>(
        &self,
        archive: &Path,
        folder: &Path,
        plan: J,
        store: &WeightStore,
        other_build: bool,
    ) -> Result<RunFolder<J>, JobError> {
        let run = RunFolder::create(folder, plan, store, other_build)?;
        let copy = self.path_in(folder);
        if !copy.exists() {
            let failed = |error| JobError::Io(archive.to_owned(), error);
            let mut source = discern_files::open(archive).map_err(failed)?;
            let written = |error| JobError::Io(copy.clone(), error);
            let mut file = discern_files::NewFile::create(&copy, true).map_err(written)?;
            std::io::copy(&mut source, &mut file).map_err(written)?;
            file.finish().map_err(written)?;
        }
        Ok(run)
    }

    /// Where the copy of the archive is in a run's folder.
    pub fn path_in(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.games", self.archive))
    }

    /// The copy in the run's folder, if it is the plan's archive.
    pub(crate) fn checked(&self, folder: &Path) -> Result<Archive, JobError> {
        let path = self.path_in(folder);
        let found = fingerprint_of_file(&path).map_err(|e| JobError::Io(path.clone(), e))?;
        match found == self.archive {
            true => Ok(Archive(path)),
            false => {
                let what = format!("this is not the plan's archive, but {found}");
                Err(JobError::File(path, what))
            }
        }
    }
}

/// An archive that is known to be the plan's.
#[derive(Debug, Clone)]
pub struct Archive(PathBuf);

impl Archive {
    /// Hands over the games with these numbers. A halt ends it; what was made
    /// of the last game counts for nothing then.
    pub(crate) fn each_of(
        &self,
        range: Range<usize>,
        site: &Site,
        mut work: impl FnMut(GameRecord),
    ) -> Result<(), JobError> {
        let mut before = 0;
        for block in self.blocks()? {
            let block = block?;
            let end = before + block.len() as usize;
            // Blocks without a game of this shard need not be unpacked.
            if end > range.start && before < range.end {
                for (index, record) in (before..).zip(self.records(&block)?) {
                    if range.contains(&index) {
                        work(record);
                    }
                    site.check_halt()?;
                }
            }
            before = end;
        }
        Ok(())
    }

    /// Hands over all games.
    pub(crate) fn all(&self, mut work: impl FnMut(GameRecord)) -> Result<(), JobError> {
        for block in self.blocks()? {
            self.records(&block?)?.into_iter().for_each(&mut work);
        }
        Ok(())
    }

    /// The blocks, whole or with what is wrong.
    fn blocks(&self) -> Result<impl Iterator<Item = Result<PackedBlock, JobError>>, JobError> {
        let path = self.0.clone();
        let fault = move |fault| JobError::Games(FileFault { path: path.clone(), fault });
        let mut reader = ArchiveReader::open(&self.0).map_err(&fault)?;
        Ok(std::iter::from_fn(move || reader.next_block().map(|block| block.map_err(&fault))))
    }

    fn records(&self, block: &PackedBlock) -> Result<Vec<GameRecord>, JobError> {
        block.games().map_err(|error| JobError::File(self.0.clone(), error.to_string()))
    }
}
