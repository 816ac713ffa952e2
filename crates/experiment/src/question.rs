use crate::study::Study;
use crate::{Pace, paper};

/// What can be asked beside the paper's experiment as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Table 1 itself, with more games.
    Table,
    /// Something else.
    Study(Study),
}

impl Question {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Question); 3] = [
        (
            "labels",
            "What is each step of Section 3 worth? LOG on the labels that each leaves",
            Question::Study(Study::Labels),
        ),
        (
            "rivals",
            "All models of `discern fit` on the same data, at equal nodes and at equal time",
            Question::Study(Study::Rivals),
        ),
        (
            "table",
            "Table 1 with certainty: 1,000 openings at half a second a game, and at a tenth of it",
            Question::Table,
        ),
    ];

    /// How many openings are played how long if nobody says otherwise.
    pub fn usual(asked: Option<Question>) -> (usize, Pace) {
        match asked {
            // Intervals of about two points.
            Some(Question::Table) => (1000, Pace::Seconds(0.5)),
            _ => (paper::OPENINGS, Pace::QUICK),
        }
    }
}
