//! Several threads in one tree: "young brothers wait". Once the first move of
//! a node has been searched and did not cut off, its brothers may be shared
//! out to idle threads. Unlike threads that each search the whole tree over a
//! common table, nothing is searched on the off chance, which is what counts
//! in exact endgames.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use discern_board::Square;

use crate::deep::{Aim, Candidate};

/// A node whose remaining moves are open to all threads.
#[derive(Debug)]
pub(crate) struct Split<S> {
    /// The split point above, if this node is part of another one's work.
    pub parent: Option<Arc<Split<S>>>,
    pub aim: Aim,
    pub depth: u32,
    pub beta: i32,
    pub candidates: Vec<Candidate<S>>,
    pub progress: Mutex<Progress>,
    /// A move reached beta: all work on this node is void.
    pub cancelled: AtomicBool,
}

/// How far the work on a [`Split`] has come.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The next candidate to search.
    pub next: usize,
    pub alpha: i32,
    pub best: i32,
    pub best_move: Option<Square>,
}

impl<S> Split<S> {
    /// Is work on this node pointless, here or anywhere above?
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Is this node part of the work on `ancestor`?
    fn descends_from(&self, ancestor: &Arc<Split<S>>) -> bool {
        let mut above = self.parent.as_ref();
        while let Some(split) = above {
            if Arc::ptr_eq(split, ancestor) {
                return true;
            }
            above = split.parent.as_ref();
        }
        false
    }

    pub fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().expect("no thread panics while it holds the lock")
    }

    fn has_work(&self) -> bool {
        !self.is_cancelled() && self.progress().next < self.candidates.len()
    }
}

/// The open split points and the threads waiting for one.
#[derive(Debug)]
pub(crate) struct Pool<S> {
    open: Mutex<Open<S>>,
    changed: Condvar,
    /// Counts changes: what a waiting thread watches before it lies down.
    changes: AtomicUsize,
    idle: AtomicUsize,
}

/// How long a thread watches for work before it sleeps. Somebody comes by a
/// node to share within a fraction of a millisecond, on average. Watching for
/// 2 ms instead takes 8 % more processor time in FFO 41 and 42 with two threads
/// on a busy machine (nine alternating runs, 3 to 17 %).
const WATCH: Duration = Duration::from_micros(200);

#[derive(Debug)]
struct Open<S> {
    splits: Vec<(Arc<Split<S>>, usize)>,
    closed: bool,
}

impl<S> Pool<S> {
    pub fn new() -> Pool<S> {
        Pool {
            open: Mutex::new(Open { splits: Vec::new(), closed: false }),
            changed: Condvar::new(),
            changes: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open<S>> {
        self.open.lock().expect("no thread panics while it holds the lock")
    }

    /// Is a thread waiting for work?
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Offers a node's moves to the other threads.
    pub fn open(&self, split: &Arc<Split<S>>) {
        self.lock().splits.push((Arc::clone(split), 0));
        self.tell();
    }

    /// Takes the offer back.
    fn remove(&self, open: &mut Open<S>, split: &Arc<Split<S>>) {
        open.splits.retain(|(other, _)| !Arc::ptr_eq(other, split));
    }

    /// Works for other nodes until [`Pool::close`]; `work` searches the moves
    /// of the split point it is given.
    pub fn serve(&self, mut work: impl FnMut(&Arc<Split<S>>)) {
        let mut open = self.lock();
        while !open.closed {
            open = self.help_or_wait(open, &mut work, |_| true);
        }
    }

    /// Waits until the helpers have left `split`, working on nodes below it
    /// meanwhile, and takes it off the list. A cancelled node is left at once:
    /// its helpers own what they use, and nobody needs their results.
    pub fn finish(&self, split: &Arc<Split<S>>, mut work: impl FnMut(&Arc<Split<S>>)) {
        let mut open = self.lock();
        loop {
            let helpers = open.splits.iter().find(|(other, _)| Arc::ptr_eq(other, split));
            let busy = helpers.is_some_and(|&(_, helpers)| helpers > 0);
            if !busy || split.is_cancelled() {
                self.remove(&mut open, split);
                return;
            }
            open = self.help_or_wait(open, &mut work, |other| other.descends_from(split));
        }
    }

    /// Helps at the largest open node that `suits`, or waits for a change.
    fn help_or_wait<'a>(
        &'a self,
        mut open: MutexGuard<'a, Open<S>>,
        work: &mut impl FnMut(&Arc<Split<S>>),
        suits: impl Fn(&Split<S>) -> bool,
    ) -> MutexGuard<'a, Open<S>> {
        let suitable = open.splits.iter_mut().filter(|(split, _)| suits(split) && split.has_work());
        let Some((split, helpers)) = suitable.max_by_key(|(split, _)| split.depth) else {
            return self.wait(open);
        };
        *helpers += 1;
        let split = Arc::clone(split);
        drop(open);
        work(&split);
        let mut open = self.lock();
        if let Some((_, helpers)) =
            open.splits.iter_mut().find(|(other, _)| Arc::ptr_eq(other, &split))
        {
            *helpers -= 1;
        }
        self.tell();
        open
    }

    /// Sends all waiting threads home.
    pub fn close(&self) {
        self.lock().closed = true;
        self.tell();
    }

    /// Tells the waiting threads that something has changed.
    fn tell(&self) {
        self.changes.fetch_add(1, Ordering::Release);
        self.changed.notify_all();
    }

    /// Waits until something has changed, or for no reason.
    fn wait<'a>(&'a self, open: MutexGuard<'a, Open<S>>) -> MutexGuard<'a, Open<S>> {
        let seen = self.changes.load(Ordering::Acquire);
        self.idle.fetch_add(1, Ordering::Relaxed);
        drop(open);
        let start = Instant::now();
        while self.changes.load(Ordering::Acquire) == seen && start.elapsed() < WATCH {
            std::hint::spin_loop();
        }
        let mut open = self.lock();
        if self.changes.load(Ordering::Acquire) == seen {
            open = self.changed.wait(open).expect("no thread panics while it holds the lock");
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        open
    }
}
