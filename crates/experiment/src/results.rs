//! The results of the experiment: what `numbers.json` holds and what the
//! report shows.
//!
//! Shares and probabilities are between 0 and 1, intervals are 95 % ones.
//! Models are named as people call them (`LOG`).

use discern_arena::stats::{EqualStrength, Summary, Tally};
use discern_learn::{ModelQuality, TreeCounts};
use discern_stats::{CalibrationBin, CovarianceComparison, Measured, StopReason};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Allowance, Finding, Preset, ReadError};

/// Version of the layout below; raised when a field changes its meaning.
pub const FORMAT: u32 = 2;

/// Everything an experiment found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reproduction {
    /// [`FORMAT`] at the time of writing.
    pub format: u32,
    /// What was run, where and when.
    pub run: Run,
    /// Figure 3: from games to classified positions.
    pub database: TreeCounts,
    /// Figure 1: class-conditional densities of one feature.
    pub densities: Densities,
    /// Figure 2: winning share against one feature, with the fitted curve.
    pub winning_curve: WinningCurve,
    /// The fits of each phase, in order of the disc counts.
    pub fits: Vec<PhaseFit>,
    /// How the models do on held-out games.
    pub quality: HeldOut,
    /// How fast the search runs with each model.
    pub speed: Vec<Speed>,
    /// The rows of Table 1 in the paper's order.
    pub table: Vec<MatchRow>,
    /// Openings from which every pair of games, in all rows, was balanced.
    pub balanced_openings: usize,
    /// Time factors at which the weaker models equal the stronger ones.
    pub equal_strength: Vec<TimeFactor>,
    /// What the paper says, what we found.
    pub findings: Vec<Finding>,
}

/// Reads what was written in the format of this program; a file of another one is
/// told from a damaged one.
pub(crate) fn of_this_format<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    match serde_json::from_slice(bytes).map_err(ReadError::Foreign)? {
        Version { format: FORMAT } => serde_json::from_slice(bytes).map_err(ReadError::Damaged),
        Version { format } => Err(ReadError::Format(format)),
    }
}

impl Reproduction {
    /// Reads the content of a `numbers.json`.
    ///
    /// # Errors
    /// If it is something else, of another format, or damaged.
    pub fn from_json(bytes: &[u8]) -> Result<Reproduction, ReadError> {
        of_this_format(bytes)
    }

    /// The content of a `numbers.json`; the same results give the same bytes,
    /// before and after they were read.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and words") + "\n"
    }

    /// The rows of Table 1 behind a time factor.
    pub fn matches_of(&self, factor: &TimeFactor) -> impl Iterator<Item = &MatchRow> {
        let players = [factor.stronger.clone(), factor.weaker.clone()];
        self.table.iter().filter(move |row| row.players == players)
    }
}

/// What was run, where and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The command as given.
    pub command: String,
    /// Program and version, such as `discern 0.1.0`.
    pub program: String,
    /// The pace by name.
    pub preset: Preset,
    /// What a side had for the paper's 30 minutes.
    pub thirty_minutes: Allowance,
    /// Openings played, each twice with colours reversed.
    pub openings: usize,
    /// Begin and end in UTC, as in `2026-01-31T12:00:00Z`.
    pub started: String,
    /// See `started`.
    pub finished: String,
    /// Time spent in seconds, all parts of an interrupted run together.
    pub seconds: f64,
    /// Processor by name, cores used.
    pub machine: String,
    /// Processes that wanted a processor while it ran, on average, ours
    /// included; none if the system did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Games played at a time.
    pub concurrency: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// Files read and made, with their contents' hashes.
    pub files: Vec<FileFact>,
}

/// A file that took part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileFact {
    /// What it is, such as `games` or `fitted weights`.
    pub role: String,
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of its contents in hexadecimal.
    pub blake3: String,
}

/// Figure 1: how a feature is spread in won and in lost positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Densities {
    /// Short name of the feature.
    pub feature: String,
    /// First and last disc count of the positions.
    pub discs: [usize; 2],
    /// Equally wide bins in order.
    pub bins: Vec<DensityBin>,
}

/// One bin of [`Densities`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DensityBin {
    /// Middle of the bin.
    pub x: f64,
    /// Density among won positions.
    pub won: f64,
    /// Density among lost positions.
    pub lost: f64,
    /// Winning probability with equal priors; none in an empty bin.
    pub probability: Option<f64>,
}

/// Figure 2: an S-curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WinningCurve {
    /// Short name of the feature.
    pub feature: String,
    /// First and last disc count of the positions.
    pub discs: [usize; 2],
    /// Observed shares.
    pub bins: Vec<ShareBin>,
    /// The fitted logistic curve as points (x, P).
    pub curve: Vec<[f64; 2]>,
}

/// Observed share of wins (draws half) in a bin of feature values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ShareBin {
    /// Mean of the feature in the bin.
    pub x: f64,
    /// Observed share.
    pub observed: f64,
    /// Interval of the share.
    pub interval: [f64; 2],
    /// Positions in the bin.
    pub positions: f64,
}

/// The fits of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseFit {
    /// Discs on the board.
    pub discs: usize,
    /// Positions pooled for the fit.
    pub positions: f64,
    /// Share of won ones, draws half.
    pub won: f64,
    /// Share of drawn ones.
    pub drawn: f64,
    /// The models that have a weight for each feature.
    pub models: Vec<FittedModel>,
    /// The class covariances compared; none where one is singular.
    pub covariances: Option<CovarianceComparison>,
    /// The correlations of the features in each class, of one phase in the
    /// middle of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlations: Option<ClassCorrelations>,
}

/// How the features of one phase go together among won and among lost positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassCorrelations {
    /// Short names of the features.
    pub features: Vec<String>,
    /// Rows of the matrix of won positions.
    pub won: Vec<Vec<f64>>,
    /// Rows of the matrix of lost positions.
    pub lost: Vec<Vec<f64>>,
    /// Rows of QUAD's quadratic terms: by how much log-odds change where both
    /// features are a standard deviation from 0, or one if they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quadratic: Vec<Vec<f64>>,
}

/// A linear model of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FittedModel {
    /// Its name.
    pub model: String,
    /// Intercept and weights.
    pub weights: Vec<Weight>,
    /// How its iteration went, if it needs one.
    pub iteration: Option<Iteration>,
}

/// How an iteration ended, and after how many steps.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Why it ended.
    pub stop: StopReason,
    /// Steps taken.
    pub steps: u32,
}

/// A weight with its uncertainty, clustered by game where there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// Short name of the feature, or `(intercept)`.
    pub feature: String,
    /// The weight.
    pub value: f64,
    /// Standard error; none for FISHER's unless estimated.
    pub standard_error: Option<f64>,
}

/// The models on held-out games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// Positions learnt from.
    pub training_positions: usize,
    /// Positions tested on, none of which occurs in training.
    pub test_positions: usize,
    /// Positions left out of the test as they occur in training.
    pub duplicates: usize,
    /// How the positions that filled the tables were kept from the weights.
    pub evidence: String,
    /// Every model.
    pub models: Vec<JudgedModel>,
    /// Every model against every later one.
    pub gaps: Vec<QualityGap>,
    /// Every model by single disc counts; nothing in results of older programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub singles: Vec<SingleDiscs>,
}

/// A model judged by single disc counts, with the intercepts of the pools alone
/// and with one of its own for every disc count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SingleDiscs {
    /// Its name.
    pub model: String,
    /// As adjacent disc counts pooled would leave it.
    pub pooled: Diagonal,
    /// As it is.
    pub own: Diagonal,
}

/// How far predicted probabilities lie from the shares of wins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagonal {
    /// Bins of a disc count that lie more than five points off beyond doubt.
    pub off: usize,
    /// Bins judged.
    pub bins: usize,
    /// How far the worst one lies off.
    pub worst: f64,
    /// Its disc count.
    pub worst_discs: usize,
    /// Mean over the disc counts of |predicted − observed|, each as a whole.
    pub mean: f64,
    /// Every disc count with enough positions.
    pub counts: Vec<DiscCount>,
}

/// All held-out positions with so many discs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DiscCount {
    /// Discs on the board.
    pub discs: usize,
    /// Positions.
    pub positions: f64,
    /// Mean predicted probability less the observed share of wins.
    pub difference: f64,
}

/// One model on held-out games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedModel {
    /// Its name, and its quality in ranges of disc counts.
    #[serde(flatten)]
    pub quality: ModelQuality,
    /// Calibration over all phases together.
    pub calibration: Vec<CalibrationBin>,
}

/// Two models judged on the same held-out positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QualityGap {
    /// The model expected to be better, and the other one.
    pub models: [String; 2],
    /// Discordance of the second less that of the first, over all phases;
    /// above 0 if the first is better. Far more certain than either.
    pub discordance: Measured,
}

/// Search speed with one model, all models on the same positions in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Its name.
    pub model: String,
    /// Nodes a second of one thread.
    pub nodes_per_second: f64,
    /// Nodes a second over LOG's.
    pub relative: f64,
    /// Interval of `relative`, from position to position.
    pub relative_interval: [f64; 2],
}

/// A row of Table 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The two models, `LOG` and `QUAD` for example.
    pub players: [String; 2],
    /// The paper's minutes for a game.
    pub minutes: [f64; 2],
    /// What each player had for a game here.
    pub allowed: [Allowance; 2],
    /// What the paper found.
    pub paper: Tally,
    /// What we found.
    pub ours: Summary,
    /// Mean nodes a game, each player.
    pub nodes_per_game: [f64; 2],
    /// Mean depth of the midgame searches, each player.
    pub depth: [f64; 2],
    /// Games lost on time, each player.
    pub time_losses: [u64; 2],
}

impl MatchRow {
    /// Time of the second player over time of the first, as the clocks had it.
    pub fn factor(&self) -> f64 {
        self.allowed[1].amount() / self.allowed[0].amount()
    }

    /// The interval of the paper's percentage, as if its games were independent:
    /// the pairs behind them are not known.
    pub fn paper_interval(&self) -> [f64; 2] {
        let games = self.paper.games() as f64;
        let share = self.paper.percentage() / 100.0;
        let square = (self.paper.wins as f64 + self.paper.draws as f64 / 4.0) / games;
        let error = 1.96 * ((square - share * share) / games).sqrt();
        [100.0 * (share - error), 100.0 * (share + error)]
    }

    /// The interval of our percentage, by bootstrap over pairs.
    pub fn percentage_interval(&self) -> [f64; 2] {
        let interval = self.ours.score_interval;
        [100.0 * interval.low, 100.0 * interval.high]
    }
}

/// The time factor at which one model equals another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeFactor {
    /// The stronger model, which has the plain time.
    pub stronger: String,
    /// The weaker one, which has the factor.
    pub weaker: String,
    /// The paper's factor.
    pub paper: f64,
    /// Ours; none if the matches do not set one.
    pub found: Option<EqualStrength>,
}
