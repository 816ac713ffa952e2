//! Flips, legal moves and perft: `cargo bench -p discern-board`.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use discern_board::flips::{self, KERNEL, naive, portable};
use discern_board::testing::random_game_boards;
use discern_board::{Board, Square, perft};

/// Boards of random games with one of their legal moves.
fn samples() -> Vec<(Board, Square)> {
    random_game_boards(1, 40)
        .filter_map(|board| Some((board, board.moves().first()?)))
        .take(2048)
        .collect()
}

fn kernels(c: &mut Criterion) {
    let samples = samples();
    type Flips = fn(&Board, Square) -> u64;
    let kernels: [(&str, Flips); 3] = [
        (KERNEL, |b, s| flips::flips(b.mover(), b.opponent(), s).0),
        ("portable-reference", |b, s| portable::flips(b.mover().0, b.opponent().0, s)),
        ("naive", |b, s| naive::flips(b.mover().0, b.opponent().0, s)),
    ];
    let mut group = c.benchmark_group("flips");
    group.throughput(Throughput::Elements(samples.len() as u64));
    for (name, kernel) in kernels {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || &samples,
                |samples| samples.iter().fold(0, |sum, (b, s)| sum ^ kernel(black_box(b), *s)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();

    type Moves = fn(&Board) -> u64;
    let kernels: [(&str, Moves); 3] = [
        (KERNEL, |b| flips::moves(b.mover(), b.opponent()).0),
        ("portable-reference", |b| portable::moves(b.mover().0, b.opponent().0)),
        ("naive", |b| naive::moves(b.mover().0, b.opponent().0)),
    ];
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(samples.len() as u64));
    for (name, kernel) in kernels {
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || &samples,
                |samples| samples.iter().fold(0, |sum, (b, _)| sum ^ kernel(black_box(b))),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();

    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(390_216));
    group.bench_function("depth 8", |bencher| bencher.iter(|| perft(black_box(Board::START), 8)));
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
