//! A node high up in the tree: transposition table, enhanced transposition
//! cut-offs, ordered moves, NegaScout, split points. The same code serves the
//! midgame and the endgame; the [`Aim`] tells what differs.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use discern_board::{Bitboard, Board, Square};
use discern_eval::{Evaluator, Value};

use crate::endgame::{Endgame, stability_cut};
use crate::selectivity::Selectivity;
use crate::split::{Progress, Split};
use crate::table::Entry;
use crate::worker::Worker;

/// What a search computes, and with it the unit of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The evaluator's log-odds at a depth, in thousandths.
    Odds(Selectivity),
    /// The evaluator's expected score at a depth, in hundredths of a disc.
    Discs,
    /// The score under best play, in discs; the depth is the empty squares.
    Score(Selectivity),
}

/// A board with the evaluator's state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<S> {
    pub board: Board,
    pub state: S,
}

/// A move waiting to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<S> {
    pub square: Square,
    pub next: Node<S>,
    /// Greatest first.
    pub key: i32,
}

impl Aim {
    /// The exact score.
    pub const EXACT: Aim = Aim::Score(Selectivity::None);

    /// The odds of a search that leaves nothing out.
    pub const ODDS: Aim = Aim::Odds(Selectivity::None);

    /// Beyond every value.
    pub fn infinity(self) -> i32 {
        match self {
            Aim::Odds(_) => Value::INFINITE.thousandths(),
            Aim::Discs => 10_000,
            Aim::Score(_) => 65,
        }
    }

    /// How trustworthy results at this depth are. Each aim has a range of its
    /// own, solved positions the highest.
    pub fn draft(self, depth: u32) -> u8 {
        match self {
            Aim::Odds(Selectivity::None) => depth as u8,
            Aim::Discs => 64 + depth as u8,
            Aim::Odds(_) => 128 + depth as u8,
            Aim::Score(selectivity) => 192 + selectivity as u8,
        }
    }

    /// Does this entry bind a search at this depth?
    pub fn trusts(self, entry: &Entry, depth: u32) -> bool {
        let least = self.draft(depth);
        match self {
            Aim::Odds(Selectivity::None) => (least..64).contains(&entry.draft),
            Aim::Discs => (least..128).contains(&entry.draft),
            Aim::Odds(_) => (least..192).contains(&entry.draft) || Aim::ODDS.trusts(entry, depth),
            Aim::Score(_) => entry.draft >= least,
        }
    }

    /// The least value above `alpha`: scores are even.
    pub fn next_above(self, alpha: i32) -> i32 {
        match self {
            Aim::Score(_) => (alpha + 2) & !1,
            _ => alpha + 1,
        }
    }

    /// The greatest value not above `alpha`.
    pub fn not_above(self, alpha: i32) -> i32 {
        match self {
            Aim::Score(_) => alpha & !1,
            _ => alpha,
        }
    }

    /// The value of a finished game.
    pub fn final_value(self, board: &Board) -> i32 {
        let score = board.final_score();
        match self {
            Aim::Odds(_) => Value::proven(score).thousandths(),
            Aim::Discs => 100 * score.discs(),
            Aim::Score(_) => score.discs(),
        }
    }

    /// Nodes below this depth are searched by simpler code.
    fn is_shallow(self, depth: u32) -> bool {
        match self {
            Aim::Odds(_) | Aim::Discs => depth <= 2,
            Aim::Score(_) => depth <= Endgame::MAX_EMPTIES,
        }
    }

    /// Below this depth a node is not worth sharing.
    fn min_split_depth(self) -> u32 {
        match self {
            Aim::Odds(_) | Aim::Discs => 5,
            Aim::Score(_) => Endgame::MAX_EMPTIES + 2,
        }
    }
}

/// Moves the candidate with this square, if there is one, to `place`; the
/// others keep order.
pub(crate) fn promote<S>(candidates: &mut [Candidate<S>], place: usize, square: Square) -> bool {
    let at = candidates.iter().position(|candidate| candidate.square == square);
    if let Some(at) = at {
        candidates[place..=at].rotate_right(1);
    }
    at.is_some()
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node within the window (alpha, beta), fail-soft. After a
    /// stop the result means nothing.
    pub fn deep(
        &mut self,
        aim: Aim,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if aim.is_shallow(depth) {
            return match aim {
                Aim::Score(_) => self.solve_small(node.board, alpha, beta),
                _ => self.shallow(aim, node, depth, alpha, beta),
            };
        }
        self.endgame.nodes += 1;
        if self.is_over() {
            return alpha;
        }
        let board = &node.board;
        if matches!(aim, Aim::Score(_))
            && let Some(bound) = stability_cut(board, alpha)
        {
            return bound;
        }
        let moves = board.moves();
        if moves.is_empty() {
            if board.opponent_moves().is_empty() {
                return aim.final_value(board);
            }
            let passed = Node { board: board.pass(), state: self.evaluator.pass(&node.state) };
            return -self.deep(aim, &passed, depth, -beta, -alpha);
        }

        let entry = self.table.probe(board);
        let mut known = [None, None];
        if let Some(entry) = entry {
            known = entry.moves;
            if aim.trusts(&entry, depth) {
                let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                if lower >= beta || lower == upper {
                    self.note_guess(aim, &entry);
                    return lower;
                }
                if upper <= alpha {
                    self.note_guess(aim, &entry);
                    return upper;
                }
            }
        }

        if beta - alpha == 1
            && let Some(bound) = self.probable_cut(aim, node, depth, alpha)
        {
            self.guesses += 1;
            return bound;
        }

        let mut candidates = self.spare.pop().unwrap_or_default();
        self.successors(node, moves, &mut candidates);
        let value = self.value_of(aim, board, &mut candidates, depth, [alpha, beta], known);
        candidates.clear();
        self.spare.push(candidates);
        value
    }

    /// The value of a board with these successors, in any order.
    fn value_of(
        &mut self,
        aim: Aim,
        board: &Board,
        candidates: &mut [Candidate<E::State>],
        depth: u32,
        [alpha, beta]: [i32; 2],
        known: [Option<Square>; 2],
    ) -> i32 {
        let guesses = self.guesses;
        if beta - alpha == 1
            && !aim.is_shallow(depth - 1)
            && let Some(bound) = self.transposition_cut(aim, candidates, depth, alpha)
        {
            return bound;
        }
        // The move that was best before most often is again: the others are
        // put in order only if it is not good enough.
        let known_first = known[0].is_some_and(|square| promote(candidates, 0, square));
        if !known_first {
            self.order(aim, board, candidates, depth, known);
        }
        let first = self.first_of(aim, candidates, depth, alpha, beta);
        if known_first && first < beta {
            self.order(aim, board, &mut candidates[1..], depth, known);
        }
        let (best, best_move) = self.best_with(first, aim, candidates, depth, alpha, beta);
        if self.is_over() {
            return best;
        }
        let infinity = aim.infinity() as i16;
        let entry = Entry {
            lower: if best > alpha { best as i16 } else { -infinity },
            upper: if best < beta { best as i16 } else { infinity },
            draft: match aim {
                // Nothing below was guessed: a proof, whatever the pass.
                Aim::Score(_) if self.guesses == guesses => Aim::EXACT.draft(depth),
                _ => aim.draft(depth),
            },
            moves: [best_move, None],
        };
        self.table.store(board, entry);
        best
    }

    /// Adds the positions after each of these moves, in board order.
    pub fn successors(
        &self,
        node: &Node<E::State>,
        moves: Bitboard,
        candidates: &mut Vec<Candidate<E::State>>,
    ) {
        candidates.reserve(moves.count() as usize);
        for square in moves {
            candidates.push(Candidate { square, next: self.place(node, square), key: 0 });
        }
    }

    /// The positions after each legal move.
    pub fn all_successors(&self, node: &Node<E::State>) -> Vec<Candidate<E::State>> {
        let mut candidates = Vec::new();
        self.successors(node, node.board.moves(), &mut candidates);
        candidates
    }

    /// A successor that the table already knows to be bad enough for the
    /// opponent ends the node before anything is searched.
    fn transposition_cut(
        &mut self,
        aim: Aim,
        candidates: &[Candidate<E::State>],
        depth: u32,
        alpha: i32,
    ) -> Option<i32> {
        candidates.iter().for_each(|candidate| self.table.prefetch(&candidate.next.board));
        let (entry, bound) = candidates.iter().find_map(|candidate| {
            let entry = self.table.probe(&candidate.next.board)?;
            let bound = -i32::from(entry.upper);
            (aim.trusts(&entry, depth - 1) && bound > alpha).then_some((entry, bound))
        })?;
        self.note_guess(aim, &entry);
        Some(bound)
    }

    /// Counts a bound of the table that is not proven.
    #[inline(always)]
    fn note_guess(&mut self, aim: Aim, entry: &Entry) {
        self.guesses +=
            u64::from(matches!(aim, Aim::Score(_)) && entry.draft != Aim::EXACT.draft(0));
    }

    /// NegaScout over ordered moves: the first with the whole window, the
    /// others with a null window first. Returns the best value and its move.
    pub fn best_of(
        &mut self,
        aim: Aim,
        candidates: &[Candidate<E::State>],
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> (i32, Option<Square>) {
        let first = self.first_of(aim, candidates, depth, alpha, beta);
        self.best_with(first, aim, candidates, depth, alpha, beta)
    }

    /// The value of the first move.
    pub fn first_of(
        &mut self,
        aim: Aim,
        candidates: &[Candidate<E::State>],
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        -self.deep(aim, &candidates[0].next, depth - 1, -beta, -alpha)
    }

    /// [`Worker::best_of`] when the value of the first move is known. After a
    /// stop, the best of the moves that were searched in time.
    pub fn best_with(
        &mut self,
        first: i32,
        aim: Aim,
        candidates: &[Candidate<E::State>],
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> (i32, Option<Square>) {
        let (mut best, mut best_move) = (first, Some(candidates[0].square));
        if best >= beta {
            return (best, best_move);
        }
        alpha = alpha.max(best);
        for (at, candidate) in candidates.iter().enumerate().skip(1) {
            if depth >= aim.min_split_depth()
                && at + 1 < candidates.len()
                && self.pool.is_some_and(|pool| pool.has_idle())
            {
                let progress = Progress { next: at, alpha, best, best_move };
                return self.share(aim, candidates, depth, beta, progress);
            }
            let value = self.scout(aim, candidate, depth, alpha, beta);
            if self.is_over() {
                break;
            }
            if value > best {
                best = value;
                best_move = Some(candidate.square);
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
        }
        (best, best_move)
    }

    /// A later move: can it beat alpha at all, and if so, by how much?
    fn scout(
        &mut self,
        aim: Aim,
        candidate: &Candidate<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let value = -self.deep(aim, &candidate.next, depth - 1, -alpha - 1, -alpha);
        if value > alpha && value < beta && beta - alpha > 1 && !self.is_over() {
            return -self.deep(aim, &candidate.next, depth - 1, -beta, -value.max(alpha));
        }
        value
    }

    /// Opens the rest of a node's moves to all threads and works on them, too.
    fn share(
        &mut self,
        aim: Aim,
        candidates: &[Candidate<E::State>],
        depth: u32,
        beta: i32,
        progress: Progress,
    ) -> (i32, Option<Square>) {
        let pool = self.pool.expect("only threads of a pool share");
        let split = Arc::new(Split {
            parent: self.split.clone(),
            aim,
            depth,
            beta,
            candidates: candidates.to_vec(),
            progress: Mutex::new(progress),
            cancelled: AtomicBool::new(false),
        });
        pool.open(&split);
        self.work_on(&split);
        pool.finish(&split, |other| self.work_on(other));
        // What the helpers took for granted, nobody has counted.
        self.guesses += 1;
        let progress = split.progress();
        (progress.best, progress.best_move)
    }

    /// Searches moves of a split point until none is left.
    pub fn work_on(&mut self, split: &Arc<Split<E::State>>) {
        let above = self.split.replace(Arc::clone(split));
        loop {
            let (candidate, alpha) = {
                let mut progress = split.progress();
                let Some(candidate) = split.candidates.get(progress.next) else { break };
                progress.next += 1;
                (candidate, progress.alpha)
            };
            if self.is_over() {
                break;
            }
            let value = self.scout(split.aim, candidate, split.depth, alpha, split.beta);
            if self.is_over() {
                break;
            }
            let mut progress = split.progress();
            if value > progress.best {
                progress.best = value;
                progress.best_move = Some(candidate.square);
                progress.alpha = progress.alpha.max(value);
                if value >= split.beta {
                    split.cancelled.store(true, Ordering::Relaxed);
                    break;
                }
            }
        }
        self.split = above;
    }
}
