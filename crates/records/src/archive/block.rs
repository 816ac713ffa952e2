use super::ArchiveError;
use super::decode::games_of_stream;
use super::locate::changed_byte;
use crate::fault::{Fault, Place};
use crate::record::GameRecord;

/// What a block holds; its first four bytes say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Game after game, each decided by the bytes up to its end.
    Games,
    /// The plan of games behind it, as plain text.
    Plan,
}

impl Kind {
    const ALL: [Kind; 2] = [Kind::Games, Kind::Plan];

    const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Games => *b"GAME",
            Kind::Plan => *b"PLAN",
        }
    }
}

/// Bytes of a block before its compressed content.
pub const HEAD_SIZE: usize = 24;
/// Games in a full block. Larger blocks compress little better and lose more
/// when they are damaged.
pub const BLOCK_GAMES: u32 = 1024;
/// The longest plan, and all plans of a file together.
pub const MAX_PLAN: u32 = 16 << 20;
/// More than any writer puts into a block of games: it ends one at a quarter
/// of this, behind the game that reaches it.
pub const MAX_CONTENT: u32 = 4 << 20;

/// The fixed part of a block, all numbers little-endian: magic, games, size of
/// the content, compressed size, CRC-32 of the compressed bytes, and CRC-32 of
/// these 20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub kind: Kind,
    pub games: u32,
    pub content_size: u32,
    pub packed_size: u32,
    pub packed_crc: u32,
}

impl Head {
    pub fn to_bytes(self) -> [u8; HEAD_SIZE] {
        let mut bytes = [0; HEAD_SIZE];
        bytes[..4].copy_from_slice(&self.kind.magic());
        let fields = [self.games, self.content_size, self.packed_size, self.packed_crc];
        for (place, field) in bytes[4..20].chunks_exact_mut(4).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes[..20]);
        bytes[20..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// The head these bytes are, if their checksum is right.
    pub fn from_bytes(bytes: &[u8; HEAD_SIZE]) -> Option<Head> {
        let (checked, crc) = bytes.split_at(20);
        let field = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let magic = |kind: &Kind| checked[..4] == kind.magic();
        let head = Head {
            kind: Kind::ALL.into_iter().find(magic)?,
            games: field(4),
            content_size: field(8),
            packed_size: field(12),
            packed_crc: field(16),
        };
        let right = crc32fast::hash(checked).to_le_bytes() == *crc && head.is_bounded();
        right.then_some(head)
    }

    /// Is it no larger than what writers make? Heads come from files: beyond
    /// that they must not decide how much memory a reader takes.
    fn is_bounded(&self) -> bool {
        let (games, content) = match self.kind {
            Kind::Games => (BLOCK_GAMES, MAX_CONTENT),
            Kind::Plan => (0, MAX_PLAN),
        };
        // Codes are hardly longer than what they stand for.
        self.games <= games && self.content_size <= content && self.packed_size <= 2 * content
    }

    /// The head these bytes were before a single byte of them changed, and the
    /// index of that byte.
    pub fn before_change(bytes: &[u8; HEAD_SIZE]) -> Option<(Head, usize)> {
        let stored = u32::from_le_bytes(bytes[20..].try_into().expect("four"));
        let mut right = *bytes;
        if let Some(change) = changed_byte(&bytes[..20], stored) {
            right[change.index] ^= change.mask;
            return Head::from_bytes(&right).map(|head| (head, change.index));
        }
        // The checksum itself: only one of its bytes may be wrong.
        right[20..].copy_from_slice(&crc32fast::hash(&bytes[..20]).to_le_bytes());
        let mut wrong = (20..HEAD_SIZE).filter(|&index| right[index] != bytes[index]);
        match (wrong.next(), wrong.next()) {
            (Some(index), None) => Head::from_bytes(&right).map(|head| (head, index)),
            _ => None,
        }
    }
}

/// A block whose checksums are right and whose games are not yet unpacked; at
/// the end of a file also the first games of a block that was cut.
///
/// Blocks do not depend on each other, so threads may unpack them side by side.
#[derive(Debug, Clone)]
pub struct PackedBlock {
    pub(super) head: Head,
    pub(super) packed: Vec<u8>,
    pub(super) offset: u64,
    pub(super) first_game: u64,
    /// Only the first games are here.
    pub(super) cut: bool,
}

impl PackedBlock {
    /// What is left of a block that ends too early: its whole games.
    pub(super) fn rescue(head: Head, packed: Vec<u8>) -> Option<PackedBlock> {
        if head.kind == Kind::Plan {
            return None;
        }
        let (games, _) = games_of_stream(&packed, head.games, head.content_size);
        let head = Head { games: games.len() as u32, ..head };
        let block = PackedBlock { head, packed, offset: 0, first_game: 0, cut: true };
        (!block.is_empty()).then_some(block)
    }

    /// The text of a plan.
    pub(super) fn into_plan(self) -> Result<String, Fault> {
        String::from_utf8(self.packed).map_err(|_| {
            let what = ArchiveError::Content("a plan that is not UTF-8");
            Fault::new(Place::offset(self.first_game, self.offset), what)
        })
    }

    /// How many games it holds.
    pub fn len(&self) -> u32 {
        self.head.games
    }

    /// Holds it no game?
    pub fn is_empty(&self) -> bool {
        self.head.games == 0
    }

    /// Where in the file it begins.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of its first game within the file, from 1.
    pub fn first_game(&self) -> u64 {
        self.first_game
    }

    /// Unpacks all games.
    pub fn games(&self) -> Result<Vec<GameRecord>, ArchiveError> {
        let (games, size) = games_of_stream(&self.packed, self.head.games, self.head.content_size);
        if size? != self.head.content_size && !self.cut {
            return Err(ArchiveError::Content("content of another size than announced"));
        }
        Ok(games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_of_the_head_is_found_wherever_it_is() {
        let head = Head {
            kind: Kind::Games,
            games: 1024,
            content_size: 70_000,
            packed_size: 18_000,
            packed_crc: 77,
        };
        let bytes = head.to_bytes();
        assert_eq!(Head::from_bytes(&bytes), Some(head));
        for index in 0..HEAD_SIZE {
            for mask in [1, 0x80, 0xff] {
                let mut damaged = bytes;
                damaged[index] ^= mask;
                assert_eq!(Head::from_bytes(&damaged), None);
                assert_eq!(Head::before_change(&damaged), Some((head, index)));
            }
        }
    }
}
