use std::sync::atomic::{AtomicBool, Ordering};

use discern_search::StopFlag;

/// The two ways to end a tournament early, from any thread.
#[derive(Debug, Default)]
pub struct Halt {
    finishing: AtomicBool,
    aborting: StopFlag,
}

impl Halt {
    /// Nothing is to be halted yet.
    pub fn new() -> Halt {
        Halt::default()
    }

    /// Begin no new game; those under way are finished.
    pub fn finish(&self) {
        self.finishing.store(true, Ordering::Relaxed);
    }

    /// Drop the games under way, too.
    pub fn abort(&self) {
        self.finish();
        self.aborting.stop();
    }

    /// Is no new game to begin?
    pub fn is_finishing(&self) -> bool {
        self.finishing.load(Ordering::Relaxed)
    }

    /// Are games under way to be dropped?
    pub fn is_aborting(&self) -> bool {
        self.aborting.is_stopped()
    }

    /// What a player looks at.
    pub fn stop_flag(&self) -> &StopFlag {
        &self.aborting
    }
}
