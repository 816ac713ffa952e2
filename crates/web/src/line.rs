use discern_eval::Value;
use discern_players::LineWorth;
use discern_review::expected_discs;
use discern_search::Line;
use serde::Serialize;

/// A line of play as the page gets it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineJson {
    #[serde(flatten)]
    pub worth: LineWorth,
    pub discs: i32,
}

impl LineJson {
    /// A line found in a position with this many empty squares.
    pub fn new(line: &Line, empties: u32) -> LineJson {
        LineJson { worth: LineWorth::new(line, empties), discs: expected_discs(line.value) }
    }

    /// The same with another value in the place of an estimate.
    pub fn shown(line: &Line, estimate: Value, empties: u32) -> LineJson {
        let mut shown = LineJson::new(line, empties);
        if !line.is_proven() {
            shown.worth.probability = estimate.probability();
            shown.worth.value = estimate.log_odds();
            shown.discs = expected_discs(estimate);
        }
        shown
    }
}
