use super::Sample;
use super::distributions::{Z95, normal_cdf};

/// 800 / ln 10: nElo per standard deviation of a game.
pub const NELO_SCALE: f64 = 347.435_585_522_601_44;

/// A number with its 95 % error.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// Logistic Elo difference with its error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Pentanomial, Tally};

    fn near(found: f64, expected: f64, digits: i32) {
        assert!((found - expected).abs() <= 0.501 * 10f64.powi(-digits), "{found} {expected}");
    }

    fn tally(wins: u64, draws: u64, losses: u64) -> Sample {
        Tally { wins, draws, losses }.into()
    }

    #[test]
    fn single_games_of_the_paper_give_the_known_answers() {
        let sample = tally(116, 15, 69);
        near(elo(&sample).value, 83.2, 1);
        near(elo(&sample).error, 47.9, 1);
        let normalized = normalized_elo(&sample).unwrap();
        near(normalized.value, 87.5, 1);
        near(normalized.error, 48.2, 1);
        near(100.0 * likelihood_of_superiority(&sample), 99.98, 2);
    }

    #[test]
    fn pairs_give_the_known_answers() {
        let sample = Pentanomial([12, 6, 40, 7, 35]).into();
        let found = elo(&sample);
        near(found.value, 83.2, 1);
        near(found.error, 48.6, 1);
        near(found.low, 36.2, 1);
        near(found.high, 133.4, 1);
        near(normalized_elo(&sample).unwrap().value, 86.3, 1);
        near(normalized_elo(&sample).unwrap().error, 48.2, 1);
        near(100.0 * likelihood_of_superiority(&sample), 99.978, 3);
    }

    #[test]
    fn answers_published_elsewhere_agree() {
        let sample = Pentanomial([13, 37, 50, 25, 3]).into();
        near(elo(&sample).value, -43.66, 2);
        near(normalized_elo(&sample).unwrap().value, -63.97, 2);
        let sample = Pentanomial([34, 54, 63, 64, 75]).into();
        near(elo(&sample).value, 55.58, 2);
        near(elo(&sample).error, 27.65, 2);
        near(normalized_elo(&sample).unwrap().value, 57.94, 2);
        near(normalized_elo(&sample).unwrap().error, 28.28, 2);
        let sample = tally(136, 111, 96);
        near(elo(&sample).value, 40.70, 2);
        near(elo(&sample).error, 30.43, 2);
        near(normalized_elo(&sample).unwrap().value, 49.77, 2);
        near(normalized_elo(&sample).unwrap().error, 36.77, 2);
        near(100.0 * likelihood_of_superiority(&sample), 99.60, 2);
    }

    #[test]
    fn scores_and_elo_are_each_other_s_inverse() {
        for score in [0.01, 0.3, 0.5, 0.75, 0.99] {
            assert!((score_of_elo(elo_of_score(score)) - score).abs() < 1e-12);
        }
        assert!(elo_of_score(1.0).is_finite());
    }

    #[test]
    fn nothing_is_claimed_without_variance() {
        let sample = Pentanomial([0, 0, 5, 0, 0]).into();
        assert_eq!(likelihood_of_superiority(&sample), 0.5);
        assert_eq!(normalized_elo(&sample), None);
        assert_eq!(elo(&Pentanomial::default().into()).value, 0.0);
        assert_eq!(likelihood_of_superiority(&Pentanomial([0, 0, 0, 0, 3]).into()), 1.0);
    }
}
