use std::time::Instant;

use anyhow::Result;
use discern_selfplay::{Job, RunFolder, Step, run_missing};
use indicatif::{ProgressBar, ProgressStyle};

/// Works on these shards with a bar on the terminal, and says at the end how
/// it went. `unit` is what the bar counts.
pub fn run_with_bar<J: Job>(
    folder: &RunFolder<J>,
    shards: &[u32],
    threads: Option<usize>,
    unit: &str,
) -> Result<()> {
    let threads = threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()));
    let total: u64 = shards.iter().map(|&shard| folder.plan().units(shard)).sum();
    let template = format!("{{bar:40}} {{pos}}/{{len}} {unit} {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a valid template");
    let bar = ProgressBar::new(total).with_style(style);
    let start = Instant::now();
    let tell = |step: Step| {
        if let Step::Units(units) = step {
            bar.inc(units);
        }
    };
    let done = run_missing(folder, shards, threads, &tell);
    bar.finish_and_clear();
    done?;
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "{} shards, {total} {unit} in {seconds:.1} s ({:.2} {unit}/s)",
        shards.len(),
        total as f64 / seconds.max(1e-9)
    );
    Ok(())
}

/// The shards that are not whole. Damaged ones are named and put out of the
/// way, so that they are made again.
pub fn missing_shards<J: Job>(folder: &RunFolder<J>) -> Result<Vec<u32>> {
    let mut shards = Vec::new();
    for (shard, damage) in folder.missing()? {
        if let Some(what) = damage {
            eprintln!("{what}; set aside as .damaged, the shard is made again");
            folder.set_aside(shard)?;
        }
        shards.push(shard);
    }
    Ok(shards)
}
