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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_paper_gets_its_values() {
        let p = |wins: u32, draws: u32| {
            conservative_test(100, f64::from(wins) + f64::from(draws) / 2.0)
        };
        let table = [
            (116, 15, 0.0176),
            (112, 15, 0.0443),
            (93, 35, 0.184),
            (86, 24, 0.618),
            (93, 33, 0.242),
            (84, 30, 0.618),
            (88, 26, 0.540),
        ];
        for (wins, draws, expected) in table {
            assert!((p(wins, draws) - expected).abs() < 6e-4, "{wins}-{draws}: {}", p(wins, draws));
        }
        assert!((conservative_test(100, 116.0) - 0.0666).abs() < 1e-4);
        assert!((conservative_test(100, 118.0) - 0.0443).abs() < 1e-4);
    }

    #[test]
    fn critical_scores_are_those_known() {
        for (pairs, percent) in
            [(20, 75.0), (50, 64.0), (100, 59.0), (200, 56.5), (500, 53.8), (1000, 52.7)]
        {
            let found = 100.0 * critical_score(pairs, 0.05).unwrap();
            assert!((found - percent).abs() < 0.051, "{pairs}: {found}");
        }
        assert_eq!(critical_score(4, 0.05), None);
    }
}
