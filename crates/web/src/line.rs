use discern_board::Move;
use discern_eval::Value;
use discern_review::expected_discs;
use discern_search::{Certainty, Line};
use serde::Serialize;

/// A line of play as the page gets it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineJson {
    #[serde(rename = "move")]
    pub mv: String,
    pub probability: f64,
    pub value: f64,
    pub depth: u32,
    pub exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    pub discs: i32,
    pub pv: String,
}

impl LineJson {
    /// A line found in a position with so many empty squares.
    pub fn new(line: &Line, empties: u32) -> LineJson {
        LineJson::shown(line, line.value, empties)
    }

    /// The same with another value in the place of an estimate.
    pub fn shown(line: &Line, estimate: Value, empties: u32) -> LineJson {
        let proven = line.is_proven();
        let value = if proven { line.value } else { estimate };
        LineJson {
            mv: line.mv.to_string(),
            probability: if proven { line.probability() } else { value.probability() },
            value: value.log_odds(),
            depth: match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => empties,
            },
            exact: proven,
            outcome: line.outcome().map(|outcome| outcome.to_string()),
            score: line.score().map(|score| score.discs()),
            discs: expected_discs(value),
            pv: line.pv.iter().map(Move::to_string).collect(),
        }
    }
}
