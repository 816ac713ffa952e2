use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use discern_records::{Format, GameFile, GameRecord, NewFile, NewGameFile};
use serde::{Deserialize, Serialize};

use crate::error::JobError;
use crate::fingerprint::{Fingerprint, fingerprint, fingerprint_of_file};
use crate::job::{Job, PROGRAM};
use crate::seal::Seal;

/// Unfinished files older than this belong to nobody: writing a shard takes
/// milliseconds.
const ABANDONED: Duration = Duration::from_secs(600);

/// A plan as it stands in its folder; its fingerprint names the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanFile<J> {
    pub format: String,
    pub program: String,
    pub plan: J,
}

impl<J: Job> PlanFile<J> {
    pub fn new(plan: &J) -> PlanFile<J> {
        PlanFile { format: J::FORMAT.into(), program: PROGRAM.into(), plan: plan.clone() }
    }
}

/// The folder of one run: the plan, the files it refers to, and for every
/// finished shard an archive of games with its [`Seal`].
#[derive(Debug)]
pub struct RunFolder<J> {
    path: PathBuf,
    plan: PlanFile<J>,
    fingerprint: Fingerprint,
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

impl<J: Job> RunFolder<J> {
    /// Begins a run, or opens the run of the same plan.
    pub fn create(path: impl AsRef<Path>, plan: &J) -> Result<RunFolder<J>, JobError> {
        plan.check()?;
        let path = path.as_ref();
        fs::create_dir_all(path).map_err(|error| JobError::Io(path.to_owned(), error))?;
        let file = path.join(PLAN);
        if !file.exists() {
            let mut text = serde_json::to_string_pretty(&PlanFile::new(plan)).expect("plain data");
            text.push('\n');
            write_whole(&file, text.as_bytes())?;
        }
        let folder = RunFolder::open(path)?;
        if folder.fingerprint != fingerprint(&PlanFile::new(plan)) {
            return Err(JobError::File(file, "the folder belongs to another plan".into()));
        }
        Ok(folder)
    }

    /// Opens the folder of a run.
    pub fn open(path: impl AsRef<Path>) -> Result<RunFolder<J>, JobError> {
        let path = path.as_ref().to_owned();
        let file = path.join(PLAN);
        let text = fs::read_to_string(&file).map_err(|error| JobError::Io(file.clone(), error))?;
        let wrong = |what: String| JobError::File(file.clone(), what);
        let head: Head = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if head.format != J::FORMAT {
            return Err(wrong(format!("a '{}', not a '{}'", head.format, J::FORMAT)));
        }
        if head.program != PROGRAM {
            let program = head.program;
            return Err(wrong(format!(
                "a plan for {program}; this is {PROGRAM}, whose games would differ"
            )));
        }
        let plan: PlanFile<J> =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        plan.plan.check().map_err(|error| wrong(error.to_string()))?;
        let fingerprint = fingerprint(&plan);
        Ok(RunFolder { path, plan, fingerprint })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan.
    pub fn plan(&self) -> &J {
        &self.plan.plan
    }

    /// The plan with format and program, as manifests tell it.
    pub(crate) fn plan_file(&self) -> &PlanFile<J> {
        &self.plan
    }

    /// Names the run.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Keeps other processes from working on the whole plan here at the same
    /// time, as long as the result lives. Single shards need no lock: writing
    /// one twice is harmless.
    pub fn lock(&self) -> Result<File, JobError> {
        let path = self.path.join(PLAN);
        let failed = |error| JobError::Io(path.clone(), error);
        let file = File::open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                Err(JobError::File(path, "another process is working on this plan".into()))
            }
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Where a shard's games are.
    pub fn games_path(&self, shard: u32) -> PathBuf {
        self.path.join(format!("shard-{shard:05}.games"))
    }

    fn seal_path(&self, shard: u32) -> PathBuf {
        self.path.join(format!("shard-{shard:05}.seal.json"))
    }

    /// What there is of a shard: reads and checks all of it.
    pub fn state(&self, shard: u32) -> Result<ShardState, JobError> {
        let path = self.seal_path(shard);
        let text = match fs::read_to_string(&path) {
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
        let expected = (Seal::FORMAT, PROGRAM, shard, self.plan().shards());
        let found = (&seal.format[..], &seal.program[..], seal.shard, seal.shards);
        if seal.plan != self.fingerprint {
            return damaged(&path, format!("the seal of another plan ({})", seal.plan));
        }
        if found != expected || self.plan().games(shard).is_some_and(|games| games != seal.games) {
            return damaged(&path, "the seal of something else".into());
        }
        let games = self.games_path(shard);
        match fingerprint_of_file(&games) {
            Ok(found) if found == seal.blake3 => Ok(ShardState::Whole(seal)),
            Ok(_) => damaged(&games, what_is_wrong(&games)),
            Err(error) => damaged(&games, error.to_string()),
        }
    }

    /// The shards that are not whole, each with the damage if there is any.
    pub fn missing(&self) -> Result<Vec<(u32, Option<String>)>, JobError> {
        let mut missing = Vec::new();
        for shard in 0..self.plan().shards() {
            match self.state(shard)? {
                ShardState::Whole(_) => {}
                ShardState::Missing => missing.push((shard, None)),
                ShardState::Damaged(what) => missing.push((shard, Some(what))),
            }
        }
        Ok(missing)
    }

    /// Puts damaged files out of the way, under a name that says so.
    pub fn set_aside(&self, shard: u32) -> Result<(), JobError> {
        for path in [self.seal_path(shard), self.games_path(shard)] {
            if path.exists() {
                let mut name = path.clone().into_os_string();
                name.push(".damaged");
                fs::rename(&path, name).map_err(|error| JobError::Io(path, error))?;
            }
        }
        Ok(())
    }

    /// Writes a shard, first the games, then the seal. A worker that was
    /// thought dead may write a shard a second time: that must give the same.
    pub fn write(&self, shard: u32, records: &[GameRecord]) -> Result<Seal, JobError> {
        let path = self.games_path(shard);
        if let ShardState::Whole(first) = self.state(shard)? {
            let aside = path.with_extension("again");
            let again = self.write_games(&aside, shard, records)?;
            let _ = fs::remove_file(&aside);
            if again != first {
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
        for record in records {
            file.append(record).map_err(failed)?;
        }
        file.finish().map_err(failed)?;
        let io = |error| JobError::Io(path.to_owned(), error);
        Ok(Seal {
            format: Seal::FORMAT.into(),
            plan: self.fingerprint.clone(),
            program: PROGRAM.into(),
            shard,
            shards: self.plan().shards(),
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
                && let Ok(text) = fs::read_to_string(&path)
                && let Ok(seal) = serde_json::from_str(&text)
            {
                seals.push((path, seal));
            }
        }
        seals.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(seals)
    }

    /// Removes what killed processes left half-written.
    pub(crate) fn sweep(&self) -> Result<(), JobError> {
        let failed = |error| JobError::Io(self.path.clone(), error);
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let old = fs::metadata(&path)
                .and_then(|data| data.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED));
            if old && path.extension().is_some_and(|end| end == "part") {
                // Somebody else may have swept it; a leftover does no harm.
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

const PLAN: &str = "plan.json";

/// The part of a plan that every version has.
#[derive(Deserialize)]
struct Head {
    format: String,
    program: String,
}

/// Writes a file that appears whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    let write = || {
        let file = NewFile::create(path, true)?;
        file.file()?.write_all(bytes)?;
        file.finish()
    };
    write().map_err(|error| JobError::writing(path, error))
}

/// Names the place of the damage, if the archive's own checksums find it.
fn what_is_wrong(path: &Path) -> String {
    let fault = match GameFile::open(path, Some(Format::Archive)) {
        Ok(mut file) => file.find_map(Result::err).map(|fault| fault.fault.to_string()),
        Err(fault) => Some(fault.fault.to_string()),
    };
    fault.unwrap_or_else(|| "not the games that were sealed".into())
}
