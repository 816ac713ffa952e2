use serde::{Deserialize, Serialize};

use super::Sample;
use super::distributions::{Z95, normal_cdf};

/// 800 / ln 10: nElo per standard deviation of a game.
pub const NELO_SCALE: f64 = 347.435_585_522_601_44;

/// A number with its 95 % error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// The rating difference that a score stands for. Scores of nothing and of
/// everything are taken as one in a thousand.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score expected of a player so much stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Logistic Elo difference with the half-width of its 95 % interval.
pub fn elo(sample: &Sample) -> Estimate {
    let (mean, error) = (sample.mean(), Z95 * sample.standard_error());
    let (low, high) = (elo_of_score(mean - error), elo_of_score(mean + error));
    Estimate { value: elo_of_score(mean), error: (high - low) / 2.0, low, high }
}

/// Normalised Elo: the score above one half in standard deviations of a game,
/// which says how many games it takes to see the difference. `None` without
/// variance.
pub fn normalized_elo(sample: &Sample) -> Option<Estimate> {
    let sigma = (sample.games_each() * sample.variance()).sqrt();
    if sigma == 0.0 {
        return None;
    }
    let value = NELO_SCALE * (sample.mean() - 0.5) / sigma;
    let error = NELO_SCALE * Z95 * sample.standard_error() / sigma;
    Some(Estimate { value, error, low: value - error, high: value + error })
}

/// The likelihood that the first player is the stronger one.
pub fn likelihood_of_superiority(sample: &Sample) -> f64 {
    let (above, error) = (sample.mean() - 0.5, sample.standard_error());
    match error {
        0.0 if above == 0.0 => 0.5,
        0.0 => f64::from(u8::from(above > 0.0)),
        _ => normal_cdf(above / error),
    }
}
