use serde::{Deserialize, Serialize};

/// Seconds of the `quick` preset for the paper's 30 minutes.
const QUICK_SECONDS: f64 = 0.25;

/// Nodes a side of the paper searched in a game: some 11,000 a second on a
/// SPARCstation 10, for 30 minutes. `docs/decisions/reproduction.md` derives it.
const PAPER_NODES: f64 = 2e7;

/// How long the games take, as it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// So many seconds for the paper's 30 minutes.
    Seconds(f64),
    /// The time in which LOG searches so many nodes.
    Nodes(f64),
    /// No clocks, but so many nodes for each move: the same games every time.
    /// Gives a slow model its slowness for free.
    NodesPerMove(u64),
}

/// The well-known paces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// A quarter of a second for the paper's 30 minutes.
    Quick,
    /// As many nodes a game as the paper's workstations searched.
    Paper,
    /// Any other pace.
    Custom,
}

impl Preset {
    /// The word for it, as in `numbers.json`.
    pub fn word(self) -> &'static str {
        match self {
            Preset::Quick => "quick",
            Preset::Paper => "paper",
            Preset::Custom => "custom",
        }
    }
}

/// What a side has for a game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowance {
    /// So many seconds of processor time.
    Seconds(f64),
    /// So many nodes for each move.
    NodesPerMove(u64),
}

impl Pace {
    /// A tenth of it.
    #[must_use]
    pub fn tenth(self) -> Pace {
        match self {
            Pace::Seconds(seconds) => Pace::Seconds(seconds / 10.0),
            Pace::Nodes(nodes) => Pace::Nodes(nodes / 10.0),
            Pace::NodesPerMove(nodes) => Pace::NodesPerMove((nodes / 10).max(1)),
        }
    }

    /// A quarter of a second for the paper's 30 minutes.
    pub const QUICK: Pace = Pace::Seconds(QUICK_SECONDS);
    /// As many nodes a game as the paper's workstations searched.
    pub const PAPER: Pace = Pace::Nodes(PAPER_NODES);

    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Pace); 2] = [
        (
            "quick",
            "A quarter of a second for the paper's 30 minutes: about ten minutes in all",
            Pace::QUICK,
        ),
        (
            "paper",
            "As many nodes a game as the paper's workstations searched: some hours",
            Pace::PAPER,
        ),
    ];

    /// The preset it is.
    pub fn preset(self) -> Preset {
        match self {
            Pace::QUICK => Preset::Quick,
            Pace::PAPER => Preset::Paper,
            _ => Preset::Custom,
        }
    }

    /// What a side has for the paper's 30 minutes, given the speed of LOG's
    /// search.
    pub fn allowance(self, nodes_per_second: f64) -> Allowance {
        match self {
            Pace::Seconds(seconds) => Allowance::Seconds(seconds),
            // To the millisecond, the unit of the clocks.
            Pace::Nodes(nodes) => {
                Allowance::Seconds((1000.0 * nodes / nodes_per_second).round().max(1.0) / 1000.0)
            }
            Pace::NodesPerMove(nodes) => Allowance::NodesPerMove(nodes),
        }
    }
}

impl Allowance {
    /// As much of it, in the units of clocks and counters.
    pub fn times(self, factor: f64) -> Allowance {
        match self {
            Allowance::Seconds(seconds) => {
                Allowance::Seconds((1000.0 * seconds * factor).round() / 1000.0)
            }
            Allowance::NodesPerMove(nodes) => {
                Allowance::NodesPerMove((nodes as f64 * factor).round() as u64)
            }
        }
    }

    /// Seconds or nodes: only the ratio of two of a kind means something.
    pub fn amount(self) -> f64 {
        match self {
            Allowance::Seconds(seconds) => seconds,
            Allowance::NodesPerMove(nodes) => nodes as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_time_follows_from_the_speed() {
        assert_eq!(Pace::PAPER.allowance(5e6), Allowance::Seconds(4.0));
        assert_eq!(Pace::Seconds(30.0).allowance(1.0), Allowance::Seconds(30.0));
        let presets = [Pace::PAPER, Pace::QUICK, Pace::Seconds(30.0)].map(Pace::preset);
        assert_eq!(presets, [Preset::Paper, Preset::Quick, Preset::Custom]);
    }

    #[test]
    fn a_handicap_is_rounded_to_what_clocks_and_counters_know() {
        assert_eq!(Allowance::Seconds(0.25).times(38.0 / 30.0), Allowance::Seconds(0.317));
        assert_eq!(Allowance::NodesPerMove(100).times(1.2), Allowance::NodesPerMove(120));
    }
}
