use crate::error::BookError;

/// What a book begins with.
pub const MAGIC: &[u8; 16] = b"discern book 1\n\0";
/// Bytes of a block of records, and the boundary at which blocks begin.
pub const BLOCK: usize = 4096;
/// Bytes of the head.
pub const HEAD: usize = 64;
/// Bytes of a block's entry in the index: its first board and its checksum.
pub const INDEX_ENTRY: usize = 20;

/// The head: sizes and checksums of everything but the blocks, whose checksums
/// are in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub positions: u64,
    pub games: u64,
    pub blocks: u32,
    pub manifest_bytes: u32,
    pub manifest_crc: u32,
    pub index_crc: u32,
    pub games_crc: u32,
}

impl Head {
    pub fn to_bytes(self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[16..24].copy_from_slice(&self.positions.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.games.to_le_bytes());
        let words =
            [self.blocks, self.manifest_bytes, self.manifest_crc, self.index_crc, self.games_crc];
        for (place, word) in words.into_iter().enumerate() {
            bytes[32 + 4 * place..][..4].copy_from_slice(&word.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub fn from_bytes(file: &[u8]) -> Result<Head, BookError> {
        let line = &file[..file.len().min(16)];
        if line != MAGIC {
            let version = line.strip_prefix(b"discern book ").ok_or(BookError::Foreign)?;
            let version = String::from_utf8_lossy(version).trim_end_matches(['\n', '\0']).into();
            return Err(BookError::Version(version));
        }
        let found = file.len() as u64;
        let Some(head) = file.get(..HEAD) else {
            return Err(BookError::Length { expected: HEAD as u64, found });
        };
        let u64_at = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("8 bytes"));
        let u32_at = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("4 bytes"));
        if crc32fast::hash(&head[..60]) != u32_at(60) {
            return Err(BookError::Damaged { what: "head", at: 0, how: "wrong checksum" });
        }
        let head = Head {
            positions: u64_at(16),
            games: u64_at(24),
            blocks: u32_at(32),
            manifest_bytes: u32_at(36),
            manifest_crc: u32_at(40),
            index_crc: u32_at(44),
            games_crc: u32_at(48),
        };
        let expected = head.length();
        if expected != found {
            return Err(BookError::Length { expected, found });
        }
        Ok(head)
    }

    pub fn index_at(&self) -> usize {
        HEAD + self.manifest_bytes as usize
    }

    pub fn blocks_at(&self) -> usize {
        (self.index_at() + self.blocks as usize * INDEX_ENTRY).next_multiple_of(BLOCK)
    }

    pub fn games_at(&self) -> usize {
        self.blocks_at() + self.blocks as usize * BLOCK
    }

    fn length(&self) -> u64 {
        (self.games_at() as u64).saturating_add(self.games.saturating_mul(8))
    }
}
