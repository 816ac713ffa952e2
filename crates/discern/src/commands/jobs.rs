//! What all commands with plans and shards do alike: `run`, `missing`, `merge`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use clap::{Args as ClapArgs, Subcommand};
use discern_players::{
    Build, Crew, Halt, Job, RunFolder, ShardChoice, Step, cores_for, merge, run_missing,
};
use serde_json::json;

use crate::output::{print, show};
use crate::progress::{bar, say};
use crate::signals::halt_on_signals;

/// Make the shards that are missing
#[derive(ClapArgs)]
pub struct RunArgs {
    /// Folder with a plan
    pub folder: PathBuf,
    /// Make only this shard, i of n from 0; n must be the plan's. 'env' takes it
    /// from the variables of a job array (Slurm, PBS, SGE)
    #[arg(long, value_name = "I/N|env")]
    shard: Option<ShardChoice>,
    /// End as soon as standard input ends, as it does when the process dies that
    /// started this one
    #[arg(long)]
    until_eof: bool,
    #[command(flatten)]
    pub crew: CrewArgs,
}

/// What can be done with a plan.
#[derive(Subcommand)]
pub enum FolderCommand<P: PlanArgs> {
    Plan(Box<P>),
    Run(RunArgs),
    #[command(visible_alias = "shards")]
    Missing(MissingArgs),
    Merge(MergeArgs),
}

/// Arguments that make a plan.
pub trait PlanArgs: ClapArgs {
    type Plan: Job;

    /// Begins or opens its folder; with it comes what is planned, for people.
    fn create(self) -> Result<(RunFolder<Self::Plan>, String)>;
}

impl<P: PlanArgs> FolderCommand<P> {
    pub fn run(self) -> Result<()> {
        match self {
            Self::Plan(plan) => {
                let (folder, what) = plan.create()?;
                say_plan(&folder, &what)
            }
            Self::Run(run) => run.run::<P::Plan>(),
            Self::Missing(missing) => missing.run::<P::Plan>(),
            Self::Merge(merge) => merge.run::<P::Plan>().map(drop),
        }
    }
}

/// How shards are worked on.
#[derive(ClapArgs)]
pub struct CrewArgs {
    /// Shards to work on at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Resume although another build of the program began
    #[arg(long)]
    pub other_build: bool,
    /// Start a program again that has died.
    #[arg(skip)]
    pub restart: bool,
}

/// List the shards that are not there, one per line, as `run --shard` takes them
#[derive(ClapArgs)]
pub struct MissingArgs {
    /// Folder with a plan
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Put all shards together into one archive with a manifest beside it
///
/// Refuses if a shard is missing, damaged, there twice or of another plan.
#[derive(ClapArgs)]
pub struct MergeArgs {
    /// Folder with a plan and all its shards
    pub folder: PathBuf,
    /// Archive to write; the manifest is FILE.manifest.json
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace the output if it exists
    #[arg(long)]
    pub force: bool,
}

impl CrewArgs {
    /// Works on these shards, as many at a time as asked for or as there are
    /// cores for, and says at the end how it went.
    pub fn work<J: Job>(&self, folder: &RunFolder<J>, shards: &[u32]) -> Result<()> {
        folder.check_build(self.other_build)?;
        let threads = self.threads.map_or_else(|| cores_for(folder.threads()), usize::from);
        let halt = Arc::new(Halt::new());
        halt_on_signals(halt.clone(), "shards")?;
        let total: u64 = shards.iter().map(|&shard| folder.units(shard)).sum();
        let units = J::UNITS;
        let bar = bar(total, &format!("{units} {{per_sec}}"));
        let start = Instant::now();
        let crew = Crew { threads, restart: self.restart, halt: &halt };
        let done = run_missing(folder, shards, crew, &|step| {
            if let Step::Units(units) = step {
                bar.inc(units);
            }
        });
        bar.finish_and_clear();
        done?;
        let seconds = start.elapsed().as_secs_f64();
        let speed = total as f64 / seconds.max(1e-9);
        let shards = shards.len();
        eprintln!("{shards} shards, {total} {units} in {seconds:.1} s ({speed:.2} {units}/s)");
        Ok(())
    }
}

impl RunArgs {
    /// Makes one shard or all that are missing.
    pub fn run<J: Job>(self) -> Result<()> {
        if self.until_eof {
            end_with_input();
        }
        let folder: RunFolder<J> = RunFolder::open(&self.folder)?;
        let _lock = self.shard.is_none().then(|| folder.lock()).transpose()?;
        let missing = folder.take_missing(self.shard, &mut say)?;
        if missing.is_empty() {
            eprintln!("all {} shards are there", folder.shards());
            return Ok(());
        }
        self.crew.work(&folder, &missing)
    }
}

impl MissingArgs {
    /// Lists what is missing.
    pub fn run<J: Job>(self) -> Result<()> {
        let folder: RunFolder<J> = RunFolder::open(&self.folder)?;
        let count = folder.shards();
        let missing = folder.missing()?;
        for what in missing.iter().filter_map(|(_, damage)| damage.as_ref()) {
            eprintln!("{what}");
        }
        let numbers: Vec<u32> = missing.iter().map(|&(shard, _)| shard).collect();
        let program = &Build::current().program;
        let object = json!({
            "plan": folder.name(), "shards": count, "missing": numbers, "program": program
        });
        show(self.json, &object, |out| {
            numbers.iter().try_for_each(|shard| writeln!(out, "{shard}/{count}"))
        })
    }
}

impl MergeArgs {
    /// Puts the shards together and says how it went.
    pub fn run<J: Job>(&self) -> Result<RunFolder<J>> {
        let folder: RunFolder<J> = RunFolder::open(&self.folder)?;
        let merged = merge(&folder, &self.output, self.force)?;
        merged.several_builds().iter().for_each(|builds| say(builds));
        eprintln!("{}", merged.sentence());
        Ok(folder)
    }
}

/// Prints what was planned.
pub fn say_plan<J: Job>(folder: &RunFolder<J>, what: &str) -> Result<()> {
    let shards = folder.shards();
    let games: u64 = (0..shards).map(|shard| folder.units(shard)).sum();
    let (name, units) = (folder.name(), J::UNITS);
    print(&format!("plan {name}: {what}, {games} {units}, {shards} shards\n"))
}

/// Ends this process when nobody holds the other end of its standard input any
/// more. Files are written whole or not at all, so it may end at any moment.
fn end_with_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(1);
    });
}
