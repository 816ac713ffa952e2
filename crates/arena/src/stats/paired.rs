use serde::{Deserialize, Serialize};

use super::distributions::{fair_coin, fair_coin_at_least, student_two_sided};
use super::{Pentanomial, Sample};

/// A t-test of a mean against nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// The mean in standard errors.
    pub t: f64,
    /// Degrees of freedom.
    pub degrees: u64,
    /// Two-sided.
    pub p: f64,
}

/// Is the mean of these pairs' scores one half? `None` for fewer than two
/// pairs or pairs that are all alike.
pub fn t_test(pairs: Pentanomial) -> Option<TTest> {
    let (sample, count) = (Sample::from(pairs), pairs.pairs());
    if count < 2 || sample.variance() == 0.0 {
        return None;
    }
    let n = count as f64;
    let t = (sample.mean() - 0.5) / (sample.variance() / (n - 1.0)).sqrt();
    Some(TTest { t, degrees: count - 1, p: student_two_sided(t, n - 1.0) })
}

/// The exact label-swap test: if the players are exchangeable, each pair may
/// as well have ended the other way round. Two-sided, without any randomness.
///
/// With a = LD + WD pairs worth ±1 and b = LL + WW pairs worth ±2, the chance
/// that random signs give at least the observed |(WD − LD) + 2 (WW − LL)|.
pub fn label_swap_test(pairs: Pentanomial) -> f64 {
    let [ll, ld, _, wd, ww] = pairs.0.map(|count| count as i64);
    let (ones, twos) = (ld + wd, ll + ww);
    let observed = ((wd - ld) + 2 * (ww - ll)).abs();
    if observed == 0 {
        return 1.0;
    }
    // P(at most j heads) among the pairs worth two.
    let mut at_most = vec![0.0];
    for p in fair_coin(twos as u64) {
        at_most.push(at_most[at_most.len() - 1] + p);
    }
    let below = |heads: i64| at_most[heads.clamp(0, twos + 1) as usize];
    let mut sum = 0.0;
    for (heads, p) in (0..).zip(fair_coin(ones as u64)) {
        // (2i − a) + 2 (2j − b) ≥ T or ≤ −T, solved for j.
        let rest = 2 * twos - (2 * heads - ones);
        let least_high =
            (rest + observed).div_euclid(4) + i64::from((rest + observed).rem_euclid(4) != 0);
        let most_low = (rest - observed).div_euclid(4);
        // At least so many heads are as likely as at most the others: one less the
        // rest would lose small chances to rounding.
        sum += p * (below(twos - least_high + 1) + below(most_low + 1));
    }
    sum.min(1.0)
}

/// The sign test on decided pairs: who gained from more of them? Two-sided.
pub fn sign_test(gained: u64, lost: u64) -> f64 {
    (2.0 * fair_coin_at_least(gained + lost, gained.max(lost))).min(1.0)
}
