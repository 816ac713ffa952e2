//! Finds the one byte that makes a CRC-32 wrong.
//!
//! The checksum is linear: the difference between the stored and the computed
//! one depends only on the changed byte and on how many bytes follow it. So we
//! run the difference backwards over the data and look where it could have
//! come from a single byte. For a block of 20 kB a difference caused by
//! something else looks like one byte by chance once in 800 cases.

/// The reflected polynomial of CRC-32 as zip, PNG and zstd use it.
const POLYNOMIAL: u32 = 0xedb8_8320;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 != 0 { value >> 1 ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

/// Which entry of [`TABLE`] has this top byte; every top byte occurs once.
const BY_TOP_BYTE: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut index = 0;
    while index < 256 {
        inverse[(TABLE[index] >> 24) as usize] = index as u8;
        index += 1;
    }
    inverse
};

/// A byte that was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Its index in the data.
    pub index: usize,
    /// What it must be XORed with to be right again.
    pub mask: u8,
}

/// The only single-byte change that explains why `data` has not the CRC-32
/// `stored`; `None` if there is none, or more than one.
pub fn changed_byte(data: &[u8], stored: u32) -> Option<Change> {
    let mut difference = crc32fast::hash(data) ^ stored;
    let mut found = None;
    for index in (0..data.len()).rev() {
        let entry = BY_TOP_BYTE[(difference >> 24) as usize];
        if difference == TABLE[usize::from(entry)] {
            if found.is_some() || entry == 0 {
                return None;
            }
            found = Some(Change { index, mask: entry });
        }
        difference = (difference ^ TABLE[usize::from(entry)]) << 8 | u32::from(entry);
    }
    found
}

#[cfg(test)]
mod tests {
    use discern_board::testing::Seeded;

    use super::*;

    #[test]
    fn every_changed_byte_is_found() {
        let mut random = Seeded::new(1);
        let data: Vec<u8> = (0..2000).map(|_| random.next_u64() as u8).collect();
        let stored = crc32fast::hash(&data);
        for index in 0..data.len() {
            let mask = 1 + random.below(255) as u8;
            let mut damaged = data.clone();
            damaged[index] ^= mask;
            assert_eq!(changed_byte(&damaged, stored), Some(Change { index, mask }));
        }
    }

    #[test]
    fn other_damage_is_not_blamed_on_one_byte() {
        let data: Vec<u8> = (0..200).collect();
        let stored = crc32fast::hash(&data);
        assert_eq!(changed_byte(&data, stored), None);
        let mut damaged = data.clone();
        damaged[3] ^= 1;
        damaged[100] ^= 1;
        assert_eq!(changed_byte(&damaged, stored), None);
    }
}
