use discern_arena::openings::Selection;
use discern_board::Game;
use discern_search::{Engine, StopFlag};

use crate::Source;
use crate::error::{Doing, ExperimentError};
use crate::event::Event;
use crate::folder::Folder;
use crate::models::Models;

const OPENINGS: &str = "openings.txt";

/// This many openings: the first of those given, and if these are not enough,
/// others found as the paper's were, nearly even for the fitted LOG.
pub fn openings(
    given: &Source,
    selection: Selection,
    models: &Models,
    threads: usize,
    folder: &Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Vec<Game>, ExperimentError> {
    let mut openings = given.openings()?;
    if openings.len() < selection.count {
        let path = folder.work(OPENINGS);
        if !path.exists() {
            let more = Selection { count: selection.count - openings.len(), ..selection };
            let found = find(&openings, more, models, threads, watch)?;
            let lines: String = found.iter().map(|game| format!("{game}\n")).collect();
            discern_files::write(&path, lines.as_bytes(), true).to_file(&path)?;
        }
        openings.extend(Source::read("openings", &path)?.openings()?);
    }
    openings.truncate(selection.count);
    Ok(openings)
}

/// Openings besides those given, apart from them and from each other.
fn find(
    given: &[Game],
    selection: Selection,
    models: &Models,
    threads: usize,
    watch: &mut dyn FnMut(Event),
) -> Result<Vec<Game>, ExperimentError> {
    let mut engines: Vec<Box<dyn Engine>> =
        (0..threads).map(|_| models.engine("log")).collect::<Result<_, _>>()?;
    let (unit, what, of) = ("openings", "more nearly even openings", selection.count as u64);
    let found = selection.find(given, &mut engines, &StopFlag::new(), |found| {
        watch(Event::Counted { unit, what, done: found as u64, of });
    });
    if found.len() < selection.count {
        return Err(ExperimentError::Openings {
            path: OPENINGS.into(),
            reason: format!("only {} nearly even openings were found", given.len() + found.len()),
        });
    }
    Ok(found.into_iter().map(|opening| opening.game).collect())
}
