//! One pass over sparse blocks on any number of threads.
//!
//! Unlike the dense pass, results are not put in order: all that is added up
//! are whole numbers, for which the order is of no
//! consequence. A thread keeps one accumulator for all its blocks, as large as
//! the weights, where an ordered sum would need one per block.

use std::sync::{Mutex, PoisonError};

use super::block::SparseBlock;
use super::examples::SparseExamples;
use crate::error::DataError;
use crate::pass::Threads;

/// Fewer blocks than this are not worth another thread.
const LEAST_BLOCKS: usize = 4;

/// Lets every thread work on blocks with a state of its own, and returns the
/// states. `work` also gets the number of the block.
pub(crate) fn pass<S: Send>(
    examples: &dyn SparseExamples,
    threads: Threads,
    state: impl Fn() -> S + Sync,
    work: impl Fn(usize, SparseBlock, &mut S) + Sync,
) -> Result<Vec<S>, DataError> {
    let blocks = examples.blocks();
    let at_most = blocks.size_hint().1.unwrap_or(usize::MAX);
    let source = Mutex::new(blocks.enumerate());
    let run = || -> Result<S, DataError> {
        let mut state = state();
        loop {
            // A block of a file is read under the lock, while others compute.
            let next = source.lock().unwrap_or_else(PoisonError::into_inner).next();
            match next {
                None => return Ok(state),
                Some((index, block)) => work(index, block?, &mut state),
            }
        }
    };
    let helpers = threads.count().min(at_most / LEAST_BLOCKS).saturating_sub(1);
    if helpers == 0 {
        return Ok(vec![run()?]);
    }
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(run)).collect();
        let mine = run();
        let theirs = helpers.into_iter().map(|helper| match helper.join() {
            Ok(result) => result,
            // A panic of a helper is a bug of ours: it goes on as that panic.
            Err(panic) => std::panic::resume_unwind(panic),
        });
        theirs.chain([mine]).collect()
    })
}
