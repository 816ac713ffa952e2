//! How much more time makes a weaker player equal (paper, Section 4, end).

use discern_stats::{
    Dataset, Estimator, Example, Fit, Logistic, StopReason, Threads, Trials, logistic,
};
use serde::{Deserialize, Serialize};

use super::Pair;
use super::distributions::Z95;

/// One match of the same two players at some handicap.
#[derive(Debug, Clone)]
pub struct HandicapMatch {
    /// Time of the second player over time of the first.
    pub factor: f64,
    /// Opening and result of each pair, from the first player's side.
    pub pairs: Vec<(u32, Pair)>,
}

/// The time factor at which the second player equals the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EqualStrength {
    /// Its estimate.
    pub factor: f64,
    /// 95 % interval; a missing end is unbounded: the matches do not exclude
    /// any factor on that side.
    pub interval: [Option<f64>; 2],
    /// logit P = intercept + slope · log(factor), P the first player's share
    /// of the points.
    pub intercept: f64,
    /// See `intercept`; negative.
    pub slope: f64,
}

impl EqualStrength {
    /// Fits the share of the points to the logarithm of the time factor by
    /// logistic regression over all games, with errors clustered by opening,
    /// and inverts the test of logit P(factor) = 0 (Fieller's interval).
    ///
    /// `None` where the matches do not tell: without two different factors,
    /// with results that are all alike, or if more time seems to do harm.
    pub fn fit(matches: &[HandicapMatch]) -> Option<EqualStrength> {
        let mut data = Dataset::builder(["log factor"]);
        for HandicapMatch { factor, pairs } in matches {
            let features = [factor.ln()];
            for (opening, pair) in pairs {
                for discs in pair.discs {
                    let share = f64::from(discs.signum() + 1) / 2.0;
                    let row = Example { group: Some(*opening), ..Example::new(&features, share) };
                    data.push(&row).ok()?;
                }
            }
        }
        let settings =
            Logistic { trials: Trials::One, threads: Threads::ONE, ..Logistic::default() };
        let fit = settings.fit(&data.finish()).ok()?;
        let covariance = fit.covariance(fit.uncertainty().best())?;
        let (intercept, slope) = (fit.coefficients[0], fit.coefficients[1]);
        if fit.stop != StopReason::Converged || slope >= 0.0 {
            return None;
        }
        let variances = [covariance[(0, 0)], covariance[(0, 1)], covariance[(1, 1)]];
        let factor = (-intercept / slope).exp();
        let interval = fieller(intercept, slope, variances)
            .map(|end| end.map(f64::exp).filter(|end| end.is_finite()));
        factor.is_finite().then_some(EqualStrength { factor, interval, intercept, slope })
    }

    /// The first player's share of the points at a factor.
    pub fn share(&self, factor: f64) -> f64 {
        logistic(self.intercept + self.slope * factor.ln())
    }
}

/// The x around −a/b for which a + b·x does not differ from 0 at 5 %, given
/// the variance of a, the covariance, and the variance of b.
///
/// They are the solutions of (a + bx)² ≤ z²(v + 2cx + wx²). Where b may be 0
/// they reach to infinity on one side or on both.
fn fieller(a: f64, b: f64, [v, c, w]: [f64; 3]) -> [Option<f64>; 2] {
    let z = Z95 * Z95;
    let (square, half, constant) = (b * b - z * w, a * b - z * c, a * a - z * v);
    let discriminant = half * half - square * constant;
    if square == 0.0 || discriminant <= 0.0 {
        return [None, None];
    }
    let mut roots = [1.0, -1.0].map(|sign| (-half + sign * discriminant.sqrt()) / square);
    roots.sort_by(f64::total_cmp);
    let [low, high] = roots;
    if square > 0.0 {
        return [Some(low), Some(high)];
    }
    // All but what lies between the roots; the part that holds the estimate is
    // the one in which more time does good.
    if -a / b >= high { [Some(high), None] } else { [None, Some(low)] }
}

#[cfg(test)]
mod tests {
    use discern_board::Dice;

    use super::*;

    /// Matches with known truth: logit P = a + b · log(factor).
    fn matches(a: f64, b: f64, factors: &[f64], openings: u32, seed: u64) -> Vec<HandicapMatch> {
        let mut dice = Dice::new(&[seed]);
        let mut play = |factor: f64| {
            let wins = (dice.below(1 << 53) as f64 / 2f64.powi(53)) < logistic(a + b * factor.ln());
            if wins { 2 } else { -2 }
        };
        let pairs = |factor: f64, play: &mut dyn FnMut(f64) -> i32| {
            (0..openings).map(|n| (n, Pair::new([play(factor), play(factor)]))).collect()
        };
        factors
            .iter()
            .map(|&factor| HandicapMatch { factor, pairs: pairs(factor, &mut play) })
            .collect()
    }

    #[test]
    fn a_known_factor_is_found() {
        // 0.4 − 0.8 · ln 1.65 = 0: equal with 65 % more time.
        let truth = (0.4f64 / 0.8).exp();
        let found =
            EqualStrength::fit(&matches(0.4, -0.8, &[1.0, 1.5, 2.0, 3.0], 4000, 1)).unwrap();
        let [Some(low), Some(high)] = found.interval else { panic!("{found:?}") };
        assert!(low < truth && truth < high && high - low < 0.3, "{found:?}");
        assert!((found.share(truth) - 0.5).abs() < 0.02);
        assert!(found.share(1.0) > found.share(2.0));
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let truth = (0.3f64 / 1.2).exp();
        let (mut held, mut fits) = (0, 0);
        for seed in 0..300 {
            let matches = matches(0.3, -1.2, &[1.0, 1.27, 1.5], 100, seed);
            let Some(found) = EqualStrength::fit(&matches) else { continue };
            let [low, high] = found.interval;
            fits += 1;
            held += i32::from(low.is_none_or(|x| x <= truth) && high.is_none_or(|x| truth <= x));
        }
        let share = f64::from(held) / f64::from(fits);
        assert!(fits > 280 && (0.915..=0.99).contains(&share), "{held} of {fits}");
    }

    #[test]
    fn few_games_leave_an_end_open() {
        let found = EqualStrength::fit(&matches(0.4, -0.5, &[1.0, 1.2], 60, 3)).unwrap();
        assert!(found.interval.contains(&None), "{found:?}");
        let [low, high] = found.interval;
        assert!(low.is_none_or(|x| x <= found.factor) && high.is_none_or(|x| found.factor <= x));
    }

    #[test]
    fn matches_that_do_not_tell_give_nothing() {
        assert_eq!(EqualStrength::fit(&[]), None);
        assert_eq!(EqualStrength::fit(&matches(0.2, -1.0, &[1.0], 50, 1)), None, "one factor");
        let all_won = |factor| HandicapMatch { factor, pairs: vec![(0, Pair::new([2, 2])); 9] };
        assert_eq!(EqualStrength::fit(&[all_won(1.0), all_won(1.5)]), None);
        let harm = matches(-0.5, 2.0, &[1.0, 2.0], 500, 1);
        assert_eq!(EqualStrength::fit(&harm), None, "more time does harm");
    }

    #[test]
    fn fieller_agrees_with_trying_every_point() {
        for (a, b, v) in [(0.5, -1.0, [0.01, 0.002, 0.02]), (0.5, -0.2, [0.01, -0.01, 0.09])] {
            let inside =
                |x: f64| (a + b * x).powi(2) <= Z95 * Z95 * (v[0] + 2.0 * v[1] * x + v[2] * x * x);
            let [low, high] = fieller(a, b, v);
            for (end, step) in [(low, 1e-6), (high, -1e-6)] {
                if let Some(end) = end {
                    assert!(inside(end + step) && !inside(end - step), "{low:?} {high:?}");
                }
            }
            assert!(inside(-a / b));
        }
    }
}
