//! Discordance: the share of wrongly ordered pairs of different outcome.

use super::{Prediction, variance_of_sum};

/// 1 − AUC, generalised to draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Discordance {
    /// Share of the pairs of different outcome that the model orders wrongly;
    /// a tie counts half.
    pub value: f64,
    /// Standard error from the influence of each row, by group where rows have
    /// groups; for two classes that of DeLong et al. (1988).
    pub standard_error: f64,
    /// Weight of the pairs of different outcome.
    pub pairs: f64,
}

/// The discordance of predictions in O(n log n); `None` if all outcomes are
/// equal, for then there is no pair to order.
///
/// The rows are swept in the order of their log-odds while a Fenwick tree over
/// the distinct outcomes keeps the weight already passed, so that ties are
/// exact and any number of outcome levels works.
pub fn discordance(predictions: &[Prediction]) -> Option<Discordance> {
    discordance_and_influence(predictions).map(|(discordance, _)| discordance)
}

/// The discordance, and how much each row moves it: the influences of all rows
/// add up to 0, and the square sums of what the rows of each group add up to
/// are its variance. For differences between models on the same rows, whose
/// influences are subtracted row by row.
pub fn discordance_and_influence(predictions: &[Prediction]) -> Option<(Discordance, Vec<f64>)> {
    let mut levels: Vec<f64> = predictions.iter().map(|p| p.outcome).collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let level_of = |p: &Prediction| levels.partition_point(|&level| level < p.outcome);

    let mut order: Vec<usize> = (0..predictions.len()).collect();
    order.sort_by(|&a, &b| predictions[a].log_odds.total_cmp(&predictions[b].log_odds));

    let mut all = Fenwick::new(levels.len());
    for prediction in predictions {
        all.add(level_of(prediction), prediction.weight);
    }
    let total = all.before(levels.len());
    // Per row: weight of the discordant and of all comparable partners.
    let mut wrong = vec![0.0; predictions.len()];
    let mut comparable = vec![0.0; predictions.len()];
    let mut below = Fenwick::new(levels.len());
    let same = |a: &usize, b: &usize| predictions[*a].log_odds == predictions[*b].log_odds;
    for tied in order.chunk_by(same) {
        let mut here = Fenwick::new(if tied.len() > 1 { levels.len() } else { 0 });
        if tied.len() > 1 {
            for &row in tied {
                here.add(level_of(&predictions[row]), predictions[row].weight);
            }
        }
        for &row in tied {
            let level = level_of(&predictions[row]);
            let (lower, not_higher) = (all.before(level), all.before(level + 1));
            let below_higher = below.before(levels.len()) - below.before(level + 1);
            let mut above_lower = lower - below.before(level);
            let mut tied_other = 0.0;
            if tied.len() > 1 {
                let tied_lower = here.before(level);
                above_lower -= tied_lower;
                tied_other = here.before(levels.len()) - here.before(level + 1) + tied_lower;
            }
            wrong[row] = below_higher + above_lower + 0.5 * tied_other;
            comparable[row] = lower + (total - not_higher);
        }
        for &row in tied {
            below.add(level_of(&predictions[row]), predictions[row].weight);
        }
    }
    // Each pair was seen from both of its rows.
    let sum = |values: &[f64]| -> f64 {
        0.5 * predictions.iter().zip(values).map(|(p, value)| p.weight * value).sum::<f64>()
    };
    let pairs = sum(&comparable);
    if pairs <= 0.0 {
        return None;
    }
    let value = sum(&wrong) / pairs;
    let influence: Vec<f64> = predictions
        .iter()
        .zip(wrong.iter().zip(&comparable))
        .map(|(p, (wrong, comparable))| p.weight * (wrong - value * comparable) / pairs)
        .collect();
    let rows = predictions.iter().zip(&influence).map(|(p, &influence)| (p.group, 1.0, influence));
    let standard_error = variance_of_sum(rows).sqrt();
    Some((Discordance { value, standard_error, pairs }, influence))
}

/// Prefix sums under point updates in O(log n).
struct Fenwick(Vec<f64>);

impl Fenwick {
    fn new(len: usize) -> Self {
        Self(vec![0.0; len])
    }

    fn add(&mut self, index: usize, value: f64) {
        let mut node = index + 1;
        while node <= self.0.len() {
            self.0[node - 1] += value;
            node += node & node.wrapping_neg();
        }
    }

    /// Sum of the entries before `end`.
    fn before(&self, end: usize) -> f64 {
        let mut node = end;
        let mut sum = 0.0;
        while node > 0 {
            sum += self.0[node - 1];
            node &= node - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn random(rows: usize, levels: &[f64], scores: i32, seed: u64) -> Vec<Prediction> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..rows)
            .map(|_| Prediction {
                phase: 0,
                log_odds: f64::from(rng.random_range(0..scores)),
                outcome: levels[rng.random_range(0..levels.len())],
                weight: f64::from(rng.random_range(1..4)),
                group: None,
            })
            .collect()
    }

    /// Every pair, one after the other.
    fn by_pairs(rows: &[Prediction]) -> f64 {
        let (mut wrong, mut pairs) = (0.0, 0.0);
        for a in rows {
            for b in rows {
                if a.outcome > b.outcome {
                    let weight = a.weight * b.weight;
                    pairs += weight;
                    if a.log_odds < b.log_odds {
                        wrong += weight;
                    } else if a.log_odds == b.log_odds {
                        wrong += 0.5 * weight;
                    }
                }
            }
        }
        wrong / pairs
    }

    #[test]
    fn equals_the_count_over_all_pairs_with_ties_draws_and_weights() {
        for seed in 0..20 {
            for levels in [&[0.0, 1.0][..], &[0.0, 0.5, 1.0], &[0.0, 0.1, 0.2, 0.7, 1.0]] {
                for scores in [2, 7, 1_000_000] {
                    let rows = random(60, levels, scores, seed);
                    let found = discordance(&rows).unwrap().value;
                    assert!((found - by_pairs(&rows)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_perfect_order_has_none_and_a_reversed_one_all() {
        let mut rows = random(50, &[0.0, 0.5, 1.0], 10, 3);
        for row in &mut rows {
            row.log_odds = row.outcome;
        }
        assert_eq!(discordance(&rows).unwrap().value, 0.0);
        for row in &mut rows {
            row.log_odds = -row.outcome;
        }
        assert_eq!(discordance(&rows).unwrap().value, 1.0);
        for row in &mut rows {
            row.log_odds = 0.0;
        }
        assert_eq!(discordance(&rows).unwrap().value, 0.5);
    }

    #[test]
    fn there_is_nothing_to_order_when_all_outcomes_are_equal() {
        assert_eq!(discordance(&random(50, &[0.5], 10, 4)), None);
        assert_eq!(discordance(&[]), None);
    }

    #[test]
    fn the_standard_error_is_that_of_delong() {
        let mut rows = random(80, &[0.0, 1.0], 9, 5);
        for row in &mut rows {
            row.weight = 1.0;
        }
        let found = discordance(&rows).unwrap();
        let (won, lost): (Vec<&Prediction>, Vec<&Prediction>) =
            rows.iter().partition(|row| row.outcome == 1.0);
        let wrong = |w: f64, l: f64| {
            if w < l {
                1.0
            } else if w == l {
                0.5
            } else {
                0.0
            }
        };
        let placements = |of: &[&Prediction], against: &[&Prediction], won: bool| -> f64 {
            let values = of.iter().map(|a| {
                let sum: f64 = against
                    .iter()
                    .map(|b| {
                        let (w, l) = if won { (a, b) } else { (b, a) };
                        wrong(w.log_odds, l.log_odds)
                    })
                    .sum();
                sum / against.len() as f64
            });
            let count = of.len() as f64;
            values.map(|v| (v - found.value).powi(2)).sum::<f64>() / (count * count)
        };
        let variance = placements(&won, &lost, true) + placements(&lost, &won, false);
        assert!((found.standard_error - variance.sqrt()).abs() < 1e-12);
    }
}
