//! The book file of Edax.

use discern_board::{Bitboard, Board, Square};

use crate::entry::Entry;
use crate::error::BookError;
use crate::graph::Graph;
use crate::judge::Deviation;
use crate::worth::{Grade, Worth};

/// Name, version, date, options and count.
const HEAD: usize = 4 + 4 + 1 + 1 + 8 + 5 * 4 + 4;
/// A position without its links.
const POSITION: usize = 8 + 8 + 4 * 4 + 3 * 2 + 1 + 1 + 2;

/// Thousandths of a logit for a disc: four discs win e times as often as they
/// lose, as elsewhere in this program.
const PER_DISC: i32 = 250;

/// Is this the beginning of a book of Edax?
pub fn is_edax(bytes: &[u8]) -> bool {
    matches!(bytes.get(..8), Some(b"XADEKOOB" | b"EDAXBOOK"))
}

/// The positions of a book of Edax. Its scores in discs become odds, its
/// leaves our deviations, its level their depth; links follow from the
/// positions. Counts of lines are no games and are left out.
///
/// # Errors
/// What is wrong, and where.
pub fn read_edax(bytes: &[u8]) -> Result<Vec<Entry>, BookError> {
    let fault = |at: usize, how: &str| BookError::Import { at: at as u64, how: how.into() };
    if !is_edax(bytes) {
        return Err(fault(0, "not a book of Edax"));
    }
    let Some(count) = u32_at(bytes, HEAD - 4) else {
        return Err(fault(bytes.len(), "the file ends in its head"));
    };
    let (mut at, mut entries) = (HEAD, Vec::new());
    for _ in 0..count {
        let record = bytes.get(at..at + POSITION - 2);
        let record = record.ok_or_else(|| fault(bytes.len(), "the file ends in a position"))?;
        let word = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("8 bytes"));
        let board = Board::new(Bitboard(word(0)), Bitboard(word(8)))
            .ok_or_else(|| fault(at, "two discs on one square"))?;
        let (links, level) = (usize::from(record[38]), record[39]);
        let leaf_at = at + POSITION - 2 + 2 * links;
        let leaf = bytes.get(leaf_at..leaf_at + 2);
        let leaf = leaf.ok_or_else(|| fault(bytes.len(), "the file ends in a position"))?;
        at = leaf_at + 2;
        if board.moves().is_empty() {
            // Passes are passed over in our books.
            continue;
        }
        let (score, square) = (leaf[0] as i8, leaf[1]);
        let (canonical, symmetry) = board.canonical_by();
        let deviation = match square {
            0..64 => {
                let square = Square::from_index(square.into());
                if !board.moves().contains(square) {
                    return Err(fault(leaf_at + 1, &format!("{square} is not a legal move")));
                }
                Some(Deviation {
                    square: symmetry.square(square),
                    worth: Worth::estimate(PER_DISC * i32::from(score)),
                    grade: Grade::Depth(level.min(60)),
                })
            }
            _ => None,
        };
        entries.push(Entry { deviation, ..Entry::new(canonical) });
    }
    match at == bytes.len() {
        true => Ok(entries),
        false => Err(fault(at, "something follows behind the last position")),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// A book in the format of Edax, for tests of other programs and our own.
pub fn write_edax(graph: &Graph, level: u8) -> Vec<u8> {
    let mut bytes = b"XADEKOOB".to_vec();
    bytes.extend([4, 4]);
    bytes.extend([0; 8]);
    for option in [i32::from(level), 24, 0, 0, 0] {
        bytes.extend(option.to_le_bytes());
    }
    bytes.extend((graph.len() as u32).to_le_bytes());
    let discs = |worth: Worth| match worth.score() {
        Some(score) => score.discs() as i16,
        None => (worth.value().thousandths() / PER_DISC).clamp(-64, 64) as i16,
    };
    for node in graph.sorted() {
        let entry = node.entry();
        bytes.extend(entry.board.mover().0.to_le_bytes());
        bytes.extend(entry.board.opponent().0.to_le_bytes());
        bytes.extend([0; 16]);
        let value = node.worths().map_or(0, |worths| discs(worths.even));
        [value, -64, 64].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend([node.links().len() as u8, level]);
        for link in node.links() {
            let value = graph.link_value(link).map_or(0, |(worths, _)| discs(worths.even));
            bytes.extend([value as i8 as u8, link.square as u8]);
        }
        let leaf = entry.deviation.map_or([0, 65], |deviation| {
            [discs(deviation.worth) as i8 as u8, deviation.square as u8]
        });
        bytes.extend(leaf);
    }
    bytes
}
