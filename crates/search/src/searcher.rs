use std::cell::RefCell;
use std::io;

use discern_board::Board;
use discern_eval::Evaluator;

use crate::control::{Control, StopFlag};
use crate::endgame::Endgame;
use crate::root::Root;
use crate::split::Pool;
use crate::stopwatch::{Stopwatch, Timing};
use crate::table::Table;
use crate::worker::Worker;
use crate::{Limits, Report};

/// Memory and threads of a searcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Threads that search one position, at least one.
    pub threads: usize,
    /// Size of the transposition table; the memory is used as it fills.
    pub table_mebibytes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, table_mebibytes: 64 }
    }
}

/// Finds the best moves of a position with a given evaluator.
///
/// The transposition table is kept between searches, which helps in the
/// course of a game; [`Searcher::forget`] clears it. From a cleared table,
/// with one thread and without a clock, the same position gives the same
/// report every time.
#[derive(Debug)]
pub struct Searcher<E> {
    evaluator: E,
    options: Options,
    table: Table,
    endgames: Vec<Endgame>,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher that knows nothing yet; fails without memory for the table.
    pub fn new(evaluator: E, options: Options) -> io::Result<Searcher<E>> {
        let threads = options.threads.max(1);
        Ok(Searcher {
            evaluator,
            options: Options { threads, ..options },
            table: Table::with_mebibytes(options.table_mebibytes)?,
            endgames: (0..threads).map(|_| Endgame::new()).collect(),
        })
    }

    /// The evaluator in use.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Memory and threads in use.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Forgets all former searches, as for a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        self.endgames.iter_mut().for_each(Endgame::clear);
    }

    /// Searches `board` until a limit is reached, `stop` is thrown or the
    /// position is solved. `progress` hears of every finished step, and of a
    /// proof as often as [`Limits::tick`] says.
    ///
    /// However early the search has to end, the report has a legal move; it
    /// has none only if the game is over.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        progress: impl FnMut(&Report),
    ) -> Report {
        let timing = if self.options.threads > 1 { Timing::Wall } else { limits.timing };
        let watch = Stopwatch::start(timing);
        self.table.next_search();
        let control = Control::new(stop.clone(), watch, limits);
        let progress = RefCell::new(progress);
        let tell = |report: &Report| (progress.borrow_mut())(report);
        let pool = (self.options.threads > 1).then(Pool::new);
        let (first, others) = self.endgames.split_first_mut().expect("at least one thread");
        let mut report = std::thread::scope(|scope| {
            let (evaluator, table, control) = (&self.evaluator, &self.table, &control);
            let pool = pool.as_ref();
            for endgame in others {
                scope.spawn(move || {
                    let mut worker = Worker::new(evaluator, table, control, pool, endgame);
                    pool.expect("helpers have a pool").serve(|split| worker.work_on(split));
                });
            }
            let worker = Worker::new(evaluator, table, control, pool, first);
            let report = Root::new(worker, limits, watch, &tell).search(board);
            if let Some(pool) = pool {
                pool.close();
            }
            report
        });
        report.nodes = control.nodes();
        report.time = watch.elapsed();
        report.interrupted = control.ended();
        report
    }
}
