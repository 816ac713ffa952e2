//! What `correct` and `label` have alike: a plan for the games of an archive,
//! and all of it in one process.

use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Result, anyhow};
use clap::Args;
use discern_players::{GRAMMAR, Job, JobError, PlayerSpec, RunFolder, Shard, WeightStore};
use discern_selfplay::InputGames;

use super::jobs::{CrewArgs, FolderCommand, MergeArgs, PlanArgs};
use crate::place::check_free;
use crate::progress::say;

/// A kind of work on games: its settings make the plan.
pub trait GameWork: Args {
    type Plan: Job;

    /// What the plan makes, for people.
    const MAKES: &'static str;

    fn plan(&self, input: InputGames, player: PlayerSpec) -> Self::Plan;
}

/// The whole command.
#[derive(Args)]
pub struct OverGames<W: GameWork> {
    #[command(subcommand)]
    command: Option<FolderCommand<PlanOver<W>>>,
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
    settings: Cutting<W>,
    #[command(flatten)]
    crew: CrewArgs,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

/// Make a folder with a plan and a copy of the archive
#[derive(Args)]
#[command(after_long_help = GRAMMAR)]
struct PlanOver<W: GameWork> {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// Archive of games
    archive: PathBuf,
    /// Who searches (see --help)
    #[arg(long, value_name = "PLAYER")]
    player: PlayerSpec,
    #[command(flatten)]
    settings: Cutting<W>,
}

/// What is done, and how the work is cut.
#[derive(Args)]
struct Cutting<W: GameWork> {
    #[command(flatten)]
    work: W,
    /// Number of shards; about 100 games each if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    shards: Option<u32>,
}

impl<W: GameWork> OverGames<W> {
    pub fn run(mut self) -> Result<()> {
        match self.command.take() {
            Some(command) => command.run(),
            None => self.run_here(),
        }
    }

    /// All of it in one process.
    fn run_here(self) -> Result<()> {
        let (Some(archive), Some(player), Some(output)) = (self.archive, self.player, self.output)
        else {
            unreachable!("required without a subcommand")
        };
        check_free(&output, self.force)?;
        check_free(&output.with_added_extension("manifest.json"), self.force)?;
        let work = self.work.unwrap_or_else(|| output.with_added_extension("work"));
        let other_build = self.crew.other_build;
        let folder = self.settings.create(&archive, player, &work, other_build);
        let folder = folder.map_err(|error| match error.downcast_ref() {
            Some(JobError::File(..)) => {
                anyhow!("{error}; remove that folder, or name another with --work")
            }
            _ => error,
        })?;
        let _lock = folder.lock()?;
        let missing = folder.take_missing(None, &mut say)?;
        let shards = folder.shards();
        if missing.len() < shards as usize {
            eprintln!("{} of {shards} shards were there already", shards as usize - missing.len());
        }
        self.crew.work(&folder, &missing)?;
        MergeArgs { folder: work, output, force: self.force }.run::<W::Plan>()?;
        Ok(folder.remove()?)
    }
}

impl<W: GameWork> PlanArgs for PlanOver<W> {
    type Plan = W::Plan;

    fn create(self) -> Result<(RunFolder<W::Plan>, String)> {
        let folder = self.settings.create(&self.archive, self.player, &self.folder, false)?;
        Ok((folder, W::MAKES.into()))
    }
}

impl<W: GameWork> Cutting<W> {
    /// Begins or opens the folder of this plan.
    fn create(
        &self,
        archive: &Path,
        mut player: PlayerSpec,
        folder: &Path,
        other_build: bool,
    ) -> Result<RunFolder<W::Plan>> {
        let store = WeightStore::new();
        store.complete(slice::from_mut(&mut player), &InputGames::DEFAULTS)?;
        let (mut input, cut) = InputGames::of(archive)?;
        input.shards = self.shards.unwrap_or(input.shards);
        if let Some(cut) = cut {
            eprintln!("{}: {cut}", archive.display());
        }
        let plan = self.work.plan(input.clone(), player);
        Ok(input.begin(archive, folder, plan, &store, other_build)?)
    }
}
