use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use clap_complete::{Shell, generate};

/// Print what a shell needs to complete our commands.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern completions bash > ~/.local/share/bash-completion/completions/discern
  discern completions zsh > ~/.zfunc/_discern
  discern completions fish > ~/.config/fish/completions/discern.fish")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: Args) -> Result<()> {
    let mut text = Vec::new();
    generate(args.shell, &mut super::Cli::line(), "discern", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(())
}
