//! Time of the sparse logistic regression on rows like those of a pattern
//! evaluator: 3.6 million rows × 48 of some 150,000 weights.
//!
//! `cargo bench -p discern-stats --bench sparse` prints how held-out log loss
//! falls with time, for made-up boards of 8 × 8 squares. `--data FILE` reads
//! rows instead, `--write FILE` only writes those made (the format is told at
//! [`read`]), and `--json` prints what `scripts/bench-rivals.py` compares.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::time::Instant;

use discern_stats::sparse::{
    MAX_WEIGHTS, SparseDataset, SparseExample, SparseFit, SparseLogistic, WeightPrior,
};
use discern_stats::{Threads, metrics};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A row of ±1: 2·index, plus 1 for −1, of each entry; its label and group.
type Visit<'a> = dyn FnMut(&[u32], f32, u32) + 'a;

/// Lines, columns, diagonals of 4 to 8, edges with both X-squares, corners of
/// 3 × 3 and of 2 × 5: the squares of every pattern of an Othello program, with
/// the number of the kind that its images share.
fn patterns() -> Vec<(usize, Vec<usize>)> {
    let square = |x: i32, y: i32| (8 * y + x) as usize;
    let mut kinds: Vec<Vec<(i32, i32)>> =
        (0..4).map(|y| (0..8).map(|x| (x, y)).collect()).collect();
    for length in 4..=8 {
        kinds.push((0..length).map(|i| (i, length - 1 - i)).collect());
    }
    let edge: Vec<(i32, i32)> = (0..8).map(|x| (x, 0)).chain([(1, 1), (6, 1)]).collect();
    kinds.push(edge);
    kinds.push((0..9).map(|i| (i % 3, i / 3)).collect());
    kinds.push((0..10).map(|i| (i % 5, i / 5)).collect());
    let mut all: Vec<(usize, Vec<usize>)> = Vec::new();
    for (kind, squares) in kinds.iter().enumerate() {
        for image in 0..8 {
            let turn = |&(x, y): &(i32, i32)| {
                let (x, y) = if image & 1 == 1 { (7 - x, y) } else { (x, y) };
                let (x, y) = if image & 2 == 2 { (x, 7 - y) } else { (x, y) };
                if image & 4 == 4 { square(y, x) } else { square(x, y) }
            };
            let squares: Vec<usize> = squares.iter().map(turn).collect();
            let same = |other: &(usize, Vec<usize>)| {
                let [mut a, mut b] = [&other.1, &squares].map(|squares| squares.clone());
                a.sort_unstable();
                b.sort_unstable();
                a == b
            };
            if !all.iter().any(same) {
                all.push((kind, squares));
            }
        }
    }
    all
}

/// Made-up boards: a game of 40 positions sets discs and turns some over to
/// what their neighbour is; a position is won by what hidden weights of its
/// configurations say, and by chance. Returns the number of weights.
fn made_up(rows: usize, visit: &mut Visit) -> usize {
    const STAGES: usize = 2;
    let patterns = patterns();
    let kinds = 1 + patterns.iter().map(|pattern| pattern.0).max().unwrap_or(0);
    let mut offsets = vec![0; kinds + 1];
    for kind in 0..kinds {
        let length = patterns.iter().find(|p| p.0 == kind).map_or(0, |p| p.1.len());
        // A configuration with the colours swapped has the negative weight.
        offsets[kind + 1] = offsets[kind] + (3usize.pow(length as u32) - 1) / 2;
    }
    let weights = STAGES * offsets[kinds];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1995);
    let own: Vec<f32> = (0..weights).map(|_| rng.random_range(-0.25..0.25)).collect();
    let mut board = [0i32; 64];
    let mut codes = Vec::new();
    for row in 0..rows {
        let ply = row % 40;
        if ply == 0 {
            board = [0; 64];
        }
        let discs = 4 + ply + rng.random_range(0..20);
        while board.iter().filter(|&&disc| disc != 0).count() < discs {
            let at = rng.random_range(0..64);
            board[at] = if rng.random_range(0..2) == 0 { 1 } else { -1 };
        }
        for _ in 0..12 {
            let (at, to) = (rng.random_range(0..64), [1, 7, 8, 9][rng.random_range(0..4)]);
            let to = (at + to) % 64;
            if board[at] != 0 && board[to] != 0 {
                board[at] = board[to];
            }
        }
        codes.clear();
        let mut log_odds = 0.0f64;
        for (kind, squares) in &patterns {
            let code = squares.iter().fold(0, |code, &square| 3 * code + board[square]);
            if code == 0 {
                continue;
            }
            let stage = ply * STAGES / 40;
            let index = stage * offsets[kinds] + offsets[*kind] + code.unsigned_abs() as usize - 1;
            codes.push((index as u32) << 1 | u32::from(code < 0));
            let discs: i32 = squares.iter().map(|&square| board[square]).sum();
            log_odds += f64::from(code.signum()) * f64::from(own[index]) + 0.03 * f64::from(discs);
        }
        let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-log_odds).exp());
        visit(&codes, f32::from(u8::from(won)), (row / 40) as u32);
    }
    weights
}

/// Reads the rows of a file, which holds little-endian numbers: the number of
/// weights u32, then for each row its group u32, label f32, number of entries
/// u32 and the entries u32. Returns the number of weights.
fn read(path: &str, visit: &mut Visit) -> std::io::Result<usize> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let mut word = [0; 4];
    file.read_exact(&mut word)?;
    let weights = u32::from_le_bytes(word) as usize;
    let mut head = [0; 12];
    let (mut bytes, mut codes) = (Vec::new(), Vec::new());
    while !file.fill_buf()?.is_empty() {
        file.read_exact(&mut head)?;
        let [group, label, entries] =
            [0, 4, 8].map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|byte| head[at + byte])));
        bytes.resize(4 * entries as usize, 0);
        file.read_exact(&mut bytes)?;
        codes.clear();
        codes.extend(bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        visit(&codes, f32::from_bits(label), group);
    }
    Ok(weights)
}

/// Training and held-out rows; groups ending in 0 are held out.
fn datasets(source: impl FnOnce(&mut Visit) -> usize) -> [SparseDataset; 2] {
    let mut builders = [0; 2].map(|_| SparseDataset::builder(MAX_WEIGHTS));
    let mut entries = Vec::new();
    let weights = source(&mut |codes, label, group| {
        entries.clear();
        entries.extend(codes.iter().map(|code| (code >> 1, 1.0 - 2.0 * f64::from(code & 1))));
        let example = SparseExample::new(&entries, f64::from(label));
        builders[usize::from(group % 10 == 0)].push(&example).expect("good rows");
    });
    builders.map(|builder| {
        let blocks = builder.finish().into_blocks();
        SparseDataset::from_blocks(weights, blocks).expect("good indices")
    })
}

/// Writes made-up rows as [`read`] wants them.
fn write(path: &str, rows: usize) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let weights = made_up(0, &mut |_, _, _| ()) as u32;
    file.write_all(&weights.to_le_bytes())?;
    let mut failed = None;
    made_up(rows, &mut |codes, label, group| {
        let head = [group, label.to_bits(), codes.len() as u32];
        for word in head.iter().chain(codes) {
            failed = file.write_all(&word.to_le_bytes()).err().or(failed.take());
        }
    });
    failed.map_or_else(|| file.flush(), Err)
}

/// Seconds that all threads of the process have spent on a processor.
fn on_processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    // utime and stime, in the 100 ticks a second of every Linux.
    ticks(11).zip(ticks(12)).map_or(f64::NAN, |(user, system)| (user + system) / 100.0)
}

/// The largest resident set so far, where the system tells it.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes * 1024.0)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].clone())
    };
    let number = |name: &str, otherwise: f64| {
        option(name).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let json = arguments.iter().any(|argument| argument == "--json");
    if let Some(path) = option("--write") {
        write(&path, number("--rows", 3.6e6) as usize).expect("writing the rows");
        return;
    }
    let [data, held_out] = match option("--data") {
        Some(path) => datasets(|visit| read(&path, visit).expect("a file of rows")),
        None => datasets(|visit| made_up(number("--rows", 3.6e6) as usize, visit)),
    };
    let (ridge, threads) = (number("--ridge", 1.0), number("--threads", 2.0) as usize);
    let loss = |fit: &SparseFit| {
        metrics(&fit.predict_all(&held_out).expect("rows")).expect("rows").log_loss.value
    };
    if !json {
        println!(
            "{} rows, {:.0} MB; {:.0} MB at most before the fit",
            data.rows(),
            data.bytes() as f64 / 1e6,
            peak_memory() / 1e6
        );
    }
    let tolerances = option("--tolerances").unwrap_or_else(|| "20,10,5,1,0.1".to_string());
    for tolerance in tolerances.split(',').map(|text| text.parse::<f64>().expect("a tolerance")) {
        let settings = SparseLogistic {
            prior: WeightPrior::ridge(ridge),
            tolerance,
            warm_up: number("--warm-up", 4.0) as u32,
            threads: Threads::new(threads),
            ..SparseLogistic::default()
        };
        let (start, cpu) = (Instant::now(), on_processor());
        let fit = settings.fit(&data).expect("a fit");
        let (wall, cpu) = (start.elapsed().as_secs_f64(), on_processor() - cpu);
        let (loss, stop) = (loss(&fit), fit.stop.word());
        if json {
            println!(
                "{{\"tolerance\":{tolerance},\"wall\":{wall},\"cpu\":{cpu},\"held_out\":{loss},\
                 \"steps\":{},\"passes\":{},\"stop\":\"{stop}\",\"gradient\":{},\
                 \"bytes\":{},\"peak\":{}}}",
                fit.steps,
                fit.passes,
                fit.gradient,
                data.bytes(),
                peak_memory()
            );
        } else {
            println!(
                "tolerance {tolerance:<6} {wall:7.2} s by the clock, {cpu:7.2} s on processors, \
                 {:4} steps, {:6.1} passes, held-out log loss {loss:.6} ({stop})",
                fit.steps, fit.passes
            );
        }
    }
}
