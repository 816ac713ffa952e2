//! Discordance: the share of wrongly ordered pairs of different outcome.

use serde::{Deserialize, Serialize};

use super::{Prediction, variance_of_sum};

/// 1 − AUC, generalised to draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
