use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::moment::now;
use super::pace::Pace;
use crate::commands::whole_file::WholeFile;

/// Everything the results depend on: another one is another reproduction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub program: String,
    /// BLAKE3 of the program itself: another build may search, fit or only
    /// compute faster or slower, and the clocks are in seconds.
    #[serde(default)]
    pub build: String,
    pub pace: Pace,
    pub openings: usize,
    pub seed: u64,
    /// BLAKE3 of the games.
    pub games: String,
    /// BLAKE3 of the openings.
    pub openings_file: String,
}

/// The results and, in `work`, what they are made from: finished steps, games
/// and the time spent. It outlives `kill -9` at any moment.
pub struct Folder {
    results: PathBuf,
    clock: SpentTime,
    /// Held as long as the folder is worked in.
    _lock: File,
}

/// When a run began, and what its parts have taken so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SpentTime {
    started: String,
    seconds: f64,
    #[serde(skip)]
    since: Option<Instant>,
}

const SETTINGS: &str = "settings.json";
const TIME: &str = "time.json";
const LOCK: &str = "lock";

/// How often the time spent is written down.
const SAVE_EVERY: Duration = Duration::from_secs(5);

impl Folder {
    /// Opens the folder of a reproduction, or begins one. Refuses a folder of
    /// another reproduction; with `force` it is emptied, whatever it holds.
    pub fn open(results: &Path, settings: &Settings, force: bool) -> Result<Folder> {
        let work = results.join("work");
        let at = || format!("{}: cannot be written", work.display());
        std::fs::create_dir_all(&work).with_context(at)?;
        let lock = File::create(work.join(LOCK)).with_context(at)?;
        if lock.try_lock().is_err() {
            bail!("{}: another reproduction is at work in it", work.display());
        }
        let mut folder = Folder {
            results: results.to_owned(),
            clock: SpentTime { started: now(), seconds: 0.0, since: None },
            _lock: lock,
        };
        if force {
            folder.clear()?;
        }
        match folder.load::<Settings>(SETTINGS) {
            Ok(Some(found)) if found == *settings => {}
            Ok(None) if force || !results.join("numbers.json").exists() => {
                folder.save(SETTINGS, settings)?;
            }
            Ok(found) => {
                let what = found.map_or("results of unknown origin".to_owned(), |found| {
                    format!("a reproduction with other {}", difference(&found, settings))
                });
                bail!(
                    "{} holds {what}; name another --output, or --force starts over",
                    results.display()
                );
            }
            Err(error) => bail!("{error:#}; --force starts over"),
        }
        if let Ok(Some(clock)) = folder.load(TIME) {
            folder.clock = clock;
        }
        folder.clock.since = Some(Instant::now());
        folder.save_time()?;
        Ok(folder)
    }

    /// A file among the results.
    pub fn result(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }

    /// A file of the work.
    pub fn work(&self, name: &str) -> PathBuf {
        self.results.join("work").join(name)
    }

    /// What a finished step has left; `None` if it is not finished.
    pub fn load<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let path = self.work(name);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let value = serde_json::from_slice(&text)
            .with_context(|| format!("{}: is not what was written", path.display()))?;
        Ok(Some(value))
    }

    /// Writes down what a step has found.
    pub fn save<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        write_whole(&self.work(name), &serde_json::to_vec(value)?)
    }

    /// When the first part of the run began.
    pub fn started(&self) -> &str {
        &self.clock.started
    }

    /// Time spent in all parts of the run.
    pub fn seconds(&self) -> f64 {
        let here = self.clock.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        self.clock.seconds + here
    }

    /// Writes the time spent down, if that was not done of late.
    pub fn tick(&mut self) -> Result<()> {
        match self.clock.since {
            Some(since) if since.elapsed() < SAVE_EVERY => Ok(()),
            _ => self.save_time(),
        }
    }

    /// Writes the time spent down.
    pub fn save_time(&mut self) -> Result<()> {
        self.clock.seconds = self.seconds();
        self.clock.since = Some(Instant::now());
        self.save(TIME, &self.clock)
    }

    /// Removes everything of the former run but its results, which the new
    /// ones replace.
    fn clear(&self) -> Result<()> {
        let work = self.results.join("work");
        let at = || format!("{}: cannot be emptied", work.display());
        for entry in std::fs::read_dir(&work).with_context(at)? {
            let path = entry.with_context(at)?.path();
            let name = path.file_name().unwrap_or_default();
            let ours = ["json", "games", "weights", "txt"].map(Some);
            if name != LOCK && ours.contains(&path.extension().and_then(|end| end.to_str())) {
                std::fs::remove_file(&path).with_context(at)?;
            }
        }
        Ok(())
    }
}

/// Writes a file that appears whole or not at all, in place of any other.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = WholeFile::create(path, true)?;
    file.write_all(bytes).with_context(|| path.display().to_string())?;
    file.finish()
}

/// What makes two reproductions different, in a word.
fn difference(found: &Settings, wanted: &Settings) -> &'static str {
    if found.games != wanted.games {
        "games"
    } else if found.pace != wanted.pace {
        "times"
    } else if (found.openings, &found.openings_file) != (wanted.openings, &wanted.openings_file) {
        "openings"
    } else if found.seed != wanted.seed {
        "random numbers (--seed)"
    } else if found.program != wanted.program {
        "versions of the program"
    } else {
        "builds of the program"
    }
}
