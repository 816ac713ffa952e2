use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::JobError;
use crate::folder::RunFolder;
use crate::halt::Halt;
use crate::job::{Job, Site};
use crate::seal::Seal;

/// What happens while shards are worked on.
#[derive(Debug)]
pub enum Step {
    /// So many units were finished.
    Units(u64),
    /// A shard is whole.
    Shard(Seal),
}

/// How shards are worked on.
#[derive(Clone, Copy)]
pub struct Crew<'a> {
    /// Shards at the same time, each by one thread.
    pub threads: usize,
    /// Start a program again that has died.
    pub restart: bool,
    /// Ends the work.
    pub halt: &'a Halt,
}

/// Processors of this machine, as far as this process may use them.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many searches of so many threads each keep all cores busy: more would
/// steal each other's time.
pub fn cores_for(search_threads: usize) -> usize {
    (cores() / search_threads.max(1)).max(1)
}

/// As many games at a time as asked for, or as there are cores for; `why` more
/// would be wrong.
///
/// # Errors
/// If there are fewer cores.
pub fn fair_games(
    asked: Option<NonZeroUsize>,
    search_threads: usize,
    why: &str,
) -> Result<usize, JobError> {
    match asked.map(usize::from) {
        None => Ok(cores_for(search_threads)),
        Some(asked) if asked > cores() => {
            let what = format!("{asked} games at the same time on {} cores {why}", cores());
            Err(JobError::Plan(what))
        }
        Some(asked) => Ok(asked),
    }
}

/// Works on these shards. Finished shards stay whatever happens to the others;
/// the first error ends the work after the shards in hand, and so does a halt.
/// `tell` hears of every step, from any thread.
pub fn run_missing<J: Job>(
    folder: &RunFolder<J>,
    shards: &[u32],
    crew: Crew,
    tell: &(dyn Fn(Step) + Sync),
) -> Result<(), JobError> {
    folder.sweep()?;
    let site = Site {
        plan: folder.name().into(),
        folder: folder.path(),
        store: folder.store(),
        restart: crew.restart,
        halt: crew.halt,
    };
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<JobError>> = Mutex::new(None);
    let work = || -> Result<(), JobError> {
        let mut worker = folder.work().worker(&site)?;
        while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
            if crew.halt.is_finishing() {
                return Err(JobError::Halted);
            }
            let games = folder.work().shard(&mut worker, &site, shard, &mut |units| {
                tell(Step::Units(units));
            })?;
            tell(Step::Shard(folder.write(shard, &games)?));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..crew.threads.clamp(1, shards.len().max(1)) {
            scope.spawn(|| {
                if let Err(error) = work() {
                    next.store(shards.len(), Ordering::Relaxed);
                    failure.lock().expect("no panic holds it").get_or_insert(error);
                }
            });
        }
    });
    failure.into_inner().expect("no panic holds it").map_or(Ok(()), Err)
}
