//! `discern correct`: obvious errors found, the better games played.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use discern_players::{
    Duplicates, GRAMMAR, Job, JobError, PlayerSpec, RunFolder, Shard, WeightStore, merge,
};
use discern_records::archive::ArchiveReader;
use discern_selfplay::CorrectPlan;

use super::jobs::{CrewArgs, missing_shards, say_builds, with_suffix};
use super::whole_file::check_free;

/// Search an archive for obvious errors and play better moves out.
///
/// A move is an error if it throws the outcome away beyond doubt: proven by the
/// solver near the end, or before by a search that is sure of the outcome
/// before and after the move, confirmed by a deeper one. The output has all
/// games of the archive, unchanged, and behind them a new game for every error,
/// which says what it corrects. Errors that the archive has corrections of are
/// left alone, so that the output may be corrected again.
///
/// Finished shards are kept in the work folder until the output is written, and
/// then removed: interrupted, the same command resumes.
#[derive(ClapArgs)]
#[command(after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, and without endgame outcome=16,score=12.

Examples:
  discern correct first.games --player log,weights=first.weights,depth=8 -o corrected.games
  discern correct first.games --player rev,depth=4 --prove 14 -o quick.games --threads 2"))]
pub struct Args {
    /// Archive of games
    archive: PathBuf,
    /// Who searches, and plays the better games (see --help)
    #[arg(long, value_name = "PLAYER")]
    player: PlayerSpec,
    /// Archive to write; the manifest is FILE.manifest.json
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Folder for finished shards; FILE.work if left out
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// Prove outcomes from this many empty squares on
    #[arg(long, value_name = "EMPTIES", default_value_t = 20)]
    prove: u32,
    /// An estimate beyond this is sure, in thousandths of a logit
    #[arg(long, value_name = "MILLILOGITS", default_value_t = 2000)]
    certain: u32,
    /// How many plies deeper a suspicion is checked
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    deeper: u32,
    /// Number of shards; about 100 games each if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    shards: Option<u32>,
    #[command(flatten)]
    crew: CrewArgs,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    check_free(&with_suffix(&args.output, ".manifest.json"), args.force)?;
    let work = args.work.unwrap_or_else(|| with_suffix(&args.output, ".work"));
    let store = WeightStore::new();
    let mut player = args.player;
    player.fill(&CorrectPlan::DEFAULTS);
    store.settle(&mut player)?;
    let mut plan = CorrectPlan {
        deeper: args.deeper,
        certain_millilogits: args.certain,
        proven_empties: args.prove,
        ..CorrectPlan::of(&args.archive, player)?
    };
    if let Some(shards) = args.shards {
        plan.shards = shards;
    }
    say_cut(&args.archive)?;
    let folder =
        RunFolder::create(&work, plan, &store, args.crew.other_build).map_err(with_advice)?;
    let _lock = folder.lock()?;
    folder.work().copy_archive(&args.archive, &work)?;
    let missing = missing_shards(&folder)?;
    let kept = folder.work().shards() as usize - missing.len();
    if kept > 0 {
        eprintln!("{kept} of {} shards were there already", folder.work().shards());
    }
    args.crew.work(&folder, &missing, 1, false)?;
    let archive = folder.work().archive_in(&work);
    let merged = merge(&folder, Some(&archive), &args.output, Duplicates::Drop, args.force)?;
    say_builds(&merged);
    eprintln!(
        "{} games, {} of them new, {} corrections left out as known games",
        merged.games,
        merged.games - merged.games_before,
        merged.duplicates
    );
    Ok(folder.remove()?)
}

/// Says what an archive lacks that was cut.
fn say_cut(path: &Path) -> Result<()> {
    let at = || path.display().to_string();
    let mut reader = ArchiveReader::open(path).with_context(at)?;
    while let Some(block) = reader.next_block() {
        block.with_context(at)?;
    }
    if let Some(cut) = reader.tail() {
        eprintln!(
            "{}: the last {} bytes are unfinished; {} whole games of them count",
            path.display(),
            cut.bytes,
            cut.games
        );
    }
    Ok(())
}

/// What the user can do about a work folder of other settings.
fn with_advice(error: JobError) -> anyhow::Error {
    match error {
        JobError::File(..) => anyhow!("{error}; remove that folder, or name another with --work"),
        other => other.into(),
    }
}
