use std::collections::HashMap;

use discern_board::Move;
use discern_eval::Value;
use discern_search::{Certainty, Line};

/// Estimates that do not swing with the depth.
///
/// A search to an odd depth sees one more move of one side than a search to an
/// even one, and values it a little too high. The mean of two neighbouring
/// depths is free of that.
#[derive(Debug, Default)]
pub struct Steady {
    /// The last depth of each move and its value, and the one before.
    seen: HashMap<Move, [Option<(u32, Value)>; 2]>,
}

impl Steady {
    /// What to show of a line that was just reported.
    pub fn estimate(&mut self, line: &Line) -> Value {
        let Certainty::Depth(depth) = line.certainty else { return line.value };
        let [last, before] = self.seen.entry(line.mv).or_default();
        match last {
            Some((known, value)) if *known == depth => *value = line.value,
            _ => *before = last.replace((depth, line.value)),
        }
        match before {
            Some((known, value)) if *known + 1 == depth => {
                Value::from_log_odds((value.log_odds() + line.value.log_odds()) / 2.0)
            }
            _ => line.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, thousandths: i32) -> Line {
        let mv: Move = "d3".parse().expect("a square");
        let value = Value::estimate(thousandths);
        Line { mv, value, certainty: Certainty::Depth(depth), pv: vec![mv] }
    }

    #[test]
    fn neighbouring_depths_are_shown_as_their_mean() {
        let mut steady = Steady::default();
        let mut shown = |depth, value| steady.estimate(&line(depth, value)).thousandths();
        assert_eq!(shown(15, 120), 120);
        assert_eq!(shown(16, -120), 0);
        assert_eq!(shown(16, -100), 10, "the same depth again counts once");
        assert_eq!(shown(17, 100), 0);
        assert_eq!(shown(20, 40), 40, "a gap is no neighbour");
    }
}
