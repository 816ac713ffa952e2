//! `discern label`: what a search thinks of every position of games.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use discern_players::{Duplicates, GRAMMAR, Job, PlayerSpec, RunFolder, Shard, WeightStore};
use discern_selfplay::LabelPlan;

use super::correct::{say_cut, with_advice};
use super::jobs::{self, CrewArgs, MergeArgs, MissingArgs, RunArgs, missing_shards, with_suffix};
use super::whole_file::check_free;

/// Search every position of games, and keep what is thought of it.
///
/// The output has the same games in the same order; evaluations that were there are replaced, and
/// the games say which plan labelled them. A newer model gives old games better labels.
///
/// Finished shards are kept in the work folder until the output is written, and then removed:
/// interrupted, the same command resumes. On many machines: `plan`, `run`, `missing`, `merge`.
#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, and without endgame outcome=16,score=12.

Examples:
  discern label old.games --player direct,depth=8 -o labelled.games

  discern label plan labels old.games --player direct,depth=8
  discern label run labels --shard 17/320          on any machine that has the folder
  discern label merge labels -o labelled.games"))]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Archive of games
    #[arg(required = true)]
    archive: Option<PathBuf>,
    /// Who searches (see --help)
    #[arg(long, value_name = "PLAYER", required = true)]
    player: Option<PlayerSpec>,
    /// Archive to write; the manifest is FILE.manifest.json
    #[arg(short, long, value_name = "FILE", required = true)]
    output: Option<PathBuf>,
    /// Folder for finished shards; FILE.work if left out
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    #[command(flatten)]
    cut: CutArgs,
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
    Merge(MergeArgs),
}

#[derive(ClapArgs)]
struct PlanArgs {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// Archive of games
    archive: PathBuf,
    /// Who searches (see --help)
    #[arg(long, value_name = "PLAYER")]
    player: PlayerSpec,
    #[command(flatten)]
    cut: CutArgs,
}

/// How the work is cut.
#[derive(ClapArgs)]
struct CutArgs {
    /// Number of shards; about 100 games each if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    shards: Option<u32>,
}

pub fn run(mut args: Args) -> Result<()> {
    match args.command.take() {
        None => label(args),
        Some(Command::Plan(plan)) => {
            let PlanArgs { folder, archive, player, cut } = *plan;
            jobs::say_plan(&cut.create(&archive, player, &folder, false)?, "labels")
        }
        Some(Command::Run(run)) => run.run::<LabelPlan>(false),
        Some(Command::Missing(missing)) => missing.run::<LabelPlan>(),
        Some(Command::Merge(merge)) => merge_all(&RunFolder::open(&merge.folder)?, &merge),
    }
}

/// All of it in one process.
fn label(args: Args) -> Result<()> {
    let (Some(archive), Some(player), Some(output)) = (args.archive, args.player, args.output)
    else {
        unreachable!("required without a subcommand")
    };
    check_free(&output, args.force)?;
    check_free(&with_suffix(&output, ".manifest.json"), args.force)?;
    let work = args.work.unwrap_or_else(|| with_suffix(&output, ".work"));
    let other_build = args.crew.other_build;
    let folder = args.cut.create(&archive, player, &work, other_build).map_err(with_advice)?;
    let _lock = folder.lock()?;
    let missing = missing_shards(&folder)?;
    let kept = folder.work().shards() as usize - missing.len();
    if kept > 0 {
        eprintln!("{kept} of {} shards were there already", folder.work().shards());
    }
    args.crew.work(&folder, &missing, false)?;
    merge_all(&folder, &MergeArgs { folder: work, output, force: args.force })?;
    Ok(folder.remove()?)
}

/// Games stay, also those that are there twice.
fn merge_all(folder: &RunFolder<LabelPlan>, merge: &MergeArgs) -> Result<()> {
    merge.run(folder, Duplicates::Keep)
}

impl CutArgs {
    /// Begins or opens the folder of this plan.
    fn create(
        &self,
        archive: &Path,
        mut player: PlayerSpec,
        path: &Path,
        other_build: bool,
    ) -> Result<RunFolder<LabelPlan>> {
        let store = WeightStore::new();
        player.fill(&LabelPlan::DEFAULTS);
        store.settle(&mut player)?;
        let mut plan = LabelPlan::of(archive, player)?;
        plan.shards = self.shards.unwrap_or(plan.shards);
        say_cut(archive)?;
        let folder = RunFolder::create(path, plan, &store, other_build)?;
        folder.work().copy_archive(archive, path)?;
        Ok(folder)
    }
}
