use super::elo::{NELO_SCALE, score_of_elo};
use super::{Pentanomial, Sample};

/// What the two hypotheses of a sequential test are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SprtModel {
    /// Normalised Elo: the same length whatever the share of draws.
    Normalized,
    /// Logistic Elo.
    Logistic,
}

impl SprtModel {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, SprtModel); 2] = [
        ("normalized", "The test takes as long whatever the share of draws", SprtModel::Normalized),
        ("logistic", "The usual Elo", SprtModel::Logistic),
    ];
}

/// A sequential probability ratio test: is the difference `elo0` or `elo1`?
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative, greater than `elo0`.
    pub elo1: f64,
    /// Chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// What the numbers mean.
    pub model: SprtModel,
}

impl Sprt {
    /// Reads the two differences: `0,30`.
    ///
    /// # Errors
    /// What they should be.
    pub fn differences(text: &str) -> Result<[f64; 2], &'static str> {
        let known =
            two(text).filter(|[low, high]| -1000.0 <= *low && low < high && *high <= 1000.0);
        known.ok_or("two Elo differences, the smaller one first: 0,30")
    }

    /// Reads the two error rates: `0.05,0.05`.
    ///
    /// # Errors
    /// What they should be.
    pub fn rates(text: &str) -> Result<[f64; 2], &'static str> {
        let known = two(text).filter(|rates| rates.iter().all(|rate| (1e-6..0.5).contains(rate)));
        known.ok_or("two error rates below one half: 0.05,0.05")
    }
}

fn two(text: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split_once(',')?;
    Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
}

/// What a sequential test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Play on.
    Continue,
    /// The difference is nearer to `elo0`.
    AcceptH0,
    /// The difference is nearer to `elo1`.
    AcceptH1,
}

impl Sprt {
    /// ln(β/(1−α)): at or below it `elo0` is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// ln((1−β)/α): at or above it `elo1` is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The generalised log-likelihood ratio of `elo1` against `elo0`: each
    /// hypothesis gets the most likely distribution of scores that fulfils it.
    pub fn llr(&self, sample: &Sample) -> f64 {
        if sample.is_empty() {
            return 0.0;
        }
        // Scores never seen get a trace, or they could never be explained.
        let counts: Vec<(f64, f64)> =
            sample.points().iter().map(|&(x, n)| (x, if n == 0.0 { 1e-3 } else { n })).collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        let shares: Vec<(f64, f64)> = counts.iter().map(|&(x, n)| (x, n / total)).collect();
        let fit = |elo: f64| match self.model {
            SprtModel::Logistic => fit_mean(&shares, score_of_elo(elo)),
            SprtModel::Normalized => {
                fit_t_value(&shares, elo * sample.games_each().sqrt() / NELO_SCALE)
            }
        };
        let (q0, q1) = (fit(self.elo0), fit(self.elo1));
        let ratios = shares.iter().zip(q0.iter().zip(&q1));
        total * ratios.map(|((_, p), (q0, q1))| p * (q1 / q0).ln()).sum::<f64>()
    }
}

/// The distribution nearest to the observed shares with this mean.
fn fit_mean(shares: &[(f64, f64)], mean: f64) -> Vec<f64> {
    tilt(shares, &shares.iter().map(|(x, _)| x - mean).collect::<Vec<_>>())
}

/// The distribution nearest to the observed shares whose mean lies `target`
/// standard deviations above one half, by repeated linearisation.
fn fit_t_value(shares: &[(f64, f64)], target: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..10 {
        let scores = || shares.iter().map(|(x, _)| x).zip(&fitted);
        let mean: f64 = scores().map(|(x, q)| x * q).sum();
        let sigma = scores().map(|(x, q)| q * (x - mean).powi(2)).sum::<f64>().sqrt();
        let values: Vec<f64> = shares
            .iter()
            .map(|(x, _)| x - 0.5 - target * sigma / 2.0 * (1.0 + ((mean - x) / sigma).powi(2)))
            .collect();
        let next = tilt(shares, &values);
        let change = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-9 {
            break;
        }
    }
    fitted
}

/// q_i = p_i / (1 + t a_i) with the t that makes Σ q_i a_i = 0.
fn tilt(shares: &[(f64, f64)], values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // A hypothesis out of reach of any distribution on these scores.
        return shares.iter().map(|(_, p)| *p).collect();
    }
    // The sum falls from +∞ to −∞ between the poles: bisection cannot fail.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let t = (low + high) / 2.0;
        let sum: f64 = shares.iter().zip(values).map(|((_, p), a)| p * a / (1.0 + t * a)).sum();
        if sum > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    let t = (low + high) / 2.0;
    shares.iter().zip(values).map(|((_, p), a)| p / (1.0 + t * a)).collect()
}

/// A sequential test fed pair by pair.
///
/// The ratio jumps over a bound rather than meeting it, which would make the
/// test stricter than asked. Siegmund's correction moves each bound in by the
/// expected overshoot, estimated from the steps Δ to new extremes as
/// ΣΔ² / (2 Σ|Δ|).
#[derive(Debug, Clone)]
pub struct SprtRun {
    sprt: Sprt,
    pairs: Pentanomial,
    llr: f64,
    decision: Decision,
    lowest: Extreme,
    highest: Extreme,
}

#[derive(Debug, Clone, Copy, Default)]
struct Extreme {
    at: f64,
    steps: f64,
    squares: f64,
}

impl Extreme {
    fn move_to(&mut self, llr: f64) {
        let step = (llr - self.at).abs();
        self.steps += step;
        self.squares += step * step;
        self.at = llr;
    }

    fn overshoot(&self) -> f64 {
        if self.steps == 0.0 { 0.0 } else { self.squares / (2.0 * self.steps) }
    }
}

impl SprtRun {
    /// A test that has seen nothing.
    pub fn new(sprt: Sprt) -> SprtRun {
        SprtRun {
            sprt,
            pairs: Pentanomial::default(),
            llr: 0.0,
            decision: Decision::Continue,
            lowest: Extreme::default(),
            highest: Extreme::default(),
        }
    }

    /// Takes in one more pair (its index in the pentanomial). A decision once
    /// made stays.
    pub fn observe(&mut self, pair: usize) -> Decision {
        if self.decision != Decision::Continue {
            return self.decision;
        }
        self.pairs.0[pair] += 1;
        self.llr = self.sprt.llr(&self.pairs.into());
        if self.llr < self.lowest.at {
            self.lowest.move_to(self.llr);
        }
        if self.llr > self.highest.at {
            self.highest.move_to(self.llr);
        }
        let [lower, upper] = self.bounds();
        if self.llr >= upper {
            self.decision = Decision::AcceptH1;
        } else if self.llr <= lower {
            self.decision = Decision::AcceptH0;
        }
        self.decision
    }

    /// The bounds less the expected overshoot.
    pub fn bounds(&self) -> [f64; 2] {
        let (lower, upper) = (self.sprt.lower(), self.sprt.upper());
        // Early estimates of the overshoot are wild: no more than half way.
        [
            lower + self.lowest.overshoot().min(-lower / 2.0),
            upper - self.highest.overshoot().min(upper / 2.0),
        ]
    }

    /// The log-likelihood ratio so far.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// What was decided.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The pairs up to the decision.
    pub fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// The test.
    pub fn sprt(&self) -> Sprt {
        self.sprt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitted_distributions_are_those_known() {
        let shares: Vec<(f64, f64)> = Sample::from(Pentanomial([12, 6, 40, 7, 35]))
            .points()
            .iter()
            .map(|&(x, n)| (x, n / 100.0))
            .collect();
        let target = 30.0 * std::f64::consts::SQRT_2 / NELO_SCALE;
        assert!((target - 0.122_113).abs() < 1e-6);
        let known = [
            (0.0, [0.226_964, 0.078_497, 0.4, 0.056_651, 0.237_888]),
            (target, [0.184_759, 0.072_742, 0.405_361, 0.061_656, 0.275_482]),
        ];
        for (target, expected) in known {
            let fitted = fit_t_value(&shares, target);
            for (found, expected) in fitted.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{fitted:?}");
            }
            let mean: f64 = fitted.iter().zip(&shares).map(|(q, (x, _))| q * x).sum();
            let variance: f64 =
                fitted.iter().zip(&shares).map(|(q, (x, _))| q * (x - mean).powi(2)).sum();
            assert!(((mean - 0.5) / variance.sqrt() - target).abs() < 1e-8);
        }
    }
}
