//! How fast games go into the archive and come out of it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use discern_board::testing::random_games;
use discern_records::GameRecord;
use discern_records::archive::{ArchiveReader, ArchiveWriter};

const GAMES: usize = 4096;

fn archive(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the benchmark");
    let records: Vec<GameRecord> = random_games(1, GAMES).map(GameRecord::new).collect();
    let path = folder.path().join("bench.games");
    let write = || {
        let mut writer = ArchiveWriter::create(&path).expect("a new archive");
        records.iter().for_each(|record| writer.append(record).expect("room on the disk"));
        writer.commit().expect("room on the disk");
    };
    let mut group = criterion.benchmark_group("archive");
    group.throughput(Throughput::Elements(GAMES as u64));
    group.sample_size(10);
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let _ = std::fs::remove_file(&path);
            write();
        });
    });
    group.bench_function("read with all boards", |bencher| {
        bencher.iter(|| {
            let reader = ArchiveReader::open(&path).expect("the archive just written");
            let boards = reader.map(|game| game.expect("a whole archive").game.boards().count());
            black_box(boards.sum::<usize>())
        });
    });
    group.finish();
}

criterion_group!(benches, archive);
criterion_main!(benches);
