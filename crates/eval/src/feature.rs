use std::fmt;

use discern_board::Board;

use crate::patterns::{LineMobility, PATTERNS};
use crate::scalars::{Count, SCALARS, Scalar, ScalarValue};

/// How many patterns have a feature.
const SCORED: usize = {
    let (mut count, mut i) = (0, 0);
    while i < PATTERNS.len() {
        count += PATTERNS[i].scored as usize;
        i += 1;
    }
    count
};

/// The patterns with a feature.
const SCORED_PATTERNS: [usize; SCORED] = {
    let mut patterns = [0; SCORED];
    let (mut next, mut i) = (0, 0);
    while i < PATTERNS.len() {
        if PATTERNS[i].scored {
            patterns[next] = i;
            next += 1;
        }
        i += 1;
    }
    patterns
};

/// A feature that this program knows, from the mover's view: a scalar, such as
/// mobility, or the sum of the table values of a pattern's instances.
///
/// What it is called and how it is explained is said here once; commands,
/// reports and pages take it from here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u8);

impl Feature {
    /// All features: the scalars, then the patterns.
    pub fn all() -> impl Iterator<Item = Feature> {
        (0..(SCALARS.len() + SCORED) as u8).map(Feature)
    }

    /// The feature with this short name, in capitals or not.
    pub fn named(name: &str) -> Option<Feature> {
        Feature::all().find(|feature| feature.name().eq_ignore_ascii_case(name))
    }

    /// The feature of a pattern, if it has one.
    pub fn of_pattern(pattern: usize) -> Option<Feature> {
        Feature::all().find(|feature| feature.pattern() == Some(pattern))
    }

    fn scalar(self) -> Option<&'static Scalar> {
        SCALARS.get(usize::from(self.0))
    }

    /// The number of its pattern; `None` for a scalar.
    pub fn pattern(self) -> Option<usize> {
        usize::from(self.0).checked_sub(SCALARS.len()).map(|place| SCORED_PATTERNS[place])
    }

    fn words(self) -> [&'static str; 3] {
        match (self.scalar(), self.pattern().map(|pattern| &PATTERNS[pattern])) {
            (Some(scalar), _) => [scalar.name, scalar.title, scalar.explanation],
            (_, Some(pattern)) => [pattern.name, pattern.title, pattern.explanation],
            _ => unreachable!("a feature is a scalar or has a pattern"),
        }
    }

    /// Short name: `MOB`, `PMOB`, `R1`, … `E2X`.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// What people call it: `Edges`.
    pub fn title(self) -> &'static str {
        self.words()[1]
    }

    /// What it looks at, in a sentence or two.
    pub fn explanation(self) -> &'static str {
        self.words()[2]
    }

    /// About how large a scalar gets; 1 for the feature of a pattern.
    pub fn typical(self) -> f64 {
        self.scalar().map_or(1.0, |scalar| scalar.typical)
    }

    /// The value of a scalar on a board whose lines have this mobility
    /// ([`Indices::mobility`](crate::patterns::Indices::mobility)); `None` for
    /// the feature of a pattern.
    pub fn value(self, board: &Board, lines: &LineMobility) -> Option<f64> {
        self.scalar().map(|scalar| match scalar.value {
            ScalarValue::Lines(value) => f64::from(value(lines)),
            ScalarValue::Count(count) => count.of(board) as f64,
            ScalarValue::Board(value) => value(board),
        })
    }

    /// What one line adds to a scalar that is a sum over lines.
    pub(crate) fn of_line(self) -> Option<fn(&LineMobility) -> i32> {
        match self.scalar()?.value {
            ScalarValue::Lines(value) => Some(value),
            _ => None,
        }
    }

    /// The count that it is, if it is one.
    pub(crate) fn of_count(self) -> Option<Count> {
        match self.scalar()?.value {
            ScalarValue::Count(count) => Some(count),
            _ => None,
        }
    }

    /// How many weights a scalar has where each configuration has one: one for
    /// each number of a count, and one to multiply any other scalar with.
    pub fn levels(self) -> usize {
        self.of_count().map_or(1, |_| Count::BEYOND)
    }

    /// Which of the weights of a count is that of the board; `None` for any
    /// other feature.
    pub fn level(self, board: &Board) -> Option<usize> {
        self.of_count().map(|count| count.of(board))
    }

    /// A scalar that is a function of nothing less than the board.
    pub(crate) fn of_board(self) -> Option<fn(&Board) -> f64> {
        match self.scalar()?.value {
            ScalarValue::Board(value) => Some(value),
            _ => None,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
