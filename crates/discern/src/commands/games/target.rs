use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_records::archive::ArchiveWriter;
use discern_records::{Format, GameRecord, NewGameFile, WriteError};

use crate::commands::whole_file::refused;

/// Where to write; shared by the subcommands that write games.
#[derive(ClapArgs)]
pub struct Target {
    /// File to write; it appears whole or not at all. Without it, text goes to
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format to write; told by the output's name if left out
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Replace the output if it exists
    #[arg(long, conflicts_with = "append")]
    force: bool,
    /// Add to the archive that the output is
    #[arg(long, requires = "output")]
    append: bool,
}

/// Games on their way to the output.
pub enum Writing {
    New(NewGameFile),
    /// Nothing is written before all games are known to be good: an archive
    /// that is added to cannot take games back.
    Append {
        writer: Box<ArchiveWriter>,
        plans: Vec<String>,
        waiting: Vec<GameRecord>,
    },
}

impl Target {
    /// Begins to write.
    pub fn begin(&self) -> Result<Writing> {
        let stdout = Path::new("-");
        let path = self.output.as_deref().filter(|&path| path != stdout);
        let format = self.format.or_else(|| Format::from_path(path?));
        let Some(path) = path else {
            let format = format.unwrap_or(Format::Transcript);
            if !format.is_text() {
                bail!("{format} is not text: name a file with --output");
            }
            return Ok(Writing::New(NewGameFile::stream(std::io::stdout(), format)));
        };
        let Some(format) = format else {
            bail!("{}: the name does not tell the format; give it with --format", path.display());
        };
        if self.append {
            if format != Format::Archive {
                bail!("{}: only archives can be added to", path.display());
            }
            let writer =
                ArchiveWriter::open_or_create(path).map_err(plain).with_context(|| at(path))?;
            if let Some(cut) = writer.cut() {
                eprintln!(
                    "{}: the block at byte {} is unfinished; {} of its games are whole and kept",
                    path.display(),
                    cut.offset,
                    cut.games
                );
            }
            let (plans, waiting) = (Vec::new(), Vec::new());
            return Ok(Writing::Append { writer: Box::new(writer), plans, waiting });
        }
        match NewGameFile::create(path, format, self.force) {
            Err(WriteError::Io(error)) if error.kind() == ErrorKind::AlreadyExists => {
                Err(refused(path, error))
            }
            other => Ok(Writing::New(other.map_err(plain).with_context(|| at(path))?)),
        }
    }

    /// Ends the output and puts it in its place.
    pub fn finish(&self, writing: Writing) -> Result<()> {
        let finish = || match writing {
            Writing::New(file) => file.finish(),
            Writing::Append { mut writer, plans, waiting } => {
                let mut add = || {
                    plans.iter().try_for_each(|plan| writer.add_plan(plan))?;
                    waiting.iter().try_for_each(|record| writer.append(record))?;
                    writer.commit()
                };
                // All games or none. Should taking back fail too, the archive
                // still is a row of whole blocks.
                add().inspect_err(|_| drop(writer.take_back()))
            }
        };
        finish().map_err(plain).with_context(|| self.name())
    }

    /// What messages call the output.
    pub fn name(&self) -> String {
        at(self.output.as_deref().unwrap_or(Path::new("standard output")))
    }
}

/// Errors of the operating system as themselves: `main` looks for a broken
/// pipe among them.
pub fn plain(error: WriteError) -> anyhow::Error {
    match error {
        WriteError::Io(error) => error.into(),
        error => error.into(),
    }
}

fn at(path: &Path) -> String {
    format!("writing {}", path.display())
}

impl Writing {
    /// Adds the plan of games to come.
    pub fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        match self {
            Writing::New(file) => file.add_plan(text)?,
            Writing::Append { plans, .. } => plans.push(text.to_owned()),
        }
        Ok(())
    }

    /// Adds a game.
    pub fn append(&mut self, record: GameRecord) -> Result<(), WriteError> {
        match self {
            Writing::New(file) => file.append(&record),
            Writing::Append { waiting, .. } => {
                record.check()?;
                waiting.push(record);
                Ok(())
            }
        }
    }
}
