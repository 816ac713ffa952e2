//! The solver and the midgame search: `cargo bench -p discern-search`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use discern_board::Board;
use discern_board::testing::random_boards_with_empties;
use discern_eval::Rev;
use discern_search::{Limits, Options, Searcher, StopFlag};

fn boards(empties: u32, count: usize) -> Vec<Board> {
    random_boards_with_empties(1, empties, 2 * count)
        .filter(|board| !board.is_over())
        .take(count)
        .collect()
}

fn search(c: &mut Criterion) {
    let options = Options { threads: 1, table_mebibytes: 16 };
    let mut searcher = Searcher::new(Rev::default(), options).expect("16 MiB");
    let cases = [
        ("solver, 10 empties", boards(10, 50), Limits::SOLVE),
        ("solver, 16 empties", boards(16, 5), Limits::SOLVE),
        ("search, 40 empties, depth 7", boards(40, 5), Limits::depth(7)),
    ];
    let mut group = c.benchmark_group("nodes");
    group.sample_size(20);
    for (name, boards, limits) in cases {
        let mut run = || -> u64 {
            let mut nodes = 0;
            for board in &boards {
                searcher.forget();
                let report = searcher.search(black_box(board), &limits, &StopFlag::new(), |_| {});
                nodes += report.nodes;
            }
            nodes
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(name, |bencher| bencher.iter(&mut run));
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
