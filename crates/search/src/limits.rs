use std::time::Duration;

use discern_board::{Bitboard, Move};

use crate::{Certainty, Timing};

/// Nodes for the score of a typical position with 20 empty squares.
const SOLVE_NODES_AT_20: f64 = 6e6;
/// One more empty square multiplies them by this.
const SOLVE_GROWTH: f64 = 2.2;
/// Proving just the outcome takes this share.
const OUTCOME_SHARE: f64 = 0.35;
/// Nodes for the boldest guess of the outcome with 24 empty squares, and the
/// midgame search before it.
const GUESS_NODES_AT_24: f64 = 150e3;
/// One more empty square multiplies them by this.
const GUESS_GROWTH: f64 = 1.55;
/// How many times the nodes of a typical solve must be there to rely on one.
const CERTAIN: f64 = 4.0;
/// Nodes per second, cautiously.
const SOLVER_SPEED: f64 = 20e6;

/// What ends a search, and when endings are solved. Nothing set means: until
/// the position is solved or the stop flag is thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most plies to look ahead before the endgame is solved.
    pub depth: Option<u32>,
    /// The most positions to visit. With one thread the search ends at the
    /// same position every time.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub time: Option<MoveTime>,
    /// The clock that `time` and [`Report::time`](crate::Report) go by.
    pub timing: Timing,
    /// Solve win, draw or loss from this many empty squares on.
    pub outcome_empties: u32,
    /// Solve the exact score from this many empty squares on.
    pub score_empties: u32,
    /// Cut off what a shallow look makes improbable: some plies deeper in the
    /// same time, for an evaluator that knows its spread. Proofs stay proofs.
    pub selective: bool,
    /// How many of the best moves to report with their values.
    pub lines: usize,
    /// A move to report beside the best ones, seen as deep as they are.
    pub beside: Option<Move>,
    /// Moves to leave out at the root, for whoever knows what they are worth. If
    /// none would be left, all are searched.
    pub except: Bitboard,
    /// Begin a proof even if it is unlikely to get done in time: what is proven
    /// until then is wanted, too ([`Report::proof`](crate::Report::proof)).
    pub insist: bool,
    /// While something is proven, report this often, too.
    pub tick: Option<Duration>,
}

/// Time for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveTime {
    /// After this, nothing new is begun that would likely not finish.
    pub target: Duration,
    /// After this, the search ends wherever it is.
    pub maximum: Duration,
}

impl MoveTime {
    /// Exactly this long.
    pub const fn fixed(time: Duration) -> MoveTime {
        MoveTime { target: time, maximum: time }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            time: None,
            timing: Timing::Wall,
            outcome_empties: 22,
            score_empties: 20,
            selective: false,
            lines: 1,
            beside: None,
            except: Bitboard::EMPTY,
            insist: false,
            tick: None,
        }
    }
}

impl Limits {
    /// The moves to search among these at the root.
    pub(crate) fn wanted(&self, moves: Bitboard) -> Bitboard {
        match moves - self.except {
            Bitboard::EMPTY => moves,
            wanted => wanted,
        }
    }

    /// Solves the exact score, however long it takes.
    pub const SOLVE: Limits = Limits {
        depth: None,
        nodes: None,
        time: None,
        timing: Timing::Wall,
        outcome_empties: 0,
        score_empties: 64,
        selective: false,
        lines: 1,
        beside: None,
        except: Bitboard::EMPTY,
        insist: false,
        tick: None,
    };

    /// Solves win, draw or loss, however long it takes.
    pub const SOLVE_OUTCOME: Limits =
        Limits { outcome_empties: 64, score_empties: 0, ..Limits::SOLVE };

    /// As strong as can be: selective, and whatever the time allows is proven.
    /// What it allows is estimated ([`Limits::solves`]); these bounds only keep
    /// a search without limits from proofs that take hours.
    pub const STRONGEST: Limits =
        Limits { outcome_empties: 30, score_empties: 28, selective: true, ..Limits::SOLVE };

    /// As strong as this much time allows.
    pub fn within(time: MoveTime) -> Limits {
        Limits { time: Some(time), ..Limits::STRONGEST }
    }

    /// What to prove in a position with so many empty squares, if anything.
    ///
    /// With a clock or a node limit, only what is likely to get done, unless
    /// [`Limits::insist`] is set: a solve that must be given up is time lost.
    pub fn solves(&self, empties: u32) -> Option<Certainty> {
        let affordable = |nodes| self.insist || self.affords(nodes);
        let nodes = SOLVE_NODES_AT_20 * SOLVE_GROWTH.powi(empties as i32 - 20);
        if empties <= self.score_empties && affordable(nodes) {
            Some(Certainty::Score)
        } else if empties <= self.outcome_empties && affordable(nodes * OUTCOME_SHARE) {
            Some(Certainty::Outcome)
        } else {
            None
        }
    }

    /// Is the outcome of a position with so many empty squares worth guessing?
    /// Not where the score can be solved, nor where a guess takes too long.
    pub(crate) fn guesses(&self, empties: u32) -> bool {
        let solve = SOLVE_NODES_AT_20 * SOLVE_GROWTH.powi(empties as i32 - 20);
        let guess = GUESS_NODES_AT_24 * GUESS_GROWTH.powi(empties as i32 - 24);
        let solves = empties <= self.score_empties && self.affords(CERTAIN * solve);
        empties <= self.outcome_empties && self.affords(guess) && !solves
    }

    /// Are so many nodes within the limits?
    fn affords(&self, nodes: f64) -> bool {
        let by_nodes = self.nodes.is_none_or(|limit| nodes <= limit as f64);
        let by_time =
            self.time.is_none_or(|time| nodes / SOLVER_SPEED <= time.maximum.as_secs_f64());
        by_nodes && by_time
    }

    /// Looks this many plies ahead and solves nothing that lies deeper.
    pub const fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            nodes: None,
            time: None,
            timing: Timing::Wall,
            outcome_empties: depth,
            score_empties: depth,
            selective: false,
            lines: 1,
            beside: None,
            except: Bitboard::EMPTY,
            insist: false,
            tick: None,
        }
    }
}
