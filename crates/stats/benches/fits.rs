//! Times of the three models on 2.5 million rows × 13 features.
//!
//! `cargo bench -p discern-stats` prints the best of several runs and checks
//! that one and two threads give the same bits. `scripts/bench-rivals.py` runs
//! this and then its rivals on the same data and prints the ratios; for that,
//! `--write DIR` saves the data and `--json` prints the times as JSON.
//! `--phases` times one fit of each model for each of 61 phases instead, and
//! `--layouts` LOG on arrays as Python has them.

use std::io::Write;
use std::time::Instant;

use discern_stats::{
    Block, Column, ColumnsView, Dataset, ErrorKind, Estimator, Example, Fisher, FisherFit, Fit,
    Logistic, LogisticFit, PhaseMoments, Pooling, Quadratic, QuadraticFit, Threads, Trials,
    WithMoments,
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

/// Seconds of work: by the clock, and of this thread on a processor, which
/// other programs on the machine disturb less.
#[derive(Clone, Copy)]
struct Seconds {
    wall: f64,
    cpu: f64,
}

/// One run's time, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (Seconds, T) {
    let (start, cpu) = (Instant::now(), on_processor());
    let result = work();
    (Seconds { wall: start.elapsed().as_secs_f64(), cpu: on_processor() - cpu }, result)
}

/// The best of `runs` times for each of the numbers of threads, and the last
/// results. The numbers take turns, so that other programs on the machine
/// disturb all of them alike and the ratio means something.
fn best<T, const N: usize>(
    runs: usize,
    threads: [usize; N],
    work: impl Fn(usize) -> T,
) -> [(Seconds, T); N] {
    let mut least = threads.map(|threads| timed(|| work(threads)));
    for _ in 1..runs {
        for (best, threads) in least.iter_mut().zip(threads) {
            let (seconds, result) = timed(|| work(threads));
            best.0.wall = best.0.wall.min(seconds.wall);
            best.0.cpu = best.0.cpu.min(seconds.cpu);
            best.1 = result;
        }
    }
    least
}

/// Seconds the main thread has spent on a processor; NaN where not told.
fn on_processor() -> f64 {
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .map_or(f64::NAN, |nanoseconds| nanoseconds * 1e-9)
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
    if arguments.iter().any(|argument| argument == "--phases") {
        return bench_phases(&data);
    }
    if arguments.iter().any(|argument| argument == "--layouts") {
        return bench_layouts(&data, runs);
    }
    let view = data.view();
    let logistic = |trials, threads| Logistic {
        trials,
        threads: Threads::new(threads),
        errors: ErrorKind::Corrected,
        ..Logistic::default()
    };
    // Plain 0/1 labels, as the rivals fit them.
    let log = |threads| logistic(Trials::One, threads).fit(&view).expect("a fit");
    let moments = |threads| PhaseMoments::collect(&view, Threads::new(threads)).expect("moments");
    let both = |data: &WithMoments| -> (FisherFit, QuadraticFit) {
        let errors = ErrorKind::Corrected;
        let fisher = Fisher { errors, ..Fisher::default() }.fit(data).expect("a fit");
        (fisher, Quadratic { errors, ..Quadratic::default() }.fit(data).expect("a fit"))
    };
    let discriminants = |threads| both(&WithMoments::new(&view, &moments(threads)));
    let all = |threads| {
        let moments = moments(threads);
        let data = WithMoments::new(&view, &moments);
        let discriminants = both(&data);
        (logistic(Trials::default(), threads).fit(&data).expect("a fit"), discriminants)
    };

    let [(log_seconds, fit)] = best(runs, [1], log);
    let [(discriminant_seconds, _)] = best(runs, [1], discriminants);
    let [(all_seconds, three), (two_seconds, both)] = best(runs, [1, 2], all);
    let bits = |fit: &LogisticFit| -> Vec<u64> {
        let errors = fit.standard_errors(ErrorKind::Information).expect("errors");
        fit.coefficients.iter().chain(&errors).map(|v| v.to_bits()).collect()
    };
    assert_eq!(bits(&three.0), bits(&both.0), "the number of threads changed the result");

    let data_bytes = (rows * (FEATURES + 1) * size_of::<f32>()) as f64;
    let peak = peak_memory().unwrap_or(f64::NAN);
    if json {
        let coefficients: Vec<String> = fit.coefficients.iter().map(f64::to_string).collect();
        let times =
            |name: &str, s: Seconds| format!("\"{name}\":{},\"{name}_cpu\":{}", s.wall, s.cpu);
        println!(
            "{{\"rows\":{rows},\"log_steps\":{},{},{},{},\"all_two_threads\":{},\
             \"data_bytes\":{data_bytes},\"peak_bytes\":{peak},\"coefficients\":[{}]}}",
            fit.steps,
            times("log", log_seconds),
            times("discriminants", discriminant_seconds),
            times("all", all_seconds),
            two_seconds.wall,
            coefficients.join(",")
        );
        return;
    }
    let show = |what: &str, s: Seconds| {
        println!(
            "{what:<32}{:8.1} ms by the clock, {:8.1} ms on a processor",
            1e3 * s.wall,
            1e3 * s.cpu
        );
    };
    println!("{rows} rows × {FEATURES} features, best of {runs} runs");
    show(&format!("LOG ({} steps), one thread", fit.steps), log_seconds);
    show("FISHER and QUAD, one thread", discriminant_seconds);
    show("all three (n = 100), one thread", all_seconds);
    println!("all three (n = 100), two threads{:8.1} ms by the clock", 1e3 * two_seconds.wall);
    println!("two threads are {:.2} times as fast", all_seconds.wall / two_seconds.wall);
    println!(
        "peak memory {:.1} MB for {:.1} MB of data: {:.3} times",
        peak / 1e6,
        data_bytes / 1e6,
        peak / data_bytes
    );
}

/// LOG on columns and on rows of both precisions, in turns.
fn bench_layouts(data: &Data, runs: usize) {
    let rows = data.outcome.len();
    let single: Vec<f32> =
        (0..rows).flat_map(|row| data.columns.iter().map(move |column| column[row])).collect();
    let double: Vec<f64> = single.iter().map(|&value| f64::from(value)).collect();
    let columns: Vec<Vec<f64>> = data
        .columns
        .iter()
        .map(|column| column.iter().map(|&value| f64::from(value)).collect())
        .collect();
    let layouts: [(&str, Vec<Column>); 4] = [
        ("columns, f32", data.columns.iter().map(|column| column[..].into()).collect()),
        ("columns, f64", columns.iter().map(|column| column[..].into()).collect()),
        ("rows, f32", Column::of_rows(&single, FEATURES)),
        ("rows, f64", Column::of_rows(&double, FEATURES)),
    ];
    let mut least = [f64::INFINITY; 4];
    let threads = Threads::ONE;
    let errors = ErrorKind::Corrected;
    let log = Logistic { trials: Trials::One, threads, errors, ..Logistic::default() };
    for _ in 0..runs {
        for ((_, features), least) in layouts.iter().zip(&mut least) {
            let block = Block {
                features: features.clone(),
                outcome: Some(data.outcome[..].into()),
                ..Block::default()
            };
            let names = (1..=FEATURES).map(|j| format!("x{j}"));
            let (seconds, _) = timed(|| log.fit_columns(names, block).expect("a fit"));
            *least = least.min(seconds.cpu);
        }
    }
    println!("LOG, {rows} rows × {FEATURES} features, one thread, best of {runs} runs");
    for ((layout, _), seconds) in layouts.iter().zip(least) {
        println!("{layout:<16}{:8.1} ms on a processor {:6.3}", 1e3 * seconds, seconds / least[0]);
    }
}

/// All models of 61 phases, each with the rows of two phases on either side.
fn bench_phases(data: &Data) {
    const PHASES: usize = 61;
    let rows = data.outcome.len();
    let start = Instant::now();
    let mut builder = Dataset::builder((1..=FEATURES).map(|j| format!("x{j}")));
    let mut features = [0.0; FEATURES];
    for row in 0..rows {
        for (feature, column) in features.iter_mut().zip(&data.columns) {
            *feature = f64::from(column[row]);
        }
        let example = Example {
            // About 42 positions of a game, one after the other.
            group: Some((row / 42) as u32),
            phase: (row % PHASES) as i32 + 4,
            ..Example::new(&features, f64::from(data.outcome[row]))
        };
        builder.push(&example).expect("finite data");
    }
    let examples = builder.finish();
    println!("building the data set          {:6.2} s", start.elapsed().as_secs_f64());
    for (what, errors) in
        [("", ErrorKind::Corrected), (" with clustered errors", ErrorKind::Clustered)]
    {
        let start = Instant::now();
        let threads = Threads::new(2);
        let moments = PhaseMoments::collect(&examples, threads).expect("moments");
        let (pooling, data) = (Pooling::default(), WithMoments::new(&examples, &moments));
        let fisher = Fisher { errors: ErrorKind::Corrected, ..Fisher::default() };
        fisher.fit_phases(&data, pooling).expect("fits");
        let quadratic = Quadratic { errors: ErrorKind::Corrected, ..Quadratic::default() };
        quadratic.fit_phases(&data, pooling).expect("fits");
        let settings = Logistic { errors, threads, ..Logistic::default() };
        let fits = settings.fit_phases(&data, pooling).expect("fits");
        assert!(fits.iter().all(|(_, fit)| fit.is_ok()));
        println!(
            "three models of {} phases, two threads{what}: {:.2} s",
            fits.len(),
            start.elapsed().as_secs_f64()
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
