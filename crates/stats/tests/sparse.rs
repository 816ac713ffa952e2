//! The sparse logistic regression against a slow solver that knows nothing of
//! its tricks, and what must not change its answer.

use std::ops::Range;

use discern_stats::sparse::{
    Intercepts, Link, Sign, SparseBlocks, SparseDataset, SparseErrors, SparseExample,
    SparseExamples, SparseFit, SparseFold, SparseLogistic, SparsePhases, Ties, WeightPrior,
};
use discern_stats::{
    Cholesky, Dataset, ErrorKind, Estimator, Example, Fit, Logistic, Matrix, Side, StopReason,
    Threads, Trials, metrics,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A row that owns its entries.
#[derive(Clone, Debug)]
struct Row {
    entries: Vec<(u32, f64)>,
    outcome: f64,
    trials: Option<f64>,
    weight: Option<f64>,
    offset: Option<f64>,
    group: Option<u32>,
    phase: i32,
}

impl Row {
    fn new(entries: &[(u32, f64)], outcome: f64) -> Self {
        let entries = entries.to_vec();
        let (trials, weight, offset, group) = (None, None, None, None);
        Self { entries, outcome, trials, weight, offset, group, phase: 0 }
    }

    fn example(&self) -> SparseExample<'_> {
        SparseExample {
            trials: self.trials,
            weight: self.weight,
            offset: self.offset,
            group: self.group,
            phase: self.phase,
            ..SparseExample::new(&self.entries, self.outcome)
        }
    }
}

fn dataset(weights: usize, rows: &[Row]) -> SparseDataset {
    let mut builder = SparseDataset::builder(weights);
    for row in rows {
        builder.push(&row.example()).unwrap();
    }
    builder.finish()
}

/// Rows of some patterns with some configurations each, won by a hidden model.
fn patterns(seed: u64, rows: usize, patterns: u32, configurations: u32) -> Vec<Row> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let hidden: Vec<f64> =
        (0..patterns * configurations).map(|_| rng.random_range(-1.0..1.0)).collect();
    (0..rows)
        .map(|number| {
            let entries: Vec<(u32, f64)> = (0..patterns)
                .map(|pattern| {
                    // Few configurations are frequent and many are rare.
                    let rare = rng.random_range(0.0f64..1.0).powi(3);
                    let index =
                        pattern * configurations + (rare * f64::from(configurations)) as u32;
                    (index, if rng.random_range(0..3) == 0 { -1.0 } else { 1.0 })
                })
                .collect();
            let log_odds: f64 = entries.iter().map(|&(i, x)| x * hidden[i as usize]).sum();
            let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-0.3 - log_odds).exp());
            let mut row = Row::new(&entries, f64::from(u8::from(won)));
            row.phase = (number % 3) as i32 * 5;
            row
        })
        .collect()
}

/// A dense problem: y of n with an offset, x·β, and β′Pβ/2 beside the loss.
struct Dense {
    x: Vec<Vec<f64>>,
    y: Vec<f64>,
    n: Vec<f64>,
    offset: Vec<f64>,
    penalty: Matrix,
}

impl Dense {
    /// Rows spread over `weights` and one column for the constant.
    fn new(weights: usize, rows: &[Row], trials: Trials) -> Self {
        let mut dense = Self {
            x: Vec::new(),
            y: Vec::new(),
            n: Vec::new(),
            offset: Vec::new(),
            penalty: Matrix::zeros(weights + 1),
        };
        for row in rows {
            let mut x = vec![0.0; weights];
            for &(index, value) in &row.entries {
                x[index as usize] += value;
            }
            x.push(1.0);
            let weight = row.weight.unwrap_or(1.0);
            let (y, n) = match (row.trials, trials) {
                (Some(own), _) => (row.outcome * own, own),
                (None, Trials::One) => (row.outcome, 1.0),
                (None, Trials::Each(n)) => ((row.outcome * n).clamp(1.0, n - 1.0), n),
            };
            dense.x.push(x);
            dense.y.push(weight * y);
            dense.n.push(weight * n);
            dense.offset.push(row.offset.unwrap_or(0.0));
        }
        dense
    }

    fn ridge(mut self, weights: Range<usize>, ridge: f64) -> Self {
        for index in weights {
            self.penalty[(index, index)] += ridge;
        }
        self
    }

    fn link(mut self, a: usize, b: usize, sign: f64, strength: f64) -> Self {
        self.penalty[(a, a)] += strength;
        self.penalty[(b, b)] += strength;
        self.penalty[(a, b)] -= sign * strength;
        self.penalty[(b, a)] -= sign * strength;
        self
    }

    /// Newton's method written down as plainly as possible.
    fn solve(&self) -> (Vec<f64>, f64, Vec<f64>) {
        let size = self.penalty.order();
        let mut beta = vec![0.0; size];
        let mut information = Matrix::zeros(size);
        let mut log_likelihood = 0.0;
        for _ in 0..60 {
            let mut gradient: Vec<f64> = self.penalty.times(&beta).iter().map(|v| -v).collect();
            information = self.penalty.clone();
            log_likelihood = 0.0;
            for row in 0..self.x.len() {
                let x = &self.x[row];
                let eta = self.offset[row] + x.iter().zip(&beta).map(|(a, b)| a * b).sum::<f64>();
                let p = 1.0 / (1.0 + (-eta).exp());
                let residual = self.y[row] - self.n[row] * p;
                gradient.iter_mut().zip(x).for_each(|(g, x)| *g += residual * x);
                information.add_outer(self.n[row] * p * (1.0 - p), x);
                log_likelihood += self.y[row] * eta - self.n[row] * (1.0 + eta.exp()).ln();
            }
            let step = Cholesky::new(&information, 1e-15).unwrap().solve(&gradient);
            let norm = step.iter().fold(0.0f64, |most, v| most.max(v.abs()));
            // Far from the solution a full step may be too long.
            let length = (2.0 / norm).min(1.0);
            beta.iter_mut().zip(&step).for_each(|(b, s)| *b += length * s);
            if norm < 1e-13 {
                break;
            }
        }
        let inverse = Cholesky::new(&information, 1e-15).unwrap().inverse();
        let errors = inverse.diagonal().into_iter().map(f64::sqrt).collect();
        (beta, log_likelihood, errors)
    }
}

fn settings() -> SparseLogistic {
    SparseLogistic { tolerance: 1e-10, threads: Threads::ONE, ..SparseLogistic::default() }
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[track_caller]
fn agrees(fit: &SparseFit, dense: &Dense) {
    let (beta, log_likelihood, errors) = dense.solve();
    assert_eq!(fit.stop, StopReason::Converged);
    let constant = beta.len() - 1;
    for (index, expected) in beta[..constant].iter().enumerate() {
        close(fit.weights[index], *expected, 1e-8);
        close(fit.errors[index] / errors[index], 1.0, 1e-5);
    }
    close(fit.intercepts[0].value, beta[constant], 1e-8);
    close(fit.log_likelihood / log_likelihood, 1.0, 1e-10);
    assert_eq!(fit.error_kind, SparseErrors::Joint);
}

#[test]
fn rows_of_plus_and_minus_one_agree_with_a_dense_solver() {
    let rows = patterns(1, 600, 4, 10);
    let fit = settings().fit(&dataset(40, &rows)).unwrap();
    agrees(&fit, &Dense::new(40, &rows, Trials::One).ridge(0..40, 1.0));
}

#[test]
fn values_offsets_weights_trials_and_fractions_agree_with_a_dense_solver() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut rows = patterns(2, 500, 4, 8);
    for row in &mut rows {
        for (_, value) in &mut row.entries {
            *value *= rng.random_range(0.1..3.0);
        }
        row.offset = Some(rng.random_range(-1.0..1.0));
        row.weight = Some(rng.random_range(0.0..3.0));
        row.trials = Some(f64::from(rng.random_range(1..9)));
        row.outcome = 0.25 * f64::from(rng.random_range(0..5));
    }
    let prior = WeightPrior::ridge(0.7).block(8..16, 3.0);
    let fit = SparseLogistic { prior, ..settings() }.fit(&dataset(32, &rows)).unwrap();
    let dense = Dense::new(32, &rows, Trials::One);
    agrees(&fit, &dense.ridge(0..8, 0.7).ridge(8..16, 3.0).ridge(16..32, 0.7));
}

#[test]
fn the_papers_hundred_trials_agree_with_a_dense_solver() {
    let mut rows = patterns(3, 400, 3, 8);
    rows.iter_mut().step_by(7).for_each(|row| row.outcome = 0.5);
    let trials = Trials::default();
    let fit = SparseLogistic { trials, ..settings() }.fit(&dataset(24, &rows)).unwrap();
    agrees(&fit, &Dense::new(24, &rows, trials).ridge(0..24, 1.0));
}

#[test]
fn links_agree_with_a_dense_solver() {
    let rows = patterns(4, 500, 3, 10);
    let opposite = Link { sign: Sign::Opposite, ..Link::one(25, 3, 6.0) };
    let prior = WeightPrior::ridge(0.2).link(Link::run(10..20, 0, 15.0)).link(opposite);
    let fit = SparseLogistic { prior, ..settings() }.fit(&dataset(30, &rows)).unwrap();
    let mut dense = Dense::new(30, &rows, Trials::One).ridge(0..30, 0.2);
    for index in 0..10 {
        dense = dense.link(10 + index, index, 1.0, 15.0);
    }
    agrees(&fit, &dense.link(25, 3, -1.0, 6.0));
}

#[test]
fn tied_weights_agree_with_rows_that_name_the_weight_itself() {
    let rows = patterns(5, 800, 4, 10);
    let mut ties = Ties::new(40);
    let tied: Vec<(u32, f64)> = (0..40u32)
        .map(|index| match index % 10 {
            // The ninth is the negative of the eighth, pattern 1 is pattern 0.
            9 => (index - 1, -1.0),
            _ => (index, 1.0),
        })
        .map(
            |(index, sign)| {
                if (10..20).contains(&index) { (index - 10, sign) } else { (index, sign) }
            },
        )
        .collect();
    for pattern in 0..4 {
        ties.tie(10 * pattern + 9, 10 * pattern + 8, Sign::Opposite);
    }
    for index in 0..10 {
        ties.tie(10 + index, index, Sign::Same);
    }
    assert_eq!(ties.free(), 27);
    let mut folded = rows.clone();
    for (index, value) in folded.iter_mut().flat_map(|row| &mut row.entries) {
        let (to, sign) = tied[*index as usize];
        (*index, *value) = (to, sign * *value);
    }
    let fit = SparseLogistic { ties: Some(ties), ..settings() }.fit(&dataset(40, &rows)).unwrap();
    let by_hand = settings().fit(&dataset(40, &folded)).unwrap();
    for (index, &(to, sign)) in tied.iter().enumerate() {
        close(fit.weights[index], sign * by_hand.weights[to as usize], 1e-9);
        close(fit.errors[index], by_hand.errors[to as usize], 1e-7);
        assert_eq!(fit.counts[index], by_hand.counts[to as usize]);
    }
    assert_eq!(fit.weights[19], -fit.weights[8]);
}

#[test]
fn a_weight_tied_to_its_own_negative_is_nothing() {
    let rows = patterns(6, 300, 2, 6);
    let mut ties = Ties::new(12);
    ties.tie(0, 1, Sign::Same);
    ties.tie(1, 2, Sign::Opposite);
    ties.tie(2, 0, Sign::Same);
    assert_eq!(ties.free(), 9);
    let fit = SparseLogistic { ties: Some(ties), ..settings() }.fit(&dataset(12, &rows)).unwrap();
    assert_eq!(fit.weights[..3], [0.0; 3]);
    assert!(fit.weights[3..].iter().all(|weight| *weight != 0.0));
    let mut without = rows.clone();
    without.iter_mut().for_each(|row| row.entries.retain(|&(index, _)| index > 2));
    let expected = settings().fit(&dataset(12, &without)).unwrap();
    for index in 3..12 {
        close(fit.weights[index], expected.weights[index], 1e-9);
    }
}

#[test]
fn a_weight_without_rows_is_what_its_link_says() {
    let rows = patterns(7, 400, 2, 6);
    let prior = WeightPrior::ridge(0.5)
        .block(12..14, 0.0)
        .link(Link::one(12, 3, 2.0))
        .link(Link { sign: Sign::Opposite, ..Link::one(13, 12, 0.1) });
    let fit = SparseLogistic { prior, ..settings() }.fit(&dataset(14, &rows)).unwrap();
    close(fit.weights[12], fit.weights[3], 1e-8);
    close(fit.weights[13], -fit.weights[3], 1e-8);
    assert_eq!(fit.counts[12], 0.0);
    assert!(fit.errors[12] > fit.errors[3] && fit.errors[13] > fit.errors[12]);
    let rigid = WeightPrior::ridge(0.0).link(Link::run(6..12, 0, 1e6));
    let fit = SparseLogistic { prior: rigid, ..settings() }.fit(&dataset(12, &rows)).unwrap();
    for index in 0..6 {
        close(fit.weights[index], fit.weights[index + 6], 1e-3);
    }
}

#[test]
fn intercepts_of_phases_agree_with_a_dense_solver() {
    let rows = patterns(8, 600, 2, 8);
    let intercepts = Intercepts::PerPhase { smoothing: 4.0 };
    let fit = SparseLogistic { intercepts, ..settings() }.fit(&dataset(16, &rows)).unwrap();
    // Phases 0, 5 and 10 as three more columns, and none for the constant.
    let mut dense = Dense::new(18, &rows, Trials::One).ridge(0..16, 1.0);
    for (x, row) in dense.x.iter_mut().zip(&rows) {
        x[18] = 0.0;
        x[16 + row.phase as usize / 5] = 1.0;
    }
    dense = dense.link(16, 17, 1.0, 4.0).link(17, 18, 1.0, 4.0);
    let (beta, ..) = dense.solve();
    for (weight, expected) in fit.weights.iter().zip(&beta) {
        close(*weight, *expected, 1e-8);
    }
    for (number, intercept) in fit.intercepts.iter().enumerate() {
        assert_eq!(intercept.phase, Some(5 * number as i32));
        assert_eq!(intercept.count, 200.0);
        close(intercept.value, beta[16 + number], 1e-8);
    }
    let value = |phase| fit.log_odds(&[], phase);
    assert_eq!(value(-3), fit.intercepts[0].value);
    assert_eq!(value(9), fit.intercepts[2].value);
}

#[test]
fn log_on_dense_features_is_the_same_model() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut dense = Dataset::builder(["a", "b", "c", "d"]);
    let mut rows = Vec::new();
    for number in 0..3000 {
        let x: [f64; 4] = std::array::from_fn(|j| match j {
            0 => f64::from(rng.random_range(-5..6)),
            1 => rng.random_range(-1e-4..1e-4),
            2 => rng.random_range(900.0..1100.0),
            _ => rng.random_range(-1.0..1.0),
        });
        let log_odds = 0.3 * x[0] + 1e4 * x[1] + 0.01 * (x[2] - 1000.0) - x[3];
        let outcome = match rng.random_range(0.0..1.0) < 1.0 / (1.0 + f64::exp(-log_odds)) {
            _ if number % 10 == 0 => 0.5,
            won => f64::from(u8::from(won)),
        };
        dense.push(&Example::new(&x, outcome)).unwrap();
        let entries: Vec<(u32, f64)> = (0..).zip(x).collect();
        rows.push(Row::new(&entries, outcome));
    }
    let dense = dense.finish();
    for trials in [Trials::One, Trials::default()] {
        let log = Logistic { trials, tolerance: 1e-12, ..Logistic::default() };
        let log = log.fit(&dense).unwrap();
        let prior = WeightPrior::ridge(0.0);
        let sparse = SparseLogistic { trials, prior, ..settings() };
        let sparse = sparse.fit(&dataset(4, &rows)).unwrap();
        let errors = log.standard_errors(ErrorKind::Information).unwrap();
        assert_eq!(sparse.stop, StopReason::Converged);
        let error_of_constant = errors[0];
        close(sparse.intercepts[0].value, log.coefficients[0], 1e-6 * error_of_constant);
        for j in 0..4 {
            close(sparse.weights[j], log.coefficients[j + 1], 1e-6 * errors[j + 1]);
            close(sparse.errors[j] / errors[j + 1], 1.0, 1e-5);
        }
        close(sparse.log_likelihood / log.log_likelihood, 1.0, 1e-12);
    }
}

/// SplitMix64, as `scripts/make-golden.py` has it.
fn scrambled(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Newton's method in Python, which agrees there with scikit-learn.
#[test]
fn two_hundred_thousand_rows_agree_with_the_golden_weights() {
    let text = include_str!("golden/sparse-golden.json");
    let golden: serde_json::Value = serde_json::from_str(text).unwrap();
    let number = |name: &str| golden[name].as_f64().unwrap();
    let numbers = |name: &str| -> Vec<f64> {
        golden[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    let [rows, patterns, each] =
        ["rows", "patterns", "configurations"].map(|name| golden[name].as_u64().unwrap());
    let mut data = SparseDataset::builder((patterns * each) as usize);
    let mut won = 0.0;
    for row in 0..rows {
        let mut score = 0;
        let entries: Vec<(u32, f64)> = (0..patterns)
            .map(|pattern| {
                let chance = scrambled(16 * row + pattern);
                let index = (chance % each * (chance >> 32) % each + each * pattern) as u32;
                let sign = if chance >> 60 < 5 { -1 } else { 1 };
                score += sign * (i64::from(index) * 7 % 23 - 11);
                (index, sign as f64)
            })
            .collect();
        let noise = (scrambled(16 * row + 15) % 121) as i64 - 60;
        let outcome = f64::from(u8::from(score + noise > 0));
        won += outcome;
        data.push(&SparseExample::new(&entries, outcome)).unwrap();
    }
    assert_eq!(won, number("won"));
    let prior = WeightPrior::ridge(number("ridge"));
    let fit = SparseLogistic { prior, ..SparseLogistic::default() }.fit(&data.finish()).unwrap();
    assert_eq!(fit.stop.word(), "converged");
    for (found, expected) in fit.weights.iter().zip(numbers("weights")) {
        close(*found, expected, 1e-7);
    }
    close(fit.intercepts[0].value, number("intercept"), 1e-7);
    close(fit.log_likelihood, number("log_likelihood"), 1e-4);
    let errors = fit.errors.iter().chain([&fit.intercepts[0].error]);
    for (found, expected) in errors.zip(numbers("errors")) {
        close(*found, expected, 1e-5);
    }
}

#[test]
fn weight_two_is_the_row_twice() {
    let rows = patterns(10, 500, 3, 10);
    let mut twice = rows.clone();
    twice.extend(rows.iter().step_by(3).cloned());
    let mut weighted = rows;
    for (number, row) in weighted.iter_mut().enumerate() {
        row.weight = Some(if number % 3 == 0 { 2.0 } else { 1.0 });
    }
    let (a, b) = (dataset(30, &twice), dataset(30, &weighted));
    let (a, b) = (settings().fit(&a).unwrap(), settings().fit(&b).unwrap());
    assert_eq!(a.counts, b.counts);
    assert_eq!(a.rows, b.rows);
    for index in 0..30 {
        close(a.weights[index], b.weights[index], 1e-10);
        close(a.errors[index], b.errors[index], 1e-7);
    }
}

#[test]
fn swapped_labels_negate_every_weight() {
    let rows = patterns(11, 500, 3, 10);
    let mut swapped = rows.clone();
    swapped.iter_mut().for_each(|row| row.outcome = 1.0 - row.outcome);
    let a = settings().fit(&dataset(30, &rows)).unwrap();
    let b = settings().fit(&dataset(30, &swapped)).unwrap();
    close(a.intercepts[0].value, -b.intercepts[0].value, 1e-10);
    for index in 0..30 {
        close(a.weights[index], -b.weights[index], 1e-10);
    }
}

#[test]
fn a_value_of_two_is_the_index_twice() {
    let rows = patterns(12, 400, 3, 10);
    let doubled = |repeat: bool| -> Vec<Row> {
        let mut rows = rows.clone();
        // Rows with and without a repetition share a block.
        for row in rows.iter_mut().step_by(2) {
            let first = row.entries[0];
            if repeat {
                row.entries.insert(1, first);
            } else {
                row.entries[0].1 *= 2.0;
            }
        }
        rows
    };
    let mut fractions = doubled(false);
    // One odd value makes the block store values.
    fractions[7].entries[1].1 *= 1.0 + 1e-15;
    let fits = [doubled(true), doubled(false), fractions]
        .map(|rows| settings().fit(&dataset(30, &rows)).unwrap());
    for index in 0..30 {
        assert_eq!(fits[0].weights[index], fits[1].weights[index]);
        close(fits[0].weights[index], fits[2].weights[index], 1e-9);
        close(fits[0].errors[index], fits[2].errors[index], 1e-7);
        assert_eq!(fits[0].counts[index], fits[2].counts[index]);
    }
}

/// Examples that pretend to come from a file.
struct Streamed<'a>(&'a SparseDataset);

impl SparseExamples for Streamed<'_> {
    fn weights(&self) -> usize {
        self.0.weights()
    }

    fn blocks(&self) -> SparseBlocks<'_> {
        self.0.blocks()
    }
}

#[test]
fn threads_and_streaming_change_no_bit() {
    let mut rows = patterns(13, 40_000, 6, 300);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    for (number, row) in rows.iter_mut().enumerate() {
        row.weight = Some(rng.random_range(0.1..2.0));
        if number > 30_000 {
            row.entries[0].1 *= 0.3;
        }
    }
    let data = dataset(1800, &rows);
    let fit = |threads, examples: &dyn SparseExamples| {
        let (threads, tolerance) = (Threads::new(threads), 1e-6);
        let intercepts = Intercepts::PerPhase { smoothing: 0.5 };
        let settings = SparseLogistic { threads, tolerance, intercepts, ..settings() };
        settings.fit(examples).unwrap()
    };
    let one = fit(1, &data);
    assert_eq!(one.error_kind, SparseErrors::Conditional);
    assert_eq!(one.stop, StopReason::Converged);
    for threads in [2, 3, 7] {
        assert_eq!(fit(threads, &data), one, "{threads} threads");
    }
    assert_eq!(fit(2, &Streamed(&data)), one);
}

#[test]
fn the_warm_up_does_not_change_the_answer() {
    let rows = patterns(14, 40_000, 4, 25);
    // Too few rows for a warm-up, each of them counting many times.
    let mut counted: std::collections::BTreeMap<String, Row> = Default::default();
    for row in &rows {
        let key = format!("{:?} {}", row.entries, row.outcome);
        let entry =
            counted.entry(key).or_insert(Row { weight: Some(0.0), phase: 0, ..row.clone() });
        *entry.weight.as_mut().unwrap() += 1.0;
    }
    let counted: Vec<Row> = counted.into_values().collect();
    let data = dataset(100, &rows);
    let mut gradients = Vec::new();
    let fit =
        settings().fit_watched(&data, &mut |progress| gradients.push(progress.gradient)).unwrap();
    assert!(gradients[0].is_none() && gradients.last().unwrap().is_some());
    let plain = settings().fit(&dataset(100, &counted)).unwrap();
    assert_eq!(fit.counts, plain.counts);
    for index in 0..100 {
        close(fit.weights[index], plain.weights[index], 1e-8);
    }
}

/// Whatever the rows are like: signs, values and weights, ties, links, phases.
#[test]
fn stochastic_steps_alone_are_near_the_optimum() {
    let mut rows = patterns(15, 60_000, 8, 60);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(15);
    for row in &mut rows {
        row.weight = Some(rng.random_range(0.5..1.5));
        row.entries[0].1 *= 0.3;
    }
    let signs = patterns(16, 60_000, 8, 60);
    let mut ties = Ties::new(480);
    ties.tie(7, 67, Sign::Opposite);
    let prior = WeightPrior::ridge(2.0).link(Link::run(60..120, 0, 5.0));
    let plain = settings();
    let linked = SparseLogistic { prior, ties: Some(ties), ..settings() };
    let per_phase = Intercepts::PerPhase { smoothing: 1.0 };
    let hundred =
        SparseLogistic { trials: Trials::Each(100.0), intercepts: per_phase, ..settings() };
    let mut lefts = Vec::new();
    for (rows, settings) in
        [(&signs, &plain), (&rows, &plain), (&signs, &linked), (&rows, &hundred)]
    {
        let data = dataset(480, rows);
        let steps_only = SparseLogistic { max_steps: 0, ..settings.clone() };
        let rough = steps_only.fit(&data).unwrap();
        let none = SparseLogistic { warm_up: 0, ..steps_only }.fit(&data).unwrap();
        let best = settings.fit(&data).unwrap();
        assert_eq!((rough.steps, rough.stop), (0, StopReason::StepLimit));
        let value = |fit: &SparseFit| fit.penalty - fit.log_likelihood;
        let left = (value(&rough) - value(&best)) / (value(&none) - value(&best));
        lefts.push(left);
    }
    // Values far below the largest of their weight are learned more slowly.
    let most = [0.01, 0.05, 0.01, 0.05];
    assert!(lefts.iter().zip(most).all(|(left, most)| (0.0..most).contains(left)), "{lefts:?}");
}

#[test]
fn a_fit_that_begins_at_its_end_has_nothing_to_do() {
    let data = dataset(180, &patterns(17, 20_000, 6, 30));
    let settings = SparseLogistic { tolerance: 1e-6, ..settings() };
    let fit = settings.fit(&data).unwrap();
    let again = SparseLogistic { warm_up: 0, ..settings.clone() };
    let again = again.fit_from(Some(&fit), &data, &mut |_| ()).unwrap();
    assert_eq!((again.steps, again.stop, &again.weights), (0, StopReason::Converged, &fit.weights));
    // A look at the labels, the value, the diagonal: that is enough for the errors.
    assert_eq!((again.passes, &again.counts, &again.errors), (3.0, &fit.counts, &fit.errors));
    let other = dataset(190, &patterns(17, 20_000, 6, 30));
    let refused = settings.fit_from(Some(&fit), &other, &mut |_| ()).unwrap_err().to_string();
    assert!(refused.contains("a start of 180 weights, and there are 190"), "{refused}");
}

/// The rows of a phase count as often as said, as if each said so itself.
#[test]
fn a_view_of_phases_is_the_rows_with_their_weights() {
    let mut rows = patterns(18, 5_000, 6, 30);
    for (number, row) in rows.iter_mut().enumerate() {
        row.phase = (number % 5) as i32;
    }
    let data = dataset(180, &rows);
    let share = |phase: i32| [0.0, 0.25, 1.0, 0.5, 0.0][phase as usize];
    let view = SparsePhases::new(&data, share);
    assert_eq!(view.rows(), 3000);
    let weighted: Vec<Row> = rows
        .iter()
        .filter(|row| share(row.phase) > 0.0)
        .map(|row| Row { weight: Some(share(row.phase)), ..row.clone() })
        .collect();
    let fit = settings().fit(&view).unwrap();
    assert_eq!(fit, settings().fit(&dataset(180, &weighted)).unwrap());
    assert_eq!(fit.rows, 1750.0);
}

#[test]
fn separated_rows_are_told_and_a_ridge_mends_them() {
    let rows: Vec<Row> = (0..40u32)
        .map(|number| Row::new(&[(number % 4, 1.0)], f64::from(u8::from(number % 4 < 2))))
        .collect();
    let data = dataset(4, &rows);
    let no_prior = SparseLogistic { prior: WeightPrior::ridge(0.0), ..settings() };
    assert_eq!(no_prior.fit(&data).unwrap().stop, StopReason::Separated);
    let fit = settings().fit(&data).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    assert!(fit.weights[0] > 1.0 && fit.weights[2] < -1.0);
    let paper = SparseLogistic { trials: Trials::default(), ..no_prior.clone() };
    let mut apart = rows.clone();
    // The constant and four exclusive columns are collinear: leave one out.
    apart.iter_mut().for_each(|row| row.entries.retain(|entry| entry.0 > 0));
    assert_eq!(paper.fit(&dataset(4, &apart)).unwrap().stop, StopReason::Converged);
    // One weight that only won rows have, the rest is mixed.
    let mut rows = patterns(15, 300, 2, 5);
    rows.iter_mut().for_each(|row| row.entries.retain(|entry| entry.0 > 0 && entry.0 != 5));
    let won = rows.iter().position(|row| row.outcome == 1.0).unwrap();
    rows[won].entries.push((10, 1.0));
    let fit = no_prior.fit(&dataset(11, &rows)).unwrap();
    assert_eq!(fit.stop, StopReason::Separated);
    assert!(fit.weights[10] > 5.0);
}

#[test]
fn a_missing_class_is_an_error_where_a_constant_would_run_away() {
    let rows: Vec<Row> = (0..10).map(|number| Row::new(&[(number % 3, 1.0)], 1.0)).collect();
    let data = dataset(3, &rows);
    let error = settings().fit(&data).unwrap_err().to_string();
    assert_eq!(error, "there are no lost rows among 10: both classes are needed");
    let none = SparseLogistic { intercepts: Intercepts::None, ..settings() };
    let fit = none.fit(&data).unwrap();
    assert!(fit.stop == StopReason::Converged && fit.weights.iter().all(|&weight| weight > 0.1));
    assert!(fit.intercepts.is_empty());

    let mut rows = patterns(16, 300, 2, 5);
    rows.iter_mut().filter(|row| row.phase == 5).for_each(|row| row.outcome = 0.0);
    let data = dataset(10, &rows);
    let phases =
        |smoothing| SparseLogistic { intercepts: Intercepts::PerPhase { smoothing }, ..settings() };
    let error = phases(0.0).fit(&data).unwrap_err().to_string();
    assert!(error.starts_with("phase 5 has no won rows"), "{error}");
    assert_eq!(phases(1.0).fit(&data).unwrap().stop, StopReason::Converged);
}

#[test]
fn values_of_any_size_fit() {
    let base = patterns(17, 400, 3, 8);
    let expected = settings().fit(&dataset(24, &base)).unwrap();
    let scales = [1e-7, 1.0, 3e8];
    let mut scaled = base;
    for (index, value) in scaled.iter_mut().flat_map(|row| &mut row.entries) {
        *value *= scales[*index as usize / 8];
    }
    let mut prior = WeightPrior::ridge(1.0);
    for (pattern, scale) in (0u32..).zip(scales) {
        prior = prior.block(8 * pattern..8 * pattern + 8, scale * scale);
    }
    let fit = SparseLogistic { prior, ..settings() }.fit(&dataset(24, &scaled)).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    for index in 0..24 {
        close(fit.weights[index] * scales[index / 8], expected.weights[index], 1e-8);
    }
}

#[test]
fn an_unfinished_fit_admits_it() {
    let data = dataset(200, &patterns(18, 2000, 4, 50));
    let fit = SparseLogistic { max_steps: 1, ..settings() }.fit(&data).unwrap();
    assert_eq!((fit.stop, fit.steps), (StopReason::StepLimit, 1));
    assert!(fit.gradient > 1e-10);
    let full = settings().fit(&data).unwrap();
    assert!(full.gradient <= 1e-10 && full.steps > 1);
    let objective = |fit: &SparseFit| fit.penalty - fit.log_likelihood;
    assert!(objective(&full) < objective(&fit));
}

#[test]
fn folds_by_group_give_honest_metrics() {
    let mut rows = patterns(19, 6000, 4, 40);
    for (number, row) in (0..).zip(&mut rows) {
        row.group = Some(number / 6);
    }
    let data = dataset(160, &rows);
    let training = SparseFold::new(&data, 0, 5, Side::Training);
    let held_out = SparseFold::new(&data, 0, 5, Side::HeldOut);
    let fit = settings().fit(&training).unwrap();
    let [inside, outside] =
        [&training, &held_out].map(|side| metrics(&fit.predict_all(side).unwrap()).unwrap());
    assert_eq!(inside.rows + outside.rows, 6000.0);
    assert_eq!(inside.rows, fit.rows);
    assert!(inside.log_loss.value < outside.log_loss.value && outside.log_loss.value < 0.69);
}

#[test]
fn bad_rows_and_settings_are_refused_with_one_sentence() {
    let push = |row: &Row| {
        let mut builder = SparseDataset::builder(5);
        builder.push(&Row::new(&[(0, 1.0)], 1.0).example()).unwrap();
        builder.push(&row.example()).map_err(|error| error.to_string())
    };
    let good = Row::new(&[(1, 1.0)], 0.0);
    let cases = [
        (Row::new(&[(5, 1.0)], 0.0), "index 5 is out of range: the last weight has index 4"),
        (Row::new(&[(1, f64::NAN)], 0.0), "feature '1' is NaN, which is not a finite number"),
        (Row::new(&[(1, 1.0)], 1.5), "outcome 1.5 is not between 0 (lost) and 1 (won)"),
        (
            Row { weight: Some(-1.0), ..good.clone() },
            "weight -1 is not a finite number of at least 0",
        ),
        (
            Row { offset: Some(1.0), ..good.clone() },
            "'offset' is given for some rows and missing for others",
        ),
        (Row { offset: Some(f64::INFINITY), ..good.clone() }, "offset inf is not a finite number"),
        (Row { trials: Some(0.0), ..good.clone() }, "0 is not a positive number of trials"),
    ];
    for (row, sentence) in cases {
        assert_eq!(push(&row).unwrap_err(), sentence);
    }
    push(&good).unwrap();

    let data = dataset(30, &patterns(20, 300, 3, 10));
    let refused = |settings: SparseLogistic| settings.fit(&data).unwrap_err().to_string();
    let with = |prior| SparseLogistic { prior, ..settings() };
    assert_eq!(
        refused(with(WeightPrior::ridge(-1.0))),
        "ridge -1 is not a finite number of at least 0"
    );
    assert_eq!(
        refused(with(WeightPrior::default().link(Link::run(0..11, 20, 1.0)))),
        "the prior speaks of weight 30, and there are 30"
    );
    let ties = Some(Ties::new(31));
    assert_eq!(
        refused(SparseLogistic { ties, ..settings() }),
        "the ties are of 31 weights, and there are 30"
    );
    assert_eq!(
        refused(SparseLogistic { tolerance: 0.0, ..settings() }),
        "tolerance 0 is not above 0"
    );
    let empty = SparseDataset::builder(3).finish();
    assert_eq!(settings().fit(&empty).unwrap_err().to_string(), "there are no rows to fit");
    let mut unlabelled = SparseDataset::builder(3);
    unlabelled.push(&SparseExample { outcome: None, ..SparseExample::new(&[], 0.0) }).unwrap();
    assert_eq!(
        settings().fit(&unlabelled.finish()).unwrap_err().to_string(),
        "the data have no column of outcomes"
    );
}
