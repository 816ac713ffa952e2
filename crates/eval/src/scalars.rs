use discern_board::Board;

use crate::patterns::LineMobility;

/// A feature that is one number of the board and has no table: mobility, say.
pub(crate) struct Scalar {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) explanation: &'static str,
    /// About how large it gets: what makes it comparable with other inputs.
    pub(crate) typical: f64,
    pub(crate) value: ScalarValue,
}

/// How a scalar is computed, from the mover's view.
#[derive(Clone, Copy)]
pub(crate) enum ScalarValue {
    /// A sum over the lines of the board. Evaluators fold it into the tables
    /// of their patterns, where it costs nothing.
    Lines(fn(&LineMobility) -> i32),
    /// A count. Models with a weight for each configuration have one for each
    /// number, others weigh the number itself; evaluators look either up.
    Count(Count),
    /// Any function of the board. Evaluators add it as a term of its own.
    #[cfg_attr(not(test), expect(dead_code, reason = "no feature of the paper needs it"))]
    Board(fn(&Board) -> f64),
}

/// Squares of a board that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// The mover's moves.
    Moves,
    /// The moves that the opponent would have.
    Replies,
}

impl Count {
    /// All counts.
    pub(crate) const ALL: [Count; 2] = [Count::Moves, Count::Replies];
    /// More than any count.
    pub(crate) const BEYOND: usize = 64;

    /// The count of a board.
    #[inline(always)]
    pub(crate) fn of(self, board: &Board) -> usize {
        let set = match self {
            Count::Moves => board.moves(),
            Count::Replies => board.opponent_moves(),
        };
        set.count() as usize % Count::BEYOND
    }
}

/// All scalar features. A further one is a further entry.
pub(crate) const SCALARS: &[Scalar] = &[
    Scalar {
        name: "MOB",
        title: "Mobility",
        explanation: "Moves on each line of the board, the mover’s less the opponent’s. A move that turns discs on three lines counts three times.",
        typical: 10.0,
        value: ScalarValue::Lines(|line| line.moves),
    },
    Scalar {
        name: "PMOB",
        title: "Potential mobility",
        explanation: "Empty squares next to the opponent’s discs that may become moves later, less the opponent’s.",
        typical: 10.0,
        value: ScalarValue::Lines(|line| line.potential),
    },
    Scalar {
        name: "MOVES",
        title: "Moves",
        explanation: "How many squares the mover can play on.",
        typical: 10.0,
        value: ScalarValue::Count(Count::Moves),
    },
    Scalar {
        name: "REPLIES",
        title: "Opponent’s moves",
        explanation: "How many squares the opponent could play on if it were their turn.",
        typical: 10.0,
        value: ScalarValue::Count(Count::Replies),
    },
    // Shows in the tests of this crate that such a feature needs nothing else.
    #[cfg(test)]
    Scalar {
        name: "LAST",
        title: "Last move",
        explanation: "1 if an odd number of squares is empty, −1 if an even one is.",
        typical: 1.0,
        value: ScalarValue::Board(|board| if board.empties() % 2 == 1 { 1.0 } else { -1.0 }),
    },
];
