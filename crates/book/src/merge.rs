use crate::entry::{Entry, Games};
use crate::graph::Graph;
use crate::judge::Deviation;

/// What merging two books came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Positions that only the other book had.
    pub added: usize,
    /// Games that both had entered. Their results cannot be told apart, so
    /// where there are any, each position has the larger of both counts.
    pub shared_games: usize,
}

/// The entries of `other` as they have to be put into `graph`. Of two
/// deviations the better searched one stays; which book comes first makes no
/// difference.
pub fn merged(graph: &Graph, other: &Graph) -> (Vec<Entry>, Merged) {
    let shared_games =
        other.learned().iter().filter(|id| graph.learned().binary_search(id).is_ok()).count();
    let mut report = Merged { added: 0, shared_games };
    let entries = other.sorted().into_iter().map(|node| {
        let theirs = *node.entry();
        let Some(ours) = graph.get(&theirs.board).map(|node| *node.entry()) else {
            report.added += 1;
            return theirs;
        };
        let rank = |deviation: &Deviation| (deviation.grade, deviation.worth, deviation.square);
        let deviation = [ours.deviation, theirs.deviation].into_iter().flatten().max_by_key(rank);
        let games = match shared_games {
            0 => sum(ours.games, theirs.games),
            _ => Games {
                human: ours.games.human.max(theirs.games.human),
                engine: ours.games.engine.max(theirs.games.engine),
            },
        };
        Entry { board: ours.board, deviation, games }
    });
    (entries.collect(), report)
}

fn sum(mut ours: Games, theirs: Games) -> Games {
    ours.human += theirs.human;
    ours.engine += theirs.engine;
    ours
}
