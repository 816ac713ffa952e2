//! Properties every textbook promises of these models.

use crate::common::{golden_rows, near};
use discern_stats::{
    Blocks, Dataset, ErrorKind, Estimator, Example, Examples, Fisher, Fit, Linear, Logistic,
    LogisticFit, Moments, PhaseMoments, Pooling, Predict, Quadratic, StopReason, Threads, Trials,
    WithMoments,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Debug)]
struct Row {
    x: Vec<f64>,
    outcome: f64,
    weight: f64,
    group: u32,
    phase: i32,
}

/// Rows from a logistic model with correlated features, some draws among them.
fn simulate(rows: usize, seed: u64) -> Vec<Row> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..rows)
        .map(|row| {
            let a = rng.random_range(-2.0..2.0);
            let b = 0.5 * a + rng.random_range(-1.0..1.0);
            let c = f64::from(rng.random_range(0..2));
            let log_odds: f64 = 0.3 + 0.8 * a - 1.1 * b + 0.4 * c;
            let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-log_odds).exp());
            let drawn = rng.random_range(0.0..1.0) < 0.05;
            let outcome = if drawn { 0.5 } else { f64::from(u8::from(won)) };
            let phase = (row % 7) as i32 + 10;
            Row { x: vec![a, b, c], outcome, weight: 1.0, group: row as u32 / 5, phase }
        })
        .collect()
}

fn dataset(rows: &[Row]) -> Dataset {
    let mut builder = Dataset::builder((1..=rows[0].x.len()).map(|j| format!("x{j}")));
    for row in rows {
        let example = Example {
            weight: Some(row.weight),
            group: Some(row.group),
            phase: row.phase,
            score: Some(row.x[0] * 2.0 + row.outcome * 10.0),
            ..Example::new(&row.x, row.outcome)
        };
        builder.push(&example).unwrap();
    }
    builder.finish()
}

fn log(rows: &[Row]) -> LogisticFit {
    let fit = Logistic::default().fit(&dataset(rows)).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    fit
}

fn moments(rows: &[Row]) -> Moments {
    Moments::collect(&dataset(rows), Threads::ONE).unwrap()
}

fn points() -> Vec<[f64; 3]> {
    vec![[0.0, 0.0, 0.0], [1.5, -1.0, 1.0], [-2.0, 0.5, 0.0], [0.25, 2.0, 1.0]]
}

fn same(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        near(*a, *b, tolerance);
    }
}

/// Variances of the coefficients.
fn variances(fit: &dyn Fit, kind: ErrorKind) -> Vec<f64> {
    fit.uncertainty().covariance(kind).unwrap().variances()
}

const KINDS: [ErrorKind; 3] = [ErrorKind::Information, ErrorKind::Robust, ErrorKind::Clustered];

#[test]
fn weight_two_is_the_row_twice() {
    let mut weighted = simulate(300, 1);
    let mut doubled = weighted.clone();
    for index in (0..300).step_by(3) {
        weighted[index].weight = 2.0;
        doubled.push(weighted[index].clone());
        doubled.last_mut().unwrap().weight = 1.0;
    }
    let (a, b) = (log(&weighted), log(&doubled));
    same(&a.coefficients, &b.coefficients, 1e-9);
    for kind in KINDS {
        same(&variances(&a, kind), &variances(&b, kind), 1e-9);
    }
    near(a.log_likelihood, b.log_likelihood, 1e-12);
    near(a.bic(), b.bic(), 1e-12);
    fn check(model: &impl Estimator, weighted: &Dataset, doubled: &Dataset, tolerance: f64) {
        let (a, b) = (model.fit(weighted).unwrap(), model.fit(doubled).unwrap());
        same(&a.coefficients(), &b.coefficients(), tolerance);
        for kind in KINDS {
            same(&variances(&a, kind), &variances(&b, kind), tolerance);
        }
    }
    let (weighted, doubled) = (dataset(&weighted), dataset(&doubled));
    check(&Fisher::default(), &weighted, &doubled, 1e-10);
    check(&Quadratic::default(), &weighted, &doubled, 1e-9);
    check(&Linear::default(), &weighted, &doubled, 1e-10);
}

#[test]
fn swapped_labels_negate_every_value() {
    let rows = simulate(400, 2);
    let mut swapped = rows.clone();
    for row in &mut swapped {
        row.outcome = 1.0 - row.outcome;
    }
    let pairs: [(Box<dyn Predict>, Box<dyn Predict>); 3] = [
        (Box::new(log(&rows)), Box::new(log(&swapped))),
        (
            Box::new(Fisher::default().fit(&dataset(&rows)).unwrap()),
            Box::new(Fisher::default().fit(&dataset(&swapped)).unwrap()),
        ),
        (
            Box::new(Quadratic::default().fit(&dataset(&rows)).unwrap()),
            Box::new(Quadratic::default().fit(&dataset(&swapped)).unwrap()),
        ),
    ];
    for (a, b) in pairs {
        for x in points() {
            near(a.log_odds(&x), -b.log_odds(&x), 1e-9);
        }
    }
}

#[test]
fn draws_as_half_are_draws_once_won_and_once_lost_with_the_rest_doubled() {
    let rows = simulate(400, 3);
    assert!(rows.iter().any(|row| row.outcome == 0.5));
    let mut doubled = Vec::new();
    for row in &rows {
        let outcomes = if row.outcome == 0.5 { [1.0, 0.0] } else { [row.outcome; 2] };
        doubled.extend(outcomes.map(|outcome| Row { outcome, ..row.clone() }));
    }
    for trials in [Trials::One, Trials::Each(100.0)] {
        let settings = Logistic { trials, ..Logistic::default() };
        let a = settings.fit(&dataset(&rows)).unwrap();
        let b = settings.fit(&dataset(&doubled)).unwrap();
        same(&a.coefficients, &b.coefficients, 1e-9);
        near(2.0 * a.log_likelihood, b.log_likelihood, 1e-12);
    }
    let (a, b) = (moments(&rows), moments(&doubled));
    let fisher = |m: &Moments| Fisher::default().fit_moments(m).unwrap().coefficients;
    same(&fisher(&a), &fisher(&b), 1e-10);
    let quad = |m: &Moments| Quadratic::default().fit_moments(m).unwrap();
    for x in points() {
        near(quad(&a).log_odds(&x), quad(&b).log_odds(&x), 1e-10);
    }
}

#[test]
fn quad_with_equal_covariances_is_fisher() {
    // The lost rows are the won rows moved by a constant.
    let mut rows = simulate(200, 4);
    for index in 0..200 {
        let mut moved = rows[index].clone();
        rows[index].outcome = 1.0;
        moved.outcome = 0.0;
        moved.x[0] -= 0.5;
        moved.x[1] += 0.75;
        rows.push(moved);
    }
    let moments = moments(&rows);
    let fisher = Fisher::default().fit_moments(&moments).unwrap();
    let quad = Quadratic::default().fit_moments(&moments).unwrap();
    assert!(quad.quadratic.frobenius() < 1e-12);
    for x in points() {
        near(quad.log_odds(&x), fisher.log_odds(&x), 1e-10);
    }
}

#[test]
fn quad_is_the_difference_of_two_log_densities() {
    let moments = moments(&simulate(300, 5));
    let quad = Quadratic::default().fit_moments(&moments).unwrap();
    for x in points() {
        let log_density = |class: &discern_stats::Scatter| {
            let factor = discern_stats::Cholesky::new(&class.covariance(), 1e-12).unwrap();
            let d: Vec<f64> = x.iter().zip(&class.mean).map(|(x, m)| x - m).collect();
            let white = factor.solve_lower(&d);
            -0.5 * (white.iter().map(|v| v * v).sum::<f64>() + factor.log_determinant())
        };
        near(quad.log_odds(&x), log_density(&moments.won) - log_density(&moments.lost), 1e-10);
        // The printed form xQx′ + Lx′ + c is the same function.
        let printed = quad.quadratic.quadratic_form(&x)
            + x.iter().zip(&quad.linear).map(|(x, l)| x * l).sum::<f64>()
            + quad.constant;
        near(quad.log_odds(&x), printed, 1e-10);
    }
}

#[test]
fn no_direction_separates_the_classes_better_than_fishers() {
    let moments = moments(&simulate(500, 6));
    let fit = Fisher::default().fit_moments(&moments).unwrap();
    let sigma = moments.pooled_covariance();
    let ratio = |w: &[f64]| {
        let gap: f64 = (0..3).map(|j| w[j] * (moments.won.mean[j] - moments.lost.mean[j])).sum();
        gap * gap / sigma.quadratic_form(w)
    };
    let best = ratio(&fit.coefficients[1..]);
    near(best, fit.distance, 1e-12);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(60);
    for _ in 0..1000 {
        let other: Vec<f64> = (0..3).map(|_| rng.random_range(-1.0..1.0)).collect();
        assert!(ratio(&other) <= best * (1.0 + 1e-12));
    }
}

#[test]
fn affine_changes_of_features_change_nothing_that_matters() {
    let rows = simulate(500, 7);
    let (factor, offset) = ([1e-3, 50.0, -2.0], [1e6, -3e4, 7.0]);
    let change = |x: &[f64]| -> Vec<f64> { (0..3).map(|j| x[j] * factor[j] + offset[j]).collect() };
    let mut changed = rows.clone();
    for row in &mut changed {
        row.x = change(&row.x);
    }
    // Rounding x·10⁻³ + 10⁶ to a double alone moves x by 10⁻⁷.
    let tolerance = 1e-6;
    let (a, b) = (log(&rows), log(&changed));
    for kind in [ErrorKind::Corrected, ErrorKind::Robust, ErrorKind::Clustered] {
        let (a, b) = (a.estimates(kind, 0.95).unwrap(), b.estimates(kind, 0.95).unwrap());
        for j in 1..4 {
            near(a[j].statistic.abs(), b[j].statistic.abs(), tolerance);
        }
    }
    near(a.log_likelihood, b.log_likelihood, 1e-9);
    let ridge = Logistic { ridge: 100.0, ..Logistic::default() };
    let (c, d) = (ridge.fit(&dataset(&rows)).unwrap(), ridge.fit(&dataset(&changed)).unwrap());
    let fisher = |rows: &[Row]| Fisher::default().fit(&dataset(rows)).unwrap();
    let quad = |rows: &[Row]| Quadratic::default().fit(&dataset(rows)).unwrap();
    let (e, f) = (fisher(&rows), fisher(&changed));
    let (g, h) = (quad(&rows), quad(&changed));
    let pairs: [(&dyn Predict, &dyn Predict); 4] = [(&a, &b), (&c, &d), (&e, &f), (&g, &h)];
    for (before, after) in pairs {
        for x in points() {
            let expected = before.log_odds(&x);
            let found = after.log_odds(&change(&x));
            assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
        }
    }
}

#[test]
fn newton_converges_within_ten_steps_from_the_papers_start() {
    for seed in 0..20 {
        for trials in [Trials::One, Trials::Each(100.0)] {
            let settings = Logistic { trials, ..Logistic::default() };
            let fit = settings.fit(&dataset(&simulate(300, 100 + seed))).unwrap();
            assert_eq!(fit.stop, StopReason::Converged);
            assert!(fit.steps <= 10, "{} steps with {trials:?}", fit.steps);
        }
    }
}

#[test]
fn known_coefficients_are_found_within_their_errors() {
    let truth = [0.3, 0.8, -1.1, 0.4];
    let mut worst: f64 = 0.0;
    for seed in 0..20 {
        let mut rows = simulate(3000, 200 + seed);
        rows.retain(|row| row.outcome != 0.5);
        let settings = Logistic { trials: Trials::One, ..Logistic::default() };
        let fit = settings.fit(&dataset(&rows)).unwrap();
        let table = fit.estimates(ErrorKind::Corrected, 0.95).unwrap();
        for j in 0..4 {
            worst = worst.max(((table[j].value - truth[j]) / table[j].standard_error).abs());
        }
    }
    // Of 80 standard normal numbers the largest lies beyond 4 once in 200 times.
    assert!(worst > 1.0 && worst < 4.0, "largest deviation {worst}");
}

#[test]
fn invented_trials_do_not_shrink_the_corrected_errors() {
    let rows = simulate(500, 9);
    let errors = |n: f64| {
        let settings = Logistic { trials: Trials::Each(n), ..Logistic::default() };
        let fit = settings.fit(&dataset(&rows)).unwrap();
        [ErrorKind::Corrected, ErrorKind::Robust, ErrorKind::Information]
            .map(|kind| variances(&fit, kind))
    };
    let (hundred, thousand) = (errors(1000.0), errors(10_000.0));
    // Only the labels 1/n and 1 − 1/n still tell them apart.
    same(&hundred[0], &thousand[0], 0.02);
    same(&hundred[1], &thousand[1], 0.02);
    assert!(hundred[2][0] > 9.0 * thousand[2][0]);
}

#[test]
fn copies_of_a_row_in_one_game_add_no_information_to_clustered_errors() {
    let rows = simulate(200, 10);
    let alone: Vec<Row> =
        (0..).zip(&rows).map(|(group, row)| Row { group, ..row.clone() }).collect();
    let copied: Vec<Row> = alone.iter().flat_map(|row| vec![row.clone(); 6]).collect();
    let (a, b) = (log(&alone), log(&copied));
    let clustered = |fit| variances(fit, ErrorKind::Clustered);
    same(&clustered(&a), &clustered(&b), 1e-9);
    let naive = variances(&b, ErrorKind::Corrected)[1];
    assert!(clustered(&b)[1] > 4.0 * naive, "{} {naive}", clustered(&b)[1]);
}

/// The derivative of the estimates as the weight of a row grows.
fn influence(rows: &[Row], index: usize, estimates: impl Fn(&[Row]) -> Vec<f64>) -> Vec<f64> {
    let step = 1e-4;
    let at = |weight: f64| {
        let mut changed = rows.to_vec();
        changed[index].weight = weight;
        estimates(&changed)
    };
    let (up, down) = (at(1.0 + step), at(1.0 - step));
    up.iter().zip(down).map(|(up, down)| (up - down) / (2.0 * step)).collect()
}

#[test]
fn robust_covariances_are_sums_of_squared_influences() {
    let rows = simulate(40, 11);
    fn check(model: &impl Estimator, rows: &[Row], tolerance: f64) {
        let robust = variances(&model.fit(&dataset(rows)).unwrap(), ErrorKind::Robust);
        let estimates = |rows: &[Row]| model.fit(&dataset(rows)).unwrap().coefficients();
        let mut sums = vec![0.0; robust.len()];
        for index in 0..rows.len() {
            for (sum, moved) in sums.iter_mut().zip(influence(rows, index, estimates)) {
                *sum += moved * moved;
            }
        }
        same(&robust, &sums, tolerance);
    }
    check(&Logistic { tolerance: 1e-13, ..Logistic::default() }, &rows, 1e-5);
    check(&Fisher::default(), &rows, 1e-5);
    check(&Quadratic::default(), &rows, 1e-5);
}

#[test]
fn errors_of_the_discriminants_match_repeated_samples_of_normal_features() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut normal = move || -> f64 {
        // Twelve uniform numbers: near enough to normal for a 12 % tolerance.
        (0..12).map(|_| rng.random_range(-0.5..0.5)).sum()
    };
    let mut fisher = Vec::new();
    let mut quad = Vec::new();
    let mut predicted = None;
    for _ in 0..600 {
        let rows: Vec<Row> = (0..400)
            .map(|row| {
                let won = row % 2 == 0;
                let (a, b) = (normal(), normal());
                let (a, b) = if won { (a + 0.8, b + 0.3) } else { (1.4 * a, b - 0.5) };
                Row {
                    x: vec![a + 1.0, 0.6 * a + b],
                    outcome: f64::from(u8::from(won)),
                    weight: 1.0,
                    group: 0,
                    phase: 0,
                }
            })
            .collect();
        let data = dataset(&rows);
        let f = Fisher::default().fit(&data).unwrap();
        let q = Quadratic::default().fit(&data).unwrap();
        fisher.push(f.coefficients());
        quad.push(q.coefficients());
        predicted.get_or_insert_with(|| {
            let errors = |fit: &dyn Fit, kind| fit.standard_errors(kind).unwrap();
            let robust = errors(&q, ErrorKind::Robust);
            for (robust, normal) in robust.iter().zip(errors(&q, ErrorKind::Information)) {
                near(*robust, normal, 0.3);
            }
            (errors(&f, ErrorKind::Information), errors(&q, ErrorKind::Information))
        });
    }
    let spread = |samples: &[Vec<f64>], j: usize| {
        let n = samples.len() as f64;
        let mean = samples.iter().map(|s| s[j]).sum::<f64>() / n;
        (samples.iter().map(|s| (s[j] - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    let (for_fisher, for_quad) = predicted.unwrap();
    for (j, error) in for_quad.iter().enumerate() {
        near(*error, spread(&quad, j), 0.15);
    }
    // FISHER assumes equal covariances, which these classes have only roughly.
    for (j, error) in for_fisher.iter().enumerate() {
        near(*error, spread(&fisher, j), 0.25);
    }
}

#[test]
fn ridge_shrinks_and_its_gradient_vanishes() {
    let rows = simulate(300, 13);
    let data = dataset(&rows);
    let norm = |ridge: f64| {
        let fit = Logistic { ridge, ..Logistic::default() }.fit(&data).unwrap();
        assert_eq!(fit.stop, StopReason::Converged);
        fit.coefficients[1..].iter().map(|b| b * b).sum::<f64>()
    };
    let norms = [0.0, 10.0, 1000.0, 1e6].map(norm);
    assert!(norms.windows(2).all(|pair| pair[1] < pair[0]), "{norms:?}");

    let ridge = 1000.0;
    let fit = Logistic { ridge, ..Logistic::default() }.fit(&data).unwrap();
    let variance = moments(&rows).all().covariance().diagonal();
    for (j, variance) in variance.into_iter().enumerate() {
        let gradient: f64 = rows
            .iter()
            .map(|row| {
                let y = (100.0 * row.outcome).clamp(1.0, 99.0);
                (y - 100.0 * fit.probability(&row.x)) * row.x[j]
            })
            .sum();
        near(gradient, ridge * variance * fit.coefficients[j + 1], 1e-7);
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let data = dataset(&simulate(60_000, 14));
    let bits = |threads: usize| {
        let threads = Threads::new(threads);
        let log = Logistic { threads, ..Logistic::default() }.fit(&data).unwrap();
        let fisher = Fisher { threads, ..Fisher::default() }.fit(&data).unwrap();
        let quad = Quadratic { threads, ..Quadratic::default() }.fit(&data).unwrap();
        let linear = Linear { threads, ..Linear::default() }.fit(&data).unwrap();
        let mut values = vec![log.log_likelihood, log.deviance];
        for fit in [&log as &dyn Fit, &fisher, &quad, &linear] {
            values.extend(fit.coefficients());
            KINDS.iter().for_each(|&kind| values.extend(variances(fit, kind)));
        }
        values.into_iter().map(f64::to_bits).collect::<Vec<u64>>()
    };
    let one = bits(1);
    assert_eq!(bits(2), one);
    assert_eq!(bits(5), one);
}

#[test]
fn phases_in_lockstep_equal_fits_of_each_window() {
    let rows = simulate(3000, 15);
    let data = dataset(&rows);
    let moments = PhaseMoments::collect(&data, Threads::ONE).unwrap();
    let pooling = Pooling(2);
    let known = WithMoments::new(&data, &moments);
    let fits = Logistic::default().fit_phases(&known, pooling).unwrap();
    let fishers = Fisher::default().fit_phases(&known, pooling).unwrap();
    assert_eq!(
        fits.iter().map(|(phase, _)| *phase).collect::<Vec<_>>(),
        (10..17).collect::<Vec<_>>()
    );
    for (phase, fit) in fits {
        let fit = fit.unwrap();
        let mut window = rows.clone();
        window.retain(|row| (row.phase - phase).abs() <= 2);
        let alone = log(&window);
        same(&fit.coefficients, &alone.coefficients, 1e-9);
        for kind in KINDS {
            same(&variances(&fit, kind), &variances(&alone, kind), 1e-9);
        }
        assert_eq!(fit.rows, window.len() as f64);
        let (_, fisher) = fishers.iter().find(|(of, _)| *of == phase).unwrap();
        let (fisher, data) = (fisher.as_ref().unwrap(), dataset(&window));
        let expected = Fisher::default().fit(&data).unwrap();
        same(&fisher.coefficients, &expected.coefficients, 1e-9);
        let clustered = |fit| variances(fit, ErrorKind::Clustered);
        same(&clustered(fisher), &clustered(&expected), 1e-9);
    }
}

#[test]
fn order_of_rows_and_size_of_blocks_do_not_matter_beyond_rounding() {
    let rows = simulate(10_000, 16);
    let mut reversed = rows.clone();
    reversed.reverse();
    let (a, b) = (log(&rows), log(&reversed));
    same(&a.coefficients, &b.coefficients, 1e-11);
    same(&variances(&a, ErrorKind::Information), &variances(&b, ErrorKind::Information), 1e-11);
    let (a, b) = (moments(&rows), moments(&reversed));
    same(&a.won.mean, &b.won.mean, 1e-11);
    same(&a.won.scatter.diagonal(), &b.won.scatter.diagonal(), 1e-11);
}

#[test]
fn the_golden_rows_need_no_more_than_ten_steps_at_any_number_of_trials() {
    let mut builder = Dataset::builder(["x1", "x2", "x3"]);
    for (x, outcome) in golden_rows() {
        builder.push(&Example::new(&x, outcome)).unwrap();
    }
    let data = builder.finish();
    for trials in [Trials::One, Trials::Each(10.0), Trials::Each(100.0), Trials::Each(1e6)] {
        let fit = Logistic { trials, ..Logistic::default() }.fit(&data).unwrap();
        assert_eq!(fit.stop, StopReason::Converged);
        assert!(fit.steps <= 10, "{} steps with {trials:?}", fit.steps);
    }
}

/// The same examples as if they were read from a file: no sample is taken.
struct Unsampled<'a>(&'a Dataset);

impl Examples for Unsampled<'_> {
    fn features(&self) -> &[String] {
        self.0.features()
    }

    fn blocks(&self) -> Blocks<'_> {
        self.0.blocks()
    }
}

#[test]
fn a_large_fit_that_begins_with_a_sample_ends_at_the_same_estimates() {
    let mut rows = simulate(260_000, 17);
    let settings = Logistic { threads: Threads::new(2), ..Logistic::default() };
    let check = |rows: &[Row], sampled: bool| {
        let data = dataset(rows);
        let fit = settings.fit(&data).unwrap();
        let plain = settings.fit(&Unsampled(&data)).unwrap();
        assert_eq!(fit.sample_steps > 0, sampled);
        assert_eq!(plain.sample_steps, 0);
        if sampled {
            assert!(fit.steps < plain.steps, "{} and {} steps", fit.steps, plain.steps);
        }
        same(&fit.coefficients, &plain.coefficients, 1e-9);
        // Asked for, Newton is taken as printed from data in memory, too.
        let printed = Logistic { sampling: false, ..settings.clone() }.fit(&data).unwrap();
        assert_eq!((printed.sample_steps, printed.steps), (0, plain.steps));
        assert_eq!(printed.coefficients, plain.coefficients);
        for kind in KINDS {
            same(&variances(&fit, kind), &variances(&plain, kind), 1e-9);
        }
        near(fit.deviance, plain.deviance, 1e-12);
        near(fit.null_deviance, plain.null_deviance, 1e-12);
        assert_eq!(fit.rows, plain.rows);
    };
    check(&rows, true);
    // A feature that is constant in every sampled block: the sample is forgotten.
    for row in &mut rows {
        row.x[2] = 0.0;
        row.phase = 0;
    }
    for (index, row) in rows[5000..9000].iter_mut().enumerate() {
        row.x[2] = (index % 2) as f64;
    }
    check(&rows, false);
}
