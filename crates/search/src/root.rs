//! The root of a search: iterative deepening with aspiration windows, several
//! best moves, and the solving of endgames once they are near enough.

use std::cmp::{Ordering, Reverse};
use std::time::Duration;

use discern_board::{Board, Move, Outcome, Score, Square};
use discern_eval::{Evaluator, Value};

use crate::deep::{Aim, Candidate, Node, promote};
use crate::proof::proven_moves;
use crate::selectivity::Selectivity;
use crate::stopwatch::Stopwatch;
use crate::ticker::Ticker;
use crate::worker::Worker;
use crate::{Bounds, Certainty, Limits, Line, Proof, Report};

/// Half the width of the first window around the value expected, in
/// thousandths of a logit.
const ASPIRATION: i32 = 250;

/// Half the width of the first window around the score expected, in discs.
const SCORE_WINDOW: i32 = 2;

/// The search of one position, as the thread that was asked for it sees it.
pub(crate) struct Root<'a, E: Evaluator> {
    pub(crate) worker: Worker<'a, E>,
    pub(crate) limits: &'a Limits,
    pub(crate) watch: Stopwatch,
    pub(crate) report: Report,
    /// The best move of a step that was interrupted, and its value.
    unfinished: Option<(i32, Square)>,
    /// Who hears of every step.
    tell: &'a (dyn Fn(&Report) + 'a),
    /// Is the position searched the one after a forced pass?
    passed: bool,
}

impl<'a, E: Evaluator> Root<'a, E> {
    pub fn new(
        worker: Worker<'a, E>,
        limits: &'a Limits,
        watch: Stopwatch,
        tell: &'a (dyn Fn(&Report) + 'a),
    ) -> Self {
        let report = Report {
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            confidence: None,
            proof: None,
            interrupted: false,
        };
        Root { worker, limits, watch, report, unfinished: None, tell, passed: false }
    }

    /// Searches the board as far as the limits go.
    pub fn search(mut self, board: &Board) -> Report {
        if board.is_over() {
            return self.report;
        }
        let node = Node { board: *board, state: self.worker.evaluator.state(board) };
        if board.must_pass() {
            // Searched as the opponent's turn, told from the mover's side.
            self.passed = true;
            let state = self.worker.evaluator.pass(&node.state);
            self.deepen(&Node { board: board.pass(), state });
            before_pass(&self.report)
        } else {
            self.deepen(&node);
            self.report
        }
    }

    /// Iterative deepening, then the outcome or the score.
    fn deepen(&mut self, node: &Node<E::State>) {
        let empties = node.board.empties();
        let guess = self.guesses_outcome(&node.board);
        let deepest = self.limits.depth.unwrap_or(60).min(empties);
        let solve = self.limits.solves(empties);
        // Before an endgame is solved, shallower searches teach the table
        // which moves to try first.
        let last = match solve {
            Some(_) => preparation_depth(empties).min(deepest),
            None => deepest,
        };
        let mut candidates = Vec::new();
        let moves = self.limits.wanted(node.board.moves());
        self.worker.successors(node, moves, &mut candidates);
        self.worker.order(Aim::ODDS, &node.board, &mut candidates, deepest, [None, None]);
        let lines = self.limits.lines.clamp(1, candidates.len());
        // A move to play, should time run out at once.
        self.report.lines = vec![Line {
            mv: candidates[0].square.into(),
            value: self.worker.evaluator.value(&node.state, &node.board),
            certainty: Certainty::Depth(0),
            pv: vec![candidates[0].square.into()],
        }];
        if guess {
            return self.end(node, &mut candidates);
        }
        let selectivity = match solve {
            None if self.limits.selective && self.knows_spread(&node.board) => Selectivity::Bold,
            _ => Selectivity::None,
        };
        self.report.confidence = selectivity.confidence();
        let aim = Aim::Odds(selectivity);
        for depth in 1..=last {
            let found = self.estimate(aim, node, &mut candidates, depth, lines);
            let found = found.or_else(|| self.take_unfinished(node, depth, lines));
            let resting = solve.is_none() || !self.limits.insist;
            if !self.accept(found)
                || self.worker.is_over()
                || resting && self.should_rest(selectivity)
            {
                return;
            }
        }
        if let Some(certainty) = solve {
            self.solve(certainty, node, &mut candidates, lines);
            self.worker.ticker = None;
            self.note_proven(&node.board);
        }
    }

    /// Takes over what a step has found; `false` if it was interrupted.
    pub(crate) fn accept(&mut self, found: Option<Vec<Line>>) -> bool {
        let Some(lines) = found else { return false };
        self.report.lines = lines;
        self.worker.report();
        self.report.nodes = self.worker.control.nodes();
        self.report.time = self.watch.elapsed();
        tell_of(self.tell, &self.report, self.passed);
        true
    }

    /// What an interrupted step has found out. The best move of the step before
    /// was searched first, so a move that beat it is better by this step, too.
    fn take_unfinished(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        lines: usize,
    ) -> Option<Vec<Line>> {
        let (value, square) = self.unfinished.take()?;
        let is_new = self.report.lines[0].mv != square.into();
        // Further lines would be those of the step before.
        let alone = lines == 1 && self.limits.beside.is_none();
        // What the moves not searched are worth is open: nothing is proven.
        let proves = depth >= node.board.empties();
        (is_new && alone && !proves).then(|| vec![self.line(node, square, value, depth)])
    }

    /// A pass of a proof begins, in which this score is expected.
    fn begin_pass(&mut self, goal: Certainty, board: &Board, aim: Aim, expected: i32) {
        let proof = Proof {
            goal,
            depth: board.empties(),
            selective: aim != Aim::EXACT,
            expected,
            moves: proven_moves(self.worker.table, board),
        };
        self.report.proof = Some(proof);
        let Some(every) = self.limits.tick else { return };
        let (tell, passed, table, board) = (self.tell, self.passed, self.worker.table, *board);
        let mut report = self.report.clone();
        let next = self.worker.ticker.take().map_or(every, |ticker| ticker.next);
        let report = Box::new(move |nodes, time| {
            (report.nodes, report.time) = (nodes, time);
            if let Some(proof) = &mut report.proof {
                proof.moves = proven_moves(table, &board);
            }
            tell_of(tell, &report, passed);
        });
        self.worker.ticker = Some(Ticker { every, next, report });
    }

    /// Looks up what is proven by now.
    fn note_proven(&mut self, board: &Board) {
        if let Some(proof) = &mut self.report.proof {
            proof.moves = proven_moves(self.worker.table, board);
            for line in &self.report.lines {
                let known = proof.moves.iter_mut().find(|known| known.0 == line.mv);
                if let (Some(score), Some(known)) = (line.score(), known) {
                    known.1 = Bounds::exactly(score);
                }
            }
        }
    }

    /// Is too little time left for a deeper step? It takes about as long as
    /// all before it together, often more; a selective one two thirds of that.
    fn should_rest(&self, selectivity: Selectivity) -> bool {
        let thirds = match selectivity {
            Selectivity::None => 6,
            _ => 5,
        };
        self.limits.time.is_some_and(|time| self.watch.elapsed() * thirds / 3 >= time.target)
    }

    /// Does the evaluator say how far deeper searches stray?
    pub(crate) fn knows_spread(&self, board: &Board) -> bool {
        self.worker.evaluator.spread(board.discs()).is_some()
    }

    /// The best moves at a depth; `None` when interrupted.
    pub(crate) fn estimate(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
        depth: u32,
        lines: usize,
    ) -> Option<Vec<Line>> {
        let mut found = Vec::with_capacity(lines + 1);
        for place in 0..lines {
            found.push(self.best_line(aim, node, &mut candidates[place..], depth, place)?);
        }
        if let Some(at) = self.beside(candidates, lines) {
            found.push(self.best_line(aim, node, &mut candidates[at..=at], depth, lines)?);
        }
        Some(found)
    }

    /// Where the move that is wanted beside the best ones stands behind them.
    fn beside(&self, candidates: &[Candidate<E::State>], lines: usize) -> Option<usize> {
        let wanted = self.limits.beside?.square()?;
        (lines..candidates.len()).find(|&at| candidates[at].square == wanted)
    }

    /// The best of these candidates, which comes to the front. The line that
    /// had this place before says what to expect.
    fn best_line(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
        depth: u32,
        place: usize,
    ) -> Option<Line> {
        let guess = self.report.lines.get(place).map(|line| line.value.thousandths());
        let (value, square) = self.aspire(aim, candidates, depth, guess.filter(|_| depth > 3))?;
        promote(candidates, 0, square);
        Some(self.line(node, square, value, depth))
    }

    /// The line of a move with this value at a depth.
    fn line(&mut self, node: &Node<E::State>, square: Square, value: i32, depth: u32) -> Line {
        let value = Value::from_thousandths(value);
        let certainty = match value.proven_score() {
            Some(_) if depth >= node.board.empties() => Certainty::Score,
            _ => Certainty::Depth(depth),
        };
        let pv = self.expected_play(node, square, depth);
        Line { mv: square.into(), value, certainty, pv }
    }

    /// Searches with a window around the value expected, and again with a
    /// wider one where the value lies outside.
    fn aspire(
        &mut self,
        aim: Aim,
        candidates: &mut [Candidate<E::State>],
        depth: u32,
        guess: Option<i32>,
    ) -> Option<(i32, Square)> {
        let infinity = aim.infinity();
        let mut width = ASPIRATION;
        let (mut alpha, mut beta) = match guess {
            Some(guess) => ((guess - width).max(-infinity), (guess + width).min(infinity)),
            None => (-infinity, infinity),
        };
        self.unfinished = None;
        loop {
            let first = self.worker.first_of(aim, candidates, depth, alpha, beta);
            if self.worker.is_over() {
                return None;
            }
            let (value, square) = self.worker.best_with(first, aim, candidates, depth, alpha, beta);
            if let Some(square) = square.filter(|_| value > alpha) {
                promote(candidates, 0, square);
                self.unfinished = Some((value, square));
            }
            if self.worker.is_over() {
                return None;
            }
            width *= 4;
            if value <= alpha && alpha > -infinity {
                alpha = (value - width).max(-infinity);
            } else if value >= beta && beta < infinity {
                beta = (value + width).min(infinity);
            } else {
                return Some((value, square?));
            }
        }
    }

    /// Proves the best moves' outcomes or scores and tells of each at once:
    /// the first is proven long before the last. If all moves are wanted, each
    /// one behind the best is proven by itself: that none of the others is
    /// better need not be shown, which would be shown again by their scores.
    fn solve(
        &mut self,
        certainty: Certainty,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
        lines: usize,
    ) {
        let mut proven: Vec<Line> = Vec::with_capacity(lines);
        for place in 0..=lines {
            let rest = match self.beside(candidates, lines) {
                _ if place < lines && (place == 0 || lines < candidates.len()) => {
                    &mut candidates[place..]
                }
                _ if place < lines => &mut candidates[place..=place],
                Some(at) => &mut candidates[at..=at],
                None => return,
            };
            let Some(line) = self.prove(certainty, node, rest) else { return };
            proven.push(line);
            proven.sort_by_key(|line| Reverse(line.value));
            // None of the others is better, whatever their estimates say.
            let estimated =
                self.report.lines.iter().filter(|line| proven.iter().all(|p| p.mv != line.mv));
            let mut all: Vec<Line> = proven.iter().chain(estimated).cloned().collect();
            let rest = all.split_off(lines.min(all.len()));
            all.extend(rest.into_iter().find(|line| Some(line.mv) == self.limits.beside));
            self.accept(Some(all));
        }
    }

    /// The best of the candidates, which comes to the front; `None` when
    /// interrupted.
    fn prove(
        &mut self,
        certainty: Certainty,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
    ) -> Option<Line> {
        let (score, square) = match certainty {
            Certainty::Score => self.solve_score(node, candidates)?,
            _ => self.solve_outcome(node, candidates)?,
        };
        promote(candidates, 0, square);
        let pv = self.proven_play(node, square.into(), score, certainty)?;
        Some(Line { mv: square.into(), value: Value::proven(score), certainty, pv })
    }

    /// The best score and its move, within narrow windows around what the
    /// guess and then the search says.
    fn solve_score(
        &mut self,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
    ) -> Option<(Score, Square)> {
        let empties = node.board.empties();
        let reply = &candidates[0].next;
        let expected = -self.worker.evaluator.expected_score(&reply.state, &reply.board);
        let mut score = (expected / 200 * 2).clamp(-62, 62);
        let mut best = candidates[0].square;
        for &selectivity in passes(empties) {
            let aim = Aim::Score(selectivity);
            self.begin_pass(Certainty::Score, &node.board, aim, score);
            let mut width = SCORE_WINDOW;
            let (mut alpha, mut beta) = (score - width, score + width);
            let mut last_failure = None;
            loop {
                let (low, high) = (alpha.max(-65), beta.min(65));
                let (found, square) = self.worker.best_of(aim, candidates, empties, low, high);
                if self.worker.is_over() {
                    return None;
                }
                score = found;
                if score > alpha {
                    best = square?;
                    promote(candidates, 0, best);
                }
                width *= 2;
                let failure = if score <= alpha && alpha > -65 {
                    (alpha, beta) = (score - width, score + 1);
                    Ordering::Less
                } else if score >= beta && beta < 65 {
                    (alpha, beta) = (score - 1, score + width);
                    Ordering::Greater
                } else {
                    break;
                };
                // Guesses may contradict each other for ever: too high in one
                // window, too low in the next. The proof then begins in between.
                if last_failure.replace(failure).is_some_and(|last| last != failure)
                    && selectivity != Selectivity::None
                {
                    break;
                }
            }
        }
        Some((Score::new(score).expect("a score inside its window"), best))
    }

    /// Win, draw or loss, and a move that gets it.
    fn solve_outcome(
        &mut self,
        node: &Node<E::State>,
        candidates: &mut [Candidate<E::State>],
    ) -> Option<(Score, Square)> {
        let empties = node.board.empties();
        let mut result = None;
        for &selectivity in passes(empties) {
            let aim = Aim::Score(selectivity);
            let expected = result.map_or(0, |(score, _): (Score, _)| score.discs());
            self.begin_pass(Certainty::Outcome, &node.board, aim, expected);
            let (score, square) = self.worker.best_of(aim, candidates, empties, -1, 1);
            if self.worker.is_over() {
                return None;
            }
            promote(candidates, 0, square?);
            let score = Score::new(2 * score.signum()).expect("two discs at most");
            result = Some((score, square?));
        }
        result
    }

    /// The expected play after a move: what the table remembers, and the last
    /// plies, which it never saw, searched again.
    fn expected_play(&mut self, node: &Node<E::State>, mv: Square, depth: u32) -> Vec<Move> {
        let mut pv = vec![mv.into()];
        let mut node = self.worker.place(node, mv);
        while (pv.len() as u32) < depth && !node.board.is_over() {
            if node.board.must_pass() {
                let state = self.worker.evaluator.pass(&node.state);
                node = Node { board: node.board.pass(), state };
                pv.push(Move::Pass);
                continue;
            }
            let left = depth - pv.len() as u32;
            let remembered = self.worker.table.probe(&node.board).and_then(|entry| entry.moves[0]);
            let Some(square) = remembered.or_else(|| self.best_reply(&node, left)) else { break };
            node = self.worker.place(&node, square);
            pv.push(square.into());
        }
        pv
    }

    /// The best move of a node too shallow for the table.
    fn best_reply(&mut self, node: &Node<E::State>, depth: u32) -> Option<Square> {
        if depth > 2 {
            return None;
        }
        let infinity = Aim::ODDS.infinity();
        let candidates = self.worker.all_successors(node);
        let (_, square) = self.worker.best_of(Aim::ODDS, &candidates, depth, -infinity, infinity);
        square.filter(|_| !self.worker.is_over())
    }

    /// The play to the end of the game that proves the score (or outcome),
    /// searched again where the table has lost it; `None` when interrupted.
    pub(crate) fn proven_play(
        &mut self,
        node: &Node<E::State>,
        mv: Move,
        score: Score,
        certainty: Certainty,
    ) -> Option<Vec<Move>> {
        // What each side has to reach; a lost side is content with any move.
        let goal = |score: Score| match (certainty, score.outcome()) {
            (Certainty::Score, _) => score.discs(),
            (_, Outcome::Win) => 1,
            (_, Outcome::Draw) => 0,
            (_, Outcome::Loss) => -64,
        };
        let goals = [goal(-score), goal(score)];
        let mut pv = vec![mv];
        let mut node = match mv {
            Move::Place(square) => self.worker.place(node, square),
            Move::Pass => *node,
        };
        while !node.board.is_over() {
            let mv;
            (mv, node) = if node.board.must_pass() {
                let state = self.worker.evaluator.pass(&node.state);
                (Move::Pass, Node { board: node.board.pass(), state })
            } else {
                let goal = goals[(pv.len() - 1) % 2];
                let (square, next) = self.reaching_move(&node, goal)?;
                (Move::Place(square), next)
            };
            pv.push(mv);
        }
        Some(pv)
    }

    /// A move that scores at least `goal`, the remembered one first.
    fn reaching_move(
        &mut self,
        node: &Node<E::State>,
        goal: i32,
    ) -> Option<(Square, Node<E::State>)> {
        let known = self.worker.table.probe(&node.board).and_then(|entry| entry.moves[0]);
        let mut candidates = self.worker.all_successors(node);
        candidates.sort_by_key(|candidate| Some(candidate.square) != known);
        let depth = node.board.empties() - 1;
        for candidate in &candidates {
            let enough = goal <= -64
                || -self.worker.deep(Aim::EXACT, &candidate.next, depth, -goal, 1 - goal) >= goal;
            if self.worker.is_over() {
                return None;
            }
            if enough {
                return Some((candidate.square, candidate.next));
            }
        }
        unreachable!("the score was proven: {:?} {goal}", node.board)
    }
}

/// Passes a report on, from the mover's side if he had to pass.
fn tell_of(tell: &dyn Fn(&Report), report: &Report, passed: bool) {
    if passed { tell(&before_pass(report)) } else { tell(report) }
}

/// The searches that lead to a proof.
fn passes(empties: u32) -> &'static [Selectivity] {
    match empties {
        0..=16 => &[Selectivity::None],
        _ => &[Selectivity::Bold, Selectivity::Careful, Selectivity::None],
    }
}

/// How deep to look before a position with so many empty squares is solved.
fn preparation_depth(empties: u32) -> u32 {
    match empties {
        0..=10 => 1,
        11..=14 => 2,
        _ => (empties - 12).min(10),
    }
}

/// The report of a position in which the mover must pass, from the report of
/// the position after the pass.
pub(crate) fn before_pass(report: &Report) -> Report {
    let mut report = report.clone();
    report.lines.truncate(1);
    report.proof = report.proof.as_ref().map(Proof::before_pass);
    for line in &mut report.lines {
        line.value = -line.value;
        line.mv = Move::Pass;
        line.pv.insert(0, Move::Pass);
    }
    report
}
