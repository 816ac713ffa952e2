use std::collections::HashSet;

use discern_board::{Board, Color, Move, Outcome};
use discern_records::{Ending, GameId, GameRecord, Solved};

use super::group::group_of;
use super::index::BoardIndex;
use super::proof::{Dispute, Proof};

/// The one tree of all games over canonical positions.
///
/// Games are added one after the other, in any order;
/// [`GameTree::classify`](GameTree::classify) then labels the positions.
#[derive(Debug, Default)]
pub struct GameTree {
    pub(super) index: BoardIndex,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) tally: Tally,
    pub(super) groups: HashSet<u32>,
    /// Of the game being added; kept for its memory.
    path: Vec<u32>,
}

/// What the games say of a position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Node {
    /// Games through it.
    pub games: u32,
    /// The least group of its games.
    pub group: u32,
    /// Wins less losses of its games, corrections aside.
    pub balance: i32,
    /// The same with solved outcomes in place of what followed.
    pub solved_balance: i32,
    /// The proven results.
    pub proof: Proof,
    /// Those that ordinary games have stored: corrections bring their own.
    pub ordinary_proof: Proof,
    /// The best outcome awarded here for the mover.
    pub awarded: Option<Outcome>,
    /// Games of different groups come here.
    pub shared: bool,
    /// Comes from a game that is no correction.
    pub ordinary: bool,
    /// An ordinary game through it has a result.
    pub decided: bool,
    /// The mover must pass.
    pub passes: bool,
    /// The game ends here.
    pub over: bool,
    /// A game begins here.
    pub root: bool,
}

/// A move or pass that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub from: u32,
    pub to: u32,
    pub correction: bool,
}

/// What only games can tell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub games: u64,
    pub corrections: u64,
    pub without_result: u64,
    pub visits: u64,
}

impl GameTree {
    /// Adds a game. Proven results that contradict those of other games are
    /// disputes, of which the first one in this game is handed back; such a
    /// position counts as not solved.
    pub fn add(&mut self, record: &GameRecord) -> Option<Dispute> {
        let game = &record.game;
        let plies = game.plies();
        let group = group_of(record);
        let correction = record.correction.is_some();
        let result_black = result_black(record);
        self.groups.insert(group);
        self.tally.games += 1;
        self.tally.corrections += u64::from(correction);
        self.tally.without_result += u64::from(result_black.is_none());
        self.tally.visits += plies.len() as u64 + 1;

        self.path.clear();
        let last = game.position();
        let boards = plies.iter().map(|ply| (ply.before.board, ply.mv == Move::Pass));
        for (board, passes) in boards.chain([(last.board, false)]) {
            let number = self.visit(board.canonical(), group);
            self.nodes[number as usize].passes |= passes;
            if let Some(&from) = self.path.last() {
                self.edges.push(Edge { from, to: number, correction });
            }
            self.path.push(number);
        }
        self.nodes[self.path[0] as usize].root = true;
        let end = &mut self.nodes[self.path[plies.len()] as usize];
        end.over |= last.board.is_over();
        if !end.over
            && let Some(black) = result_black
        {
            let outcome = seen_by(last.mover, black);
            end.awarded = end.awarded.max(Some(outcome));
        }
        let mut dispute = None;
        for &Solved { ply, verdict } in &record.solved {
            let node = &mut self.nodes[self.path[ply] as usize];
            if !correction {
                node.ordinary_proof.add(verdict);
            }
            if !node.proof.add(verdict) {
                dispute.get_or_insert(Dispute { game: GameId::of(game), ply, verdict });
            }
        }
        if !correction {
            self.count_results(record, result_black);
        }
        dispute
    }

    fn visit(&mut self, board: Board, group: u32) -> u32 {
        let (number, new) = self.index.number(board);
        if new {
            self.nodes.push(Node { group, ..Node::default() });
        }
        let node = &mut self.nodes[number as usize];
        node.games += 1;
        node.shared |= node.group != group;
        node.group = node.group.min(group);
        number
    }

    /// Counts what an ordinary game says of each of its positions: its result,
    /// and the next solved outcome instead.
    fn count_results(&mut self, record: &GameRecord, result_black: Option<Outcome>) {
        let mut solved_black = result_black;
        let last = record.game.position().mover;
        let movers = record.game.plies().iter().map(|ply| ply.before.mover).chain([last]);
        let movers: arrayvec::ArrayVec<Color, 160> = movers.collect();
        for (ply, (&number, &mover)) in self.path.iter().zip(&movers).enumerate().rev() {
            if let Some(solved) = record.solved_at(ply) {
                solved_black = Some(seen_by(mover, solved.verdict.outcome()));
            }
            let node = &mut self.nodes[number as usize];
            node.ordinary = true;
            node.decided |= result_black.is_some();
            let balance =
                |black: Option<Outcome>| black.map_or(0, |black| points(seen_by(mover, black)));
            node.balance += balance(result_black);
            node.solved_balance += balance(solved_black);
        }
    }
}

/// A result in Black's view as the mover sees it, and the other way round.
fn seen_by(mover: Color, outcome: Outcome) -> Outcome {
    if mover == Color::Black { outcome } else { -outcome }
}

fn points(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// The result that a game's positions are classified by, if it has one.
fn result_black(record: &GameRecord) -> Option<Outcome> {
    match record.ending {
        Ending::Played => record.game.score_black().map(|score| score.outcome()),
        Ending::Resigned | Ending::Agreed | Ending::Adjudicated => {
            record.score_black.map(|score| score.outcome())
        }
        Ending::Unfinished
        | Ending::Timeout
        | Ending::Illegal
        | Ending::Crash
        | Ending::Silence
        | Ending::Left
        | Ending::Interrupted => None,
    }
}
