use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use discern_arena::openings::Selection;
use discern_board::Game;
use discern_eval::Weights;
use discern_search::{Engine, Model, StopFlag};

use super::engine::engine;
use super::folder::{Folder, write_whole};
use super::source::Source;
use super::steps::bar;

const OPENINGS: &str = "openings.txt";

/// So many openings: the first of those given, and if these are not enough,
/// others found as the paper's were, nearly even for the fitted LOG.
pub fn openings(
    given: &Source,
    count: usize,
    weights: &Weights,
    seed: u64,
    threads: usize,
    folder: &Folder,
) -> Result<Vec<Game>> {
    let mut openings = given.openings()?;
    if openings.len() < count {
        let path = folder.work(OPENINGS);
        let more = match path.exists() {
            true => read(path)?,
            false => {
                let found = find(&openings, count, weights, seed, threads)?;
                let lines: String = found.iter().map(|game| format!("{game}\n")).collect();
                write_whole(&path, lines.as_bytes())?;
                found
            }
        };
        openings.extend(more);
    }
    openings.truncate(count);
    Ok(openings)
}

fn read(path: PathBuf) -> Result<Vec<Game>> {
    Source::new("openings", Some(&path), &[])?.openings()
}

/// Openings besides those given, apart from them and from each other.
fn find(
    given: &[Game],
    count: usize,
    weights: &Weights,
    seed: u64,
    threads: usize,
) -> Result<Vec<Game>> {
    let selection = Selection { count: count - given.len(), seed, ..Selection::default() };
    let mut engines: Vec<Box<dyn Engine>> =
        (0..threads).map(|_| engine(Model::Log, weights)).collect::<Result<_>>()?;
    let bar = bar(selection.count as u64, "openings");
    bar.set_message("more nearly even openings");
    let told = |found: usize| bar.set_position(found as u64);
    let found = selection.find(given, &mut engines, &StopFlag::new(), told);
    if found.len() < selection.count {
        bail!("only {} nearly even openings were found", given.len() + found.len());
    }
    Ok(found.into_iter().map(|opening| opening.game).collect())
}

/// Checks the number asked for.
pub fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().context("not a number").ok();
    count.filter(|count| (1..=5000).contains(count)).ok_or("a number from 1 to 5000".to_owned())
}
