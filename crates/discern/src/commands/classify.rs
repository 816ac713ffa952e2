//! `discern classify`: games to classified positions.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_learn::{
    Dispute, GameTree, LabelledPosition, PatternRows, TreeCounts, save_positions, write_parquet,
};
use discern_players::{PROGRAM, fingerprint_of_file};
use discern_report::{Align, TextTable};
use serde_json::json;

use super::games::Input;
use super::whole_file::{self, WholeFile, check_free, refused};

/// Classify the positions of games in the tree of all of them.
///
/// Builds one tree over positions up to symmetry, carries the outcomes from the
/// leaves to the root by NegaMax over the moves that were played, and writes
/// every position with its outcome. Solved positions overrule their games.
/// Prints the counts of the paper's Figure 3. The order of the games does not
/// matter.
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

/// What the end of a file's name says of its form.
#[derive(Clone, Copy)]
enum Form {
    Parquet,
    Positions,
    Svm { compressed: bool },
}

fn form(path: &Path) -> Result<Form> {
    let name = path.to_string_lossy();
    let endings = [
        (".parquet", Form::Parquet),
        (".positions", Form::Positions),
        (".svm", Form::Svm { compressed: false }),
        (".svm.zst", Form::Svm { compressed: true }),
    ];
    match endings.into_iter().find(|(ending, _)| name.ends_with(ending)) {
        Some((_, form)) => Ok(form),
        None => {
            bail!("{}: the name must end in .parquet, .positions, .svm or .svm.zst", path.display())
        }
    }
}

pub fn run(args: Args) -> Result<()> {
    for path in &args.outputs {
        form(path)?;
        check_free(path, args.force)?;
        check_free(&manifest_path(path), args.force)?;
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
    findings.report();
    if !args.skip_faulty {
        findings.refuse_faults("; nothing was written (--skip-faulty leaves them out)")?;
    } else if findings.unreadable > 0 {
        bail!("{} files cannot be read; nothing was written", findings.unreadable);
    }
    let (positions, counts) = tree.classify();
    drop(tree);
    let manifest = manifest(&args.input, &counts)?;
    for path in &args.outputs {
        write(path, &positions, &manifest, args.force)?;
    }
    let text = if args.json { format!("{}\n", json!(counts)) } else { table(&counts) };
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
    match form(path)? {
        Form::Parquet => {
            let mut file = WholeFile::create(path, force)?;
            write_parquet(&mut file, positions, manifest)
                .with_context(|| path.display().to_string())?;
            file.finish()?;
        }
        Form::Positions => {
            let positions: Vec<_> = positions.iter().map(|labelled| labelled.position).collect();
            save_positions(path, &positions).map_err(|error| refused(path, error))?;
        }
        Form::Svm { compressed } => {
            let mut file = WholeFile::create(path, force)?;
            let positions = positions.iter().map(|labelled| &labelled.position);
            PatternRows::default()
                .write(&mut file, compressed, positions)
                .with_context(|| path.display().to_string())?;
            file.finish()?;
        }
    }
    whole_file::write(&manifest_path(path), manifest.as_bytes(), force)
}

/// `a.parquet.manifest.json` for `a.parquet`.
fn manifest_path(path: &Path) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(".manifest.json");
    name.into()
}

/// The counts as people read them.
fn table(counts: &TreeCounts) -> String {
    let mut text = String::new();
    let all = &counts.all;
    let share = |count: u64| 100.0 * count as f64 / all.positions.max(1) as f64;
    let mut line = |name: &str, count: u64, note: String| {
        let _ = writeln!(text, "{name:<28}{count:>12}  {note}");
    };
    let none = String::new;
    line("games", counts.games, format!("{} groups", counts.groups));
    line("  corrections", counts.corrections, none());
    line("  without a result", counts.games_without_result, none());
    line("tree nodes", counts.nodes, format!("{} visits", counts.visits));
    line("  moves between them", counts.edges, none());
    line("  transpositions", counts.transpositions, none());
    line("  game over", counts.over, none());
    line("  without a label", counts.without_label, none());
    line("  with disputed results", counts.disputed, none());
    let per_game = all.positions as f64 / counts.games.max(1) as f64;
    line("classified positions", all.positions, format!("{per_game:.1} per game"));
    line("  wins", all.wins, format!("{:.2} %", share(all.wins)));
    line("  draws", all.draws, format!("{:.2} %", share(all.draws)));
    line("  losses", all.losses, format!("{:.2} %", share(all.losses)));
    line("  with a score", all.scores, none());
    line("  solved", all.solved, none());
    line("  of several groups", all.shared, format!("{:.2} %", share(all.shared)));
    let changes = [
        ("labels changed by solving", all.changed_by_solving),
        ("  then by propagation", all.changed_by_propagation),
        ("  then by correction", all.changed_by_correction),
        ("  new by correction", all.new_by_correction),
    ];
    for (name, count) in changes {
        line(name, count, format!("{:.2} %", share(count)));
    }
    let columns = ["discs", "positions", "wins", "draws", "losses", "by solving", "propagation"];
    let columns = columns.into_iter().chain(["correction", "shared"]);
    let mut table = TextTable::new(columns.map(|name| (name, Align::Right)));
    for phase in &counts.phases {
        let numbers = [
            phase.discs.unwrap_or(0).into(),
            phase.positions,
            phase.wins,
            phase.draws,
            phase.losses,
            phase.changed_by_solving,
            phase.changed_by_propagation,
            phase.changed_by_correction,
            phase.shared,
        ];
        table.row(numbers.map(|number| number.to_string()));
    }
    let _ = write!(text, "\n{table}");
    text
}
