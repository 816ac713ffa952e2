use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use discern_records::{Format, GameFile, GameRecord, NewGameFile};

use crate::build::Build;
use crate::error::JobError;
use crate::fingerprint::{Fingerprint, fingerprint_of_file};
use crate::job::Job;
use crate::plan::Plan;
use crate::seal::Seal;
use crate::shard::{Cut, ShardChoice};

/// No plan and no seal is larger.
pub(crate) const MOST_TEXT: u64 = 16 << 20;

/// The shards of a run, whatever kind of work it is: all that a program needs
/// which has them made elsewhere.
#[derive(Debug, Clone)]
pub struct ShardFolder {
    path: PathBuf,
    /// The plan's canonical text and its name.
    text: String,
    name: Fingerprint,
    format: String,
    build: Build,
    cut: Cut,
    units_each: u64,
    units_are_games: bool,
    threads: usize,
    repeatable: bool,
}

/// What a folder has of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardState {
    /// Nothing, or games without a seal.
    Missing,
    /// All of it.
    Whole(Seal),
    /// Something that is not what was written, with the reason.
    Damaged(String),
}

impl ShardFolder {
    pub(crate) fn new<J: Job>(path: PathBuf, plan: &Plan<J>) -> ShardFolder {
        ShardFolder {
            path,
            text: plan.text(),
            name: plan.name(),
            format: plan.format.clone(),
            build: plan.build.clone(),
            cut: plan.work.cut(),
            units_each: plan.work.units_each(),
            units_are_games: J::UNITS_ARE_GAMES,
            threads: plan.work.threads(),
            repeatable: plan.work.is_repeatable(),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan's canonical text.
    pub fn plan_text(&self) -> &str {
        &self.text
    }

    /// Names the plan.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Format and version of the plan, which say what kind of work it is.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// The build that began.
    pub fn build(&self) -> &Build {
        &self.build
    }

    /// How many shards there are.
    pub fn shards(&self) -> u32 {
        self.cut.shards
    }

    /// How much a shard has to do.
    pub fn units(&self, shard: u32) -> u64 {
        self.cut.range(shard).len() as u64 * self.units_each
    }

    /// How many processors a shard keeps busy.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Does a shard come out the same every time?
    pub fn is_repeatable(&self) -> bool {
        self.repeatable
    }

    /// Keeps other processes from working on the whole plan here at the same
    /// time, as long as the result lives. Single shards need no lock: writing
    /// one twice is harmless.
    pub fn lock(&self) -> Result<File, JobError> {
        let path = self.path.join(PLAN);
        let failed = |error| JobError::Io(path.clone(), error);
        let file = File::open(&path).map_err(failed)?;
        match discern_files::lock(&file) {
            Ok(()) => Ok(file),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                Err(JobError::File(path, "another process is working on this plan".into()))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Where a shard's games are.
    pub fn games_path(&self, shard: u32) -> PathBuf {
        self.path.join(format!("shard-{shard:05}.games"))
    }

    pub(crate) fn seal_path(&self, shard: u32) -> PathBuf {
        self.path.join(format!("shard-{shard:05}.seal.json"))
    }

    /// What there is of a shard: reads and checks all of it.
    pub fn state(&self, shard: u32) -> Result<ShardState, JobError> {
        let path = self.seal_path(shard);
        let text = match discern_files::read_text(&path, MOST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(ShardState::Missing);
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => String::new(),
            other => other.map_err(|error| JobError::Io(path.clone(), error))?,
        };
        let damaged = |path: &Path, what: String| {
            Ok(ShardState::Damaged(format!("{}: {what}", path.display())))
        };
        let seal: Seal = match serde_json::from_str(&text) {
            Ok(seal) => seal,
            Err(error) => return damaged(&path, format!("not a seal: {error}")),
        };
        if let Err(what) = self.check_seal(shard, &seal) {
            return damaged(&path, what);
        }
        let games = self.games_path(shard);
        match fingerprint_of_file(&games) {
            Ok(found) if found == seal.blake3 => Ok(ShardState::Whole(seal)),
            Ok(_) => damaged(&games, what_is_wrong(&games)),
            Err(error) => damaged(&games, error.to_string()),
        }
    }

    /// Is this the seal of a shard of this plan?
    pub(crate) fn check_seal(&self, shard: u32, seal: &Seal) -> Result<(), String> {
        let expected = (Seal::FORMAT, shard, self.shards());
        let found = (&seal.format[..], seal.shard, seal.shards);
        if seal.plan != self.name {
            return Err(format!("the seal of another plan ({})", seal.plan));
        }
        let games_differ = self.units_are_games && self.units(shard) != seal.games;
        if found != expected || games_differ {
            return Err("the seal of something else".into());
        }
        Ok(())
    }

    /// The plan and the files it refers to: all that another machine needs.
    pub fn inputs(&self) -> Result<Vec<PathBuf>, JobError> {
        let failed = |error| JobError::Io(self.path.clone(), error);
        let mut inputs = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if name.is_some_and(|name| name == PLAN || is_by_content(name)) {
                inputs.push(path);
            }
        }
        inputs.sort();
        Ok(inputs)
    }

    /// The shards that are not whole, each with the damage if there is any.
    pub fn missing(&self) -> Result<Vec<(u32, Option<String>)>, JobError> {
        let mut missing = Vec::new();
        for shard in 0..self.shards() {
            match self.state(shard)? {
                ShardState::Whole(_) => {}
                ShardState::Missing => missing.push((shard, None)),
                ShardState::Damaged(what) => missing.push((shard, Some(what))),
            }
        }
        Ok(missing)
    }

    /// The shards that are not whole, to be made again: damaged ones are put out
    /// of the way under a name that says so, and `say` hears of each. With a
    /// choice that one alone, even if it is whole.
    ///
    /// # Errors
    /// If the plan has no such shard, or the folder cannot be used.
    pub fn take_missing(
        &self,
        choice: Option<ShardChoice>,
        say: &mut dyn FnMut(&str),
    ) -> Result<Vec<u32>, JobError> {
        let missing = match choice.map(|choice| choice.index(self.shards())).transpose()? {
            None => self.missing()?,
            Some(shard) => match self.state(shard)? {
                ShardState::Damaged(what) => vec![(shard, Some(what))],
                _ => vec![(shard, None)],
            },
        };
        for (shard, damage) in &missing {
            if let Some(what) = damage {
                say(&format!("{what}; set aside as .damaged, the shard is made again"));
                self.set_aside(*shard)?;
            }
        }
        Ok(missing.into_iter().map(|(shard, _)| shard).collect())
    }

    /// Puts damaged files out of the way, under a name that says so.
    pub fn set_aside(&self, shard: u32) -> Result<(), JobError> {
        for path in [self.seal_path(shard), self.games_path(shard)] {
            if path.exists() {
                let aside = path.with_added_extension("damaged");
                fs::rename(&path, aside).map_err(|error| JobError::Io(path, error))?;
            }
        }
        Ok(())
    }

    /// Writes a shard, first the games, then the seal. A worker that was
    /// thought dead may write a shard a second time: that must give the same,
    /// or if the plan is not repeatable, the first one stays.
    pub fn write(&self, shard: u32, records: &[GameRecord]) -> Result<Seal, JobError> {
        // One after the other, where the file system has locks: the same shard
        // may be on its way from several processes.
        let _turn = File::open(&self.path).and_then(|folder| folder.lock().map(|()| folder));
        let path = self.games_path(shard);
        if let ShardState::Whole(first) = self.state(shard)? {
            if !self.is_repeatable() {
                return Ok(first);
            }
            let aside = path.with_extension("again");
            let again = self.write_games(&aside, shard, records)?;
            let _ = fs::remove_file(&aside);
            if again.blake3 != first.blake3 {
                let what = format!("shard {shard} came out differently the second time");
                return Err(JobError::File(path, what));
            }
            return Ok(first);
        }
        let seal = self.write_games(&path, shard, records)?;
        let mut text = serde_json::to_string_pretty(&seal).expect("plain data");
        text.push('\n');
        write_whole(&self.seal_path(shard), text.as_bytes())?;
        Ok(seal)
    }

    /// Writes the games of a shard and says what its seal must be.
    fn write_games(
        &self,
        path: &Path,
        shard: u32,
        records: &[GameRecord],
    ) -> Result<Seal, JobError> {
        let failed = |error| JobError::writing(path, error);
        let mut file = NewGameFile::create(path, Format::Archive, true).map_err(failed)?;
        file.add_plan(&self.text).map_err(failed)?;
        for record in records {
            file.append(record).map_err(failed)?;
        }
        file.finish().map_err(failed)?;
        let io = |error| JobError::Io(path.to_owned(), error);
        Ok(Seal {
            format: Seal::FORMAT.into(),
            plan: self.name.clone(),
            build: Build::current().clone(),
            shard,
            shards: self.shards(),
            games: records.len() as u64,
            bytes: fs::metadata(path).map_err(io)?.len(),
            blake3: fingerprint_of_file(path).map_err(io)?,
        })
    }

    /// All seals in the folder, whatever their names: what merging looks at.
    pub(crate) fn seals(&self) -> Result<Vec<(PathBuf, Seal)>, JobError> {
        let failed = |error| JobError::Io(self.path.clone(), error);
        let mut seals = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.to_string_lossy().ends_with(".seal.json")
                && let Ok(text) = discern_files::read_text(&path, MOST_TEXT)
                && let Ok(seal) = serde_json::from_str(&text)
            {
                seals.push((path, seal));
            }
        }
        seals.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(seals)
    }

    /// Removes the run: what it put into its folder, and the folder unless
    /// there is something else in it.
    pub fn remove(&self) -> Result<(), JobError> {
        self.sweep()?;
        let failed = |error| JobError::Io(self.path.clone(), error);
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.file_name().and_then(|name| name.to_str()).is_some_and(is_ours) {
                fs::remove_file(&path).map_err(|error| JobError::Io(path, error))?;
            }
        }
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Removes what killed processes left half-written.
    pub(crate) fn sweep(&self) -> Result<(), JobError> {
        discern_files::sweep(&self.path).map_err(|error| JobError::Io(self.path.clone(), error))
    }
}

pub(crate) const PLAN: &str = "plan.json";

/// Does a run give files such names? The plan, shards with their seals, and
/// what is named by its content.
fn is_ours(name: &str) -> bool {
    name == PLAN || name.starts_with("shard-") || is_by_content(name)
}

/// Weights, books and the games to work on are named by their content.
fn is_by_content(name: &str) -> bool {
    let stem = [".weights", ".book", ".games"].iter().find_map(|end| name.strip_suffix(end));
    stem.is_some_and(|stem| stem.len() == 32 && stem.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Writes a file that appears whole or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    discern_files::write(path, bytes, true).map_err(|error| JobError::Io(path.to_owned(), error))
}

/// Names the place of the damage, if the archive's own checksums find it.
fn what_is_wrong(path: &Path) -> String {
    let fault = match GameFile::open(path, Some(Format::Archive)) {
        Ok(mut file) => file.find_map(Result::err).map(|fault| fault.fault.to_string()),
        Err(fault) => Some(fault.fault.to_string()),
    };
    fault.unwrap_or_else(|| "not the games that were sealed".into())
}
