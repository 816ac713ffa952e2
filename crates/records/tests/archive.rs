//! The archive keeps everything, survives accidents and names damage.

use std::fs;
use std::path::PathBuf;

use crate::common::{plain_records, rich_records};
use discern_board::Outcome;
use discern_board::testing::Seeded;
use discern_records::archive::{ArchiveReader, ArchiveWriter, BLOCK_GAMES, HEADER, testing};
use discern_records::{GameRecord, Solved, Verdict, WriteError};
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// An archive with a commit after every `step` games.
    fn write(&self, name: &str, records: &[GameRecord], step: usize) -> Vec<u8> {
        let mut writer = ArchiveWriter::create(self.path(name)).unwrap();
        for chunk in records.chunks(step) {
            chunk.iter().for_each(|record| writer.append(record).unwrap());
            writer.commit().unwrap();
        }
        assert_eq!(writer.games(), records.len() as u64);
        fs::read(self.path(name)).unwrap()
    }
}

fn read(bytes: &[u8]) -> Vec<Result<GameRecord, String>> {
    match ArchiveReader::new(bytes) {
        Ok(reader) => reader.map(|game| game.map_err(|fault| fault.to_string())).collect(),
        Err(fault) => vec![Err(fault.to_string())],
    }
}

fn games(bytes: &[u8]) -> Vec<GameRecord> {
    read(bytes).into_iter().collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_field_of_every_record_survives() {
    let folder = Folder::new();
    let records = rich_records(1, 3 * BLOCK_GAMES as usize / 2);
    let bytes = folder.write("a", &records, usize::MAX);
    assert_eq!(games(&bytes), records);
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let folder = Folder::new();
    let records = rich_records(2, 300);
    assert_eq!(folder.write("a", &records, 100), folder.write("b", &records, 100));
}

#[test]
fn random_games_take_less_than_28_bytes() {
    // Games of random moves are the worst case; games between programs take
    // about 18 bytes.
    let folder = Folder::new();
    let bytes = folder.write("a", &plain_records(3, 2048), usize::MAX);
    assert!(bytes.len() < 28 * 2048, "{} bytes", bytes.len());
}

#[test]
fn blocks_can_be_unpacked_in_any_order() {
    let folder = Folder::new();
    let records = plain_records(4, 50);
    let bytes = folder.write("a", &records, 20);
    let mut reader = ArchiveReader::new(bytes.as_slice()).unwrap();
    let mut blocks = Vec::new();
    while let Some(block) = reader.next_block() {
        blocks.push(block.unwrap());
    }
    let starts: Vec<_> = blocks.iter().map(|block| (block.first_game(), block.len())).collect();
    assert_eq!(starts, [(1, 20), (21, 20), (41, 10)]);
    for block in blocks.iter().rev() {
        let first = block.first_game() as usize - 1;
        assert_eq!(block.games().unwrap(), records[first..first + block.len() as usize]);
    }
}

/// The sizes of the archives of the first 0, 1, 2 … games: a game is whole
/// where the archive that ends with it would end.
fn ends_of_games(folder: &Folder, records: &[GameRecord], step: usize) -> Vec<usize> {
    let ends = (0..=records.len()).map(|count| {
        let name = format!("first {count}");
        let size = folder.write(&name, &records[..count], step).len();
        fs::remove_file(folder.path(&name)).unwrap();
        size
    });
    ends.collect()
}

/// The games whose end is there.
fn whole_games(ends: &[usize], length: usize) -> usize {
    ends.iter().rposition(|end| *end <= length).unwrap_or(0)
}

#[test]
fn a_file_cut_at_any_byte_gives_all_games_before_the_cut() {
    let folder = Folder::new();
    let records = rich_records(5, 30);
    let whole = folder.write("whole", &records, 20);
    let ends = ends_of_games(&folder, &records, 20);
    assert_eq!(*ends.last().unwrap(), whole.len());
    for length in 16..=whole.len() {
        let mut reader = ArchiveReader::new(&whole[..length]).unwrap();
        let kept: Vec<_> = reader.by_ref().collect::<Result<_, _>>().unwrap();
        assert_eq!(kept, records[..kept.len()]);
        // An archive that ends with a game has four bytes more than the game
        // needs; with fewer of them it may be whole already.
        assert!(kept.len() >= whole_games(&ends, length), "cut at {length}");
        assert!(kept.len() <= whole_games(&ends, length + 4), "cut at {length}");
        let (block, before) = if length >= ends[20] { (ends[20], 20) } else { (16, 0) };
        let tail = reader.tail();
        let expected = (length != block && length != whole.len()).then_some((
            block as u64,
            (length - block) as u64,
            (kept.len() - before) as u32,
        ));
        assert_eq!(tail.map(|tail| (tail.offset, tail.bytes, tail.games)), expected);
    }
}

#[test]
fn a_large_file_cut_anywhere_loses_at_most_the_game_that_was_cut() {
    let folder = Folder::new();
    let records = plain_records(14, 2 * BLOCK_GAMES as usize + 700);
    let whole = folder.write("whole", &records, usize::MAX);
    let mut random = Seeded::new(15);
    for _ in 0..40 {
        let length = 16 + random.below(whole.len() - 16);
        let kept = games(&whole[..length]);
        assert_eq!(kept, records[..kept.len()]);
        // The archive of one game more is longer than what is left.
        let block = kept.len() / BLOCK_GAMES as usize * BLOCK_GAMES as usize;
        let more = records.get(block..=kept.len()).unwrap_or_default();
        let path = folder.path("more");
        let _ = fs::remove_file(&path);
        let alone = folder.write("more", more, usize::MAX).len() - 16;
        let mut reader = ArchiveReader::new(&whole[..length]).unwrap();
        reader.by_ref().for_each(drop);
        let left = reader.tail().map_or(0, |tail| tail.bytes as usize);
        assert!(alone > left, "{alone} bytes would do, {left} are there");
    }
}

#[test]
fn a_writer_goes_on_behind_the_whole_games_and_gives_the_same_file() {
    let folder = Folder::new();
    let records = plain_records(16, 50);
    let whole = folder.write("whole", &records, 20);
    let path = folder.path("cut");
    // Every 23rd length: each costs a wait for the disk.
    for length in (0..whole.len()).step_by(23) {
        fs::write(&path, &whole[..length]).unwrap();
        let found = if length < 16 { 0 } else { games(&whole[..length]).len() };
        let mut writer = ArchiveWriter::open(&path).unwrap();
        assert_eq!(writer.games(), found as u64, "cut at {length}");
        if length >= 16 {
            assert_eq!(fs::read(&path).unwrap(), whole[..length], "nothing is cut unasked");
        }
        // The job commits where it always does.
        for (number, record) in records.iter().enumerate().skip(found) {
            writer.append(record).unwrap();
            if (number + 1) % 20 == 0 {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        assert_eq!(writer.games(), records.len() as u64);
        drop(writer);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {length}");
    }
}

#[test]
fn damage_before_a_cut_ends_the_games_that_are_kept() {
    let folder = Folder::new();
    let records = plain_records(19, 40);
    let whole = folder.write("whole", &records, 40);
    let (mut random, mut wrong) = (Seeded::new(20), 0);
    for _ in 0..200 {
        let mut cut = whole[..whole.len() - 20].to_vec();
        let damaged = 40 + random.below(cut.len() - 40);
        cut[damaged] ^= 1 << random.below(8);
        let kept = games(&cut);
        let right = kept.iter().zip(&records).take_while(|(a, b)| a == b).count();
        wrong += usize::from(right < kept.len());
        assert!(kept.len() - right <= 2, "{right} right of {}", kept.len());
    }
    // One in 256.
    assert!(wrong <= 4, "{wrong} of 200 times a game was made up");
}

#[test]
fn taking_back_keeps_the_games_of_a_cut_block() {
    let folder = Folder::new();
    let records = plain_records(17, 100);
    let whole = folder.write("a", &records, 100);
    let cut = &whole[..whole.len() - 100];
    let kept = games(cut).len();
    assert!((90..100).contains(&kept));
    fs::write(folder.path("a"), cut).unwrap();
    let mut writer = ArchiveWriter::open(folder.path("a")).unwrap();
    records[..50].iter().for_each(|record| writer.append(record).unwrap());
    writer.commit().unwrap();
    writer.take_back().unwrap();
    drop(writer);
    let bytes = fs::read(folder.path("a")).unwrap();
    assert_eq!(games(&bytes), records[..kept]);
    let mut reader = ArchiveReader::new(bytes.as_slice()).unwrap();
    reader.by_ref().for_each(drop);
    assert_eq!(reader.tail(), None);
}

#[test]
fn plans_stay_with_their_games() {
    let folder = Folder::new();
    let path = folder.path("a");
    let records = plain_records(18, 3);
    let mut writer = ArchiveWriter::create(&path).unwrap();
    writer.add_plan("first").unwrap();
    writer.append(&records[0]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let one = fs::read(&path).unwrap();
    // A plan is whole or not there, and never taken for games.
    for length in 16..one.len() {
        let mut reader = ArchiveReader::new(&one[..length]).unwrap();
        assert_eq!(reader.plan(), (length >= 16 + 24 + 5).then_some("first"));
        assert!(reader.by_ref().all(|game| game.unwrap() == records[0]));
    }
    let mut writer = ArchiveWriter::open(&path).unwrap();
    writer.add_plan("first").unwrap();
    writer.append(&records[1]).unwrap();
    writer.add_plan("second").unwrap();
    writer.append(&records[2]).unwrap();
    writer.commit().unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes[..one.len()], one);
    let mut reader = ArchiveReader::new(bytes.as_slice()).unwrap();
    assert_eq!((reader.plan(), reader.plans().len()), (Some("first"), 1));
    assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), records);
    assert_eq!(reader.plans(), ["first", "second"]);
    writer.take_back().unwrap();
    assert_eq!(writer.plans(), ["first"]);
    assert_eq!(fs::read(&path).unwrap(), one);
    let mut damaged = one.clone();
    damaged[42] ^= 1;
    let mut reader = ArchiveReader::new(damaged.as_slice()).unwrap();
    assert_eq!(reader.plan(), None);
    let fault = reader.next().unwrap().unwrap_err().to_string();
    assert!(fault.contains("byte 42 was changed, in the plan at bytes 16 to 45"), "{fault}");
    assert_eq!(reader.next().unwrap().unwrap(), records[0]);
}

#[test]
fn every_flipped_byte_is_named_and_costs_only_its_block() {
    let folder = Folder::new();
    let records = plain_records(6, 30);
    let whole = folder.write("whole", &records, 10);
    let mut named = 0;
    for offset in 16..whole.len() {
        let mut damaged = whole.clone();
        damaged[offset] ^= 1 << (offset % 8);
        let games = read(&damaged);
        let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
        assert_eq!(faults.len(), 1, "byte {offset}: {faults:?}");
        assert!(faults[0].contains("of 10 games at bytes"), "{}", faults[0]);
        named += usize::from(faults[0].contains(&format!("byte {offset} was changed")));
        let kept: Vec<_> = games.into_iter().flatten().collect();
        assert_eq!(kept.len(), 20);
        assert!(kept.iter().all(|game| records.contains(game)));
        // A writer does not touch a damaged file.
        let path = folder.path("damaged");
        fs::write(&path, &damaged).unwrap();
        assert!(matches!(ArchiveWriter::open(&path), Err(WriteError::Read(_))));
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    assert_eq!(named, whole.len() - 16);
}

#[test]
fn a_destroyed_head_does_not_hide_the_blocks_behind_it() {
    let folder = Folder::new();
    let records = plain_records(7, 30);
    let mut bytes = folder.write("a", &records, 10);
    bytes[16..30].fill(0xaa);
    let games = read(&bytes);
    assert!(games[0].as_ref().unwrap_err().contains("block of unknown size at bytes 16 to"));
    assert_eq!(games.into_iter().flatten().collect::<Vec<_>>(), records[10..]);
}

#[test]
fn zeros_at_the_end_are_a_tail() {
    let folder = Folder::new();
    let records = plain_records(8, 10);
    let mut bytes = folder.write("a", &records, 10);
    let end = bytes.len() as u64;
    bytes.extend([0; 5000]);
    fs::write(folder.path("a"), &bytes).unwrap();
    let writer = ArchiveWriter::open(folder.path("a")).unwrap();
    assert_eq!(writer.cut().map(|tail| (tail.offset, tail.bytes)), Some((end, 5000)));
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let folder = Folder::new();
    let path = folder.path("a");
    let mut first = ArchiveWriter::create(&path).unwrap();
    first.append(&plain_records(9, 1)[0]).unwrap();
    first.commit().unwrap();
    let error = ArchiveWriter::open(&path).err().unwrap();
    assert_eq!(error.to_string(), "another process is writing to this archive");
    assert_eq!(ArchiveReader::open(&path).unwrap().count(), 1);
    drop(first);
    assert_eq!(ArchiveWriter::open(&path).unwrap().games(), 1);
}

#[test]
fn creating_never_overwrites() {
    let folder = Folder::new();
    folder.write("a", &plain_records(10, 1), 1);
    assert!(matches!(ArchiveWriter::create(folder.path("a")), Err(WriteError::Io(_))));
    assert_eq!(ArchiveWriter::open_or_create(folder.path("a")).unwrap().games(), 1);
    assert_eq!(ArchiveWriter::open_or_create(folder.path("b")).unwrap().games(), 0);
}

#[test]
fn games_that_were_not_committed_are_not_in_the_file() {
    let folder = Folder::new();
    let records = plain_records(11, 3);
    let mut writer = ArchiveWriter::create(folder.path("a")).unwrap();
    writer.append(&records[0]).unwrap();
    writer.commit().unwrap();
    writer.append(&records[1]).unwrap();
    drop(writer);
    assert_eq!(games(&fs::read(folder.path("a")).unwrap()), records[..1]);
}

#[test]
fn what_was_added_can_be_taken_back() {
    let folder = Folder::new();
    let records = plain_records(13, 3 * BLOCK_GAMES as usize);
    let before = folder.write("a", &records[..5], 5);
    let mut writer = ArchiveWriter::open(folder.path("a")).unwrap();
    records[5..].iter().for_each(|record| writer.append(record).unwrap());
    writer.commit().unwrap();
    assert_eq!(writer.games(), records.len() as u64);
    writer.take_back().unwrap();
    assert_eq!((writer.games(), fs::read(folder.path("a")).unwrap()), (5, before));
    writer.append(&records[5]).unwrap();
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(games(&fs::read(folder.path("a")).unwrap()), records[..6]);
}

#[test]
fn a_record_that_contradicts_itself_is_refused() {
    let folder = Folder::new();
    let mut record = plain_records(12, 1).remove(0);
    record.opening = 500;
    let mut writer = ArchiveWriter::create(folder.path("a")).unwrap();
    assert!(matches!(writer.append(&record), Err(WriteError::Record(_))));
    assert_eq!(writer.games(), 0);
}

#[test]
fn other_files_and_other_versions_are_named() {
    let error = |bytes: &[u8]| read(bytes)[0].clone().unwrap_err();
    assert_eq!(error(b"f5d6c3"), "not an archive of games: it does not begin with 'discern games'");
    assert_eq!(
        error(b"discern games 7\n"),
        "an archive of version '7', this program reads version 2"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().read(true).write(true).open("/dev/full").unwrap();
    match ArchiveWriter::start(full) {
        Err(WriteError::Io(error)) => assert_eq!(error.kind(), std::io::ErrorKind::StorageFull),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("/dev/full took the header"),
    }
}

/// A block with this head's numbers and these bytes, checksums right.
fn block(magic: &[u8; 4], games: u32, content: u32, packed: &[u8]) -> Vec<u8> {
    let mut head = magic.to_vec();
    for number in [games, content, packed.len() as u32, crc32fast::hash(packed)] {
        head.extend(number.to_le_bytes());
    }
    head.extend(crc32fast::hash(&head).to_le_bytes());
    [&head, packed].concat()
}

/// The faults of an archive with this block and a good one behind it.
fn faults_with(block_before: &[u8], whole: &[u8]) -> Vec<String> {
    let bytes = [HEADER, block_before, &block(b"GAME", 3, 1 << 10, whole)].concat();
    read(&bytes).into_iter().filter_map(Result::err).collect()
}

#[test]
fn a_small_archive_does_not_become_millions_of_games_or_names() {
    let mut records = plain_records(15, 3);
    let whole = testing::stream(&records);
    // More games or content than any block has; content beyond what its head
    // announces.
    for (games, content, said) in [
        (11_000_000, 1 << 10, "damaged"),
        (BLOCK_GAMES + 1, 1 << 10, "damaged"),
        (3, 64 << 20, "damaged"),
        (3, 20, "more content than announced"),
    ] {
        let faults = faults_with(&block(b"GAME", games, content, &whole), &whole);
        assert!(faults[0].contains(said), "{faults:?}");
    }
    // What no reader would take is not written either.
    let proven = Solved { ply: 1, verdict: Verdict::Outcome(Outcome::Draw) };
    records[1].solved = vec![proven; 257];
    records[2].comment = "x".repeat(65_537).as_str().into();
    let folder = Folder::new();
    let mut writer = ArchiveWriter::create(folder.path("bombs.games")).unwrap();
    for record in &records[1..] {
        assert!(matches!(writer.append(record), Err(WriteError::Record(_))));
    }
}

#[test]
fn plans_do_not_fill_the_memory() {
    let text = vec![b'x'; 10 << 20];
    let plan = block(b"PLAN", 0, text.len() as u32, &text);
    let said = read(&[HEADER, &*plan, &plan].concat()).pop().unwrap().unwrap_err();
    assert!(said.contains("plans of more than 16 MiB in all"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_writer_notices_that_its_file_was_moved_or_replaced() {
    let folder = Folder::new();
    let records = plain_records(16, 3);
    for replaced in [false, true] {
        let (path, elsewhere) = (folder.path("mine.games"), folder.path("elsewhere.games"));
        let mut writer = ArchiveWriter::create(&path).unwrap();
        writer.append(&records[0]).unwrap();
        writer.commit().unwrap();
        fs::rename(&path, &elsewhere).unwrap();
        if replaced {
            fs::write(&path, b"another file").unwrap();
        }
        writer.append(&records[1]).unwrap();
        let said = writer.commit().unwrap_err().to_string();
        assert!(said.contains("moved away or replaced"), "{said}");
        drop(writer);
        // Nothing is lost where it went, and the other file is as it was.
        assert_eq!(games(&fs::read(&elsewhere).unwrap()), records[..2]);
        if replaced {
            assert_eq!(fs::read(&path).unwrap(), b"another file");
            fs::remove_file(&path).unwrap();
        }
        fs::remove_file(&elsewhere).unwrap();
    }
}
