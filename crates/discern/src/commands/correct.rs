//! `discern correct`: obvious errors found, the better games played.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_players::{Duplicates, GRAMMAR, Job, PlayerSpec, RunFolder, WeightStore, merge};
use discern_selfplay::CorrectPlan;

use super::jobs::{CrewArgs, missing_shards, say_builds, with_suffix};

/// Search an archive for obvious errors and play better moves out.
///
/// A move is an error if it throws the outcome away beyond doubt: proven by the
/// solver near the end, or before by a search that is sure of the outcome
/// before and after the move, confirmed by a deeper one. The output has all
/// games of the archive, unchanged, and behind them a new game for every error,
/// which says what it corrects. Errors that the archive has corrections of are
/// left alone, so that the output may be corrected again.
///
/// Finished shards are kept in the work folder until the output is written:
/// interrupted, the same command resumes.
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
    #[arg(long, value_name = "N")]
    shards: Option<u32>,
    #[command(flatten)]
    crew: CrewArgs,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

pub fn run(args: Args) -> Result<()> {
    if args.output.exists() && !args.force {
        bail!("{}: the file exists; --force replaces it", args.output.display());
    }
    let work = args.work.unwrap_or_else(|| with_suffix(&args.output, ".work"));
    let store = WeightStore::new();
    let mut player = args.player;
    player.fill(&CorrectPlan::DEFAULTS);
    store.settle(&mut player)?;
    let mut plan = CorrectPlan {
        deeper: args.deeper,
        certain_millilogits: args.certain,
        proven_empties: args.prove,
        ..CorrectPlan::for_archive(&args.archive, player, &work)?
    };
    if let Some(shards) = args.shards {
        plan.shards = shards;
    }
    let folder = RunFolder::create(&work, plan, &store, args.crew.other_build)?;
    let _lock = folder.lock()?;
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
    Ok(())
}
