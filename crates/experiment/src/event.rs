use discern_arena::stats::Tally;

use crate::Speed;

/// A step of the experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Games to classified positions.
    Positions,
    /// Tables, models, held-out test.
    Models,
    /// Speed of the search.
    Speed,
    /// The rows of Table 1.
    Matches,
    /// Time factors of equal strength.
    Factors,
    /// Everything together.
    Report,
}

impl Step {
    /// All of them in order.
    pub const ALL: [Step; 6] =
        [Step::Positions, Step::Models, Step::Speed, Step::Matches, Step::Factors, Step::Report];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Step::Positions => "games to classified positions",
            Step::Models => "tables, models, held-out test",
            Step::Speed => "speed of the search",
            Step::Matches => "Table 1",
            Step::Factors => "time factors of equal strength",
            Step::Report => "report",
        }
    }
}

/// How far the experiment has come.
#[derive(Debug)]
pub enum Event<'a> {
    /// A step begins.
    Begun(Step),
    /// An earlier part of the run has finished this step.
    Kept(Step),
    /// What the step does from now on, if it cannot say how much is left.
    Doing(&'a str),
    /// So much of a countable part of the step is done.
    Counted {
        /// What is counted, such as `searches`.
        unit: &'static str,
        /// What it is about.
        what: &'a str,
        /// Done.
        done: u64,
        /// In all.
        of: u64,
    },
    /// A row of Table 1 begins, or one of its games is over.
    Match(&'a MatchProgress),
    /// The step is over.
    Done(Facts<'a>),
}

/// How far Table 1 has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatchProgress {
    /// The row, such as `LOG–QUAD 30–38`.
    pub row: String,
    /// The row's games so far.
    pub tally: Tally,
    /// Games of all rows that are over.
    pub done: u64,
    /// Games of all rows.
    pub of: u64,
    /// Games played in this part of the run.
    pub fresh: u64,
}

/// What a step has found, in short.
#[derive(Debug)]
pub enum Facts<'a> {
    /// Of [`Step::Positions`].
    Positions {
        /// Games read.
        games: u64,
        /// Positions classified.
        positions: u64,
    },
    /// Of [`Step::Models`]: positions of the test.
    Models(usize),
    /// Of [`Step::Speed`].
    Speed(&'a [Speed]),
    /// Of [`Step::Matches`]: games in all.
    Matches(u64),
    /// Of [`Step::Factors`].
    Factors {
        /// Factors that the matches set.
        found: usize,
        /// Factors sought.
        of: usize,
    },
    /// Of [`Step::Report`]: seconds of all parts of the run.
    Report(f64),
}
