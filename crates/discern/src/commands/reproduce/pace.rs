use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How long the games take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// A quarter of a second for the paper's 30 minutes: about ten minutes in all
    Quick,
    /// As many nodes a game as the paper's workstations searched: some hours
    Paper,
}

/// Seconds of the `quick` preset for the paper's 30 minutes.
const QUICK_SECONDS: f64 = 0.25;

/// Nodes a side of the paper searched in a game: some 11,000 a second on a
/// SPARCstation 10, for 30 minutes. `docs/decisions/reproduction.md` derives it.
const PAPER_NODES: f64 = 2e7;

/// What a side has instead of the paper's 30 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// So many seconds.
    Seconds(f64),
    /// The time in which LOG searches so many nodes.
    Nodes(f64),
}

impl Pace {
    /// The pace asked for: minutes stand above the preset.
    pub fn new(preset: Preset, minutes: Option<f64>) -> Pace {
        match (minutes, preset) {
            (Some(minutes), _) => Pace::Seconds(60.0 * minutes),
            (None, Preset::Quick) => Pace::Seconds(QUICK_SECONDS),
            (None, Preset::Paper) => Pace::Nodes(PAPER_NODES),
        }
    }

    /// What it is called in the results.
    pub fn name(self) -> &'static str {
        match self {
            Pace::Seconds(QUICK_SECONDS) => "quick",
            Pace::Nodes(PAPER_NODES) => "paper",
            _ => "custom",
        }
    }

    /// Seconds a side has, given the speed of LOG's search.
    pub fn seconds(self, nodes_per_second: f64) -> f64 {
        match self {
            Pace::Seconds(seconds) => seconds,
            // To the millisecond, the unit of the clocks.
            Pace::Nodes(nodes) => (1000.0 * nodes / nodes_per_second).round().max(1.0) / 1000.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_time_follows_from_the_speed_and_minutes_stand_above_presets() {
        let paper = Pace::new(Preset::Paper, None);
        assert_eq!((paper.name(), paper.seconds(5e6)), ("paper", 4.0));
        let custom = Pace::new(Preset::Paper, Some(0.5));
        assert_eq!((custom.name(), custom.seconds(1.0)), ("custom", 30.0));
        assert_eq!(Pace::new(Preset::Quick, None).name(), "quick");
    }
}
