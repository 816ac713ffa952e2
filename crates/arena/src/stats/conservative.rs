use super::distributions::fair_coin_at_least;

/// The paper's conservative test (Section 4): the chance that a player no
/// stronger than his opponent reaches this many points in N pairs.
///
/// Under the null hypothesis a pair's score lies in [0, 1] with mean ½, and of
/// all such variables the fair coin varies most. So each pair counts as one
/// throw: p = 2⁻ᴺ Σ C(N, j) over j ≥ ⌊points / 2⌋. With 100 pairs 59 % is the
/// least score significant at 5 %, as in the paper.
pub fn conservative_test(pairs: u64, points: f64) -> f64 {
    fair_coin_at_least(pairs, (points / 2.0).floor().max(0.0) as u64)
}

/// The least score (0 to 1) that the conservative test calls significant.
pub fn critical_score(pairs: u64, level: f64) -> Option<f64> {
    let heads = (0..=pairs).find(|&heads| fair_coin_at_least(pairs, heads) <= level)?;
    Some(heads as f64 / pairs as f64)
}
