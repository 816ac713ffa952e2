use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args as ClapArgs, Command, CommandFactory};
use clap_mangen::Man;

use crate::place::At;

/// Write the manual pages, one for each command.
#[derive(ClapArgs)]
pub struct Args {
    /// Folder to write to
    folder: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    fs::create_dir_all(&args.folder).at(&args.folder)?;
    let mut line = super::Cli::command().disable_help_subcommand(true);
    line.build();
    write(&args, &line, "discern")
}

/// The page of a command and those of the commands below it.
fn write(args: &Args, command: &Command, name: &str) -> Result<()> {
    let path = args.folder.join(format!("{name}.1"));
    let titled = command.clone().display_name(name.to_owned());
    let mut page = Vec::new();
    Man::new(titled).title(name.to_uppercase()).render(&mut page)?;
    fs::write(&path, page).at(&path)?;
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help")
        .try_for_each(|command| write(args, command, &format!("{name}-{}", command.get_name())))
}
