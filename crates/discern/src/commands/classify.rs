//! `discern classify`: games to classified positions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_learn::{Dispute, GameTree, LabelledPosition, PositionForm, TreeCounts};
use discern_players::{PROGRAM, fingerprint_of_file};
use discern_report::tree_text;
use serde_json::json;

use super::games::{Input, refuse_faults, report};
use super::jobs::with_suffix;
use super::whole_file::{self, WholeFile, check_free};

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
        check_free(&with_suffix(path, ".manifest.json"), args.force)?;
    }
    let start = Instant::now();
    let mut tree = GameTree::default();
    let findings = args.input.read(|record, path, number| {
        if let Some(Dispute { game, ply, verdict }) = tree.add(&record) {
            eprintln!(
                "{}: game {number} ({game}), ply {ply}: {verdict}, which other games contradict; \
                 the position counts as not solved",
                path.display()
            );
        }
        Ok(())
    })?;
    report(&findings);
    if !args.skip_faulty {
        refuse_faults(&findings, "; nothing was written (--skip-faulty leaves them out)")?;
    } else if findings.unreadable > 0 {
        bail!("{} files cannot be read; nothing was written", findings.unreadable);
    }
    let (positions, counts) = tree.classify();
    drop(tree);
    let manifest = manifest(&args.input, &counts)?;
    for path in &args.outputs {
        write(path, &positions, &manifest, args.force)?;
    }
    let text = if args.json { format!("{}\n", json!(counts)) } else { tree_text(&counts) };
    std::io::stdout().write_all(text.as_bytes())?;
    eprintln!("{} positions in {:.1} s", positions.len(), start.elapsed().as_secs_f64());
    Ok(())
}

/// How the positions were made; without times, so that the same games give the
/// same bytes.
fn manifest(input: &Input, counts: &TreeCounts) -> Result<String> {
    let mut games = Vec::new();
    for path in input.paths()? {
        if path != Path::new("-") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            games.push(json!({"file": name, "blake3": fingerprint_of_file(&path)?}));
        }
    }
    let manifest = json!({
        "format": "discern positions manifest 1",
        "program": PROGRAM,
        "games": games,
        "counts": counts,
    });
    Ok(format!("{manifest:#}\n"))
}

/// The positions, and beside them the manifest.
fn write(path: &Path, positions: &[LabelledPosition], manifest: &str, force: bool) -> Result<()> {
    let mut file = WholeFile::create(path, force)?;
    PositionForm::of(path)?
        .write(&mut file, positions, manifest)
        .with_context(|| path.display().to_string())?;
    file.finish()?;
    whole_file::write(&with_suffix(path, ".manifest.json"), manifest.as_bytes(), force)
}
