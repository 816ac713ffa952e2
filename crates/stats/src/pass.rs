//! One pass over the examples on any number of threads, with one result.
//!
//! Floating-point sums depend on their order, so the order is fixed by the
//! data: blocks are mapped in parallel, but their results are taken in block
//! order and added pairwise. The same bits come out for any number of threads,
//! and the rounding error grows with the logarithm of the number of blocks.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::block::Block;
use crate::error::DataError;
use crate::examples::Examples;

/// Partial results that can be added up.
pub(crate) trait Merge {
    /// Adds what comes after `self` in block order.
    fn merge(&mut self, later: Self);
}

/// Number of threads of a pass, from 1 to [`Threads::MOST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Threads(usize);

impl Threads {
    /// One thread.
    pub const ONE: Self = Self(1);
    /// Each thread takes working memory, and no machine gains from more.
    pub const MOST: usize = 256;

    /// This many threads, or as near to it as allowed.
    pub const fn new(threads: usize) -> Self {
        match threads {
            0 => Self::ONE,
            Self::MOST.. => Self(Self::MOST),
            some => Self(some),
        }
    }

    /// One thread for each processor this process may use.
    pub fn available() -> Self {
        Self::new(std::thread::available_parallelism().map_or(1, NonZeroUsize::get))
    }

    /// The number.
    pub const fn count(self) -> usize {
        self.0
    }
}

impl FromStr for Threads {
    type Err = String;

    /// A number that is allowed.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(threads @ 1..=Self::MOST) => Ok(Self(threads)),
            _ => Err(format!("give 1 to {}", Self::MOST)),
        }
    }
}

impl Default for Threads {
    fn default() -> Self {
        Self::available()
    }
}

/// Maps every block to partial results by key and adds those of each key.
///
/// `map` appends to its last argument; `scratch` makes the working memory of a
/// thread.
pub(crate) fn pass<S, K, R>(
    examples: &dyn Examples,
    threads: Threads,
    scratch: impl Fn() -> S + Sync,
    map: impl Fn(&Block, &mut S, &mut Vec<(K, R)>) + Sync,
) -> Result<BTreeMap<K, R>, DataError>
where
    K: Ord + Send,
    R: Merge + Send,
{
    let mut sums: BTreeMap<K, PairwiseSum<R>> = BTreeMap::new();
    ordered(examples, threads, scratch, map, |key, result| {
        sums.entry(key).or_default().push(result);
    })?;
    Ok(sums.into_iter().filter_map(|(key, sum)| sum.finish().map(|total| (key, total))).collect())
}

/// Maps every block to results by key and hands them to `consume` in block
/// order, one at a time: for results that are too large to be added pairwise.
pub(crate) fn ordered<S, K, R>(
    examples: &dyn Examples,
    threads: Threads,
    scratch: impl Fn() -> S + Sync,
    map: impl Fn(&Block, &mut S, &mut Vec<(K, R)>) + Sync,
    consume: impl FnMut(K, R) + Send,
) -> Result<(), DataError>
where
    K: Send,
    R: Send,
{
    let blocks = examples.blocks();
    let blocks_at_most = blocks.size_hint().1.unwrap_or(usize::MAX);
    let source = Mutex::new(Source { blocks, next: 0 });
    let sink = Mutex::new(OrderedSink { next: 0, early: BTreeMap::new(), consume });
    let work = || -> Result<(), DataError> {
        let mut scratch = scratch();
        loop {
            // The lock covers reading the next block; a block in memory costs
            // nothing to "read", a block of a file is decoded under the lock.
            let (index, block) = {
                let mut source = lock(&source);
                let index = source.next;
                match source.blocks.next() {
                    None => return Ok(()),
                    Some(block) => {
                        source.next += 1;
                        (index, block?)
                    }
                }
            };
            let mut results = Vec::new();
            map(&block, &mut scratch, &mut results);
            lock(&sink).add(index, results);
        }
    };
    let helpers = threads.count().min(blocks_at_most / LEAST_BLOCKS).saturating_sub(1);
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
        let mine = work();
        // A helper has one block to finish: to sleep and be woken takes longer.
        let since = Instant::now();
        while !helpers.iter().all(|helper| helper.is_finished()) && since.elapsed() < PATIENCE {
            std::hint::spin_loop();
        }
        // A panic of a helper is a bug of ours: it goes on as that panic.
        helpers.into_iter().try_fold((), |(), helper| match helper.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })?;
        mine
    })
}

/// Fewer blocks than this are not worth another thread.
const LEAST_BLOCKS: usize = 4;

/// How long to watch the helpers finish before sleeping.
const PATIENCE: Duration = Duration::from_micros(500);

struct Source<'a> {
    blocks: crate::examples::Blocks<'a>,
    next: u64,
}

/// A poisoned lock means another worker panicked, which `pass` passes on.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Takes results in any order and passes them on in block order.
struct OrderedSink<K, R, F> {
    next: u64,
    early: BTreeMap<u64, Vec<(K, R)>>,
    consume: F,
}

impl<K, R, F: FnMut(K, R)> OrderedSink<K, R, F> {
    fn add(&mut self, index: u64, results: Vec<(K, R)>) {
        self.early.insert(index, results);
        while let Some(results) = self.early.remove(&self.next) {
            self.next += 1;
            for (key, result) in results {
                (self.consume)(key, result);
            }
        }
    }
}

/// The sum of partial results in their order; `None` of none.
pub(crate) fn merged<R: Merge>(parts: Vec<R>) -> Option<R> {
    let mut sum = PairwiseSum::default();
    parts.into_iter().for_each(|part| sum.push(part));
    sum.finish()
}

/// Adds like a binary counter: two sums of 2ᵏ terms become one of 2ᵏ⁺¹.
struct PairwiseSum<R>(Vec<(u32, R)>);

impl<R> Default for PairwiseSum<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Merge> PairwiseSum<R> {
    fn push(&mut self, term: R) {
        self.0.push((0, term));
        while let [.., (earlier, _), (later, _)] = self.0[..]
            && earlier == later
        {
            self.merge_last_two();
        }
    }

    fn merge_last_two(&mut self) {
        if let Some((_, later)) = self.0.pop()
            && let Some((level, earlier)) = self.0.last_mut()
        {
            earlier.merge(later);
            *level += 1;
        }
    }

    fn finish(mut self) -> Option<R> {
        while self.0.len() > 1 {
            self.merge_last_two();
        }
        self.0.pop().map(|(_, total)| total)
    }
}
