use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_records::archive::ArchiveWriter;
use discern_records::{Format, GameOutput, NewGameFile, WriteError};

use crate::commands::whole_file::refused;

/// Where to write; shared by the subcommands that write games.
#[derive(ClapArgs)]
pub struct Target {
    /// File to write; it appears whole or not at all. Without it, text goes to
    /// standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format to write [default: what the name of the output ends in]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Replace the output if it exists
    #[arg(long, conflicts_with = "append")]
    force: bool,
    /// Add to the archive that the output is
    #[arg(long, requires = "output")]
    append: bool,
}

impl Target {
    /// Begins to write.
    pub fn begin(&self) -> Result<GameOutput> {
        let stdout = Path::new("-");
        let path = self.output.as_deref().filter(|&path| path != stdout);
        let format = self.format.or_else(|| Format::from_path(path?));
        let Some(path) = path else {
            let format = format.unwrap_or(Format::Transcript);
            if !format.is_text() {
                bail!("{format} is not text: name a file with --output");
            }
            return Ok(GameOutput::New(NewGameFile::stream(std::io::stdout(), format)));
        };
        let Some(format) = format else {
            bail!("{}: the name does not say which format; give it with --format", path.display());
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
            return Ok(GameOutput::append_to(writer));
        }
        match NewGameFile::create(path, format, self.force) {
            Err(WriteError::Io(error)) if error.kind() == ErrorKind::AlreadyExists => {
                Err(refused(path, error))
            }
            other => Ok(GameOutput::New(other.map_err(plain).with_context(|| at(path))?)),
        }
    }

    /// Ends the output and puts it in its place.
    pub fn finish(&self, writing: GameOutput) -> Result<()> {
        writing.finish().map_err(plain).with_context(|| self.name())
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
