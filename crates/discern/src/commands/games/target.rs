use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_records::{Format, GameOutput, GameTarget};

use crate::place::At;

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
        let path = self.output.as_deref().filter(|&path| path != Path::new("-"));
        let Target { format, force, append, .. } = *self;
        let target = GameTarget { path, format, force, append };
        let output = target.begin(target.format()?).map_err(io::Error::from);
        let output = output.writing(self.name())?;
        if let Some(cut) = output.cut() {
            eprintln!("{}: {cut}", self.name().display());
        }
        Ok(output)
    }

    /// What messages call the output.
    pub fn name(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("standard output"))
    }
}
