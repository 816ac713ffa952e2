//! `discern correct`: obvious errors found, the better games played.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::{Args as ClapArgs, Subcommand};
use discern_players::{
    Duplicates, GRAMMAR, Job, JobError, PlayerSpec, RunFolder, Shard, WeightStore, merge,
};
use discern_records::archive::ArchiveReader;
use discern_selfplay::CorrectPlan;

use super::jobs::{
    self, CrewArgs, MergeArgs, MissingArgs, RunArgs, missing_shards, say_builds, with_suffix,
};
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
///
/// On many machines a correction is planned, cut into shards, made anywhere, and
/// merged: `plan`, `run`, `missing`, `merge`.
#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, and without endgame outcome=16,score=12.

Examples:
  discern correct first.games --player log,weights=first.weights,depth=8 -o corrected.games
  discern correct first.games --player rev,depth=4 --prove 14 -o quick.games --threads 2

  discern correct plan better first.games --player log,depth=8
  discern correct run better --shard 17/320        on any machine that has the folder
  discern correct merge better -o corrected.games"))]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Archive of games
    #[arg(required = true)]
    archive: Option<PathBuf>,
    /// Who searches, and plays the better games (see --help)
    #[arg(long, value_name = "PLAYER", required = true)]
    player: Option<PlayerSpec>,
    /// Archive to write; the manifest is FILE.manifest.json
    #[arg(short, long, value_name = "FILE", required = true)]
    output: Option<PathBuf>,
    /// Folder for finished shards; FILE.work if left out
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    crew: CrewArgs,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Make a folder with a plan and a copy of the archive
    #[command(after_long_help = GRAMMAR)]
    Plan(Box<PlanArgs>),
    Run(RunArgs),
    #[command(visible_alias = "shards")]
    Missing(MissingArgs),
    /// Put the archive and all corrections together, with a manifest beside
    ///
    /// Refuses if a shard is missing, damaged, there twice or of another plan.
    Merge(MergeArgs),
}

#[derive(ClapArgs)]
struct PlanArgs {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// Archive of games
    archive: PathBuf,
    /// Who searches, and plays the better games (see --help)
    #[arg(long, value_name = "PLAYER")]
    player: PlayerSpec,
    #[command(flatten)]
    search: SearchArgs,
}

/// What counts as an error, and how the work is cut.
#[derive(ClapArgs)]
struct SearchArgs {
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
}

pub fn run(mut args: Args) -> Result<()> {
    match args.command.take() {
        None => correct(args),
        Some(Command::Plan(plan)) => {
            let PlanArgs { folder, archive, player, search } = *plan;
            let folder = search.create(&archive, player, &folder, false)?;
            jobs::say_plan(&folder, "corrections")
        }
        Some(Command::Run(run)) => run.run::<CorrectPlan>(false),
        Some(Command::Missing(missing)) => missing.run::<CorrectPlan>(),
        Some(Command::Merge(merge)) => {
            let folder = RunFolder::open(&merge.folder)?;
            merge_behind(&folder, &merge.output, merge.force)
        }
    }
}

/// All of it in one process.
fn correct(args: Args) -> Result<()> {
    let (Some(archive), Some(player), Some(output)) = (args.archive, args.player, args.output)
    else {
        unreachable!("required without a subcommand")
    };
    check_free(&output, args.force)?;
    check_free(&with_suffix(&output, ".manifest.json"), args.force)?;
    let work = args.work.unwrap_or_else(|| with_suffix(&output, ".work"));
    let other_build = args.crew.other_build;
    let folder = args.search.create(&archive, player, &work, other_build).map_err(with_advice)?;
    let _lock = folder.lock()?;
    let missing = missing_shards(&folder)?;
    let kept = folder.work().shards() as usize - missing.len();
    if kept > 0 {
        eprintln!("{kept} of {} shards were there already", folder.work().shards());
    }
    args.crew.work(&folder, &missing, false)?;
    merge_behind(&folder, &output, args.force)?;
    Ok(folder.remove()?)
}

impl SearchArgs {
    /// Begins or opens the folder of this plan.
    fn create(
        &self,
        archive: &Path,
        mut player: PlayerSpec,
        path: &Path,
        other_build: bool,
    ) -> Result<RunFolder<CorrectPlan>> {
        let store = WeightStore::new();
        player.fill(&CorrectPlan::DEFAULTS);
        store.settle(&mut player)?;
        let mut plan = CorrectPlan {
            deeper: self.deeper,
            certain_millilogits: self.certain,
            proven_empties: self.prove,
            ..CorrectPlan::of(archive, player)?
        };
        if let Some(shards) = self.shards {
            plan.shards = shards;
        }
        say_cut(archive)?;
        let folder = RunFolder::create(path, plan, &store, other_build)?;
        folder.work().copy_archive(archive, path)?;
        Ok(folder)
    }
}

/// Writes the archive with its corrections behind it.
fn merge_behind(folder: &RunFolder<CorrectPlan>, output: &Path, force: bool) -> Result<()> {
    let archive = folder.work().archive_in(folder.path());
    let merged = merge(folder, Some(&archive), output, Duplicates::Drop, force)?;
    say_builds(&merged);
    eprintln!(
        "{} games, {} of them new, {} corrections left out as known games",
        merged.games,
        merged.games - merged.games_before,
        merged.duplicates
    );
    Ok(())
}

/// Says what an archive lacks that was cut.
pub(super) fn say_cut(path: &Path) -> Result<()> {
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
pub(super) fn with_advice(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(JobError::File(..)) => {
            anyhow!("{error}; remove that folder, or name another with --work")
        }
        _ => error,
    }
}
