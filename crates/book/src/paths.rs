//! How far positions lie from the best line, and the moves that lead there.

use discern_board::{Board, Move, Position, Square};

use crate::graph::{Graph, Node};
use crate::steps::{Step, step};
use crate::worth::Worth;

/// The cheapest way from the roots to every position: the sum of what both
/// sides give away on it, in hundred-thousandths of a won game, and a toll for
/// each ply.
pub struct Paths<'a> {
    graph: &'a Graph,
    toll: u32,
    costs: Vec<u32>,
    before: Vec<u32>,
}

const FAR: u32 = u32::MAX;

impl<'a> Paths<'a> {
    /// Measures a settled graph from these positions. Nothing lies behind a
    /// proven position if `through_proven` is not set: it changes no decision.
    pub fn new(graph: &'a Graph, roots: &[Board], toll: u32, through_proven: bool) -> Paths<'a> {
        let mut paths =
            Paths { graph, toll, costs: vec![FAR; graph.len()], before: vec![FAR; graph.len()] };
        for root in roots.iter().filter_map(|root| graph.place(root)) {
            paths.costs[root as usize] = 0;
        }
        for discs in 0..=64 {
            for &place in graph.with_discs(discs) {
                let node = graph.node(place);
                let proven = node.grade().is_proven() && !through_proven;
                if paths.costs[place as usize] != FAR && !proven {
                    paths.relax(place, node);
                }
            }
        }
        paths
    }

    fn relax(&mut self, place: u32, node: &Node) {
        let cost = self.costs[place as usize];
        for link in node.links() {
            let worth = self.graph.link_value(link).map(|(worths, _)| worths.even);
            let there = cost.saturating_add(self.price(node, worth));
            let child = Graph::child_place(link) as usize;
            let before = self.before[child];
            let nearer = there < self.costs[child]
                // The order of insertion must not show.
                || there == self.costs[child]
                    && before != FAR
                    && node.entry().board < self.graph.node(before).entry().board;
            if nearer {
                self.costs[child] = there;
                self.before[child] = place;
            }
        }
    }

    /// What it costs to make a move of this worth: what it gives away against
    /// the best, and the toll.
    pub fn price(&self, node: &Node, worth: Option<Worth>) -> u32 {
        let best = node.worths().map(|worths| worths.even);
        let lost = match (best, worth) {
            (Some(best), Some(worth)) => best.chance().saturating_sub(worth.chance()),
            _ => 0,
        };
        lost + self.toll
    }

    /// The cost of a position; `None` if no way leads there.
    pub fn cost(&self, board: &Board) -> Option<u32> {
        let cost = self.costs[self.graph.place(board)? as usize];
        (cost != FAR).then_some(cost)
    }

    /// The moves from a root to a position, and that root.
    pub fn line(&self, board: &Board) -> Option<(Board, Vec<Move>)> {
        let mut place = self.graph.place(board)?;
        self.cost(board)?;
        let mut boards = vec![self.graph.node(place).entry().board];
        while self.before[place as usize] != FAR {
            place = self.before[place as usize];
            boards.push(self.graph.node(place).entry().board);
        }
        boards.reverse();
        Some((boards[0], moves_through(start_of(boards[0]), &boards[1..])?))
    }
}

/// The root as people write it: the start, if it is that.
pub(crate) fn start_of(root: Board) -> Board {
    if root == Board::START.canonical() { Board::START } else { root }
}

/// The moves, passes included, that lead from a position through these
/// canonical ones.
pub(crate) fn moves_through(start: Board, boards: &[Board]) -> Option<Vec<Move>> {
    let (mut board, mut moves) = (start, Vec::new());
    for next in boards {
        // Of moves that are the same up to symmetry the last: at the start,
        // f5 and not d3, as most people write.
        let leads = |square: &Square| matches!(step(&board, *square), Step::Position { board, .. } if board == *next);
        let square = preferred(board.moves().squares().filter(leads))?;
        moves.push(square.into());
        board = board.play(square.into())?;
        if board.must_pass() {
            moves.push(Move::Pass);
            board = board.pass();
        }
    }
    Some(moves)
}

/// Of moves that are the same up to symmetry, the one people would write.
fn preferred(mut squares: impl Iterator<Item = Square>) -> Option<Square> {
    let first = squares.next()?;
    Some(squares.find(|&square| square == Square::F5).unwrap_or(first))
}

/// The best line from a position through the book, passes included.
pub fn best_line(graph: &Graph, start: &Position) -> Vec<Move> {
    let mut boards = Vec::new();
    let mut board = start.board;
    while let Some(node) = graph.get(&board) {
        let best = node.links().iter().filter_map(|link| {
            Some((graph.link_value(link)?.0.even, std::cmp::Reverse(link.square), link))
        });
        let Some((worth, _, link)) = best.max_by_key(|&(worth, square, _)| (worth, square)) else {
            break;
        };
        if node.worths().is_some_and(|worths| worths.even > worth) {
            break;
        }
        board = graph.child(link).entry().board;
        boards.push(board);
    }
    moves_through(start.board, &boards).unwrap_or_default()
}
