//! A second program's search, as different from [`Searcher`](crate::Searcher)
//! as another author's would be: alpha-beta with open windows and no table.
//!
//! - Nothing is remembered but which squares cut off of late.
//! - A forced reply costs no ply.
//! - At the horizon nobody stands pat: where the mover can take a corner or has
//!   hardly a choice, every move is looked at, some plies further.
//! - Endings are proven by asking for one bound after the other.
//!
//! Only the last dozen squares are the solver's: what is proven does not depend
//! on who proves it. It errs where the other does not, and is here for that:
//! games between programs that err alike teach less
//! (`docs/decisions/search.md`).

use arrayvec::ArrayVec;
use discern_board::{Bitboard, Board, Move, Score, Square};
use discern_eval::{Evaluator, Value};

use crate::control::Control;
use crate::deep::{Aim, Node};
use crate::endgame::Endgame;
use crate::root::before_pass;
use crate::stopwatch::Stopwatch;
use crate::{Certainty, Engine, Limits, Line, Report, StopFlag};

/// A search without a transposition table, of one thread.
#[derive(Debug)]
pub struct PlainSearcher<E> {
    evaluator: E,
    endgame: Endgame,
}

impl<E: Evaluator> PlainSearcher<E> {
    /// A search with this evaluator.
    pub fn new(evaluator: E) -> PlainSearcher<E> {
        PlainSearcher { evaluator, endgame: Endgame::new() }
    }
}

impl<E: Evaluator> Engine for PlainSearcher<E> {
    fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let watch = Stopwatch::start(limits.timing);
        let control = Control::new(stop.clone(), watch, limits);
        self.endgame.nodes = 0;
        let mut run = Run {
            evaluator: &self.evaluator,
            endgame: &mut self.endgame,
            control: &control,
            counted: 0,
            killers: [Bitboard::EMPTY; PLIES],
            history: [0; 64],
        };
        let mut tell = |report: &Report| progress(report);
        let mut report = match board.must_pass() {
            true => {
                let report = run.deepen(&board.pass(), limits, &mut |r| tell(&before_pass(r)));
                before_pass(&report)
            }
            false => run.deepen(board, limits, &mut tell),
        };
        run.count();
        (report.nodes, report.time) = (control.nodes(), watch.elapsed());
        report.interrupted = control.ended();
        report
    }

    fn forget(&mut self) {
        self.endgame.clear();
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        self.evaluator.spread(discs)
    }
}

/// More plies than a game has, passes included.
const PLIES: usize = 128;
/// With this many moves or fewer the mover has hardly a choice.
const FEW: u32 = 2;
/// Plies beyond the horizon.
const BEYOND: u32 = 3;
/// Empty squares that make a proof as long as the other program's, which
/// remembers positions.
const SLOWER: u32 = 3;

/// The search of one position.
struct Run<'a, E> {
    evaluator: &'a E,
    /// Its nodes are all nodes.
    endgame: &'a mut Endgame,
    control: &'a Control,
    /// Nodes that the control knows of.
    counted: u64,
    /// By ply from the root, the square that cut off last.
    killers: [Bitboard; PLIES],
    /// How often a square cut off, the more plies below the more it counts.
    history: [u32; 64],
}

/// A move of the root with its value, greatest first.
struct RootMove<S> {
    square: Square,
    next: Node<S>,
    value: i32,
}

impl<E: Evaluator> Run<'_, E> {
    /// One ply after the other, then the proof if one is wanted.
    fn deepen(&mut self, board: &Board, limits: &Limits, tell: &mut dyn FnMut(&Report)) -> Report {
        let mut report = Report {
            lines: Vec::new(),
            nodes: 0,
            time: Default::default(),
            confidence: None,
            proof: None,
            interrupted: false,
        };
        if board.is_over() {
            return report;
        }
        let empties = board.empties();
        let node = Node { board: *board, state: self.evaluator.state(board) };
        let mut moves: Vec<RootMove<E::State>> = limits
            .wanted(board.moves())
            .squares()
            .map(|square| {
                let next = self.place(&node, square);
                let value = -self.evaluator.value(&next.state, &next.board).thousandths();
                RootMove { square, next, value }
            })
            .collect();
        moves.sort_by_key(|mv| -mv.value);
        let solves = solves(limits, empties);
        let deepest = limits.depth.unwrap_or(60).min(empties);
        let last = if solves.is_some() { deepest.min(empties / 2) } else { deepest };
        // Something to play, should time run out at once.
        report.lines = self.lines(&moves, limits, 0, empties);
        for depth in 1..=last {
            if !self.rate(&mut moves, limits, depth) {
                return report;
            }
            report.lines = self.lines(&moves, limits, depth, empties);
            self.count();
            (report.nodes, report.time) = (self.control.nodes(), self.control.elapsed());
            tell(&report);
            let resting = limits.time.is_some_and(|time| report.time * 2 >= time.target);
            if self.is_over() || resting && solves.is_none() {
                return report;
            }
        }
        if let Some(certainty) = solves
            && let Some((score, best)) = self.prove(certainty, &moves)
        {
            let line = |mv: &RootMove<E::State>| Line {
                mv: mv.square.into(),
                value: Value::proven(score),
                certainty,
                pv: vec![mv.square.into()],
            };
            let proven = line(&moves[best]);
            report.lines.retain(|line| line.mv != proven.mv);
            let wanted = limits.lines.clamp(1, moves.len());
            report.lines.insert(0, proven);
            let behind = report.lines.split_off(wanted);
            report.lines.extend(behind.into_iter().find(|line| Some(line.mv) == limits.beside));
            tell(&report);
        }
        report
    }

    /// Values the moves of the root at a depth; `false` if it was interrupted.
    fn rate(&mut self, moves: &mut [RootMove<E::State>], limits: &Limits, depth: u32) -> bool {
        let lines = limits.lines.max(1);
        let mut found: Vec<i32> = Vec::with_capacity(moves.len());
        for mv in &mut *moves {
            let wanted = Some(Move::from(mv.square)) == limits.beside;
            // What is no better than the last line wanted need not be known.
            let alpha = match found.len() >= lines && !wanted {
                true => found[lines - 1],
                false => -Value::INFINITE.thousandths(),
            };
            let next = mv.next;
            let value = -self.value(&next, depth - 1, 1, -Value::INFINITE.thousandths(), -alpha);
            if self.is_over() {
                return false;
            }
            mv.value = value;
            let place = found.partition_point(|&better| better >= value);
            found.insert(place, value);
        }
        // Stable: what did not beat the others stays behind them.
        moves.sort_by_key(|mv| -mv.value);
        true
    }

    /// The best moves and the one wanted beside them.
    fn lines(
        &self,
        moves: &[RootMove<E::State>],
        limits: &Limits,
        depth: u32,
        empties: u32,
    ) -> Vec<Line> {
        let wanted = limits.lines.clamp(1, moves.len());
        let (best, others) = moves.split_at(wanted);
        let beside = others.iter().find(|mv| Some(Move::from(mv.square)) == limits.beside);
        let line = |mv: &RootMove<E::State>| {
            let value = Value::from_thousandths(mv.value);
            let certainty = match value.proven_score() {
                Some(_) if depth >= empties => Certainty::Score,
                _ => Certainty::Depth(depth),
            };
            Line { mv: mv.square.into(), value, certainty, pv: vec![mv.square.into()] }
        };
        best.iter().chain(beside).map(line).collect()
    }

    /// The value of a node within an open window.
    fn value(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 0 {
            return self.horizon(node, BEYOND, alpha, beta);
        }
        self.endgame.nodes += 1;
        if self.is_over() {
            return alpha;
        }
        let board = &node.board;
        let moves = board.moves();
        if moves.is_empty() {
            if board.opponent_moves().is_empty() {
                return Aim::ODDS.final_value(board);
            }
            let passed = Node { board: board.pass(), state: self.evaluator.pass(&node.state) };
            return -self.value(&passed, depth, ply + 1, -beta, -alpha);
        }
        let forced = moves.count() == 1;
        let below = if forced { depth } else { depth - 1 };
        let (mut best, mut alpha) = (-Value::INFINITE.thousandths(), alpha);
        for square in self.ordered(moves, ply) {
            let next = self.place(node, square);
            let value = -self.value(&next, below, ply + 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(best);
            if best >= beta {
                self.killers[ply] = Bitboard::of(square);
                self.history[square.index()] += depth * depth;
                break;
            }
        }
        best
    }

    /// Killers, then what cut off most often, then the order of the board.
    fn ordered(&self, moves: Bitboard, ply: usize) -> ArrayVec<Square, 33> {
        let mut squares: ArrayVec<Square, 33> = moves.squares().collect();
        let killer = self.killers[ply];
        let key = |square: &Square| match (killer & Bitboard::of(*square)).any() {
            true => u32::MAX,
            false => self.history[square.index()],
        };
        squares.sort_by_key(|square| std::cmp::Reverse(key(square)));
        squares
    }

    /// The value at the horizon, or a little beyond: where a corner can be taken
    /// or there is hardly a choice, a static value says too little.
    fn horizon(&mut self, node: &Node<E::State>, left: u32, alpha: i32, beta: i32) -> i32 {
        self.endgame.nodes += 1;
        let board = &node.board;
        let moves = board.moves();
        if moves.is_empty() && board.opponent_moves().is_empty() {
            return Aim::ODDS.final_value(board);
        }
        let corners = moves & Bitboard::CORNERS;
        if left == 0 || corners.is_empty() && moves.count() > FEW {
            return self.evaluator.value(&node.state, board).thousandths();
        }
        if moves.is_empty() {
            let passed = Node { board: board.pass(), state: self.evaluator.pass(&node.state) };
            return -self.horizon(&passed, left - 1, -beta, -alpha);
        }
        let (mut best, mut alpha) = (-Value::INFINITE.thousandths(), alpha);
        for square in corners.squares().chain((moves - corners).squares()) {
            let next = self.place(node, square);
            let value = -self.horizon(&next, left - 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The outcome or the score, and the place of a move that gets it; `None` if
    /// it was interrupted.
    fn prove(
        &mut self,
        certainty: Certainty,
        moves: &[RootMove<E::State>],
    ) -> Option<(Score, usize)> {
        let (mut low, mut high) = match certainty {
            Certainty::Score => (-64, 64),
            _ => (-2, 2),
        };
        // Where every move loses, the one that looks best is the hardest to refute.
        let mut best = 0;
        while low < high {
            // Odd, as scores are even: above or below, never equal.
            let asked = ((low + high) / 2 - 1) | 1;
            let (mut bound, first) = (-64, best);
            for place in (0..moves.len()).map(|n| (n + first) % moves.len()) {
                let next = moves[place].next.board;
                let reached = -self.bound(next, -asked - 1);
                if self.is_over() {
                    return None;
                }
                bound = bound.max(reached);
                if reached > asked {
                    best = place;
                    break;
                }
            }
            match bound > asked {
                true => low = (asked + 1).max(bound.min(high)),
                false => high = (asked - 1).min(bound.max(low)),
            }
        }
        Some((Score::new(low & !1).expect("between the bounds of a score"), best))
    }

    /// A bound of the score: above `alpha`, at least as high; else at most.
    fn bound(&mut self, board: Board, alpha: i32) -> i32 {
        if board.empties() <= Endgame::MAX_EMPTIES {
            return self.endgame.solve(board, alpha);
        }
        self.endgame.nodes += 1;
        if self.is_over() {
            return alpha;
        }
        let moves = board.moves();
        if moves.is_empty() {
            return match board.opponent_moves().any() {
                true => -self.bound(board.pass(), -alpha - 1),
                false => board.final_score().discs(),
            };
        }
        let mut successors: ArrayVec<(u32, Board), 33> = moves
            .squares()
            .map(|square| {
                let next = board.play_unchecked(square, board.flips(square));
                let replies = next.moves();
                (replies.count() + (replies & Bitboard::CORNERS).count(), next)
            })
            .collect();
        successors.sort_by_key(|&(replies, _)| replies);
        let mut best = -64;
        for (_, next) in successors {
            best = best.max(-self.bound(next, -alpha - 1));
            if best > alpha {
                break;
            }
        }
        best
    }

    fn place(&self, node: &Node<E::State>, square: Square) -> Node<E::State> {
        let flips = node.board.flips(square);
        Node {
            board: node.board.play_unchecked(square, flips),
            state: self.evaluator.play(&node.state, square, flips),
        }
    }

    /// Counts the nodes in.
    fn count(&mut self) {
        self.control.report(self.endgame.nodes - self.counted);
        self.counted = self.endgame.nodes;
    }

    fn is_over(&mut self) -> bool {
        if self.endgame.nodes - self.counted >= Control::REPORT {
            self.count();
        }
        self.control.is_over(self.endgame.nodes - self.counted)
    }
}

/// What to prove, if anything. Limits of time and nodes are estimates for the
/// other program.
fn solves(limits: &Limits, empties: u32) -> Option<Certainty> {
    if limits.time.is_none() && limits.nodes.is_none() {
        return limits.solves(empties);
    }
    let slower = Limits {
        outcome_empties: limits.outcome_empties.saturating_add(SLOWER),
        score_empties: limits.score_empties.saturating_add(SLOWER),
        ..*limits
    };
    slower.solves(empties + SLOWER)
}
