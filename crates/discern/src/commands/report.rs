use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_experiment::{NUMBERS, Reproduction};

use super::reproduce::write_outputs;

/// Draw the report of a reproduction again from its numbers.
///
/// Reads `numbers.json` and writes the report and the tables beside it, or
/// into another folder. Nothing is computed or played.
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

/// No honest reproduction is larger.
const MOST_BYTES: u64 = 256 << 20;

pub fn run(args: Args) -> Result<()> {
    let path =
        if args.numbers.is_dir() { args.numbers.join(NUMBERS) } else { args.numbers.clone() };
    let at = || path.display().to_string();
    let bytes = discern_files::read(&path, MOST_BYTES).with_context(at)?;
    let found = Reproduction::from_json(&bytes).with_context(at)?;
    let folder = match (&args.output, path.parent()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(parent)) if !parent.as_os_str().is_empty() => parent.to_owned(),
        (None, _) => PathBuf::from("."),
    };
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let report = write_outputs(&folder, &found)?;
    Ok(writeln!(std::io::stdout(), "{}", report.display())?)
}
