use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use discern_board::Board;
use discern_eval::AnyEvaluator;
use discern_search::{Engine, Options, engine};

use crate::TrainError;

/// What `search` finds for each board, in their order. Each thread has an engine
/// and takes `batch` boards at a time; what one taught may help with the next of
/// its batch, and nothing else, so that the number of threads changes nothing.
///
/// # Errors
/// Without memory for the engines.
pub(crate) fn searched<T: Send>(
    evaluator: &AnyEvaluator,
    options: Options,
    boards: &[Board],
    batch: usize,
    threads: usize,
    search: &(dyn Fn(&mut dyn Engine, &Board) -> T + Sync),
) -> Result<Vec<T>, TrainError> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(boards.len().div_ceil(batch)));
    let work = || -> std::io::Result<()> {
        let mut engine = engine(evaluator.clone(), options)?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(mine) = boards.chunks(batch).nth(number) else { return Ok(()) };
            engine.forget();
            let results: Vec<T> = mine.iter().map(|board| search(&mut *engine, board)).collect();
            found.lock().expect("nobody panics").push((number, results));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("searches do not panic"))
    })
    .map_err(|error| TrainError::Setting(format!("no memory to search: {error}")))?;
    let mut found = found.into_inner().expect("nobody panicked");
    found.sort_unstable_by_key(|&(number, _)| number);
    Ok(found.into_iter().flat_map(|(_, results)| results).collect())
}
