//! The results of one reproduction of the paper's experiment: what
//! `numbers.json` holds and what the report shows.
//!
//! `discern reproduce` fills these in, [`crate`] draws them and the studio
//! serves them. Shares and probabilities are between 0 and 1, percentages of
//! matches between 0 and 100, intervals are 95 % ones.

use serde::{Deserialize, Serialize};

/// Version of the layout below; raised when a field changes its meaning.
pub const FORMAT: u32 = 1;

/// Everything a reproduction found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reproduction {
    /// [`FORMAT`] at the time of writing.
    pub format: u32,
    /// What was run, where and when.
    pub run: Run,
    /// Figure 3: from games to classified positions.
    pub database: Database,
    /// Figure 1: class-conditional densities of one feature.
    pub densities: Densities,
    /// Figure 2: winning share against one feature, with the fitted curve.
    pub winning_curve: WinningCurve,
    /// Weights per phase, in order of the disc counts.
    pub fits: Vec<PhaseFit>,
    /// How the models do on held-out games.
    pub quality: Quality,
    /// How fast the search runs with each model.
    pub speed: Vec<Speed>,
    /// The rows of Table 1 in the paper's order.
    pub table: Vec<MatchRow>,
    /// Openings from which every pair of games, in all rows, was balanced.
    pub balanced_openings: usize,
    /// Time factors at which the weaker models equal the stronger ones.
    pub equal_strength: Vec<EqualStrength>,
    /// What the paper says, what we found.
    pub findings: Vec<Finding>,
}

/// What was run, where and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The command as given.
    pub command: String,
    /// Program and version, such as `discern 0.1.0`.
    pub program: String,
    /// `quick`, `paper` or `custom`.
    pub preset: String,
    /// Seconds of clock time a side had for the paper's 30 minutes.
    pub seconds_for_thirty_minutes: f64,
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
    /// What it is, such as `shipped games` or `weights`.
    pub role: String,
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of its contents in hexadecimal.
    pub blake3: String,
}

/// Figure 3: games → game tree → classified positions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Database {
    /// Games read.
    pub games: usize,
    /// Nodes of the tree of all games.
    pub tree_nodes: usize,
    /// Moves that led to a position the tree had already.
    pub transpositions: usize,
    /// Classified positions.
    pub positions: usize,
    /// Drawn ones among them.
    pub draws: usize,
    /// Labels that solving changed.
    pub changed_by_solving: usize,
    /// Labels that corrections changed.
    pub changed_by_correction: usize,
    /// Labels that propagation changed.
    pub changed_by_propagation: usize,
    /// Positions by number of discs.
    pub phases: Vec<PhaseCount>,
}

/// Classified positions with a number of discs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PhaseCount {
    /// Discs on the board.
    pub discs: usize,
    /// Won for the mover.
    pub won: usize,
    /// Drawn.
    pub drawn: usize,
    /// Lost for the mover.
    pub lost: usize,
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

/// The three models of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseFit {
    /// Discs on the board.
    pub discs: usize,
    /// Positions pooled for the fit.
    pub positions: f64,
    /// Share of won ones and of drawn ones.
    pub won: f64,
    /// See `won`.
    pub drawn: f64,
    /// LOG's intercept and weights.
    pub log: Vec<Estimate>,
    /// FISHER's intercept and weights.
    pub fisher: Vec<Estimate>,
    /// How LOG's iteration ended, and after how many steps.
    pub stop: String,
    /// See `stop`.
    pub iterations: usize,
    /// The class covariances compared; none where one is singular.
    pub covariances: Option<Covariances>,
}

/// A weight with its uncertainty, clustered by game where there is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Short name of the feature, or `(intercept)`.
    pub feature: String,
    /// The weight.
    pub value: f64,
    /// Standard error; none for FISHER's unless estimated.
    pub standard_error: Option<f64>,
}

/// How far the two class covariances differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Covariances {
    /// ‖Σ_W − Σ_L‖ over ‖Σ‖.
    pub relative_difference: f64,
    /// Box's M and its p-value.
    pub box_m: f64,
    /// See `box_m`.
    pub p_value: f64,
    /// Can quadratic terms pay? One sentence.
    pub verdict: String,
}

/// The models on held-out games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// Positions learnt from.
    pub training_positions: usize,
    /// Positions tested on, none of which occurs in training.
    pub test_positions: usize,
    /// Positions left out of the test as they occur in training.
    pub duplicates: usize,
    /// How the positions that filled the tables were kept from the weights.
    pub evidence: String,
    /// LOG, FISHER and QUAD.
    pub models: Vec<ModelQuality>,
    /// LOG against FISHER, LOG against QUAD, FISHER against QUAD.
    pub gaps: Vec<QualityGap>,
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

/// One model on held-out games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelQuality {
    /// `LOG`, `FISHER` or `QUAD`.
    pub model: String,
    /// Calibration over all phases together.
    pub calibration: Vec<CalibrationBin>,
    /// Ranges of disc counts in order.
    pub phases: Vec<PhaseQuality>,
}

/// One model in a range of disc counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseQuality {
    /// First and last disc count.
    pub discs: [usize; 2],
    /// Test positions.
    pub positions: usize,
    /// Share of wrongly ordered pairs of won and lost positions.
    pub discordance: Measured,
    /// Mean negative log-likelihood.
    pub log_loss: Measured,
    /// Mean squared error of the probability.
    pub brier: Measured,
    /// Share of outcomes on the right side of one half.
    pub accuracy: Measured,
    /// Predicted against observed.
    pub calibration: Vec<CalibrationBin>,
    /// Mean of P(one move deep) − P(static), and its root mean square.
    pub agreement_mean: f64,
    /// See `agreement_mean`.
    pub agreement_rms: f64,
}

/// A figure with its standard error, clustered by game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The figure.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// Predicted against observed winning probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Mean prediction.
    pub predicted: f64,
    /// Observed share of wins, draws half.
    pub observed: f64,
    /// Interval of the share.
    pub interval: [f64; 2],
    /// Positions in the bin.
    pub positions: f64,
}

/// Search speed with one model, all models on the same positions in one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// `LOG`, `FISHER` or `QUAD`.
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
    /// Our seconds for a game.
    pub seconds: [f64; 2],
    /// What the paper found.
    pub paper: Tally,
    /// What we found.
    pub ours: Tally,
    /// Interval of our percentage by bootstrap over pairs.
    pub interval: [f64; 2],
    /// The paper's conservative test.
    pub p_conservative: f64,
    /// Test on pairs.
    pub p_paired: f64,
    /// Pairs by points of the first player: 0, ½, 1, 1½, 2.
    pub pentanomial: [usize; 5],
    /// Pairs of one point.
    pub balanced_pairs: usize,
    /// Elo difference and its standard error.
    pub elo: f64,
    /// See `elo`.
    pub elo_error: f64,
    /// Mean disc difference of the first player.
    pub margin: f64,
    /// Mean nodes a game, each player.
    pub nodes_per_game: [f64; 2],
    /// Mean depth of the midgame searches, each player.
    pub depth: [f64; 2],
    /// Games lost on time, each player.
    pub time_losses: [usize; 2],
}

/// Wins, draws and losses of the first player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// (W + D/2) / N in per cent.
    pub percentage: f64,
}

/// The time factor at which one model equals another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EqualStrength {
    /// The stronger model, which has the plain time.
    pub stronger: String,
    /// The weaker one, which has the factor.
    pub weaker: String,
    /// The paper's factor.
    pub paper: f64,
    /// Ours; none if the matches do not tell.
    pub factor: Option<f64>,
    /// Its interval; a missing end is unbounded.
    pub interval: [Option<f64>; 2],
    /// The matches behind it.
    pub points: Vec<FactorPoint>,
    /// The fitted curve as points (factor, per cent of the stronger).
    pub curve: Vec<[f64; 2]>,
}

/// One match at a time factor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FactorPoint {
    /// Time of the weaker over time of the stronger.
    pub factor: f64,
    /// Percentage of the stronger with its interval.
    pub percentage: f64,
    /// See `percentage`.
    pub interval: [f64; 2],
}

/// A claim of the paper against our numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim in a few words.
    pub claim: String,
    /// The paper's figure.
    pub paper: String,
    /// Ours with its uncertainty.
    pub ours: String,
    /// Does it agree?
    pub verdict: Verdict,
}

/// Does our result agree with the paper's?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It does not, beyond the uncertainty.
    Differs,
    /// The uncertainty is larger than the difference that matters.
    Open,
}

impl Verdict {
    /// The verdict in one word, as in `numbers.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Open => "open",
        }
    }
}
