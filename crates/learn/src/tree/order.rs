use super::tree_of_games::{Edge, GameTree};

/// Marks successors that only corrected games have examined.
const CORRECTION: u32 = 1 << 31;

/// The examined successors of every position, each once, and an order in which
/// successors come before their predecessors.
pub(crate) struct Successors {
    /// Where each position's successors begin.
    starts: Vec<u32>,
    /// Numbers of positions, marked with [`CORRECTION`].
    marked: Vec<u32>,
    /// All positions, leaves first.
    pub leaves_first: Vec<u32>,
}

impl Successors {
    pub fn of(tree: &GameTree) -> Successors {
        let (starts, marked) = gather(tree.nodes.len(), &tree.edges);
        Successors { starts, marked, leaves_first: leaves_first(tree) }
    }

    /// How many moves from position to position were examined.
    pub fn len(&self) -> usize {
        self.marked.len()
    }

    /// The successors of a position, with or without those of corrections.
    #[inline]
    pub fn after(&self, number: u32, corrections: bool) -> impl Iterator<Item = u32> {
        let [start, end] = [0, 1].map(|i| self.starts[number as usize + i] as usize);
        self.marked[start..end]
            .iter()
            .filter(move |&&to| corrections || to & CORRECTION == 0)
            .map(|to| to & !CORRECTION)
    }
}

/// Sorts the edges by where they begin and keeps each one once.
fn gather(nodes: usize, edges: &[Edge]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0u32; nodes + 1];
    edges.iter().for_each(|edge| ends[edge.from as usize + 1] += 1);
    for i in 0..nodes {
        ends[i + 1] += ends[i];
    }
    let mut marked = vec![0; edges.len()];
    let mut next = ends.clone();
    for edge in edges {
        let place = &mut next[edge.from as usize];
        // The mark in the lowest bit for now: sorting puts the ordinary one of
        // two equal edges first.
        marked[*place as usize] = edge.to << 1 | u32::from(edge.correction);
        *place += 1;
    }
    drop(next);
    let mut kept = 0;
    let mut start = 0;
    for end in &mut ends[1..] {
        let (from, to) = (start as usize, *end as usize);
        marked[from..to].sort_unstable();
        let first = kept;
        for i in from..to {
            let edge = marked[i];
            let to = edge >> 1;
            if kept == first || marked[kept - 1] & !CORRECTION != to {
                marked[kept] = if edge & 1 == 1 { to | CORRECTION } else { to };
                kept += 1;
            }
        }
        (start, *end) = (*end, kept as u32);
    }
    marked.truncate(kept);
    marked.shrink_to_fit();
    (ends, marked)
}

/// By falling number of discs; among equals those that must pass come last,
/// since a pass leads to a position with as many discs.
fn leaves_first(tree: &GameTree) -> Vec<u32> {
    let rank = |number: usize| {
        let empties = tree.index.boards()[number].empties() as usize;
        2 * empties + usize::from(tree.nodes[number].passes)
    };
    let mut starts = [0usize; 2 * 65 + 1];
    (0..tree.nodes.len()).for_each(|number| starts[rank(number) + 1] += 1);
    for i in 0..starts.len() - 1 {
        starts[i + 1] += starts[i];
    }
    let mut ordered = vec![0; tree.nodes.len()];
    for number in 0..tree.nodes.len() {
        let place = &mut starts[rank(number)];
        ordered[*place] = number as u32;
        *place += 1;
    }
    ordered
}
