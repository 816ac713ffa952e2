//! What all commands with plans and shards do alike: `run`, `missing`, `merge`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_players::{
    Build, Crew, Duplicates, Halt, Job, Merged, ParseShardError, RunFolder, Shard, ShardState,
    Step, merge, run_missing, shard_of_task,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

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

/// Which shard to make.
#[derive(Clone, Copy)]
enum ShardChoice {
    One(Shard),
    OfTask,
}

impl FromStr for ShardChoice {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<ShardChoice, ParseShardError> {
        if text == "env" { Ok(Self::OfTask) } else { text.parse().map(Self::One) }
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
    /// cores for.
    pub fn work<J: Job>(&self, folder: &RunFolder<J>, shards: &[u32], restart: bool) -> Result<()> {
        folder.check_build(self.other_build)?;
        let threads = self.threads.map_or_else(|| cores(folder.work().threads()), usize::from);
        let halt = Arc::new(Halt::new());
        listen_for_signals(halt.clone(), "shards")?;
        with_bar(folder, shards, Crew { threads, restart, halt: &halt })
    }
}

impl RunArgs {
    /// Makes one shard or all that are missing.
    pub fn run<J: Job>(&self, restart: bool) -> Result<()> {
        if self.until_eof {
            end_with_input();
        }
        let folder: RunFolder<J> = RunFolder::open(&self.folder)?;
        if let Some(choice) = self.shard {
            let count = folder.work().shards();
            let shard = match choice {
                ShardChoice::One(shard) => shard,
                ShardChoice::OfTask => shard_of_task(count, |name| std::env::var(name).ok())?,
            };
            if shard.count != count {
                bail!("shard {shard}: the plan has {count} shards");
            }
            if let ShardState::Damaged(what) = folder.state(shard.index)? {
                set_aside(&folder, shard.index, &what)?;
            }
            return self.crew.work(&folder, &[shard.index], restart);
        }
        let _lock = folder.lock()?;
        let missing = missing_shards(&folder)?;
        if missing.is_empty() {
            eprintln!("all {} shards are there", folder.work().shards());
            return Ok(());
        }
        self.crew.work(&folder, &missing, restart)
    }
}

impl MissingArgs {
    /// Lists what is missing.
    pub fn run<J: Job>(&self) -> Result<()> {
        let folder: RunFolder<J> = RunFolder::open(&self.folder)?;
        let count = folder.work().shards();
        let missing = folder.missing()?;
        for what in missing.iter().filter_map(|(_, damage)| damage.as_ref()) {
            eprintln!("{what}");
        }
        let mut stdout = std::io::stdout().lock();
        if self.json {
            let numbers: Vec<u32> = missing.iter().map(|&(shard, _)| shard).collect();
            let program = &Build::current().program;
            let object = json!({
                "plan": folder.name(), "shards": count, "missing": numbers, "program": program
            });
            writeln!(stdout, "{object}")?;
        } else {
            for (shard, _) in &missing {
                writeln!(stdout, "{shard}/{count}")?;
            }
        }
        Ok(())
    }
}

impl MergeArgs {
    /// Puts the shards together and says how it went.
    pub fn run<J: Job>(&self, folder: &RunFolder<J>, duplicates: Duplicates) -> Result<()> {
        let merged = merge(folder, None, &self.output, duplicates, self.force)?;
        say_builds(&merged);
        let Merged { games, bytes, shards, .. } = merged;
        eprintln!("{games} games of {} shards in {bytes} bytes", shards.len());
        Ok(())
    }
}

/// Names the builds if there were several.
pub fn say_builds<J>(merged: &Merged<J>) {
    if let [_, others @ ..] = merged.builds.as_slice()
        && !others.is_empty()
    {
        let builds: Vec<String> = merged.builds.iter().map(ToString::to_string).collect();
        eprintln!("shards of {} builds: {}", builds.len(), builds.join("; "));
    }
}

/// Prints what was planned.
pub fn say_plan<J: Job>(folder: &RunFolder<J>, what: &str) -> Result<()> {
    let shards = folder.work().shards();
    let games: u64 = (0..shards).map(|shard| folder.work().units(shard)).sum();
    let (name, units) = (folder.name(), J::UNITS);
    writeln!(std::io::stdout(), "plan {name}: {what}, {games} {units}, {shards} shards")?;
    Ok(())
}

/// As many games as cores: more would steal each other's time. A search with
/// several threads takes several cores.
pub fn cores(search_threads: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / search_threads.max(1)).max(1)
}

/// Works on these shards with a bar on the terminal, and says at the end how
/// it went.
fn with_bar<J: Job>(folder: &RunFolder<J>, shards: &[u32], crew: Crew) -> Result<()> {
    let total: u64 = shards.iter().map(|&shard| folder.work().units(shard)).sum();
    let units = J::UNITS;
    let template = format!("{{bar:40}} {{pos}}/{{len}} {units} {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a valid template");
    let bar = ProgressBar::new(total).with_style(style);
    let start = Instant::now();
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

/// The shards that are not whole. Damaged ones are named and put out of the
/// way, so that they are made again.
pub fn missing_shards<J: Job>(folder: &RunFolder<J>) -> Result<Vec<u32>> {
    let mut shards = Vec::new();
    for (shard, damage) in folder.missing()? {
        if let Some(what) = damage {
            set_aside(folder, shard, &what)?;
        }
        shards.push(shard);
    }
    Ok(shards)
}

fn set_aside<J: Job>(folder: &RunFolder<J>, shard: u32, what: &str) -> Result<()> {
    eprintln!("{what}; set aside as .damaged, the shard is made again");
    Ok(folder.set_aside(shard)?)
}

/// Ends this process when nobody holds the other end of its standard input any
/// more. Files are written whole or not at all, so it may end at any moment.
fn end_with_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(1);
    });
}

/// First signal: finish what is in hand; second: abort.
pub fn listen_for_signals(halt: Arc<Halt>, unit: &'static str) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
        .context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if halt.is_finishing() {
                eprintln!("aborting; the {unit} in hand are dropped");
                halt.abort();
            } else {
                eprintln!("finishing the {unit} in hand; once more to abort");
                halt.finish();
            }
        }
    });
    Ok(())
}

/// A path with something behind its name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(suffix);
    name.into()
}
