use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::JobError;
use crate::folder::RunFolder;
use crate::job::Job;
use crate::seal::Seal;

/// What happens while shards are worked on.
#[derive(Debug)]
pub enum Step {
    /// So many units were finished.
    Units(u64),
    /// A shard is whole.
    Shard(Seal),
}

/// Works on these shards with some threads, each shard by one thread. Finished
/// shards stay whatever happens to the others; the first error ends the work
/// after the shards in hand. `tell` hears of every step, from any thread.
pub fn run_missing<J: Job>(
    folder: &RunFolder<J>,
    shards: &[u32],
    threads: usize,
    tell: &(dyn Fn(Step) + Sync),
) -> Result<(), JobError> {
    folder.sweep()?;
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<JobError>> = Mutex::new(None);
    let work = || -> Result<(), JobError> {
        let mut worker = folder.plan().worker(folder.path())?;
        while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
            let games = folder.plan().shard(&mut worker, shard, &mut |units| {
                tell(Step::Units(units));
            })?;
            tell(Step::Shard(folder.write(shard, &games)?));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, shards.len().max(1)) {
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
