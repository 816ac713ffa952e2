use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_files::printable;
use discern_records::archive::Tail;
use discern_records::{Ending, FileFault, Format, GameFile, GameRecord, files_of};
use indicatif::{ProgressBar, ProgressStyle};

/// What to read; shared by all subcommands.
#[derive(ClapArgs)]
pub struct Input {
    /// Files of games, folders of such files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read all files as this format instead of telling it by content
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

/// How many faults are spelled out; the rest is only counted.
const SHOWN_FAULTS: usize = 20;

/// How many numbers of unfinished games are listed per file.
const SHOWN_NUMBERS: usize = 100;

/// What reading found besides good games.
#[derive(Default)]
pub struct Findings {
    pub games: u64,
    pub faults: Vec<FileFault>,
    /// Files that cannot be read at all, and disks that fail.
    pub unreadable: usize,
    /// Numbers of the unfinished games by file.
    pub unfinished: Vec<(PathBuf, Vec<u64>)>,
    /// Unfinished blocks at the end of archives.
    pub tails: Vec<(PathBuf, Tail)>,
}

impl Findings {
    /// How many games stop before their end.
    pub fn unfinished(&self) -> usize {
        self.unfinished.iter().map(|(_, numbers)| numbers.len()).sum()
    }

    /// Says on standard error what was not as it should be.
    pub fn report(&self) {
        for fault in self.faults.iter().take(SHOWN_FAULTS) {
            eprintln!("{}", printable(&fault.to_string()));
        }
        if self.faults.len() > SHOWN_FAULTS {
            eprintln!("… and {} more faults", self.faults.len() - SHOWN_FAULTS);
        }
        for (path, tail) in &self.tails {
            eprintln!(
                "{}: byte {}: the last {} bytes are an unfinished block, read up to its last whole game ({} of them)",
                path.display(),
                tail.offset,
                tail.bytes,
                tail.games
            );
        }
        for (path, numbers) in &self.unfinished {
            let shown: Vec<String> =
                numbers.iter().take(SHOWN_NUMBERS).map(u64::to_string).collect();
            let more = match numbers.len().saturating_sub(SHOWN_NUMBERS) {
                0 => String::new(),
                more => format!(" and {more} more (validate --json lists all)"),
            };
            eprintln!("{}: unfinished: game {}{more}", path.display(), shown.join(", "));
        }
    }
}

impl Input {
    /// Reads every game of every file in order. `each` gets the game, its file
    /// and its number there; an error of `each` ends the reading.
    pub fn read(&self, each: impl FnMut(GameRecord, &Path, u64) -> Result<()>) -> Result<Findings> {
        self.read_with_plans(|_| Ok(()), each)
    }

    /// The same; `plan` gets the plans of archives, each before its games.
    pub fn read_with_plans(
        &self,
        mut plan: impl FnMut(&str) -> Result<()>,
        mut each: impl FnMut(GameRecord, &Path, u64) -> Result<()>,
    ) -> Result<Findings> {
        let files = self.paths()?;
        let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let bar = progress(files.iter().map(size).sum());
        let mut findings = Findings::default();
        let mut before = 0;
        for path in &files {
            let mut file = match self.open(path) {
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
                    bar.set_position(before + file.position());
                }
            }
            if !unfinished.is_empty() {
                findings.unfinished.push((path.clone(), unfinished));
            }
            findings.tails.extend(file.tail().map(|tail| (path.clone(), tail)));
            before += size(path);
        }
        bar.finish_and_clear();
        Ok(findings)
    }

    fn open(&self, path: &Path) -> Result<GameFile, FileFault> {
        if path == Path::new("-") {
            return GameFile::from_reader(std::io::stdin(), path, self.from);
        }
        GameFile::open(path, self.from)
    }

    /// The files in the order in which they are read.
    pub fn paths(&self) -> Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for path in &self.files {
            if path == Path::new("-") {
                paths.push(path.clone());
                continue;
            }
            let files = files_of(path)?;
            if files.is_empty() {
                bail!("{}: no files of games in this folder", path.display());
            }
            paths.extend(files);
        }
        Ok(paths)
    }
}

impl Findings {
    /// Says what is wrong; an error if there are faults.
    pub fn report_and_refuse(&self) -> Result<()> {
        self.report();
        self.refuse_faults("")
    }

    /// An error if there are faults; `hint` says what the user can do.
    pub fn refuse_faults(&self, hint: &str) -> Result<()> {
        match self.faults.len() {
            0 => Ok(()),
            count => bail!("{count} {}{hint}", plural(count, "fault")),
        }
    }
}

/// `fault`, `faults`.
pub fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// A bar over bytes; indicatif hides it when standard error is no terminal.
fn progress(bytes: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
            .expect("a valid template");
    ProgressBar::new(bytes).with_style(style)
}
