use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_report::reproduction::{FORMAT, Reproduction};
use serde::Deserialize;

use super::reproduce::{NUMBERS, write_outputs};

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

pub fn run(args: Args) -> Result<()> {
    let path =
        if args.numbers.is_dir() { args.numbers.join(NUMBERS) } else { args.numbers.clone() };
    let found = read(&path)?;
    let folder = match (&args.output, path.parent()) {
        (Some(folder), _) => folder.clone(),
        (None, Some(parent)) if !parent.as_os_str().is_empty() => parent.to_owned(),
        (None, _) => PathBuf::from("."),
    };
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let report = write_outputs(&folder, &found)?;
    println!("{}", report.display());
    Ok(())
}

fn read(path: &Path) -> Result<Reproduction> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let at = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(at)?;
    let version: Version = serde_json::from_slice(&bytes)
        .with_context(|| format!("{}: these are not the numbers of a reproduction", at()))?;
    if version.format != FORMAT {
        bail!("{}: format {}, but this program knows {FORMAT}", at(), version.format);
    }
    serde_json::from_slice(&bytes).with_context(at)
}
