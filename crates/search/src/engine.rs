use discern_board::Board;
use discern_eval::Evaluator;

use crate::{Limits, Report, Searcher, StopFlag};

/// A [`Searcher`] with any evaluator, for callers that choose one at run time.
pub trait Engine: Send {
    /// As [`Searcher::search`].
    fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Report),
    ) -> Report;

    /// As [`Searcher::forget`].
    fn forget(&mut self);
}

impl<E: Evaluator> Engine for Searcher<E> {
    fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        Searcher::search(self, board, limits, stop, progress)
    }

    fn forget(&mut self) {
        Searcher::forget(self);
    }
}
