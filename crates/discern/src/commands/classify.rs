use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_learn::{GameTree, PositionForm};
use discern_players::PROGRAM;
use discern_report::tree_text;

use super::games::{Input, refuse_unless_skipped, report};
use crate::output::show;
use crate::place::{At, check_free};

/// Classify the positions of games in the tree of all of them.
///
/// All games make one tree of positions up to symmetry. NegaMax over the moves
/// that were played carries the outcomes from the leaves to the root, and every
/// position is written with its outcome. Solved positions overrule their games.
/// The command prints the counts of the paper's Figure 3. The order of the games
/// does not matter.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern classify first.games -o first.parquet -o first.positions
  discern classify first.games corrected.games --json

.parquet is for pandas, DuckDB and R, .positions for `discern fit --positions`,
.svm and .svm.zst hold the configurations of patterns for `discern fit --sparse`.")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// File to write, .parquet, .positions, .svm or .svm.zst; may be given more than once
    #[arg(short, long = "output", value_name = "FILE")]
    outputs: Vec<PathBuf>,
    /// Replace outputs that exist
    #[arg(long)]
    force: bool,
    /// Leave faulty games out
    #[arg(long)]
    skip_faulty: bool,
    /// Print the counts as one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    for path in &args.outputs {
        PositionForm::of(path)?;
        check_free(path, args.force)?;
        check_free(&PositionForm::manifest_of(path), args.force)?;
    }
    let start = Instant::now();
    let mut tree = GameTree::default();
    let findings = args.input.read(|record, path, number| {
        if let Some(dispute) = tree.add(&record) {
            eprintln!("{}: game {number} {dispute}", path.display());
        }
        Ok(())
    })?;
    report(&findings);
    refuse_unless_skipped(&findings, args.skip_faulty)?;
    let (positions, counts) = tree.classify();
    drop(tree);
    let manifest = counts.manifest(PROGRAM, &args.input.paths()?)?;
    for path in &args.outputs {
        PositionForm::save(path, &positions, &manifest, args.force).at(path)?;
    }
    show(args.json, &counts, |out| write!(out, "{}", tree_text(&counts)))?;
    eprintln!("{} positions in {:.1} s", positions.len(), start.elapsed().as_secs_f64());
    Ok(())
}
