use discern_eval::{FIRST_PHASE, Features, LAST_PHASE, Stages};
use discern_stats::{PhaseRange, Pooling, Prior, Threads, Trials};
use serde::Serialize;

use crate::fits::{FITS, Fit};
use crate::levels::Levels;

/// How tables and models are made from classified positions. The defaults are
/// what held-out games preferred; `docs/decisions/evaluation.md` has the figures.
#[derive(Debug, Clone)]
pub struct FitSettings {
    /// How the tables are made.
    pub tables: TableSettings,
    /// How the positions that fill the tables and those that fit the weights
    /// are kept apart.
    pub evidence: Evidence,
    /// Which disc counts lend their positions to a phase.
    pub window: Window,
    /// A phase with fewer positions than this in its window takes a wider one.
    pub least_rows: f64,
    /// A phase whose window has fewer or more wins than half, by this share,
    /// takes a wider one (Section 4: "to ensure almost equal numbers of won and
    /// lost positions"); not for windows of one parity, which are never even.
    pub imbalance: f64,
    /// The features to use.
    pub features: Features,
    /// The models to fit.
    pub models: Vec<&'static Fit>,
    /// How each disc count gets an intercept of its own; `None` leaves it with
    /// that of its pool.
    pub levels: Option<Levels>,
    /// Trials behind each position in LOG.
    pub trials: Trials,
    /// A priori probabilities of FISHER and QUAD.
    pub prior: Prior,
    /// Threads; the result does not depend on it.
    pub threads: Threads,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings {
            tables: TableSettings::default(),
            evidence: Evidence::default(),
            window: Window::default(),
            least_rows: 2000.0,
            imbalance: 0.05,
            features: Features::default(),
            models: FITS.iter().filter(|fit| fit.usual).collect(),
            levels: Some(Levels::default()),
            trials: Trials::default(),
            prior: Prior::default(),
            threads: Threads::default(),
        }
    }
}

/// Which phases are pooled to fit the models of a phase (Section 4: "adjacent
/// groups were used … to smooth the data").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Window {
    /// How many steps to either side.
    pub reach: u32,
    /// Steps of two discs: an even number of empty squares usually means that
    /// the opponent has the last move, and the intercept depends on it.
    pub same_parity: bool,
}

impl Default for Window {
    /// Two discs either way. Even and odd disc counts together hold about as
    /// many wins as losses, which is what makes the equal priors of FISHER and
    /// QUAD right.
    fn default() -> Window {
        Window { reach: 2, same_parity: false }
    }
}

impl Window {
    /// The number under which the fits know a phase: phases that may be
    /// pooled are neighbours, the others far apart.
    pub(crate) fn key(self, discs: usize) -> i32 {
        let discs = discs as i32;
        if self.same_parity { discs / 2 + 1000 * (discs % 2) } else { discs }
    }

    /// The phase known under a number.
    pub(crate) fn discs(self, key: i32) -> usize {
        let discs = if self.same_parity { key % 1000 * 2 + key / 1000 } else { key };
        discs as usize
    }

    /// The numbers that lend their positions to a phase.
    pub(crate) fn around(self, discs: usize) -> PhaseRange {
        Pooling(self.reach).around(self.key(discs))
    }

    /// The disc counts that lend their positions to a phase.
    pub fn pooled(self, discs: usize) -> Vec<usize> {
        let range = self.around(discs);
        (FIRST_PHASE..=LAST_PHASE).filter(|&other| range.contains(self.key(other))).collect()
    }
}

/// How table values are estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSettings {
    /// The stages of the game that have a table set each.
    pub stages: Stages,
    /// How often a position counts in its own stage, in the next one on
    /// either side, and so on: smoothing over the phases.
    pub kernel: [i32; 5],
    /// Occurrences from which a configuration of a large pattern stands on
    /// its own, instead of leaning on the smaller pattern in it.
    pub back_off: f64,
}

impl Default for TableSettings {
    fn default() -> TableSettings {
        TableSettings { stages: Stages::default(), kernel: [1; 5], back_off: 40.0 }
    }
}

/// Where the features of the positions that fit the weights come from: never
/// from tables that these positions filled themselves.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The tables are filled by all positions, but the features of a position
    /// leave out what its own group contributed.
    #[default]
    LeaveGroupOut,
    /// This share of the groups fills the tables, the others fit the weights.
    Split {
        /// Share of the groups that fill the tables, 0 to 1.
        tables: f64,
    },
    /// All positions do both: wrong, and here to show by how much.
    Reuse,
}
