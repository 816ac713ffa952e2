//! The claim of the paper, tested on a book: values of different phases can be
//! compared, and choices that rely on it are right more often.

use discern_board::{Bitboard, Board, Dice, Move, Outcome, Square};
use serde::Serialize;

use crate::graph::{Graph, Node};
use crate::hash::Table;
use crate::judge::Judge;
use crate::worth::{Grade, Worth};

/// A choice between an examined move and a deviation that depends on whether
/// values of different phases can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement {
    /// The position.
    pub board: Board,
    /// The move that comparable values choose.
    pub comparable: Square,
    /// The move that the same values on another scale per phase choose.
    pub scaled: Square,
}

/// The positions of a book in which NegaMax chooses another move once each
/// value is multiplied by the factor of its phase, as an evaluation leaves them
/// whose weights were only ever compared within a phase. `factor` gets the
/// number of discs at which a value was measured: at the horizon of its search.
pub fn disagreements(graph: &Graph, factor: &dyn Fn(u32) -> f64) -> Vec<Disagreement> {
    let mut scaled: Table<Board, Worth> = Table::default();
    let mut found = Vec::new();
    let mut nodes = graph.sorted();
    nodes.sort_by_key(|node| std::cmp::Reverse(node.entry().board.discs()));
    for node in nodes {
        let board = node.entry().board;
        let plain = choice(graph, node, |_, worth| Some(worth));
        let other = choice(graph, node, |source, worth| match source {
            Source::Child(child) => scaled.get(&child).copied(),
            Source::Search(discs) => Some(worth.scaled(factor(discs))),
        });
        if let Some((worth, _)) = other {
            scaled.insert(board, worth);
        }
        if let (Some((_, comparable)), Some((_, scaled))) = (plain, other)
            && comparable != scaled
        {
            found.push(Disagreement { board, comparable, scaled });
        }
    }
    found.sort_unstable_by_key(|one| one.board);
    found
}

/// Where a value comes from.
enum Source {
    /// From this position.
    Child(Board),
    /// From a search whose horizon has this many discs.
    Search(u32),
}

/// NegaMax at one node with changed values: the best and its move. Of equal
/// ones the first square wins, for either kind of value.
fn choice(
    graph: &Graph,
    node: &Node,
    change: impl Fn(Source, Worth) -> Option<Worth>,
) -> Option<(Worth, Square)> {
    let links = node.links().iter().filter_map(|link| {
        let child = graph.child(link);
        let worth = change(Source::Child(child.entry().board), child.worths()?.even)?;
        Some((if link.same_side { worth } else { -worth }, link.square))
    });
    let board = node.entry().board;
    let deviation = node.entry().deviation.and_then(|deviation| {
        let horizon = match deviation.grade {
            Grade::Depth(depth) => (board.discs() + u32::from(depth)).min(64),
            _ => 64,
        };
        Some((change(Source::Search(horizon), deviation.worth)?, deviation.square))
    });
    links.chain(deviation).max_by_key(|&(worth, square)| (worth, std::cmp::Reverse(square)))
}

/// Who was right in a disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// The comparable values chose the better move.
    pub comparable: u32,
    /// The scaled ones did.
    pub scaled: u32,
    /// Neither was better.
    pub equal: u32,
}

impl Tally {
    /// Adds a disagreement: what both choices are really worth to the mover.
    /// Values that differ by less than `margin` thousandths are equal; proven
    /// outcomes count, not by how many discs.
    pub fn add(&mut self, comparable: Worth, scaled: Worth, margin: i32) {
        let class = |worth: Worth| match worth.outcome() {
            Some(Outcome::Win) => 100_000,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Loss) => -100_000,
            None => worth.value().thousandths(),
        };
        match class(comparable) - class(scaled) {
            gain if gain > margin => self.comparable += 1,
            gain if gain < -margin => self.scaled += 1,
            _ => self.equal += 1,
        }
    }

    /// The share of decided disagreements that the comparable values won, with
    /// Wilson's interval at 95 %; `None` without any.
    pub fn share(&self) -> Option<[f64; 3]> {
        let n = f64::from(self.comparable + self.scaled);
        if n == 0.0 {
            return None;
        }
        let (p, z) = (f64::from(self.comparable) / n, 1.959_963_984_540_054_f64);
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        Some([p, middle - half, middle + half])
    }
}

/// How the scale depends on the phase.
#[derive(Clone, Copy)]
enum Factors {
    /// From a half at the start to two at the end.
    Rising,
    /// From two to a half.
    Falling,
    /// For each phase a number between a half and two.
    Random,
}

impl Factors {
    const ALL: [(&'static str, Factors); 3] =
        [("rising", Factors::Rising), ("falling", Factors::Falling), ("random", Factors::Random)];

    fn of(self, discs: u32, seed: u64) -> f64 {
        let exponent = match self {
            Factors::Rising => (f64::from(discs) - 34.0) / 30.0,
            Factors::Falling => (34.0 - f64::from(discs)) / 30.0,
            Factors::Random => Dice::new(&[seed, discs.into()]).below(2001) as f64 / 1000.0 - 1.0,
        };
        exponent.exp2()
    }
}

/// What one kind of factors led to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyRow {
    /// The kind of factors.
    pub factors: &'static str,
    /// Positions of the book.
    pub positions: usize,
    /// Those in which the two books choose differently.
    pub disagreements: usize,
    /// Of these, how many were judged.
    pub judged: u32,
    /// The comparable values chose the better move.
    pub comparable_right: u32,
    /// The scaled values did.
    pub scaled_right: u32,
    /// Neither did.
    pub equal: u32,
    /// The share of decided ones that the comparable values won.
    pub share: Option<f64>,
    /// Its 95 % interval.
    pub low: Option<f64>,
    /// The other end.
    pub high: Option<f64>,
}

/// A test of the claim on a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Study {
    /// Of the choice among disagreements and of random factors.
    pub seed: u64,
    /// Disagreements to judge at most, for each kind of factors.
    pub most: usize,
}

impl Study {
    /// Lets `arbiter` judge the disagreements for each kind of factors, until
    /// `stop` says so. `progress` hears the kind, how many are judged, and of
    /// how many.
    pub fn run(
        &self,
        graph: &Graph,
        arbiter: &mut dyn Judge,
        stop: &dyn Fn() -> bool,
        mut progress: impl FnMut(&str, usize, usize),
    ) -> Vec<StudyRow> {
        let mut row = |(name, factors): (&'static str, Factors)| {
            let mut found = disagreements(graph, &|discs| factors.of(discs, self.seed));
            let (all, most) = (found.len(), found.len().min(self.most));
            let mut dice = Dice::new(&[self.seed]);
            let mut tally = Tally::default();
            for judged in 0..most {
                if stop() {
                    break;
                }
                let pick = judged + dice.below((all - judged) as u64) as usize;
                found.swap(judged, pick);
                let one = found[judged];
                let comparable = truth(arbiter, &one.board, one.comparable);
                let scaled = truth(arbiter, &one.board, one.scaled);
                tally.add(comparable, scaled, 0);
                progress(name, judged + 1, most);
            }
            let share = tally.share();
            StudyRow {
                factors: name,
                positions: graph.len(),
                disagreements: all,
                judged: tally.comparable + tally.scaled + tally.equal,
                comparable_right: tally.comparable,
                scaled_right: tally.scaled,
                equal: tally.equal,
                share: share.map(|[share, ..]| share),
                low: share.map(|[_, low, _]| low),
                high: share.map(|[.., high]| high),
            }
        };
        Factors::ALL.into_iter().map(&mut row).collect()
    }
}

/// What a move is worth to the side that makes it, looked at more closely.
fn truth(arbiter: &mut dyn Judge, board: &Board, square: Square) -> Worth {
    let Some(next) = board.play(Move::Place(square)) else { return Worth::DRAW };
    let (next, same_side) = if next.must_pass() { (next.pass(), true) } else { (next, false) };
    if next.is_over() {
        return Worth::proven(-next.final_score());
    }
    let best = arbiter.judge(&next, Bitboard::EMPTY);
    let worth = best.map_or(Worth::DRAW, |best| best.worth);
    if same_side { worth } else { -worth }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_the_published_one() {
        // 8 of 10: 0.4901 to 0.9433.
        let [p, low, high] = Tally { comparable: 8, scaled: 2, equal: 5 }.share().unwrap();
        assert_eq!(p, 0.8);
        assert!((low - 0.4901).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        assert_eq!(Tally { equal: 3, ..Tally::default() }.share(), None);
    }
}
