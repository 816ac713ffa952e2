//! The pass of logistic regression: information, gradient and log-likelihood
//! of one block at one β (Section 2.2).

use serde::{Deserialize, Serialize};

use super::newton::Request;
use crate::block::{Block, Column};
use crate::gram::Gram;
use crate::labels::{Counts, Trials};
use crate::matrix::Matrix;
use crate::pass::Merge;
use crate::simd::math::{exp_nonpositive, ln_1p_unit};
use crate::simd::{Arithmetic, Lanes, Memory, Together, WIDTH, Work};
use crate::tile::{Ahead, Standard, Strip, TILE_ROWS, Tile, VECTORS, load_strip, load_weights};

/// What a pass sums up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Evaluation {
    /// X′ΔX
    pub(crate) information: Matrix,
    /// X′(y − nπ̂); for the start X′Δz.
    pub(crate) gradient: Vec<f64>,
    /// log L without binomial coefficients; not summed at the start.
    pub(crate) log_likelihood: f64,
    /// Smallest (2y − n)·xβ: positive if every row is on its right side.
    /// Infinite at the start, which has no β.
    #[serde(with = "infinite_as_null")]
    pub(crate) margin: f64,
}

/// Text formats know no infinity.
mod infinite_as_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
        (*value < f64::INFINITY).then_some(value).serialize(to)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
    }
}

impl Merge for Evaluation {
    fn merge(&mut self, later: Self) {
        self.information.add_scaled(1.0, &later.information);
        for (sum, later) in self.gradient.iter_mut().zip(later.gradient) {
            *sum += later;
        }
        self.log_likelihood += later.log_likelihood;
        self.margin = self.margin.min(later.margin);
    }
}

/// Working memory of a thread.
pub(crate) struct Kernel<L> {
    tile: Tile<L>,
    gram: Gram<L>,
}

/// The memory of a [`Kernel`], whatever the lanes.
pub(crate) struct Kernels;

impl Memory for Kernels {
    type On<L: Lanes> = Kernel<L>;

    fn new<L: Lanes>(features: usize) -> Kernel<L> {
        Kernel { tile: Tile::new(features), gram: Gram::with_gradient(features + 1) }
    }
}

/// The sums of one block.
pub(crate) struct Evaluate<'a> {
    pub(crate) block: &'a Block<'a>,
    pub(crate) outcome: &'a Column<'a>,
    pub(crate) trials: Trials,
    pub(crate) standard: &'a Standard,
    pub(crate) request: Request<'a>,
}

impl Work for Evaluate<'_> {
    type In = Kernels;
    type Out = Evaluation;

    #[inline(always)]
    fn run<L: Lanes>(self, kernel: &mut Kernel<L>) -> Evaluation {
        match self.request {
            Request::Start => kernel.start(&self),
            Request::At(beta) => kernel.at(&self, beta),
        }
    }
}

/// Vectors whose exponentials are computed side by side.
const TOGETHER: usize = 4;

/// The lanes of so many vectors.
type Wide<L> = Together<L, TOGETHER>;

/// Sums over rows that are not matrices, per lane.
struct Sums<L> {
    log_likelihood: Wide<L>,
    margin: Wide<L>,
}

impl<L: Lanes> Kernel<L> {
    /// The sums at β, in standardised features with the constant first.
    #[inline(always)]
    fn at(&mut self, work: &Evaluate, beta: &[f64]) -> Evaluation {
        let Evaluate { block, outcome, trials, standard, .. } = *work;
        let beta: Vec<L> = beta.iter().map(|&value| L::splat(value)).collect();
        let mut sums = self.clear();
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            self.tile.load(block, start, standard);
            let counts = Counts::load(block, outcome, start, trials);
            let mut residual = [L::splat(0.0); VECTORS];
            let mut weight = [L::splat(0.0); VECTORS];
            let eta = linear_predictor(&self.tile.strips, &beta);
            // A step of this loop takes about as long as two of `Gram::add`.
            let parts = 2 * VECTORS / TOGETHER + self.gram.parts();
            let mut ahead = Ahead::new(block, start, parts);
            for first in (0..VECTORS).step_by(TOGETHER) {
                ahead.ask::<L>(2);
                let take = |strip: &Strip<L>| Together(std::array::from_fn(|i| strip[first + i]));
                let (y, n) = (take(&counts.successes), take(&counts.trials));
                let (r, w) = row_terms(take(&eta), y, n, &mut sums);
                residual[first..first + TOGETHER].copy_from_slice(&r.0);
                weight[first..first + TOGETHER].copy_from_slice(&w.0);
            }
            self.add_tile(&residual, &weight, &mut ahead);
        }
        self.finish(&sums)
    }

    /// The sums of the paper's first step, which needs no β:
    /// π̂ = (y+½)/(n+1), Δ = n π̂(1−π̂), z = logit π̂ + (y−nπ̂)/Δ.
    #[inline(always)]
    fn start(&mut self, work: &Evaluate) -> Evaluation {
        let Evaluate { block, outcome, trials, standard, .. } = *work;
        let sums = self.clear();
        let common = CommonTerms::new(trials);
        for start in (0..block.rows()).step_by(TILE_ROWS) {
            self.tile.load(block, start, standard);
            let terms = common
                .strips(block, outcome, start)
                .unwrap_or_else(|| row_by_row(block, outcome, start, trials));
            let [working, weight] = &terms;
            let mut ahead = Ahead::new(block, start, self.gram.parts());
            self.add_tile(working, weight, &mut ahead);
        }
        self.finish(&sums)
    }

    #[inline(always)]
    fn clear(&mut self) -> Sums<L> {
        self.gram.clear();
        Sums { log_likelihood: Wide::splat(0.0), margin: Wide::splat(f64::INFINITY) }
    }

    /// Adds Σ residual·x to the gradient and Σ weight·xx′ to the information.
    #[inline(always)]
    fn add_tile(&mut self, residual: &Strip<L>, weight: &Strip<L>, ahead: &mut Ahead) {
        self.tile.weigh(weight);
        let beside = self.tile.strips.len();
        self.tile.weighted[beside] = *residual;
        self.gram.add(&self.tile.strips, &self.tile.weighted, ahead);
    }

    #[inline(always)]
    fn finish(&self, sums: &Sums<L>) -> Evaluation {
        Evaluation {
            information: self.gram.matrix(),
            gradient: self.gram.gradient(),
            log_likelihood: sums.log_likelihood.0.iter().map(|lanes| lanes.sum()).sum(),
            margin: (sums.margin.0.iter().flat_map(|lanes| lanes.to_array()))
                .fold(f64::INFINITY, f64::min),
        }
    }
}

/// η = xβ for the rows of a tile.
#[inline(always)]
fn linear_predictor<L: Lanes>(strips: &[Strip<L>], beta: &[L]) -> Strip<L> {
    /// Vectors at a time: enough independent sums to hide the latency.
    const AT_ONCE: usize = 8;
    let mut eta = [L::splat(0.0); VECTORS];
    for first in (0..VECTORS).step_by(AT_ONCE) {
        let mut sums = [L::splat(0.0); AT_ONCE];
        for (strip, &beta) in strips.iter().zip(beta) {
            for (offset, sum) in sums.iter_mut().enumerate() {
                *sum = strip[first + offset].mul_add(beta, *sum);
            }
        }
        eta[first..first + AT_ONCE].copy_from_slice(&sums);
    }
    eta
}

/// Residual y − nπ and weight nπ(1−π) of a few rows; adds to the sums.
///
/// With t = e^(−|η|): π = 1/(1+t) or t/(1+t), π(1−π) = t/(1+t)², and
/// log(1+e^η) = max(η,0) + log(1+t): exact on both tails.
#[inline(always)]
fn row_terms<L: Lanes>(
    eta: Wide<L>,
    y: Wide<L>,
    n: Wide<L>,
    sums: &mut Sums<L>,
) -> (Wide<L>, Wide<L>) {
    let (zero, one) = (Wide::splat(0.0), Wide::splat(1.0));
    let t = exp_nonpositive(zero.sub(eta.abs()));
    let likelier = one.div(one.add(t));
    let other = t.mul(likelier);
    let probability = eta.select_greater(zero, likelier, other);
    let log_one_plus = eta.max(zero).add(ln_1p_unit(t));
    sums.log_likelihood = sums.log_likelihood.add(y.mul(eta).sub(n.mul(log_one_plus)));
    let margin = y.add(y).sub(n).mul(eta);
    // Rows that do not count (weight 0, beyond the block) set no margin.
    let margin = n.select_greater(zero, margin, Wide::splat(f64::INFINITY));
    sums.margin = sums.margin.min(margin);
    (y.sub(n.mul(probability)), n.mul(likelier.mul(other)))
}

/// Δz and Δ of one row of weight 1.
#[derive(Clone, Copy)]
struct StartTerms([f64; 2]);

impl StartTerms {
    fn new(y: f64, n: f64) -> Self {
        let p = (y + 0.5) / (n + 1.0);
        let weight = n * p * (1.0 - p);
        let working = weight * (p / (1.0 - p)).ln() + (y - n * p);
        Self([working, weight])
    }
}

/// The terms of lost, drawn and won rows: most data have no others, and three
/// logarithms then do for millions of rows.
struct CommonTerms([StartTerms; 3]);

impl CommonTerms {
    const SHARES: [f64; 3] = [0.0, 0.5, 1.0];

    fn new(trials: Trials) -> Self {
        let terms = |share| StartTerms::new(trials.successes(share), trials.count());
        Self(Self::SHARES.map(terms))
    }

    /// The terms of a tile, if its rows have no others.
    #[inline(always)]
    fn strips<L: Lanes>(
        &self,
        block: &Block,
        outcome: &Column,
        start: usize,
    ) -> Option<[Strip<L>; 2]> {
        let mut shares = [L::splat(0.0); VECTORS];
        load_strip(outcome, start, &mut shares);
        let common = |lanes: &L| lanes.to_array().iter().all(|share| Self::SHARES.contains(share));
        if block.trials.is_some() || !shares.iter().all(common) {
            return None;
        }
        let weights = load_weights::<L>(block, start);
        let (quarter, three_quarters) = (L::splat(0.25), L::splat(0.75));
        Some(std::array::from_fn(|term| {
            let [lost, drawn, won] = self.0.map(|terms| L::splat(terms.0[term]));
            std::array::from_fn(|vector| {
                let share = shares[vector];
                let not_won = share.select_greater(quarter, drawn, lost);
                share.select_greater(three_quarters, won, not_won).mul(weights[vector])
            })
        }))
    }
}

/// The terms of a tile of any rows.
#[inline(always)]
fn row_by_row<L: Lanes>(
    block: &Block,
    outcome: &Column,
    start: usize,
    trials: Trials,
) -> [Strip<L>; 2] {
    let mut strips = [[L::splat(0.0); VECTORS]; 2];
    let end = block.rows().min(start + TILE_ROWS);
    for (vector, first) in (start..end).step_by(WIDTH).enumerate() {
        let mut lanes = [[0.0; WIDTH]; 2];
        for (lane, row) in (first..end.min(first + WIDTH)).enumerate() {
            let share = outcome.value(row);
            let terms = match &block.trials {
                Some(own) => StartTerms::new(share * own.value(row), own.value(row)),
                None => StartTerms::new(trials.successes(share), trials.count()),
            };
            let weight = block.weight_of(row);
            for (lanes, term) in lanes.iter_mut().zip(terms.0) {
                lanes[lane] = weight * term;
            }
        }
        for (strip, lanes) in strips.iter_mut().zip(lanes) {
            strip[vector] = L::from_array(lanes);
        }
    }
    strips
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::simd::{Avx2, Native, Portable, has_avx2};

    fn block(rows: usize) -> Block<'static> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut column = |low: f64, high: f64| -> Vec<f64> {
            (0..rows).map(|_| rng.random_range(low..high)).collect()
        };
        Block {
            features: vec![column(-3.0, 3.0).into(), column(90.0, 110.0).into()],
            weight: Some(column(0.0, 2.0).into()),
            outcome: Some((0..rows).map(|row| [1.0, 0.5, 0.0][row % 3]).collect::<Vec<_>>().into()),
            ..Block::default()
        }
    }

    fn standard() -> Standard {
        Standard { scale: vec![0.5, 0.125], shift: vec![0.25, 12.5] }
    }

    /// The formulas of the paper, row by row.
    fn naive(block: &Block, trials: Trials, standard: &Standard, beta: &[f64]) -> Evaluation {
        let mut sums = Evaluation {
            information: Matrix::zeros(beta.len()),
            gradient: vec![0.0; beta.len()],
            log_likelihood: 0.0,
            margin: f64::INFINITY,
        };
        for row in 0..block.rows() {
            let mut x = vec![1.0];
            for (j, column) in block.features.iter().enumerate() {
                x.push(column.value(row) * standard.scale[j] - standard.shift[j]);
            }
            let (n, weight) = (trials.count(), block.weight_of(row));
            let y = trials.successes(block.outcome.as_ref().unwrap().value(row));
            let eta: f64 = x.iter().zip(beta).map(|(x, beta)| x * beta).sum();
            let p = 1.0 / (1.0 + (-eta).exp());
            sums.information.add_outer(weight * n * p * (1.0 - p), &x);
            for (gradient, x) in sums.gradient.iter_mut().zip(&x) {
                *gradient += weight * (y - n * p) * x;
            }
            // The other printed form of log L.
            sums.log_likelihood += weight * (y * p.ln() + (n - y) * (1.0 - p).ln());
            sums.margin = sums.margin.min(weight * (2.0 * y - n) * eta);
        }
        sums
    }

    fn assert_close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-11 * b.abs().max(1.0), "{a} is not {b}");
    }

    /// The sums on the lanes of this processor.
    fn native(block: &Block, trials: Trials, request: Request) -> Evaluation {
        let (outcome, standard) = (block.outcome.as_ref().unwrap(), &standard());
        let work = Evaluate { block, outcome, trials, standard, request };
        Native::<Kernels>::new(2).run(work)
    }

    fn kernel_matches_the_formulas<L: Lanes>() {
        for rows in [1, 5, 128, 300] {
            let block = block(rows);
            let outcome = block.outcome.as_ref().unwrap();
            for trials in [Trials::One, Trials::Each(100.0)] {
                let beta = [0.25, -1.5, 0.75];
                let (standard, request) = (&standard(), Request::At(&beta));
                let work = Evaluate { block: &block, outcome, trials, standard, request };
                let ours = work.run(&mut Kernels::new::<L>(2));
                let expected = naive(&block, trials, standard, &beta);
                for i in 0..3 {
                    assert_close(ours.gradient[i], expected.gradient[i]);
                    for j in 0..3 {
                        assert_close(ours.information[(i, j)], expected.information[(i, j)]);
                    }
                }
                assert_close(ours.log_likelihood, expected.log_likelihood);
                assert_close(ours.margin, expected.margin);
            }
        }
    }

    #[test]
    fn both_kernels_and_both_forms_of_the_likelihood_agree() {
        kernel_matches_the_formulas::<Portable>();
        if has_avx2() {
            kernel_matches_the_formulas::<Avx2>();
        }
    }

    #[test]
    fn gradient_is_the_finite_difference_of_the_likelihood() {
        let block = block(300);
        let at = |beta: &[f64]| native(&block, Trials::Each(100.0), Request::At(beta));
        let beta = [0.1, 0.4, -0.3];
        let here = at(&beta);
        for j in 0..3 {
            let step = 1e-5;
            let (mut up, mut down) = (beta, beta);
            up[j] += step;
            down[j] -= step;
            let (up, down) = (at(&up), at(&down));
            let slope = (up.log_likelihood - down.log_likelihood) / (2.0 * step);
            assert!((slope - here.gradient[j]).abs() < 1e-5 * here.gradient[j].abs().max(1.0));
            for i in 0..3 {
                let curvature = -(up.gradient[i] - down.gradient[i]) / (2.0 * step);
                let exact = here.information[(i, j)];
                assert!((curvature - exact).abs() < 1e-5 * exact.abs().max(1.0));
            }
        }
    }

    #[test]
    fn the_start_follows_the_formula_for_common_and_other_outcomes() {
        let mut block = block(300);
        for soft in [false, true] {
            if soft {
                block.outcome =
                    Some((0..300).map(|r| f64::from(r) / 299.0).collect::<Vec<_>>().into());
            }
            let outcome = block.outcome.as_ref().unwrap();
            let trials = Trials::Each(100.0);
            let ours = native(&block, trials, Request::Start);
            let (mut weights, mut working) = (0.0, 0.0);
            for row in 0..300 {
                let (y, n) = (trials.successes(outcome.value(row)), 100.0);
                let p: f64 = (y + 0.5) / (n + 1.0);
                let delta = n * p * (1.0 - p);
                let z = (p / (1.0 - p)).ln() + (y - n * p) / delta;
                weights += block.weight_of(row) * delta;
                working += block.weight_of(row) * delta * z;
            }
            assert_close(ours.information[(0, 0)], weights);
            assert_close(ours.gradient[0], working);
        }
    }

    #[test]
    fn huge_log_odds_stay_finite() {
        let block = block(64);
        let sums = native(&block, Trials::One, Request::At(&[0.0, 5000.0, -5000.0]));
        assert!(sums.log_likelihood.is_finite() && sums.information.is_finite());
        assert!(sums.gradient.iter().all(|value| value.is_finite()));
    }
}
