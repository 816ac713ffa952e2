use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Difference, Doing, ExperimentError};
use crate::machine;
use crate::moment::now;
use crate::{NUMBERS, Pace, Reproduction, Study, hash};

type Result<T> = std::result::Result<T, ExperimentError>;

/// Everything the results depend on: another one is another reproduction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Program and version.
    pub program: String,
    /// BLAKE3 of the program itself: another build may search, fit or only
    /// compute faster or slower, and the clocks are in seconds.
    #[serde(default)]
    pub build: String,
    /// The study, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<Study>,
    /// What else is asked of it: its rivals and their nodes a move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
    /// How long the games take.
    pub pace: Pace,
    /// Openings, each played twice.
    pub openings: usize,
    /// Seed of every random choice.
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
    /// The load of the machine, added up, and how often it was asked for.
    #[serde(default)]
    load: (f64, u32),
    #[serde(skip)]
    since: Option<Instant>,
}

const SETTINGS: &str = "settings.json";
const TIME: &str = "time.json";
const LOCK: &str = "lock";
/// Holds the hash of the numbers once they are written.
const DONE: &str = "done.json";

/// No file of an experiment is larger.
const MOST: u64 = 1 << 30;

/// How often the time spent is written down.
const SAVE_EVERY: Duration = Duration::from_secs(5);

impl Folder {
    /// Opens the folder of an experiment, or begins one. With `force` it is
    /// emptied, whatever it holds.
    ///
    /// # Errors
    /// If it belongs to another experiment, or cannot be read and written.
    pub fn open(results: &Path, settings: &Settings, force: bool) -> Result<Folder> {
        let work = results.join("work");
        let at = || format!("{}: cannot be written", work.display());
        std::fs::create_dir_all(&work).doing(at)?;
        let lock = File::create(work.join(LOCK)).doing(at)?;
        if discern_files::lock(&lock).is_err() {
            return Err(ExperimentError::Locked(work));
        }
        let mut folder = Folder {
            results: results.to_owned(),
            clock: SpentTime { started: now(), seconds: 0.0, load: (0.0, 0), since: None },
            _lock: lock,
        };
        if force {
            folder.clear()?;
        }
        let results = results.to_owned();
        match folder.load::<Settings>(SETTINGS)? {
            Some(found) if found == *settings => {}
            Some(found) => {
                let difference = difference(&found, settings);
                return Err(ExperimentError::OtherRun { folder: results, difference });
            }
            None if force || !results.join(NUMBERS).exists() => folder.save(SETTINGS, settings)?,
            None => return Err(ExperimentError::UnknownResults(results)),
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
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.results.join("work").join(name)
    }

    /// What a finished step has left; `None` if it is not finished.
    pub(crate) fn load<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        let path = self.work(name);
        let text = match discern_files::read(&path, MOST) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).to_file(&path),
        };
        let value = serde_json::from_slice(&text)
            .map_err(|source| ExperimentError::Damaged { path, source })?;
        Ok(Some(value))
    }

    /// A file of the work with this hash; `None` if there is none.
    pub(crate) fn kept(&self, name: &str, hashed: &str) -> Option<Vec<u8>> {
        discern_files::read(self.work(name), MOST).ok().filter(|bytes| hash(bytes) == hashed)
    }

    /// Writes down what a step has found.
    pub(crate) fn save<T: Serialize>(&self, name: &str, value: &T) -> Result<()> {
        let path = self.work(name);
        let text = serde_json::to_vec(value).to_file(&path)?;
        discern_files::write(&path, &text, true).to_file(&path)
    }

    /// The results of an experiment that came to its end, whole and untouched
    /// since; otherwise the work has to give them again.
    ///
    /// # Errors
    /// If the work cannot be read.
    pub fn finished(&self) -> Result<Option<Reproduction>> {
        let done: Option<String> = self.load(DONE)?;
        let bytes = discern_files::read(self.result(NUMBERS), MOST).unwrap_or_default();
        match done {
            Some(written) if written == hash(&bytes) => Ok(Reproduction::from_json(&bytes).ok()),
            _ => Ok(None),
        }
    }

    /// Writes the results down: the end of the experiment.
    pub(crate) fn finish(&self, found: &Reproduction) -> Result<()> {
        let (path, json) = (self.result(NUMBERS), found.to_json());
        discern_files::write(&path, json.as_bytes(), true).to_file(&path)?;
        self.save(DONE, &hash(json.as_bytes()))
    }

    /// When the first part of the run began.
    pub(crate) fn started(&self) -> &str {
        &self.clock.started
    }

    /// Time spent in all parts of the run.
    pub(crate) fn seconds(&self) -> f64 {
        let here = self.clock.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        self.clock.seconds + here
    }

    /// Writes the time spent down, if that was not done of late.
    pub(crate) fn tick(&mut self) -> Result<()> {
        match self.clock.since {
            Some(since) if since.elapsed() < SAVE_EVERY => Ok(()),
            _ => self.save_time(),
        }
    }

    /// Writes the time spent down.
    pub(crate) fn save_time(&mut self) -> Result<()> {
        self.clock.seconds = self.seconds();
        self.clock.since = Some(Instant::now());
        if let Some(load) = machine::load() {
            self.clock.load = (self.clock.load.0 + load, self.clock.load.1 + 1);
        }
        self.save(TIME, &self.clock)
    }

    /// Processes that wanted a processor while it ran, on average; ours
    /// included. `None` where the system does not say.
    pub(crate) fn load_of_machine(&self) -> Option<f64> {
        let (sum, asked) = self.clock.load;
        (asked > 0).then(|| sum / f64::from(asked))
    }

    /// Removes everything of the former run but its results, which the new
    /// ones replace.
    fn clear(&self) -> Result<()> {
        let work = self.results.join("work");
        let at = || format!("{}: cannot be emptied", work.display());
        for entry in std::fs::read_dir(&work).doing(at)? {
            let path = entry.doing(at)?.path();
            let name = path.file_name().unwrap_or_default();
            let ours = ["json", "games", "weights", "txt"].map(Some);
            if path.is_dir() && path.extension().is_some_and(|end| end == "plan") {
                std::fs::remove_dir_all(&path).doing(at)?;
            } else if name != LOCK && ours.contains(&path.extension().and_then(|end| end.to_str()))
            {
                std::fs::remove_file(&path).doing(at)?;
            }
        }
        Ok(())
    }
}

/// What makes two experiments different.
fn difference(found: &Settings, wanted: &Settings) -> Difference {
    if (found.study, &found.details) != (wanted.study, &wanted.details) {
        Difference::Study
    } else if found.games != wanted.games {
        Difference::Games
    } else if found.pace != wanted.pace {
        Difference::Times
    } else if (found.openings, &found.openings_file) != (wanted.openings, &wanted.openings_file) {
        Difference::Openings
    } else if found.seed != wanted.seed {
        Difference::Seed
    } else if found.program != wanted.program {
        Difference::Version
    } else {
        Difference::Build
    }
}
