use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args as ClapArgs;
use discern_records::{Findings, Format, GameRecord, Reading, files_of_all};

use crate::progress;

/// What to read; shared by all subcommands.
#[derive(ClapArgs)]
pub struct Input {
    /// Files of games, folders of such files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read all files as this format [default: recognised by content]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

impl Input {
    /// Reads every game of every file in order. `each` gets the game, its file
    /// and its number there; an error of `each` ends the reading.
    pub fn read(&self, each: impl FnMut(GameRecord, &Path, u64) -> Result<()>) -> Result<Findings> {
        self.with_reading(|reading| reading.run(|_| Ok(()), each))?
    }

    /// Lets `work` read the files, with a bar.
    pub fn with_reading<T>(&self, work: impl FnOnce(Reading) -> T) -> Result<T> {
        let files = self.paths()?;
        let bar = progress::bytes(Reading::bytes(&files));
        let mut progress = |bytes| bar.set_position(bytes);
        Ok(work(Reading { files: &files, format: self.from, progress: &mut progress }))
    }

    /// The files in the order in which they are read.
    pub fn paths(&self) -> Result<Vec<PathBuf>> {
        Ok(files_of_all(&self.files)?)
    }
}

/// Reports what was not as it should be.
pub fn report(findings: &Findings) {
    findings.sentences().iter().for_each(|sentence| eprintln!("{sentence}"));
}

/// An error if there are faults; `hint` says what the user can do.
pub fn refuse_faults(findings: &Findings, hint: &str) -> Result<()> {
    ensure!(findings.faults.is_empty(), "{}{hint}", findings.counted_faults());
    Ok(())
}

/// The same before something is written from all good games.
pub fn refuse_unless_skipped(findings: &Findings, skip_faulty: bool) -> Result<()> {
    if findings.unreadable > 0 {
        refuse_faults(findings, "; nothing was written")?;
    }
    match skip_faulty {
        true => Ok(()),
        false => refuse_faults(findings, "; nothing was written (--skip-faulty leaves them out)"),
    }
}
