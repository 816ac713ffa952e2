use std::collections::{BTreeMap, HashSet};

use discern_board::Board;

use crate::entry::Entry;
use crate::graph::Graph;
use crate::judge::Deviation;
use crate::steps::{Step, step};

/// What has to be put into `graph` to unite it with entries that were grown
/// elsewhere, several of the same position perhaps, in whichever order.
///
/// A deviation that leads to a position of the union is examined there, and
/// none any more. Any other is still the best of what is left: it was the best
/// beside fewer examined moves. Of several the best searched one stays. So all
/// entries are united at once: two by two, which deviation is left would depend
/// on the order. Where none is left, somebody has to search
/// ([`search_wanting`](crate::search_wanting)). Games are those of `graph`.
pub fn united(graph: &Graph, entries: impl IntoIterator<Item = Entry>) -> Vec<Entry> {
    let mut found: BTreeMap<Board, Vec<Deviation>> = BTreeMap::new();
    for entry in entries {
        found.entry(entry.board).or_default().extend(entry.deviation);
    }
    let boards: HashSet<Board> = found.keys().copied().collect();
    let is_open = |board: &Board, deviation: &Deviation| match step(board, deviation.square) {
        Step::Position { board, .. } => !boards.contains(&board) && graph.get(&board).is_none(),
        Step::Over(_) => true,
    };
    let rank = |deviation: &Deviation| (deviation.grade, deviation.worth, deviation.square);
    let unite = |(board, mut deviations): (Board, Vec<Deviation>)| {
        let known = graph.get(&board).map_or(Entry::new(board), |node| *node.entry());
        deviations.extend(known.deviation);
        deviations.retain(|deviation| is_open(&board, deviation));
        Entry { deviation: deviations.into_iter().max_by_key(rank), ..known }
    };
    found.into_iter().map(unite).collect()
}
