use std::io;
use std::sync::Mutex;

use discern_search::{Engine, Options};

use crate::models::Models;
use crate::settings::Bounds;

/// Engines between two searches. A client that comes back finds what its
/// last search learned; there are never more engines than searches that may
/// run at once, so their tables take bounded memory.
#[derive(Debug)]
pub struct Engines {
    most: usize,
    table_mebibytes: usize,
    idle: Mutex<Idle>,
}

#[derive(Debug, Default)]
struct Idle {
    /// The one used last at the end.
    engines: Vec<Kept>,
    busy: usize,
}

/// What an engine is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    /// Whose searches it remembers.
    pub client: String,
    /// Its evaluation function.
    pub model: String,
    /// Its threads.
    pub threads: usize,
}

struct Kept {
    purpose: Purpose,
    engine: Box<dyn Engine>,
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.purpose.fmt(f)
    }
}

impl Engines {
    /// No engine yet.
    pub fn new(bounds: &Bounds) -> Engines {
        Engines {
            most: 2 * bounds.threads.max(1),
            table_mebibytes: bounds.table_of_one(),
            idle: Mutex::default(),
        }
    }

    /// Lends an engine for the time of `work`.
    pub fn with<T>(
        &self,
        models: &Models,
        purpose: &Purpose,
        work: impl FnOnce(&mut dyn Engine) -> T,
    ) -> io::Result<T> {
        let known = self.take(purpose);
        let _busy = Busy(self);
        let mut engine = match known {
            Some(engine) => engine,
            None => {
                let table_mebibytes = self.table_mebibytes;
                models
                    .engine(&purpose.model, Options { threads: purpose.threads, table_mebibytes })?
            }
        };
        let result = work(&mut *engine);
        self.idle().engines.push(Kept { purpose: purpose.clone(), engine });
        Ok(result)
    }

    /// The client's engine, if it is still there; otherwise makes room for a
    /// new one.
    fn take(&self, purpose: &Purpose) -> Option<Box<dyn Engine>> {
        let mut idle = self.idle();
        idle.busy += 1;
        let known = idle.engines.iter().position(|kept| kept.purpose == *purpose);
        if let Some(index) = known {
            return Some(idle.engines.remove(index).engine);
        }
        let room = self.most.saturating_sub(idle.busy);
        let surplus = idle.engines.len().saturating_sub(room);
        idle.engines.drain(..surplus);
        None
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Counts a busy engine until it is given back, even by a panic.
struct Busy<'a>(&'a Engines);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.idle().busy -= 1;
    }
}
