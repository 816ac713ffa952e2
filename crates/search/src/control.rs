use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::Limits;
use crate::stopwatch::Stopwatch;

/// A switch that ends a search from outside, from any thread. Clones share
/// the switch.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A switch that has not been thrown.
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Ends the search within a few milliseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Has the switch been thrown?
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a running search has to end, shared by its threads.
#[derive(Debug)]
pub(crate) struct Control {
    outside: StopFlag,
    /// Set once a limit is reached; ends this search only.
    over: AtomicBool,
    watch: Stopwatch,
    max_time: Option<Duration>,
    max_nodes: u64,
    /// Nodes of all threads, as far as reported.
    nodes: AtomicU64,
}

impl Control {
    /// Nodes between two looks at the clock: a tenth of a millisecond.
    pub const REPORT: u64 = 1024;

    pub fn new(outside: StopFlag, watch: Stopwatch, limits: &Limits) -> Control {
        Control {
            outside,
            over: AtomicBool::new(false),
            watch,
            max_time: limits.time.map(|time| time.maximum),
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
        }
    }

    /// Must the search end? `uncounted` are a thread's nodes that it has not
    /// reported yet.
    #[inline(always)]
    pub fn is_over(&self, uncounted: u64) -> bool {
        if self.max_nodes != u64::MAX
            && self.nodes.load(Ordering::Relaxed) + uncounted >= self.max_nodes
        {
            self.over.store(true, Ordering::Relaxed);
        }
        self.over.load(Ordering::Relaxed)
    }

    /// Counts a thread's nodes in and looks at the limits.
    pub fn report(&self, uncounted: u64) {
        let total = self.nodes.fetch_add(uncounted, Ordering::Relaxed) + uncounted;
        let late = self.max_time.is_some_and(|time| self.watch.elapsed() >= time);
        if late || total >= self.max_nodes || self.outside.is_stopped() {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Has a limit ended the search?
    pub fn ended(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Nodes of all threads, as far as reported.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
