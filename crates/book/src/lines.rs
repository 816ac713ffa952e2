use discern_board::{Board, Game, Position};

use crate::graph::Graph;
use crate::paths::{Paths, start_of};

/// A line of a book.
#[derive(Debug, Clone)]
pub struct BookLine {
    /// The moves from the root, and the deviation at the end if there is one.
    pub game: Game,
    /// What both sides together give away on it, in hundred-thousandths of a
    /// won game.
    pub loss: u32,
}

/// Lines that together go through every position reachable from the root with
/// at most this much given away: for each position without examined moves the
/// cheapest way there, and its deviation. The cheapest lines come first.
pub fn lines(graph: &Graph, root: &Position, most: u32) -> Vec<BookLine> {
    let paths = Paths::new(graph, &[root.board], 0, true);
    let ends = graph.nodes().filter(|node| {
        let near = |board: &Board| paths.cost(board).is_some_and(|cost| cost <= most);
        near(&node.entry().board)
            && !node.links().iter().any(|link| near(&graph.child(link).entry().board))
    });
    let line = |board: &Board| {
        let (_, moves) = paths.line(board)?;
        let mut game = Game::new(*root);
        // The way begins at the canonical root, or at the start as it is.
        if start_of(root.board.canonical()) != root.board {
            game = Game::new(Position { board: start_of(root.board.canonical()), ..*root });
        }
        moves.into_iter().try_for_each(|mv| game.play(mv)).ok()?;
        let node = graph.get(board)?;
        if let Some(deviation) = node.entry().deviation {
            let (_, symmetry) = game.position().board.canonical_by();
            game.play(symmetry.inverse().square(deviation.square).into()).ok()?;
        }
        Some(BookLine { game, loss: paths.cost(board)? })
    };
    let mut lines: Vec<BookLine> = ends.filter_map(|node| line(&node.entry().board)).collect();
    lines.sort_by_key(|line| (line.loss, line.game.transcript()));
    lines
}
