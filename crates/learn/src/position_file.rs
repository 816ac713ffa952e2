//! Classified positions in the form the fitter reads fastest.
//!
//! ```text
//! 8 bytes   "DISCERNP"
//! 4 bytes   version, little-endian (2)
//! 8 bytes   number of positions, little-endian
//! 32 bytes  BLAKE3 of all that follows
//! rest      zstd frame of columns: mover u64, opponent u64, group u32,
//!           games u32, outcome u8 (0 lost, 1 drawn, 2 won, 4 more if
//!           several groups share it), score i8 (−128 if not known)
//! ```
//! Version 1 does not know shared positions and is the same in all else.

use std::path::Path;

use discern_board::{Bitboard, Board, Outcome, Score};

use crate::ClassifiedPosition;

const MAGIC: &[u8; 8] = b"DISCERNP";
const VERSION: u32 = 2;
const HEADER: usize = 8 + 4 + 8 + 32;
/// Bytes of a position in the columns.
const WIDTH: usize = 8 + 8 + 4 + 4 + 1 + 1;
/// No honest file is larger: thousands of millions of positions.
const MAX_BYTES: u64 = 16 << 30;
/// What a position takes less in a frame than here, at most. Boards differ
/// from each other: honest files come to about three.
const MOST_PACKED: usize = 64;
/// Files of a few equal positions may be packed more tightly.
const SMALL: usize = 1 << 20;
const UNKNOWN_SCORE: i8 = i8::MIN;
/// Added to the outcome of a position of several groups.
const SHARED: u8 = 4;

/// Why a file of positions is refused.
#[derive(Debug, thiserror::Error)]
pub enum PositionFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It does not begin like a file of positions.
    #[error("this is not a file of classified positions")]
    Foreign,
    /// A version this program does not know.
    #[error(
        "position file version {0} is not supported (this program reads versions 1 and {VERSION})"
    )]
    Version(u32),
    /// The file ends within its header.
    #[error("the position file is cut off")]
    Truncated,
    /// The content does not match its hash.
    #[error("the position file is damaged: its content does not match its hash")]
    Damaged,
    /// The hash is right but the content makes no sense.
    #[error("the position file is malformed: {0}")]
    Malformed(String),
}

/// Reads a file of classified positions.
///
/// # Errors
/// If it cannot be read, is of another kind, or is damaged.
pub fn load_positions(
    path: impl AsRef<Path>,
) -> Result<Vec<ClassifiedPosition>, PositionFileError> {
    decode_positions(&discern_files::read(path, MAX_BYTES)?)
}

/// Writes a file of classified positions, whole or not at all, in place of any
/// other.
///
/// # Errors
/// If the file cannot be written.
pub fn save_positions(
    path: impl AsRef<Path>,
    positions: &[ClassifiedPosition],
) -> std::io::Result<()> {
    discern_files::write(path, &encode(positions)?, true)
}

pub(crate) fn encode(positions: &[ClassifiedPosition]) -> std::io::Result<Vec<u8>> {
    let mut columns = Vec::with_capacity(WIDTH * positions.len());
    positions.iter().for_each(|p| columns.extend(p.board.mover().0.to_le_bytes()));
    positions.iter().for_each(|p| columns.extend(p.board.opponent().0.to_le_bytes()));
    positions.iter().for_each(|p| columns.extend(p.group.to_le_bytes()));
    positions.iter().for_each(|p| columns.extend(p.games.to_le_bytes()));
    let shared = |p: &ClassifiedPosition| if p.shared { SHARED } else { 0 };
    columns.extend(positions.iter().map(|p| (p.balance() + 1) as u8 + shared(p)));
    let score = |p: &ClassifiedPosition| p.score.map_or(UNKNOWN_SCORE, |s| s.discs() as i8);
    columns.extend(positions.iter().map(|p| score(p) as u8));
    let packed = zstd::bulk::compress(&columns, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    let mut file = Vec::with_capacity(HEADER + packed.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((positions.len() as u64).to_le_bytes());
    file.extend(blake3::hash(&packed).as_bytes());
    file.extend(packed);
    Ok(file)
}

/// The content of a file of classified positions.
///
/// # Errors
/// As [`load_positions`].
pub fn decode_positions(file: &[u8]) -> Result<Vec<ClassifiedPosition>, PositionFileError> {
    if !file.starts_with(MAGIC) {
        return Err(PositionFileError::Foreign);
    }
    let (header, packed) = file.split_at_checked(HEADER).ok_or(PositionFileError::Truncated)?;
    let version = u32::from_le_bytes(header[8..12].try_into().expect("four bytes"));
    if !(1..=VERSION).contains(&version) {
        return Err(PositionFileError::Version(version));
    }
    if header[20..] != *blake3::hash(packed).as_bytes() {
        return Err(PositionFileError::Damaged);
    }
    let count = u64::from_le_bytes(header[12..20].try_into().expect("eight bytes"));
    let malformed = |what: String| PositionFileError::Malformed(what);
    // Neither the count, which is not under the hash, nor a frame of nothing
    // but zeros may decide how much to allocate.
    let room = usize::try_from(count).ok().and_then(|count| count.checked_mul(WIDTH));
    let room = room.filter(|&room| room <= SMALL || room / MOST_PACKED <= packed.len());
    if let Some(room) = room {
        let list = count.saturating_mul(size_of::<ClassifiedPosition>() as u64);
        discern_files::check_memory((room as u64).saturating_add(list))?;
    }
    let columns = room
        .and_then(|room| zstd::bulk::decompress(packed, room).ok())
        .filter(|columns| Some(columns.len()) == room)
        .ok_or_else(|| malformed(format!("it does not hold {count} positions")))?;
    let count = count as usize;
    let u64_at = |i: usize| u64::from_le_bytes(columns[8 * i..][..8].try_into().expect("eight"));
    let u32_at = |start: usize, i: usize| {
        u32::from_le_bytes(columns[start + 4 * i..][..4].try_into().expect("four"))
    };
    let position = |i: usize| {
        let board = Board::new(Bitboard(u64_at(i)), Bitboard(u64_at(count + i)));
        let outcome = match columns[24 * count + i] & !SHARED {
            0 => Some(Outcome::Loss),
            1 => Some(Outcome::Draw),
            2 => Some(Outcome::Win),
            _ => None,
        };
        let score = columns[25 * count + i] as i8;
        Some(ClassifiedPosition {
            board: board?,
            group: u32_at(16 * count, i),
            games: u32_at(20 * count, i),
            shared: columns[24 * count + i] & SHARED != 0,
            outcome: outcome?,
            score: if score == UNKNOWN_SCORE { None } else { Some(Score::new(score.into())?) },
        })
    };
    (0..count)
        .map(|i| position(i).ok_or_else(|| malformed(format!("position {i} is impossible"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::classified_random_games;

    #[test]
    fn positions_survive_a_file() {
        let mut positions = classified_random_games(41, 20);
        positions[3].score = None;
        positions[5].games = 70_000;
        positions[7].shared = true;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("test.positions");
        for positions in [&positions[..], &[]] {
            save_positions(&path, positions).unwrap();
            assert_eq!(load_positions(&path).unwrap(), positions);
        }
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "no part file is left");
    }

    #[test]
    fn damaged_and_foreign_files_are_refused_with_the_reason() {
        let good = encode(&classified_random_games(42, 3)).unwrap();
        let refused = |bytes: &[u8]| decode_positions(bytes).unwrap_err().to_string();
        assert!(refused(b"").contains("not a file of classified positions"));
        assert!(refused(&good[..30]).contains("cut off"));
        assert!(refused(&good[..good.len() - 1]).contains("damaged"));
        let changed = |place: usize, to: u8| {
            let mut bytes = good.clone();
            bytes[place] = to;
            bytes
        };
        assert!(refused(&changed(8, 9)).contains("version 9"));
        assert!(refused(&changed(100, !good[100])).contains("damaged"));
        assert!(refused(&changed(12, good[12] ^ 1)).contains("does not hold"));
        assert!(refused(&changed(19, 255)).contains("does not hold"));
    }

    #[test]
    fn a_small_file_does_not_become_gigabytes() {
        // 200 million equal positions in half a megabyte.
        let count = 200_000_000u64;
        let mut packed = Vec::new();
        let mut frame = zstd::stream::Encoder::new(&mut packed, 1).unwrap();
        let zeros = vec![0; 1 << 20];
        for _ in 0..(count as usize * WIDTH) >> 20 {
            std::io::Write::write_all(&mut frame, &zeros).unwrap();
        }
        frame.finish().unwrap();
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        let mut file = [MAGIC.as_slice(), &VERSION.to_le_bytes(), &count.to_le_bytes()].concat();
        file.extend(blake3::hash(&packed).as_bytes());
        file.extend(packed);
        let said = decode_positions(&file).unwrap_err().to_string();
        assert!(said.contains("does not hold 200000000 positions"), "{said}");
    }

    #[test]
    fn impossible_positions_are_refused_despite_the_hash() {
        let good = encode(&classified_random_games(43, 1)).unwrap();
        let mut columns = zstd::bulk::decompress(&good[HEADER..], 1 << 20).unwrap();
        let count = columns.len() / WIDTH;
        // The opponent's discs are the second column.
        columns.copy_within(8 * 7..8 * 8, 8 * (count + 7));
        let reason = decode_positions(&sealed(&columns, count as u64)).unwrap_err().to_string();
        assert!(reason.contains("position 7 is impossible"), "{reason}");
    }

    /// A file with these columns and the right hash.
    fn sealed(columns: &[u8], count: u64) -> Vec<u8> {
        let packed = zstd::bulk::compress(columns, 1).unwrap();
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(blake3::hash(&packed).as_bytes());
        file.extend(packed);
        file
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig {
            failure_persistence: None,
            ..proptest::prelude::ProptestConfig::with_cases(400)
        })]

        #[test]
        fn changed_and_cut_files_never_panic(
            place in 0usize..4000, mask in 1u8.., cut in 0usize..4000, count in 0u64..200,
        ) {
            let good = encode(&classified_random_games(44, 2)).unwrap();
            let mut changed = good.clone();
            changed[place % good.len()] ^= mask;
            proptest::prop_assert!(decode_positions(&changed).is_err());
            proptest::prop_assert!(decode_positions(&good[..cut % good.len()]).is_err());
            // Past the hash: whatever is accepted is possible.
            let columns = zstd::bulk::decompress(&good[HEADER..], 1 << 20).unwrap();
            let mut changed = columns.clone();
            changed[place % columns.len()] ^= mask;
            let right = (columns.len() / WIDTH) as u64;
            for position in decode_positions(&sealed(&changed, right)).into_iter().flatten() {
                let both = position.board.mover() & position.board.opponent();
                proptest::prop_assert!(both.is_empty());
            }
            let other = decode_positions(&sealed(&columns[..cut % columns.len()], count));
            proptest::prop_assert!(other.is_err() || (cut % columns.len()) as u64 == count * WIDTH as u64);
        }
    }
}
