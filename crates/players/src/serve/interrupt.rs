use std::sync::{Arc, Mutex, MutexGuard};

use discern_search::StopFlag;

/// How easily a search gives way to what comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Only a ping or the end stops it: somebody waits for its move.
    Firm,
    /// Any new wish stops it.
    Yielding,
}

/// What a line of input means for searches asked for before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Nothing: they go on.
    None,
    /// Something new is wanted.
    New,
    /// They must end.
    Stop,
}

/// Between the thread that reads and the thread that searches: a search ends
/// when a later line wants it to, even one read before the search began.
#[derive(Debug, Clone, Default)]
pub struct Interrupts(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    last_stop: u64,
    last_new: u64,
    running: Option<(u64, Patience, StopFlag)>,
}

impl State {
    fn must_stop(&self, line: u64, patience: Patience) -> bool {
        self.last_stop > line || patience == Patience::Yielding && self.last_new > line
    }
}

impl Interrupts {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nobody panics while holding it")
    }

    /// The reader: line number `line` (from 1) has this wish.
    pub fn heard(&self, line: u64, wish: Wish) {
        let mut state = self.state();
        match wish {
            Wish::None => return,
            Wish::New => state.last_new = line,
            Wish::Stop => (state.last_stop, state.last_new) = (line, line),
        }
        if let Some((asked, patience, stop)) = &state.running
            && state.must_stop(*asked, *patience)
        {
            stop.stop();
        }
    }

    /// The searcher: a search asked for in this line begins.
    pub fn begin(&self, line: u64, patience: Patience) -> StopFlag {
        let mut state = self.state();
        let stop = StopFlag::new();
        if state.must_stop(line, patience) {
            stop.stop();
        }
        state.running = Some((line, patience, stop.clone()));
        stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_wishes_stop_earlier_searches() {
        let interrupts = Interrupts::default();
        let hint = interrupts.begin(3, Patience::Yielding);
        interrupts.heard(4, Wish::None);
        assert!(!hint.is_stopped());
        interrupts.heard(5, Wish::New);
        assert!(hint.is_stopped());
        let go = interrupts.begin(5, Patience::Firm);
        interrupts.heard(6, Wish::New);
        assert!(!go.is_stopped());
        interrupts.heard(7, Wish::Stop);
        assert!(go.is_stopped());
        // Read before the search began, but after it was asked for.
        assert!(interrupts.begin(6, Patience::Firm).is_stopped());
        assert!(!interrupts.begin(8, Patience::Yielding).is_stopped());
    }
}
