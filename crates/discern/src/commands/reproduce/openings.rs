use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use discern_arena::openings::Selection;
use discern_board::{Board, Game};
use discern_eval::Weights;
use discern_search::{Engine, StopFlag};
use indicatif::{ProgressBar, ProgressStyle};

use super::engine::engine;
use super::folder::{Folder, write_whole};
use super::paper::Model;
use super::source::Source;

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

/// Openings besides those given, apart from them after seven moves.
fn find(
    given: &[Game],
    count: usize,
    weights: &Weights,
    seed: u64,
    threads: usize,
) -> Result<Vec<Game>> {
    // As many as all together: the same lines may come up again.
    let selection = Selection { count, seed, ..Selection::default() };
    let mut engines: Vec<Box<dyn Engine>> =
        (0..threads).map(|_| engine(Model::Log, weights)).collect::<Result<_>>()?;
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} openings, {eta} left")
        .expect("a valid template");
    let bar = ProgressBar::new(count as u64).with_style(style);
    let found =
        selection.find(&mut engines, &StopFlag::new(), |found| bar.set_position(found as u64));
    bar.finish_and_clear();
    let line = |game: &Game| -> Option<Board> {
        game.boards().nth(selection.apart_after).map(|board| board.canonical())
    };
    let known: HashSet<Option<Board>> = given.iter().map(line).collect();
    let more: Vec<Game> = found
        .into_iter()
        .map(|opening| opening.game)
        .filter(|game| !known.contains(&line(game)))
        .take(count - given.len())
        .collect();
    if given.len() + more.len() < count {
        bail!("only {} nearly even openings were found", given.len() + more.len());
    }
    Ok(more)
}

/// Checks the number asked for.
pub fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().context("not a number").ok();
    count.filter(|count| (1..=5000).contains(count)).ok_or("a number from 1 to 5000".to_owned())
}
