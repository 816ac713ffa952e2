use std::cell::RefCell;
use std::path::{Path, PathBuf};

use discern_files::printable;
use serde::Serialize;

use crate::archive::Tail;
use crate::ending::Ending;
use crate::fault::{Fault, FileFault, Place, Reason};
use crate::format::Format;
use crate::game_output::GameOutput;
use crate::output::WriteError;
use crate::read::GameFile;
use crate::record::GameRecord;

/// What reading files found besides good games.
#[derive(Debug, Default)]
pub struct Findings {
    /// Good games.
    pub games: u64,
    /// What is wrong, with its place.
    pub faults: Vec<FileFault>,
    /// Files that cannot be read at all, and disks that fail.
    pub unreadable: usize,
    /// Numbers of the unfinished games by file.
    pub unfinished: Vec<(PathBuf, Vec<u64>)>,
    /// Unfinished blocks at the end of archives.
    pub tails: Vec<(PathBuf, Tail)>,
}

/// What is done with the games of files.
pub struct Reading<'a> {
    /// The files in their order; `-` is standard input.
    pub files: &'a [PathBuf],
    /// The format of all of them; told by content if left out.
    pub format: Option<Format>,
    /// Hears now and then how many bytes were read.
    pub progress: &'a mut dyn FnMut(u64),
}

impl Reading<'_> {
    /// The size of the files together.
    pub fn bytes(files: &[PathBuf]) -> u64 {
        files.iter().map(|path| size(path)).sum()
    }

    /// Reads every game of every file in order. `each` gets the game, its file
    /// and its number there; `plan` the plans of archives, each before its
    /// games.
    ///
    /// # Errors
    /// That of `plan` or `each`, which ends the reading.
    pub fn run<E>(
        self,
        mut plan: impl FnMut(&str) -> Result<(), E>,
        mut each: impl FnMut(GameRecord, &Path, u64) -> Result<(), E>,
    ) -> Result<Findings, E> {
        let mut findings = Findings::default();
        let mut before = 0;
        for path in self.files {
            let mut file = match open(path, self.format) {
                Ok(file) => file,
                Err(fault) => {
                    findings.unreadable += 1;
                    findings.faults.push(fault);
                    continue;
                }
            };
            let (mut number, mut plans) = (0, 0);
            let mut unfinished = Vec::new();
            while let Some(game) = file.next() {
                number += 1;
                for text in &file.plans()[plans..] {
                    plan(text)?;
                    plans += 1;
                }
                match game {
                    Ok(record) => {
                        // Positions are no games that somebody broke off.
                        let is_game = !record.game.plies().is_empty();
                        if record.ending == Ending::Unfinished && is_game {
                            unfinished.push(number);
                        }
                        findings.games += 1;
                        each(record, path, number)?;
                    }
                    Err(fault) => {
                        number = fault.fault.place.game.unwrap_or(number);
                        findings.unreadable += usize::from(fault.fault.is_io());
                        findings.faults.push(fault);
                    }
                }
                if number % 256 == 0 {
                    (self.progress)(before + file.position());
                }
            }
            if !unfinished.is_empty() {
                findings.unfinished.push((path.clone(), unfinished));
            }
            findings.tails.extend(file.tail().map(|tail| (path.clone(), tail)));
            before += size(path);
        }
        Ok(findings)
    }
}

/// Games that were copied, and what was found on the way.
#[derive(Debug)]
pub struct Copied {
    /// Games written.
    pub written: u64,
    /// What reading found, games that cannot be written among the faults.
    pub findings: Findings,
}

impl Reading<'_> {
    /// Copies the games that `keep` wants, with their plans; the output is left
    /// to be finished.
    ///
    /// # Errors
    /// If the output fails.
    pub fn copy(
        self,
        output: &mut GameOutput,
        mut keep: impl FnMut(&GameRecord) -> bool,
    ) -> Result<Copied, WriteError> {
        let output = RefCell::new(output);
        let (mut written, mut unwritable) = (0, Vec::new());
        let plan = |text: &str| output.borrow_mut().add_plan(text);
        let mut findings = self.run(plan, |record, path, number| {
            if !keep(&record) {
                return Ok(());
            }
            match output.borrow_mut().append(record) {
                Ok(()) => written += 1,
                Err(error) if error.is_about_the_game() => {
                    let reason = match error {
                        WriteError::Record(error) => error.into(),
                        error => Reason::Io(error.into()),
                    };
                    let fault = Fault::new(Place::game(number), reason);
                    unwritable.push(FileFault { path: path.to_owned(), fault });
                }
                Err(error) => return Err(error),
            }
            Ok(())
        })?;
        findings.faults.append(&mut unwritable);
        Ok(Copied { written, findings })
    }
}

impl Copied {
    /// `12 read (3 unfinished), 12 games written`.
    pub fn sentence(&self) -> String {
        let Copied { written, findings } = self;
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let mut notes = Vec::new();
        if findings.unfinished() > 0 {
            notes.push(format!("{} unfinished", findings.unfinished()));
        }
        let faults = findings.faults.len();
        if faults > 0 {
            notes.push(format!("{faults} fault{} left out", plural(faults as u64)));
        }
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        format!("{} read{notes}, {written} game{} written", findings.games, plural(*written))
    }
}

fn open(path: &Path, format: Option<Format>) -> Result<GameFile, FileFault> {
    if path == Path::new("-") {
        return GameFile::from_reader(std::io::stdin(), path, format);
    }
    GameFile::open(path, format)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}

/// What reading found, for programs.
#[derive(Debug, Serialize)]
pub struct FindingsRow<'a> {
    faults: Vec<String>,
    games: u64,
    tails: Vec<TailRow<'a>>,
    unfinished: Vec<UnfinishedRow<'a>>,
}

#[derive(Debug, Serialize)]
struct TailRow<'a> {
    file: &'a Path,
    #[serde(flatten)]
    tail: Tail,
}

#[derive(Debug, Serialize)]
struct UnfinishedRow<'a> {
    file: &'a Path,
    games: &'a [u64],
}

impl Findings {
    /// The same for programs.
    pub fn row(&self) -> FindingsRow<'_> {
        let unfinished = self.unfinished.iter();
        FindingsRow {
            faults: self.faults.iter().map(ToString::to_string).collect(),
            games: self.games,
            tails: self.tails.iter().map(|(file, tail)| TailRow { file, tail: *tail }).collect(),
            unfinished: unfinished.map(|(file, games)| UnfinishedRow { file, games }).collect(),
        }
    }

    /// `1 fault`, `2 faults`.
    pub fn counted_faults(&self) -> String {
        let count = self.faults.len();
        format!("{count} fault{}", if count == 1 { "" } else { "s" })
    }

    /// How many games stop before their end.
    pub fn unfinished(&self) -> usize {
        self.unfinished.iter().map(|(_, numbers)| numbers.len()).sum()
    }

    /// The first so many faults, and how many there are besides.
    pub fn fault_sentences(&self, most: usize) -> Vec<String> {
        let shown = self.faults.iter().take(most);
        let more = self.faults.len().saturating_sub(most);
        let more = (more > 0).then(|| format!("… and {more} more faults"));
        shown.map(|fault| printable(&fault.to_string()).into_owned()).chain(more).collect()
    }

    /// What was not as it should be, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        /// Faults that are spelled out; the others are only counted.
        const FAULTS: usize = 20;
        /// Numbers of unfinished games that are listed per file.
        const NUMBERS: usize = 100;
        let mut lines = self.fault_sentences(FAULTS);
        lines.extend(self.tails.iter().map(|(path, tail)| format!("{}: {tail}", path.display())));
        lines.extend(self.unfinished.iter().map(|(path, numbers)| {
            let shown: Vec<String> = numbers.iter().take(NUMBERS).map(u64::to_string).collect();
            let more = match numbers.len().saturating_sub(NUMBERS) {
                0 => String::new(),
                more => format!(" and {more} more (validate --json lists all)"),
            };
            format!("{}: unfinished: game {}{more}", path.display(), shown.join(", "))
        }));
        lines
    }
}
