//! Times of the three models on 2.5 million rows × 13 features.
//!
//! `cargo bench -p discern-stats` prints the best of several runs and checks
//! that one and two threads give the same bits. `scripts/bench-rivals.py` runs
//! this and then its rivals on the same data and prints the ratios; for that,
//! `--write DIR` saves the data and `--json` prints the times as JSON.

use std::io::Write;
use std::time::Instant;

use discern_stats::{
    Block, ColumnsView, Fisher, Logistic, LogisticFit, PhaseMoments, PhaseRange, Quadratic,
    Threads, Trials,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const FEATURES: usize = 13;

/// Correlated features, a third of them small integers, and 0/1 outcomes.
struct Data {
    columns: Vec<Vec<f32>>,
    outcome: Vec<f32>,
}

impl Data {
    fn new(rows: usize) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1995);
        let mut columns: Vec<Vec<f32>> = (0..FEATURES).map(|_| Vec::with_capacity(rows)).collect();
        let mut outcome = Vec::with_capacity(rows);
        for _ in 0..rows {
            let common: f64 = (0..4).map(|_| rng.random_range(-1.0..1.0)).sum();
            let mut log_odds = 0.1;
            for (j, column) in columns.iter_mut().enumerate() {
                let own: f64 = (0..4).map(|_| rng.random_range(-1.0..1.0)).sum();
                let value = 0.5 * common + own;
                let value = if j % 3 == 0 { (4.0 * value).round() } else { 0.25 * value };
                // What is stored is what counts, so that every program sees it.
                let value = value as f32;
                let weight = [0.1, 0.9, -0.4, 0.05][j % 4];
                log_odds += weight * f64::from(value);
                column.push(value);
            }
            let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-log_odds).exp());
            outcome.push(if won { 1.0 } else { 0.0 });
        }
        Self { columns, outcome }
    }

    fn view(&self) -> ColumnsView<'_> {
        let block = Block {
            features: self.columns.iter().map(|column| column.as_slice().into()).collect(),
            outcome: Some(self.outcome.as_slice().into()),
            ..Block::default()
        };
        ColumnsView::new((1..=FEATURES).map(|j| format!("x{j}")), block).expect("finite data")
    }
}

/// The best of `runs` times in seconds, and the last result.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut least = f64::INFINITY;
    let mut result = None;
    for _ in 0..runs {
        let start = Instant::now();
        result = Some(work());
        least = least.min(start.elapsed().as_secs_f64());
    }
    (least, result.expect("at least one run"))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].clone())
    };
    let rows: usize = option("--rows").map_or(2_500_000, |rows| rows.parse().expect("--rows N"));
    let runs: usize = option("--runs").map_or(5, |runs| runs.parse().expect("--runs N"));
    let json = arguments.iter().any(|argument| argument == "--json");

    let data = Data::new(rows);
    if let Some(directory) = option("--write") {
        write_numpy_input(&data, &directory).expect("writing the data");
    }
    let view = data.view();
    let logistic = |trials, threads| Logistic {
        trials,
        threads: Threads::new(threads),
        robust: false,
        ..Logistic::default()
    };
    // Plain 0/1 labels, as the rivals fit them.
    let log = |threads| logistic(Trials::One, threads).fit(&view).expect("a fit");
    let discriminants = |threads| {
        let moments = PhaseMoments::collect(&view, Threads::new(threads)).expect("moments");
        let pooled = moments.pooled(PhaseRange::ALL).expect("rows");
        let fisher = Fisher::default().fit(&pooled).expect("a fit");
        let quad = Quadratic::default().fit(&pooled).expect("a fit");
        (moments, fisher, quad)
    };
    let all = |threads| {
        let (moments, fisher, quad) = discriminants(threads);
        let settings = logistic(Trials::default(), threads);
        (settings.fit_with(&view, &moments).expect("a fit"), fisher, quad)
    };

    let (log_seconds, fit) = best(runs, || log(1));
    let (discriminant_seconds, _) = best(runs, || discriminants(1));
    let (all_seconds, three) = best(runs, || all(1));
    let (two_seconds, both) = best(runs, || all(2));
    let bits = |fit: &LogisticFit| -> Vec<u64> {
        fit.coefficients.iter().chain(&fit.covariance.diagonal()).map(|v| v.to_bits()).collect()
    };
    assert_eq!(bits(&three.0), bits(&both.0), "the number of threads changed the result");

    let megabytes = |bytes: f64| bytes / 1e6;
    let data_bytes = (rows * (FEATURES + 1) * size_of::<f32>()) as f64;
    let peak = peak_memory();
    if json {
        let coefficients: Vec<String> = fit.coefficients.iter().map(f64::to_string).collect();
        println!(
            "{{\"rows\":{rows},\"log\":{log_seconds},\"log_steps\":{},\
             \"discriminants\":{discriminant_seconds},\"all\":{all_seconds},\
             \"all_two_threads\":{two_seconds},\"data_bytes\":{data_bytes},\
             \"peak_bytes\":{},\"coefficients\":[{}]}}",
            fit.steps,
            peak.unwrap_or(f64::NAN),
            coefficients.join(",")
        );
        return;
    }
    println!("{rows} rows × {FEATURES} features, best of {runs} runs");
    println!("LOG, one thread                {:8.1} ms, {} steps", 1e3 * log_seconds, fit.steps);
    println!("FISHER and QUAD, one thread    {:8.1} ms", 1e3 * discriminant_seconds);
    println!("all three (n = 100), one       {:8.1} ms", 1e3 * all_seconds);
    println!("all three (n = 100), two       {:8.1} ms", 1e3 * two_seconds);
    println!("two threads are                {:8.2} times as fast", all_seconds / two_seconds);
    if let Some(peak) = peak {
        println!(
            "peak memory {:.1} MB for {:.1} MB of data: {:.3} times",
            megabytes(peak),
            megabytes(data_bytes),
            peak / data_bytes
        );
    }
}

/// The largest resident set so far, where the system tells it.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

/// Raw little-endian columns, feature after feature and then the outcome.
fn write_numpy_input(data: &Data, directory: &str) -> std::io::Result<()> {
    let path = std::path::Path::new(directory).join("columns.f32");
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for column in data.columns.iter().chain([&data.outcome]) {
        for value in column {
            file.write_all(&value.to_le_bytes())?;
        }
    }
    file.flush()
}
