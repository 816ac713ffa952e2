//! Weights, means and covariances of the classes: everything FISHER and QUAD
//! need, from one pass (Section 2.1).
//!
//! Each block is centred at its own mean before products are summed, and the
//! sums of blocks are joined by the update of Chan, Golub & LeVeque (1983):
//! no digits are lost to features far from 0, whatever the order of the rows.

use std::collections::BTreeMap;

use crate::block::{Block, Column};
use crate::error::{DataError, FitError};
use crate::examples::Examples;
use crate::gram::Gram;
use crate::labels::Classes;
use crate::matrix::{Cholesky, Matrix};
use crate::pass::{Merge, Threads, pass};
use crate::phases::{PhaseRange, Pooling};
use crate::simd::{Lanes, Native};
use crate::tile::{Standard, TILE_ROWS, Tile, VECTORS, load_strip, load_weights};

/// Share of a variance below which a column counts as a combination of
/// others, 1 − R².
pub(crate) const COLLINEAR: f64 = 1e-11;

/// Weight, mean and scatter of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// Sum of the weights.
    pub weight: f64,
    /// Mean of each column.
    pub mean: Vec<f64>,
    /// Σ w (x − mean)(x − mean)′
    pub scatter: Matrix,
}

impl Scatter {
    /// No rows.
    pub fn empty(columns: usize) -> Self {
        Self { weight: 0.0, mean: vec![0.0; columns], scatter: Matrix::zeros(columns) }
    }

    /// Covariance with divisor Σw, the maximum likelihood estimate.
    pub fn covariance(&self) -> Matrix {
        self.scatter.scaled(1.0 / self.weight)
    }

    /// From Σ w (1,x)(1,x)′ with x relative to `centre`.
    fn from_gram(gram: &Matrix, centre: &[f64]) -> Self {
        let columns = centre.len();
        let weight = gram[(0, 0)];
        if weight <= 0.0 {
            return Self::empty(columns);
        }
        let offset: Vec<f64> = gram.row(0)[1..].iter().map(|sum| sum / weight).collect();
        let scatter =
            Matrix::from_fn(columns, |i, j| gram[(i + 1, j + 1)] - weight * offset[i] * offset[j]);
        let mean = centre.iter().zip(&offset).map(|(centre, offset)| centre + offset).collect();
        Self { weight, mean, scatter }
    }
}

impl Merge for Scatter {
    fn merge(&mut self, later: Self) {
        if later.weight <= 0.0 {
            return;
        }
        if self.weight <= 0.0 {
            *self = later;
            return;
        }
        let weight = self.weight + later.weight;
        let share = later.weight / weight;
        let step: Vec<f64> = later.mean.iter().zip(&self.mean).map(|(b, a)| b - a).collect();
        self.scatter.add_scaled(1.0, &later.scatter);
        self.scatter.add_outer(self.weight * share, &step);
        for (mean, step) in self.mean.iter_mut().zip(&step) {
            *mean += share * step;
        }
        self.weight = weight;
    }
}

/// What one pass learns about the classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Names of the features.
    pub features: Vec<String>,
    /// The won rows; a draw is half a row here and half a row in `lost`.
    pub won: Scatter,
    /// The lost rows.
    pub lost: Scatter,
    /// Weight of all rows.
    pub rows: f64,
    /// Weight of the rows that are neither won nor lost.
    pub undecided: f64,
    /// Whether rows are counts of successes that bring their own trials.
    pub own_trials: bool,
}

impl Moments {
    /// Moments of all rows, whatever their phase.
    ///
    /// # Errors
    /// If there is no outcome, or reading fails.
    pub fn collect(examples: &dyn Examples, threads: Threads) -> Result<Self, FitError> {
        let by_phase = PhaseMoments::collect(examples, threads)?;
        by_phase.pooled(PhaseRange::ALL).ok_or(FitError::NoRows)
    }

    /// All rows together, won or lost.
    pub fn all(&self) -> Scatter {
        let mut all = self.won.clone();
        all.merge(self.lost.clone());
        all
    }

    /// The covariance both classes share: joint scatter around the class
    /// means, divided by |I_W| + |I_L| (Section 2.1).
    pub fn pooled_covariance(&self) -> Matrix {
        let mut scatter = self.won.scatter.clone();
        scatter.add_scaled(1.0, &self.lost.scatter);
        scatter.scaled(1.0 / (self.won.weight + self.lost.weight))
    }

    /// Checks that both classes are there and the values can be worked with.
    pub(crate) fn check(&self) -> Result<(), FitError> {
        if self.rows <= 0.0 {
            return Err(FitError::NoRows);
        }
        check_overflow(&self.features, &self.won.scatter)?;
        check_overflow(&self.features, &self.lost.scatter)?;
        for (class, missing) in [(&self.won, "won"), (&self.lost, "lost")] {
            if class.weight <= 0.0 {
                return Err(FitError::OneClass { missing, rows: self.rows });
            }
        }
        Ok(())
    }
}

fn check_overflow(features: &[String], scatter: &Matrix) -> Result<(), FitError> {
    let diagonal = scatter.diagonal();
    match features.iter().zip(diagonal).find(|(_, variance)| !variance.is_finite()) {
        Some((feature, _)) => Err(FitError::Overflow { feature: feature.clone() }),
        None => Ok(()),
    }
}

impl Merge for Moments {
    fn merge(&mut self, later: Self) {
        self.won.merge(later.won);
        self.lost.merge(later.lost);
        self.rows += later.rows;
        self.undecided += later.undecided;
    }
}

/// The moments of each phase, from one pass over the data.
#[derive(Clone, Debug)]
pub struct PhaseMoments(BTreeMap<i32, Moments>);

impl PhaseMoments {
    /// Collects the moments of each phase.
    ///
    /// # Errors
    /// If there is no outcome, or reading fails.
    pub fn collect(examples: &dyn Examples, threads: Threads) -> Result<Self, FitError> {
        let features = examples.features();
        let sums = pass(
            examples,
            threads,
            || BlockSums::<Native>::new(features.len()),
            |block, sums, out| out.push((block.phase, sums.classes(block))),
        )?;
        let by_phase = sums
            .into_iter()
            .map(|(phase, sums)| {
                let sums = sums.0?;
                let features = features.to_vec();
                let ClassSums { won, lost, rows, undecided, own_trials } = sums;
                Ok((phase, Moments { features, won, lost, rows, undecided, own_trials }))
            })
            .collect::<Result<_, FitError>>()?;
        Ok(Self(by_phase))
    }

    /// The phases that have rows.
    pub fn phases(&self) -> impl Iterator<Item = i32> + '_ {
        self.0.keys().copied()
    }

    /// The moments of one phase alone.
    pub fn phase(&self, phase: i32) -> Option<&Moments> {
        self.0.get(&phase)
    }

    /// The moments of all rows of a range of phases; `None` without rows.
    pub fn pooled(&self, range: PhaseRange) -> Option<Moments> {
        let mut parts = self.0.range(range.first..=range.last).map(|(_, moments)| moments);
        let mut pooled = parts.next()?.clone();
        for part in parts {
            pooled.merge(part.clone());
        }
        Some(pooled)
    }

    /// The pooled moments of every phase that has rows of its own.
    pub fn windows(&self, pooling: Pooling) -> impl Iterator<Item = (i32, Moments)> + '_ {
        self.phases().filter_map(move |phase| {
            self.pooled(pooling.around(phase)).map(|moments| (phase, moments))
        })
    }
}

/// Sums of one block, or the fact that it has no outcome.
struct BlockResult(Result<ClassSums, FitError>);

struct ClassSums {
    won: Scatter,
    lost: Scatter,
    rows: f64,
    undecided: f64,
    own_trials: bool,
}

impl Merge for BlockResult {
    fn merge(&mut self, later: Self) {
        match (&mut self.0, later.0) {
            (Ok(sums), Ok(later)) => {
                sums.won.merge(later.won);
                sums.lost.merge(later.lost);
                sums.rows += later.rows;
                sums.undecided += later.undecided;
            }
            (Ok(_), Err(error)) => self.0 = Err(error),
            (Err(_), _) => {}
        }
    }
}

/// The kernel: working memory of a thread.
pub(crate) struct BlockSums<L> {
    tile: Tile<L>,
    won: Gram<L>,
    lost: Gram<L>,
}

impl<L: Lanes> BlockSums<L> {
    pub(crate) fn new(columns: usize) -> Self {
        Self { tile: Tile::new(columns), won: Gram::new(columns + 1), lost: Gram::new(columns + 1) }
    }

    fn classes(&mut self, block: &Block) -> BlockResult {
        let Some(outcome) = &block.outcome else {
            return BlockResult(Err(FitError::Missing("outcomes")));
        };
        let standard = block_centre::<L>(block);
        let zero = L::splat(0.0);
        let (mut rows, mut undecided) = (zero, zero);
        self.won.clear();
        self.lost.clear();
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            self.tile.load(block, start, &standard);
            let Classes { won, lost } = Classes::<L>::load(block, outcome, start);
            let weights = load_weights::<L>(block, start);
            for ((&won, &lost), &weight) in won.iter().zip(&lost).zip(&weights) {
                rows = rows.add(weight);
                let mixed = won.min(lost).select_greater(zero, weight, zero);
                undecided = undecided.add(mixed);
            }
            self.tile.weigh(&won);
            self.won.add(&self.tile.strips, &self.tile.weighted);
            self.tile.weigh(&lost);
            self.lost.add(&self.tile.strips, &self.tile.weighted);
        }
        BlockResult(Ok(ClassSums {
            won: Scatter::from_gram(&self.won.matrix(), &standard.shift),
            lost: Scatter::from_gram(&self.lost.matrix(), &standard.shift),
            rows: rows.sum(),
            undecided: undecided.sum(),
            own_trials: block.trials.is_some(),
        }))
    }

    /// Scatter of features and score together, the score last.
    pub(crate) fn with_score(&mut self, block: &Block, score: &Column) -> Scatter {
        let mut joined = block.borrowed();
        joined.features.push(score.slice(0..score.len()));
        let standard = block_centre::<L>(&joined);
        self.won.clear();
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            self.tile.load(&joined, start, &standard);
            let weight = load_weights(block, start);
            self.tile.weigh(&weight);
            self.won.add(&self.tile.strips, &self.tile.weighted);
        }
        Scatter::from_gram(&self.won.matrix(), &standard.shift)
    }
}

/// The mean of each feature over the rows of a block.
fn block_centre<L: Lanes>(block: &Block) -> Standard {
    let rows = block.rows();
    let mut strip = [L::splat(0.0); VECTORS];
    let shift = block
        .features
        .iter()
        .map(|column| {
            let mut sum = L::splat(0.0);
            for start in (0..rows).step_by(TILE_ROWS) {
                load_strip(column, start, &mut strip);
                sum = strip.iter().fold(sum, |sum, &lanes| sum.add(lanes));
            }
            sum.sum() / rows as f64
        })
        .collect();
    Standard { scale: vec![1.0; block.features.len()], shift }
}

/// Factors the covariance of some rows, naming what makes it singular.
///
/// `within` ends the message: empty, or the class the rows belong to.
pub(crate) fn factor(
    features: &[String],
    mean: &[f64],
    covariance: &Matrix,
    within: &'static str,
) -> Result<Cholesky, FitError> {
    for (index, feature) in features.iter().enumerate() {
        let variance = covariance[(index, index)];
        // Centring a constant leaves at most its rounding error.
        if variance.sqrt() <= 1e-13 * mean[index].abs() || variance <= 0.0 {
            return Err(FitError::Constant { feature: feature.clone(), within });
        }
    }
    Cholesky::new(covariance, COLLINEAR).map_err(|dependent| {
        let column = dependent.column;
        // Terms whose share of the standard deviation is only rounding are left out.
        let deviation = |index: usize| covariance[(index, index)].sqrt();
        let terms: Vec<(usize, f64)> = dependent
            .combination
            .iter()
            .enumerate()
            .map(|(index, &factor)| (index, factor))
            .filter(|&(index, factor)| (factor * deviation(index)).abs() > 1e-4 * deviation(column))
            .collect();
        let written: String = terms
            .iter()
            .map(|&(index, factor)| {
                let sign = if factor < 0.0 { '−' } else { '+' };
                format!(" {sign} {}·{}", Short(factor.abs()), features[index])
            })
            .collect();
        let written = written.trim_start_matches(" + ").trim_start();
        FitError::Collinear {
            combination: format!("{} = {written} + a constant", features[column]),
            features: [column]
                .into_iter()
                .chain(terms.iter().map(|term| term.0))
                .map(|index| features[index].clone())
                .collect(),
            within,
        }
    })
}

/// A factor as one would write it by hand.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let rounded = (self.0 * 1e6).round() / 1e6;
        write!(f, "{rounded}")
    }
}

/// Why data without rows of a kind cannot be read is told by the reader.
pub(crate) fn scatter_with_score(
    examples: &dyn Examples,
    threads: Threads,
) -> Result<BTreeMap<i32, Option<Scatter>>, DataError> {
    struct Sums(Option<Scatter>);
    impl Merge for Sums {
        fn merge(&mut self, later: Self) {
            match (&mut self.0, later.0) {
                (Some(sums), Some(later)) => sums.merge(later),
                (sums, _) => *sums = None,
            }
        }
    }
    let sums = pass(
        examples,
        threads,
        || BlockSums::<Native>::new(examples.features().len() + 1),
        |block, sums, out| {
            let scatter = block.score.as_ref().map(|score| sums.with_score(block, score));
            out.push((block.phase, Sums(scatter)));
        },
    )?;
    Ok(sums.into_iter().map(|(phase, sums)| (phase, sums.0)).collect())
}
