use super::distributions::{fair_coin, fair_coin_at_least, student_two_sided};
use super::{Pentanomial, Sample};

/// A t-test of a mean against nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
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
        sum += p * ((1.0 - below(least_high)) + below(most_low + 1));
    }
    sum.min(1.0)
}

/// The sign test on decided pairs: who gained from more of them? Two-sided.
pub fn sign_test(gained: u64, lost: u64) -> f64 {
    (2.0 * fair_coin_at_least(gained + lost, gained.max(lost))).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Pentanomial = Pentanomial([12, 6, 40, 7, 35]);

    #[test]
    fn known_answers_come_out() {
        let test = t_test(PAPER).unwrap();
        assert!((test.t - 3.496).abs() < 5e-4 && test.degrees == 99);
        assert!((test.p - 0.00071).abs() < 5e-6);
        assert!((label_swap_test(PAPER) - 0.00101).abs() < 5e-6);
        assert!((sign_test(42, 18) - 0.00267).abs() < 5e-6);
        assert!((label_swap_test(Pentanomial([34, 1, 7, 0, 58])) - 0.0160).abs() < 5e-5);
        // W against L of single games.
        assert!((sign_test(116, 69) - 0.0007).abs() < 5e-5);
    }

    #[test]
    fn label_swap_equals_counting_every_assignment_of_signs() {
        for counts in [[1, 2, 0, 3, 1], [0, 0, 4, 5, 0], [3, 0, 0, 0, 2], [2, 1, 9, 1, 2]] {
            let pairs = Pentanomial(counts);
            let mut worth = vec![1i32; (counts[1] + counts[3]) as usize];
            worth.extend(vec![2; (counts[0] + counts[4]) as usize]);
            let observed =
                (counts[3] as i32 - counts[1] as i32) + 2 * (counts[4] as i32 - counts[0] as i32);
            let extreme = (0..1u32 << worth.len())
                .filter(|signs| {
                    let sum: i32 = worth
                        .iter()
                        .enumerate()
                        .map(|(i, w)| if signs >> i & 1 == 1 { *w } else { -w })
                        .sum();
                    sum.abs() >= observed.abs()
                })
                .count();
            let expected = extreme as f64 / f64::from(1u32 << worth.len());
            assert!((label_swap_test(pairs) - expected).abs() < 1e-12, "{counts:?}");
        }
    }

    #[test]
    fn nothing_follows_from_nothing() {
        assert_eq!(t_test(Pentanomial([0, 0, 9, 0, 0])), None);
        assert_eq!(t_test(Pentanomial([0, 0, 0, 0, 1])), None);
        assert_eq!(label_swap_test(Pentanomial::default()), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
    }
}
