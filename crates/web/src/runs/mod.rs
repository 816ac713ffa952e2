//! The experiments a studio shows: the built-in reproduction, and what lies
//! in the folders the user named.

mod reproduction;
mod tournament;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

pub use reproduction::ReproductionRun;
pub use tournament::TournamentTable;

/// Runs that are listed at most.
const MOST: usize = 200;

/// A file that has changed within this time is still being written.
const FRESH: Duration = Duration::from_secs(60);

/// Where runs are looked for.
#[derive(Debug)]
pub struct Runs {
    folders: Vec<PathBuf>,
}

/// The runs found and the files that could not be read.
#[derive(Debug, Default, Serialize)]
pub struct Listing {
    runs: Vec<Run>,
    faults: Vec<Fault>,
}

/// A file or folder that could not be read, and why.
#[derive(Debug, Serialize)]
struct Fault {
    file: String,
    sentence: String,
}

impl Fault {
    fn new(path: &Path, why: impl Display) -> Fault {
        Fault { file: path.display().to_string(), sentence: why.to_string() }
    }
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    id: String,
    title: String,
    kind: Kind,
    running: bool,
    updated: Option<u64>,
    #[serde(skip)]
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Reproduction,
    Tournament,
}

#[derive(Debug, Clone)]
enum Place {
    BuiltIn,
    File(PathBuf),
}

/// A run as the page shows it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// The paper's experiment.
    Reproduction(ReproductionRun),
    /// A table of players.
    Tournament(TournamentTable),
}

impl Runs {
    /// Those of these folders.
    pub fn new(folders: Vec<PathBuf>) -> Runs {
        Runs { folders }
    }

    /// All runs there are now, the built-in one first, then the latest.
    pub fn list(&self) -> Listing {
        let mut listing = Listing::default();
        // By path: a folder given twice is shown once.
        let mut found = BTreeMap::new();
        for folder in &self.folders {
            if let Err(error) = search(folder, 1, &mut found, &mut listing.faults) {
                listing.faults.push(Fault::new(folder, error));
            }
        }
        listing.runs = found.into_values().collect();
        listing.runs.sort_by_key(|run| std::cmp::Reverse(run.updated));
        listing.runs.truncate(MOST);
        listing.runs.splice(0..0, built_in());
        listing
    }

    /// The run with this name, if it is in the list.
    pub fn find(&self, id: &str) -> Option<Run> {
        self.list().runs.into_iter().find(|run| run.id == id)
    }
}

impl Run {
    /// Is it a tournament, which grows?
    pub fn grows(&self) -> bool {
        self.kind == Kind::Tournament
    }

    /// How large its file is: a change means there is something new to show.
    pub fn size(&self) -> Option<u64> {
        match &self.place {
            Place::BuiltIn => None,
            Place::File(path) => Some(fs::metadata(path).ok()?.len()),
        }
    }

    /// Its content, or what is wrong with it.
    pub fn show(&self) -> Result<Shown, String> {
        let named = |error: String| format!("{}: {error}", self.title);
        let title = self.title.clone();
        match (&self.place, self.kind) {
            (Place::BuiltIn, _) => ReproductionRun::built_in(title).map(Shown::Reproduction),
            (Place::File(path), Kind::Reproduction) => {
                ReproductionRun::load(path, title).map(Shown::Reproduction).map_err(named)
            }
            (Place::File(path), Kind::Tournament) => {
                let running = is_fresh(updated(path));
                TournamentTable::load(path, title, running).map(Shown::Tournament).map_err(named)
            }
        }
    }
}

fn built_in() -> Option<Run> {
    ReproductionRun::is_built_in().then(|| Run {
        id: "reproduction".into(),
        title: "The reproduction that comes with Discern".into(),
        kind: Kind::Reproduction,
        running: false,
        updated: None,
        place: Place::BuiltIn,
    })
}

/// Looks for runs in a folder and, `depth` levels deep, in its folders.
fn search(
    folder: &Path,
    depth: usize,
    found: &mut BTreeMap<PathBuf, Run>,
    faults: &mut Vec<Fault>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if depth > 0 {
                // A folder that cannot be read is not ours to complain about.
                let _ = search(&path, depth - 1, found, faults);
            }
            continue;
        }
        let kind = match path.file_name().and_then(|name| name.to_str()) {
            Some("numbers.json") => Kind::Reproduction,
            Some(name) if name.ends_with(".games") => match TournamentTable::is_one(&path) {
                Ok(true) => Kind::Tournament,
                Ok(false) => continue,
                Err(fault) => {
                    faults.push(Fault::new(&path, fault));
                    continue;
                }
            },
            _ => continue,
        };
        if found.len() < MOST {
            found.insert(path.clone(), run(path, kind));
        }
    }
    Ok(())
}

fn run(path: PathBuf, kind: Kind) -> Run {
    let updated = updated(&path);
    let parent = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Run {
        id: blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned(),
        title: match kind {
            Kind::Reproduction => parent.into_owned(),
            Kind::Tournament => stem.into_owned(),
        },
        kind,
        running: kind == Kind::Tournament && is_fresh(updated),
        updated: updated
            .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok())
            .map(|time| time.as_secs()),
        place: Place::File(path),
    }
}

fn updated(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

fn is_fresh(time: Option<SystemTime>) -> bool {
    time.is_some_and(|time| time.elapsed().unwrap_or_default() < FRESH)
}
