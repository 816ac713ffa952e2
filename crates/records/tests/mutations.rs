//! Whatever the bytes, reading neither panics nor goes on for ever, and what
//! it accepts is consistent. Seeded, so that a failure can be repeated; the
//! targets in `fuzz/` look further.

use std::path::Path;

use crate::common::rich_records;
use discern_board::testing::Seeded;
use discern_records::archive::{ArchiveWriter, testing};
use discern_records::wthor::WthorWriter;
use discern_records::{Format, GameFile, GameRecord, NewGameFile, ggf, sgf, transcript};
use proptest::prelude::*;

/// Reads everything and checks what comes out; returns games and faults.
fn read_all(bytes: &[u8], format: Option<Format>) -> (usize, usize) {
    let input = std::io::Cursor::new(bytes.to_vec());
    let Ok(file) = GameFile::from_reader(input, Path::new("./none"), format) else {
        return (0, 1);
    };
    let (mut games, mut faults) = (0, 0);
    for game in file {
        match game {
            Ok(record) => {
                assert_eq!(record.check(), Ok(()));
                games += 1;
            }
            Err(fault) => {
                assert!(fault.to_string().starts_with("./none: "));
                faults += 1;
            }
        }
        assert!(games + faults <= bytes.len() + 1, "more items than bytes");
    }
    (games, faults)
}

fn lines(records: &[GameRecord], line: fn(&GameRecord) -> String) -> Vec<u8> {
    records.iter().map(|record| line(record) + "\n").collect::<String>().into_bytes()
}

/// A small file of each format.
fn samples() -> Vec<(Format, Vec<u8>)> {
    let records = rich_records(31, 12);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.games");
    let mut archive = ArchiveWriter::create(&path).unwrap();
    for record in &records {
        archive.append(record).unwrap();
        if archive.games().is_multiple_of(4) {
            archive.commit().unwrap();
        }
    }
    let mut wthor = WthorWriter::default();
    for record in &records {
        let _ = wthor.append(record);
    }
    let obf = folder.path().join("sample.obf");
    let mut positions = NewGameFile::create(&obf, Format::Obf, false).unwrap();
    for record in &records {
        // Games without a known score have no line.
        let _ = positions.append(record);
    }
    positions.finish().unwrap();
    vec![
        (Format::Archive, std::fs::read(&path).unwrap()),
        (Format::Wthor, wthor.finish().games),
        (Format::Ggf, lines(&records, ggf::game)),
        (Format::Sgf, lines(&records, sgf::game)),
        (Format::Transcript, lines(&records, transcript::line)),
        (Format::Obf, std::fs::read(&obf).unwrap()),
    ]
}

fn mutated(bytes: &[u8], random: &mut Seeded) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len().max(1));
        match random.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = random.next_u64() as u8,
            2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            3 => bytes.insert(at.min(bytes.len()), b"[]();:/-%#"[random.below(10)]),
            4 => {
                let end = (at + random.below(60)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            _ => {
                let from = random.below(bytes.len().max(1));
                let piece: Vec<u8> = bytes.iter().copied().skip(from).take(40).collect();
                bytes.splice(at.min(bytes.len())..at.min(bytes.len()), piece);
            }
        }
    }
    bytes
}

#[test]
fn whole_samples_read_without_a_fault() {
    for (format, bytes) in samples() {
        let (games, faults) = read_all(&bytes, Some(format));
        assert!(games > 0 && faults == 0, "{format}: {games} games, {faults} faults");
        if format != Format::Wthor {
            assert_eq!(read_all(&bytes, None), (games, 0), "{format} is not recognised");
        }
    }
}

#[test]
fn mutated_files_never_panic() {
    let mut random = Seeded::new(32);
    let mut faulty = 0;
    for (format, bytes) in samples() {
        for _ in 0..1500 {
            let mutated = mutated(&bytes, &mut random);
            faulty += usize::from(read_all(&mutated, Some(format)).1 > 0);
            read_all(&mutated, None);
        }
    }
    assert!(faulty > 1000, "only {faulty} mutations did any harm");
}

#[test]
fn mutated_content_under_right_checksums_never_panics() {
    // A checksum keeps accidents away from the decoders; here they get them all.
    let records = rich_records(33, 8);
    let count = records.len() as u32;
    let stream = testing::stream(&records);
    assert_eq!(testing::games_of_stream(&stream, count), records);
    let mut random = Seeded::new(34);
    let mut shorter = 0;
    for _ in 0..4000 {
        let games = testing::games_of_stream(&mutated(&stream, &mut random), count);
        shorter += usize::from(games.len() < records.len());
        games.iter().for_each(|game| assert_eq!(game.check(), Ok(())));
    }
    assert!(shorter > 3000, "only {shorter} streams ended early");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rubbish_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes, None);
        for format in Format::ALL {
            read_all(&bytes, Some(format));
        }
    }

    #[test]
    fn rubbish_behind_a_good_beginning_never_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        cut in 0usize..300,
    ) {
        for (format, start) in STARTS {
            let mut file = start[..cut.min(start.len())].to_vec();
            file.extend(&bytes);
            read_all(&file, Some(format));
            read_all(&file, None);
        }
    }
}

const STARTS: [(Format, &[u8]); 6] = [
    (Format::Archive, b"discern games 3\nGAME"),
    (Format::Wthor, b"\x14\x0d\x01\x01\x02\0\0\0\0\0\xcf\x07\x08\0\x18\0\0\0\0\0\0\0\x20\x20\x38"),
    (Format::Ggf, b"(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5/1.0/2]"),
    (Format::Sgf, b"(;FF[4]GM[2]SZ[8]AB[d5][e4]AW[d4][e5]PL[B];B[f5];W["),
    (Format::Transcript, b"---------------------------OX------XO--------------------------- X; f5d6"),
    (Format::Obf, b"---------------------------OX------XO--------------------------- X; F5:+2; "),
];
