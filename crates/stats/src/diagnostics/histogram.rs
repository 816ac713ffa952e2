//! Class-conditional densities (Figure 1) and winning shares (Figure 2).

use serde::{Deserialize, Serialize};

use crate::error::FitError;
use crate::examples::Examples;
use crate::labels::class_weights;
use crate::pass::{Merge, Threads, pass};
use crate::phases::PhaseRange;

/// Weight of won and lost rows in bins of equal width.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassHistogram {
    /// Where the first bin begins.
    pub low: f64,
    /// Where the last bin ends. Rows beyond either end are not counted.
    pub high: f64,
    /// Won rows of each bin; a draw is half won and half lost.
    pub won: Vec<f64>,
    /// Lost rows of each bin.
    pub lost: Vec<f64>,
}

impl ClassHistogram {
    /// Width of a bin.
    pub fn width(&self) -> f64 {
        (self.high - self.low) / self.won.len() as f64
    }

    /// Middle of a bin.
    pub fn middle(&self, bin: usize) -> f64 {
        self.low + (bin as f64 + 0.5) * self.width()
    }
}

/// Counts a value of every row of some phases, such as one feature or f(x).
///
/// # Errors
/// If reading fails.
pub fn class_histogram(
    examples: &dyn Examples,
    range: PhaseRange,
    bounds: (f64, f64),
    bins: usize,
    threads: Threads,
    value: impl Fn(i32, &[f64]) -> f64 + Sync,
) -> Result<ClassHistogram, FitError> {
    let (low, high) = bounds;
    let scale = bins as f64 / (high - low);
    let mut sums = pass(
        examples,
        threads,
        || vec![0.0; examples.features().len()],
        |block, features, out| {
            let Some(outcome) = &block.outcome else { return };
            if !range.contains(block.phase) {
                return;
            }
            let mut counts = Counts { won: vec![0.0; bins], lost: vec![0.0; bins] };
            for row in 0..block.rows() {
                for (feature, column) in features.iter_mut().zip(&block.features) {
                    *feature = column.value(row);
                }
                let place = (value(block.phase, features) - low) * scale;
                if (0.0..bins as f64).contains(&place) {
                    let (won, lost) = class_weights(block, outcome, row);
                    counts.won[place as usize] += won;
                    counts.lost[place as usize] += lost;
                }
            }
            out.push(((), counts));
        },
    )?;
    let Counts { won, lost } =
        sums.remove(&()).unwrap_or_else(|| Counts { won: vec![0.0; bins], lost: vec![0.0; bins] });
    Ok(ClassHistogram { low, high, won, lost })
}

struct Counts {
    won: Vec<f64>,
    lost: Vec<f64>,
}

impl Merge for Counts {
    fn merge(&mut self, later: Self) {
        let pairs = self.won.iter_mut().zip(later.won).chain(self.lost.iter_mut().zip(later.lost));
        for (sum, later) in pairs {
            *sum += later;
        }
    }
}
