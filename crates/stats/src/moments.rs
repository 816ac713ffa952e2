//! Weights, means and covariances of the classes: everything FISHER and QUAD
//! need, from one pass (Section 2.1).
//!
//! Each block is centred at its own mean before products are summed, and the
//! sums of blocks are joined by the update of Chan, Golub & LeVeque (1983):
//! no digits are lost to features far from 0, whatever the order of the rows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::block::{Block, Column};
use crate::error::FitError;
use crate::examples::{Blocks, Examples};
use crate::gram::Gram;
use crate::labels::Classes;
use crate::matrix::{Cholesky, Matrix};
use crate::pass::{Merge, Threads, pass};
use crate::phases::{PhaseRange, Pooling};
use crate::simd::{Lanes, Memory, Native, Work};
use crate::tile::{Ahead, Standard, TILE_ROWS, Tile, load_weights};

/// Share of a variance below which a column counts as a combination of
/// others, 1 − R².
pub(crate) const COLLINEAR: f64 = 1e-11;

/// Weight, mean and scatter of some rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
        check_shape(examples)?;
        Self::collect_part(examples, threads)
    }

    /// The same of rows that are only a part, and may be few or none.
    pub(crate) fn collect_part(
        examples: &dyn Examples,
        threads: Threads,
    ) -> Result<Self, FitError> {
        let features = examples.features();
        let missing = AtomicBool::new(false);
        let mut by_phase = pass(
            examples,
            threads,
            || Native::<BlockSums>::new(features.len()),
            |block, sums, out| match &block.outcome {
                Some(outcome) => out.push((block.phase, sums.run(SumClasses(block, outcome)))),
                None => missing.store(true, Ordering::Relaxed),
            },
        )?;
        if missing.into_inner() {
            return Err(FitError::Missing("outcomes"));
        }
        for moments in by_phase.values_mut() {
            moments.features = features.to_vec();
        }
        Ok(Self(by_phase))
    }

    /// Those at hand, or else those of a pass.
    pub(crate) fn of(examples: &dyn Examples, threads: Threads) -> Result<Cow<'_, Self>, FitError> {
        match examples.moments() {
            Some(moments) => Ok(Cow::Borrowed(moments)),
            None => Self::collect(examples, threads).map(Cow::Owned),
        }
    }

    /// Those of all phases together, collected elsewhere.
    pub(crate) fn from_phases(phases: BTreeMap<i32, Moments>) -> Self {
        Self(phases)
    }

    /// Phase by phase.
    pub(crate) fn into_phases(self) -> impl Iterator<Item = (i32, Moments)> {
        self.0.into_iter()
    }

    /// No rows at all?
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
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

    /// The rows of every fit, with their phases and moments: one fit for all
    /// rows, or one for each phase.
    pub(crate) fn slots(
        &self,
        pooling: Option<Pooling>,
    ) -> Vec<(Option<i32>, PhaseRange, Moments)> {
        match pooling {
            Some(pooling) => self
                .windows(pooling)
                .map(|(phase, moments)| (Some(phase), pooling.around(phase), moments))
                .collect(),
            None => {
                let all = self.pooled(PhaseRange::ALL);
                all.map(|moments| (None, PhaseRange::ALL, moments)).into_iter().collect()
            }
        }
    }
}

/// Examples whose moments are at hand, so that no estimator collects them
/// again.
///
/// ```
/// use discern_stats::{
///     Dataset, Estimator, Example, Fisher, PhaseMoments, Quadratic, Threads, WithMoments,
/// };
///
/// let mut data = Dataset::builder(["mobility"]);
/// for (mobility, outcome) in [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5)] {
///     data.push(&Example::new(&[mobility], outcome))?;
/// }
/// let data = data.finish();
/// let moments = PhaseMoments::collect(&data, Threads::ONE)?;
/// let data = WithMoments::new(&data, &moments);
/// let (fisher, quad) = (Fisher::default().fit(&data)?, Quadratic::default().fit(&data)?);
/// assert_eq!(fisher.rows, quad.rows);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WithMoments<'a> {
    examples: &'a dyn Examples,
    moments: &'a PhaseMoments,
}

impl<'a> WithMoments<'a> {
    /// Joins examples with moments, which must be those of the same rows.
    #[must_use]
    pub fn new(examples: &'a dyn Examples, moments: &'a PhaseMoments) -> Self {
        Self { examples, moments }
    }
}

impl Examples for WithMoments<'_> {
    fn features(&self) -> &[String] {
        self.examples.features()
    }

    fn blocks(&self) -> Blocks<'_> {
        self.examples.blocks()
    }

    fn in_memory(&self) -> bool {
        self.examples.in_memory()
    }

    fn moments(&self) -> Option<&PhaseMoments> {
        Some(self.moments)
    }
}

/// Refuses data with more columns than rows before any matrix is made: the
/// sums of 20,000 columns would take gigabytes to find the same.
fn check_shape(examples: &dyn Examples) -> Result<(), FitError> {
    let features = examples.features().len();
    let mut rows = 0;
    if examples.in_memory() {
        for block in examples.blocks() {
            rows += block?.rows();
            if rows > features {
                return Ok(());
            }
        }
    }
    if rows == 0 {
        return Ok(());
    }
    Err(FitError::TooFewRows { rows: rows as f64, coefficients: features + 1 })
}

/// The kernel: working memory of a thread.
struct BlockSums;

struct Sums<L> {
    tile: Tile<L>,
    won: Gram<L>,
    lost: Gram<L>,
}

impl Memory for BlockSums {
    type On<L: Lanes> = Sums<L>;

    fn new<L: Lanes>(columns: usize) -> Sums<L> {
        let gram = || Gram::new(columns + 1);
        Sums { tile: Tile::new(columns), won: gram(), lost: gram() }
    }
}

/// Sums the classes of a block; the features keep their names to themselves.
struct SumClasses<'a>(&'a Block<'a>, &'a Column<'a>);

impl Work for SumClasses<'_> {
    type In = BlockSums;
    type Out = Moments;

    #[inline(always)]
    fn run<L: Lanes>(self, sums: &mut Sums<L>) -> Moments {
        let Self(block, outcome) = self;
        let standard = block_centre(block, &mut sums.tile);
        let zero = L::splat(0.0);
        let (mut rows, mut undecided) = (zero, zero);
        sums.won.clear();
        sums.lost.clear();
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            sums.tile.load(block, start, &standard);
            let Classes { won, lost } = Classes::<L>::load(block, outcome, start);
            let weights = load_weights::<L>(block, start);
            for ((&won, &lost), &weight) in won.iter().zip(&lost).zip(&weights) {
                rows = rows.add(weight);
                let mixed = won.min(lost).select_greater(zero, weight, zero);
                undecided = undecided.add(mixed);
            }
            sums.tile.weigh(&won);
            let mut ahead = Ahead::new(block, start, sums.won.parts() + sums.lost.parts());
            sums.won.add(&sums.tile.strips, &sums.tile.weighted, &mut ahead);
            sums.tile.weigh(&lost);
            sums.lost.add(&sums.tile.strips, &sums.tile.weighted, &mut ahead);
        }
        Moments {
            features: Vec::new(),
            won: Scatter::from_gram(&sums.won.matrix(), &standard.shift),
            lost: Scatter::from_gram(&sums.lost.matrix(), &standard.shift),
            rows: rows.sum(),
            undecided: undecided.sum(),
            own_trials: block.trials.is_some(),
        }
    }
}

/// Scatter of features and score together, the score last.
struct SumWithScore<'a>(&'a Block<'a>, &'a Column<'a>);

impl Work for SumWithScore<'_> {
    type In = BlockSums;
    type Out = Scatter;

    #[inline(always)]
    fn run<L: Lanes>(self, sums: &mut Sums<L>) -> Scatter {
        let Self(block, score) = self;
        let mut joined = block.borrowed();
        joined.features.push(score.slice(0..score.len()));
        let standard = block_centre(&joined, &mut sums.tile);
        sums.won.clear();
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            sums.tile.load(&joined, start, &standard);
            let weight = load_weights(block, start);
            sums.tile.weigh(&weight);
            let mut ahead = Ahead::new(&joined, start, sums.won.parts());
            sums.won.add(&sums.tile.strips, &sums.tile.weighted, &mut ahead);
        }
        Scatter::from_gram(&sums.won.matrix(), &standard.shift)
    }
}

/// The mean of each feature over the rows of a block.
#[inline(always)]
fn block_centre<L: Lanes>(block: &Block, tile: &mut Tile<L>) -> Standard {
    let (rows, columns) = (block.rows(), block.features.len());
    let as_it_is = Standard { scale: vec![1.0; columns], shift: vec![0.0; columns] };
    let mut sums = vec![L::splat(0.0); columns];
    // All columns of a tile and not all tiles of a column: rows of a table are
    // read once. Loops: closures would not be inlined.
    for start in (0..rows).step_by(TILE_ROWS) {
        tile.load(block, start, &as_it_is);
        let mut ahead = Ahead::new(block, start, columns);
        for (sum, strip) in sums.iter_mut().zip(&tile.strips[1..]) {
            ahead.ask::<L>(1);
            for &lanes in strip {
                *sum = sum.add(lanes);
            }
        }
    }
    let shift = sums.iter().map(|sum| sum.sum() / rows as f64).collect();
    Standard { shift, ..as_it_is }
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

/// Means and covariances of features and score by phase, the score last.
pub(crate) fn scatter_with_score(
    examples: &dyn Examples,
    threads: Threads,
) -> Result<BTreeMap<i32, Scatter>, FitError> {
    check_shape(examples)?;
    let missing = AtomicBool::new(false);
    let sums = pass(
        examples,
        threads,
        || Native::<BlockSums>::new(examples.features().len() + 1),
        |block, sums, out| match &block.score {
            Some(score) => out.push((block.phase, sums.run(SumWithScore(block, score)))),
            None => missing.store(true, Ordering::Relaxed),
        },
    )?;
    if missing.into_inner() { Err(FitError::Missing("scores")) } else { Ok(sums) }
}
