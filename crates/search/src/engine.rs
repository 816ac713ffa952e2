use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use discern_board::Board;
use discern_eval::{AnyEvaluator, Evaluator, EvaluatorVisitor};

use crate::{Limits, Options, PlainSearcher, Report, Searcher, StopFlag};

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

    /// As [`Evaluator::spread`], of the evaluator behind it.
    fn spread(&self, discs: u32) -> Option<i32>;
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

    fn spread(&self, discs: u32) -> Option<i32> {
        self.evaluator().spread(discs)
    }
}

/// An engine that plays by this evaluator; fails without memory for its table.
/// It has no more threads than there are processors: threads that take turns on
/// one search what the others would have made needless.
///
/// Here the search is compiled for each type of evaluator: programs that go
/// through it share that code instead of making their own.
pub fn engine(evaluator: AnyEvaluator, options: Options) -> io::Result<Box<dyn Engine>> {
    let processors = available_parallelism().map_or(1, NonZero::get);
    let threads = options.threads.min(processors);
    evaluator.visit(Build(Options { threads, ..options }))
}

struct Build(Options);

impl EvaluatorVisitor for Build {
    type Output = io::Result<Box<dyn Engine>>;

    fn visit<E: Evaluator + 'static>(self, evaluator: E) -> Self::Output {
        Ok(Box::new(Searcher::new(evaluator, self.0)?))
    }
}

/// The second program with this evaluator: another search, without a table.
pub fn plain_engine(evaluator: AnyEvaluator) -> Box<dyn Engine> {
    evaluator.visit(BuildPlain)
}

struct BuildPlain;

impl EvaluatorVisitor for BuildPlain {
    type Output = Box<dyn Engine>;

    fn visit<E: Evaluator + 'static>(self, evaluator: E) -> Self::Output {
        Box::new(PlainSearcher::new(evaluator))
    }
}
