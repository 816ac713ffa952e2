use std::time::Instant;

use discern_board::{Board, Move, Outcome, Score, Square};
use discern_eval::{Evaluator, Value};

use crate::control::{Control, StopFlag};
use crate::deep::{Aim, Candidate, Node};
use crate::endgame::Endgame;
use crate::split::Pool;
use crate::table::Table;
use crate::worker::Worker;
use crate::{Certainty, Limits, Line, Report};

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
        Options { threads: 1, table_mebibytes: 256 }
    }
}

/// Finds the best moves of a position with a given evaluator.
///
/// The transposition table is kept between searches, which helps in the
/// course of a game; [`Searcher::forget`] clears it. From a cleared table,
/// one thread and no clock, the same position gives the same report every
/// time.
#[derive(Debug)]
pub struct Searcher<E> {
    evaluator: E,
    options: Options,
    table: Table,
    endgames: Vec<Endgame>,
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher that knows nothing yet.
    pub fn new(evaluator: E, options: Options) -> Searcher<E> {
        let threads = options.threads.max(1);
        Searcher {
            evaluator,
            options: Options { threads, ..options },
            table: Table::with_mebibytes(options.table_mebibytes),
            endgames: (0..threads).map(|_| Endgame::new()).collect(),
        }
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
    /// position is solved. `progress` hears of every finished step.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        mut progress: impl FnMut(&Report),
    ) -> Report {
        let start = Instant::now();
        self.table.next_search();
        let deadline = limits.time.map(|time| start + time.maximum);
        let control = Control::new(stop.clone(), deadline, limits.nodes);
        let pool = (self.options.threads > 1).then(Pool::new);
        let (first, others) = self.endgames.split_first_mut().expect("at least one thread");
        std::thread::scope(|scope| {
            let (evaluator, table, control) = (&self.evaluator, &self.table, &control);
            let pool = pool.as_ref();
            for endgame in others {
                scope.spawn(move || {
                    let mut worker = Worker::new(evaluator, table, control, pool, endgame);
                    pool.expect("helpers have a pool").serve(|split| worker.work_on(split));
                });
            }
            let worker = Worker::new(evaluator, table, control, pool, first);
            let mut root = Root { worker, limits, start, report: Report::none() };
            root.search(board, &mut progress);
            let mut report = root.report;
            drop(root.worker);
            if let Some(pool) = pool {
                pool.close();
            }
            report.interrupted = control.ended();
            report
        })
        .finished(&control, start)
    }
}

impl Report {
    fn none() -> Report {
        Report { lines: Vec::new(), nodes: 0, time: Default::default(), interrupted: false }
    }

    /// With the totals of all threads.
    fn finished(mut self, control: &Control, start: Instant) -> Report {
        self.nodes = control.nodes();
        self.time = start.elapsed();
        self
    }
}

/// The search of one position, as the thread that was asked for it sees it.
struct Root<'a, E: Evaluator> {
    worker: Worker<'a, E>,
    limits: &'a Limits,
    start: Instant,
    report: Report,
}

impl<E: Evaluator> Root<'_, E> {
    fn search(&mut self, board: &Board, progress: &mut impl FnMut(&Report)) {
        let node = Node { board: *board, state: self.worker.evaluator.state(board) };
        if board.is_over() {
            return;
        }
        if board.must_pass() {
            let passed =
                Node { board: board.pass(), state: self.worker.evaluator.pass(&node.state) };
            // Searched as if it were the opponent's turn, told from our side.
            self.deepen(&passed, &mut |report| progress(&before_pass(report)));
            self.report = before_pass(&self.report);
            return;
        }
        self.deepen(&node, progress);
    }

    /// Iterative deepening, then the outcome, then the score, as far as the
    /// limits go.
    fn deepen(&mut self, node: &Node<E::State>, progress: &mut impl FnMut(&Report)) {
        let empties = node.board.empties();
        let solves_score = empties <= self.limits.score_empties;
        let solves_outcome = !solves_score && empties <= self.limits.outcome_empties;
        let deepest = self.limits.depth.unwrap_or(60).min(empties);
        // Before an endgame is solved, shallow searches teach the table which
        // moves to try first.
        let preparation = if solves_score || solves_outcome {
            preparation_depth(empties).min(deepest)
        } else {
            deepest
        };
        // A move to play, should time run out at once.
        let mut candidates = self.worker.successors(node);
        let lines = self.limits.lines.clamp(1, candidates.len());
        self.report.lines = vec![self.line(candidates[0].square, Value::EVEN, Certainty::Depth(0))];
        for depth in 1..=preparation {
            let done = self.lines_at(Aim::Estimate, node, &mut candidates, depth, lines);
            if !self.accept(done, progress) || self.should_rest(preparation < deepest) {
                return;
            }
        }
        if solves_outcome || solves_score {
            let aim = if solves_score { Certainty::Score } else { Certainty::Outcome };
            let done = self.solved_lines(aim, node, &mut candidates, lines);
            self.accept(done, progress);
        }
    }

    /// Takes over what a step has found; `false` if the step was cut short.
    fn accept(&mut self, done: Option<Vec<Line>>, progress: &mut impl FnMut(&Report)) -> bool {
        let Some(lines) = done else { return false };
        self.report.lines = lines;
        self.worker.control.report(self.worker.endgame.nodes, &mut self.worker.reported);
        self.report.nodes = self.worker.control.nodes();
        self.report.time = self.start.elapsed();
        progress(&self.report);
        true
    }

    /// Is there too little time left for another, deeper step?
    fn should_rest(&self, _solving: bool) -> bool {
        let Some(time) = self.limits.time else { return false };
        // The next iteration takes about two to three times as long as all
        // before together.
        self.start.elapsed() * 2 >= time.target
    }

    /// The best `lines` moves at a depth; `None` when interrupted.
    fn lines_at(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        candidates: &mut Vec<Candidate<E::State>>,
        depth: u32,
        lines: usize,
    ) -> Option<Vec<Line>> {
        let infinity = aim.infinity();
        let mut found = Vec::new();
        for place in 0..lines {
            let (value, square) =
                self.worker.best_of(aim, candidates[place..].to_vec(), depth, -infinity, infinity);
            if self.worker.is_over() {
                return None;
            }
            promote(candidates, place, square?);
            let value = Value::from_thousandths(value);
            found.push(self.line(square?, value, Certainty::Depth(depth)));
        }
        for line in &mut found {
            line.pv = self.principal_variation(node, line.mv, depth);
        }
        Some(found)
    }

    /// The best `lines` moves with proven outcomes or scores.
    fn solved_lines(
        &mut self,
        certainty: Certainty,
        node: &Node<E::State>,
        candidates: &mut Vec<Candidate<E::State>>,
        lines: usize,
    ) -> Option<Vec<Line>> {
        let empties = node.board.empties();
        let window = if certainty == Certainty::Score { 64 } else { 1 };
        let mut found = Vec::new();
        for place in 0..lines {
            let rest = candidates[place..].to_vec();
            let (score, square) = self.worker.best_of(Aim::Score, rest, empties, -window, window);
            if self.worker.is_over() {
                return None;
            }
            promote(candidates, place, square?);
            let score = if certainty == Certainty::Score { score } else { 2 * score.signum() };
            let value = Value::proven(Score::new(score)?);
            found.push(self.line(square?, value, certainty));
        }
        for line in &mut found {
            line.pv = self.principal_variation(node, line.mv, empties);
        }
        Some(found)
    }

    fn line(&self, square: Square, value: Value, certainty: Certainty) -> Line {
        Line { mv: square.into(), value, certainty, pv: vec![square.into()] }
    }

    /// The expected play after a move, as the table remembers it.
    fn principal_variation(&self, node: &Node<E::State>, mv: Move, depth: u32) -> Vec<Move> {
        let mut pv = vec![mv];
        let mut board = node.board.play(mv).expect("a legal move");
        while (pv.len() as u32) < depth && !board.is_over() {
            let mv = if board.must_pass() {
                Move::Pass
            } else {
                match self.worker.table.probe(&board).and_then(|entry| entry.moves[0]) {
                    Some(square) => Move::Place(square),
                    None => break,
                }
            };
            let Some(next) = board.play(mv) else { break };
            pv.push(mv);
            board = next;
        }
        pv
    }
}

/// How deep to look before a position with so many empty squares is solved.
fn preparation_depth(empties: u32) -> u32 {
    match empties {
        0..=10 => 1,
        11..=14 => 2,
        _ => (empties - 12).min(12),
    }
}

/// Moves the candidate with this square to `place`, the others keep order.
fn promote<S>(candidates: &mut [Candidate<S>], place: usize, square: Square) {
    if let Some(at) = candidates.iter().position(|candidate| candidate.square == square) {
        candidates[place..=at].rotate_right(1);
    }
}

/// The report of a position in which the mover must pass, from the report of
/// the position after the pass.
fn before_pass(report: &Report) -> Report {
    let mut report = report.clone();
    report.lines.truncate(1);
    for line in &mut report.lines {
        line.value = -line.value;
        line.mv = Move::Pass;
        line.pv.insert(0, Move::Pass);
    }
    report
}

/// The outcome a value proves; meaningful for solved lines only.
pub fn proven_outcome(value: Value) -> Outcome {
    value.proven_score().map_or(Outcome::Draw, Score::outcome)
}
