use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use discern_eval::Evaluator;
use discern_stats::{Measured, Prediction, discordance_and_influence};

use crate::ClassifiedPosition;
use crate::compare::prediction;

/// How much more often the second of two evaluators orders pairs of positions
/// wrongly than the first: the difference of their discordances within each
/// range of disc counts, and of these the mean by number of positions.
///
/// Both are judged on the same positions, so the difference is far more
/// certain than either discordance; its standard error takes the games (groups)
/// as the independent units. `None` if no range has different outcomes.
pub fn discordance_gap<A: Evaluator, B: Evaluator>(
    first: &A,
    second: &B,
    test: &[ClassifiedPosition],
    ranges: &[RangeInclusive<usize>],
) -> Option<Measured> {
    let (mut sum, mut positions) = (0.0, 0.0);
    let mut by_group: BTreeMap<u32, f64> = BTreeMap::new();
    for range in ranges {
        let inside: Vec<_> = test
            .iter()
            .filter(|p| range.contains(&(p.board.discs() as usize)) && !p.board.is_over())
            .collect();
        let predict = |by: &dyn Fn(&ClassifiedPosition) -> Prediction| {
            discordance_and_influence(&inside.iter().map(|p| by(p)).collect::<Vec<_>>())
        };
        let (Some((a, of_a)), Some((b, of_b))) =
            (predict(&|p| prediction(first, p)), predict(&|p| prediction(second, p)))
        else {
            continue;
        };
        let weight = inside.len() as f64;
        sum += weight * (b.value - a.value);
        positions += weight;
        for (position, (a, b)) in inside.iter().zip(of_a.iter().zip(&of_b)) {
            *by_group.entry(position.group).or_default() += weight * (b - a);
        }
    }
    let variance: f64 = by_group.values().map(|sum| sum * sum).sum();
    (positions > 0.0)
        .then(|| Measured { value: sum / positions, standard_error: variance.sqrt() / positions })
}

#[cfg(test)]
mod tests {
    use discern_eval::{Material, Rev};

    use super::*;
    use crate::quality;
    use crate::testing::classified_random_games;

    #[test]
    fn the_gap_of_one_range_is_the_difference_of_the_discordances() {
        let test = classified_random_games(31, 300);
        let range = [40..=50];
        let rev = Rev::default();
        let gap = discordance_gap(&rev, &Material, &test, &range).unwrap();
        let value = |of: crate::ModelQuality| of.phases[0].metrics.discordance.unwrap().value;
        let difference = value(quality("material", &Material, &test, &range))
            - value(quality("rev", &rev, &test, &range));
        assert!((gap.value - difference).abs() < 1e-12);
        assert!(gap.standard_error > 0.0 && gap.standard_error < 0.05);
    }

    #[test]
    fn an_evaluator_is_as_good_as_itself_beyond_doubt() {
        let test = classified_random_games(32, 50);
        let gap = discordance_gap(&Material, &Material, &test, &[20..=30, 31..=40]).unwrap();
        assert_eq!((gap.value, gap.standard_error), (0.0, 0.0));
        assert!(discordance_gap(&Material, &Material, &test, &[65..=70]).is_none());
    }

    #[test]
    fn the_standard_error_is_that_of_halves_of_the_games() {
        // Two halves of many games differ by about √2 · √2 standard errors of all.
        let test = classified_random_games(33, 1200);
        let rev = Rev::default();
        let ranges = [30..=39, 40..=49];
        let all = discordance_gap(&rev, &Material, &test, &ranges).unwrap();
        let mut squares = 0.0;
        for seed in 0..20 {
            let (a, b): (Vec<_>, Vec<_>) =
                test.iter().copied().partition(|p| crate::deal(p.group, seed) < 0.5);
            let [a, b] = [a, b].map(|half| discordance_gap(&rev, &Material, &half, &ranges));
            squares += (a.unwrap().value - b.unwrap().value).powi(2);
        }
        let spread = (squares / 20.0).sqrt() / 2.0;
        let ratio = spread / all.standard_error;
        assert!((0.6..1.6).contains(&ratio), "{ratio}");
    }
}
