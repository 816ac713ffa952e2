use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_experiment::Companions;
use discern_report::{read_numbers, write_report};

use crate::output::print;
use crate::place::At;

/// Draw the report of a reproduction again from its numbers.
///
/// Reads `numbers.json` and writes the report and the tables beside it, or
/// into another folder. Studies in the folders `labels` and `rivals` beside the
/// numbers, and the same reproduction at a tenth of the time in `tenth`, become
/// sections of it. Nothing is computed or played.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern report                     the report in ./report
  discern report paper -o website    from paper/numbers.json into website/")]
pub struct Args {
    /// Folder of a reproduction, or its numbers.json
    #[arg(value_name = "PATH", default_value = "report")]
    numbers: PathBuf,
    /// Folder to write into [default: where the numbers are]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let (found, folder) = read_numbers(&args.numbers)?;
    let beside = Companions::beside(&folder)?;
    let folder = args.output.unwrap_or(folder);
    std::fs::create_dir_all(&folder).at(&folder)?;
    print(&format!("{}\n", write_report(&folder, &found, &beside)?.display()))
}
