//! Skewness and kurtosis: are the features normal within the classes?

use serde::{Deserialize, Serialize};

use crate::error::FitError;
use crate::examples::Examples;
use crate::labels::class_weights;
use crate::moments::{Moments, Scatter};
use crate::pass::{Merge, Threads, pass};
use crate::phases::PhaseRange;

/// Shape of a feature's distribution in each class; both numbers are 0 for a
/// normal distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassShape {
    /// m₃ / m₂^1.5
    pub skewness: f64,
    /// m₄ / m₂² − 3
    pub excess_kurtosis: f64,
}

/// Shapes of every feature, as (won, lost), for the rows of several ranges of
/// phases and their moments, all in one pass.
///
/// # Errors
/// If reading fails.
pub fn class_shapes(
    examples: &dyn Examples,
    parts: &[(PhaseRange, &Moments)],
    threads: Threads,
) -> Result<Vec<Vec<(ClassShape, ClassShape)>>, FitError> {
    let features = examples.features().len();
    let mut sums = pass(
        examples,
        threads,
        || (),
        |block, (), out| {
            let Some(outcome) = &block.outcome else { return };
            for (index, (range, moments)) in parts.iter().enumerate() {
                if !range.contains(block.phase) {
                    continue;
                }
                let mut sums = PowerSums::new(features);
                for row in 0..block.rows() {
                    let (won, lost) = class_weights(block, outcome, row);
                    for (j, column) in block.features.iter().enumerate() {
                        let x = column.value(row);
                        sums.won[j].add(won, x - moments.won.mean[j]);
                        sums.lost[j].add(lost, x - moments.lost.mean[j]);
                    }
                }
                out.push((index, sums));
            }
        },
    )?;
    let shapes = parts.iter().enumerate().map(|(index, (_, moments))| {
        let sums = sums.remove(&index).unwrap_or_else(|| PowerSums::new(features));
        (0..features)
            .map(|j| {
                (
                    ClassShape::new(&sums.won[j], &moments.won, j),
                    ClassShape::new(&sums.lost[j], &moments.lost, j),
                )
            })
            .collect()
    });
    Ok(shapes.collect())
}

impl ClassShape {
    fn new(powers: &Powers, class: &Scatter, j: usize) -> Self {
        let second = class.scatter[(j, j)] / class.weight;
        Self {
            skewness: powers.third / class.weight / second.powf(1.5),
            excess_kurtosis: powers.fourth / class.weight / (second * second) - 3.0,
        }
    }
}

/// Σ w·d³ and Σ w·d⁴
#[derive(Clone, Copy, Default)]
struct Powers {
    third: f64,
    fourth: f64,
}

impl Powers {
    fn add(&mut self, weight: f64, distance: f64) {
        let square = distance * distance;
        self.third += weight * square * distance;
        self.fourth += weight * square * square;
    }
}

struct PowerSums {
    won: Vec<Powers>,
    lost: Vec<Powers>,
}

impl PowerSums {
    fn new(features: usize) -> Self {
        let zero = vec![Powers::default(); features];
        Self { won: zero.clone(), lost: zero }
    }
}

impl Merge for PowerSums {
    fn merge(&mut self, later: Self) {
        let pairs =
            self.won.iter_mut().zip(&later.won).chain(self.lost.iter_mut().zip(&later.lost));
        for (sum, later) in pairs {
            sum.third += later.third;
            sum.fourth += later.fourth;
        }
    }
}
