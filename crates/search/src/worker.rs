use std::sync::Arc;

use discern_eval::Evaluator;

use crate::control::Control;
use crate::deep::Candidate;
use crate::endgame::Endgame;
use crate::midgame::Killers;
use crate::split::{Pool, Split};
use crate::table::Table;
use crate::ticker::Ticker;

/// One thread of a search: what it shares with the others and what is its own.
pub(crate) struct Worker<'a, E: Evaluator> {
    pub evaluator: &'a E,
    pub table: &'a Table,
    pub control: &'a Control,
    /// Where to share work; `None` in a search with one thread.
    pub pool: Option<&'a Pool<E::State>>,
    /// The endgame search and, with it, this thread's node count.
    pub endgame: &'a mut Endgame,
    /// The split point this thread is working for.
    pub split: Option<Arc<Split<E::State>>>,
    /// Nodes already counted by the control.
    pub reported: u64,
    /// Emptied lists of candidates, to be used again.
    pub spare: Vec<Vec<Candidate<E::State>>>,
    /// What to try first near the horizon.
    pub killers: Killers,
    /// How often a selective search has taken a guess for a bound: what a node
    /// found while this stood still is proven.
    pub guesses: u64,
    /// Reports of a long proof, if this thread makes them.
    pub ticker: Option<Ticker<'a>>,
}

impl<'a, E: Evaluator> Worker<'a, E> {
    pub fn new(
        evaluator: &'a E,
        table: &'a Table,
        control: &'a Control,
        pool: Option<&'a Pool<E::State>>,
        endgame: &'a mut Endgame,
    ) -> Self {
        endgame.nodes = 0;
        Worker {
            evaluator,
            table,
            control,
            pool,
            endgame,
            split: None,
            reported: 0,
            spare: Vec::new(),
            killers: Killers::NONE,
            guesses: 0,
            ticker: None,
        }
    }

    /// Counts this thread's nodes in.
    pub fn report(&mut self) {
        self.control.report(self.endgame.nodes - self.reported);
        self.reported = self.endgame.nodes;
    }

    /// Counts this thread's nodes in, and reports if it is time to.
    #[cold]
    fn look_up(&mut self) {
        self.report();
        if let Some(ticker) = &mut self.ticker {
            ticker.look(self.control.nodes(), self.control.elapsed());
        }
    }

    /// Must this thread drop what it is doing?
    #[inline(always)]
    pub fn is_over(&mut self) -> bool {
        if self.endgame.nodes - self.reported >= Control::REPORT {
            self.look_up();
        }
        self.control.is_over(self.endgame.nodes - self.reported)
            || self.split.as_ref().is_some_and(|split| split.is_cancelled())
    }
}

impl<E: Evaluator> Drop for Worker<'_, E> {
    fn drop(&mut self) {
        self.report();
    }
}
